/* Interval overlay: converts overlapping address spans to disjoint segments. At each address the span with the lowest
 * rank counts, and of equal ranks the one with the highest id. Called by the DWARF code and by compile/. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_ADDRESS_SPANS_H
#define FM_MAPPERS_NATIVE_DWARF_DW_ADDRESS_SPANS_H

#include "core/heap.h"

struct fm_address_span {
    uint64_t low, high; /* low < high */
    uint64_t rank;
    uint32_t id;
};

struct fm_address_segment {
    uint64_t low, high;
    uint32_t id;
};

/* Lists of spans that can be reused. Zero-initialise a list, then set `heap`. */
struct fm_address_spans {
    struct fm_heap *heap;
    struct fm_address_span *items;
    size_t count, capacity;
    struct fm_address_span *scratch; /* memory for sorting */
    size_t scratch_capacity;
};
struct fm_address_segments {
    struct fm_heap *heap;
    struct fm_address_segment *items;
    size_t count, capacity;
};

static inline bool fm_address_spans_add(struct fm_address_spans *spans, uint64_t low, uint64_t high, uint64_t rank,
                                        uint32_t id)
{
    if (!FM_GROW(spans->heap, spans->items, spans->capacity, spans->count + 1)) return false;
    spans->items[spans->count++] = (struct fm_address_span){low, high, rank, id};
    return true;
}
bool fm_address_segments_add(struct fm_address_segments *segments, uint64_t low, uint64_t high, uint32_t id);
void fm_address_spans_free(struct fm_address_spans *spans);
void fm_address_segments_free(struct fm_address_segments *segments);

/* Returns the index of the first segment that ends after an address, or the count if there is none. The segments must
 * be sorted. */
size_t fm_address_segments_from(const struct fm_address_segments *segments, uint64_t address);
/* Whether one of `count` sorted, disjoint segments overlaps [low, high). */
bool fm_address_segments_meet(const struct fm_address_segment *segments, size_t count, uint64_t low, uint64_t high);

/* Replaces *out by those of the ascending addresses that are in one of the sorted segments. Each such address gives a
 * segment of one byte, with the id of the segment that contains the address; adjacent segments with equal ids are
 * joined. Returns false when out of memory. */
bool fm_address_segments_select(const struct fm_address_segments *segments, const uint64_t *addresses, size_t count,
                                struct fm_address_segments *out);

/* Sorts the spans by `low`, then by `rank`. Returns false when out of memory. */
bool fm_address_spans_sort(struct fm_address_spans *spans);

/* Sorts *spans, and replaces *out by the disjoint segments that result, sorted; touching segments of one id are joined.
 * Takes time O(n log n). Returns false when out of memory. */
bool fm_address_spans_flatten(struct fm_address_spans *spans, struct fm_address_segments *out);

#endif
