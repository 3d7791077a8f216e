/* Packs a block of segments. What neighbouring segments have in common is stored once: sources and lines as contexts,
 * names as a list. */
#include "core/error.h"
#include "index/write/bit_writer.h"
#include "index/write/model/builder_model.h"

/* maximum number of bytes of a block: 64 segments of at most 57 + 7 + 7 + 32 + 32 bits, 64 contexts of 64 bits, 64
 * names of 32 bits */
#define BLOCK_BYTES_MOST 2048u
#define PIECE_LEAST ((size_t)8 << 10)
#define PIECE_MOST ((size_t)1 << 20)

struct context {
    uint32_t source, least, most; /* least, most: the least and the greatest original line */
};
struct segment_block {
    const struct fm_segment *segments;
    const uint64_t *axis_offsets;
    unsigned count;
    unsigned numbers[SEGMENTS_NUMBERS];
    uint32_t *seen, mark;
    struct context contexts[FMX_SEGMENTS_EACH];
    uint32_t names[FMX_SEGMENTS_EACH + 1];                             /* the block's names, from index 1 on */
    uint8_t context_of[FMX_SEGMENTS_EACH], name_of[FMX_SEGMENTS_EACH]; /* name_of: 0 if the segment has no name */
};

static unsigned find_context(struct segment_block *block, uint32_t source, uint32_t line0, unsigned last)
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

/* Returns the number of a name in the block; 0 for no name. `seen` has the block's mark plus this number for each name
 * of the block, and less than the mark for all other names. There are no branches, because it is unpredictable whether
 * a name is new to its block. */
static inline uint8_t find_name(struct segment_block *block, uint32_t name)
{
    /* For a segment without a name, `name` is FM_NONE, so name + 1 wraps to 0. Entry 0 of `seen` always has the value
     * of block->mark, so the number 0 is returned. */
    uint32_t *seen = &block->seen[(uint32_t)(name + 1)];
    const uint32_t known = *seen - block->mark, fresh = known > FMX_SEGMENTS_EACH;
    const unsigned count = block->numbers[SEGMENTS_NAMES] += fresh;
    const uint32_t number = known ^ ((known ^ count) & (0u - fresh));
    block->names[number] = name;
    *seen = block->mark + number;
    return (uint8_t)number;
}

static void take_segments(struct segment_block *block, uint32_t *cols)
{
    unsigned last = 0;
    for (unsigned i = 0; i < block->count; i++) {
        const struct fm_segment *segment = &block->segments[i];
        block->name_of[i] = find_name(block, segment->name);
        if (segment->source == FM_NONE) {
            block->numbers[SEGMENTS_GAP] = 1;
            continue;
        }
        block->context_of[i] = (uint8_t)(last = find_context(block, segment->source, segment->original_line0, last));
        *cols |= segment->original_col0;
    }
}

/* Measures the contents of a block, and the widths of its fields. */
static void measure_segments(struct segment_block *block)
{
    uint32_t cols = 0, lines = 0, sources = 0, bases = 0, names = 0;
    take_segments(block, &cols);
    for (unsigned i = 0; i < block->numbers[SEGMENTS_CONTEXTS]; i++) {
        lines |= block->contexts[i].most - block->contexts[i].least;
        sources |= block->contexts[i].source;
        bases |= block->contexts[i].least;
    }
    for (unsigned i = 0; i < block->numbers[SEGMENTS_NAMES]; i++) names |= block->names[i + 1];
    block->numbers[SEGMENTS_AXIS] = fm_bits_for(block->axis_offsets[block->count - 1] - block->axis_offsets[0]);
    block->numbers[SEGMENTS_LINE] = fm_bits_for(lines);
    block->numbers[SEGMENTS_COL] = fm_bits_for(cols);
    block->numbers[SEGMENTS_SOURCE] = fm_bits_for(sources);
    block->numbers[SEGMENTS_BASE] = fm_bits_for(bases);
    block->numbers[SEGMENTS_NAME] = fm_bits_for(names);
}

static const uint8_t head_widths[SEGMENTS_NUMBERS] = FMX_SEGMENTS_HEAD_WIDTHS;

/* The fields of a row: context and name together as one number, line, and column. */
struct segment_row {
    uint64_t things, line, col;
};
static inline struct segment_row row_of(const struct segment_block *block, unsigned i, unsigned context_bits)
{
    const struct fm_segment *segment = &block->segments[i];
    const uint64_t name = (uint64_t)block->name_of[i] << context_bits;
    if (segment->source == FM_NONE) return (struct segment_row){block->numbers[SEGMENTS_CONTEXTS] | name, 0, 0};
    const unsigned context = block->context_of[i];
    return (struct segment_row){context | name, segment->original_line0 - block->contexts[context].least,
                                segment->original_col0};
}

/* Writes the rows. Those that are narrow enough, which is nearly all, are each written with one store. */
static void put_segment_rows(struct fm_bit_writer *writer, const struct segment_block *block, unsigned context_bits,
                             unsigned name_bits)
{
    const unsigned things = context_bits + name_bits, line = block->numbers[SEGMENTS_LINE],
                   col = block->numbers[SEGMENTS_COL];
    const bool narrow = things + line + col <= 56;
    for (unsigned i = 0; i < block->count; i++) {
        const struct segment_row row = row_of(block, i, context_bits);
        if (narrow) {
            fm_bit_writer_put(writer, row.things | row.line << things | row.col << (things + line),
                              things + line + col);
            continue;
        }
        fm_bit_writer_put(writer, row.things | row.line << things, things + line);
        fm_bit_writer_put(writer, row.col, col);
    }
}

static void put_axis_offsets(struct fm_bit_writer *writer, const struct segment_block *block)
{
    const unsigned width = block->numbers[SEGMENTS_AXIS];
    const uint64_t first = block->axis_offsets[0];
    for (unsigned i = 1; i < block->count; i++) fm_bit_writer_put_wide(writer, block->axis_offsets[i] - first, width);
}

static unsigned char *put_block(unsigned char *to, const struct segment_block *block)
{
    struct fm_bit_writer writer = {.at = to};
    const unsigned *n = block->numbers;
    const unsigned contexts = n[SEGMENTS_CONTEXTS], name_bits = fm_bits_for(n[SEGMENTS_NAMES]),
                   context_bits = contexts + n[SEGMENTS_GAP] == 0 ? 0 : fm_bits_for(contexts + n[SEGMENTS_GAP] - 1);
    for (unsigned i = 0; i < SEGMENTS_NUMBERS; i++) fm_bit_writer_put(&writer, n[i], head_widths[i]);
    put_axis_offsets(&writer, block);
    put_segment_rows(&writer, block, context_bits, name_bits);
    for (unsigned i = 0; i < contexts; i++) {
        fm_bit_writer_put(&writer, block->contexts[i].source, n[SEGMENTS_SOURCE]);
        fm_bit_writer_put(&writer, block->contexts[i].least, n[SEGMENTS_BASE]);
    }
    for (unsigned i = 0; i < n[SEGMENTS_NAMES]; i++) fm_bit_writer_put(&writer, block->names[i + 1], n[SEGMENTS_NAME]);
    return fm_bit_writer_end(&writer);
}

/* Adds a piece for packed blocks, unless the last piece has room for one more block. The size of pieces grows with the
 * total, up to the size from which allocators return freed memory to the system. */
static bool make_piece(struct fm_builder *b)
{
    struct fm_segment_form *form = &b->segments;
    const struct fm_segment_piece *last = form->piece_count ? &form->pieces[form->piece_count - 1] : NULL;
    if (last && last->capacity - last->size >= BLOCK_BYTES_MOST) return true;
    if (!FM_GROW(b->heap, form->pieces, form->piece_capacity, form->piece_count + 1)) return false;
    const size_t capacity = form->byte_count < PIECE_LEAST  ? PIECE_LEAST
                            : form->byte_count < PIECE_MOST ? form->byte_count
                                                            : PIECE_MOST;
    unsigned char *data = fm_heap_resize(b->heap, NULL, 0, capacity);
    if (data == NULL) return false;
    form->pieces[form->piece_count++] = (struct fm_segment_piece){data, 0, capacity};
    return true;
}

/* Reserves room for one more block, and raises `mark` above all entries of `seen`, so that the block starts without
 * names. */
static framemap_status reserve_block(struct fm_builder *b, framemap_error *error)
{
    struct fm_segment_form *form = &b->segments;
    const size_t before = form->seen_capacity;
    if (form->block_count >= UINT32_MAX - 2)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "more than 256 billion segments");
    if (form->byte_count > SIZE_MAX / 4 ||
        !FM_GROW(b->heap, form->blocks, form->block_capacity, form->block_count + 1) || !make_piece(b) ||
        !FM_GROW(b->heap, form->seen, form->seen_capacity, form->name_count + 1))
        return fm_error_memory(error);
    memset(form->seen + before, 0, (form->seen_capacity - before) * sizeof *form->seen);
    form->mark += FMX_SEGMENTS_EACH + 1;
    if (form->mark > UINT32_MAX - FMX_SEGMENTS_EACH) {
        memset(form->seen, 0, form->seen_capacity * sizeof *form->seen);
        form->mark = 1;
    }
    form->seen[0] = form->mark;
    return FRAMEMAP_OK;
}

framemap_status fm_encode_segments(struct fm_builder *b, const struct fm_segment *segments, framemap_error *error)
{
    struct fm_segment_form *form = &b->segments;
    struct segment_block block; /* the struct is not zeroed, which would take too long for the many blocks of a map */
    const framemap_status status = reserve_block(b, error);
    if (status != FRAMEMAP_OK) return status;
    block.segments = segments;
    block.axis_offsets = form->axis_offsets;
    block.count = form->pending_count;
    block.seen = form->seen;
    block.mark = form->mark;
    memset(block.numbers, 0, sizeof block.numbers);
    measure_segments(&block);
    form->blocks[form->block_count++] = (struct fm_segment_block_record){form->axis_offsets[0], form->byte_count};
    struct fm_segment_piece *piece = &form->pieces[form->piece_count - 1];
    unsigned char *const begin = piece->data + piece->size;
    const size_t size = (size_t)(put_block(begin, &block) - begin);
    piece->size += size;
    form->byte_count += size;
    form->segment_count += block.count;
    form->pending_count = 0;
    if (block.numbers[SEGMENTS_CONTEXTS] > 0) form->has_lines = true;
    return FRAMEMAP_OK;
}
