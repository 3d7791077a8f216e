/* Encodes BUCKETS and BLOCKS, one block for each bucket (an interval of the axis of positions). Threads encode
 * stretches of buckets, which are then joined; the bytes do not depend on how the buckets are divided. Called by
 * finish.c. block_entries.c and block_packer.c make the contents of a block. */
#include "core/error.h"
#include "core/thread_team.h"
#include "index/format/bits.h"
#include "index/write/positions/block_coder.h"
#include <stdatomic.h>

#define STRETCH_BUCKETS 256u

/* The start of a stretch: adjacent buckets that one thread encodes. The previous row is copied, because the stretch
 * that has it may already be finished and its memory freed. */
struct stretch_begin {
    size_t piece, row;
    struct fm_row before;
    uint64_t before_axis_offset;
    unsigned before_unit;
};

struct blocks {
    struct fm_plan *plan;
    struct fm_block_coder coders[FM_THREAD_TEAM_MOST];
    struct stretch_begin *begins;
    atomic_size_t *left; /* for each chunk: number of its rows that are not in a block yet */
    /* for each bucket: offset of its block, first in the bytes that one thread has encoded, later in BLOCKS */
    uint64_t *offsets;
    uint64_t buckets;
    framemap_status (*beside)(struct fm_plan *plan, framemap_error *error);
    framemap_status beside_status;
    framemap_error *error;
};

/* Writes the block of the bucket that starts at offset `begin` of the axis of positions. *offset: where it was
 * written. */
static bool encode_bucket(struct fm_block_coder *c, uint64_t begin, uint64_t *offset)
{
    bool carried;
    return fm_block_read(c, begin, &carried) && fm_block_write(c, carried, offset);
}

/* Finds the first row at or after an offset of the axis of positions, and the row before it. */
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
    if (row == 0) return; /* no row precedes the first one */
    begin->before = piece->rows[row - 1];
    begin->before_axis_offset = fm_piece_axis_offset(plan, piece, begin->before.position);
    begin->before_unit = plan->scopes[piece->scope].unit;
}

static void start_stretch(struct fm_block_coder *c, const struct stretch_begin *begin)
{
    c->size = c->last_at = c->last_size = 0;
    c->piece = begin->piece;
    c->row = begin->row;
    c->before = begin->before;
    c->before_axis_offset = begin->before_axis_offset;
    c->before_unit = begin->before_unit;
}

/* Subtracts encoded rows from the count of their chunk, and frees the chunk when none is left. */
static void release(struct blocks *blocks, size_t chunk, size_t count)
{
    if (count > 0 && atomic_fetch_sub(&blocks->left[chunk], count) == count)
        fm_rows_free_chunk(&blocks->plan->builder->rows, chunk);
}

/* Calls `release` for the rows of the buckets that were encoded, from the given start up to the coder's current row. */
static void release_rows(struct blocks *blocks, const struct fm_block_coder *c, const struct stretch_begin *begin)
{
    const struct fm_piece *pieces = blocks->plan->pieces;
    size_t row = begin->row;
    for (size_t i = begin->piece; i < c->piece; i++, row = 0) release(blocks, pieces[i].chunk, pieces[i].count - row);
    if (c->piece < blocks->plan->piece_count) release(blocks, pieces[c->piece].chunk, c->row - row);
}

/* Copies the encoded blocks from the coder's buffer into memory of exactly their size, because the coder is used again.
 * Returns false if out of memory. */
static bool keep_stretch(const struct fm_block_coder *c, struct fm_block_stretch *stretch)
{
    stretch->data = fm_heap_resize(c->plan->heap, NULL, 0, c->size);
    if (stretch->data == NULL) return false;
    memcpy(stretch->data, c->bytes, c->size);
    stretch->size = c->size;
    stretch->last_at = c->last_at;
    return true;
}

static bool encode_stretch(struct blocks *blocks, struct fm_block_coder *c, size_t item)
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

/* Encodes an item: a stretch of buckets, or else the work that cannot be divided. With several threads that work is
 * started first; a single thread does it last, when the rows have been freed. */
static bool encode_item(void *context, unsigned worker, size_t item)
{
    struct blocks *blocks = context;
    const size_t beside = blocks->plan->builder->threads > 1 ? 0 : blocks->plan->stretch_count;
    if (item != beside) return encode_stretch(blocks, &blocks->coders[worker], item - (item > beside));
    blocks->beside_status = blocks->beside(blocks->plan, blocks->error);
    return blocks->beside_status == FRAMEMAP_OK;
}

/* Places the blocks of one stretch (the buckets that one thread has encoded) after those of the earlier stretches. If
 * the stretch's first block equals the last block so far, the block is not stored again. last: the stretch with the
 * last block so far, initially NULL; last_at: offset of that block in BLOCKS. */
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

/* --- encoding all sections of blocks --- */

/* Fills a row of BUCKETS. The offsets of buckets are collected unpacked, in 64 bits, and packed when the greatest
 * offset, and so the width of the field, is known. */
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
        blocks->coders[i] =
            (struct fm_block_coder){.plan = plan,
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
    for (unsigned i = 0; i < FM_THREAD_TEAM_MOST; i++) fm_block_coder_free(&blocks->coders[i]);
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
