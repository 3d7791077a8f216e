#include "mappers/debuginfo/dw_owners.h"

void fm_dw_owners_init(struct fm_dw_owners *owners, struct fm_heap *heap)
{
    *owners = (struct fm_dw_owners){.heap = heap};
    owners->claims.heap = owners->by_address.heap = owners->by_unit.heap = owners->gained.heap = heap;
}

void fm_dw_owners_free(struct fm_dw_owners *owners)
{
    fm_heap_free(owners->heap, owners->offsets, owners->offset_capacity * sizeof *owners->offsets);
    fm_segments_free(&owners->gained);
    fm_segments_free(&owners->by_unit);
    fm_segments_free(&owners->by_address);
    fm_spans_free(&owners->claims);
}

/* Whether one of the addresses, which rise, is in the range. */
static bool holds_one(struct fm_dw_range range, const uint64_t *addresses, size_t count)
{
    size_t low = 0;
    size_t high = count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (addresses[middle] < range.low)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && addresses[low] < range.high;
}

bool fm_dw_owners_claim(struct fm_dw_owners *owners, const struct fm_dw_claim *claim)
{
    const uint64_t rank = claim->number + (claim->weak ? (uint64_t)1 << 32 : 0);

    if (!FM_GROW(owners->heap, owners->offsets, owners->offset_capacity, (size_t)claim->number + 1)) return false;
    owners->offsets[claim->number] = claim->offset;
    owners->unit_count = claim->number + 1;
    for (size_t i = 0; i < claim->range_count; i++) {
        if (owners->addresses != NULL && !holds_one(claim->ranges[i], owners->addresses, owners->address_count)) continue;
        if (!fm_spans_add(&owners->claims, claim->ranges[i].low, claim->ranges[i].high, rank, claim->number)) return false;
    }
    return true;
}

static bool sort_by_unit(struct fm_dw_owners *owners)
{
    struct fm_spans sorted = {.heap = owners->heap};
    bool good = true;

    /* Sorted as spans whose low is the unit and whose rank is the address. */
    for (size_t i = 0; i < owners->by_address.count && good; i++) {
        const struct fm_segment *owner = &owners->by_address.items[i];
        good = fm_spans_add(&sorted, owner->id, owner->high, owner->low, owner->id);
    }
    good = good && fm_spans_sort(&sorted);
    owners->by_unit.count = 0;
    for (size_t i = 0; i < sorted.count && good; i++) {
        good = fm_segments_add(&owners->by_unit, sorted.items[i].rank, sorted.items[i].high, sorted.items[i].id);
    }
    fm_spans_free(&sorted);
    return good;
}

static bool paint(struct fm_dw_owners *owners)
{
    struct fm_segments whole = {.heap = owners->heap};

    if (owners->addresses == NULL) return fm_spans_paint(&owners->claims, &owners->by_address);
    const bool good =
        fm_spans_paint(&owners->claims, &whole) && fm_segments_clip(&whole, owners->addresses, owners->address_count, &owners->by_address);
    fm_segments_free(&whole);
    return good;
}

static bool is_before(const struct fm_segment *a, const struct fm_segment *b) { return a->id != b->id ? a->id < b->id : a->high <= b->low; }

/* What a unit owned it still owns, unless it was dropped: so what is gained is what none of the old segments of the unit covers. */
static bool find_gained(struct fm_dw_owners *owners, const struct fm_segments *before)
{
    size_t old = 0;

    owners->gained.count = 0;
    for (size_t i = 0; i < owners->by_unit.count; i++) {
        struct fm_segment left = owners->by_unit.items[i];
        while (old < before->count && is_before(&before->items[old], &left)) old++;
        for (size_t j = old; j < before->count && before->items[j].id == left.id && before->items[j].low < left.high; j++) {
            const struct fm_segment *known = &before->items[j];
            if (left.low < known->low && !fm_segments_add(&owners->gained, left.low, known->low, left.id)) return false;
            left.low = known->high;
        }
        if (left.low < left.high && !fm_segments_add(&owners->gained, left.low, left.high, left.id)) return false;
    }
    return true;
}

bool fm_dw_owners_settle(struct fm_dw_owners *owners, const bool *dropped)
{
    struct fm_segments before = owners->by_unit;
    size_t kept = 0;

    owners->by_unit = (struct fm_segments){.heap = owners->heap};
    for (size_t i = 0; i < owners->claims.count; i++) {
        if (dropped == NULL || !dropped[owners->claims.items[i].id]) owners->claims.items[kept++] = owners->claims.items[i];
    }
    owners->claims.count = kept;
    const bool good = paint(owners) && sort_by_unit(owners) && find_gained(owners, &before);
    fm_segments_free(&before);
    return good;
}

const struct fm_segment *fm_dw_owners_gained(const struct fm_dw_owners *owners, uint32_t unit, size_t *count)
{
    size_t low = 0;
    size_t high = owners->gained.count;

    *count = 0;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (owners->gained.items[middle].id < unit)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < owners->gained.count && owners->gained.items[i].id == unit; i++) ++*count;
    return *count > 0 ? &owners->gained.items[low] : NULL;
}
