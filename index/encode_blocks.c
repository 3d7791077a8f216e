/* BUCKETS and BLOCKS: the entries of each bucket, packed relative to what they have in common. */
#include "core/fault.h"
#include "index/bits.h"
#include "index/model.h"

/* One entry of a block, resolved to the file's numbers. */
struct cell {
    uint64_t low;                /* spot in the bucket */
    uint64_t line;               /* 0 none; of a group: how far the bucket's begin is behind the entry's */
    uint32_t col, context, name; /* context: FM_NONE for a gap; name: 0 none, n + 1 the n-th of the block */
};
/* What several entries of a block share. */
struct context {
    uint32_t node_code, file_code; /* node_code: 0 none, n + 1 node n, behind the nodes the groups */
    bool follows;
    uint32_t decl_line;
    uint64_t least_line; /* 0: no entry has a line */
};
/* Finds what the current block has had already; a slot of an older stamp is empty. */
enum kind { KIND_CONTEXT, KIND_CONTEXT_FOLLOWS, KIND_NAME };
struct slot {
    uint64_t key;
    uint32_t stamp, value;
    enum kind kind;
};
/* Fields whose width a block's head tells, in the head's order. */
enum { W_ROWS, W_CONTEXTS, W_LINE, W_COL, W_FILE, W_NODE, W_BASE, W_COUNT };

struct coder {
    struct fm_plan *plan;
    struct fm_packer *out;
    unsigned node_width, text_width; /* of the node base and of a name, in this file */
    struct cell *cells;
    struct context *contexts;
    uint32_t *names; /* texts */
    struct slot *slots;
    size_t cell_count, context_count, name_count, cell_capacity, context_capacity, name_capacity, slot_capacity;
    uint32_t stamp;
    uint64_t last_at, last_size; /* the block before */
};

static void coder_free(struct coder *c)
{
    struct fm_heap *heap = c->plan->heap;
    fm_heap_free(heap, c->cells, c->cell_capacity * sizeof *c->cells);
    fm_heap_free(heap, c->contexts, c->context_capacity * sizeof *c->contexts);
    fm_heap_free(heap, c->names, c->name_capacity * sizeof *c->names);
    fm_heap_free(heap, c->slots, c->slot_capacity * sizeof *c->slots);
}

static bool start_block(struct coder *c, size_t rows)
{
    struct fm_heap *heap = c->plan->heap;
    c->cell_count = c->context_count = c->name_count = 0;
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

/* The value of a key; *fresh: it is new and has got the value `next`. */
static uint32_t find(struct coder *c, enum kind kind, uint64_t key, size_t next, bool *fresh)
{
    const size_t mask = c->slot_capacity - 1;
    size_t at = (size_t)((key + kind) * UINT64_C(0x9E3779B97F4A7C15) >> 32) & mask;
    while (c->slots[at].stamp == c->stamp && (c->slots[at].key != key || c->slots[at].kind != kind)) at = (at + 1) & mask;
    *fresh = c->slots[at].stamp != c->stamp;
    if (*fresh) c->slots[at] = (struct slot){key, c->stamp, (uint32_t)next, kind};
    return c->slots[at].value;
}

static uint32_t find_context(struct coder *c, const struct context *wanted)
{
    bool fresh;
    const uint64_t key = (uint64_t)wanted->node_code << 32 | wanted->file_code;
    const uint32_t at = find(c, wanted->follows ? KIND_CONTEXT_FOLLOWS : KIND_CONTEXT, key, c->context_count, &fresh);
    if (fresh) c->contexts[c->context_count++] = *wanted;
    return at;
}

static uint32_t find_name(struct coder *c, uint32_t string)
{
    if (string == FM_NONE) return 0;
    bool fresh;
    const uint32_t text = c->plan->texts.to_new[string], at = find(c, KIND_NAME, text, c->name_count, &fresh);
    if (fresh) c->names[c->name_count++] = text;
    return at + 1;
}

/* The home file and the declared line of the node's function; none of both without one. */
static void describe_node(const struct fm_plan *plan, uint32_t old_node, uint32_t *home, uint32_t *decl_line)
{
    const uint32_t old = old_node == FM_NONE ? FM_NONE : plan->builder->nodes[old_node].function;
    *home = old == FM_NONE ? FM_NONE : plan->homes[plan->functions.to_new[old]];
    *decl_line = old == FM_NONE ? 0 : plan->builder->functions[old].decl_line1;
}

static struct context context_of(const struct fm_plan *plan, const struct fm_answer *answer)
{
    if (answer->flags & MODEL_GROUP)
        return (struct context){.node_code = (uint32_t)plan->nodes.count + plan->groups.to_new[answer->node] + 1};
    struct context context = {.follows = (answer->flags & FM_PLACE_LINE_FOLLOWS) != 0};
    uint32_t home;
    const uint32_t file = answer->file == FM_NONE ? FM_NONE : plan->files.to_new[answer->file];
    describe_node(plan, answer->node, &home, &context.decl_line);
    context.node_code = answer->node == FM_NONE ? 0 : plan->nodes.to_new[answer->node] + 1;
    if (file != home) context.file_code = file == FM_NONE ? FMX_FILE_UNKNOWN : file + FMX_FILE_FIRST;
    return context;
}

static uint64_t add_line(uint64_t line, uint64_t more) { return more > UINT32_MAX - line ? UINT32_MAX : line + more; }

/* behind: positions between the entry's begin and where the block has it, for the entry that a bucket carries. */
static void add_cell(struct coder *c, uint64_t low, uint32_t id, uint64_t behind)
{
    struct cell cell = {.low = low, .context = FM_NONE};
    if (id != FM_NONE) {
        const struct fm_answer *answer = &c->plan->builder->answers[id];
        const struct context context = context_of(c->plan, answer);
        cell.context = find_context(c, &context);
        if (answer->flags & MODEL_GROUP) {
            cell.line = add_line(0, behind);
        } else {
            cell.line = context.follows && answer->line1 != 0 ? add_line(answer->line1, behind) : answer->line1;
            cell.col = answer->col1;
            cell.name = find_name(c, answer->name);
        }
        uint64_t *least = &c->contexts[cell.context].least_line;
        if (cell.line != 0 && (*least == 0 || cell.line < *least)) *least = cell.line;
    }
    c->cells[c->cell_count++] = cell;
}

/* What is packed into a block, beside its lists. */
struct shape {
    uint64_t values[W_COUNT]; /* greatest value of each field */
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
        shape->follows |= context->follows;
    }
    for (size_t i = 0; i < c->cell_count; i++) {
        if (c->cells[i].context == FM_NONE)
            shape->flags |= FMX_BLOCK_GAP;
        else
            widen(shape, W_LINE, line_code(c, &c->cells[i]));
        widen(shape, W_COL, c->cells[i].col);
    }
}

static const unsigned short_widths[W_COUNT] = FMX_BLOCK_SHORT_WIDTHS, long_widths[W_COUNT] = FMX_BLOCK_LONG_WIDTHS;

/* What the head says of each field: rows less one, contexts, then widths. */
static uint64_t head_value(const struct coder *c, const struct shape *shape, unsigned field)
{
    if (field == W_ROWS) return c->cell_count - 1;
    if (field == W_CONTEXTS) return c->context_count;
    return shape->widths[field];
}

static struct shape shape_of(const struct coder *c, bool carried)
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

static void pack_head(const struct coder *c, const struct shape *shape)
{
    const bool is_long = (shape->flags & FMX_BLOCK_LONG) != 0;
    fm_pack(c->out, shape->flags, 4);
    for (unsigned f = 0; f < W_COUNT; f++) fm_pack(c->out, head_value(c, shape, f), (is_long ? long_widths : short_widths)[f]);
    fm_pack_align(c->out);
    if (shape->flags & FMX_BLOCK_MORE) {
        fm_pack(c->out, shape->follows, 1);
        fm_pack(c->out, c->name_count, is_long ? 31 : 15);
    }
    if (c->context_count > 0) fm_pack(c->out, shape->node_base, c->node_width);
}

/* Where entries begin: their upper parts as ones in a word, their lower parts one by one. */
static void pack_lows(const struct coder *c)
{
    const unsigned upper_bits = fmx_upper_bits(c->cell_count - 1, c->plan->shift), lower_bits = c->plan->shift - upper_bits;
    uint64_t word = 0;
    for (size_t i = 1; upper_bits > 0 && i < c->cell_count; i++) word |= UINT64_C(1) << ((c->cells[i].low >> lower_bits) + i - 1);
    if (upper_bits > 0) fm_pack(c->out, word, (unsigned)c->cell_count - 1 + (1u << upper_bits));
    for (size_t i = 1; i < c->cell_count; i++) fm_pack(c->out, c->cells[i].low, lower_bits);
}

static void pack_block(const struct coder *c, const struct shape *shape)
{
    pack_head(c, shape);
    pack_lows(c);
    for (size_t i = 0; i < c->cell_count; i++) {
        const struct cell *cell = &c->cells[i];
        const bool gap = cell->context == FM_NONE;
        fm_pack(c->out, gap ? c->context_count : cell->context, shape->index_width);
        fm_pack(c->out, cell->name, shape->name_width);
        fm_pack(c->out, gap ? 0 : line_code(c, cell), shape->widths[W_LINE]);
        fm_pack(c->out, cell->col, shape->widths[W_COL]);
    }
    for (size_t i = 0; i < c->context_count; i++) {
        fm_pack(c->out, node_delta(shape, &c->contexts[i]), shape->widths[W_NODE]);
        fm_pack(c->out, c->contexts[i].file_code, shape->widths[W_FILE]);
        fm_pack(c->out, base_code(&c->contexts[i]), shape->widths[W_BASE]);
        if (shape->follows) fm_pack(c->out, c->contexts[i].follows, 1);
    }
    for (size_t i = 0; i < c->name_count; i++) fm_pack(c->out, c->names[i], c->text_width);
    fm_pack_align(c->out);
}

/* Writes the block and returns its offset. A block of one carried entry that equals the block before it is not kept twice: long stretches
 * of one answer. */
static uint64_t write_block(struct coder *c, bool carried)
{
    const uint64_t at = fm_packer_bytes(c->out);
    const struct shape shape = shape_of(c, carried);
    pack_block(c, &shape);
    if (c->out->failed) return 0;
    const uint64_t size = fm_packer_bytes(c->out) - at;
    if (carried && c->cell_count == 1 && size == c->last_size && memcmp(c->out->data + c->last_at, c->out->data + at, (size_t)size) == 0) {
        fm_packer_rewind(c->out, at);
        return c->last_at;
    }
    c->last_at = at;
    c->last_size = size;
    return at;
}

/* The block of the bucket that begins at spot `begin`. *row: the first row of the bucket, moved to the first of the next. */
static bool encode_bucket(struct coder *c, uint64_t begin, size_t *row, uint64_t *at)
{
    const struct fm_plan *plan = c->plan;
    const uint64_t width = UINT64_C(1) << plan->shift;
    size_t end = *row;
    while (end < plan->row_count && plan->rows[end].key - begin < width) end++;
    if (!start_block(c, end - *row + 1)) return false;
    const bool carried = *row == end || plan->rows[*row].key != begin;
    if (carried) {
        const struct fm_sort_item *before = &plan->rows[*row - 1];
        add_cell(c, 0, before->id, (begin - before->key) << plan->scopes[before->group].unit);
    }
    for (size_t i = *row; i < end; i++) add_cell(c, plan->rows[i].key - begin, plan->rows[i].id, 0);
    *row = end;
    *at = write_block(c, carried);
    return !c->out->failed;
}

/* Bucket offsets are collected as bytes and packed when the greatest is known. */
static void bucket_row(void *context, uint64_t row, uint64_t fields[FMX_FIELDS])
{
    const uint64_t *offsets = context;
    fields[BUCKET_BLOCK] = offsets[row];
}

framemap_status fm_encode_blocks(struct fm_plan *plan, framemap_error *error)
{
    const uint64_t buckets = ((plan->spots - 1) >> plan->shift) + 1;
    uint64_t *offsets = buckets > SIZE_MAX ? NULL : fm_heap_zalloc(plan->heap, (size_t)buckets, sizeof *offsets);
    if (offsets == NULL) return fm_fault_memory(error);
    struct coder c = {.plan = plan,
                      .out = &plan->sheets[FMX_BLOCKS].bits,
                      .node_width = fm_bits_for(plan->nodes.count + plan->groups.count),
                      .text_width = plan->texts.count ? fm_bits_for(plan->texts.count - 1) : 0};
    bool ok = true;
    size_t row = 0;
    for (uint64_t i = 0; i < buckets && ok; i++) ok = encode_bucket(&c, i << plan->shift, &row, &offsets[i]);
    plan->sheets[FMX_BLOCKS].count = fm_packer_bytes(c.out);
    ok = ok && fm_sheet_write(&plan->sheets[FMX_BUCKETS], buckets, bucket_row, offsets);
    coder_free(&c);
    fm_heap_free(plan->heap, offsets, (size_t)buckets * sizeof *offsets);
    return ok ? FRAMEMAP_OK : fm_fault_memory(error);
}
