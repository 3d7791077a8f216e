/* Encodes BUCKETS and BLOCKS: the entries of each bucket, packed relative to what they have in common. Threads pack
 * stretches of buckets, which are then joined; the bytes do not depend on how the buckets are divided. */
#include "core/error.h"
#include "core/thread_team.h"
#include "index/format/bits.h"
#include "index/write/bit_writer.h"
#include "index/write/model/builder_model.h"
#include <stdatomic.h>

/* One entry of a block, with the file's numbers. */
struct cell {
    uint64_t low;                /* in the bucket */
    uint64_t line;               /* 0: none; for a group: distance from the entry's start to the bucket's start */
    uint32_t col, context, name; /* context: FM_NONE for a gap; name: 0 none, n + 1 is name n of the block */
};
enum kind { KIND_PLAIN, KIND_FOLLOWS, KIND_GROUP, KIND_NAME };
/* Fields that several entries of a block share. */
struct context {
    enum kind kind;
    uint32_t node, file;           /* the builder's; for a group: its number, and 0 */
    uint32_t node_code, file_code; /* node_code: 0 none, n + 1 is node n; groups follow the nodes */
    uint32_t decl_line;
    uint64_t least_line, greatest_line; /* 0: no entry has a line */
};
/* Hash table of the current block's contexts (after the first few) and names; slots with an older stamp are empty. */
struct slot {
    uint64_t key;
    uint32_t stamp, value;
    enum kind kind;
};
#define SCAN_CONTEXTS 8u /* contexts that are compared one by one: most blocks have fewer */

/* Fields whose widths are in a block's head, in its order. */
enum { W_ROWS, W_CONTEXTS, W_LINE, W_COL, W_FILE, W_NODE, W_BASE, W_COUNT };

/* State of one packing thread. */
struct coder {
    const struct fm_plan *plan;
    unsigned node_width, text_width; /* width of the node base and of a name in this file */
    struct cell *cells;
    struct context *contexts;
    uint32_t *names; /* strings */
    struct slot *slots;
    unsigned char *bytes; /* blocks of the current stretch */
    size_t cell_count, context_count, name_count, cell_capacity, context_capacity, name_capacity, slot_capacity, size,
        byte_capacity;
    uint32_t stamp;
    size_t last_at, last_size;                   /* offset of the previous block in the stretch */
    bool alone;                                  /* the previous block is one carried entry */
    size_t piece, row;                           /* the next row */
    struct fm_row before;                        /* the row before it, */
    uint64_t before_axis_offset;                 /* its axis offset, */
    unsigned before_unit;                        /* and the unit of its scope */
    uint32_t last_node, last_file, last_context; /* of the previous row if that is in this block; else FM_NONE */
    uint32_t cols;                               /* all values of the block's entries or-ed together */
    bool has_gap;                                /* some entry is a gap */
};

static void coder_free(struct coder *c)
{
    struct fm_heap *heap = c->plan->heap;
    fm_heap_free(heap, c->cells, c->cell_capacity * sizeof *c->cells);
    fm_heap_free(heap, c->contexts, c->context_capacity * sizeof *c->contexts);
    fm_heap_free(heap, c->names, c->name_capacity * sizeof *c->names);
    fm_heap_free(heap, c->slots, c->slot_capacity * sizeof *c->slots);
    fm_heap_free(heap, c->bytes, c->byte_capacity);
}

/* rows: most rows of the block. */
static bool start_block(struct coder *c, size_t rows)
{
    struct fm_heap *heap = c->plan->heap;
    c->cell_count = c->context_count = c->name_count = 0;
    c->last_context = FM_NONE;
    c->cols = 0;
    c->has_gap = false;
    if (!FM_GROW(heap, c->cells, c->cell_capacity, rows) || !FM_GROW(heap, c->contexts, c->context_capacity, rows) ||
        !FM_GROW(heap, c->names, c->name_capacity, rows))
        return false;
    size_t need = 64;
    while (need < rows * 4) need *= 2;
    if (need <= c->slot_capacity && ++c->stamp != 0) return true;
    fm_heap_free(heap, c->slots, c->slot_capacity * sizeof *c->slots);
    c->slots = fm_heap_zalloc(heap, need, sizeof *c->slots);
    c->slot_capacity = c->slots ? need : 0;
    c->stamp = 1;
    return c->slots != NULL;
}

/* Returns the value of a key; *fresh: it was new and got the value `next`. */
static uint32_t find_shared(struct coder *c, enum kind kind, uint64_t key, size_t next, bool *fresh)
{
    const size_t mask = c->slot_capacity - 1;
    size_t at = (size_t)((key + kind) * UINT64_C(0x9E3779B97F4A7C15) >> 32) & mask;
    while (c->slots[at].stamp == c->stamp && (c->slots[at].key != key || c->slots[at].kind != kind))
        at = (at + 1) & mask;
    *fresh = c->slots[at].stamp != c->stamp;
    if (*fresh) c->slots[at] = (struct slot){key, c->stamp, (uint32_t)next, kind};
    return c->slots[at].value;
}

/* The home file and the declaration line of the node's function; both unset if the node has no function. */
static void describe_node(const struct fm_plan *plan, uint32_t old_node, uint32_t *home, uint32_t *decl_line)
{
    const uint32_t old = old_node == FM_NONE ? FM_NONE : plan->builder->nodes[old_node].function;
    *home = old == FM_NONE ? FM_NONE : plan->homes[plan->functions.to_new[old]];
    *decl_line = old == FM_NONE ? 0 : plan->builder->functions[old].decl_line1;
}

static void fill_context(const struct fm_plan *plan, enum kind kind, uint32_t node, uint32_t file,
                         struct context *context)
{
    uint32_t home;
    context->kind = kind;
    context->node = node;
    context->file = file;
    context->file_code = context->decl_line = 0;
    context->least_line = context->greatest_line = 0;
    if (kind == KIND_GROUP) {
        context->node_code = (uint32_t)plan->nodes.count + plan->groups.to_new[node] + 1;
        return;
    }
    const uint32_t known = file == FM_NONE ? FM_NONE : plan->files.to_new[file];
    describe_node(plan, node, &home, &context->decl_line);
    context->node_code = node == FM_NONE ? 0 : plan->nodes.to_new[node] + 1;
    if (known != home) context->file_code = known == FM_NONE ? FMX_FILE_UNKNOWN : known + FMX_FILE_FIRST;
}

static inline uint32_t find_context(struct coder *c, enum kind kind, uint32_t node, uint32_t file)
{
    const size_t scanned = c->context_count < SCAN_CONTEXTS ? c->context_count : SCAN_CONTEXTS;
    bool fresh = true;
    for (size_t i = scanned; i-- > 0;)
        if (c->contexts[i].node == node && c->contexts[i].file == file && c->contexts[i].kind == kind)
            return (uint32_t)i;
    const uint32_t at = c->context_count < SCAN_CONTEXTS
                            ? (uint32_t)c->context_count
                            : find_shared(c, kind, (uint64_t)node << 32 | file, c->context_count, &fresh);
    if (fresh) fill_context(c->plan, kind, node, file, &c->contexts[c->context_count++]);
    return at;
}

/* The context of a plain row. Usually the same as the previous row's. */
static inline uint32_t plain_context(struct coder *c, const struct fm_row *row)
{
    if (c->last_context != FM_NONE && c->last_node == row->node && c->last_file == row->file) return c->last_context;
    c->last_node = row->node;
    c->last_file = row->file;
    return c->last_context = find_context(c, KIND_PLAIN, row->node, row->file);
}

static uint32_t find_name(struct coder *c, uint32_t string)
{
    if (string == FM_NONE) return 0;
    bool fresh;
    const uint32_t text = c->plan->texts.to_new[string], at = find_shared(c, KIND_NAME, text, c->name_count, &fresh);
    if (fresh) c->names[c->name_count++] = text;
    return at + 1;
}

static uint64_t saturated_line(uint64_t line, uint64_t more)
{
    return more > UINT32_MAX - line ? UINT32_MAX : line + more;
}

static inline void widen_context(struct coder *c, const struct cell *cell)
{
    struct context *context = &c->contexts[cell->context];
    const uint64_t line = cell->line;
    if (line - 1 < context->least_line - 1) context->least_line = line; /* 0 compares greater than all */
    if (line > context->greatest_line) context->greatest_line = line;
}

static void fill_from_answer(struct coder *c, const struct fm_answer *answer, uint64_t distance, struct cell *cell)
{
    const bool follows = (answer->flags & FM_PLACE_LINE_FOLLOWS) != 0;
    if (answer->flags & MODEL_GROUP) {
        cell->context = find_context(c, KIND_GROUP, answer->node, 0);
        cell->line = saturated_line(0, distance);
        return;
    }
    cell->context = find_context(c, follows ? KIND_FOLLOWS : KIND_PLAIN, answer->node, answer->file);
    cell->line = follows && answer->line1 != 0 ? saturated_line(answer->line1, distance) : answer->line1;
    cell->col = answer->col1;
    cell->name = find_name(c, answer->name);
}

/* Filled in place: copying a struct that was just written field by field would stall. distance: distance from the
 * entry's start to its place in the block, for a carried entry. */
static inline void add_entry(struct coder *c, uint64_t low, const struct fm_row *row, uint64_t distance)
{
    struct cell *cell = &c->cells[c->cell_count++];
    cell->low = low;
    cell->line = 0;
    cell->col = cell->name = 0;
    cell->context = FM_NONE;
    if (row->file == FM_ROW_GAP) {
        c->has_gap = true;
        return;
    }
    if (row->file == FM_ROW_OTHER) {
        fill_from_answer(c, &c->plan->builder->answers[row->node], distance, cell);
    } else {
        cell->context = plain_context(c, row);
        cell->line = row->line1;
        cell->col = row->col1;
    }
    c->cols |= cell->col;
    widen_context(c, cell);
}

/* The parameters of a block besides its lists. */
struct shape {
    uint64_t values[W_COUNT]; /* by field: all values or-ed together, or a value as wide */
    unsigned widths[W_COUNT];
    unsigned flags, index_width, name_width;
    bool follows;
    uint32_t node_base;
};

static uint64_t line_code(const struct coder *c, const struct cell *cell)
{
    return cell->line == 0 ? 0 : cell->line - c->contexts[cell->context].least_line + 1;
}
static uint64_t base_code(const struct context *context)
{
    return context->least_line == 0 ? 0 : fm_zigzag((int64_t)context->least_line - (int64_t)context->decl_line);
}
static uint64_t node_delta(const struct shape *shape, const struct context *context)
{
    return context->node_code == 0 ? 0 : (uint64_t)context->node_code - shape->node_base + 1;
}

static void widen(struct shape *shape, unsigned field, uint64_t value) { shape->values[field] |= value; }

static void measure_lists(const struct coder *c, struct shape *shape)
{
    for (size_t i = 0; i < c->context_count; i++) {
        const uint32_t code = c->contexts[i].node_code;
        if (code != 0 && (shape->node_base == 0 || code < shape->node_base)) shape->node_base = code;
    }
    for (size_t i = 0; i < c->context_count; i++) {
        const struct context *context = &c->contexts[i];
        widen(shape, W_NODE, node_delta(shape, context));
        widen(shape, W_FILE, context->file_code);
        widen(shape, W_BASE, base_code(context));
        if (context->greatest_line != 0) widen(shape, W_LINE, context->greatest_line - context->least_line + 1);
        shape->follows |= context->kind == KIND_FOLLOWS;
    }
    widen(shape, W_COL, c->cols);
    if (c->has_gap) shape->flags |= FMX_BLOCK_GAP;
}

static const unsigned short_widths[W_COUNT] = FMX_BLOCK_SHORT_WIDTHS, long_widths[W_COUNT] = FMX_BLOCK_LONG_WIDTHS;

/* The numbers of the head: rows less one, contexts, then widths. */
static uint64_t head_value(const struct coder *c, const struct shape *shape, unsigned field)
{
    if (field == W_ROWS) return c->cell_count - 1;
    if (field == W_CONTEXTS) return c->context_count;
    return shape->widths[field];
}

static struct shape block_shape_of(const struct coder *c, bool carried)
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

static void pack_head(const struct coder *c, const struct shape *shape, struct fm_bit_writer *writer)
{
    const bool is_long = (shape->flags & FMX_BLOCK_LONG) != 0;
    if (!is_long) { /* most heads fit one number */
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

/* Entry starts, Elias-Fano coded: upper bits in unary in one word, lower bits packed. */
static void pack_lows(const struct coder *c, struct fm_bit_writer *writer)
{
    const unsigned upper_bits = fmx_upper_bits(c->cell_count - 1, c->plan->shift),
                   lower_bits = c->plan->shift - upper_bits;
    const uint64_t lower = fm_bits_mask(lower_bits);
    uint64_t word = 0, lows = 0;
    unsigned held = 0; /* bits of lows */
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

/* Most entries take one store. */
static void pack_cells(const struct coder *c, const struct shape *shape, struct fm_bit_writer *writer)
{
    const unsigned name_at = shape->index_width, line_at = name_at + shape->name_width,
                   col_at = line_at + shape->widths[W_LINE];
    const unsigned whole = col_at + shape->widths[W_COL];
    for (size_t i = 0; i < c->cell_count; i++) {
        const struct cell *cell = &c->cells[i];
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

static void pack_contexts(const struct coder *c, const struct shape *shape, struct fm_bit_writer *writer)
{
    for (size_t i = 0; i < c->context_count; i++) {
        fm_bit_writer_put(writer, node_delta(shape, &c->contexts[i]), shape->widths[W_NODE]);
        fm_bit_writer_put(writer, c->contexts[i].file_code, shape->widths[W_FILE]);
        fm_bit_writer_put(writer, base_code(&c->contexts[i]), shape->widths[W_BASE]);
        if (shape->follows) fm_bit_writer_put(writer, c->contexts[i].kind == KIND_FOLLOWS, 1);
    }
}

/* Most bytes of a block, including those a bit writer may touch after it: all widths are below 64 bits. */
#define BLOCK_BYTES 48u   /* heads, node base, the word of upper bits */
#define CELL_BYTES 28u    /* lower bits, an index, a name, a line, a column */
#define CONTEXT_BYTES 24u /* a node, a file, a line base, a flag */
#define NAME_BYTES 4u

static bool reserve_block(struct coder *c)
{
    size_t need = c->size + BLOCK_BYTES;
    if (c->cell_count > (SIZE_MAX - need) / (CELL_BYTES + CONTEXT_BYTES + NAME_BYTES)) return false;
    need += c->cell_count * CELL_BYTES + c->context_count * CONTEXT_BYTES + c->name_count * NAME_BYTES;
    return FM_GROW(c->plan->heap, c->bytes, c->byte_capacity, need);
}

/* Returns the size of the block in bytes. */
static size_t pack_block(const struct coder *c, const struct shape *shape)
{
    struct fm_bit_writer writer = {.at = c->bytes + c->size};
    pack_head(c, shape, &writer);
    pack_lows(c, &writer);
    pack_cells(c, shape, &writer);
    pack_contexts(c, shape, &writer);
    for (size_t i = 0; i < c->name_count; i++) fm_bit_writer_put(&writer, c->names[i], c->text_width);
    return (size_t)(fm_bit_writer_end(&writer) - (c->bytes + c->size));
}

/* Packs the block and sets its offset in the stretch. A block of one carried entry that equals the previous block is
 * stored once: this is frequent inside large functions. */
static bool write_block(struct coder *c, bool carried, uint64_t *offset)
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

/* --- rows of a bucket --- */

/* Adds the rows from the next one on whose axis offset is below `end`. */
static size_t count_rows(const struct coder *c, uint64_t end)
{
    const struct fm_plan *plan = c->plan;
    size_t count = 0, row = c->row;
    for (size_t i = c->piece; i < plan->piece_count && plan->pieces[i].axis_offset < end; i++, row = 0) {
        const struct fm_piece *piece = &plan->pieces[i];
        const unsigned unit = plan->scopes[piece->scope].unit;
        const uint64_t room = end - piece->axis_offset;
        const size_t before = row;
        while (row < piece->count && (piece->rows[row].position - piece->first) >> unit < room) row++;
        count += row - before;
        if (row < piece->count) break;
    }
    return count;
}

/* The carried entry: the row before the next one covers the start of the bucket. */
static void add_carried(struct coder *c, uint64_t begin)
{
    add_entry(c, 0, &c->before, (begin - c->before_axis_offset) << c->before_unit);
}

/* Whether the next row is exactly there. */
static bool begins_at(const struct coder *c, uint64_t axis_offset)
{
    const struct fm_piece *piece = &c->plan->pieces[c->piece];
    return c->piece < c->plan->piece_count &&
           fm_piece_axis_offset(c->plan, piece, piece->rows[c->row].position) == axis_offset;
}

/* The last row added is kept for the next bucket. */
static void keep_before(struct coder *c)
{
    const struct fm_piece *piece = &c->plan->pieces[c->piece];
    c->before = piece->rows[c->row - 1];
    c->before_axis_offset = fm_piece_axis_offset(c->plan, piece, c->before.position);
    c->before_unit = c->plan->scopes[piece->scope].unit;
}

static void add_rows(struct coder *c, uint64_t begin, size_t count)
{
    const struct fm_plan *plan = c->plan;
    while (count > 0) {
        const struct fm_piece *piece = &plan->pieces[c->piece];
        const unsigned unit = plan->scopes[piece->scope].unit;
        const size_t left = piece->count - c->row, some = count < left ? count : left;
        for (size_t i = 0; i < some; i++) {
            const struct fm_row *row = &piece->rows[c->row + i];
            add_entry(c, piece->axis_offset - begin + ((row->position - piece->first) >> unit), row, 0);
        }
        c->row += some;
        count -= some;
        keep_before(c);
        if (c->row < piece->count) return;
        c->piece++;
        c->row = 0;
    }
}

/* The block of the bucket that starts at axis offset `begin`. */
static bool encode_bucket(struct coder *c, uint64_t begin, uint64_t *offset)
{
    const size_t count = count_rows(c, begin + (UINT64_C(1) << c->plan->shift));
    if (!start_block(c, count + 1)) return false;
    const bool carried = !begins_at(c, begin);
    if (carried) add_carried(c, begin);
    add_rows(c, begin, count);
    return write_block(c, carried, offset);
}

/* --- stretches --- */

#define STRETCH_BUCKETS 256u

/* The start of a stretch. The previous row is copied, because the stretch that has it may already be finished and its
 * memory freed. */
struct stretch_begin {
    size_t piece, row;
    struct fm_row before;
    uint64_t before_axis_offset;
    unsigned before_unit;
};

struct blocks {
    struct fm_plan *plan;
    struct coder coders[FM_THREAD_TEAM_MOST];
    struct stretch_begin *begins;
    atomic_size_t *left; /* by chunk of rows: rows that are not in a block yet */
    uint64_t *offsets;   /* by bucket: offset in its stretch, later in BLOCKS */
    uint64_t buckets;
    framemap_status (*beside)(struct fm_plan *plan, framemap_error *error);
    framemap_status beside_status;
    framemap_error *error;
};

/* Finds the first row that is not before `axis_offset`, and the row before it. */
static void seek(const struct fm_plan *plan, uint64_t axis_offset, struct stretch_begin *begin)
{
    size_t low = 0, high = plan->piece_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (plan->pieces[middle].axis_offset < axis_offset)
            low = middle;
        else
            high = middle;
    }
    const struct fm_piece *piece = &plan->pieces[low];
    size_t row = 0, end = piece->count;
    while (row < end) {
        const size_t middle = row + (end - row) / 2;
        if (fm_piece_axis_offset(plan, piece, piece->rows[middle].position) < axis_offset)
            row = middle + 1;
        else
            end = middle;
    }
    begin->piece = row < piece->count ? low : low + 1;
    begin->row = row < piece->count ? row : 0;
    if (row == 0) return; /* the first row of all */
    begin->before = piece->rows[row - 1];
    begin->before_axis_offset = fm_piece_axis_offset(plan, piece, begin->before.position);
    begin->before_unit = plan->scopes[piece->scope].unit;
}

static void start_stretch(struct coder *c, const struct stretch_begin *begin)
{
    c->size = c->last_at = c->last_size = 0;
    c->piece = begin->piece;
    c->row = begin->row;
    c->before = begin->before;
    c->before_axis_offset = begin->before_axis_offset;
    c->before_unit = begin->before_unit;
}

/* Counts down the rows of their chunks, and frees chunks that have none left. */
static void release(struct blocks *blocks, size_t chunk, size_t count)
{
    if (count > 0 && atomic_fetch_sub(&blocks->left[chunk], count) == count)
        fm_rows_free_chunk(&blocks->plan->builder->rows, chunk);
}

/* Calls release for the rows from a start to the coder's current row. */
static void release_rows(struct blocks *blocks, const struct coder *c, const struct stretch_begin *begin)
{
    const struct fm_piece *pieces = blocks->plan->pieces;
    size_t row = begin->row;
    for (size_t i = begin->piece; i < c->piece; i++, row = 0) release(blocks, pieces[i].chunk, pieces[i].count - row);
    if (c->piece < blocks->plan->piece_count) release(blocks, pieces[c->piece].chunk, c->row - row);
}

/* Shrinks the stretch's buffer to its size. */
static bool keep_stretch(const struct coder *c, struct fm_block_stretch *stretch)
{
    stretch->data = fm_heap_resize(c->plan->heap, NULL, 0, c->size);
    if (stretch->data == NULL) return false;
    memcpy(stretch->data, c->bytes, c->size);
    stretch->size = c->size;
    stretch->last_at = c->last_at;
    return true;
}

static bool encode_stretch(struct blocks *blocks, struct coder *c, size_t item)
{
    const struct fm_plan *plan = blocks->plan;
    struct fm_block_stretch *stretch = &blocks->plan->stretches[item];
    const uint64_t first = (uint64_t)item * STRETCH_BUCKETS;
    const uint64_t end = blocks->buckets - first < STRETCH_BUCKETS ? blocks->buckets : first + STRETCH_BUCKETS;
    start_stretch(c, &blocks->begins[item]);
    for (uint64_t i = first; i < end; i++) {
        if (!encode_bucket(c, i << plan->shift, &blocks->offsets[i])) return false;
        if (i == first) stretch->first_size = c->alone ? c->size : 0;
    }
    release_rows(blocks, c, &blocks->begins[item]);
    return keep_stretch(c, stretch);
}

/* The other work cannot be divided, so it starts first. A single thread does it last, when the rows have been freed. */
static bool encode_item(void *context, unsigned worker, size_t item)
{
    struct blocks *blocks = context;
    const size_t beside = blocks->plan->builder->threads > 1 ? 0 : blocks->plan->stretch_count;
    if (item != beside) return encode_stretch(blocks, &blocks->coders[worker], item - (item > beside));
    blocks->beside_status = blocks->beside(blocks->plan, blocks->error);
    return blocks->beside_status == FRAMEMAP_OK;
}

/* Places a stretch after the previous ones. If its first block equals the last block so far, it is stored once, as
 * inside a stretch. last: the stretch with the last block, initially NULL; last_at: its offset in BLOCKS. */
static uint64_t lay_stretch(struct fm_block_stretch *stretch, const struct fm_block_stretch *last, uint64_t size,
                            uint64_t *last_at)
{
    const size_t last_size = last ? last->size - last->last_at : 0;
    stretch->at = size;
    if (stretch->first_size > 0 && stretch->first_size == last_size &&
        memcmp(stretch->data, last->data + last->last_at, last_size) == 0)
        stretch->skipped = last_size;
    stretch->before = *last_at;
    if (stretch->size > stretch->skipped) *last_at = size + stretch->last_at - stretch->skipped;
    return size + stretch->size - stretch->skipped;
}

/* Writes the bytes of BLOCKS. */
static uint64_t lay_stretches(struct blocks *blocks)
{
    const struct fm_block_stretch *last = NULL;
    uint64_t size = 0, last_at = 0;
    for (size_t i = 0; i < blocks->plan->stretch_count; i++) {
        struct fm_block_stretch *stretch = &blocks->plan->stretches[i];
        const uint64_t first = (uint64_t)i * STRETCH_BUCKETS;
        size = lay_stretch(stretch, last, size, &last_at);
        if (stretch->size > stretch->skipped) last = stretch;
        for (uint64_t j = first; j < blocks->buckets && j - first < STRETCH_BUCKETS; j++)
            blocks->offsets[j] = blocks->offsets[j] < stretch->skipped
                                     ? stretch->before
                                     : stretch->at + blocks->offsets[j] - stretch->skipped;
    }
    return size;
}

static void fill_blocks(void *context, const struct fm_output_section *output, unsigned char *to)
{
    const struct fm_plan *plan = context;
    (void)output;
    for (size_t i = 0; i < plan->stretch_count; i++) {
        const struct fm_block_stretch *stretch = &plan->stretches[i];
        memcpy(to + stretch->at, stretch->data + stretch->skipped, stretch->size - stretch->skipped);
    }
}

void fm_blocks_free(struct fm_plan *plan)
{
    for (size_t i = 0; i < plan->stretch_count; i++)
        fm_heap_free(plan->heap, plan->stretches[i].data, plan->stretches[i].size);
    fm_heap_free(plan->heap, plan->stretches, plan->stretch_count * sizeof *plan->stretches);
    plan->stretches = NULL;
    plan->stretch_count = 0;
}

static void free_filled(void *context) { fm_blocks_free(context); }

/* --- all sections --- */

/* Bucket offsets are collected unpacked (64 bits); they are packed when the greatest, and so the width, is known. */
static void bucket_row(void *context, uint64_t row, uint64_t fields[FMX_FIELDS])
{
    const uint64_t *offsets = context;
    fields[BUCKET_BLOCK] = offsets[row];
}
FM_OUTPUT_ROWS(bucket)

static void coders_init(struct blocks *blocks)
{
    const struct fm_plan *plan = blocks->plan;
    for (unsigned i = 0; i < FM_THREAD_TEAM_MOST; i++)
        blocks->coders[i] = (struct coder){.plan = plan,
                                           .node_width = fm_bits_for(plan->nodes.count + plan->groups.count),
                                           .text_width = plan->texts.count ? fm_bits_for(plan->texts.count - 1) : 0};
}

static bool write_sheets(struct blocks *blocks)
{
    struct fm_output_section *output = &blocks->plan->outputs[FMX_BLOCKS];
    const uint64_t size = lay_stretches(blocks);
    output->count = size;
    output->bits.bits = size * 8;
    output->fill = fill_blocks;
    output->done = free_filled;
    output->context = blocks->plan;
    return fm_output_section_write(&blocks->plan->outputs[FMX_BUCKETS], blocks->buckets, bucket_rows, blocks->offsets);
}

static bool prepare(struct blocks *blocks, size_t count)
{
    struct fm_plan *plan = blocks->plan;
    const size_t chunks = plan->builder->rows.chunk_count;
    blocks->offsets = fm_heap_zalloc(plan->heap, (size_t)blocks->buckets, sizeof *blocks->offsets);
    blocks->begins = fm_heap_zalloc(plan->heap, count, sizeof *blocks->begins);
    blocks->left = fm_heap_zalloc(plan->heap, chunks, sizeof *blocks->left);
    plan->stretches = fm_heap_zalloc(plan->heap, count, sizeof *plan->stretches);
    plan->stretch_count = plan->stretches ? count : 0;
    coders_init(blocks);
    if (blocks->offsets == NULL || blocks->begins == NULL || blocks->left == NULL || plan->stretches == NULL)
        return false;
    for (size_t i = 0; i < count; i++) seek(plan, (uint64_t)i * STRETCH_BUCKETS << plan->shift, &blocks->begins[i]);
    for (size_t i = 0; i < chunks; i++) atomic_init(&blocks->left[i], 0);
    for (size_t i = 0; i < plan->piece_count; i++)
        atomic_fetch_add(&blocks->left[plan->pieces[i].chunk], plan->pieces[i].count);
    return true;
}

static void blocks_free(struct blocks *blocks, size_t count)
{
    struct fm_heap *heap = blocks->plan->heap;
    for (unsigned i = 0; i < FM_THREAD_TEAM_MOST; i++) coder_free(&blocks->coders[i]);
    fm_heap_free(heap, blocks->offsets, (size_t)blocks->buckets * sizeof *blocks->offsets);
    fm_heap_free(heap, blocks->begins, count * sizeof *blocks->begins);
    fm_heap_free(heap, blocks->left, blocks->plan->builder->rows.chunk_count * sizeof *blocks->left);
}

framemap_status fm_encode_blocks(struct fm_plan *plan,
                                 framemap_status (*beside)(struct fm_plan *plan, framemap_error *error),
                                 framemap_error *error)
{
    struct blocks blocks = {
        .plan = plan, .buckets = ((plan->axis_length - 1) >> plan->shift) + 1, .beside = beside, .error = error};
    if (blocks.buckets > SIZE_MAX) return fm_error_memory(error);
    const size_t count = ((size_t)blocks.buckets - 1) / STRETCH_BUCKETS + 1;
    const bool ok = prepare(&blocks, count) &&
                    fm_thread_team_run(plan->builder->threads, count + 1, encode_item, &blocks) &&
                    write_sheets(&blocks);
    blocks_free(&blocks, count);
    if (blocks.beside_status != FRAMEMAP_OK) return blocks.beside_status;
    return ok ? FRAMEMAP_OK : fm_error_memory(error);
}
