/* Reads `scopes`, a proposal at stage 3: trees of the scopes of the sources, then ranges of the generated text, each
 * with the scope that it implements. The index keeps the functions at positions of sources and generated text, the call
 * sites of inlined functions, and which functions are hidden. Variables and bindings are skipped. */
#include "mappers/javascript/sourcemap/sourcemap_job.h"

#include "core/error.h"
#include "mappers/javascript/sourcemap/sourcemap_intervals.h"
#include "mappers/javascript/sourcemap/sourcemap_vlq.h"

enum tag {
    TAG_NO_TREE,
    TAG_SCOPE,
    TAG_SCOPE_END,
    TAG_VARIABLES,
    TAG_RANGE,
    TAG_RANGE_END,
    TAG_BINDINGS,
    TAG_SUBRANGES,
    TAG_CALL_SITE
};
enum {
    SCOPE_NAMED = 1,
    SCOPE_HAS_KIND = 2,
    SCOPE_IS_FRAME = 4,
    RANGE_HAS_LINE = 1,
    RANGE_HAS_DEFINITION = 2,
    RANGE_IS_FUNCTION = 4,
    RANGE_HIDDEN = 8
};

struct scope_numbers { /* a growing list of numbers */
    uint32_t *list;
    size_t count, capacity;
};

/* What is known from a position of the generated text on: the function, its call site, and whether it is hidden. */
struct scope_body {
    uint32_t function; /* innermost function at the position; FM_NONE: the position is outside of functions */
    uint32_t site;     /* call site of the function; FM_NONE: the function is not inlined */
    bool hidden;       /* the function must not be shown as a frame */
};
struct scope_range {
    struct scope_body body;
    bool is_function; /* the range is a function of the generated text */
};

struct scopes {
    struct fm_sourcemap_job *job;
    const char *at, *end; /* start and end of the current item */
    struct fm_json_piece *names;
    size_t name_count, name_capacity;
    struct scope_numbers open;      /* functions of the open scopes, outermost first */
    struct scope_numbers functions; /* the function of each scope, in order of occurrence */
    struct scope_range *ranges;     /* stack of the ranges that are open */
    size_t range_count, range_capacity;
    bool may_be_called; /* the last item opened the innermost range, so the call site of this range may follow */
    struct fm_sourcemap_intervals intervals;
    uint32_t source;
    int64_t line, col, name;
    int64_t range_line, range_col, definition;
    bool no_memory;
};

static bool scopes_push(struct scopes *s, struct scope_numbers *numbers, uint32_t number)
{
    if (!FM_GROW(s->job->heap, numbers->list, numbers->capacity, numbers->count + 1)) {
        s->no_memory = true;
        return false;
    }
    numbers->list[numbers->count++] = number;
    return true;
}

static uint32_t innermost(const struct scope_numbers *open)
{
    return open->count > 0 ? open->list[open->count - 1] : FM_NONE;
}

static bool uint_at(struct scopes *s, uint32_t *out)
{
    return fm_sourcemap_vlq_unsigned(&s->at, s->end, out) == FM_SOURCEMAP_RULES;
}
static bool int_at(struct scopes *s, int64_t *out)
{
    return fm_sourcemap_vlq(&s->at, s->end, out) == FM_SOURCEMAP_RULES;
}

/* Moves to the next position. A line is relative to the previous line, and a column to the previous column on the same
 * line. */
static bool scopes_move(int64_t *line, int64_t *col, uint32_t lines, uint32_t cols)
{
    *line += lines;
    *col = lines == 0 ? *col + cols : (int64_t)cols;
    return *line <= FM_SOURCEMAP_POSITION_MAX && *col <= FM_SOURCEMAP_POSITION_MAX;
}

static bool add_interval_here(struct scopes *s, uint32_t function)
{
    const struct fm_sourcemap_interval interval = {(uint32_t)s->line, (uint32_t)s->col, function};
    if (fm_sourcemap_intervals_add(&s->intervals, interval)) return true;
    s->no_memory = true;
    return false;
}

/* Returns the string of the scope's name. Errors: the builder's; MEMORY. */
static framemap_status scope_name(struct scopes *s, uint32_t *out)
{
    framemap_str text;
    *out = FM_NONE;
    if (s->name < 0 || (uint64_t)s->name >= s->name_count || s->names[s->name].type != FM_JSON_STRING)
        return FRAMEMAP_OK;
    if (!fm_json_piece_text(&s->names[s->name], &s->job->texts, &text)) return fm_error_memory(s->job->error);
    return fm_builder_string(s->job->builder, text, out, s->job->error);
}

static bool scope_begins(struct scopes *s, framemap_status *status)
{
    uint32_t flags, lines, cols, function = innermost(&s->open);
    int64_t delta;
    if (!uint_at(s, &flags) || !uint_at(s, &lines) || !uint_at(s, &cols) ||
        !scopes_move(&s->line, &s->col, lines, cols))
        return false;
    if (flags & SCOPE_NAMED) {
        if (!int_at(s, &delta)) return false;
        s->name += delta;
    }
    if (flags & SCOPE_HAS_KIND && !int_at(s, &delta)) return false;
    if (flags & SCOPE_IS_FRAME) {
        function = FM_NONE;
        if (flags & SCOPE_NAMED) *status = scope_name(s, &function);
        if (*status != FRAMEMAP_OK || !add_interval_here(s, function)) return false;
    }
    return scopes_push(s, &s->open, function) && scopes_push(s, &s->functions, function);
}

/* Writes the source's intervals, and starts the next source. */
static framemap_status end_source(struct scopes *s)
{
    framemap_status status = FRAMEMAP_OK;
    if (s->source < s->job->source_count)
        status =
            fm_sourcemap_intervals_write(&s->intervals, s->job, s->job->source_base + s->source, FM_FUNCTION_SCOPES);
    s->intervals.count = 0;
    s->source++;
    s->line = s->col = 0;
    return status;
}

static bool scope_ends(struct scopes *s, framemap_status *status)
{
    uint32_t lines, cols;
    if (s->open.count == 0 || !uint_at(s, &lines) || !uint_at(s, &cols) || !scopes_move(&s->line, &s->col, lines, cols))
        return false;
    const uint32_t ended = s->open.list[--s->open.count], function = innermost(&s->open);
    if (ended != function && !add_interval_here(s, function)) return false;
    if (s->open.count == 0) *status = end_source(s);
    return *status == FRAMEMAP_OK;
}

/* --- reading ranges of the generated text --- */

/* Returns the body of the innermost open range, not counting the last `less` open ranges. */
static struct scope_body body_around(const struct scopes *s, size_t less)
{
    const struct scope_body none = {FM_NONE, FM_NONE, false};
    return s->range_count > less ? s->ranges[s->range_count - 1 - less].body : none;
}

static framemap_status generated_here(struct scopes *s, const struct scope_body *body)
{
    const struct fm_sourcemap_job *job = s->job;
    const uint64_t line = job->begin.line0 + (uint64_t)s->range_line;
    const uint64_t col = (uint64_t)s->range_col + (s->range_line == 0 ? job->begin.col0 : 0);
    const struct fm_sourcemap_position place = {line, col};
    if (line > FM_SOURCEMAP_POSITION_MAX || col > FM_SOURCEMAP_POSITION_MAX ||
        !fm_sourcemap_position_less(place, job->limit))
        return FRAMEMAP_OK;
    const struct fm_generated_stretch interval = {(uint32_t)line,     (uint32_t)col, body->function,
                                                  FM_FUNCTION_SCOPES, body->site,    body->hidden};
    return fm_builder_inlined_stretch(job->builder, &interval, job->error);
}

/* Reads the start of a range. A range that is a function of the generated text always has a frame of its own. */
static bool range_begins(struct scopes *s, framemap_status *status)
{
    uint32_t flags, lines = 0, cols;
    int64_t delta;
    if (!uint_at(s, &flags) || (flags & RANGE_HAS_LINE && !uint_at(s, &lines)) || !uint_at(s, &cols)) return false;
    if ((flags & (RANGE_IS_FUNCTION | RANGE_HIDDEN)) == RANGE_HIDDEN ||
        !scopes_move(&s->range_line, &s->range_col, lines, cols))
        return false;
    struct scope_range range = {.body = body_around(s, 0), .is_function = flags & RANGE_IS_FUNCTION};
    if (range.is_function) range.body = (struct scope_body){FM_NONE, FM_NONE, flags & RANGE_HIDDEN};
    if (flags & RANGE_HAS_DEFINITION) {
        if (!int_at(s, &delta)) return false;
        s->definition += delta;
        if (s->definition < 0 || (uint64_t)s->definition >= s->functions.count) return false;
        range.body.function = s->functions.list[s->definition];
    }
    if (flags & (RANGE_HAS_DEFINITION | RANGE_IS_FUNCTION)) *status = generated_here(s, &range.body);
    if (*status != FRAMEMAP_OK) return false;
    if (!FM_GROW(s->job->heap, s->ranges, s->range_capacity, s->range_count + 1)) {
        s->no_memory = true;
        return false;
    }
    s->ranges[s->range_count++] = range;
    s->may_be_called = true;
    return true;
}

static bool range_ends(struct scopes *s, framemap_status *status)
{
    uint32_t lines = 0, cols, second;
    if (s->range_count == 0 || !uint_at(s, &cols)) return false;
    if (s->at < s->end) {
        if (!uint_at(s, &second)) return false;
        lines = cols;
        cols = second;
    }
    if (!scopes_move(&s->range_line, &s->range_col, lines, cols)) return false;
    s->may_be_called = false;
    const struct scope_body ended = s->ranges[--s->range_count].body, around = body_around(s, 0);
    if (ended.function != around.function || ended.site != around.site || ended.hidden != around.hidden)
        *status = generated_here(s, &around);
    return *status == FRAMEMAP_OK;
}

/* Reads the call site of the range that was opened last. Such a range is the body of an inlined function, and the
 * function around the range calls it at this position. */
static bool range_is_called(struct scopes *s, framemap_status *status)
{
    const struct fm_sourcemap_job *job = s->job;
    uint32_t source, line, col;
    if (!uint_at(s, &source) || !uint_at(s, &line) || !uint_at(s, &col)) return false;
    if (!s->may_be_called || source >= job->source_count || line > FM_SOURCEMAP_POSITION_MAX ||
        col > FM_SOURCEMAP_POSITION_MAX)
        return false;
    struct scope_range *range = &s->ranges[s->range_count - 1];
    if (range->is_function) return false;
    const struct scope_body caller = body_around(s, 1);
    const struct fm_call_site site = {job->source_base + source, line,        col,
                                      caller.function,           caller.site, caller.hidden};
    s->may_be_called = false;
    range->body.hidden = false;
    *status = fm_builder_call_site(job->builder, &site, &range->body.site, job->error);
    if (*status == FRAMEMAP_OK) *status = generated_here(s, &range->body);
    return *status == FRAMEMAP_OK;
}

/* --- reading items of all kinds --- */

static bool read_item(struct scopes *s, framemap_status *status)
{
    uint32_t tag;
    if (!uint_at(s, &tag)) return false;
    switch (tag) {
    case TAG_NO_TREE: *status = end_source(s); return *status == FRAMEMAP_OK;
    case TAG_SCOPE: return scope_begins(s, status);
    case TAG_SCOPE_END: return scope_ends(s, status);
    case TAG_RANGE: return range_begins(s, status);
    case TAG_RANGE_END: return range_ends(s, status);
    case TAG_CALL_SITE: return range_is_called(s, status);
    default: return true;
    }
}

/* Reads the items; those after a fault are dropped. */
static framemap_status read_items(struct scopes *s, framemap_str text)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t from = 0, to; from < text.size; from = to + 1) {
        const size_t comma = fm_str_find_byte(fm_str_from(text, from), ',');
        to = comma == FM_NOT_FOUND ? text.size : from + comma;
        s->at = text.data + from;
        s->end = text.data + to;
        if (read_item(s, &status)) continue;
        if (s->no_memory) return fm_error_memory(s->job->error);
        return status != FRAMEMAP_OK ? status
                                     : fm_sourcemap_fault(s->job->faults, FM_SOURCEMAP_RULE_SCOPES_TEXT,
                                                          s->job->members.at[FM_SOURCEMAP_MEMBER_SCOPES].raw.data);
    }
    if (s->open.count == 0 && s->range_count == 0) return FRAMEMAP_OK;
    return fm_sourcemap_fault(s->job->faults, FM_SOURCEMAP_RULE_SCOPES_TEXT,
                              s->job->members.at[FM_SOURCEMAP_MEMBER_SCOPES].raw.data);
}

static framemap_status list_names(struct scopes *s)
{
    const struct fm_json_piece *list = &s->job->members.at[FM_SOURCEMAP_MEMBER_NAMES];
    struct fm_json_walk walk;
    struct fm_json_piece element;
    fm_json_walk_init(&walk, list->raw);
    if (!fm_json_walk_open(&walk, FM_JSON_ARRAY)) return FRAMEMAP_OK;
    while (fm_json_walk_next(&walk, NULL, &element)) {
        if (!FM_GROW(s->job->heap, s->names, s->name_capacity, s->name_count + 1))
            return fm_error_memory(s->job->error);
        s->names[s->name_count++] = element;
    }
    return FRAMEMAP_OK;
}

framemap_status fm_sourcemap_read_scopes(struct fm_sourcemap_job *job)
{
    const struct fm_json_piece *piece = &job->members.at[FM_SOURCEMAP_MEMBER_SCOPES];
    struct scopes s = {.job = job, .intervals = {.heap = job->heap}};
    framemap_str text;
    if (!fm_json_piece_is(piece, FM_JSON_STRING)) return FRAMEMAP_OK;
    if (!fm_json_piece_text(piece, &job->texts, &text)) return fm_error_memory(job->error);
    framemap_status status = list_names(&s);
    if (status == FRAMEMAP_OK) status = read_items(&s, text);
    fm_heap_free(job->heap, s.names, s.name_capacity * sizeof *s.names);
    fm_heap_free(job->heap, s.open.list, s.open.capacity * sizeof *s.open.list);
    fm_heap_free(job->heap, s.ranges, s.range_capacity * sizeof *s.ranges);
    fm_heap_free(job->heap, s.functions.list, s.functions.capacity * sizeof *s.functions.list);
    fm_sourcemap_intervals_free(&s.intervals);
    fm_sourcemap_job_reset_texts(job);
    return status;
}
