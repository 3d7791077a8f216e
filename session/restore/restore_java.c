/* Restores Java frames; defines the row `fm_restorer_java` of restore.c's table. Frames are restored in the order of
 * their stack, since R8's rules for exceptions and outlines depend on the lines above a frame. */
#include "core/error.h"
#include "core/hash/hash.h"
#include "core/text/scan.h"
#include "core/text/text.h"
#include "formats/profiles/profile_format.h"
#include "resolve/java/java.h"
#include "session/catalog/mapping_uuids.h"
#include "session/restore/java_recall.h"
#include "session/restore/java_signature.h"
#include "session/restore/restorer.h"

static const char mapping_name[] = "mapping.txt";

/* Frames with one id, to which no mapping belongs. */
struct lacking {
    framemap_str id;
    const char *reason;
    uint64_t frames;
};

struct fm_java_job {
    struct fm_java_mappings mappings;
    struct fm_java_mapping_choice *choices; /* mapping chosen for each trace */
    size_t trace_count;
    struct fm_java_mapping_choice choice; /* mapping chosen for the current trace */
    framemap_java_state state;            /* R8's state at the current frame: exception and outline */
    size_t mention;                       /* number of the current trace's next mention */
    struct fm_java_lookup *answered;
    size_t answered_count, answered_capacity;
    struct fm_table answered_table;
    uint64_t key; /* secret key of the hash function */
    struct lacking *lacking;
    size_t lacking_count, lacking_capacity;
};

/* --- querying an index for one frame --- */

static bool answered_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_java_job *java = context;
    const struct fm_java_question *a = &java->answered[number].question, *b = key;
    return a->mapping == b->mapping && a->position == b->position && a->no_position == b->no_position &&
           fm_str_equal(a->scope, b->scope) && fm_str_equal(a->file, b->file) &&
           fm_str_equal(a->before.exception, b->before.exception) && a->before.has_outline == b->before.has_outline &&
           a->before.outline_line == b->before.outline_line;
}

/* Returns "CLASS.METHOD". It is copied only if class and method are not adjacent in the line, which is rare. */
static bool scope_of(struct fm_arena *arena, const framemap_frame *frame, framemap_str *out)
{
    framemap_str class_name = frame->class_name, method = frame->function;
    if (fm_str_is_within(class_name, frame->raw) && fm_str_is_within(method, frame->raw) &&
        class_name.data + class_name.size + 1 == method.data) {
        *out = fm_str(class_name.data, class_name.size + 1 + method.size);
        return true;
    }
    char *text = fm_arena_alloc(arena, class_name.size + 1 + method.size);
    if (text == NULL) return false;
    if (class_name.size) memcpy(text, class_name.data, class_name.size);
    text[class_name.size] = '.';
    if (method.size) memcpy(text + class_name.size + 1, method.data, method.size);
    *out = fm_str(text, class_name.size + 1 + method.size);
    return true;
}

/* Returns the file as it is printed in the line, or the words that the line has in place of a file ("Unknown
 * Source"). */
static framemap_str printed_file(const framemap_frame *frame)
{
    if (frame->file.size) return frame->file;
    if (fm_str_find(frame->raw, FM_STR("(Native ")) != FM_NOT_FOUND) return FM_STR("Native Method");
    if (fm_str_find(frame->raw, FM_STR("(Unknown Source)")) != FM_NOT_FOUND) return FM_STR("Unknown Source");
    return frame->file;
}

/* Whether the row of a frame has a line number. R8 distinguishes ":0" from a row without a number, but framemap_frame
 * has line 0 for both. */
static bool prints_line(const framemap_frame *frame)
{
    return frame->line != 0 || fm_str_find_last(frame->raw, FM_STR(":0)")) != FM_NOT_FOUND;
}

/* Returns the index that has the answer for a class: the mapping's index, or the value of a store that has the class.
 * If *view is NULL, *reason states why there is no such index. The head of a store's values shows whether the mapping
 * has the class. */
static framemap_status view_of(struct fm_restore_job *job, const struct fm_java_mapping *mapping,
                               framemap_str class_name, const struct fm_view **view, const char **reason,
                               framemap_error *error)
{
    const struct fm_held_index *held = &mapping->held;
    framemap_status status = FRAMEMAP_OK;
    *view = NULL;
    *reason = NULL;
    if (held->remote) status = fm_remote_class(job->remote, held->remote, class_name, view, reason, error);
    if (status == FRAMEMAP_OK && *view == NULL && *reason == NULL) *view = held->index->view;
    return status;
}

static framemap_status ask_index(struct fm_restore_job *job, struct fm_java_lookup *answered, framemap_error *error)
{
    const struct fm_java_question *question = &answered->question;
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.scope = question->scope;
    query.position = question->position;
    query.no_position = question->no_position;
    query.printed_file = question->file;
    query.java = &answered->after;
    struct fm_java_restored *answer = &answered->answer;
    const struct fm_view *view;
    const char *reason;
    answered->after = question->before;
    framemap_status status = view_of(job, question->mapping, question->class_name, &view, &reason, error);
    if (status != FRAMEMAP_OK) return status;
    if (view)
        status = fm_java_restore(view, &query, !job->no_symbols, job->arena, answer, error);
    else
        *answer = (struct fm_java_restored){.status = FRAMEMAP_FRAME_MISSING_SYMBOLS, .reason = reason};
    if (status == FRAMEMAP_OK && !fm_restore_keep_java(job, answer)) return fm_error_memory(error);
    if (status == FRAMEMAP_OK) fm_java_remember(job, answered);
    if (status != FRAMEMAP_E_CORRUPT) return status;
    *answer =
        (struct fm_java_restored){.status = FRAMEMAP_FRAME_NO_MATCH, .reason = "the index of this mapping is damaged"};
    return FRAMEMAP_OK;
}

/* Sets the result: from the cache if the index file is closed, otherwise from the index. If *found is false, the index
 * could not be opened after all; held.reason of the mapping states why. */
static framemap_status resolve_java(struct fm_restore_job *job, struct fm_java_lookup *answered, bool *found,
                                    framemap_error *error)
{
    struct fm_java_mapping *mapping = answered->question.mapping;
    framemap_status status = FRAMEMAP_OK;
    *found = true;
    if (mapping->held.closed) {
        if (fm_java_recall(job, answered)) return FRAMEMAP_OK;
        status = fm_java_mapping_hold(&job->java->mappings, mapping, error);
    }
    *found = mapping->held.index != NULL;
    return status == FRAMEMAP_OK && *found ? ask_index(job, answered, error) : status;
}

/* Hashes a question without its file: questions that differ in the file alone are rare. */
static uint64_t java_hash(const struct fm_java_job *java, const struct fm_java_question *question)
{
    const uint64_t outline = (uint64_t)(uint32_t)question->before.outline_line << 1 | question->before.has_outline;
    uint64_t hash = fm_hash_word(question->position << 1 | question->no_position, java->key);
    hash = fm_hash_word((uint64_t)(uintptr_t)question->mapping, hash);
    hash = fm_hash_word(outline, hash);
    if (question->before.exception.size) hash = fm_hash_text(question->before.exception, hash);
    return fm_hash_text(question->scope, hash);
}

/* Returns room for one more frame that was looked up; the caller increments the count later. Returns NULL if out of
 * memory. */
static struct fm_java_lookup *next_answer(struct fm_java_job *java)
{
    if (!FM_GROW(java->answered_table.heap, java->answered, java->answered_capacity, java->answered_count + 1))
        return NULL;
    return &java->answered[java->answered_count];
}

/* Resolves a query, unless it was resolved before. *out: the answer, valid until the next call; NULL: the mapping's
 * index could not be opened. */
static framemap_status resolve_java_once(struct fm_restore_job *job, struct fm_java_lookup *next,
                                         const struct fm_java_lookup **out, framemap_error *error)
{
    struct fm_java_job *java = job->java;
    const uint64_t hash = java_hash(java, &next->question);
    const uint32_t found = fm_table_find(&java->answered_table, hash, answered_equal, java, &next->question);
    if (found != UINT32_MAX) {
        *out = &java->answered[found];
        return FRAMEMAP_OK;
    }
    bool is_found;
    framemap_status status = resolve_java(job, next, &is_found, error);
    *out = NULL;
    if (status != FRAMEMAP_OK || !is_found) return status;
    if (!fm_table_add(&java->answered_table, hash, (uint32_t)java->answered_count)) return fm_error_memory(error);
    java->answered_count++;
    *out = next;
    return FRAMEMAP_OK;
}

/* --- restoring classes that are named outside of frames --- */

static framemap_str with_separator(struct fm_arena *arena, framemap_str text, char from, char to)
{
    char *copy = fm_arena_alloc(arena, text.size + 1);
    if (copy == NULL) return (framemap_str){NULL, 0};
    for (size_t i = 0; i < text.size; i++) copy[i] = text.data[i] == from ? to : text.data[i];
    return fm_str(copy, text.size);
}

/* Returns the original name of a class in the form of the printed name: a descriptor such as "Lb/l/b/m;" has slashes.
 * *out is absent if the mapping does not have the class. */
static framemap_status original_class(struct fm_restore_job *job, const struct fm_java_mapping *mapping,
                                      framemap_str printed, framemap_str *out, framemap_error *error)
{
    struct fm_arena *arena = job->arena;
    framemap_str original, plain = printed;
    const struct fm_view *view;
    const char *reason;
    const bool slashed = fm_str_find_byte(printed, '/') != FM_NOT_FOUND;
    *out = (framemap_str){NULL, 0};
    if (slashed && (plain = with_separator(arena, printed, '/', '.')).data == NULL) return fm_error_memory(error);
    framemap_status status = view_of(job, mapping, plain, &view, &reason, error);
    if (status != FRAMEMAP_OK || view == NULL || !fm_java_class(view, plain, &original)) return status;
    if (!slashed) return fm_arena_str(arena, original, out) ? FRAMEMAP_OK : fm_error_memory(error);
    *out = with_separator(arena, original, '.', '/');
    return out->data ? FRAMEMAP_OK : fm_error_memory(error);
}

/* Context of the callback of java_signature.h that finds the index for a class in a signature. */
struct signature_views {
    struct fm_restore_job *job;
    const struct fm_java_mapping *mapping;
};

static framemap_status view_of_signature(void *context, framemap_str class_name, const struct fm_view **view,
                                         framemap_error *error)
{
    const struct signature_views *views = context;
    const char *reason;
    if (fm_str_find_byte(class_name, '/') != FM_NOT_FOUND) {
        class_name = with_separator(views->job->arena, class_name, '/', '.');
        if (class_name.data == NULL) return fm_error_memory(error);
    }
    const framemap_status status = view_of(views->job, views->mapping, class_name, view, &reason, error);
    if (status == FRAMEMAP_OK && *view == NULL) *view = views->mapping->held.index->view;
    return status;
}

/* Returns the original name of a class or member that the text mentions outside of frames, from the index of its
 * mapping. *out is absent if the index does not have it. */
static framemap_status ask_index_for_name(struct fm_restore_job *job, const struct fm_java_mapping *mapping,
                                          framemap_str printed, framemap_str *out, framemap_error *error)
{
    framemap_status status;
    if (fm_java_is_signature(printed)) {
        struct signature_views views = {job, mapping};
        const struct fm_java_views of = {view_of_signature, &views};
        status = fm_java_signature(&of, printed, job->arena, out, error);
        if (status == FRAMEMAP_E_CORRUPT) return FRAMEMAP_OK;
    } else {
        status = original_class(job, mapping, printed, out, error);
    }
    if (status == FRAMEMAP_OK) fm_java_remember_name(job, mapping, printed, *out);
    return status;
}

static framemap_status restore_mention(struct fm_restore_job *job, framemap_mention *mention, framemap_error *error)
{
    struct fm_java_job *java = job->java;
    struct fm_java_mapping *mapping = java->choice.mapping;
    if (mention->exception) java->state = (framemap_java_state){.exception = mention->raw};
    if (mapping == NULL) return FRAMEMAP_OK;
    framemap_status status = fm_java_mapping_find(&java->mappings, mapping, error);
    if (status == FRAMEMAP_OK && mapping->held.closed) {
        if (fm_java_recall_name(job, mapping, mention->raw, &mention->restored)) return FRAMEMAP_OK;
        status = fm_java_mapping_hold(&java->mappings, mapping, error);
    }
    if (status != FRAMEMAP_OK || mapping->held.index == NULL) return status;
    return ask_index_for_name(job, mapping, mention->raw, &mention->restored, error);
}

/* Restores the classes and members mentioned between the previous frame and a given frame. */
static inline framemap_status restore_mentions(struct fm_restore_job *job, framemap_trace *trace, size_t before_frame,
                                               framemap_error *error)
{
    size_t *next = &job->java->mention;
    framemap_status status = FRAMEMAP_OK;
    for (; *next < trace->mention_count && trace->mentions[*next].before_frame <= before_frame; ++*next) {
        status = restore_mention(job, &trace->mentions[*next], error);
        if (status != FRAMEMAP_OK) break;
    }
    return status;
}

/* --- restoring one frame --- */

static void give_java(framemap_frame *frame, const struct fm_java_restored *kept)
{
    frame->status = kept->status;
    frame->reason = kept->reason;
    frame->restored = kept->restored;
    frame->alternatives = kept->alternatives;
    frame->alternative_count = kept->alternative_count;
    frame->over_limit = kept->over_limit;
}

/* Sets the status of a frame that looks renamed and has no mapping to MISSING_SYMBOLS, and counts the frame. */
static framemap_status lacks(struct fm_restore_job *job, framemap_frame *frame, const char *reason,
                             framemap_error *error)
{
    struct fm_java_job *java = job->java;
    frame->status = FRAMEMAP_FRAME_MISSING_SYMBOLS;
    frame->reason = reason;
    struct lacking *last = java->lacking_count ? &java->lacking[java->lacking_count - 1] : NULL;
    if (last && last->reason == reason && fm_str_equal(last->id, frame->id)) {
        last->frames++;
        return FRAMEMAP_OK;
    }
    if (!FM_GROW(job->heap, java->lacking, java->lacking_capacity, java->lacking_count + 1))
        return fm_error_memory(error);
    java->lacking[java->lacking_count++] = (struct lacking){frame->id, reason, 1};
    return FRAMEMAP_OK;
}

static framemap_status choice_of(struct fm_java_job *java, const framemap_frame *frame,
                                 struct fm_java_mapping_choice *out, framemap_error *error)
{
    *out = java->choice;
    /* A UUID in the frame names the mapping of the whole stack, not the mapping of this frame. */
    const bool has_id = frame->id.size > 0 && !fm_is_mapping_uuid(frame->id);
    return has_id ? fm_java_mappings_of_id(&java->mappings, frame->id, out, error) : FRAMEMAP_OK;
}

/* Looks up a frame. wants: the frame needs symbols, so it is counted as lacking symbols if there is no mapping, or if
 * the mapping has no answer. */
static framemap_status look_up_java(struct fm_restore_job *job, framemap_frame *frame, bool wants,
                                    framemap_error *error)
{
    struct fm_java_job *java = job->java;
    struct fm_java_mapping_choice choice;
    framemap_status status = choice_of(java, frame, &choice, error);
    if (status == FRAMEMAP_OK && choice.mapping) status = fm_java_mapping_find(&java->mappings, choice.mapping, error);
    if (status != FRAMEMAP_OK) return status;
    if (choice.mapping == NULL || !fm_java_mapping_has_symbols(choice.mapping))
        return wants ? lacks(job, frame, choice.mapping ? choice.mapping->held.reason : choice.reason, error)
                     : FRAMEMAP_OK;
    struct fm_java_lookup *next = next_answer(java);
    const struct fm_java_lookup *answered = NULL;
    framemap_str scope;
    if (next == NULL || !scope_of(job->arena, frame, &scope)) return fm_error_memory(error);
    next->question = (struct fm_java_question){.mapping = choice.mapping,
                                               .class_name = frame->class_name,
                                               .scope = scope,
                                               .file = printed_file(frame),
                                               .position = frame->line,
                                               .no_position = !prints_line(frame),
                                               .before = java->state};
    status = resolve_java_once(job, next, &answered, error);
    if (status != FRAMEMAP_OK) return status;
    if (answered == NULL) return wants ? lacks(job, frame, choice.mapping->held.reason, error) : FRAMEMAP_OK;
    java->state = answered->after;
    if (answered->answer.status == FRAMEMAP_FRAME_NO_MATCH && !wants) return FRAMEMAP_OK;
    give_java(frame, &answered->answer);
    frame->matched_by = choice.matched_by;
    /* MISSING_SYMBOLS means here that a store has the mapping, but does not have the class. */
    return frame->status == FRAMEMAP_FRAME_MISSING_SYMBOLS ? lacks(job, frame, frame->reason, error) : FRAMEMAP_OK;
}

/* Restores a frame, and the classes and members mentioned above it. */
static framemap_status java_frame(struct fm_restore_job *job, framemap_trace *trace, size_t number,
                                  framemap_error *error)
{
    framemap_frame *frame = &trace->frames[number];
    const bool wants = frame->status == FRAMEMAP_FRAME_RAW;
    const framemap_status status = restore_mentions(job, trace, number, error);
    if (status != FRAMEMAP_OK || (!wants && frame->status != FRAMEMAP_FRAME_NOT_NEEDED)) return status;
    return look_up_java(job, frame, wants, error);
}

/* --- restoring methods in native stacks --- */

static bool is_method(const framemap_frame *frame, framemap_str *class_name, framemap_str *method)
{
    return frame->kind == FRAMEMAP_KIND_NATIVE &&
           (frame->status == FRAMEMAP_FRAME_RAW || frame->status == FRAMEMAP_FRAME_UNKNOWN_IMAGE ||
            (frame->status == FRAMEMAP_FRAME_NOT_NEEDED && frame->file.size == 0)) &&
           fm_method_name(frame->module, frame->function, class_name, method);
}

/* Whether a class looks renamed: its name has few letters. */
static bool is_short(framemap_str class_name)
{
    enum { FEW_LETTERS = 3 };
    const size_t dot = fm_str_find_last_byte(class_name, '.');
    const framemap_str name = dot == FM_NOT_FOUND ? class_name : fm_str_from(class_name, dot + 1);
    const size_t inner = fm_str_find_byte(name, '$');
    return (inner == FM_NOT_FOUND ? name.size : inner) <= FEW_LETTERS;
}

/* Whether the code belongs to another app than the process. On Android a process loads code of other apps, such as
 * Google's services, whose renamed classes can have the same names as this app's classes. The path contains the name of
 * the app: "/data/app/~~x==/com.example.shop-y==/oat/arm64/base.odex". */
static bool is_of_other_app(const framemap_trace *trace, framemap_str path)
{
    struct fm_scan s = fm_scan_of(path), t;
    framemap_str folder, process = trace->process_name;
    if (process.size == 0 || !fm_scan_text(&s, FM_STR("/data/app/"))) return false;
    t = s;
    if (fm_scan_text(&t, FM_STR("~~")) && fm_scan_until(&t, '/', &folder) && fm_scan_byte(&t, '/')) s = t;
    if (!fm_scan_until(&s, '-', &folder)) return false;
    const size_t colon = fm_str_find_byte(process, ':');
    if (colon != FM_NOT_FOUND) process.size = colon;
    return !fm_str_equal(folder, process);
}

/* Sets the frame's answer to the class and the method. The answer states how many methods the name can mean. */
static bool give_method(struct fm_restore_job *job, framemap_frame *frame, const framemap_frame *answer)
{
    const framemap_frame *source = &answer->restored.frames[answer->restored.count - 1];
    framemap_frame *one = fm_arena_alloc(job->arena, sizeof *one);
    struct fm_buf name;
    fm_buf_init(&name, job->heap);
    fm_samples_put_name(&name, answer, source);
    framemap_str text = {NULL, 0};
    const bool ok = one && !name.failed && fm_arena_str(job->arena, fm_buf_view(&name), &text);
    fm_buf_free(&name);
    if (!ok) return false;
    *one = (framemap_frame){.kind = FRAMEMAP_KIND_NATIVE,
                            .index = -1,
                            .function = text,
                            .symbol = frame->function,
                            .has_function_offset = frame->has_function_offset,
                            .function_offset = frame->function_offset};
    frame->restored = (framemap_frame_list){.frames = one, .count = 1};
    frame->status = answer->alternative_count ? FRAMEMAP_FRAME_AMBIGUOUS : FRAMEMAP_FRAME_SYMBOL;
    frame->reason = answer->reason;
    frame->matched_by = answer->matched_by;
    return true;
}

framemap_status fm_java_method_frame(struct fm_restore_job *job, framemap_trace *trace, size_t number, bool *taken,
                                     framemap_error *error)
{
    framemap_frame *frame = &trace->frames[number], answer = {.kind = FRAMEMAP_KIND_JAVA, .index = -1};
    *taken = false;
    if (job->java == NULL || !is_method(frame, &answer.class_name, &answer.function)) return FRAMEMAP_OK;
    const struct fm_java_mapping_choice *choice = &job->java->choice;
    *taken = true;
    if (is_of_other_app(trace, frame->module_path)) {
        frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
        frame->reason = NULL;
        return FRAMEMAP_OK;
    }
    if (choice->mapping == NULL && is_short(answer.class_name)) {
        const framemap_str id = frame->id; /* the frame's id belongs to the native module, not to a mapping */
        frame->id = (framemap_str){NULL, 0};
        const framemap_status status = lacks(job, frame, choice->reason, error);
        frame->id = id;
        return status;
    }
    answer.raw = frame->function;
    answer.status = FRAMEMAP_FRAME_NOT_NEEDED;
    const framemap_java_state state = job->java->state;
    framemap_status status = look_up_java(job, &answer, false, error);
    job->java->state = state;
    if (status != FRAMEMAP_OK) return status;
    if (answer.restored.count > 0) return give_method(job, frame, &answer) ? FRAMEMAP_OK : fm_error_memory(error);
    /* MISSING_SYMBOLS means here that a store has the mapping, but does not have the class. */
    frame->status =
        answer.status == FRAMEMAP_FRAME_MISSING_SYMBOLS ? FRAMEMAP_FRAME_MISSING_SYMBOLS : FRAMEMAP_FRAME_NOT_NEEDED;
    frame->reason = answer.reason;
    return FRAMEMAP_OK;
}

/* --- traces --- */

static framemap_status java_trace_begin(struct fm_restore_job *job, framemap_trace *trace, size_t number,
                                        framemap_error *error)
{
    (void)trace;
    (void)error;
    if (job->java == NULL) return FRAMEMAP_OK;
    job->java->choice = job->java->choices[number];
    job->java->state = (framemap_java_state){.has_outline = false};
    job->java->mention = 0;
    return FRAMEMAP_OK;
}

/* Restores the classes and members mentioned after the last frame. */
static framemap_status java_trace_end(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error)
{
    if (job->java == NULL || fm_str_starts(trace->format, FM_STR("dart")))
        return FRAMEMAP_OK; /* Dart's own maps restore the names in error messages of Dart */
    return restore_mentions(job, trace, SIZE_MAX, error);
}

static bool has_java(const framemap_trace *traces, size_t count)
{
    framemap_str class_name, method;
    for (size_t t = 0; t < count; t++) {
        for (size_t f = 0; f < traces[t].frame_count; f++) {
            const framemap_frame *frame = &traces[t].frames[f];
            if (frame->kind == FRAMEMAP_KIND_JAVA || is_method(frame, &class_name, &method)) return true;
        }
    }
    return false;
}

static void free_choices(struct fm_restore_job *job)
{
    struct fm_java_job *java = job->java;
    fm_heap_free(job->heap, java->choices, java->choices ? java->trace_count * sizeof *java->choices : 0);
    java->choices = NULL;
}

static framemap_status open_job(struct fm_restore_job *job, framemap_error *error)
{
    struct fm_java_job *java = fm_heap_zalloc(job->heap, 1, sizeof *java);
    if (java == NULL) return fm_error_memory(error);
    job->java = java;
    fm_table_init(&java->answered_table, job->heap);
    java->key = fm_hash_key(java);
    return fm_java_mappings_open(&java->mappings, job, error);
}

/* Chooses a mapping for each trace. No mapping is opened for reports without frames of Java. */
static framemap_status java_report_begin(struct fm_restore_job *job, framemap_trace *traces, size_t count,
                                         framemap_error *error)
{
    if (job->java == NULL && !has_java(traces, count)) return FRAMEMAP_OK;
    framemap_status status = job->java ? fm_java_mappings_refresh(&job->java->mappings, error) : open_job(job, error);
    if (status != FRAMEMAP_OK) return status;
    free_choices(job);
    job->java->trace_count = count;
    return fm_java_mappings_choose(&job->java->mappings, traces, count, &job->java->choices, error);
}

static bool java_missing(struct fm_restore_job *job)
{
    bool ok = true;
    for (size_t i = 0; job->java && i < job->java->lacking_count && ok; i++) {
        const struct lacking *row = &job->java->lacking[i];
        const framemap_missing missing = {.name = framemap_str_of(mapping_name),
                                          .id = row->id,
                                          .frames = row->frames,
                                          .reason = row->reason,
                                          .kind = FRAMEMAP_KIND_JAVA};
        ok = fm_restore_miss(job, &missing);
    }
    return ok;
}

/* Forgets the results of a batch, but keeps their memory and the list of the mappings. */
static void java_forget(struct fm_restore_job *job)
{
    struct fm_java_job *java = job->java;
    if (java == NULL) return;
    fm_java_mappings_release(&java->mappings);
    free_choices(job);
    fm_table_clear(&java->answered_table);
    java->answered_count = java->lacking_count = 0;
}

static void java_end(struct fm_restore_job *job)
{
    struct fm_java_job *java = job->java;
    if (java == NULL) return;
    fm_java_mappings_close(&java->mappings);
    free_choices(job);
    fm_heap_free(job->heap, java->answered, java->answered_capacity * sizeof *java->answered);
    fm_heap_free(job->heap, java->lacking, java->lacking_capacity * sizeof *java->lacking);
    fm_table_free(&java->answered_table);
    fm_heap_free(job->heap, java, sizeof *java);
    job->java = NULL;
}

const struct fm_restorer fm_restorer_java = {.kind = FRAMEMAP_KIND_JAVA,
                                             .report_begin = java_report_begin,
                                             .trace_begin = java_trace_begin,
                                             .frame = java_frame,
                                             .trace_end = java_trace_end,
                                             .missing = java_missing,
                                             .forget = java_forget,
                                             .end = java_end};
