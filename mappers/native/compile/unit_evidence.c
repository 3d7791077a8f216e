/* Collects functions, sequences and rows of units at disputed addresses. See unit_evidence.h. */
#include "mappers/native/compile/unit_evidence.h"

#include "core/error.h"

void fm_unit_evidence_init(struct fm_unit_evidence *evidence, struct fm_heap *heap)
{
    *evidence = (struct fm_unit_evidence){.heap = heap};
    evidence->sequences.heap = evidence->own.heap = evidence->best.heap = evidence->shown.heap = heap;
    for (unsigned i = 0; i < FM_UNIT_EVIDENCE_LEVELS; i++) evidence->levels[i].heap = heap;
}

void fm_unit_evidence_free(struct fm_unit_evidence *evidence)
{
    for (unsigned i = 0; i < FM_UNIT_EVIDENCE_LEVELS; i++) fm_address_spans_free(&evidence->levels[i]);
    fm_address_spans_free(&evidence->sequences);
    fm_address_spans_free(&evidence->own);
    fm_address_spans_free(&evidence->best);
    fm_address_segments_free(&evidence->shown);
}

/* Adds a range. A later start gives a lower rank: where ranges of a unit overlap, the one that starts last counts. */
static bool add_range(struct fm_unit_evidence *evidence, uint64_t low, uint64_t high)
{
    if (low >= high || !fm_address_segments_meet(evidence->where->items, evidence->where->count, low, high))
        return true;
    return fm_address_spans_add(&evidence->own, low, high, ~low, 0);
}

/* --- collecting what a unit has, by callbacks of the walk --- */

static bool on_unit(void *context, const struct fm_dw_unit *unit)
{
    (void)context, (void)unit;
    return true;
}

static bool on_end(void *context)
{
    (void)context;
    return true;
}

static bool on_file(void *context, uint32_t number, framemap_str path)
{
    (void)context, (void)number, (void)path;
    return true;
}

static bool evidence_add_row(struct fm_unit_evidence *evidence, const struct fm_dw_row *row)
{
    const struct fm_dw_row before = evidence->before;
    const bool first = !evidence->in_sequence;

    evidence->before = *row;
    evidence->in_sequence = !row->end_sequence;
    if (first) evidence->sequence_low = row->address;
    if (first || (evidence->kind == FM_EVIDENCE_SEQUENCES && !row->end_sequence)) return true;
    return add_range(evidence, evidence->kind == FM_EVIDENCE_SEQUENCES ? evidence->sequence_low : before.address,
                     row->address);
}

static bool on_rows(void *context, const struct fm_dw_row *rows, size_t count)
{
    struct fm_unit_evidence *evidence = context;
    bool good = true;

    for (size_t i = 0; i < count && good; i++) good = evidence_add_row(evidence, &rows[i]);
    return good;
}

static bool add_ranges(struct fm_unit_evidence *evidence, const struct fm_dw_range *ranges, size_t count)
{
    for (size_t i = 0; i < count && !evidence->failed; i++)
        evidence->failed = !add_range(evidence, ranges[i].low, ranges[i].high);
    return !evidence->failed;
}

/* Adds a function that has code. Returns false, so that the walk skips the function and what is inlined in it. */
static bool on_function(void *context, const struct fm_dw_range *ranges, size_t count)
{
    add_ranges(context, ranges, count);
    return false;
}

/* Adds what is inlined in a function without code of its own (DWARF 2). */
static bool on_enter(void *context, const struct fm_dw_function *function)
{
    return add_ranges(context, function->ranges, function->range_count);
}

static void on_fault(void *context, const framemap_error *fault) { (void)context, (void)fault; }

/* --- keeping the best span at each address --- */

/* Merges *from into *to: at each address the better of the two spans is kept. *from is empty afterwards. */
static bool merge_into(struct fm_address_spans *to, struct fm_address_spans *from)
{
    struct fm_address_spans best = {.heap = to->heap};
    bool good = true;

    if (to->count == 0) {
        best = *from;
        *from = (struct fm_address_spans){.heap = to->heap};
    } else if (from->count > 0) {
        good = fm_address_spans_merge_best(to, from, &best);
    } else {
        return true;
    }
    fm_address_spans_free(to);
    fm_address_spans_free(from);
    *to = best;
    return good;
}

/* Adds the current unit's best spans to the levels, which work like a binary counter: if a level has a result already,
 * the two are merged to one of the next level. */
static bool add_best(struct fm_unit_evidence *evidence)
{
    unsigned level = 0;
    bool good = true;

    if (evidence->best.count == 0) return true;
    for (; evidence->levels[level].count > 0 && level + 1 < FM_UNIT_EVIDENCE_LEVELS && good; level++)
        good = merge_into(&evidence->best, &evidence->levels[level]);
    return good && merge_into(&evidence->levels[level], &evidence->best);
}

bool fm_unit_evidence_move(struct fm_unit_evidence *evidence, struct fm_unit_overlaps *overlaps)
{
    struct fm_address_spans *sequences = &evidence->sequences;
    bool good = true;

    for (size_t i = 0; i < sequences->count && good; i++) {
        const struct fm_address_span *span = &sequences->items[i];
        good = fm_address_spans_add(&overlaps->found, span->low, span->high, span->rank, span->id);
    }
    fm_address_spans_free(sequences);
    for (unsigned i = 0; i < FM_UNIT_EVIDENCE_LEVELS && good; i++)
        good = merge_into(&overlaps->found, &evidence->levels[i]);
    return good;
}

/* --- adding the evidence of one unit --- */

/* Keeps the visible parts of the unit's ranges at addresses that the unit claims: where ranges of the unit overlap,
 * only the range that starts last is visible. Each part gets the rank of its range. */
static bool keep_visible(struct fm_unit_evidence *evidence, uint32_t unit, const struct fm_unit_overlaps *overlaps)
{
    size_t claim_count;
    struct fm_address_spans *to = evidence->kind == FM_EVIDENCE_SEQUENCES ? &evidence->sequences : &evidence->best;
    bool good = fm_address_spans_sort(&evidence->own);

    /* The id of each span is set to its index. After flattening, a visible part of a span then refers to the range that
     * it comes from. The spans are sorted already, so flattening does not move them. */
    for (size_t i = 0; i < evidence->own.count; i++) evidence->own.items[i].id = (uint32_t)i;
    good = good && fm_address_spans_flatten(&evidence->own, &evidence->shown);
    const struct fm_address_segment *claims = fm_address_segments_of(&overlaps->claimed, unit, &claim_count);
    for (size_t i = 0, j = 0; good && i < evidence->shown.count && j < claim_count;) {
        const struct fm_address_segment *shown = &evidence->shown.items[i], *claim = &claims[j];
        const uint64_t low = shown->low > claim->low ? shown->low : claim->low;
        const uint64_t high = shown->high < claim->high ? shown->high : claim->high;
        if (low < high) good = fm_address_spans_add(to, low, high, evidence->own.items[shown->id].rank, unit);
        if (shown->high == high) i++;
        if (claim->high == high) j++;
    }
    return good && (evidence->kind == FM_EVIDENCE_SEQUENCES || add_best(evidence));
}

framemap_status fm_unit_evidence_add(struct fm_unit_evidence *evidence, const struct fm_dw_backend *reader,
                                     struct fm_dw_worker *worker, uint32_t unit, enum fm_unit_evidence_kind kind,
                                     const struct fm_unit_overlaps *overlaps, framemap_error *error)
{
    const bool functions = kind == FM_EVIDENCE_FUNCTIONS;
    const struct fm_dw_visitor visitor = {.context = evidence,
                                          .unit = on_unit,
                                          .file = on_file,
                                          .rows = functions ? NULL : on_rows,
                                          .enter = functions ? on_enter : NULL,
                                          .leave = on_end,
                                          .unit_end = on_end,
                                          .fault = on_fault,
                                          .one_name = true,
                                          .needs_function = functions ? on_function : NULL};
    framemap_error lost;

    evidence->where = &overlaps->open;
    evidence->kind = kind;
    evidence->own.count = evidence->best.count = 0;
    evidence->in_sequence = evidence->failed = false;
    const framemap_status status = reader->walk(worker, unit, &visitor, &lost);
    if (status == FRAMEMAP_E_CORRUPT) return FRAMEMAP_OK;
    if (status != FRAMEMAP_OK || evidence->failed || !keep_visible(evidence, unit, overlaps))
        return fm_error_memory(error);
    return FRAMEMAP_OK;
}
