/* Assigns claimed addresses to units. See address_owners.h. */
#include "mappers/native/compile/address_owners.h"

void fm_address_owners_init(struct fm_address_owners *owners, struct fm_heap *heap)
{
    *owners = (struct fm_address_owners){.heap = heap};
    owners->claims.heap = owners->listed.heap = owners->by_address.heap = owners->by_unit.heap = owners->gained.heap =
        heap;
    fm_unit_overlaps_init(&owners->overlaps, heap);
}

void fm_address_owners_free(struct fm_address_owners *owners)
{
    fm_heap_free(owners->heap, owners->offsets, owners->offset_capacity * sizeof *owners->offsets);
    fm_heap_free(owners->heap, owners->has_list, owners->list_capacity * sizeof *owners->has_list);
    fm_heap_free(owners->heap, owners->exact, owners->exact_capacity * sizeof *owners->exact);
    fm_unit_overlaps_free(&owners->overlaps);
    fm_address_segments_free(&owners->gained);
    fm_address_segments_free(&owners->by_unit);
    fm_address_segments_free(&owners->by_address);
    fm_address_spans_free(&owners->listed);
    fm_address_spans_free(&owners->claims);
}

/* Whether one of these addresses, which are ascending, is in the range. */
static bool contains_any(struct fm_dw_range range, const uint64_t *addresses, size_t count)
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

bool fm_address_owners_claim(struct fm_address_owners *owners, const struct fm_dw_claim *claim)
{
    const uint64_t rank = claim->number + (claim->weak ? (uint64_t)1 << 32 : 0);

    const size_t first_listed = claim->range_count - claim->listed_count;

    if (!FM_GROW(owners->heap, owners->offsets, owners->offset_capacity, (size_t)claim->number + 1) ||
        !FM_GROW(owners->heap, owners->has_list, owners->list_capacity, (size_t)claim->number + 1) ||
        !FM_GROW(owners->heap, owners->exact, owners->exact_capacity, (size_t)claim->number + 1))
        return false;
    owners->offsets[claim->number] = claim->offset;
    owners->has_list[claim->number] = claim->listed_count > 0;
    owners->exact[claim->number] = !claim->weak && first_listed != 1;
    owners->unit_count = claim->number + 1;
    for (size_t i = 0; i < claim->range_count; i++) {
        if (owners->addresses != NULL && !contains_any(claim->ranges[i], owners->addresses, owners->address_count))
            continue;
        if (!fm_address_spans_add(&owners->claims, claim->ranges[i].low, claim->ranges[i].high, rank, claim->number))
            return false;
        if (i < first_listed) continue;
        if (!fm_address_spans_add(&owners->listed, claim->ranges[i].low, claim->ranges[i].high, rank, claim->number))
            return false;
    }
    return true;
}

static bool sort_by_unit(struct fm_address_owners *owners)
{
    struct fm_address_spans sorted = {.heap = owners->heap};
    bool good = true;

    /* Sorts by unit, then address: in these spans, `low` is the unit and `rank` the address. */
    for (size_t i = 0; i < owners->by_address.count && good; i++) {
        const struct fm_address_segment *owner = &owners->by_address.items[i];
        good = fm_address_spans_add(&sorted, owner->id, owner->high, owner->low, owner->id);
    }
    good = good && fm_address_spans_sort(&sorted);
    owners->by_unit.count = 0;
    for (size_t i = 0; i < sorted.count && good; i++) {
        good =
            fm_address_segments_add(&owners->by_unit, sorted.items[i].rank, sorted.items[i].high, sorted.items[i].id);
    }
    fm_address_spans_free(&sorted);
    return good;
}

static bool flatten_claims(struct fm_address_owners *owners, struct fm_address_segments *out)
{
    struct fm_address_segments whole = {.heap = owners->heap};

    if (owners->addresses == NULL) return fm_address_spans_flatten(&owners->claims, out);
    const bool good = fm_address_spans_flatten(&owners->claims, &whole) &&
                      fm_address_segments_select(&whole, owners->addresses, owners->address_count, out);
    fm_address_segments_free(&whole);
    return good;
}

/* Combines, by precedence: first the segments that units own already, then the decisions on shared addresses, then the
 * claims. */
static bool combine_owned(struct fm_address_owners *owners, const struct fm_address_segments *kept,
                          const struct fm_address_segments *claimed)
{
    struct fm_address_segments sure = {.heap = owners->heap}, rest = {.heap = owners->heap};
    const bool good = fm_address_segments_unite(kept, &owners->overlaps.decided, &sure) &&
                      fm_address_segments_subtract(claimed, &sure, &rest) &&
                      fm_address_segments_unite(&sure, &rest, &owners->by_address);

    fm_address_segments_free(&rest);
    fm_address_segments_free(&sure);
    return good;
}

/* Assigns the owners. kept: the segments of units that were not dropped, sorted. */
static bool assign_owners(struct fm_address_owners *owners, const struct fm_address_segments *kept)
{
    const struct fm_unit_overlaps_input input = {.claims = &owners->claims,
                                                 .listed = &owners->listed,
                                                 .has_list = owners->has_list,
                                                 .exact = owners->exact,
                                                 .unit_count = owners->unit_count,
                                                 .kept = kept,
                                                 .addresses = owners->addresses,
                                                 .address_count = owners->address_count,
                                                 .collect = owners->collect,
                                                 .context = owners->collect_context};
    struct fm_address_segments claimed = {.heap = owners->heap};

    if (!fm_unit_overlaps_decide(&owners->overlaps, &input)) return false;
    if (owners->overlaps.decided.count == 0 && kept->count == 0) return flatten_claims(owners, &owners->by_address);
    const bool good = flatten_claims(owners, &claimed) && combine_owned(owners, kept, &claimed);
    fm_address_segments_free(&claimed);
    return good;
}

static bool is_before(const struct fm_address_segment *a, const struct fm_address_segment *b)
{
    return a->id != b->id ? a->id < b->id : a->high <= b->low;
}

/* Finds the addresses that units gained. A unit that is not dropped keeps what it owned, so it gained what its earlier
 * segments do not cover. */
static bool find_gained(struct fm_address_owners *owners, const struct fm_address_segments *before)
{
    size_t old = 0;

    owners->gained.count = 0;
    for (size_t i = 0; i < owners->by_unit.count; i++) {
        struct fm_address_segment left = owners->by_unit.items[i];
        while (old < before->count && is_before(&before->items[old], &left)) old++;
        for (size_t j = old; j < before->count && before->items[j].id == left.id && before->items[j].low < left.high;
             j++) {
            const struct fm_address_segment *known = &before->items[j];
            if (left.low < known->low && !fm_address_segments_add(&owners->gained, left.low, known->low, left.id))
                return false;
            left.low = known->high;
        }
        if (left.low < left.high && !fm_address_segments_add(&owners->gained, left.low, left.high, left.id))
            return false;
    }
    return true;
}

static void remove_claims(struct fm_address_spans *claims, const bool *dropped)
{
    size_t kept = 0;

    for (size_t i = 0; i < claims->count; i++) {
        if (!dropped[claims->items[i].id]) claims->items[kept++] = claims->items[i];
    }
    claims->count = kept;
}

static void keep_undropped(struct fm_address_segments *owned, const bool *dropped)
{
    size_t kept = 0;

    for (size_t i = 0; i < owned->count; i++) {
        if (!dropped[owned->items[i].id]) owned->items[kept++] = owned->items[i];
    }
    owned->count = kept;
}

bool fm_address_owners_update(struct fm_address_owners *owners, const bool *dropped)
{
    struct fm_address_segments before = owners->by_unit, kept = owners->by_address;

    owners->by_unit = owners->by_address = (struct fm_address_segments){.heap = owners->heap};
    if (dropped != NULL) {
        remove_claims(&owners->claims, dropped);
        remove_claims(&owners->listed, dropped);
        keep_undropped(&kept, dropped);
    }
    const bool good = assign_owners(owners, &kept) && sort_by_unit(owners) && find_gained(owners, &before);
    fm_address_segments_free(&kept);
    fm_address_segments_free(&before);
    return good;
}

const struct fm_address_segment *fm_address_owners_gained(const struct fm_address_owners *owners, uint32_t unit,
                                                          size_t *count)
{
    return fm_address_segments_of(&owners->gained, unit, count);
}
