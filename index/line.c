/* The line: every scope's positions laid end to end, without their long holes, and cut into buckets. */
#include "core/checked.h"
#include "core/fault.h"
#include "index/bits.h"
#include "index/model.h"

#define HOLE_BUCKETS_BITS 5 /* a hole of more than 2^5 buckets is cut out: a range costs about as much as some empty buckets */
#define UNIT_ROWS 64        /* rows from which on a scope is worth a unit of its own */
#define ROWS_WANTED 14      /* entries a bucket should have at least: measured best of size and speed */

/* Every position of the scope is its first one plus a multiple of 2^unit: machines with 4-byte instructions. */
static void find_unit(const struct fm_plan *plan, struct fm_scope_plan *scope, size_t end)
{
    uint64_t bits = 0;
    for (size_t row = scope->first_row; row < end; row++) bits |= plan->rows[row].key - plan->rows[scope->first_row].key;
    scope->unit = 0;
    if (bits == 0 || end - scope->first_row < UNIT_ROWS) return;
    while ((bits >> scope->unit & 1) == 0) scope->unit++;
}

static size_t rows_end(const struct fm_plan *plan, size_t scope)
{
    return scope + 1 < plan->scope_count ? plan->scopes[scope + 1].first_row : plan->row_count;
}

/* How many spots from this row to the next of its scope; 1 behind the last. */
static uint64_t step(const struct fm_plan *plan, size_t row, size_t end, unsigned unit)
{
    return row + 1 < end ? (plan->rows[row + 1].key - plan->rows[row].key) >> unit : 1;
}

struct steps {
    uint64_t count[65], sum[65]; /* by the number of bits of a step */
};

static void add_saturated(uint64_t *sum, uint64_t more)
{
    if (!fm_add_u64(*sum, more, sum)) *sum = UINT64_MAX;
}

static void measure(struct fm_plan *plan, struct steps *steps)
{
    for (size_t scope = 0; scope < plan->scope_count; scope++) {
        const size_t end = rows_end(plan, scope);
        find_unit(plan, &plan->scopes[scope], end);
        for (size_t row = plan->scopes[scope].first_row; row < end; row++) {
            const uint64_t width = step(plan, row, end, plan->scopes[scope].unit);
            const unsigned bits = fm_bits_for(width);
            steps->count[bits]++;
            add_saturated(&steps->sum[bits], width);
        }
    }
}

static bool is_hole(uint64_t width, unsigned shift) { return fm_bits_for(width) > shift + HOLE_BUCKETS_BITS; }

/* Spots of the line when it is cut at this shift. */
static uint64_t spots_at(const struct steps *steps, unsigned shift)
{
    uint64_t spots = 0;
    for (unsigned bits = 0; bits <= 64; bits++)
        add_saturated(&spots, bits > shift + HOLE_BUCKETS_BITS ? steps->count[bits] : steps->sum[bits]);
    return spots;
}

/* The least shift that gives buckets the wanted number of rows. A line too long for 62-bit arithmetic (several scopes that are each
 * spread over all positions) is cut finer, which cuts out more holes: at shift 0 it has at most 32 spots for each row. */
static unsigned choose_shift(const struct steps *steps, size_t rows)
{
    unsigned shift = 0;
    while (shift < FMX_SHIFT_MOST && (spots_at(steps, shift) >> shift) > rows / ROWS_WANTED) shift++;
    while (shift > 0 && spots_at(steps, shift) > FMX_SPOTS_MOST) shift--;
    return shift;
}

static bool add_range(struct fm_plan *plan, uint64_t first, uint64_t spot)
{
    if (!FM_GROW(plan->heap, plan->ranges, plan->range_capacity, plan->range_count + 1)) return false;
    plan->ranges[plan->range_count++] = (struct fm_stretch){first, spot};
    return true;
}

static bool lay_scope(struct fm_plan *plan, struct fm_scope_plan *scope, size_t end)
{
    scope->range = (uint32_t)plan->range_count;
    bool fresh = true;
    for (size_t row = scope->first_row; row < end; row++) {
        const uint64_t width = step(plan, row, end, scope->unit), position = plan->rows[row].key;
        if (fresh && !add_range(plan, position, plan->spots)) return false;
        fresh = is_hole(width, plan->shift);
        plan->rows[row].key = plan->spots;
        plan->spots += fresh ? 1 : width;
    }
    return true;
}

framemap_status fm_plan_line(struct fm_plan *plan, framemap_error *error)
{
    struct steps steps = {{0}, {0}};
    measure(plan, &steps);
    plan->shift = choose_shift(&steps, plan->row_count);
    for (size_t scope = 0; scope < plan->scope_count; scope++)
        if (!lay_scope(plan, &plan->scopes[scope], rows_end(plan, scope))) return fm_fault_memory(error);
    return add_range(plan, 0, plan->spots) ? FRAMEMAP_OK : fm_fault_memory(error);
}
