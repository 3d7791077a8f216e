/* Maps the positions of all scopes to one axis, from which long intervals without rows (holes) are cut out, and chooses
 * the size of the buckets into which the axis is cut. */
#include "core/checked.h"
#include "core/error.h"
#include "index/format/bits.h"
#include "index/write/model/builder_model.h"

/* a hole (an interval without rows) of more than 2^5 buckets is cut out: a range costs about as much as some empty
 * buckets */
#define HOLE_BUCKETS_BITS 5
#define UNIT_ROWS 64 /* least number of rows of a scope that may have a unit of its own */
/* the least average number of entries in a bucket (an interval of the axis): the best compromise of size and speed
 * in measurements */
#define ROWS_WANTED 14

static size_t pieces_end(const struct fm_plan *plan, size_t scope)
{
    return scope + 1 < plan->scope_count ? plan->scopes[scope + 1].first_piece : plan->piece_count;
}

/* Returns the distance from a piece's last row to the first row of the next piece of its scope; 0 after the last
 * piece. */
static uint64_t seam(const struct fm_plan *plan, size_t piece, size_t end)
{
    return piece + 1 < end ? plan->pieces[piece + 1].first - plan->pieces[piece].last : 0;
}

/* Finds the greatest number for which the distances between all positions of the scope are multiples of 2^number. For
 * CPUs with 4-byte instructions it is 2. */
static void find_scope_unit(const struct fm_plan *plan, struct fm_scope_plan *scope, size_t end)
{
    uint64_t bits = 0;
    size_t rows = 0;
    for (size_t i = scope->first_piece; i < end; i++) {
        bits |= plan->pieces[i].steps | seam(plan, i, end);
        rows += plan->pieces[i].count;
    }
    scope->unit = bits == 0 || rows < UNIT_ROWS ? 0 : (uint8_t)fm_lowest_bit(bits);
}

struct steps {
    /* for each number of bits: count and sum of the distances between rows that have this number of bits */
    uint64_t count[65], sum[65];
};

static void add_saturated(uint64_t *sum, uint64_t more)
{
    if (!fm_add_u64(*sum, more, sum)) *sum = UINT64_MAX;
}

static inline void add_step(struct steps *steps, uint64_t width)
{
    const unsigned bits = fm_bits_for(width);
    steps->count[bits]++;
    add_saturated(&steps->sum[bits], width);
}

/* Adds the distances between neighbouring rows of the piece, divided by 2^unit. */
static void measure_piece(const struct fm_piece *piece, unsigned unit, struct steps *steps)
{
    for (size_t i = 1; i < piece->count; i++)
        add_step(steps, (piece->rows[i].position - piece->rows[i - 1].position) >> unit);
}

static void measure_steps(struct fm_plan *plan, struct steps *steps)
{
    for (size_t scope = 0; scope < plan->scope_count; scope++) {
        const size_t end = pieces_end(plan, scope);
        const unsigned unit = plan->scopes[scope].unit;
        for (size_t i = plan->scopes[scope].first_piece; i < end; i++) {
            measure_piece(&plan->pieces[i], unit, steps);
            add_step(steps, i + 1 < end ? seam(plan, i, end) >> unit : 1);
        }
    }
}

static bool is_hole(uint64_t width, unsigned shift) { return fm_bits_for(width) > shift + HOLE_BUCKETS_BITS; }

/* Returns the length of the axis if all holes (intervals without rows) that are too long for buckets of 2^shift
 * positions are cut out. */
static uint64_t axis_offsets_at(const struct steps *steps, unsigned shift)
{
    uint64_t axis_length = 0;
    for (unsigned bits = 0; bits <= 64; bits++)
        add_saturated(&axis_length, bits > shift + HOLE_BUCKETS_BITS ? steps->count[bits] : steps->sum[bits]);
    return axis_length;
}

/* Returns the least shift (buckets have 2^shift positions) that gives the wanted number of rows per bucket. A smaller
 * shift is returned if the axis would be too long for 62-bit arithmetic (several scopes that each spread over all
 * positions), since it cuts out more holes: at shift 0 the axis has at most 32 offsets for each row. */
static unsigned choose_shift(const struct steps *steps, size_t rows)
{
    unsigned shift = 0;
    while (shift < FMX_SHIFT_MOST && (axis_offsets_at(steps, shift) >> shift) > rows / ROWS_WANTED) shift++;
    while (shift > 0 && axis_offsets_at(steps, shift) > FMX_AXIS_MOST) shift--;
    return shift;
}

static bool add_range(struct fm_plan *plan, uint64_t first, uint64_t axis_offset)
{
    if (!FM_GROW(plan->heap, plan->ranges, plan->range_capacity, plan->range_count + 1)) return false;
    plan->ranges[plan->range_count++] = (struct fm_stretch){first, axis_offset};
    return true;
}

/* State of the walk that places pieces (adjacent rows of one scope) on the axis, and cuts them at holes. */
struct layer {
    struct fm_plan *plan;
    struct fm_piece *pieces;
    size_t count, capacity;
    bool fresh; /* the next row starts a new range */
};

/* Places the rows of a piece from *at up to the next hole, or all of them. distance: after the last row, the scope
 * continues for this many units; 1 if it does not continue. *at: receives the first row that is not placed yet. */
static bool lay_some(struct layer *layer, const struct fm_piece *piece, size_t *at, uint64_t distance)
{
    struct fm_plan *plan = layer->plan;
    const unsigned unit = plan->scopes[piece->scope].unit;
    struct fm_piece part = {.rows = piece->rows + *at,
                            .first = piece->rows[*at].position,
                            .last = piece->last,
                            .scope = piece->scope,
                            .chunk = piece->chunk};
    size_t end = piece->count;
    if (is_hole(piece->widest >> unit, plan->shift))
        for (end = *at + 1; end < piece->count; end++)
            if (is_hole((piece->rows[end].position - piece->rows[end - 1].position) >> unit, plan->shift)) break;
    const bool inside = end < piece->count;
    if (inside) part.last = piece->rows[end - 1].position;
    if (layer->fresh && !add_range(plan, part.first, plan->axis_length)) return false;
    if (!FM_GROW(plan->heap, layer->pieces, layer->capacity, layer->count + 1)) return false;
    part.axis_offset = plan->axis_length;
    part.count = (uint32_t)(end - *at);
    layer->pieces[layer->count++] = part;
    layer->fresh = inside || is_hole(distance, plan->shift);
    plan->axis_length += ((part.last - part.first) >> unit) + (layer->fresh ? 1 : distance);
    *at = end;
    return true;
}

static bool lay_scope(struct layer *layer, size_t scope)
{
    struct fm_plan *plan = layer->plan;
    const size_t end = pieces_end(plan, scope);
    plan->scopes[scope].range = (uint32_t)plan->range_count;
    layer->fresh = true;
    for (size_t i = plan->scopes[scope].first_piece; i < end; i++) {
        const uint64_t distance = i + 1 < end ? seam(plan, i, end) >> plan->scopes[scope].unit : 1;
        for (size_t at = 0; at < plan->pieces[i].count;)
            if (!lay_some(layer, &plan->pieces[i], &at, distance)) return false;
    }
    return true;
}

static bool lay_all(struct fm_plan *plan)
{
    struct layer layer = {.plan = plan};
    for (size_t scope = 0; scope < plan->scope_count; scope++)
        if (!lay_scope(&layer, scope)) {
            fm_heap_free(plan->heap, layer.pieces, layer.capacity * sizeof *layer.pieces);
            return false;
        }
    fm_heap_free(plan->heap, plan->pieces, plan->piece_capacity * sizeof *plan->pieces);
    plan->pieces = layer.pieces;
    plan->piece_count = layer.count;
    plan->piece_capacity = layer.capacity;
    return add_range(plan, 0, plan->axis_length);
}

void fm_plan_measure(struct fm_plan *plan)
{
    struct steps steps = {{0}, {0}};
    for (size_t scope = 0; scope < plan->scope_count; scope++)
        find_scope_unit(plan, &plan->scopes[scope], pieces_end(plan, scope));
    measure_steps(plan, &steps);
    plan->shift = choose_shift(&steps, plan->row_count);
}

framemap_status fm_plan_axis(struct fm_plan *plan, framemap_error *error)
{
    return lay_all(plan) ? FRAMEMAP_OK : fm_error_memory(error);
}
