/* Encodes function ranges in groups of 32, packed relative to what they have in common. Start addresses are mostly
 * ascending, ranges end close to the start of the next range, and new functions have consecutive numbers. */
#include "core/error.h"
#include "index/format/bits.h"
#include "index/format/function_range_groups.h"
#include "index/write/model/builder_model.h"

/* What is known of a group of ranges before it is encoded. */
struct group_shape {
    struct fm_function_range ranges[FM_FUNCTION_RANGE_GROUP];
    unsigned count;
    /* the values of `next_function` and `next_bare` of struct range_writer when the group begins */
    uint64_t first_function, first_bare;
    /* Bit masks of the ranges with a function that is the next in order: `next` for functions with details, `bare` for
     * functions without. */
    uint32_t next, bare;
    /* base: the least start of a range; the other members: all values of a field of the group, or-ed together */
    uint64_t base, begins, sizes, gap_begins, gaps;
    bool has_gaps;
    unsigned varying, common; /* varying: flags that differ within the group; common: flags that all ranges have */
};

struct range_writer {
    struct fm_plan *plan;
    uint64_t *offsets;
    uint64_t next_function, next_bare;
    size_t extra; /* index in plan->extras of the first string of the range that is encoded, or of an earlier range */
};

static struct fm_function_range range_at(struct range_writer *w, size_t root)
{
    const struct fm_plan *plan = w->plan;
    const struct fm_chain_node *node = fm_plan_node(plan, plan->roots[root]);
    const struct fm_root_part *part = fm_root_part(plan->builder, node);
    while (w->extra < plan->extra_count && plan->extras[w->extra].root < root) w->extra++;
    const bool has_extras = w->extra < plan->extra_count && plan->extras[w->extra].root == root;
    return (struct fm_function_range){
        .begin = part->start,
        .size = part->size,
        .function = node->function == FM_NONE ? 0 : (uint64_t)plan->functions.to_new[node->function] + 1,
        .flags = (node->flags & FM_NODE_HAS_START ? FMX_ROOT_HAS_START : 0u) | (has_extras ? FMX_ROOT_EXTRAS : 0u) |
                 (node->flags & FM_NODE_ARTIFICIAL ? FMX_ROOT_ARTIFICIAL : 0u)};
}

static void measure_functions(struct range_writer *w, struct group_shape *g)
{
    g->first_function = w->next_function;
    g->first_bare = w->next_bare;
    for (unsigned i = 0; i < g->count; i++)
        if (g->ranges[i].function == w->next_function + 1) {
            g->next |= UINT32_C(1) << i;
            w->next_function++;
        } else if (g->ranges[i].function == w->next_bare + 1) {
            g->bare |= UINT32_C(1) << i;
            w->next_bare++;
        }
}

/* Returns the distance from the end of a range to the start of the next; UINT64_MAX: they overlap. */
static uint64_t gap_after(const struct group_shape *g, unsigned i)
{
    const struct fm_function_range *range = &g->ranges[i];
    if (i + 1 == g->count) return 0;
    if (range[1].begin < range->begin || range[1].begin - range->begin < range->size) return UINT64_MAX;
    return range[1].begin - range->begin - range->size;
}

static void measure_gaps(struct group_shape *g)
{
    const struct fm_function_range *last = &g->ranges[g->count - 1];
    g->has_gaps = (g->varying & FMX_ROOT_HAS_START) == 0 && (g->common & FMX_ROOT_HAS_START) != 0 &&
                  last->size <= UINT64_MAX - last->begin;
    for (unsigned i = 0; i < g->count && g->has_gaps; i++) {
        const uint64_t gap = gap_after(g, i);
        g->has_gaps = gap != UINT64_MAX;
        g->gaps |= gap;
    }
    if (!g->has_gaps) return;
    g->gap_begins = g->begins | (last->begin + last->size - g->base);
    const uint64_t plain = (uint64_t)g->count * (fm_bits_for(g->begins) + fm_bits_for(g->sizes)),
                   gapped = (g->count + UINT64_C(1)) * fm_bits_for(g->gap_begins) +
                            (uint64_t)g->count * fm_bits_for(g->gaps);
    g->has_gaps = gapped < plain;
}

static void measure_group(struct range_writer *w, size_t first, size_t end, struct group_shape *g)
{
    *g = (struct group_shape){.count = (unsigned)(end - first), .base = UINT64_MAX, .common = FMX_ROOT_FLAGS};
    unsigned any = 0;
    for (unsigned i = 0; i < g->count; i++) {
        g->ranges[i] = range_at(w, first + i);
        any |= g->ranges[i].flags;
        g->common &= g->ranges[i].flags;
        if ((g->ranges[i].flags & FMX_ROOT_HAS_START) != 0 && g->ranges[i].begin < g->base)
            g->base = g->ranges[i].begin;
    }
    if (g->base == UINT64_MAX && (any & FMX_ROOT_HAS_START) == 0) g->base = 0;
    g->varying = any & ~g->common;
    for (unsigned i = 0; i < g->count; i++) {
        if (g->ranges[i].flags & FMX_ROOT_HAS_START) g->begins |= g->ranges[i].begin - g->base;
        g->sizes |= g->ranges[i].size;
    }
    measure_functions(w, g);
    measure_gaps(g);
}

static void pack_group(struct fm_bit_buffer *out, const struct group_shape *g, unsigned function_width)
{
    const unsigned base_width = fm_bits_for(g->base),
                   begin_width = fm_bits_for(g->has_gaps ? g->gap_begins : g->begins),
                   size_width = fm_bits_for(g->has_gaps ? g->gaps : g->sizes);
    fm_bit_buffer_put(out, g->count - 1, FM_FUNCTION_RANGES_COUNT_WIDTH);
    fm_bit_buffer_put(out, base_width, FM_FUNCTION_RANGES_WIDTH);
    fm_bit_buffer_put(out, begin_width, FM_FUNCTION_RANGES_WIDTH);
    fm_bit_buffer_put(out, size_width, FM_FUNCTION_RANGES_WIDTH);
    fm_bit_buffer_put(out, g->has_gaps, FM_FUNCTION_RANGES_GAPS_WIDTH);
    fm_bit_buffer_put(out, g->varying, FM_FUNCTION_RANGES_FLAGS_WIDTH);
    fm_bit_buffer_put(out, g->common, FM_FUNCTION_RANGES_FLAGS_WIDTH);
    fm_bit_buffer_put(out, g->bare != 0, FM_FUNCTION_RANGES_BARE_WIDTH);
    fm_bit_buffer_put(out, g->next, g->count);
    if (g->bare != 0) fm_bit_buffer_put(out, g->bare, g->count);
    fm_bit_buffer_put(out, g->first_function, function_width);
    if (g->bare != 0) fm_bit_buffer_put(out, g->first_bare, function_width);
    for (unsigned i = 0; i < g->count; i++)
        if (((g->next | g->bare) >> i & 1) == 0) fm_bit_buffer_put(out, g->ranges[i].function, function_width);
    fm_bit_buffer_put(out, g->base, base_width);
    for (unsigned i = 0; i < g->count; i++)
        fm_bit_buffer_put(out, g->ranges[i].flags & FMX_ROOT_HAS_START ? g->ranges[i].begin - g->base : 0, begin_width);
    const struct fm_function_range *last = &g->ranges[g->count - 1];
    if (g->has_gaps) fm_bit_buffer_put(out, last->begin + last->size - g->base, begin_width);
    for (unsigned i = 0; i < g->count; i++)
        fm_bit_buffer_put(out, g->has_gaps ? gap_after(g, i) : g->ranges[i].size, size_width);
    for (unsigned i = 0; i < g->count; i++)
        for (unsigned flag = 1; flag <= g->varying; flag <<= 1)
            if ((g->varying & flag) != 0) fm_bit_buffer_put(out, (g->ranges[i].flags & flag) != 0, 1);
    fm_bit_buffer_align(out);
}

static void range_group_row(void *context, uint64_t row, uint64_t fields[FMX_FIELDS])
{
    const uint64_t *offsets = context;
    fields[ROOT_GROUP_AT] = offsets[row];
}
FM_OUTPUT_ROWS(range_group)

framemap_status fm_encode_function_ranges(struct fm_plan *plan, framemap_error *error)
{
    const size_t groups = (plan->root_count + FM_FUNCTION_RANGE_GROUP - 1) / FM_FUNCTION_RANGE_GROUP;
    struct fm_output_section *output = &plan->outputs[FMX_ROOTS];
    if (groups == 0) return FRAMEMAP_OK;
    struct range_writer w = {
        .plan = plan, .next_function = plan->inlined_functions, .next_bare = plan->detailed_functions};
    w.offsets = fm_heap_zalloc(plan->heap, groups, sizeof *w.offsets);
    if (w.offsets == NULL) return fm_error_memory(error);
    for (size_t i = 0; i < groups; i++) {
        struct group_shape shape;
        const size_t first = i * FM_FUNCTION_RANGE_GROUP, left = plan->root_count - first;
        measure_group(&w, first, first + (left < FM_FUNCTION_RANGE_GROUP ? left : FM_FUNCTION_RANGE_GROUP), &shape);
        w.offsets[i] = fm_bit_buffer_bytes(&output->bits);
        pack_group(&output->bits, &shape, fm_bits_for(plan->functions.count));
    }
    output->count = fm_bit_buffer_bytes(&output->bits);
    const bool ok = !output->bits.failed &&
                    fm_output_section_write(&plan->outputs[FMX_ROOT_GROUPS], groups, range_group_rows, w.offsets);
    fm_heap_free(plan->heap, w.offsets, groups * sizeof *w.offsets);
    return ok ? FRAMEMAP_OK : fm_error_memory(error);
}
