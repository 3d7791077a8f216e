/* Answers a query of the public API from an index of the class form: resolves it and converts the chains to public
 * frames. Called by resolve.c. */
#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "resolve/answer_limits.h"
#include "resolve/java/java_rules.h"

static const char no_class[] = "the symbols have no class of that name";
static const char hidden[] = "the frame belongs to compiler-generated code that has no source position";
static const char several[] = "the symbols give several answers for that position";
static const char many_members[] = "the class has several members of that name";

struct job {
    const struct fm_view *view;
    const framemap_query *query;
    struct fm_arena *arena;
    framemap_str class_name, member; /* class and member in the scope; both are empty if the scope has no dot */
    struct fm_answer_room *room;
    bool symbols; /* whether all frames get symbols, or only frames without a function */
};

static bool has_line(const framemap_query *query) { return !query->no_position && query->position <= INT32_MAX; }

static inline void make_blank(framemap_frame *frame)
{
    memset(frame, 0, sizeof *frame);
    frame->kind = FRAMEMAP_KIND_JAVA;
    frame->index = -1;
}

/* Spells a method as "int m(char,long[])", or a field as "int f". */
static framemap_status spell(const struct job *job, framemap_str type, framemap_str name, framemap_str arguments,
                             bool method, framemap_str *out, framemap_error *error)
{
    char *text = fm_arena_alloc(job->arena, type.size + name.size + arguments.size + 3 + FM_VIEW_ROOM), *at = text;
    if (text == NULL) return fm_error_memory(error);
    if (type.size) {
        at = fm_view_copy(job->view, type, at);
        *at++ = ' ';
    }
    at = fm_view_copy(job->view, name, at);
    if (method) {
        *at++ = '(';
        at = fm_view_copy(job->view, arguments, at);
        *at++ = ')';
    }
    *out = fm_str(text, (size_t)(at - text));
    return FRAMEMAP_OK;
}

static uint32_t line_of(const struct job *job, const struct fm_java_frame *frame)
{
    if (frame->line_kind == FM_JAVA_LINE_NUMBER) return frame->line > 0 ? (uint32_t)frame->line : 0;
    return has_line(job->query) ? (uint32_t)job->query->position : 0;
}

static bool same_memory(framemap_str a, framemap_str b) { return a.data == b.data && a.size == b.size; }

static bool same_member(const struct fm_java_frame *a, const struct fm_java_frame *b)
{
    return a->found == b->found && same_memory(a->class_name, b->class_name) && same_memory(a->method, b->method) &&
           same_memory(a->type, b->type) && same_memory(a->arguments, b->arguments);
}

static framemap_status name_frame(const struct job *job, const struct fm_java_frame *from, framemap_frame *to,
                                  framemap_error *error)
{
    if (from->found && (job->symbols || from->method.size == 0)) {
        const framemap_status status = spell(job, from->type, from->method, from->arguments, true, &to->symbol, error);
        if (status != FRAMEMAP_OK) return status;
    }
    return fm_java_source(job->view, from, true, job->query->printed_file, job->arena, &to->file, error);
}

/* A chain of frames as the rules of R8 or ProGuard give it, and the public frames made from it. */
struct converted {
    const struct fm_java_chain *from;
    const framemap_frame_list *to; /* the public frames; NULL: not converted yet */
};

static inline void fill_place(const struct job *job, const struct fm_java_frame *from, bool inlined, framemap_frame *to)
{
    make_blank(to);
    to->class_name = from->class_name;
    to->function = from->method;
    to->line = line_of(job, from);
    to->status = from->found && to->line ? FRAMEMAP_FRAME_OK : FRAMEMAP_FRAME_SYMBOL;
    to->inlined = inlined;
}

/* Converts a frame. The previous chain usually has the same members with other lines; then its strings are reused. */
static framemap_status convert_frame(const struct job *job, const struct fm_java_chain *chain, size_t i,
                                     struct converted before, framemap_frame *to, framemap_error *error)
{
    const struct fm_java_frame *from = &chain->frames[i];
    fill_place(job, from, i + 1 < chain->count, to);
    if (before.to == NULL || i >= before.from->count || !same_member(from, &before.from->frames[i]))
        return name_frame(job, from, to, error);
    to->symbol = before.to->frames[i].symbol;
    to->file = before.to->frames[i].file;
    return FRAMEMAP_OK;
}

static bool has_room(const struct job *job, const framemap_frame *frame, uint64_t symbol_bytes)
{
    return fm_answer_take(job->room,
                          (uint64_t)frame->class_name.size + frame->function.size + symbol_bytes + frame->file.size);
}

/* Returns the size of the text that spell() makes. This size is counted even for frames without symbols, so that the
 * limits cut an answer at the same frame. */
static uint64_t symbol_size(const struct fm_java_frame *from)
{
    if (!from->found) return 0;
    return (uint64_t)from->type.size + (from->type.size > 0) + from->method.size + from->arguments.size + 2;
}

/* Returns how many frames of a chain to convert: as many as the answer has room for, and one more, which shows that
 * frames were left out. */
static size_t most_frames(const struct job *job, size_t count)
{
    return count <= job->room->frames ? count : job->room->frames + (size_t)1;
}

/* Converts a chain. Frames that exceed the limits are left out, except the innermost frame of the first chain. */
static framemap_status convert_chain(const struct job *job, const struct fm_java_chain *from, struct converted before,
                                     framemap_frame_list *to, framemap_error *error)
{
    framemap_frame *frames = fm_arena_alloc(job->arena, most_frames(job, from->count) * sizeof *frames);
    size_t count = 0;
    if (frames == NULL) return fm_error_memory(error);
    for (; count < from->count; count++) {
        framemap_status status = convert_frame(job, from, count, before, &frames[count], error);
        if (status != FRAMEMAP_OK) return status;
        if (!has_room(job, &frames[count], symbol_size(&from->frames[count])) && (count > 0 || before.to != NULL))
            break;
    }
    *to = (framemap_frame_list){frames, count};
    return FRAMEMAP_OK;
}

/* Returns the status of an answer: OK if some frame of the chain has a line, otherwise SYMBOL. */
static framemap_frame_status status_of(framemap_frame_list chain)
{
    for (size_t i = 0; i < chain.count; i++)
        if (chain.frames[i].status == FRAMEMAP_FRAME_OK) return FRAMEMAP_FRAME_OK;
    return FRAMEMAP_FRAME_SYMBOL;
}

/* Writes the frames of the answer. lists: one list for each alternative; the first list is the restored chain, and the
 * others are in the arena. */
static void give_lists(const framemap_frame_list *lists, size_t count, const char *reason, struct fm_java_restored *out)
{
    out->restored = lists[0];
    out->status = status_of(lists[0]);
    out->reason = NULL;
    if (count < 2) return;
    out->alternatives = lists + 1;
    out->alternative_count = count - 1;
    out->status = FRAMEMAP_FRAME_AMBIGUOUS;
    out->reason = reason;
}

static framemap_status give_answer(const struct job *job, const struct fm_java_answer *answer,
                                   struct fm_java_restored *out, framemap_error *error)
{
    if (answer->chain_count == 0) {
        out->status = FRAMEMAP_FRAME_OK;
        out->reason = hidden;
        return FRAMEMAP_OK;
    }
    const size_t count = answer->chain_count < FM_LIMIT_ALTERNATIVES ? answer->chain_count : FM_LIMIT_ALTERNATIVES;
    struct converted before = {NULL, NULL};
    framemap_frame_list only, *lists = count > 1 ? fm_arena_alloc(job->arena, count * sizeof *lists) : &only;
    size_t made = 0;
    if (lists == NULL) return fm_error_memory(error);
    if (answer->too_many || count < answer->chain_count) job->room->over = true;
    for (bool full = false; made < count && !full; made++) {
        framemap_status status = convert_chain(job, &answer->chains[made], before, &lists[made], error);
        if (status != FRAMEMAP_OK) return status;
        if (lists[made].count == 0) break;
        full = lists[made].count < answer->chains[made].count;
        before = (struct converted){&answer->chains[made], &lists[made]};
    }
    give_lists(lists, made, several, out);
    return FRAMEMAP_OK;
}

static framemap_status ask_rules(const struct job *job, const struct fm_java_found *found, struct fm_java_answer *out,
                                 framemap_error *error)
{
    const framemap_java_state *given = job->query->java;
    struct fm_java_state state = {.has_outline = false};
    if (given) state = (struct fm_java_state){given->exception, given->has_outline, given->outline_line};
    struct fm_java_query query = {.class_name = job->class_name,
                                  .method = job->member,
                                  .signatures = true,
                                  .state = &state,
                                  .frames_most = FM_LIMIT_ANSWER_FRAMES};
    query.has_line = has_line(job->query);
    if (query.has_line) query.line = (int32_t)job->query->position;
    return fm_java_resolve_found(job->view, found, &query, job->arena, out, error);
}

/* Answers by the fast path, and converts its frames directly. *usual: whether the frame has the shape that the fast
 * path handles. */
static framemap_status ask_usual(const struct job *job, const struct fm_java_found *found, bool *usual,
                                 struct fm_java_restored *out, framemap_error *error)
{
    struct fm_view_run run;
    const int32_t line = has_line(job->query) ? (int32_t)job->query->position : 0;
    *usual = fm_java_usual(job->view, found, line, &run);
    if (!*usual) return FRAMEMAP_OK;
    const size_t count = (size_t)run.span_count;
    framemap_frame *frames = fm_arena_alloc(job->arena, most_frames(job, count) * sizeof *frames);
    size_t made = 0;
    if (frames == NULL) return fm_error_memory(error);
    for (; made < count; made++) {
        struct fm_java_frame frame;
        *usual = fm_java_usual_frame(job->view, found, run.first_span + made, line, &frame);
        if (!*usual) return FRAMEMAP_OK;
        fill_place(job, &frame, made + 1 < count, &frames[made]);
        const framemap_status status = name_frame(job, &frame, &frames[made], error);
        if (status != FRAMEMAP_OK) return status;
        if (!has_room(job, &frames[made], symbol_size(&frame)) && made > 0) break;
    }
    give_lists(&(framemap_frame_list){frames, made}, 1, NULL, out);
    return FRAMEMAP_OK;
}

static void pass_state(const struct job *job, struct fm_java_state state)
{
    if (job->query->java)
        *job->query->java = (framemap_java_state){state.exception, state.has_outline, state.outline_line};
}

static framemap_status member_frame(const struct job *job, const struct fm_java_member *member, bool method,
                                    framemap_frame_list *out, framemap_error *error)
{
    framemap_frame *frame = fm_arena_alloc(job->arena, sizeof *frame);
    if (frame == NULL) return fm_error_memory(error);
    make_blank(frame);
    frame->status = FRAMEMAP_FRAME_SYMBOL;
    frame->class_name = member->class_name;
    frame->function = member->name;
    *out = (framemap_frame_list){frame, 1};
    return spell(job, member->type, member->name, member->arguments, method, &frame->symbol, error);
}

/* Looks up every method and field whose name is the query's member. *out is not written if there is none. */
static framemap_status ask_members(const struct job *job, struct fm_java_restored *out, framemap_error *error)
{
    const struct fm_java_member *methods, *fields;
    size_t method_count, field_count;
    framemap_status status =
        fm_java_methods(job->view, job->class_name, job->member, job->arena, &methods, &method_count, error);
    if (status == FRAMEMAP_OK)
        status = fm_java_fields(job->view, job->class_name, job->member, job->arena, &fields, &field_count, error);
    if (status != FRAMEMAP_OK || method_count + field_count == 0) return status;
    const size_t count =
        method_count + field_count < FM_LIMIT_ALTERNATIVES ? method_count + field_count : FM_LIMIT_ALTERNATIVES;
    framemap_frame_list *lists = fm_arena_alloc(job->arena, count * sizeof *lists);
    if (lists == NULL) return fm_error_memory(error);
    size_t made = 0;
    if (count < method_count + field_count) job->room->over = true;
    for (; made < count && status == FRAMEMAP_OK; made++) {
        const bool method = made < method_count;
        status = member_frame(job, method ? &methods[made] : &fields[made - method_count], method, &lists[made], error);
        if (status == FRAMEMAP_OK && !has_room(job, lists[made].frames, lists[made].frames->symbol.size) && made > 0)
            break;
    }
    if (status == FRAMEMAP_OK) give_lists(lists, made, many_members, out);
    return status;
}

/* Looks up the whole scope as the name of a class or type. *out is not written if the mapping does not have the
 * name. */
static framemap_status ask_class(const struct job *job, struct fm_java_restored *out, framemap_error *error)
{
    framemap_str original;
    framemap_status status = fm_java_type(job->view, job->query->scope, job->arena, &original, error);
    if (status != FRAMEMAP_OK || original.data == job->query->scope.data) return status;
    framemap_frame *frame = fm_arena_alloc(job->arena, sizeof *frame);
    if (frame == NULL) return fm_error_memory(error);
    make_blank(frame);
    frame->status = FRAMEMAP_FRAME_SYMBOL;
    frame->class_name = original;
    (void)fm_view_source_of(job->view, original, &frame->file);
    *out = (struct fm_java_restored){.status = FRAMEMAP_FRAME_SYMBOL, .restored = {frame, 1}};
    return FRAMEMAP_OK;
}

static void split_scope(struct job *job)
{
    const framemap_str scope = job->query->scope;
    size_t dot = fm_str_find_last_byte(scope, '.');
    if (dot == FM_NOT_FOUND || dot == 0) return;
    job->class_name = fm_str_slice(scope, 0, dot);
    job->member = fm_str_from(scope, dot + 1);
}

/* If nothing better was found, answers with the original class, and with the member as in the query. */
static framemap_status settle(const struct job *job, const struct fm_java_answer *answer, struct fm_java_restored *out,
                              framemap_error *error)
{
    const framemap_query *query = job->query;
    framemap_status status = FRAMEMAP_OK;
    if (query->java == NULL && (query->no_position || query->position == 0)) status = ask_class(job, out, error);
    if (status != FRAMEMAP_OK || out->restored.count || answer->result == FM_JAVA_UNKNOWN) return status;
    return give_answer(job, answer, out, error);
}

static framemap_status ask_frame(const struct job *job, struct fm_java_restored *out, framemap_error *error)
{
    struct fm_java_found found;
    struct fm_java_answer answer = {.result = FM_JAVA_UNKNOWN};
    bool usual;
    fm_java_find(job->view, job->class_name, job->member, &found);
    framemap_status status = ask_usual(job, &found, &usual, out, error);
    if (!usual) {
        *job->room = fm_answer_room(job->arena);
        status = ask_rules(job, &found, &answer, error);
        if (status == FRAMEMAP_OK)
            status = answer.result == FM_JAVA_METHOD ? give_answer(job, &answer, out, error)
                                                     : settle(job, &answer, out, error);
    }
    if (status == FRAMEMAP_OK) pass_state(job, answer.state);
    return status;
}

static framemap_status ask(const struct job *job, struct fm_java_restored *out, framemap_error *error)
{
    if (job->class_name.size == 0) return settle(job, &(struct fm_java_answer){.result = FM_JAVA_UNKNOWN}, out, error);
    if (job->query->no_position && job->query->java == NULL) {
        const framemap_status status = ask_members(job, out, error);
        if (status != FRAMEMAP_OK || out->restored.count) return status;
    }
    return ask_frame(job, out, error);
}

framemap_status fm_java_restore(const struct fm_view *view, const framemap_query *query, bool symbols,
                                struct fm_arena *arena, struct fm_java_restored *out, framemap_error *error)
{
    struct fm_answer_room room = fm_answer_room(arena);
    struct job job = {.view = view, .query = query, .arena = arena, .room = &room, .symbols = symbols};
    *out = (struct fm_java_restored){.status = FRAMEMAP_FRAME_NO_MATCH, .reason = no_class};
    split_scope(&job);
    const bool has_classes = fm_view_identity(view)->form == FM_FORM_CLASSES;
    const framemap_status status = has_classes ? ask(&job, out, error) : FRAMEMAP_OK;
    if (status != FRAMEMAP_OK) return status;
    if (room.over && out->restored.count > 0) {
        out->reason = fm_over_limit;
        if (out->status == FRAMEMAP_FRAME_OK) out->status = FRAMEMAP_FRAME_SYMBOL;
    }
    out->over_limit = out->reason == fm_over_limit;
    return FRAMEMAP_OK;
}

framemap_status fm_resolve_java(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena,
                                framemap_frame *out, framemap_error *error)
{
    const struct fm_view_identity *about = fm_view_identity(view);
    struct fm_java_restored found;
    const framemap_status status = fm_java_restore(view, query, true, arena, &found, error);
    if (status != FRAMEMAP_OK) return status;
    make_blank(out);
    out->status = found.status;
    out->reason = found.reason;
    out->over_limit = found.over_limit;
    out->module = about->name;
    out->id = about->id;
    out->arch = about->arch;
    out->restored = found.restored;
    out->alternatives = found.alternatives;
    out->alternative_count = found.alternative_count;
    return FRAMEMAP_OK;
}
