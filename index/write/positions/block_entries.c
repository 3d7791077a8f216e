/* Makes the entries of a block from the rows of a bucket (an interval of the axis of positions), with the numbers that
 * they have in the file, and the contexts and names that they share. Called by block_encoder.c. It does not know how
 * entries become bits (block_packer.c). */
#include "index/write/positions/block_coder.h"

/* Hash table of the current block's contexts (after the first few) and names; slots with an older stamp are empty. */
struct fm_block_slot {
    uint64_t key;
    uint32_t stamp, value;
    enum fm_block_kind kind;
};
#define SCAN_CONTEXTS 8u /* maximum number of contexts that are compared one by one: most blocks have fewer */

void fm_block_coder_free(struct fm_block_coder *c)
{
    struct fm_heap *heap = c->plan->heap;
    fm_heap_free(heap, c->cells, c->cell_capacity * sizeof *c->cells);
    fm_heap_free(heap, c->contexts, c->context_capacity * sizeof *c->contexts);
    fm_heap_free(heap, c->names, c->name_capacity * sizeof *c->names);
    fm_heap_free(heap, c->slots, c->slot_capacity * sizeof *c->slots);
    fm_heap_free(heap, c->bytes, c->byte_capacity);
}

/* Starts an empty block. rows: the most rows that it can get. */
static bool start_block(struct fm_block_coder *c, size_t rows)
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

/* Returns the value of a key in the hash table. *fresh: set if the key was not there, and was added with the value
 * `next`. */
static uint32_t find_shared(struct fm_block_coder *c, enum fm_block_kind kind, uint64_t key, size_t next, bool *fresh)
{
    const size_t mask = c->slot_capacity - 1;
    size_t at = (size_t)((key + kind) * UINT64_C(0x9E3779B97F4A7C15) >> 32) & mask;
    while (c->slots[at].stamp == c->stamp && (c->slots[at].key != key || c->slots[at].kind != kind))
        at = (at + 1) & mask;
    *fresh = c->slots[at].stamp != c->stamp;
    if (*fresh) c->slots[at] = (struct fm_block_slot){key, c->stamp, (uint32_t)next, kind};
    return c->slots[at].value;
}

/* Gets the home file (plan->homes) and the declaration line of the function of a node; FM_NONE and 0 if the node has no
 * function. */
static void describe_node(const struct fm_plan *plan, uint32_t old_node, uint32_t *home, uint32_t *decl_line)
{
    const uint32_t old = old_node == FM_NONE ? FM_NONE : plan->builder->nodes[old_node].function;
    *home = old == FM_NONE ? FM_NONE : plan->homes[plan->functions.to_new[old]];
    *decl_line = old == FM_NONE ? 0 : plan->builder->functions[old].decl_line1;
}

static void fill_context(const struct fm_plan *plan, enum fm_block_kind kind, uint32_t node, uint32_t file,
                         struct fm_block_context *context)
{
    uint32_t home;
    context->kind = kind;
    context->node = node;
    context->file = file;
    context->file_code = context->decl_line = 0;
    context->least_line = context->greatest_line = 0;
    if (kind == FM_BLOCK_KIND_GROUP) {
        context->node_code = (uint32_t)plan->nodes.count + plan->groups.to_new[node] + 1;
        return;
    }
    const uint32_t known = file == FM_NONE ? FM_NONE : plan->files.to_new[file];
    describe_node(plan, node, &home, &context->decl_line);
    context->node_code = node == FM_NONE ? 0 : plan->nodes.to_new[node] + 1;
    if (known != home) context->file_code = known == FM_NONE ? FMX_FILE_UNKNOWN : known + FMX_FILE_FIRST;
}

static inline uint32_t find_context(struct fm_block_coder *c, enum fm_block_kind kind, uint32_t node, uint32_t file)
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

/* Returns the context of a row that has one location and a line that does not grow with the position. It is usually the
 * context of the previous row. */
static inline uint32_t plain_context(struct fm_block_coder *c, const struct fm_row *row)
{
    if (c->last_context != FM_NONE && c->last_node == row->node && c->last_file == row->file) return c->last_context;
    c->last_node = row->node;
    c->last_file = row->file;
    return c->last_context = find_context(c, FM_BLOCK_KIND_PLAIN, row->node, row->file);
}

static uint32_t find_name(struct fm_block_coder *c, uint32_t string)
{
    if (string == FM_NONE) return 0;
    bool fresh;
    const uint32_t text = c->plan->texts.to_new[string],
                   at = find_shared(c, FM_BLOCK_KIND_NAME, text, c->name_count, &fresh);
    if (fresh) c->names[c->name_count++] = text;
    return at + 1;
}

static uint64_t saturated_line(uint64_t line, uint64_t more)
{
    return more > UINT32_MAX - line ? UINT32_MAX : line + more;
}

static inline void widen_context(struct fm_block_coder *c, const struct fm_block_cell *cell)
{
    struct fm_block_context *context = &c->contexts[cell->context];
    const uint64_t line = cell->line;
    if (line - 1 < context->least_line - 1)
        /* Subtracting 1 turns a line of 0 (no line) into the greatest number, so that it is never the least line. */
        context->least_line = line;
    if (line > context->greatest_line) context->greatest_line = line;
}

static void fill_from_answer(struct fm_block_coder *c, const struct fm_answer *answer, uint64_t distance,
                             struct fm_block_cell *cell)
{
    const bool follows = (answer->flags & FM_PLACE_LINE_FOLLOWS) != 0;
    if (answer->flags & MODEL_GROUP) {
        cell->context = find_context(c, FM_BLOCK_KIND_GROUP, answer->node, 0);
        cell->line = saturated_line(0, distance);
        return;
    }
    cell->context = find_context(c, follows ? FM_BLOCK_KIND_FOLLOWS : FM_BLOCK_KIND_PLAIN, answer->node, answer->file);
    cell->line = follows && answer->line1 != 0 ? saturated_line(answer->line1, distance) : answer->line1;
    cell->col = answer->col1;
    cell->name = find_name(c, answer->name);
}

/* Adds an entry. It is filled in place, because copying a struct that was just written field by field would stall.
 * distance: 0, or, for an entry that started in an earlier bucket, the distance from the entry's start to the start of
 * this bucket. */
static inline void add_entry(struct fm_block_coder *c, uint64_t low, const struct fm_row *row, uint64_t distance)
{
    struct fm_block_cell *cell = &c->cells[c->cell_count++];
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

/* --- reading the rows of a bucket --- */

/* Returns how many rows, from the next one on, start before the offset `end` of the axis of positions. */
static size_t count_rows(const struct fm_block_coder *c, uint64_t end)
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

/* Adds the carried entry: the last row of an earlier bucket, which covers the start of this one. */
static void add_carried(struct fm_block_coder *c, uint64_t begin)
{
    add_entry(c, 0, &c->before, (begin - c->before_axis_offset) << c->before_unit);
}

/* Whether the next row starts exactly at an offset of the axis of positions. */
static bool begins_at(const struct fm_block_coder *c, uint64_t axis_offset)
{
    const struct fm_piece *piece = &c->plan->pieces[c->piece];
    return c->piece < c->plan->piece_count &&
           fm_piece_axis_offset(c->plan, piece, piece->rows[c->row].position) == axis_offset;
}

/* Copies the row that was added last, because the next bucket may begin within it. */
static void keep_before(struct fm_block_coder *c)
{
    const struct fm_piece *piece = &c->plan->pieces[c->piece];
    c->before = piece->rows[c->row - 1];
    c->before_axis_offset = fm_piece_axis_offset(c->plan, piece, c->before.position);
    c->before_unit = c->plan->scopes[piece->scope].unit;
}

static void add_rows(struct fm_block_coder *c, uint64_t begin, size_t count)
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

bool fm_block_read(struct fm_block_coder *c, uint64_t begin, bool *carried)
{
    const size_t count = count_rows(c, begin + (UINT64_C(1) << c->plan->shift));
    if (!start_block(c, count + 1)) return false;
    *carried = !begins_at(c, begin);
    if (*carried) add_carried(c, begin);
    add_rows(c, begin, count);
    return true;
}
