/* Finding what covers a position, in a hurry: the common shape of a block is read here in one piece, from one word for each part of it, with nothing
 * that an answer has no need of. All else goes to fm_view_lookup, which reads every shape and says what is damaged. */
#include "core/cpu.h"
#include "index/tables.h"

/* Compiled into each caller, for its CPU. */
#if defined(__GNUC__)
#define INLINED inline __attribute__((always_inline))
#define APART __attribute__((noinline)) /* so that what is seldom needed is not worked out before it is */
#else
#define INLINED inline
#define APART
#endif

/* --- steps that CPUs with BMI2 have instructions for --- */

/* `bmi2` is known where these are compiled into their callers: only one way of each stays. */

#if FM_CPU_HAS_BMI2
FM_WITH_BMI2 static inline unsigned count_bmi2(uint64_t word) { return (unsigned)__builtin_popcountll(word); }
FM_WITH_BMI2 static inline uint64_t spread_bmi2(uint64_t bits, uint64_t mask) { return __builtin_ia32_pdep_di(bits, mask); }
FM_WITH_BMI2 static inline unsigned lowest_bmi2(uint64_t word) { return (unsigned)__builtin_ia32_tzcnt_u64(word); } /* 64: none */
#endif

/* How many bits are set; *counts: for behind_zero. */
static INLINED unsigned count_ones(uint64_t word, uint64_t *counts, bool bmi2)
{
#if FM_CPU_HAS_BMI2
    if (bmi2) return count_bmi2(word);
#endif
    (void)bmi2;
    *counts = fm_count_bytes(word);
    return (unsigned)(*counts >> 56);
}

/* The place behind the n-th bit that is not set; of none, the begin. */
static INLINED unsigned behind_zero(uint64_t word, uint64_t counts, unsigned n, bool bmi2)
{
#if FM_CPU_HAS_BMI2
    if (bmi2) return fm_lowest_bit(spread_bmi2(UINT64_C(1) << n, ~word << 1 | 1)); /* one place on for each, and one before all */
#endif
    (void)bmi2;
    return n == 0 ? 0 : fm_select_zero(word, counts, n) + 1;
}

enum { TOGETHER = 4, LANE = 16, LANE_WIDTH_MOST = 14 };

/* The lowest bits of a word; width: 63 at most. */
static INLINED uint64_t low_bits(uint64_t word, unsigned width) { return word & ((UINT64_C(1) << width) - 1); }

/* Of the first four numbers of some bits how many are not above `most`, up to the first that is. width: LANE_WIDTH_MOST at most. */
static INLINED unsigned not_above(uint64_t numbers, unsigned width, uint64_t most, bool bmi2)
{
#if FM_CPU_HAS_BMI2
    if (bmi2) { /* a lane for each; its highest bit stays where nothing is borrowed from it */
        const uint64_t ones = UINT64_C(0x0001000100010001), highs = ones << (LANE - 1);
        const uint64_t lanes = spread_bmi2(numbers, ones * low_bits(UINT64_MAX, width));
        return lowest_bmi2(~((most * ones | highs) - lanes) & highs) / LANE;
    }
#endif
    (void)bmi2;
    unsigned found = 0;
    for (unsigned i = 0; i < TOGETHER; i++, numbers >>= width) found |= (unsigned)(low_bits(numbers, width) <= most) << i;
    return fm_lowest_bit(~(uint64_t)found);
}

/* A block of the common shape: with contexts and a word of upper parts, without names and lines that follow. Its head is kept as it is, and each field is
 * taken off it when its turn comes: there are more of them than registers. Places are bits from data. */
struct common_block {
    const unsigned char *data;
    uint64_t head, left;     /* left: bytes up to the section's end */
    uint64_t uppers, counts; /* the word of upper parts, and fm_count_bytes of it */
    uint64_t node_base, lows_at;
    unsigned entries, lower_bits;
};
static INLINED unsigned head_field(const struct common_block *block, unsigned at, unsigned width)
{
    return (unsigned)(block->head >> at) & ((1u << width) - 1);
}
enum { CONTEXTS_AT = 12, LINE_AT = 18, COL_AT = 22, FILE_AT = 26, NODE_AT = 31, BASE_AT = 36, GAP_AT = 2 };

/* More bytes than any block of the common shape has: 60 entries with lower parts of 14 bits, 61 rows of 36 bits and 63 contexts of 57 behind the head,
 * a node base, and a word. */
#define COMMON_BYTES UINT64_C(1024)

/* A block near the section's end: whether it ends before that. */
static APART bool fits(struct common_block block)
{
    const unsigned contexts = head_field(&block, CONTEXTS_AT, 6), kinds = contexts + head_field(&block, GAP_AT, 1);
    const unsigned row_bits = fm_bits_for(kinds - 1) + head_field(&block, LINE_AT, 4) + head_field(&block, COL_AT, 4);
    const unsigned context_bits = head_field(&block, NODE_AT, 5) + head_field(&block, FILE_AT, 5) + head_field(&block, BASE_AT, 4);
    const uint64_t end = block.lows_at + (uint64_t)block.entries * block.lower_bits + (uint64_t)(block.entries + 1) * row_bits +
                         (uint64_t)contexts * context_bits;
    return (end + 7) / 8 <= block.left;
}

/* false: of another shape, or damaged. */
static INLINED bool read_common(const struct fm_view *view, struct common_block *block, bool bmi2)
{
    block->head = fm_load64(block->data);
    block->entries = head_field(block, 4, 8);
    const unsigned upper_bits = fmx_upper_bits(block->entries, view->shift);
    block->lower_bits = view->shift - upper_bits;
    if ((block->head & (FMX_BLOCK_LONG | FMX_BLOCK_MORE)) != 0) return false;
    if (upper_bits == 0 || block->lower_bits > LANE_WIDTH_MOST || block->left < 16) return false;
    const uint64_t bit = FMX_BLOCK_SHORT_BITS + view->node_width;
    const unsigned upper_width = block->entries + (1u << upper_bits);
    const unsigned char *at = block->data + (bit >> 3); /* the word's end may be behind `left`; the file's tail can be read */
    const uint64_t uppers = fm_load64(at) >> (bit & 7) | (uint64_t)at[8] << 1 << (63 - (bit & 7));
    block->uppers = low_bits(uppers, upper_width - 1); /* it ends with a zero */
    block->node_base = low_bits(fm_load64(block->data + FMX_BLOCK_SHORT_BITS / 8), view->node_width);
    block->lows_at = bit + upper_width;
    if (count_ones(block->uppers, &block->counts, bmi2) != block->entries || head_field(block, CONTEXTS_AT, 6) == 0) return false;
    return block->left >= COMMON_BYTES || fits(*block);
}

static INLINED uint64_t lower_part(const struct common_block *block, unsigned entry)
{
    return fm_bits_get(block->data, block->lows_at + (uint64_t)entry * block->lower_bits, block->lower_bits);
}

/* The row that covers the low bits of a spot: as fm_block_find does it. */
static INLINED unsigned find_row(const struct common_block *block, uint64_t low, bool bmi2)
{
    const unsigned upper = (unsigned)(low >> block->lower_bits);
    const uint64_t lower = low_bits(low, block->lower_bits);
    const unsigned at = behind_zero(block->uppers, block->counts, upper, bmi2);
    const unsigned entry = at - upper;
    /* How many of the entries with this upper part begin at or before the spot, up to the first that does not. They are few, and a loop's end would be
     * guessed wrongly half the time: four are compared at once. */
    const unsigned same = fm_lowest_bit(~(block->uppers >> at)); /* the word ends with a zero */
    const uint64_t parts = fm_bits_from(block->data, block->lows_at + (uint64_t)entry * block->lower_bits);
    unsigned before = not_above(parts, block->lower_bits, lower, bmi2);
    if (before == TOGETHER) /* asked first: seldom true, while how it compares with the others nobody can guess */
        while (before < same && lower_part(block, entry + before) <= lower) before++;
    return entry + (before < same ? before : same);
}

/* Where the frame of a node is or will be kept; `near`: of another one, NULL as well, most often in the same block of them. */
static INLINED struct fm_view_frame *place_of(struct fm_frames *frames, uint64_t node, struct fm_view_frame *near, uint64_t near_node)
{
    if (near != NULL && (node ^ near_node) >> FM_FRAMES_BITS == 0) return near + (ptrdiff_t)(node - near_node);
    return node < frames->count ? fm_frames_place(frames, node) : NULL;
}

/* false: what a row says has to be read in full, or it is damaged. row <= entries; near: place of the frame of the block's first node. */
static INLINED bool read_row(const struct fm_view *view, const struct common_block *block, unsigned row, struct fm_view_frame *near,
                             struct fm_hit *out)
{
    const unsigned contexts = head_field(block, CONTEXTS_AT, 6), gap = head_field(block, GAP_AT, 1);
    const unsigned line_width = head_field(block, LINE_AT, 4), col_width = head_field(block, COL_AT, 4);
    const unsigned index_width = fm_highest_bit(2 * (uint64_t)(contexts + gap) - 1); /* of contexts + gap - 1 */
    const unsigned row_bits = index_width + line_width + col_width;
    const uint64_t rows_at = block->lows_at + (uint64_t)block->entries * block->lower_bits;
    uint64_t row_fields = fm_bits_from(block->data, rows_at + (uint64_t)row * row_bits);
    const uint64_t context = low_bits(row_fields, index_width);
    if (context >= contexts) {
        out->place_count = 0;
        return context == contexts && gap;
    }
    const unsigned node_width = head_field(block, NODE_AT, 5), file_width = head_field(block, FILE_AT, 5),
                   base_width = head_field(block, BASE_AT, 4), context_bits = node_width + file_width + base_width;
    const uint64_t contexts_at = rows_at + (uint64_t)(block->entries + 1) * row_bits;
    if (context_bits > 57) return false; /* what one load gives */
    uint64_t fields = fm_bits_from(block->data, contexts_at + context * context_bits);
    const uint64_t delta = low_bits(fields, node_width), node_code = delta == 0 ? 0 : block->node_base + delta - 1;
    if (node_code > view->node_count) return false; /* alternatives follow lines from where they begin */
    if (node_code > 0) out->place = place_of(&view->kept->frames, node_code - 1, near, block->node_base - 1);
    out->place_count = 1;
    out->entry.node_code = (uint32_t)node_code;
    fields >>= node_width;
    out->entry.file_code = (uint32_t)low_bits(fields, file_width);
    fields >>= file_width;
    row_fields >>= index_width;
    const uint64_t line_code = low_bits(row_fields, line_width);
    out->entry.has_line = line_code != 0;
    out->entry.line = fm_unzigzag(low_bits(fields, base_width)) + (int64_t)line_code - 1;
    out->entry.col1 = (uint32_t)low_bits(row_fields >> line_width, col_width);
    return true;
}

/* The frame that will be read next is one of a block's first node or of one soon behind: it is on its way while the row is looked for, and those that
 * neighbouring code leads to. NULL: there is no place for it yet. */
enum { FRAMES_AHEAD = 8 };
static INLINED struct fm_view_frame *expect_frame(const struct fm_view *view, uint64_t node_base)
{
    struct fm_frames *frames = &view->kept->frames;
    if (node_base - 1 >= frames->count) return NULL;
    struct fm_view_frame *place = fm_frames_place(frames, node_base - 1);
    for (unsigned i = 0; i < FRAMES_AHEAD; i++) fm_prefetch((const void *)((uintptr_t)place + i * FM_FRAME_BYTES));
    return place;
}

/* Asks memory for lines of the cache from a block's begin on, but for the `first` ones: its rows, most often, and where it is short some of
 * the next block. */
static INLINED void expect_block(const struct fm_packed *blocks, uint64_t at, unsigned first)
{
    enum { LINES_AHEAD = 3, LINE = 64 };
    for (unsigned i = first; i < LINES_AHEAD; i++) fm_prefetch((const void *)((uintptr_t)blocks->data + at + i * LINE));
}

/* A position of the image's longest range. alone: no other lookup fills the wait for memory. false: it takes fm_view_lookup. */
static INLINED bool find_common(const struct fm_view *view, uint64_t scope, uint64_t position, uint64_t block_at, uint64_t spot,
                                struct fm_hit *out, bool alone, bool bmi2)
{
    const struct fm_packed *blocks = &view->tables[FMX_BLOCKS];
    struct common_block block;
    if (block_at >= blocks->size) return false;
    if (alone) expect_block(blocks, block_at, 1); /* no need to wait for the head first */
    block.data = blocks->data + block_at;
    block.left = blocks->size - block_at;
    if (!read_common(view, &block, bmi2)) return false;
    struct fm_view_frame *near = alone ? expect_frame(view, block.node_base) : NULL;
    *out = (struct fm_hit){.scope = scope, .position = position, .start = position};
    return read_row(view, &block, find_row(&block, low_bits(spot, view->shift), bmi2), near, out);
}

/* The spot of a position and the row of its bucket; false: it is elsewhere. */
static INLINED bool find_bucket(const struct fm_view *view, uint64_t scope, uint64_t position, uint64_t *spot, uint64_t *bucket)
{
    struct fm_spot place;
    if (fm_spot_is_main(view, scope, position))
        *spot = fm_spot_of(&view->main, position);
    else if (fm_spot_search(view, scope, position, &place) == FM_SPOT_FOUND)
        *spot = place.spot;
    else
        return false;
    *bucket = *spot >> view->shift;
    return *bucket < view->tables[FMX_BUCKETS].count;
}

static INLINED framemap_status find(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_hit *out, bool bmi2)
{
    uint64_t spot, bucket;
    if (find_bucket(view, scope, position, &spot, &bucket) &&
        find_common(view, scope, position, fm_field(&view->tables[FMX_BUCKETS], bucket, BUCKET_BLOCK), spot, out, true, bmi2))
        return FRAMEMAP_OK;
    return fm_view_lookup(view, scope, position, out);
}

/* Starts each lookup's next wait for memory before the first one's is over. */
static INLINED framemap_status find_batch(const struct fm_view *view, uint64_t scope, const uint64_t *positions, size_t count,
                                          struct fm_hit *out, bool bmi2)
{
    const struct fm_packed *buckets = &view->tables[FMX_BUCKETS], *blocks = &view->tables[FMX_BLOCKS];
    uint64_t spots[FM_VIEW_BATCH], at[FM_VIEW_BATCH];
    for (size_t i = 0; i < count; i++) {
        if (!find_bucket(view, scope, positions[i], &spots[i], &at[i])) at[i] = buckets->count;
        fm_prefetch_row(buckets, at[i]);
    }
    for (size_t i = 0; i < count; i++) {
        at[i] = at[i] < buckets->count ? fm_field(buckets, at[i], BUCKET_BLOCK) : blocks->size;
        if (at[i] < blocks->size) expect_block(blocks, at[i], 0);
    }
    for (size_t i = 0; i < count; i++) {
        if (!find_common(view, scope, positions[i], at[i], spots[i], &out[i], false, bmi2)) {
            const framemap_status status = fm_view_lookup(view, scope, positions[i], &out[i]);
            if (status != FRAMEMAP_OK) return status;
        }
    }
    return FRAMEMAP_OK;
}

static INLINED framemap_status find_many(const struct fm_view *view, uint64_t scope, const uint64_t *positions, size_t count,
                                         struct fm_hit *out, bool bmi2)
{
    for (size_t at = 0; at < count; at += FM_VIEW_BATCH) {
        const size_t some = count - at < FM_VIEW_BATCH ? count - at : FM_VIEW_BATCH;
        const framemap_status status = find_batch(view, scope, positions + at, some, out + at, bmi2);
        if (status != FRAMEMAP_OK) return status;
    }
    return FRAMEMAP_OK;
}

/* --- for each kind of CPU --- */

framemap_status fm_view_find_plain(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_hit *out)
{
    return find(view, scope, position, out, false);
}

framemap_status fm_view_find_many_plain(const struct fm_view *view, uint64_t scope, const uint64_t *positions, size_t count,
                                        struct fm_hit *out)
{
    return find_many(view, scope, positions, count, out, false);
}

#if FM_CPU_HAS_BMI2
FM_WITH_BMI2 static framemap_status find_bmi2(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_hit *out)
{
    return find(view, scope, position, out, true);
}

FM_WITH_BMI2 static framemap_status find_many_bmi2(const struct fm_view *view, uint64_t scope, const uint64_t *positions, size_t count,
                                                   struct fm_hit *out)
{
    return find_many(view, scope, positions, count, out, true);
}
#else
#define find_bmi2 fm_view_find_plain
#define find_many_bmi2 fm_view_find_many_plain
#endif

framemap_status fm_view_find(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_hit *out)
{
    return view->has_bmi2 ? find_bmi2(view, scope, position, out) : fm_view_find_plain(view, scope, position, out);
}

framemap_status fm_view_find_many(const struct fm_view *view, uint64_t scope, const uint64_t *positions, size_t count, struct fm_hit *out)
{
    return view->has_bmi2 ? find_many_bmi2(view, scope, positions, count, out)
                          : fm_view_find_many_plain(view, scope, positions, count, out);
}
