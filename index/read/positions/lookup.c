/* Looks up a position: decodes the block of the bucket (an interval of the axis of positions) that the position is in,
 * and finds the entry that covers it. Handles all block layouts, and detects damage. */
#include "index/read/positions/lookup.h"
#include "core/limits.h"
#include "index/read/positions/scope_decoder.h"
#include "index/read/table/tables.h"

/* The greatest width of any field of a block: that of a signed distance between two 32-bit lines. Sums of two such
 * values cannot overflow. Widths in a short head cannot exceed it. */
#define CODE_BITS_MOST 34

static const unsigned long_widths[] = FMX_BLOCK_LONG_WIDTHS;

/* Removes the lowest bits of a word and returns them. */
static uint32_t take(uint64_t *word, unsigned width)
{
    const uint32_t value = (uint32_t)(*word & fm_bits_mask(width));
    *word >>= width;
    return value;
}

/* Reads a short head, which is one word. */
static void read_short_head(struct fm_block *block, uint64_t word)
{
    static const unsigned widths[] = FMX_BLOCK_SHORT_WIDTHS;
    word >>= 4;
    block->rows = take(&word, widths[0]);
    block->contexts = take(&word, widths[1]);
    block->line_width = take(&word, widths[2]);
    block->col_width = take(&word, widths[3]);
    block->file_width = take(&word, widths[4]);
    block->node_width = take(&word, widths[5]);
    block->base_width = take(&word, widths[6]);
}

/* Reads a long head. Returns false if the block is damaged. */
static bool read_long_head(struct fm_block *block)
{
    uint32_t values[7];
    uint64_t bit = 4;
    for (unsigned i = 0; i < 7; i++) {
        values[i] = (uint32_t)fm_bits_get(block->data, bit, long_widths[i]);
        bit += long_widths[i];
        if (values[i] > CODE_BITS_MOST && i >= 2) return false;
    }
    if (values[0] == UINT32_MAX || values[1] == UINT32_MAX) return false;
    block->rows = values[0];
    block->contexts = values[1];
    block->line_width = values[2];
    block->col_width = values[3];
    block->file_width = values[4];
    block->node_width = values[5];
    block->base_width = values[6];
    return true;
}

/* Computes the offsets of a block's parts from its head. bit: end of the head; left: bytes up to the end of the
 * section. false: damaged. */
static bool lay_out(const struct fm_view *view, struct fm_block *block, uint64_t bit, uint64_t left)
{
    const uint32_t kinds = block->contexts + ((block->flags & FMX_BLOCK_GAP) != 0);
    if (kinds == 0) return false;
    block->rows++;
    block->node_base = 0;
    if (block->contexts > 0) {
        block->node_base = (uint32_t)fm_bits_get(block->data, bit, view->node_width);
        bit += view->node_width;
    }
    block->index_width = fm_bits_for(kinds - 1);
    block->name_width = fm_bits_for(block->names);
    block->row_bits = block->index_width + block->name_width + block->line_width + block->col_width;
    block->context_bits = block->node_width + block->file_width + block->base_width + block->follows;
    const uint32_t entries = block->rows - 1; /* number of rows except the first, whose start is not stored */
    block->shift = view->shift;
    block->upper_bits = fmx_upper_bits(entries, view->shift);
    block->lower_bits = view->shift - block->upper_bits;
    if (block->upper_bits > 0) {
        const unsigned width = entries + (1u << block->upper_bits);
        if ((bit + width + 7) / 8 > left) return false;
        block->uppers = fm_bits_get_wide(block->data, bit, width);
        block->upper_counts = fm_count_bytes(block->uppers);
        if (block->upper_counts >> 56 != entries || block->uppers >> (width - 1) != 0)
            return false; /* the word with the upper bits of entry starts must end with a zero bit */
        bit += width;
    }
    block->lows_at = bit;
    block->rows_at = block->lows_at + (uint64_t)entries * block->lower_bits;
    block->contexts_at = block->rows_at + (uint64_t)block->rows * block->row_bits;
    block->names_at = block->contexts_at + (uint64_t)block->contexts * block->context_bits;
    block->end = (block->names_at + (uint64_t)block->names * view->text_width + 7) / 8;
    return true;
}

bool fm_block_open(const struct fm_view *view, uint64_t bucket, struct fm_block *block)
{
    const struct fm_packed *blocks = &view->tables[FMX_BLOCKS];
    const uint64_t at = fm_field(&view->tables[FMX_BUCKETS], bucket, BUCKET_BLOCK);
    if (at >= blocks->size) return false;
    const uint64_t left = blocks->size - at;
    block->data = blocks->data + at;
    const uint64_t word = fm_load64(block->data);
    block->flags = (unsigned)word & 15;
    const bool is_long = (block->flags & FMX_BLOCK_LONG) != 0;
    uint64_t bit = is_long ? FMX_BLOCK_LONG_BITS : FMX_BLOCK_SHORT_BITS;
    if (bit / 8 > left) return false;
    if (!is_long)
        read_short_head(block, word);
    else if (!read_long_head(block))
        return false;
    block->follows = false;
    block->names = 0;
    if (block->flags & FMX_BLOCK_MORE) {
        const unsigned width = is_long ? 32 : 16;
        const uint64_t more = fm_bits_get(block->data, bit, width);
        block->follows = more & 1;
        block->names = (uint32_t)(more >> 1);
        bit += width;
    }
    return bit / 8 <= left && lay_out(view, block, bit, left) && block->end <= left;
}

/* --- finding an entry by its offset on the axis of positions --- */

/* Returns the lower bits of an entry's start; `entry` does not count the first entry. */
static uint64_t lower_part(const struct fm_block *block, uint32_t entry)
{
    return fm_bits_get_wide(block->data, block->lows_at + (uint64_t)entry * block->lower_bits, block->lower_bits);
}

/* Returns the start of an entry (Elias-Fano coded). `at` is the number of the entry's set bit in the word of upper
 * bits; the zeros before that bit are counted to get the upper part. */
static uint64_t joined_parts(const struct fm_block *block, uint32_t entry, unsigned at)
{
    return (uint64_t)(at - entry) << block->lower_bits | lower_part(block, entry);
}

uint64_t fm_block_low(const struct fm_block *block, uint32_t row)
{
    if (row == 0) return 0;
    if (block->upper_bits == 0) return lower_part(block, row - 1);
    uint64_t ones = block->uppers;
    for (uint32_t i = 1; i < row; i++) ones &= ones - 1;
    return joined_parts(block, row - 1, fm_lowest_bit(ones));
}

/* Finds the row by binary search, in blocks without upper bits, which have few entries or very many. */
static struct fm_block_span find_plain(const struct fm_block *block, uint64_t low)
{
    uint32_t first = 0, count = block->rows;
    while (count > 1) {
        const uint32_t half = count / 2;
        if (lower_part(block, first + half - 1) <= low) first += half;
        count -= half;
    }
    return (struct fm_block_span){first, first == 0 ? 0 : lower_part(block, first - 1),
                                  first + 1 < block->rows ? lower_part(block, first) : UINT64_C(1) << block->shift};
}

struct fm_block_span fm_block_find(const struct fm_block *block, uint64_t low)
{
    if (block->upper_bits == 0) return find_plain(block, low);
    /* The entries with upper part u are after the u-th zero of the word. The word was checked when the block was
     * opened, so it has enough zeros. */
    const unsigned upper = (unsigned)(low >> block->lower_bits);
    const uint64_t lower = low & fm_bits_mask(block->lower_bits);
    unsigned at = upper == 0 ? 0 : fm_select_zero(block->uppers, block->upper_counts, upper) + 1;
    uint32_t entry = at - upper;
    for (; (block->uppers >> at & 1) != 0 && lower_part(block, entry) <= lower; at++) entry++;
    /* `entry` is the first entry that starts after the offset. Entry 0 is the start of row 1, so row number `entry`
     * covers the offset. */
    struct fm_block_span span = {entry, 0, UINT64_C(1) << block->shift};
    const uint64_t before = block->uppers & fm_bits_mask(at), after = block->uppers >> at;
    if (before != 0) span.begin = joined_parts(block, entry - 1, fm_highest_bit(before));
    if (after != 0) span.end = joined_parts(block, entry, at + fm_lowest_bit(after));
    return span;
}

/* --- decoding an entry --- */

/* Decodes what the entries of a context share: node, file, base line. */
static bool read_context(const struct fm_view *view, const struct fm_block *block, uint64_t context, uint64_t line_code,
                         struct fm_hit *out)
{
    uint64_t bit = block->contexts_at + context * block->context_bits;
    const uint64_t delta = fm_bits_get(block->data, bit, block->node_width), nodes = view->node_count;
    bit += block->node_width;
    const uint64_t node_code = delta == 0 ? 0 : block->node_base + delta - 1,
                   file_code = fm_bits_get(block->data, bit, block->file_width);
    bit += block->file_width;
    if (file_code > UINT32_MAX) return false;
    out->place_count = 1;
    out->entry.node_code = (uint32_t)node_code;
    out->entry.file_code = (uint32_t)file_code;
    out->entry.has_line = line_code != 0;
    out->entry.line = fm_unzigzag(fm_bits_get(block->data, bit, block->base_width)) + (int64_t)line_code - 1;
    if (block->follows) out->entry.follows = fm_bits_get(block->data, bit + block->base_width, 1) != 0;
    if (node_code <= nodes) return true;
    uint64_t first, end;
    if (!fm_group_places(view, node_code - nodes - 1, &first, &end)) return false;
    out->place_count = (uint32_t)(end - first);
    return true;
}

bool fm_block_entry(const struct fm_view *view, const struct fm_block *block, uint32_t row, struct fm_hit *out)
{
    uint64_t bit = block->rows_at + (uint64_t)row * block->row_bits;
    const uint64_t context = fm_bits_get(block->data, bit, block->index_width);
    bit += block->index_width;
    if (context >= block->contexts) return context == block->contexts && (block->flags & FMX_BLOCK_GAP) != 0;
    if (block->names > 0) {
        const uint64_t name = fm_bits_get(block->data, bit, block->name_width);
        bit += block->name_width;
        if (name > block->names) return false;
        if (name > 0)
            out->entry.name_code =
                (uint32_t)fm_bits_get(block->data, block->names_at + (name - 1) * view->text_width, view->text_width) +
                1;
    }
    const uint64_t line_code = fm_bits_get(block->data, bit, block->line_width);
    out->entry.col1 = (uint32_t)fm_bits_get(block->data, bit + block->line_width, block->col_width);
    return read_context(view, block, context, line_code, out);
}

bool fm_group_places(const struct fm_view *view, uint64_t group, uint64_t *first, uint64_t *end)
{
    const struct fm_packed *groups = &view->tables[FMX_GROUPS];
    if (groups->count == 0 || group >= groups->count - 1) return false;
    *first = fm_field(groups, group, GROUP_PLACE);
    *end = fm_field(groups, group + 1, GROUP_PLACE);
    return *first < *end && *end <= view->tables[FMX_PLACES].count && *end - *first <= FM_LIMIT_ALTERNATIVES;
}

/* --- making hits --- */

static framemap_status nothing(struct fm_hit *out, uint64_t scope, uint64_t position, uint64_t start, uint64_t end)
{
    *out = (struct fm_hit){.scope = scope, .position = position, .start = start, .end = end};
    return FRAMEMAP_OK;
}

static framemap_status fill_hit(const struct fm_view *view, const struct fm_axis_position *axis_offset,
                                const struct fm_block *block, struct fm_hit *out)
{
    const uint64_t bucket = axis_offset->axis_offset >> view->shift << view->shift;
    const struct fm_block_span span = fm_block_find(block, axis_offset->axis_offset - bucket);
    const uint64_t start = bucket + span.begin;
    out->start = fm_axis_to_position(axis_offset, start);
    out->end = fm_axis_to_position(axis_offset, bucket + span.end);
    return start >= axis_offset->begin && fm_block_entry(view, block, span.row, out) ? FRAMEMAP_OK : FRAMEMAP_E_CORRUPT;
}

framemap_status fm_view_lookup(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_hit *out)
{
    struct fm_axis_position axis_offset;
    struct fm_block block;
    const enum fm_axis_result result = fm_axis_find(view, scope, position, &axis_offset);
    if (result == FM_AXIS_DAMAGED) return FRAMEMAP_E_CORRUPT;
    if (result == FM_AXIS_BEFORE) return nothing(out, scope, position, 0, axis_offset.next);
    const uint64_t bucket = axis_offset.axis_offset >> view->shift;
    if (bucket >= view->tables[FMX_BUCKETS].count) return FRAMEMAP_E_CORRUPT;
    if (!fm_block_open(view, bucket, &block)) return FRAMEMAP_E_CORRUPT;
    *out = (struct fm_hit){.scope = scope, .position = position};
    return fill_hit(view, &axis_offset, &block, out);
}
