#include "mappers/native/compile/unit_overlaps.h"

void fm_unit_overlaps_init(struct fm_unit_overlaps *contest, struct fm_heap *heap)
{
    *contest = (struct fm_unit_overlaps){.heap = heap};
    contest->claimed.heap = contest->open.heap = contest->decided.heap = contest->found.heap = heap;
}

void fm_unit_overlaps_free(struct fm_unit_overlaps *contest)
{
    fm_segments_free(&contest->claimed);
    fm_segments_free(&contest->open);
    fm_segments_free(&contest->decided);
    fm_spans_free(&contest->found);
}

/* Replaces a set by the result of an operation on it. */
static void swap(struct fm_segments *set, struct fm_segments *made)
{
    const struct fm_segments old = *set;

    *set = *made;
    *made = old;
}

/* Adds to what is decided, where it is still open. */
static bool decide(struct fm_unit_overlaps *contest, const struct fm_segments *by_address)
{
    struct fm_segments won = {.heap = contest->heap}, left = {.heap = contest->heap}, all = {.heap = contest->heap};
    const bool good = fm_segments_common(by_address, &contest->open, &won) &&
                      fm_segments_without(&contest->open, &won, &left) &&
                      fm_segments_merge(&contest->decided, &won, &all);

    if (good) {
        swap(&contest->open, &left);
        swap(&contest->decided, &all);
    }
    fm_segments_free(&all);
    fm_segments_free(&left);
    fm_segments_free(&won);
    return good;
}

/* --- what several claim --- */

static bool find_open(struct fm_unit_overlaps *contest, const struct fm_unit_overlaps_input *input)
{
    struct fm_segments some = {.heap = contest->heap};
    bool good = fm_spans_crowded(input->claims, contest->repeated, &contest->open);

    if (good && input->addresses != NULL) {
        good = fm_segments_clip(&contest->open, input->addresses, input->address_count, &some);
        if (good) swap(&contest->open, &some);
    }
    good = good && fm_segments_without(&contest->open, input->kept, &some);
    if (good) swap(&contest->open, &some);
    fm_segments_free(&some);
    return good;
}

/* What spans of one id alone cover, and of several. */
static bool find_alone(struct fm_spans *spans, struct fm_segments *alone, struct fm_segments *crowded)
{
    struct fm_segments shown = {.heap = alone->heap};
    const bool good = fm_spans_sort(spans) && fm_spans_crowded(spans, NULL, crowded) && fm_spans_paint(spans, &shown) &&
                      fm_segments_without(&shown, crowded, alone);

    fm_segments_free(&shown);
    return good;
}

/* --- .debug_aranges --- */

/* What units without a list claim, sorted. */
static bool cover_unlisted(const struct fm_unit_overlaps_input *input, struct fm_segments *out)
{
    struct fm_spans spans = {.heap = out->heap};
    bool good = true;

    for (size_t i = 0; i < input->claims->count && good; i++) {
        const struct fm_span *claim = &input->claims->items[i];
        if (!input->has_list[claim->id]) good = fm_spans_add(&spans, claim->low, claim->high, 0, 0);
    }
    good = good && fm_spans_paint(&spans, out);
    fm_spans_free(&spans);
    return good;
}

static bool decide_by_lists(struct fm_unit_overlaps *contest, const struct fm_unit_overlaps_input *input)
{
    struct fm_segments alone = {.heap = contest->heap}, crowded = {.heap = contest->heap};
    struct fm_segments unlisted = {.heap = contest->heap}, sure = {.heap = contest->heap};
    const bool good =
        input->listed->count == 0 || (find_alone(input->listed, &alone, &crowded) && cover_unlisted(input, &unlisted) &&
                                      fm_segments_without(&alone, &unlisted, &sure) && decide(contest, &sure));

    fm_segments_free(&sure);
    fm_segments_free(&unlisted);
    fm_segments_free(&crowded);
    fm_segments_free(&alone);
    return good;
}

/* --- functions and rows --- */

/* Has the units looked at that claim something of what is open. */
static bool look(struct fm_unit_overlaps *contest, const struct fm_unit_overlaps_input *input,
                 enum fm_unit_evidence_kind kind)
{
    const struct fm_segments *claimed = &contest->claimed;
    uint32_t *units = fm_heap_zalloc(contest->heap, claimed->count, sizeof *units);
    size_t count = 0;

    contest->found.count = 0;
    if (units == NULL) return false;
    for (size_t i = 0; i < claimed->count; i++) {
        const struct fm_segment *claim = &claimed->items[i];
        if (count > 0 && units[count - 1] == claim->id) continue;
        if (fm_segments_meet(contest->open.items, contest->open.count, claim->low, claim->high))
            units[count++] = claim->id;
    }
    const bool good = input->look(input->context, kind, units, count, contest);
    fm_heap_free(contest->heap, units, claimed->count * sizeof *units);
    return good;
}

static bool decide_by_rank(struct fm_unit_overlaps *contest)
{
    struct fm_segments shown = {.heap = contest->heap};
    bool good = true;

    for (size_t i = 0; i < contest->found.count && good; i++) {
        const struct fm_span *best = &contest->found.items[i];
        good = fm_segments_add(&shown, best->low, best->high, best->id);
    }
    good = good && decide(contest, &shown);
    fm_segments_free(&shown);
    return good;
}

/* Leaves open only what several sequences cover. */
static bool decide_by_sequences(struct fm_unit_overlaps *contest)
{
    struct fm_segments alone = {.heap = contest->heap}, crowded = {.heap = contest->heap},
                       left = {.heap = contest->heap};
    const bool good = find_alone(&contest->found, &alone, &crowded) && decide(contest, &alone) &&
                      fm_segments_common(&contest->open, &crowded, &left);

    if (good) swap(&contest->open, &left);
    fm_segments_free(&left);
    fm_segments_free(&crowded);
    fm_segments_free(&alone);
    return good;
}

static bool decide_open(struct fm_unit_overlaps *contest, const struct fm_unit_overlaps_input *input)
{
    if (!find_open(contest, input)) return false;
    if (contest->open.count > 0 && !decide_by_lists(contest, input)) return false;
    if (input->look == NULL || contest->open.count == 0) return true;
    if (!fm_spans_by_id(input->claims, contest->repeated, input->unit_count, &contest->claimed)) return false;
    if (!look(contest, input, FM_DW_FUNCTIONS) || !decide_by_rank(contest)) return false;
    if (contest->open.count == 0) return true;
    if (!look(contest, input, FM_DW_SEQUENCES) || !decide_by_sequences(contest)) return false;
    return contest->open.count == 0 || (look(contest, input, FM_DW_ROWS) && decide_by_rank(contest));
}

bool fm_unit_overlaps_decide(struct fm_unit_overlaps *contest, const struct fm_unit_overlaps_input *input)
{
    const size_t count = input->claims->count;

    contest->decided.count = 0;
    if (!fm_spans_sort(input->claims)) return false;
    contest->repeated = fm_heap_zalloc(contest->heap, count, sizeof *contest->repeated);
    const bool good = contest->repeated != NULL && fm_spans_repeated(input->claims, input->exact, contest->repeated) &&
                      decide_open(contest, input);
    fm_heap_free(contest->heap, contest->repeated, count * sizeof *contest->repeated);
    contest->repeated = NULL;
    return good;
}
