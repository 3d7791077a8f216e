/* Set operations on address spans. See unit_coverage.h. */
#include "mappers/native/compile/unit_coverage.h"

/* --- finding addresses that several ids share --- */

/* How far the spans that were read so far extend. first: the farthest end of all spans; second: the farthest end of
 * those spans whose id is not `id`. */
struct reach {
    uint64_t first, second;
    uint32_t id; /* the id of `first` */
};

static void extend(struct reach *reach, const struct fm_address_span *span)
{
    if (span->id == reach->id || reach->first == 0) {
        reach->id = span->id;
        if (span->high > reach->first) reach->first = span->high;
    } else if (span->high > reach->first) {
        *reach = (struct reach){span->high, reach->first, span->id};
    } else if (span->high > reach->second) {
        reach->second = span->high;
    }
}

/* Extends the last segment to this range, or appends the range as a new segment. `low` must be at least the start of
 * the last segment. */
static bool append(struct fm_address_segments *out, uint64_t low, uint64_t high)
{
    struct fm_address_segment *last = out->count > 0 ? &out->items[out->count - 1] : NULL;

    if (last == NULL || last->high < low) return fm_address_segments_add(out, low, high, 0);
    if (last->high < high) last->high = high;
    return true;
}

/* Finds the addresses that spans of several ids cover. In the order of starts, a span shares addresses with earlier
 * spans up to the farthest end of an earlier span that has another id. To know this end for every id, three values are
 * enough: the farthest end of all spans, the id of that span, and the farthest end of the spans with other ids. */
bool fm_address_spans_shared(const struct fm_address_spans *spans, const bool *skip, struct fm_address_segments *out)
{
    struct reach reach = {0};

    out->count = 0;
    for (size_t i = 0; i < spans->count; i++) {
        const struct fm_address_span *span = &spans->items[i];
        const uint64_t others = span->id == reach.id ? reach.second : reach.first;
        const uint64_t high = others < span->high ? others : span->high;
        if (skip != NULL && skip[i]) continue;
        if (span->low < high && !append(out, span->low, high)) return false;
        extend(&reach, span);
    }
    return true;
}

/* Finds equal spans among the spans [first, end), which have the same start, and sets `repeated` for all but the first
 * of them. by_end: list for sorting them by end, then rank. */
static bool find_equal(const struct fm_address_spans *spans, size_t first, size_t end, const bool *exact,
                       struct fm_address_spans *by_end, bool *repeated)
{
    by_end->count = 0;
    for (size_t i = first; i < end; i++) {
        const struct fm_address_span *span = &spans->items[i];
        if (exact[span->id] && !fm_address_spans_add(by_end, span->high, span->high, span->rank, (uint32_t)(i - first)))
            return false;
    }
    if (!fm_address_spans_sort(by_end)) return false;
    for (size_t i = 1; i < by_end->count; i++) {
        if (by_end->items[i].low == by_end->items[i - 1].low) repeated[first + by_end->items[i].id] = true;
    }
    return true;
}

bool fm_address_spans_repeated(const struct fm_address_spans *spans, const bool *exact, bool *repeated)
{
    struct fm_address_spans by_end = {.heap = spans->heap};
    bool good = true;

    for (size_t i = 0, end = 0; i < spans->count && good; i = end) {
        for (end = i + 1; end < spans->count && spans->items[end].low == spans->items[i].low;) end++;
        if (end - i > 1) good = find_equal(spans, i, end, exact, &by_end, repeated);
    }
    fm_address_spans_free(&by_end);
    return good;
}

/* --- merging two lists by rank --- */

static bool is_better(const struct fm_address_span *a, const struct fm_address_span *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->id < b->id;
}

static bool add_part(struct fm_address_spans *out, uint64_t low, uint64_t high, const struct fm_address_span *of)
{
    struct fm_address_span *last = out->count > 0 ? &out->items[out->count - 1] : NULL;

    if (last == NULL || last->high != low || last->rank != of->rank || last->id != of->id)
        return fm_address_spans_add(out, low, high, of->rank, of->id);
    last->high = high;
    return true;
}

/* Returns the next address from `at` on where the span starts or ends. */
static uint64_t next_change(const struct fm_address_span *span, uint64_t at)
{
    return span->low > at ? span->low : span->high;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

bool fm_address_spans_merge_best(const struct fm_address_spans *a, const struct fm_address_spans *b,
                                 struct fm_address_spans *out)
{
    static const struct fm_address_span none = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT32_MAX};
    uint64_t at = 0;

    out->count = 0;
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        const struct fm_address_span *first = i < a->count ? &a->items[i] : &none,
                                     *second = j < b->count ? &b->items[j] : &none;
        const bool has_first = first->low <= at, has_second = second->low <= at;
        const uint64_t next = least(next_change(first, at), next_change(second, at));
        const struct fm_address_span *best = has_first && (!has_second || is_better(first, second)) ? first : second;
        if ((has_first || has_second) && !add_part(out, at, next, best)) return false;
        at = next;
        if (first->high <= at) i++;
        if (second->high <= at) j++;
    }
    return true;
}

/* --- making segments sorted by id --- */

/* Joins segments of one id that overlap or touch. */
static void join(struct fm_address_segments *by_id)
{
    size_t kept = 0;

    for (size_t i = 0; i < by_id->count; i++) {
        struct fm_address_segment *last = kept > 0 ? &by_id->items[kept - 1] : NULL;
        const struct fm_address_segment *next = &by_id->items[i];
        if (last == NULL || last->id != next->id || last->high < next->low)
            by_id->items[kept++] = *next;
        else if (last->high < next->high)
            last->high = next->high;
    }
    by_id->count = kept;
}

/* Sorts the spans by id, by counting sort, which keeps the order within an id. places: all 0 at first; places[id + 1]
 * first counts the spans of an id, then is the index of the id's next span. */
static void sort_by_id(const struct fm_address_spans *spans, const bool *skip, size_t *places, uint32_t id_count,
                       struct fm_address_segments *out)
{
    for (size_t i = 0; i < spans->count; i++) {
        if (skip == NULL || !skip[i]) places[spans->items[i].id + 1]++;
    }
    for (uint32_t id = 0; id < id_count; id++) places[id + 1] += places[id];
    out->count = places[id_count];
    for (size_t i = 0; i < spans->count; i++) {
        const struct fm_address_span *span = &spans->items[i];
        if (skip == NULL || !skip[i])
            out->items[places[span->id]++] = (struct fm_address_segment){span->low, span->high, span->id};
    }
}

bool fm_address_spans_by_id(const struct fm_address_spans *spans, const bool *skip, uint32_t id_count,
                            struct fm_address_segments *out)
{
    const size_t place_count = (size_t)id_count + 1;
    size_t *places = fm_heap_zalloc(out->heap, place_count, sizeof *places);
    const bool good = places != NULL && FM_GROW(out->heap, out->items, out->capacity, spans->count);

    out->count = 0;
    if (good) {
        sort_by_id(spans, skip, places, id_count, out);
        join(out);
    }
    fm_heap_free(out->heap, places, place_count * sizeof *places);
    return good;
}

/* Returns the number of segments with a lower id. */
static size_t ids_below(const struct fm_address_segments *by_id, uint64_t id)
{
    size_t low = 0;
    size_t high = by_id->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (by_id->items[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct fm_address_segment *fm_address_segments_of(const struct fm_address_segments *by_id, uint32_t id,
                                                        size_t *count)
{
    const size_t first = ids_below(by_id, id);

    *count = ids_below(by_id, (uint64_t)id + 1) - first;
    return *count > 0 ? &by_id->items[first] : NULL;
}

/* --- computing intersection, difference and union --- */

bool fm_address_segments_intersect(const struct fm_address_segments *a, const struct fm_address_segments *b,
                                   struct fm_address_segments *out)
{
    out->count = 0;
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        const struct fm_address_segment *first = &a->items[i], *second = &b->items[j];
        const uint64_t low = first->low > second->low ? first->low : second->low;
        const uint64_t high = first->high < second->high ? first->high : second->high;
        if (low < high && !fm_address_segments_add(out, low, high, first->id)) return false;
        if (first->high == high) i++;
        if (second->high == high) j++;
    }
    return true;
}

bool fm_address_segments_subtract(const struct fm_address_segments *a, const struct fm_address_segments *b,
                                  struct fm_address_segments *out)
{
    size_t next = 0;

    out->count = 0;
    for (size_t i = 0; i < a->count; i++) {
        struct fm_address_segment left = a->items[i];
        while (next < b->count && b->items[next].high <= left.low) next++;
        for (size_t j = next; j < b->count && b->items[j].low < left.high; j++) {
            const struct fm_address_segment *taken = &b->items[j];
            if (left.low < taken->low && !fm_address_segments_add(out, left.low, taken->low, left.id)) return false;
            left.low = taken->high;
        }
        if (left.low < left.high && !fm_address_segments_add(out, left.low, left.high, left.id)) return false;
    }
    return true;
}

bool fm_address_segments_unite(const struct fm_address_segments *a, const struct fm_address_segments *b,
                               struct fm_address_segments *out)
{
    out->count = 0;
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        const bool first = j == b->count || (i < a->count && a->items[i].low < b->items[j].low);
        const struct fm_address_segment *next = first ? &a->items[i++] : &b->items[j++];
        if (!fm_address_segments_add(out, next->low, next->high, next->id)) return false;
    }
    return true;
}
