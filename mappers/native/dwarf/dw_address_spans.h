/* Overlapping spans to disjoint segments: at each address the span of the lowest rank shows, and of equals the one with
 * the highest id. */
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

/* Growing lists, reused; zero-initialise with the heap set. */
struct fm_address_spans {
    struct fm_heap *heap;
    struct fm_address_span *items;
    size_t count, capacity;
    struct fm_address_span *scratch; /* while they are sorted */
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

/* The first of sorted segments that ends behind an address; their count: none does. */
size_t fm_address_segments_from(const struct fm_address_segments *segments, uint64_t address);
/* Whether one of so many sorted segments, apart from each other, has an address in [low, high). */
bool fm_address_segments_meet(const struct fm_address_segment *segments, size_t count, uint64_t low, uint64_t high);

/* Of sorted segments what covers one of these addresses, which rise, each a segment of its own but where touching ones
 * have one id. false: out of memory. */
bool fm_address_segments_select(const struct fm_address_segments *segments, const uint64_t *addresses, size_t count,
                                struct fm_address_segments *out);

/* Sorts by low, then rank. false: out of memory. */
bool fm_address_spans_sort(struct fm_address_spans *spans);

/* Sorts *spans and replaces *out by what shows, sorted; touching segments of one id are one. O(n log n). false: out of
 * memory. */
bool fm_address_spans_flatten(struct fm_address_spans *spans, struct fm_address_segments *out);

#endif
