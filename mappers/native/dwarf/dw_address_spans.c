/* Sorts address spans and flattens overlapping ones. See dw_address_spans.h. */
#include "mappers/native/dwarf/dw_address_spans.h"

#include <string.h>

bool fm_address_segments_add(struct fm_address_segments *segments, uint64_t low, uint64_t high, uint32_t id)
{
    struct fm_address_segment *last = segments->count > 0 ? &segments->items[segments->count - 1] : NULL;

    if (last != NULL && last->high == low && last->id == id) {
        last->high = high;
        return true;
    }
    if (!FM_GROW(segments->heap, segments->items, segments->capacity, segments->count + 1)) return false;
    segments->items[segments->count++] = (struct fm_address_segment){low, high, id};
    return true;
}

size_t fm_address_segments_from(const struct fm_address_segments *segments, uint64_t address)
{
    size_t low = 0;
    size_t high = segments->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (segments->items[middle].high <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool fm_address_segments_meet(const struct fm_address_segment *segments, size_t count, uint64_t low, uint64_t high)
{
    size_t first = 0, end = count;

    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (segments[middle].high <= low)
            first = middle + 1;
        else
            end = middle;
    }
    return first < count && segments[first].low < high;
}

bool fm_address_segments_select(const struct fm_address_segments *segments, const uint64_t *addresses, size_t count,
                                struct fm_address_segments *out)
{
    size_t next = 0;

    out->count = 0;
    for (size_t i = 0; i < count; i++) {
        while (next < segments->count && segments->items[next].high <= addresses[i]) next++;
        if (next == segments->count || segments->items[next].low > addresses[i]) continue;
        if (!fm_address_segments_add(out, addresses[i], addresses[i] + 1, segments->items[next].id)) return false;
    }
    return true;
}

void fm_address_spans_free(struct fm_address_spans *spans)
{
    fm_heap_free(spans->heap, spans->items, spans->capacity * sizeof *spans->items);
    fm_heap_free(spans->heap, spans->scratch, spans->scratch_capacity * sizeof *spans->scratch);
    *spans = (struct fm_address_spans){.heap = spans->heap};
}

void fm_address_segments_free(struct fm_address_segments *segments)
{
    fm_heap_free(segments->heap, segments->items, segments->capacity * sizeof *segments->items);
    *segments = (struct fm_address_segments){.heap = segments->heap};
}

/* --- sorting by natural merge sort in place, with insertion sort for short runs. Debug info is nearly sorted, so most
 * runs take one comparison for each item, and merging moves only the items that are out of order. --- */

#define RUN ((size_t)16)

static inline bool before(const struct fm_address_span *a, const struct fm_address_span *b)
{
    return a->low != b->low ? a->low < b->low : a->rank < b->rank;
}

static void sort_run(struct fm_address_span *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (!before(&items[i], &items[i - 1])) continue;
        const struct fm_address_span item = items[i];
        size_t j = i;
        for (; j > 0 && before(&item, &items[j - 1]); j--) items[j] = items[j - 1];
        items[j] = item;
    }
}

/* Returns the number of sorted items that are not greater than an item (upper bound). */
static size_t not_after(const struct fm_address_span *items, size_t count, const struct fm_address_span *item)
{
    size_t low = 0;

    while (low < count) {
        const size_t middle = low + (count - low) / 2;
        if (before(item, &items[middle]))
            count = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Merges two adjacent sorted runs. */
static bool merge(struct fm_address_spans *spans, struct fm_address_span *items, size_t middle, size_t count)
{
    if (!before(&items[middle], &items[middle - 1])) return true;
    /* the items before `first` are in their final places already, so only the others are moved */
    const size_t first = not_after(items, middle, &items[middle]);
    const size_t left = middle - first;
    size_t to = first;
    size_t b = middle;

    if (!FM_GROW(spans->heap, spans->scratch, spans->scratch_capacity, left)) return false;
    memcpy(spans->scratch, items + first, left * sizeof *items);
    for (size_t a = 0; a < left; to++)
        items[to] = b < count && before(&items[b], &spans->scratch[a]) ? items[b++] : spans->scratch[a++];
    return true;
}

static bool sort_by_runs(struct fm_address_spans *spans)
{
    const size_t count = spans->count;

    for (size_t i = 0; i < count; i += RUN) sort_run(spans->items + i, count - i < RUN ? count - i : RUN);
    for (size_t width = RUN; width < count; width *= 2) {
        for (size_t i = 0; i < count && count - i > width; i += 2 * width) {
            const size_t left = count - i;
            if (!merge(spans, spans->items + i, width, left < 2 * width ? left : 2 * width)) return false;
        }
    }
    return true;
}

/* --- sorting many spans in disorder, such as the inlined parts of a large function, by the bytes of `low`, the least
 * significant first (radix sort); stable --- */

#define BYTES_FROM ((size_t)64) /* number of spans from which on radix sort is faster */
/* Radix sort is used if at least one in this many spans is lower than the span before it. */
#define FALLS_EACH ((size_t)8)

struct low_key {
    uint32_t low; /* low address, relative to the lowest one */
    uint32_t at;  /* index of the span */
};

/* Whether radix sort applies to the spans. It requires that their ranks ascend in the given order. Sets *lowest to the
 * lowest address, and *widest to the greatest distance of an address from it. */
static bool is_disorder(const struct fm_address_spans *spans, uint64_t *lowest, uint64_t *widest)
{
    const struct fm_address_span *items = spans->items;
    uint64_t least = spans->count > 0 ? items[0].low : 0, most = least;
    size_t falls = 0;
    bool rise = true;

    if (spans->count < BYTES_FROM || spans->count > UINT32_MAX) return false;
    for (size_t i = 1; i < spans->count; i++) {
        falls += items[i].low < items[i - 1].low;
        rise &= items[i].rank >= items[i - 1].rank;
        least = items[i].low < least ? items[i].low : least;
        most = items[i].low > most ? items[i].low : most;
    }
    *lowest = least;
    *widest = most - least;
    return rise && falls >= spans->count / FALLS_EACH && *widest <= UINT32_MAX;
}

/* Converts the number of items with each byte value to the index of the first item with that value. */
static void to_places(uint32_t counts[256])
{
    for (uint32_t byte = 0, at = 0; byte < 256; byte++) {
        const uint32_t here = counts[byte];
        counts[byte] = at;
        at += here;
    }
}

/* Sorts the keys. Returns whichever of the two arrays has the result. */
static struct low_key *sort_keys(struct low_key *keys, struct low_key *spare, size_t count, uint64_t widest)
{
    uint32_t places[sizeof(uint32_t)][256];
    unsigned bytes = 0;

    while (bytes < sizeof(uint32_t) && widest >> 8 * bytes != 0) bytes++;
    memset(places, 0, bytes * sizeof *places);
    for (size_t i = 0; i < count; i++) {
        for (unsigned byte = 0; byte < bytes; byte++) places[byte][keys[i].low >> 8 * byte & UINT8_MAX]++;
    }
    for (unsigned byte = 0; byte < bytes; byte++) {
        struct low_key *const from = keys;
        to_places(places[byte]);
        for (size_t i = 0; i < count; i++) spare[places[byte][from[i].low >> 8 * byte & UINT8_MAX]++] = from[i];
        keys = spare;
        spare = from;
    }
    return keys;
}

/* Copies the spans to `scratch` in the order of their keys; `scratch` then becomes the list. The keys are in the memory
 * after the copies. */
static bool sort_by_bytes(struct fm_address_spans *spans, uint64_t lowest, uint64_t widest)
{
    const size_t count = spans->count, room = 2 * count * sizeof(struct low_key) / sizeof *spans->scratch + 1;

    if (!FM_GROW(spans->heap, spans->scratch, spans->scratch_capacity, count + room)) return false;
    struct low_key *keys = (void *)(spans->scratch + count);
    for (size_t i = 0; i < count; i++)
        keys[i] = (struct low_key){(uint32_t)(spans->items[i].low - lowest), (uint32_t)i};
    keys = sort_keys(keys, keys + count, count, widest);
    for (size_t i = 0; i < count; i++) spans->scratch[i] = spans->items[keys[i].at];
    const struct fm_address_spans were = *spans;
    spans->items = were.scratch;
    spans->capacity = were.scratch_capacity;
    spans->scratch = were.items;
    spans->scratch_capacity = were.capacity;
    return true;
}

bool fm_address_spans_sort(struct fm_address_spans *spans)
{
    uint64_t lowest = 0, widest = 0;

    return is_disorder(spans, &lowest, &widest) ? sort_by_bytes(spans, lowest, widest) : sort_by_runs(spans);
}

/* --- flattening overlapping spans: a sweep over the addresses with a binary heap of the open spans, the lowest rank on
 * top --- */

struct open_spans {
    const struct fm_address_span *items;
    uint32_t *order; /* binary heap of indexes of spans */
    size_t count;
};

static bool ranks_before(const struct open_spans *open, size_t a, size_t b)
{
    const struct fm_address_span *first = &open->items[open->order[a]];
    const struct fm_address_span *second = &open->items[open->order[b]];

    return first->rank != second->rank ? first->rank < second->rank : first->id > second->id;
}

static void swap_open(struct open_spans *open, size_t a, size_t b)
{
    uint32_t number = open->order[a];
    open->order[a] = open->order[b];
    open->order[b] = number;
}

static void push(struct open_spans *open, uint32_t number)
{
    size_t at = open->count++;

    open->order[at] = number;
    for (; at > 0 && ranks_before(open, at, (at - 1) / 2); at = (at - 1) / 2) swap_open(open, at, (at - 1) / 2);
}

static void pop(struct open_spans *open)
{
    open->order[0] = open->order[--open->count];
    for (size_t at = 0;;) {
        size_t child = 2 * at + 1;
        if (child >= open->count) return;
        if (child + 1 < open->count && ranks_before(open, child + 1, child)) child++;
        if (!ranks_before(open, child, at)) return;
        swap_open(open, at, child);
        at = child;
    }
}

/* Writes what the open spans cover from *at on, up to `until` or until no span is open. Ended spans are removed when
 * they are on top of the heap: otherwise many spans of descending ranks, one after the other, would accumulate below
 * the top. */
static bool write_open_spans(struct open_spans *open, uint64_t *at, uint64_t until, struct fm_address_segments *out)
{
    while (open->count > 0) {
        const struct fm_address_span *top = &open->items[open->order[0]];
        if (top->high <= *at) {
            pop(open);
            continue;
        }
        if (*at >= until) return true;
        uint64_t high = top->high < until ? top->high : until;
        if (!fm_address_segments_add(out, *at, high, top->id)) return false;
        *at = high;
    }
    return true;
}

bool fm_address_spans_flatten(struct fm_address_spans *spans, struct fm_address_segments *out)
{
    struct open_spans open = {0};
    size_t count = spans->count;
    uint64_t at = 0;
    bool good = count <= UINT32_MAX && fm_address_spans_sort(spans);

    out->count = 0;
    if (!good || count == 0) return good;
    open.items = spans->items;
    open.order = fm_heap_zalloc(spans->heap, count, sizeof *open.order);
    if (open.order == NULL) return false;
    for (size_t i = 0; i < count && good; i++) {
        good = write_open_spans(&open, &at, spans->items[i].low, out);
        at = spans->items[i].low;
        push(&open, (uint32_t)i);
    }
    good = good && write_open_spans(&open, &at, UINT64_MAX, out);
    fm_heap_free(spans->heap, open.order, count * sizeof *open.order);
    return good;
}
