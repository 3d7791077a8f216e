/* Decides between units that claim the same addresses. The rules are in unit_overlaps.h. */
#include "mappers/native/compile/unit_overlaps.h"

void fm_unit_overlaps_init(struct fm_unit_overlaps *overlaps, struct fm_heap *heap)
{
    *overlaps = (struct fm_unit_overlaps){.heap = heap};
    overlaps->claimed.heap = overlaps->open.heap = overlaps->decided.heap = overlaps->found.heap = heap;
}

void fm_unit_overlaps_free(struct fm_unit_overlaps *overlaps)
{
    fm_address_segments_free(&overlaps->claimed);
    fm_address_segments_free(&overlaps->open);
    fm_address_segments_free(&overlaps->decided);
    fm_address_spans_free(&overlaps->found);
}

/* Makes the result of an operation the new set, and gives the memory of the old set to *made for the next operation. */
static void replace_set(struct fm_address_segments *set, struct fm_address_segments *made)
{
    const struct fm_address_segments old = *set;

    *set = *made;
    *made = old;
}

/* Decides which unit owns the addresses in `by_address`, as far as this is not decided yet. */
static bool add_decisions(struct fm_unit_overlaps *overlaps, const struct fm_address_segments *by_address)
{
    struct fm_address_segments won = {.heap = overlaps->heap}, left = {.heap = overlaps->heap},
                               all = {.heap = overlaps->heap};
    const bool good = fm_address_segments_intersect(by_address, &overlaps->open, &won) &&
                      fm_address_segments_subtract(&overlaps->open, &won, &left) &&
                      fm_address_segments_unite(&overlaps->decided, &won, &all);

    if (good) {
        replace_set(&overlaps->open, &left);
        replace_set(&overlaps->decided, &all);
    }
    fm_address_segments_free(&all);
    fm_address_segments_free(&left);
    fm_address_segments_free(&won);
    return good;
}

/* --- finding addresses with several claims --- */

static bool find_open(struct fm_unit_overlaps *overlaps, const struct fm_unit_overlaps_input *input)
{
    struct fm_address_segments some = {.heap = overlaps->heap};
    bool good = fm_address_spans_shared(input->claims, overlaps->repeated, &overlaps->open);

    if (good && input->addresses != NULL) {
        good = fm_address_segments_select(&overlaps->open, input->addresses, input->address_count, &some);
        if (good) replace_set(&overlaps->open, &some);
    }
    good = good && fm_address_segments_subtract(&overlaps->open, input->kept, &some);
    if (good) replace_set(&overlaps->open, &some);
    fm_address_segments_free(&some);
    return good;
}

/* Splits addresses into two sets: those that spans of only one id cover, and those that spans of several ids cover. */
static bool find_alone(struct fm_address_spans *spans, struct fm_address_segments *alone,
                       struct fm_address_segments *crowded)
{
    struct fm_address_segments shown = {.heap = alone->heap};
    const bool good = fm_address_spans_sort(spans) && fm_address_spans_shared(spans, NULL, crowded) &&
                      fm_address_spans_flatten(spans, &shown) && fm_address_segments_subtract(&shown, crowded, alone);

    fm_address_segments_free(&shown);
    return good;
}

/* --- deciding by .debug_aranges --- */

/* Lists the claims of units that .debug_aranges does not list, sorted. */
static bool cover_unlisted(const struct fm_unit_overlaps_input *input, struct fm_address_segments *out)
{
    struct fm_address_spans spans = {.heap = out->heap};
    bool good = true;

    for (size_t i = 0; i < input->claims->count && good; i++) {
        const struct fm_address_span *claim = &input->claims->items[i];
        if (!input->has_list[claim->id]) good = fm_address_spans_add(&spans, claim->low, claim->high, 0, 0);
    }
    good = good && fm_address_spans_flatten(&spans, out);
    fm_address_spans_free(&spans);
    return good;
}

static bool decide_by_lists(struct fm_unit_overlaps *overlaps, const struct fm_unit_overlaps_input *input)
{
    struct fm_address_segments alone = {.heap = overlaps->heap}, crowded = {.heap = overlaps->heap};
    struct fm_address_segments unlisted = {.heap = overlaps->heap}, sure = {.heap = overlaps->heap};
    const bool good = input->listed->count == 0 ||
                      (find_alone(input->listed, &alone, &crowded) && cover_unlisted(input, &unlisted) &&
                       fm_address_segments_subtract(&alone, &unlisted, &sure) && add_decisions(overlaps, &sure));

    fm_address_segments_free(&sure);
    fm_address_segments_free(&unlisted);
    fm_address_segments_free(&crowded);
    fm_address_segments_free(&alone);
    return good;
}

/* --- deciding by functions, sequences and rows --- */

/* Collects evidence from the units that claim addresses which are not decided yet. */
static bool collect_evidence(struct fm_unit_overlaps *overlaps, const struct fm_unit_overlaps_input *input,
                             enum fm_unit_evidence_kind kind)
{
    const struct fm_address_segments *claimed = &overlaps->claimed;
    uint32_t *units = fm_heap_zalloc(overlaps->heap, claimed->count, sizeof *units);
    size_t count = 0;

    overlaps->found.count = 0;
    if (units == NULL) return false;
    for (size_t i = 0; i < claimed->count; i++) {
        const struct fm_address_segment *claim = &claimed->items[i];
        if (count > 0 && units[count - 1] == claim->id) continue;
        if (fm_address_segments_meet(overlaps->open.items, overlaps->open.count, claim->low, claim->high))
            units[count++] = claim->id;
    }
    const bool good = input->collect(input->context, kind, units, count, overlaps);
    fm_heap_free(overlaps->heap, units, claimed->count * sizeof *units);
    return good;
}

static bool decide_by_rank(struct fm_unit_overlaps *overlaps)
{
    struct fm_address_segments shown = {.heap = overlaps->heap};
    bool good = true;

    for (size_t i = 0; i < overlaps->found.count && good; i++) {
        const struct fm_address_span *best = &overlaps->found.items[i];
        good = fm_address_segments_add(&shown, best->low, best->high, best->id);
    }
    good = good && add_decisions(overlaps, &shown);
    fm_address_segments_free(&shown);
    return good;
}

/* Decides for the addresses that the sequences of only one unit cover. Afterwards only those addresses are open that
 * sequences of several units cover. */
static bool decide_by_sequences(struct fm_unit_overlaps *overlaps)
{
    struct fm_address_segments alone = {.heap = overlaps->heap}, crowded = {.heap = overlaps->heap},
                               left = {.heap = overlaps->heap};
    const bool good = find_alone(&overlaps->found, &alone, &crowded) && add_decisions(overlaps, &alone) &&
                      fm_address_segments_intersect(&overlaps->open, &crowded, &left);

    if (good) replace_set(&overlaps->open, &left);
    fm_address_segments_free(&left);
    fm_address_segments_free(&crowded);
    fm_address_segments_free(&alone);
    return good;
}

static bool decide_open(struct fm_unit_overlaps *overlaps, const struct fm_unit_overlaps_input *input)
{
    if (!find_open(overlaps, input)) return false;
    if (overlaps->open.count > 0 && !decide_by_lists(overlaps, input)) return false;
    if (input->collect == NULL || overlaps->open.count == 0) return true;
    if (!fm_address_spans_by_id(input->claims, overlaps->repeated, input->unit_count, &overlaps->claimed)) return false;
    if (!collect_evidence(overlaps, input, FM_EVIDENCE_FUNCTIONS) || !decide_by_rank(overlaps)) return false;
    if (overlaps->open.count == 0) return true;
    if (!collect_evidence(overlaps, input, FM_EVIDENCE_SEQUENCES) || !decide_by_sequences(overlaps)) return false;
    return overlaps->open.count == 0 ||
           (collect_evidence(overlaps, input, FM_EVIDENCE_ROWS) && decide_by_rank(overlaps));
}

bool fm_unit_overlaps_decide(struct fm_unit_overlaps *overlaps, const struct fm_unit_overlaps_input *input)
{
    const size_t count = input->claims->count;

    overlaps->decided.count = 0;
    if (!fm_address_spans_sort(input->claims)) return false;
    overlaps->repeated = fm_heap_zalloc(overlaps->heap, count, sizeof *overlaps->repeated);
    const bool good = overlaps->repeated != NULL &&
                      fm_address_spans_repeated(input->claims, input->exact, overlaps->repeated) &&
                      decide_open(overlaps, input);
    fm_heap_free(overlaps->heap, overlaps->repeated, count * sizeof *overlaps->repeated);
    overlaps->repeated = NULL;
    return good;
}
