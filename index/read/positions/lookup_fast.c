/* Fast path of fm_view_lookup: decodes the common block layout with one 64-bit load per part. Any other layout falls
 * back to fm_view_lookup, which handles all of them and diagnoses damage. */
#include "index/read/positions/lookup_fast.h"
#include "core/cpu.h"
#include "index/read/positions/scope_decoder.h"
#include "index/read/table/tables.h"

/* --- executing steps for which CPUs with BMI2 have instructions --- */

/* `bmi2` is a compile-time constant in each caller, so only one variant of each function remains. */

#if FM_CPU_HAS_BMI2
FM_WITH_BMI2 static inline unsigned count_bmi2(uint64_t word) { return (unsigned)__builtin_popcountll(word); }
FM_WITH_BMI2 static inline uint64_t spread_bmi2(uint64_t bits, uint64_t mask)
{
    return __builtin_ia32_pdep_di(bits, mask);
}
FM_WITH_BMI2 static inline unsigned lowest_bmi2(uint64_t word)
{
    return (unsigned)__builtin_ia32_tzcnt_u64(word);
} /* the function returns 64 if no bit of the word is set */
#endif

/* Returns the number of set bits. Portable variant: stores *counts for after_zero. */
static FM_INLINED unsigned count_ones(uint64_t word, uint64_t *counts, bool bmi2)
{
#if FM_CPU_HAS_BMI2
    if (bmi2) return count_bmi2(word);
#endif
    (void)bmi2;
    *counts = fm_count_bytes(word);
    return (unsigned)(*counts >> 56);
}

/* Returns the position after the n-th clear bit, counted from 1; 0 for n = 0. */
static FM_INLINED unsigned after_zero(uint64_t word, uint64_t counts, unsigned n, bool bmi2)
{
#if FM_CPU_HAS_BMI2
    if (bmi2) /* the word is shifted by one and gets a clear bit 0, whose position is the answer for n = 0 */
        return fm_lowest_bit(spread_bmi2(UINT64_C(1) << n, ~word << 1 | 1));
#endif
    (void)bmi2;
    return n == 0 ? 0 : fm_select_zero(word, counts, n) + 1;
}

enum { TOGETHER = 4, LANE = 16, LANE_WIDTH_MOST = 14 };

/* Returns the lowest `width` bits of a word; width at most 63. */
static FM_INLINED uint64_t low_bits(uint64_t word, unsigned width) { return word & ((UINT64_C(1) << width) - 1); }

/* Counts packed numbers that are at most `most`. The count ends after four numbers, at the first greater number, and at
 * the first whose bit in `same` is clear. width: at most LANE_WIDTH_MOST. */
static FM_INLINED unsigned not_above(uint64_t numbers, unsigned width, uint64_t most, uint64_t same, bool bmi2)
{
#if FM_CPU_HAS_BMI2
    /* compares four numbers at once, one in each 16-bit lane; the highest bit of a lane stays set unless its
     * subtraction borrows from it */
    if (bmi2) {
        const uint64_t ones = UINT64_C(0x0001000100010001), highs = ones << (LANE - 1);
        const uint64_t lanes = spread_bmi2(numbers, (ones << width) - ones);
        return lowest_bmi2((~((most * ones | highs) - lanes) & highs) | spread_bmi2(~same, highs)) / LANE;
    }
#endif
    (void)bmi2;
    unsigned found = 0;
    for (unsigned i = 0; i < TOGETHER; i++, numbers >>= width)
        found |= (unsigned)(low_bits(numbers, width) <= most) << i;
    return fm_lowest_bit(~(found & same));
}

/* A block of the common layout: with contexts and one word of upper parts (Elias-Fano), without names and without
 * contexts whose line increases with the position. The head is kept packed and its fields are extracted when needed,
 * because there are more fields than registers. Offsets are in bits from data. */
struct common_block {
    const unsigned char *data;
    uint64_t head;
    uint64_t uppers, counts; /* the word of upper parts, and its fm_count_bytes */
    uint64_t node_base, lows_at;
    unsigned entries, lower_bits;
};
static FM_INLINED unsigned head_field(const struct common_block *block, unsigned at, unsigned width)
{
    return (unsigned)(block->head >> at) & ((1u << width) - 1);
}
/* Bit offsets in the short head, as literals: the assertions below fail if a change of layout.h moves a field. */
enum {
    GAP_AT = 2,
    ENTRIES_AT = 4,
    CONTEXTS_AT = 12,
    LINE_AT = 18,
    COL_AT = 22,
    FILE_AT = 26,
    NODE_AT = 31,
    BASE_AT = 36
};
#define PINNED(at, layout) _Static_assert((int)(at) == (int)(layout), "a field of the short head has moved")
PINNED(1 << GAP_AT, FMX_BLOCK_GAP);
PINNED(ENTRIES_AT, FMX_SHORT_ENTRIES_AT);
PINNED(CONTEXTS_AT, FMX_SHORT_CONTEXTS_AT);
PINNED(LINE_AT, FMX_SHORT_LINE_AT);
PINNED(COL_AT, FMX_SHORT_COL_AT);
PINNED(FILE_AT, FMX_SHORT_FILE_AT);
PINNED(NODE_AT, FMX_SHORT_NODE_AT);
PINNED(BASE_AT, FMX_SHORT_BASE_AT);
PINNED(FMX_BLOCK_SHORT_BITS, FMX_SHORT_END);

/* The least and the greatest number of entries of blocks with one word of upper parts. */
enum { UPPER_FROM = 4, UPPER_TO = 60 };
/* COMMON_BYTES is more than the size of any block of the common layout: after the head, such a block has at most 60
 * entries with lower parts of 14 bits, 61 rows of 36 bits and 63 contexts of 57 bits, a node base, and a word.
 * READ_BYTES is how many bytes are read before it is known whether a block has that layout; some of them may follow the
 * end of the section. */
#define COMMON_BYTES UINT64_C(1024)
#define READ_BYTES UINT64_C(16)
_Static_assert(FMX_BLOCK_SHORT_BITS + 64 + 64 + UPPER_TO * LANE_WIDTH_MOST +
                       (UPPER_TO + 1) * (FMX_SHORT_CONTEXTS + (1 << FMX_SHORT_LINE) - 1 + (1 << FMX_SHORT_COL) - 1) +
                       ((1 << FMX_SHORT_CONTEXTS) - 1) * 57 + 64 <=
                   COMMON_BYTES * 8,
               "no block of the common shape is longer");

void fm_lookup_fast_open(struct fm_view *view)
{
    enum { UPPER_MOST = 5, UPPER_LEAST = 2 }; /* range of the results of fmx_upper_bits_most for blocks with one word */
    const uint64_t size = view->tables[FMX_BLOCKS].size;
    view->has_bmi2 = fm_cpu_bmi2();
    view->read_end = view->common_end = 0;
    if (view->shift < UPPER_MOST || view->shift > LANE_WIDTH_MOST + UPPER_LEAST) return;
    if (size >= READ_BYTES) view->read_end = size - READ_BYTES + 1;
    if (size >= COMMON_BYTES) view->common_end = size - COMMON_BYTES + 1;
}

/* Whether a block near the end of the section ends within it. left: bytes from the block to the end of the section. */
static FM_APART bool fits(struct common_block block, uint64_t left)
{
    const unsigned contexts = head_field(&block, CONTEXTS_AT, FMX_SHORT_CONTEXTS),
                   kinds = contexts + head_field(&block, GAP_AT, 1);
    const unsigned row_bits = fm_bits_for(kinds - 1) + head_field(&block, LINE_AT, FMX_SHORT_LINE) +
                              head_field(&block, COL_AT, FMX_SHORT_COL);
    const unsigned context_bits = head_field(&block, NODE_AT, FMX_SHORT_NODE) +
                                  head_field(&block, FILE_AT, FMX_SHORT_FILE) +
                                  head_field(&block, BASE_AT, FMX_SHORT_BASE);
    const uint64_t end = block.lows_at + (uint64_t)block.entries * block.lower_bits +
                         (uint64_t)(block.entries + 1) * row_bits + (uint64_t)contexts * context_bits;
    return (end + 7) / 8 <= left;
}

/* Reads a block of the common layout. at: its offset in the section, at least READ_BYTES before the end. false: the
 * block has another layout, or is damaged. */
static FM_INLINED bool read_common(const struct fm_view *view, uint64_t at, struct common_block *block, bool bmi2)
{
    const struct fm_packed *blocks = &view->tables[FMX_BLOCKS];
    block->data = blocks->data + at;
    block->head = fm_load64(block->data);
    block->entries = head_field(block, ENTRIES_AT, FMX_SHORT_ENTRIES);
    if ((block->head & (FMX_BLOCK_LONG | FMX_BLOCK_MORE)) != 0 || block->entries - UPPER_FROM > UPPER_TO - UPPER_FROM)
        return false;
    const unsigned upper_bits = fmx_upper_bits_most(block->entries), upper_width = block->entries + (1u << upper_bits);
    block->lower_bits = view->shift - upper_bits;
    const uint64_t bit = FMX_BLOCK_SHORT_BITS + view->node_width;
    const unsigned char *word =
        /* the load may extend past the end of the section; the bytes after that end can be read */
        block->data + (bit >> 3);
    const uint64_t uppers = fm_load64(word) >> (bit & 7) | (uint64_t)word[8] << 1 << (63 - (bit & 7));
    /* the last bit of the upper bits is always clear, so it is not stored */
    block->uppers = low_bits(uppers, upper_width - 1);
    block->node_base = low_bits(fm_load64(block->data + FMX_BLOCK_SHORT_BITS / 8), view->node_width);
    block->lows_at = bit + upper_width;
    if (count_ones(block->uppers, &block->counts, bmi2) != block->entries ||
        head_field(block, CONTEXTS_AT, FMX_SHORT_CONTEXTS) == 0)
        return false;
    return at < view->common_end || fits(*block, blocks->size - at);
}

static FM_INLINED uint64_t lower_part(const struct common_block *block, unsigned entry)
{
    return fm_bits_get(block->data, block->lows_at + (uint64_t)entry * block->lower_bits, block->lower_bits);
}

/* Returns the row of a block that covers a position, which is given as its distance from the start of the block's
 * bucket. The result is that of fm_block_find. */
static FM_INLINED unsigned find_row(const struct common_block *block, uint64_t low, bool bmi2)
{
    const unsigned upper = (unsigned)(low >> block->lower_bits);
    const uint64_t lower = low_bits(low, block->lower_bits);
    const unsigned at = after_zero(block->uppers, block->counts, upper, bmi2);
    const unsigned entry = at - upper;
    /* Counts the entries with this upper part that start at or before the position that is looked up. Usually there
     * are at most four, and the exit of a loop over them would be mispredicted half the time, so four are compared
     * at once. */
    /* the last bit of the shifted word is clear, which ends the loop below */
    const uint64_t same = block->uppers >> at;
    const uint64_t parts = fm_bits_from(block->data, block->lows_at + (uint64_t)entry * block->lower_bits);
    unsigned before = not_above(parts, block->lower_bits, lower, same, bmi2);
    if (before == TOGETHER)
        while ((same >> before & 1) != 0 && lower_part(block, entry + before) <= lower) before++;
    return entry + before;
}

/* --- prefetching the cache slots of frames --- */

/* Cache slots of consecutive nodes, `count` of them in one piece of memory. */
struct frame_run {
    struct fm_view_frame *places;
    unsigned count; /* number of slots; 0: no slots are known */
};

enum { FRAMES_AHEAD = 8 };
/* Prefetches the cache slots of frames while the block is searched for the row of a position. The row's frame is
 * usually that of the block's first node or of one of the next nodes, whose slots follow each other. node_base: the
 * number of the block's first node, plus one. */
static FM_INLINED struct frame_run expect_frames(const struct fm_view *view, uint64_t node_base)
{
    const uint64_t node = node_base - 1;
    struct fm_view_frame *places = node < view->node_count ? fm_frames_place(view->face.frames, node) : NULL;
    if (places == NULL) return (struct frame_run){NULL, 0};
    for (unsigned i = 0; i < FRAMES_AHEAD; i++) fm_prefetch((const void *)((uintptr_t)places + i * FM_FRAME_BYTES));
    return (struct frame_run){places, FM_FRAMES_TOGETHER - (unsigned)(node & (FM_FRAMES_TOGETHER - 1))};
}

/* Returns the cache slot of a node. distance: how many nodes it is after the first node of the run. */
static FM_INLINED struct fm_view_frame *place_of(const struct fm_view *view, struct frame_run run, uint64_t distance,
                                                 uint64_t node)
{
    if (distance < run.count) return run.places + distance;
    return node < view->node_count ? fm_frames_place(view->face.frames, node) : NULL;
}

/* --- decoding a row --- */

/* Decodes a row. row <= entries; run: the cache slots of the block's first node and of the nodes after it. */
static FM_INLINED struct fm_short_hit fast_read_row(const struct fm_view *view, const struct common_block *block,
                                                    unsigned row, struct frame_run run)
{
    const unsigned contexts = head_field(block, CONTEXTS_AT, FMX_SHORT_CONTEXTS), gap = head_field(block, GAP_AT, 1);
    const unsigned line_width = head_field(block, LINE_AT, FMX_SHORT_LINE),
                   col_width = head_field(block, COL_AT, FMX_SHORT_COL);
    /* number of bits that an index of a context takes: it is less than contexts + gap */
    const unsigned index_width = fm_highest_bit(2 * (uint64_t)(contexts + gap) - 1);
    const unsigned row_bits = index_width + line_width + col_width;
    const uint64_t rows_at = block->lows_at + (uint64_t)block->entries * block->lower_bits;
    uint64_t row_fields = fm_bits_from(block->data, rows_at + (uint64_t)row * row_bits);
    const uint64_t context = low_bits(row_fields, index_width);
    if (context >= contexts)
        return (struct fm_short_hit){.kind = context == contexts && gap ? FM_SHORT_NOTHING : FM_SHORT_OTHER};
    const unsigned node_width = head_field(block, NODE_AT, FMX_SHORT_NODE),
                   file_width = head_field(block, FILE_AT, FMX_SHORT_FILE),
                   base_width = head_field(block, BASE_AT, FMX_SHORT_BASE),
                   context_bits = node_width + file_width + base_width;
    const uint64_t contexts_at = rows_at + (uint64_t)(block->entries + 1) * row_bits;
    uint64_t fields = fm_bits_from(block->data, contexts_at + context * context_bits);
    const uint64_t delta = low_bits(fields, node_width), node_code = delta == 0 ? 0 : block->node_base + delta - 1;
    /* the bits of a context do not fit one load, or the row is a group of alternatives, whose lines can depend on
     * the start of the entry */
    if (context_bits > 57 || node_code > view->node_count) return (struct fm_short_hit){.kind = FM_SHORT_OTHER};
    fields >>= node_width;
    row_fields >>= index_width;
    const uint64_t line_code = low_bits(row_fields, line_width), base = low_bits(fields >> file_width, base_width);
    return (struct fm_short_hit){.kind = line_code != 0 ? FM_SHORT_LINE : FM_SHORT_PLACE,
                                 .place = place_of(view, run, delta - 1, node_code - 1),
                                 .node_code = (uint32_t)node_code,
                                 .file_code = (uint32_t)low_bits(fields, file_width),
                                 /* the line number cannot overflow, because both summands have at most 15 bits */
                                 .line = (int32_t)fm_unzigzag(base) + (int32_t)line_code - 1,
                                 .col1 = (uint32_t)low_bits(row_fields >> line_width, col_width)};
}

/* Prefetches three cache lines from the start of a block on, but not the first `first` of them. They usually have all
 * rows of the block, and, if the block is short, a part of the next block. */
static FM_INLINED void expect_block(const struct fm_packed *blocks, uint64_t at, unsigned first)
{
    enum { LINES_AHEAD = 3, LINE = 64 };
    for (unsigned i = first; i < LINES_AHEAD; i++)
        fm_prefetch((const void *)((uintptr_t)blocks->data + (uintptr_t)at + i * LINE));
}

/* Returns the result for an offset on the axis of positions, given the block of its bucket. alone: no other lookup runs
 * at the same time, so the memory latency is not hidden. */
static FM_INLINED struct fm_short_hit find_in_block(const struct fm_view *view, uint64_t block_at, uint64_t axis_offset,
                                                    bool alone, bool bmi2)
{
    struct common_block block;
    if (block_at >= view->read_end) return (struct fm_short_hit){.kind = FM_SHORT_OTHER};
    /* The rest of the block is loaded before its head has been read. */
    if (alone) expect_block(&view->tables[FMX_BLOCKS], block_at, 1);
    if (!read_common(view, block_at, &block, bmi2)) return (struct fm_short_hit){.kind = FM_SHORT_OTHER};
    const struct frame_run run = alone ? expect_frames(view, block.node_base) : (struct frame_run){NULL, 0};
    return fast_read_row(view, &block, find_row(&block, low_bits(axis_offset, view->shift), bmi2), run);
}

/* Finds the offset of a position on the axis of all positions, and the number of the bucket (an interval of the axis)
 * that it is in. false: the position is outside the index. */
static FM_INLINED bool find_bucket(const struct fm_view *view, uint64_t scope, uint64_t position, uint64_t *axis_offset,
                                   uint64_t *bucket)
{
    const struct fm_longest_range *main = &view->main;
    const uint64_t distance = position - main->first;
    struct fm_axis_position place;
    if (scope == view->face.about.image && distance < main->positions) {
        const uint64_t steps = distance >> main->unit;
        *axis_offset = main->begin + (steps < main->last ? steps : main->last);
    } else if (fm_axis_find(view, scope, position, &place) == FM_AXIS_FOUND)
        *axis_offset = place.axis_offset;
    else
        return false;
    *bucket = *axis_offset >> view->shift;
    return *bucket < view->tables[FMX_BUCKETS].count;
}

static FM_INLINED void find(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_short_hit *out,
                            bool bmi2)
{
    uint64_t axis_offset, bucket;
    if (find_bucket(view, scope, position, &axis_offset, &bucket))
        *out = find_in_block(view, fm_first_field(&view->tables[FMX_BUCKETS], bucket), axis_offset, true, bmi2);
    else
        *out = (struct fm_short_hit){.kind = FM_SHORT_OTHER};
}

/* Looks up several positions in steps: starts the next memory load of every lookup before it waits for the first one,
 * which hides the latency. */
static FM_INLINED void find_many(const struct fm_view *view, uint64_t scope, const uint64_t *positions, size_t count,
                                 struct fm_short_hit *out, bool bmi2)
{
    const struct fm_packed *buckets = &view->tables[FMX_BUCKETS], *blocks = &view->tables[FMX_BLOCKS];
    uint64_t axis_offsets[FM_VIEW_BATCH], at[FM_VIEW_BATCH];
    for (size_t i = 0; i < count; i++) {
        if (!find_bucket(view, scope, positions[i], &axis_offsets[i], &at[i])) at[i] = buckets->count;
        fm_prefetch_row(buckets, at[i]);
    }
    for (size_t i = 0; i < count; i++) {
        at[i] = at[i] < buckets->count ? fm_first_field(buckets, at[i]) : blocks->size;
        if (at[i] < blocks->size) expect_block(blocks, at[i], 0);
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = find_in_block(view, at[i], axis_offsets[i], false, bmi2);
        fm_prefetch(out[i].place);
        fm_prefetch(
            /* prefetches the slot before the node's own slot, which usually has the frame of the enclosing function */
            (const void *)((uintptr_t)out[i].place - FM_FRAME_BYTES));
    }
}

/* --- defining the public calls for each kind of CPU --- */

void fm_view_find_plain(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_short_hit *out)
{
    find(view, scope, position, out, false);
}

void fm_view_find_many_plain(const struct fm_view *view, uint64_t scope, const uint64_t *positions, size_t count,
                             struct fm_short_hit *out)
{
    find_many(view, scope, positions, count, out, false);
}

#if FM_CPU_HAS_BMI2
FM_WITH_BMI2 static void find_bmi2(const struct fm_view *view, uint64_t scope, uint64_t position,
                                   struct fm_short_hit *out)
{
    find(view, scope, position, out, true);
}

FM_WITH_BMI2 static void find_many_bmi2(const struct fm_view *view, uint64_t scope, const uint64_t *positions,
                                        size_t count, struct fm_short_hit *out)
{
    find_many(view, scope, positions, count, out, true);
}
#else
#define find_bmi2 fm_view_find_plain
#define find_many_bmi2 fm_view_find_many_plain
#endif

void fm_view_find(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_short_hit *out)
{
    if (view->has_bmi2)
        find_bmi2(view, scope, position, out);
    else
        fm_view_find_plain(view, scope, position, out);
}

void fm_view_find_many(const struct fm_view *view, uint64_t scope, const uint64_t *positions, size_t count,
                       struct fm_short_hit *out)
{
    if (view->has_bmi2)
        find_many_bmi2(view, scope, positions, count, out);
    else
        fm_view_find_many_plain(view, scope, positions, count, out);
}

framemap_status fm_view_whole_hit(const struct fm_view *view, uint64_t scope, uint64_t position,
                                  const struct fm_short_hit *found, struct fm_hit *out)
{
    if (found->kind == FM_SHORT_OTHER) return fm_view_lookup(view, scope, position, out);
    *out = (struct fm_hit){.scope = scope, .position = position, .start = position};
    if (found->kind == FM_SHORT_NOTHING) return FRAMEMAP_OK;
    out->place_count = 1;
    out->entry = (struct fm_hit_entry){.node_code = found->node_code,
                                       .file_code = found->file_code,
                                       .col1 = found->col1,
                                       .line = found->line,
                                       .has_line = found->kind == FM_SHORT_LINE};
    out->place = found->place;
    return FRAMEMAP_OK;
}
