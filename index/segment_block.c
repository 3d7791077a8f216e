/* Packing a block of segments. What neighbouring segments say alike is said once: sources and lines as contexts, names as a list. */
#include "core/fault.h"
#include "index/model.h"
#include "index/pen.h"

#define SLOTS 128u             /* of the table that finds names: twice as many as a block has */
#define BLOCK_BYTES_MOST 2048u /* 64 segments of at most 57 + 7 + 7 + 32 + 32 bits, 64 contexts of 64, 64 names of 32 */

struct context {
    uint32_t source, least, most; /* original lines */
};
struct block {
    const struct fm_segment *segments;
    const uint64_t *spots;
    unsigned count;
    struct context contexts[FMX_SEGMENTS_EACH];
    uint32_t names[FMX_SEGMENTS_EACH];
    uint8_t context_of[FMX_SEGMENTS_EACH], name_of[FMX_SEGMENTS_EACH]; /* name: 0 none, else its number and one */
    uint8_t slots[SLOTS];
    unsigned numbers[SEGMENTS_NUMBERS];
};

static unsigned find_context(struct block *block, uint32_t source, uint32_t line0, unsigned last)
{
    unsigned *count = &block->numbers[SEGMENTS_CONTEXTS], i = last;
    if (i >= *count || block->contexts[i].source != source)
        for (i = 0; i < *count && block->contexts[i].source != source; i++) continue;
    struct context *context = &block->contexts[i];
    if (i == *count) {
        *context = (struct context){source, line0, line0};
        (*count)++;
    }
    if (line0 < context->least) context->least = line0;
    if (line0 > context->most) context->most = line0;
    return i;
}

static unsigned find_name(struct block *block, uint32_t name)
{
    unsigned *count = &block->numbers[SEGMENTS_NAMES], at = (unsigned)(name * UINT32_C(0x9E3779B1) >> 25);
    for (; block->slots[at] != 0; at = (at + 1) & (SLOTS - 1))
        if (block->names[block->slots[at] - 1] == name) return block->slots[at];
    block->names[(*count)++] = name;
    block->slots[at] = (uint8_t)*count;
    return *count;
}

/* What stands in a block, and how wide its fields are. */
static void measure(struct block *block)
{
    unsigned last = 0;
    uint32_t cols = 0, lines = 0, sources = 0, bases = 0, names = 0;
    for (unsigned i = 0; i < block->count; i++) {
        const struct fm_segment *segment = &block->segments[i];
        if (segment->name != FM_NONE) block->name_of[i] = (uint8_t)find_name(block, segment->name);
        if (segment->source == FM_NONE) {
            block->numbers[SEGMENTS_GAP] = 1;
            continue;
        }
        block->context_of[i] = (uint8_t)(last = find_context(block, segment->source, segment->original_line0, last));
        cols |= segment->original_col0;
    }
    for (unsigned i = 0; i < block->numbers[SEGMENTS_CONTEXTS]; i++) {
        lines |= block->contexts[i].most - block->contexts[i].least;
        sources |= block->contexts[i].source;
        bases |= block->contexts[i].least;
    }
    for (unsigned i = 0; i < block->numbers[SEGMENTS_NAMES]; i++) names |= block->names[i];
    block->numbers[SEGMENTS_SPOT] = fm_bits_for(block->spots[block->count - 1] - block->spots[0]);
    block->numbers[SEGMENTS_LINE] = fm_bits_for(lines);
    block->numbers[SEGMENTS_COL] = fm_bits_for(cols);
    block->numbers[SEGMENTS_SOURCE] = fm_bits_for(sources);
    block->numbers[SEGMENTS_BASE] = fm_bits_for(bases);
    block->numbers[SEGMENTS_NAME] = fm_bits_for(names);
}

static const uint8_t head_widths[SEGMENTS_NUMBERS] = FMX_SEGMENTS_HEAD_WIDTHS;

static void put_row(struct fm_pen *pen, const struct block *block, unsigned i, unsigned context_bits, unsigned name_bits)
{
    const struct fm_segment *segment = &block->segments[i];
    const unsigned *n = block->numbers;
    const bool gap = segment->source == FM_NONE;
    fm_pen_put(pen, gap ? n[SEGMENTS_CONTEXTS] : block->context_of[i], context_bits);
    fm_pen_put(pen, block->name_of[i], name_bits);
    fm_pen_put(pen, gap ? 0 : segment->original_line0 - block->contexts[block->context_of[i]].least, n[SEGMENTS_LINE]);
    fm_pen_put(pen, gap ? 0 : segment->original_col0, n[SEGMENTS_COL]);
}

static unsigned char *put_block(unsigned char *to, const struct block *block)
{
    struct fm_pen pen = {.at = to};
    const unsigned *n = block->numbers;
    const unsigned contexts = n[SEGMENTS_CONTEXTS], name_bits = fm_bits_for(n[SEGMENTS_NAMES]),
                   context_bits = contexts + n[SEGMENTS_GAP] == 0 ? 0 : fm_bits_for(contexts + n[SEGMENTS_GAP] - 1);
    for (unsigned i = 0; i < SEGMENTS_NUMBERS; i++) fm_pen_put(&pen, n[i], head_widths[i]);
    for (unsigned i = 1; i < block->count; i++) fm_pen_put_wide(&pen, block->spots[i] - block->spots[0], n[SEGMENTS_SPOT]);
    for (unsigned i = 0; i < block->count; i++) put_row(&pen, block, i, context_bits, name_bits);
    for (unsigned i = 0; i < contexts; i++) {
        fm_pen_put(&pen, block->contexts[i].source, n[SEGMENTS_SOURCE]);
        fm_pen_put(&pen, block->contexts[i].least, n[SEGMENTS_BASE]);
    }
    for (unsigned i = 0; i < n[SEGMENTS_NAMES]; i++) fm_pen_put(&pen, block->names[i], n[SEGMENTS_NAME]);
    return fm_pen_end(&pen);
}

framemap_status fm_pack_segments(struct fm_builder *b, framemap_error *error)
{
    struct fm_segment_form *form = &b->segments;
    struct block block = {.segments = form->pending, .spots = form->spots, .count = form->pending_count};
    if (form->block_count >= UINT32_MAX - 2) return fm_fault(error, FRAMEMAP_E_LIMIT, "more than 256 billion segments");
    if (form->byte_count > SIZE_MAX / 4 || !FM_GROW(b->heap, form->blocks, form->block_capacity, form->block_count + 1) ||
        !FM_GROW(b->heap, form->bytes, form->byte_capacity, form->byte_count + BLOCK_BYTES_MOST))
        return fm_fault_memory(error);
    measure(&block);
    form->blocks[form->block_count++] = (struct fm_segment_block_record){form->spots[0], form->byte_count};
    form->byte_count = (size_t)(put_block(form->bytes + form->byte_count, &block) - form->bytes);
    form->segment_count += block.count;
    if (block.numbers[SEGMENTS_CONTEXTS] > 0) form->has_lines = true;
    form->pending_count = 0;
    return FRAMEMAP_OK;
}
