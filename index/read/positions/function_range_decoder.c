/* Decodes groups of function ranges. The encoder is index/write/positions/function_range_encoder.c. */
#include "index/read/positions/function_range_decoder.h"
#include "index/read/table/tables.h"

/* A group of function ranges: the values of its head, and the bit offsets of its parts. */
struct root_group {
    const unsigned char *data;
    uint64_t left;  /* number of bytes from the group to the end of the section */
    uint32_t count; /* number of function ranges */
    /* two bit sets over the ranges of the group: bit i of `next` is set if the function of range i has details and the
     * number after that of the previous range in this set; `bare` is the same for functions without details */
    uint32_t next, bare;
    unsigned base_width, begin_width, size_width, gaps, varying, common,
        kinds; /* kinds: number of bit sets that the group has: 1 (`next`) or 2 (also `bare`) */
    uint64_t functions_at;
};

/* Reads the head and the bit sets after it. false: damaged. */
static bool open_group(const struct fm_view *view, uint64_t group, struct root_group *out)
{
    const struct fm_packed *groups = &view->tables[FMX_ROOT_GROUPS], *roots = &view->tables[FMX_ROOTS];
    if (group >= groups->count) return false;
    const uint64_t at = fm_field(groups, group, ROOT_GROUP_AT);
    if (at >= roots->size) return false;
    out->data = roots->data + at;
    out->left = roots->size - at;
    const uint64_t head = fm_load64(out->data);
    out->count = (uint32_t)(head & 31) + 1;
    out->base_width = head >> 5 & 127;
    out->begin_width = head >> 12 & 127;
    out->size_width = head >> 19 & 127;
    out->gaps = head >> 26 & 1;
    out->varying = head >> 27 & 7;
    out->common = head >> 30 & 7;
    out->next = (uint32_t)fm_bits_get(out->data, FM_FUNCTION_RANGES_HEAD_BITS, out->count);
    out->kinds = 1 + (head >> 33 & 1);
    out->bare =
        out->kinds == 1 ? 0 : (uint32_t)fm_bits_get(out->data, FM_FUNCTION_RANGES_HEAD_BITS + out->count, out->count);
    out->functions_at = FM_FUNCTION_RANGES_HEAD_BITS + out->kinds * out->count;
    return out->base_width <= 64 && out->begin_width <= 64 && out->size_width <= 64;
}

/* Returns how many of the first `roots` ranges are in neither bit set, so that their function numbers are stored
 * explicitly. These numbers follow the starting numbers of the bit sets. */
static uint32_t explicit_numbers(const struct root_group *group, uint32_t roots)
{
    return roots - fm_count_bits((group->next | group->bare) & fm_bits_mask(roots));
}

static uint64_t base_at(const struct fm_view *view, const struct root_group *group)
{
    return group->functions_at +
           (uint64_t)view->function_width * (group->kinds + explicit_numbers(group, group->count));
}

static uint64_t end_of(const struct fm_view *view, const struct root_group *group)
{
    const uint64_t begins = group->count + group->gaps;
    const uint64_t bits = base_at(view, group) + group->base_width + begins * group->begin_width +
                          (uint64_t)group->count * group->size_width +
                          (uint64_t)group->count * fm_count_bits(group->varying);
    return (bits + 7) / 8;
}

static uint64_t function_of(const struct fm_view *view, const struct root_group *group, uint32_t row)
{
    const uint64_t at = group->functions_at;
    if ((group->next >> row & 1) != 0)
        return fm_bits_get(group->data, at, view->function_width) + fm_count_bits(group->next & fm_bits_mask(row)) + 1;
    if ((group->bare >> row & 1) != 0)
        return fm_bits_get(group->data, at + view->function_width, view->function_width) +
               fm_count_bits(group->bare & fm_bits_mask(row)) + 1;
    return fm_bits_get(group->data, at + (uint64_t)view->function_width * (group->kinds + explicit_numbers(group, row)),
                       view->function_width);
}

/* Moves bit i of `own` to the position of the i-th set bit of `varying` (bit deposit). */
static unsigned spread(unsigned own, unsigned varying)
{
    unsigned flags = 0;
    for (unsigned flag = 1; flag <= varying; flag <<= 1) {
        if ((varying & flag) == 0) continue;
        flags |= (own & 1) * flag;
        own >>= 1;
    }
    return flags;
}

static void read_extent(const struct fm_view *view, const struct root_group *group, uint32_t row,
                        struct fm_function_range *out)
{
    uint64_t at = base_at(view, group);
    const uint64_t base = fm_bits_get_wide(group->data, at, group->base_width);
    at += group->base_width;
    const uint64_t begin = fm_bits_get_wide(group->data, at + (uint64_t)row * group->begin_width, group->begin_width);
    const uint64_t sizes_at = at + (uint64_t)(group->count + group->gaps) * group->begin_width;
    const uint64_t size =
        fm_bits_get_wide(group->data, sizes_at + (uint64_t)row * group->size_width, group->size_width);
    out->begin = out->flags & FMX_ROOT_HAS_START ? base + begin : 0;
    out->size = size;
    if (group->gaps) {
        const uint64_t next =
            fm_bits_get_wide(group->data, at + (uint64_t)(row + 1) * group->begin_width, group->begin_width);
        out->size = next - begin - size; /* if the bytes are damaged, the computed size is wrong, which does no harm */
    }
}

bool fm_function_range_read(const struct fm_view *view, uint64_t root, struct fm_function_range *out)
{
    struct root_group group;
    const uint32_t row = (uint32_t)(root & (FM_FUNCTION_RANGE_GROUP - 1));
    if (!open_group(view, root >> FM_FUNCTION_RANGE_GROUP_BITS, &group) || row >= group.count) return false;
    const uint64_t end = end_of(view, &group);
    if (end > group.left) return false;
    const unsigned width = fm_count_bits(group.varying);
    const uint64_t own = fm_bits_get(group.data,
                                     base_at(view, &group) + group.base_width +
                                         (uint64_t)(group.count + group.gaps) * group.begin_width +
                                         (uint64_t)group.count * group.size_width + (uint64_t)row * width,
                                     width);
    out->flags = (group.common & ~group.varying) | spread((unsigned)own, group.varying);
    out->function = function_of(view, &group, row);
    read_extent(view, &group, row, out);
    return true;
}

/* Has a fast path, because the number of the function is nearly always that of the previous range's function plus 1, so
 * that two fields give it. */
uint64_t fm_function_range_function(const struct fm_view *view, uint64_t root)
{
    const struct fm_packed *groups = &view->tables[FMX_ROOT_GROUPS], *roots = &view->tables[FMX_ROOTS];
    const uint32_t row = (uint32_t)(root & (FM_FUNCTION_RANGE_GROUP - 1));
    struct root_group group;
    if (root >= view->root_count) return 0;
    const uint64_t at = fm_field(groups, root >> FM_FUNCTION_RANGE_GROUP_BITS, ROOT_GROUP_AT);
    if (at < roots->size && roots->size - at >= FM_FUNCTION_RANGE_GROUP) {
        const uint64_t head = fm_load64(roots->data + at);
        const unsigned count = (unsigned)(head & 31) + 1, kinds = 1 + (unsigned)(head >> 33 & 1);
        const uint64_t next = fm_bits_get(roots->data + at, FM_FUNCTION_RANGES_HEAD_BITS, count);
        if ((next >> row & 1) != 0) /* all fields that are read here are within the first 20 bytes of the group */
            return fm_bits_get(roots->data + at, FM_FUNCTION_RANGES_HEAD_BITS + count * kinds, view->function_width) +
                   fm_count_bits(next & fm_bits_mask(row)) + 1;
    }
    if (!open_group(view, root >> FM_FUNCTION_RANGE_GROUP_BITS, &group) || row >= group.count ||
        (base_at(view, &group) + 7) / 8 > group.left)
        return 0;
    return function_of(view, &group, row);
}

bool fm_function_range_group_extent(const struct fm_view *view, uint64_t group, uint64_t *begin, uint64_t *end,
                                    uint32_t *count)
{
    struct root_group found;
    if (!open_group(view, group, &found)) return false;
    *begin = fm_field(&view->tables[FMX_ROOT_GROUPS], group, ROOT_GROUP_AT);
    *end = *begin + end_of(view, &found);
    *count = found.count;
    return end_of(view, &found) <= found.left;
}
