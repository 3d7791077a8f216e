/* Packs the bits of a block: its head, its entries relative to what they have in common, its contexts and names
 * (docs/index-format.md). Called by block_encoder.c. It does not know where entries come from (block_entries.c). */
#include "index/format/bits.h"
#include "index/write/bit_writer.h"
#include "index/write/positions/block_coder.h"

/* Fields whose widths are in a block's head, in the order of the head. */
enum { W_ROWS, W_CONTEXTS, W_LINE, W_COL, W_FILE, W_NODE, W_BASE, W_COUNT };

/* The parameters of a block, apart from its lists of entries, contexts and names. */
struct shape {
    /* for each field: all of its values or-ed together, or any number that has the same width */
    uint64_t values[W_COUNT];
    unsigned widths[W_COUNT];
    unsigned flags, index_width, name_width;
    bool follows;
    uint32_t node_base;
};

static uint64_t line_code(const struct fm_block_coder *c, const struct fm_block_cell *cell)
{
    return cell->line == 0 ? 0 : cell->line - c->contexts[cell->context].least_line + 1;
}
static uint64_t base_code(const struct fm_block_context *context)
{
    return context->least_line == 0 ? 0 : fm_zigzag((int64_t)context->least_line - (int64_t)context->decl_line);
}
static uint64_t node_delta(const struct shape *shape, const struct fm_block_context *context)
{
    return context->node_code == 0 ? 0 : (uint64_t)context->node_code - shape->node_base + 1;
}

static void widen(struct shape *shape, unsigned field, uint64_t value) { shape->values[field] |= value; }

static void measure_lists(const struct fm_block_coder *c, struct shape *shape)
{
    for (size_t i = 0; i < c->context_count; i++) {
        const uint32_t code = c->contexts[i].node_code;
        if (code != 0 && (shape->node_base == 0 || code < shape->node_base)) shape->node_base = code;
    }
    for (size_t i = 0; i < c->context_count; i++) {
        const struct fm_block_context *context = &c->contexts[i];
        widen(shape, W_NODE, node_delta(shape, context));
        widen(shape, W_FILE, context->file_code);
        widen(shape, W_BASE, base_code(context));
        if (context->greatest_line != 0) widen(shape, W_LINE, context->greatest_line - context->least_line + 1);
        shape->follows |= context->kind == FM_BLOCK_KIND_FOLLOWS;
    }
    widen(shape, W_COL, c->cols);
    if (c->has_gap) shape->flags |= FMX_BLOCK_GAP;
}

static const unsigned short_widths[W_COUNT] = FMX_BLOCK_SHORT_WIDTHS, long_widths[W_COUNT] = FMX_BLOCK_LONG_WIDTHS;

/* Returns a number of the block's head: the number of rows less one, the number of contexts, or the width of a
 * field. */
static uint64_t head_value(const struct fm_block_coder *c, const struct shape *shape, unsigned field)
{
    if (field == W_ROWS) return c->cell_count - 1;
    if (field == W_CONTEXTS) return c->context_count;
    return shape->widths[field];
}

static struct shape block_shape_of(const struct fm_block_coder *c, bool carried)
{
    struct shape shape = {.flags = carried ? FMX_BLOCK_CARRIED : 0};
    measure_lists(c, &shape);
    for (unsigned f = W_LINE; f < W_COUNT; f++) shape.widths[f] = fm_bits_for(shape.values[f]);
    const size_t kinds = c->context_count + ((shape.flags & FMX_BLOCK_GAP) != 0);
    shape.index_width = fm_bits_for(kinds - 1);
    shape.name_width = fm_bits_for(c->name_count);
    if (shape.follows || c->name_count > 0) shape.flags |= FMX_BLOCK_MORE;
    for (unsigned f = 0; f < W_COUNT; f++)
        if (head_value(c, &shape, f) > fm_bits_mask(short_widths[f])) shape.flags |= FMX_BLOCK_LONG;
    if (c->name_count > FMX_BLOCK_SHORT_NAMES) shape.flags |= FMX_BLOCK_LONG;
    return shape;
}

static void pack_head(const struct fm_block_coder *c, const struct shape *shape, struct fm_bit_writer *writer)
{
    const bool is_long = (shape->flags & FMX_BLOCK_LONG) != 0;
    if (!is_long) { /* the fields of most heads fit one number */
        uint64_t head = shape->flags;
        for (unsigned f = 0, at = 4; f < W_COUNT; at += short_widths[f++]) head |= head_value(c, shape, f) << at;
        fm_bit_writer_put(writer, head, FMX_BLOCK_SHORT_BITS);
    } else {
        fm_bit_writer_put(writer, shape->flags, 4);
        for (unsigned f = 0; f < W_COUNT; f++) fm_bit_writer_put(writer, head_value(c, shape, f), long_widths[f]);
        writer->at = fm_bit_writer_end(writer);
        writer->held = 0;
    }
    if (shape->flags & FMX_BLOCK_MORE) {
        fm_bit_writer_put(writer, shape->follows, 1);
        fm_bit_writer_put(writer, c->name_count, is_long ? 31 : 15);
    }
    if (c->context_count > 0) fm_bit_writer_put(writer, shape->node_base, c->node_width);
}

/* Packs the starts of entries, Elias-Fano coded: upper bits in unary in one word, lower bits packed. */
static void pack_lows(const struct fm_block_coder *c, struct fm_bit_writer *writer)
{
    const unsigned upper_bits = fmx_upper_bits(c->cell_count - 1, c->plan->shift),
                   lower_bits = c->plan->shift - upper_bits;
    const uint64_t lower = fm_bits_mask(lower_bits);
    uint64_t word = 0, lows = 0;
    unsigned held = 0; /* number of bits in `lows` that are not written yet */
    for (size_t i = 1; upper_bits > 0 && i < c->cell_count; i++)
        word |= UINT64_C(1) << ((c->cells[i].low >> lower_bits) + i - 1);
    if (upper_bits > 0) fm_bit_writer_put_wide(writer, word, (unsigned)c->cell_count - 1 + (1u << upper_bits));
    for (size_t i = 1; i < c->cell_count; i++) {
        if (held + lower_bits > 56) {
            fm_bit_writer_put_wide(writer, lows, held);
            lows = 0;
            held = 0;
        }
        lows |= (c->cells[i].low & lower) << held;
        held += lower_bits;
    }
    fm_bit_writer_put_wide(writer, lows, held);
}

/* Packs context, name, line and column of each entry. Most entries are written with one store. */
static void pack_cells(const struct fm_block_coder *c, const struct shape *shape, struct fm_bit_writer *writer)
{
    const unsigned name_at = shape->index_width, line_at = name_at + shape->name_width,
                   col_at = line_at + shape->widths[W_LINE];
    const unsigned whole = col_at + shape->widths[W_COL];
    for (size_t i = 0; i < c->cell_count; i++) {
        const struct fm_block_cell *cell = &c->cells[i];
        const bool gap = cell->context == FM_NONE;
        const uint64_t index = gap ? c->context_count : cell->context, line = gap ? 0 : line_code(c, cell);
        if (whole <= 56) {
            fm_bit_writer_put(writer,
                              index | (uint64_t)cell->name << name_at | line << line_at | (uint64_t)cell->col << col_at,
                              whole);
            continue;
        }
        fm_bit_writer_put(writer, index, shape->index_width);
        fm_bit_writer_put(writer, cell->name, shape->name_width);
        fm_bit_writer_put(writer, line, shape->widths[W_LINE]);
        fm_bit_writer_put(writer, cell->col, shape->widths[W_COL]);
    }
}

static void pack_contexts(const struct fm_block_coder *c, const struct shape *shape, struct fm_bit_writer *writer)
{
    for (size_t i = 0; i < c->context_count; i++) {
        fm_bit_writer_put(writer, node_delta(shape, &c->contexts[i]), shape->widths[W_NODE]);
        fm_bit_writer_put(writer, c->contexts[i].file_code, shape->widths[W_FILE]);
        fm_bit_writer_put(writer, base_code(&c->contexts[i]), shape->widths[W_BASE]);
        if (shape->follows) fm_bit_writer_put(writer, c->contexts[i].kind == FM_BLOCK_KIND_FOLLOWS, 1);
    }
}

/* These are upper bounds of the bytes that a block, each cell, each context and each name take, including the bytes
 * after them that a bit writer may overwrite. */
#define BLOCK_BYTES 48u   /* maximum number of bytes of a block's heads, its node base, and the word of upper bits */
#define CELL_BYTES 28u    /* maximum number of bytes of a cell: lower bits, an index, a name, a line, a column */
#define CONTEXT_BYTES 24u /* maximum number of bytes of a context: a node, a file, a line base, a flag */
#define NAME_BYTES 4u

static bool reserve_block(struct fm_block_coder *c)
{
    size_t need = c->size + BLOCK_BYTES;
    if (c->cell_count > (SIZE_MAX - need) / (CELL_BYTES + CONTEXT_BYTES + NAME_BYTES)) return false;
    need += c->cell_count * CELL_BYTES + c->context_count * CONTEXT_BYTES + c->name_count * NAME_BYTES;
    return FM_GROW(c->plan->heap, c->bytes, c->byte_capacity, need);
}

/* Returns the size of the block in bytes. */
static size_t pack_block(const struct fm_block_coder *c, const struct shape *shape)
{
    struct fm_bit_writer writer = {.at = c->bytes + c->size};
    pack_head(c, shape, &writer);
    pack_lows(c, &writer);
    pack_cells(c, shape, &writer);
    pack_contexts(c, shape, &writer);
    for (size_t i = 0; i < c->name_count; i++) fm_bit_writer_put(&writer, c->names[i], c->text_width);
    return (size_t)(fm_bit_writer_end(&writer) - (c->bytes + c->size));
}

bool fm_block_write(struct fm_block_coder *c, bool carried, uint64_t *offset)
{
    const struct shape shape = block_shape_of(c, carried);
    if (!reserve_block(c)) return false;
    const size_t at = c->size, size = pack_block(c, &shape);
    c->alone = carried && c->cell_count == 1;
    *offset = c->last_at;
    if (c->alone && size == c->last_size && memcmp(c->bytes + c->last_at, c->bytes + at, size) == 0) return true;
    *offset = c->last_at = at;
    c->last_size = size;
    c->size += size;
    return true;
}
