/* The main job: every frame of every trace to its source. */
#include "core/fault.h"
#include "core/hash.h"
#include "core/text.h"
#include "formats/format.h"
#include "resolve/resolve.h"
#include "session/given.h"
#include "session/opened.h"
#include "session/session_state.h"
#include "session/traces.h"

/* An image that frames of this call want, looked up once. */
struct wanted {
    framemap_str name, id, arch;
    struct fm_held held;
    uint64_t frames; /* that wanted it in vain */
};

/* A position that was asked for already: a stack overflow asks for the same few a hundred thousand times. */
struct asked {
    size_t image;
    framemap_address_kind kind;
    uint64_t address;
    bool return_address;
    framemap_frame answer;
};

/* One call of restore. Indexes are held for its length, so that lookups take no lock. */
struct job {
    framemap_session *session;
    struct fm_heap *heap;
    struct fm_arena *arena; /* results; as long as the traces live */
    framemap_demangle demangle;
    struct wanted *wanted;
    size_t wanted_count, wanted_capacity;
    struct fm_table wanted_table;
    struct asked *asked;
    size_t asked_count, asked_capacity;
    struct fm_table asked_table;
    framemap_restore_summary summary;
};

static const char not_native[] = "symbols for frames of this kind are not read yet";
static const char no_image[] = "the text does not say which image the address is in";
static const char no_load[] = "the text does not say where the image begins in memory";
static const char below_load[] = "the address is below the image that it is said to be in";

/* --- images --- */

static bool wanted_equal(const void *context, uint32_t number, const void *key)
{
    const struct job *job = context;
    const struct wanted *a = &job->wanted[number], *b = key;
    return fm_str_equal(a->id, b->id) && fm_str_equal(a->name, b->name) && fm_str_equal(a->arch, b->arch);
}

static framemap_status find_image(struct job *job, const struct wanted *want, size_t *out, framemap_error *error)
{
    uint64_t hash = fm_hash64(want->name.data, want->name.size, fm_hash64(want->id.data, want->id.size, want->arch.size));
    uint32_t found = fm_table_find(&job->wanted_table, hash, wanted_equal, job, want);
    *out = found;
    if (found != UINT32_MAX) return FRAMEMAP_OK;
    if (!FM_GROW(job->heap, job->wanted, job->wanted_capacity, job->wanted_count + 1)) return fm_fault_memory(error);
    struct wanted *row = &job->wanted[job->wanted_count];
    *row = *want;
    const framemap_want question = {.name = want->name, .id = want->id, .arch = want->arch};
    framemap_status status = fm_session_hold(job->session, &question, &row->held, error);
    if (status != FRAMEMAP_OK) return status;
    *out = job->wanted_count++; /* from here on the row is released with the job */
    return fm_table_add(&job->wanted_table, hash, (uint32_t)*out) ? FRAMEMAP_OK : fm_fault_memory(error);
}

/* --- one position --- */

static bool asked_equal(const void *context, uint32_t number, const void *key)
{
    const struct job *job = context;
    const struct asked *a = &job->asked[number], *b = key;
    return a->image == b->image && a->kind == b->kind && a->address == b->address && a->return_address == b->return_address;
}

static framemap_status ask(struct job *job, struct asked *question, const framemap_frame **out, framemap_error *error)
{
    const uint64_t key[4] = {question->image, question->kind, question->address, question->return_address};
    uint64_t hash = fm_hash64(key, sizeof key, 0);
    uint32_t found = fm_table_find(&job->asked_table, hash, asked_equal, job, question);
    if (found == UINT32_MAX) {
        framemap_query query = FRAMEMAP_QUERY_INIT;
        query.position = question->address;
        query.address_kind = question->kind;
        query.return_address = question->return_address;
        query.demangle = job->demangle;
        const framemap_index *index = job->wanted[question->image].held.index;
        framemap_status status = fm_resolve(index->view, &query, job->arena, &question->answer, error);
        if (status == FRAMEMAP_E_CORRUPT) {
            question->answer = (framemap_frame){.status = FRAMEMAP_FRAME_NO_MATCH, .reason = "the index for this image is damaged"};
        } else if (status != FRAMEMAP_OK) {
            return status;
        }
        if (!FM_GROW(job->heap, job->asked, job->asked_capacity, job->asked_count + 1)) return fm_fault_memory(error);
        found = (uint32_t)job->asked_count;
        job->asked[job->asked_count++] = *question;
        if (!fm_table_add(&job->asked_table, hash, found)) return fm_fault_memory(error);
    }
    *out = &job->asked[found].answer;
    return FRAMEMAP_OK;
}

/* --- one frame --- */

static void give(framemap_frame *frame, const framemap_frame *answer)
{
    frame->status = answer->status;
    frame->reason = answer->reason;
    frame->restored = answer->restored;
    frame->function_size = answer->function_size;
    frame->alternatives = answer->alternatives;
    frame->alternative_count = answer->alternative_count;
    frame->aliases = answer->aliases;
    frame->alias_count = answer->alias_count;
    if (!frame->has_function_offset && answer->has_function_offset) {
        frame->has_function_offset = true;
        frame->function_offset = answer->function_offset;
    }
}

static bool answered(const framemap_frame *answer) { return answer->status != FRAMEMAP_FRAME_NO_MATCH; }

/* "Not printed by an address in an image": only such an absolute address may carry a signature of the CPU. */
static void place_signed_address(framemap_frame *frame, const framemap_trace *trace, framemap_str arch, uint64_t *address)
{
    uint64_t clean = fm_address_clean(arch, frame->address);
    if (frame->has_load_address || clean == frame->address || !fm_arch_matches(arch, FM_STR("arm64"))) return;
    /* iOS has fewer address bits than macOS: signatures begin lower there. */
    const uint64_t tries[] = {clean, clean & 0x0000000fffffffffu};
    for (size_t t = 0; t < 2; t++) {
        for (size_t i = 0; i < trace->image_count; i++) {
            const framemap_image *image = &trace->images[i];
            if (image->load_address == 0 || tries[t] < image->load_address || tries[t] - image->load_address >= image->size) continue;
            frame->has_load_address = true;
            frame->load_address = image->load_address;
            if (frame->module.size == 0 || fm_str_equal(frame->module, FM_STR("???"))) frame->module = image->name;
            if (frame->id.size == 0) frame->id = image->id;
            *address = tries[t];
            return;
        }
    }
}

/* "lib.so(name+0x12) [0x…]": the address is the linked one where the symbols agree that name and distance are found there. */
static framemap_status try_as_linked(struct job *job, framemap_frame *frame, struct asked *question, framemap_error *error)
{
    const framemap_frame *answer;
    question->kind = FRAMEMAP_ADDRESS_LINKED;
    framemap_status status = ask(job, question, &answer, error);
    if (status != FRAMEMAP_OK) return status;
    if (answered(answer) && answer->has_function_offset && answer->function_offset == frame->function_offset) {
        const framemap_frame *root = &answer->restored.frames[answer->restored.count - 1];
        if (fm_str_equal(root->function, frame->function) || fm_str_equal(root->symbol, frame->function)) {
            give(frame, answer);
            return FRAMEMAP_OK;
        }
    }
    frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
    frame->reason = no_load;
    return FRAMEMAP_OK;
}

/* Some Android versions print the distance from the mapping and, beside it, where the mapping begins in the file. In an archive that
 * offset is the library's own, and says nothing about the address. */
static bool offset_form(const framemap_frame *frame)
{
    if (frame->file_offset == 0 || frame->address_kind != FRAMEMAP_ADDRESS_LINKED) return false;
    return fm_str_find(frame->raw, FM_STR(".apk")) == FM_NOT_FOUND;
}

static framemap_status look_up(struct job *job, framemap_frame *frame, struct asked *question, framemap_error *error)
{
    const framemap_frame *answer, *second;
    framemap_status status = ask(job, question, &answer, error);
    if (status != FRAMEMAP_OK) return status;
    framemap_frame first = *answer; /* the next question may move it */
    if (!answered(&first) && offset_form(frame) && question->address <= UINT64_MAX - frame->file_offset) {
        question->address += frame->file_offset;
        status = ask(job, question, &second, error);
        if (status != FRAMEMAP_OK) return status;
        if (answered(second)) first = *second;
    }
    give(frame, &first);
    return FRAMEMAP_OK;
}

/* Brings an address of the process down to its image. false: the frame says why not. */
static bool to_image(framemap_frame *frame, struct asked *question)
{
    question->kind = frame->address_kind;
    if (frame->address_kind != FRAMEMAP_ADDRESS_ABSOLUTE) return true;
    if (question->address < frame->load_address) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = below_load;
        return false;
    }
    question->address -= frame->load_address;
    question->kind = FRAMEMAP_ADDRESS_IMAGE;
    return true;
}

static framemap_status restore_native(struct job *job, const framemap_trace *trace, framemap_frame *frame, framemap_error *error)
{
    framemap_str arch = frame->arch.size ? frame->arch : trace->arch;
    struct asked question = {.address = frame->address, .return_address = frame->return_address};
    bool absolute = frame->address_kind == FRAMEMAP_ADDRESS_ABSOLUTE;
    if (absolute) place_signed_address(frame, trace, arch, &question.address);
    frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
    frame->reason = no_image;
    struct wanted want = {.name = fm_module_name(frame->module), .id = frame->id, .arch = arch};
    if (!frame->has_address || (want.name.size == 0 && want.id.size == 0)) return FRAMEMAP_OK;
    framemap_status status = find_image(job, &want, &question.image, error);
    if (status != FRAMEMAP_OK) return status;
    struct wanted *image = &job->wanted[question.image];
    if (image->held.index == NULL) {
        image->frames++;
        frame->status = FRAMEMAP_FRAME_MISSING_SYMBOLS;
        frame->reason = image->held.reason;
        return FRAMEMAP_OK;
    }
    if (absolute && !frame->has_load_address) return try_as_linked(job, frame, &question, error);
    return to_image(frame, &question) ? look_up(job, frame, &question, error) : FRAMEMAP_OK;
}

static framemap_status restore_frame(struct job *job, const framemap_trace *trace, framemap_frame *frame, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    if (frame->status == FRAMEMAP_FRAME_NOT_NEEDED) return FRAMEMAP_OK;
    if (frame->status == FRAMEMAP_FRAME_RAW) {
        if (frame->kind == FRAMEMAP_KIND_OTHER || (frame->function.size && frame->file.size && frame->line)) {
            frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
            return FRAMEMAP_OK;
        }
        if (frame->kind == FRAMEMAP_KIND_NATIVE) {
            status = restore_native(job, trace, frame, error);
        } else {
            frame->status = FRAMEMAP_FRAME_MISSING_SYMBOLS;
            frame->reason = not_native;
        }
    }
    job->summary.frames++;
    if (frame->status == FRAMEMAP_FRAME_OK || frame->status == FRAMEMAP_FRAME_SYMBOL)
        job->summary.restored++;
    else
        job->summary.unmapped++;
    if (frame->status == FRAMEMAP_FRAME_MALFORMED && job->summary.malformed++ == 0) {
        job->summary.first_malformed = frame->raw_offset;
        job->summary.malformed_reason = frame->reason;
    }
    return status;
}

/* --- a whole call --- */

static void job_begin(struct job *job, framemap_session *session, struct fm_arena *arena, framemap_demangle demangle)
{
    *job = (struct job){.session = session, .heap = arena->heap, .arena = arena, .demangle = demangle};
    fm_table_init(&job->wanted_table, job->heap);
    fm_table_init(&job->asked_table, job->heap);
}

static framemap_status tell_missing(struct job *job, framemap_error *error)
{
    bool ok = true;
    pthread_mutex_lock(&job->session->lock);
    for (size_t i = 0; i < job->wanted_count && ok; i++) {
        const struct wanted *image = &job->wanted[i];
        framemap_missing row = {image->name, image->id, image->arch, image->frames, image->held.reason};
        if (image->frames) ok = fm_missing_add(&job->session->missing, &row);
    }
    pthread_mutex_unlock(&job->session->lock);
    return ok ? FRAMEMAP_OK : fm_fault_memory(error);
}

static void job_end(struct job *job)
{
    for (size_t i = 0; i < job->wanted_count; i++) framemap_session_release(job->session, job->wanted[i].held.index);
    fm_heap_free(job->heap, job->wanted, job->wanted_capacity * sizeof *job->wanted);
    fm_heap_free(job->heap, job->asked, job->asked_capacity * sizeof *job->asked);
    fm_table_free(&job->wanted_table);
    fm_table_free(&job->asked_table);
}

framemap_status framemap_session_restore_traces(framemap_session *session, framemap_trace_list *list, framemap_demangle demangle,
                                                framemap_restore_summary *summary, framemap_error *error)
{
    if (session == NULL || list == NULL || (list->count && list->owner == NULL))
        return fm_fault(error, FRAMEMAP_E_ARGUMENT, "a pointer is missing");
    struct job job;
    struct fm_trace_owner *owner = list->owner;
    framemap_status status = FRAMEMAP_OK;
    if (list->count) {
        job_begin(&job, session, &owner->arena, demangle);
        for (size_t t = 0; t < list->count && status == FRAMEMAP_OK; t++)
            for (size_t f = 0; f < list->traces[t].frame_count && status == FRAMEMAP_OK; f++)
                status = restore_frame(&job, &list->traces[t], &list->traces[t].frames[f], error);
        if (status == FRAMEMAP_OK) status = tell_missing(&job, error);
        job_end(&job);
    } else {
        job.summary = (framemap_restore_summary){0};
    }
    job.summary.traces = list->count;
    if (summary && status == FRAMEMAP_OK) *summary = job.summary;
    return status;
}

framemap_status framemap_session_restore(framemap_session *session, framemap_str text, const framemap_restore_options *options,
                                         framemap_write write, void *context, framemap_restore_summary *summary, framemap_error *error)
{
    framemap_restore_options given;
    framemap_trace_list list = {NULL, 0, NULL};
    framemap_restore_summary done;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (session == NULL || write == NULL) return fm_fault(error, FRAMEMAP_E_ARGUMENT, "a pointer is missing");
    const framemap_parse_options parse = {.size = sizeof parse, .allocator = &session->allocator, .format = given.format};
    status = framemap_trace_parse(text, &parse, &list, error);
    if (status == FRAMEMAP_OK) status = framemap_session_restore_traces(session, &list, given.demangle, &done, error);
    if (status == FRAMEMAP_OK)
        status =
            fm_formats_print(text, list.traces, list.count, given.output ? given.output : "text", &session->heap, write, context, error);
    if (status == FRAMEMAP_OK && summary) *summary = done;
    framemap_trace_list_free(&list);
    return status;
}
