/* Cuts the spans (line ranges) of a method into runs, and finds the runs that are the only answer for their lines. */
#include "api/proof/proof_classes.h"

#include "core/error.h"

static bool same_lines(const struct fm_span *a, const struct fm_span *b)
{
    return (a->flags & FM_SPAN_RESIDUAL) == (b->flags & FM_SPAN_RESIDUAL) && a->residual_from == b->residual_from &&
           a->residual_to == b->residual_to;
}

/* Whether one residual line of the span may be restored to several original lines. */
static bool fans_out(const struct fm_span *span)
{
    if ((span->flags & FM_SPAN_ORIGINAL) == 0 || (span->flags & FM_SPAN_PAIR) == 0 ||
        span->original_from == span->original_to)
        return false;
    return (span->flags & FM_SPAN_RESIDUAL) == 0 || (uint32_t)span->original_to - (uint32_t)span->original_from !=
                                                        (uint32_t)span->residual_to - (uint32_t)span->residual_from;
}

static bool is_plain(const struct fm_span *spans, size_t count, uint32_t part_flags)
{
    bool plain = (part_flags & (FM_SPAN_SYNTHETIC | FM_SPAN_OUTLINE)) == 0;
    for (size_t i = 0; i < count && plain; i++) plain = spans[i].notes == FM_NONE && !fans_out(&spans[i]);
    return plain;
}

struct part {
    size_t number;
    uint32_t flags;
};

/* Adds the run that starts at a span, if it has residual lines. *next: the span after it. */
static bool add_run(struct fm_proof_classes *c, const struct fm_span *spans, size_t count, size_t at,
                    const struct part *part, size_t *next)
{
    size_t end = at + 1;
    while (end < count && (spans[end].flags & FM_SPAN_PART) == 0 && same_lines(&spans[at], &spans[end])) end++;
    *next = end;
    if ((spans[at].flags & FM_SPAN_RESIDUAL) == 0) return true;
    if (!FM_GROW(c->proof->heap, c->runs, c->run_capacity, c->run_count + 1)) return false;
    c->runs[c->run_count++] = (struct fm_proof_run){.from = spans[at].residual_from,
                                                    .to = spans[at].residual_to,
                                                    .first_span = at,
                                                    .span_count = end - at,
                                                    .part = part->number,
                                                    .plain = is_plain(spans + at, end - at, part->flags)};
    return true;
}

/* Sets `alone` of each run that shares no line with others. The runs are sorted by their first lines, so that one walk
 * over them is enough. */
static framemap_status mark_alone(struct fm_proof_classes *c)
{
    const size_t count = c->run_count;
    if (!FM_GROW(c->proof->heap, c->order, c->order_capacity, count + 1)) return fm_error_memory(c->proof->error);
    for (size_t i = 0; i < count; i++)
        c->order[i] = (struct fm_sort_item){.key = (uint64_t)((int64_t)c->runs[i].from - INT32_MIN), .id = (uint32_t)i};
    if (!fm_sort(c->proof->heap, c->order, count, NULL, NULL)) return fm_error_memory(c->proof->error);
    int64_t furthest = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        struct fm_proof_run *run = &c->runs[c->order[i].id];
        run->alone = furthest < run->from && (i + 1 == count || c->runs[c->order[i + 1].id].from > run->to);
        if (run->to > furthest) furthest = run->to;
    }
    return FRAMEMAP_OK;
}

framemap_status fm_proof_list_runs(struct fm_proof_classes *c, const struct fm_proof_method *method)
{
    const struct fm_span *spans = c->spans + method->first_span;
    struct part part = {0, spans[0].flags};
    bool all_have_lines = true;
    c->run_count = 0;
    for (size_t at = 0, next; at < method->span_count; at = next) {
        if (at > 0 && (spans[at].flags & FM_SPAN_PART) != 0) part = (struct part){part.number + 1, spans[at].flags};
        if ((spans[at].flags & FM_SPAN_RESIDUAL) == 0) all_have_lines = false;
        if (!add_run(c, spans, method->span_count, at, &part, &next)) return fm_error_memory(c->proof->error);
    }
    const framemap_status status = mark_alone(c);
    for (size_t i = 0; i < c->run_count && !all_have_lines; i++) c->runs[i].alone = false;
    return status;
}
