/* Selects the spans of a method (its lines in the mapping) that match a line of the stack, or a frame without a line:
 * at most one chain of inlined frames for each part of the method. A part is a run of spans with the same outermost
 * member. Called by java_resolve.c. */
#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "resolve/java/java_rules.h"

/* The three ways in which R8's retrace chooses spans within a part, which is a run of spans with one outermost
 * member. */
enum way {
    WAY_LINE, /* takes the first span that contains the line, and the spans after it with the same line range */
    /* takes the first span that contains line 0, and the spans after it with the same line range; if there is no such
     * span, takes the first span without lines */
    WAY_NO_LINE,
    WAY_BARE /* takes all spans without lines; each of them becomes an alternative chain */
};

/* The position of a search that only moves forward, so that no span is searched twice. */
struct seek {
    bool done, found;
    uint64_t at;
};

struct job {
    const struct fm_view *view;
    const struct fm_view_method *method;
    struct fm_arena *arena;
    struct fm_java_pick *pick;
    uint64_t end; /* number of the method's last span plus 1 */
    /* the preceding frame is in an outline, at the line outline_line; a call site of the outline may map that line to
     * another one */
    bool outline;
    int32_t outline_line;
    struct seek zero, bare;
};

static bool add_group(struct job *job, const struct fm_java_group *group)
{
    struct fm_java_pick *pick = job->pick;
    if (pick->count == pick->capacity) {
        struct fm_java_group *groups = fm_arena_alloc(job->arena, 4 * pick->capacity * sizeof *groups);
        if (groups == NULL) return false;
        memcpy(groups, pick->groups, pick->count * sizeof *groups);
        pick->groups = groups;
        pick->capacity *= 4;
    }
    pick->groups[pick->count++] = *group;
    return true;
}

bool fm_java_note(const struct fm_view *view, struct fm_java_pick *pick, uint32_t notes, uint64_t which,
                  struct fm_view_note *out)
{
    if (pick->notes_left == 0) return false;
    pick->notes_left--;
    return fm_view_note(view, notes, which, out) && fm_note_rank(out->kind) == 0;
}

bool fm_java_same_lines(const struct fm_view_span *a, const struct fm_view_span *b)
{
    return (a->flags & b->flags & FM_SPAN_RESIDUAL) && a->residual_from == b->residual_from &&
           a->residual_to == b->residual_to;
}

static bool part_with(const struct job *job, uint64_t span, struct fm_view_part *part)
{
    uint64_t number = job->method->first_part;
    if (job->method->part_count == 1) return fm_view_part(job->view, job->method, number, part);
    return fm_view_part_of(job->view, job->method, span, &number) && fm_view_part(job->view, job->method, number, part);
}

static bool seek_zero(struct job *job, uint64_t from)
{
    struct seek *seek = &job->zero;
    if (!seek->done || (seek->found && seek->at < from))
        seek->found = fm_view_span_at_line(job->view, job->method, 0, from, job->end, &seek->at);
    seek->done = true;
    return seek->found;
}

static bool seek_bare(struct job *job, uint64_t from)
{
    struct seek *seek = &job->bare;
    if (!seek->done || (seek->found && seek->at < from))
        seek->found = fm_view_span_without_lines(job->view, job->method, from, job->end, &seek->at);
    seek->done = true;
    return seek->found;
}

/* Finds the span to take if the stack has no line. The span is in the first part that has a span with line 0 or without
 * lines; if this part has both, the span with line 0 is preferred. */
static bool next_without_line(struct job *job, uint64_t from, uint64_t *span)
{
    bool has_zero = seek_zero(job, from), has_bare = seek_bare(job, from);
    if (!has_zero && !has_bare) return false;
    uint64_t zero_part = UINT64_MAX, bare_part = UINT64_MAX;
    if (has_zero && !fm_view_part_of(job->view, job->method, job->zero.at, &zero_part)) return false;
    if (has_bare && !fm_view_part_of(job->view, job->method, job->bare.at, &bare_part)) return false;
    *span = zero_part <= bare_part ? job->zero.at : job->bare.at;
    return true;
}

static bool next_span(struct job *job, enum way way, uint64_t from, uint64_t *span)
{
    if (way == WAY_LINE)
        return fm_view_span_at_line(job->view, job->method, job->pick->place.line, from, job->end, span);
    if (way == WAY_NO_LINE) return next_without_line(job, from, span);
    bool found = seek_bare(job, from);
    *span = job->bare.at;
    return found;
}

/* The spans of one group (they form one chain of inlined frames) while they are read. The spans of an answer's first
 * group are stored in struct fm_java_pick itself. */
struct run {
    struct fm_view_span *spans;
    size_t count, capacity;
};

static bool grow(struct job *job, struct run *run)
{
    const size_t capacity = run->capacity ? 4 * run->capacity : 2;
    struct fm_view_span *spans = fm_arena_alloc(job->arena, capacity * sizeof *spans);
    if (spans == NULL) return false;
    if (run->count) memcpy(spans, run->spans, run->count * sizeof *spans);
    run->spans = spans;
    run->capacity = capacity;
    return true;
}

/* Reads the span number `first` and, unless `alone` is set, the spans after it with the same line range. Returns false
 * when out of memory. */
static bool read_run(struct job *job, uint64_t first, uint64_t end, bool alone, struct run *run)
{
    *run = (struct run){NULL, 0, 0};
    if (job->pick->count == 0) *run = (struct run){job->pick->spans_at_first, 0, FM_JAVA_SPANS_AT_FIRST};
    for (uint64_t at = first; at < end; at++) {
        if (run->count == run->capacity && !grow(job, run)) return false;
        struct fm_view_span *span = &run->spans[run->count];
        if (!fm_view_method_span(job->view, job->method, at, span)) break;
        if (run->count && !fm_java_same_lines(run->spans, span)) break;
        run->count++;
        if (alone || !(span->flags & FM_SPAN_RESIDUAL)) break;
    }
    return true;
}

/* If the span is a call site of an outline (code that R8 moved out of methods), gets the line that the span records for
 * the outline's line. false: the span records no line for it. */
static bool translate(const struct job *job, const struct fm_view_span *span, int32_t *line)
{
    int32_t found = job->outline_line;
    if (!job->outline || span->notes == FM_VIEW_NONE || !fm_view_outline_line(job->view, span->notes, &found))
        return false;
    *line = found;
    return true;
}

/* Adds the groups of a part to the answer, each of which forms one chain of inlined frames. The first group starts with
 * the span `first`. */
static framemap_status take(struct job *job, enum way way, const struct fm_view_part *part, uint64_t first,
                            framemap_error *error)
{
    const uint64_t part_end = part->first_span + part->span_count;
    bool more = true;
    for (uint64_t at = first; more;
         more = way == WAY_BARE && fm_view_span_without_lines(job->view, job->method, at + 1, part_end, &at)) {
        struct run run;
        if (!read_run(job, at, part_end, way == WAY_BARE, &run)) return fm_error_memory(error);
        if (run.count == 0) return fm_java_damaged(error);
        const struct fm_java_group group = {
            .spans = run.spans, .span_count = run.count, .entry = part->entry, .flags = part->flags};
        if (!add_group(job, &group)) return fm_error_memory(error);
    }
    return FRAMEMAP_OK;
}

static const struct fm_view_span *last_span(const struct fm_java_pick *pick)
{
    const struct fm_java_group *group = &pick->groups[pick->count - 1];
    return &group->spans[group->span_count - 1];
}

/* Adds the groups of each part that has a span for the line. If the last span that was taken is a call site of an
 * outline, the search starts once more, with the line that the call site records. */
static framemap_status choose_by(struct job *job, enum way way, framemap_error *error)
{
    struct fm_view_part part;
    uint64_t at = job->method->first_span, span;
    while (at < job->end && next_span(job, way, at, &span)) {
        if (!part_with(job, span, &part)) return fm_java_damaged(error);
        framemap_status status = take(job, way, &part, span, error);
        if (status != FRAMEMAP_OK) return status;
        at = part.first_span + part.span_count > span ? part.first_span + part.span_count : span + 1;
        if (!translate(job, last_span(job->pick), &job->pick->place.line)) continue;
        job->outline = false;
        job->pick->count = 0;
        way = WAY_LINE;
        at = job->method->first_span;
    }
    return FRAMEMAP_OK;
}

/* Chooses the spans. A call site of an outline may replace the line to search for; if no span matches the new line, the
 * old line is kept. */
static framemap_status choose(struct job *job, enum way way, const struct fm_java_state *state, framemap_error *error)
{
    const struct fm_java_place place = job->pick->place;
    job->zero = job->bare = (struct seek){false, false, 0};
    job->outline = state != NULL && state->has_outline;
    job->outline_line = job->outline ? state->outline_line : 0;
    framemap_status status = choose_by(job, way, error);
    if (job->pick->count == 0) job->pick->place = place;
    return status;
}

/* Whether a span is the only one of its part and is R8's form for a whole method, "0:65535:void m():33:33 -> a". */
static bool is_catch_all(const struct fm_view_part *part, const struct fm_view_span *span)
{
    return part->span_count == 1 && (span->flags & FM_SPAN_RESIDUAL) && span->residual_from == 0 &&
           span->residual_to == UINT16_MAX;
}

/* Takes the entry of each part of the method: the member that answers for frames without a line. Called for a query
 * without a line if no span of the method fits such a query. */
static framemap_status choose_entries(struct job *job, framemap_error *error)
{
    struct fm_view_part part;
    struct run run;
    const uint64_t end = job->method->first_part + job->method->part_count;
    for (uint64_t number = job->method->first_part; number < end; number++) {
        if (!fm_view_part(job->view, job->method, number, &part)) return fm_java_damaged(error);
        run.count = 0;
        if (part.span_count == 1 && !read_run(job, part.first_span, part.first_span + 1, true, &run))
            return fm_error_memory(error);
        const bool catch_all = run.count && is_catch_all(&part, run.spans);
        const struct fm_java_group group = {
            .spans = catch_all ? run.spans : NULL, .span_count = catch_all, .entry = part.entry, .flags = part.flags};
        if (!add_group(job, &group)) return fm_error_memory(error);
    }
    return FRAMEMAP_OK;
}

framemap_status fm_java_pick(const struct fm_view *view, const struct fm_view_method *method,
                             const struct fm_java_query *query, struct fm_arena *arena, struct fm_java_pick *pick,
                             framemap_error *error)
{
    struct job job = {view,
                      method,
                      arena,
                      pick,
                      method->first_span + method->span_count,
                      false,
                      0,
                      {false, false, 0},
                      {false, false, 0}};
    const bool has_line = query->has_line && query->line > 0;
    pick->groups = pick->groups_at_first;
    pick->count = 0;
    pick->capacity = FM_JAVA_GROUPS_AT_FIRST;
    pick->notes_left = FM_LIMIT_JAVA_NOTES;
    pick->place = (struct fm_java_place){!query->no_slot, query->has_line ? query->line : -1};
    framemap_status status = choose(&job, has_line ? WAY_LINE : WAY_NO_LINE, query->state, error);
    if (status == FRAMEMAP_OK && pick->count == 0)
        status = has_line ? choose(&job, WAY_BARE, query->state, error) : choose_entries(&job, error);
    return status;
}
