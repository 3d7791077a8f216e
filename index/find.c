/* Finding what covers a position, in a hurry: the common shape of a block is read here in one piece, from one word for each part of it, with nothing
 * that an answer has no need of. All else goes to fm_view_lookup, which reads every shape and says what is damaged. */
#include "core/cpu.h"
#include "index/tables.h"

/* Compiled into each caller, for its CPU. */
#if defined(__GNUC__)
#define INLINED inline __attribute__((always_inline))
#else
#define INLINED inline
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

enum { TOGETHER = 4, LANE = 16 };

/* Of the first four numbers of some bits how many are not above `most`, up to the first that is; bit i: number i. width: 14 at most. */
static INLINED unsigned not_above(uint64_t numbers, unsigned width, uint64_t most, bool bmi2)
{
#if FM_CPU_HAS_BMI2
    if (bmi2) { /* a lane for each; its highest bit stays where nothing is borrowed from it */
        const uint64_t ones = UINT64_C(0x0001000100010001), highs = ones << (LANE - 1);
        const uint64_t lanes = spread_bmi2(numbers, ones * fm_bits_mask(width));
        return lowest_bmi2(~((most * ones | highs) - lanes) & highs) / LANE;
    }
#endif
    (void)bmi2;
    unsigned found = 0;
    for (unsigned i = 0; i < TOGETHER; i++, numbers >>= width) found |= (unsigned)((numbers & fm_bits_mask(width)) <= most) << i;
    return fm_lowest_bit(~(uint64_t)found);
}

/* A block of the common shape: with contexts and a word of upper parts, without names and lines that follow. Places are bits from data. */
struct common_block {
    const unsigned char *data;
    uint64_t uppers, counts; /* the word of upper parts, and fm_count_bytes of it */
    uint64_t node_base, lows_at, rows_at, contexts_at;
    unsigned entries, contexts, lower_bits, row_bits;
    unsigned index_width, line_width, col_width, file_width, node_width, base_width;
    bool gap;
};

/* left: bytes up to the section's end. false: of another shape, or damaged. */
static INLINED bool read_common(const struct fm_view *view, const unsigned char *data, uint64_t left, struct common_block *out, bool bmi2)
{
    const uint64_t word = fm_load64(data);
    out->data = data;
    out->gap = (word & FMX_BLOCK_GAP) != 0;
    out->entries = (unsigned)(word >> 4) & 0xff;
    out->contexts = (unsigned)(word >> 12) & 63;
    out->line_width = (unsigned)(word >> 18) & 15;
    out->col_width = (unsigned)(word >> 22) & 15;
    out->file_width = (unsigned)(word >> 26) & 31;
    out->node_width = (unsigned)(word >> 31) & 31;
    out->base_width = (unsigned)(word >> 36) & 15;
    const unsigned upper_bits =
        fmx_upper_bits(out->entries, view->shift); /* at least 2: four lower parts of a shift of 16 are in one word */
    if ((word & (FMX_BLOCK_LONG | FMX_BLOCK_MORE)) != 0 || out->contexts == 0 || upper_bits == 0 || view->shift > 16 || left < 16)
        return false;
    out->node_base = fm_bits_get(data, FMX_BLOCK_SHORT_BITS, view->node_width);
    const uint64_t bit = FMX_BLOCK_SHORT_BITS + view->node_width;
    const unsigned upper_width = out->entries + (1u << upper_bits);
    /* The word's end is behind what was compared with `left`; the file's tail can be read, and the comparison below tells. */
    const unsigned char *at = data + (bit >> 3);
    out->uppers = fm_load64(at) >> (bit & 7);
    out->uppers |= (uint64_t)at[8] << 1 << (63 - (bit & 7));
    out->uppers &= fm_bits_mask(upper_width);
    const unsigned ones = count_ones(out->uppers, &out->counts, bmi2);
    out->lower_bits = view->shift - upper_bits;
    out->index_width = fm_bits_for(out->contexts - 1 + out->gap);
    out->row_bits = out->index_width + out->line_width + out->col_width;
    out->lows_at = bit + upper_width;
    out->rows_at = out->lows_at + (uint64_t)out->entries * out->lower_bits;
    out->contexts_at = out->rows_at + (uint64_t)(out->entries + 1) * out->row_bits;
    const uint64_t end = out->contexts_at + (uint64_t)out->contexts * (out->node_width + out->file_width + out->base_width);
    return (end + 7) / 8 <= left && ones == out->entries && out->uppers >> (upper_width - 1) == 0;
}

static INLINED uint64_t lower_part(const struct common_block *block, unsigned entry)
{
    return fm_bits_get(block->data, block->lows_at + (uint64_t)entry * block->lower_bits, block->lower_bits);
}

/* The row that covers the low bits of a spot: as fm_block_find does it. */
static INLINED unsigned find_row(const struct common_block *block, uint64_t low, bool bmi2)
{
    const unsigned upper = (unsigned)(low >> block->lower_bits);
    const uint64_t lower = low & fm_bits_mask(block->lower_bits);
    const unsigned at = behind_zero(block->uppers, block->counts, upper, bmi2);
    const unsigned entry = at - upper;
    /* How many of the entries with this upper part begin at or before the spot, up to the first that does not. They are few, and a loop's end would be
     * guessed wrongly half the time: four are compared at once. */
    const unsigned same = fm_lowest_bit(~(block->uppers >> at)); /* the word ends with a zero */
    const uint64_t parts = fm_bits_from(block->data, block->lows_at + (uint64_t)entry * block->lower_bits);
    unsigned before = not_above(parts, block->lower_bits, lower, bmi2);
    if (before > same) before = same;
    while (before >= TOGETHER && before < same && lower_part(block, entry + before) <= lower) before++;
    return entry + before;
}

/* false: what a row says has to be read in full. */
static INLINED bool read_row(const struct fm_view *view, const struct common_block *block, unsigned row, struct fm_hit *out)
{
    const uint64_t fields = fm_bits_from(block->data, block->rows_at + (uint64_t)row * block->row_bits);
    const uint64_t context = fields & fm_bits_mask(block->index_width),
                   line_code = fields >> block->index_width & fm_bits_mask(block->line_width);
    if (context >= block->contexts) return context == block->contexts && block->gap;
    const unsigned context_bits = block->node_width + block->file_width + block->base_width;
    const uint64_t bit = block->contexts_at + context * context_bits;
    const uint64_t delta = fm_bits_get(block->data, bit, block->node_width);
    const uint64_t place = fm_bits_from(block->data, bit + block->node_width);
    const uint64_t node_code = delta == 0 ? 0 : block->node_base + delta - 1;
    out->place_count = 1;
    out->entry.node_code = (uint32_t)node_code;
    out->entry.file_code = (uint32_t)(place & fm_bits_mask(block->file_width));
    out->entry.has_line = line_code != 0;
    out->entry.line = fm_unzigzag(place >> block->file_width & fm_bits_mask(block->base_width)) + (int64_t)line_code - 1;
    out->entry.col1 = (uint32_t)(fields >> (block->index_width + block->line_width) & fm_bits_mask(block->col_width));
    return node_code <= view->node_count; /* alternatives follow lines from where they begin */
}

/* The frame that will be read next is one of a block's first node or of one soon behind: its page, at least, is on its way while the row is looked for. */
static INLINED void expect_frame(const struct fm_view *view, uint64_t node_base)
{
    struct fm_frames *frames = &view->kept->frames;
    if (node_base - 1 >= frames->count) return;
    const struct fm_view_frame *place = fm_frames_place(frames, node_base - 1);
    for (unsigned i = 0; i < 4; i++) fm_prefetch((const void *)((uintptr_t)place + i * FM_FRAME_BYTES));
}

/* A position of the image's longest range. alone: no other lookup fills the wait for memory. false: it takes fm_view_lookup. */
static INLINED bool find_common(const struct fm_view *view, uint64_t scope, uint64_t position, uint64_t block_at, uint64_t spot,
                                struct fm_hit *out, bool alone, bool bmi2)
{
    const struct fm_packed *blocks = &view->tables[FMX_BLOCKS];
    struct common_block block;
    if (block_at >= blocks->size) return false;
    fm_prefetch(blocks->data + block_at + 64); /* its rows, most often: no need to wait for the head first */
    if (!read_common(view, blocks->data + block_at, blocks->size - block_at, &block, bmi2)) return false;
    if (alone) expect_frame(view, block.node_base);
    *out = (struct fm_hit){.scope = scope, .position = position, .start = position};
    return read_row(view, &block, find_row(&block, spot & fm_bits_mask(view->shift), bmi2), out);
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
        if (at[i] >= blocks->size) continue;
        fm_prefetch(blocks->data + at[i]);
        if (blocks->size - at[i] > 64) fm_prefetch(blocks->data + at[i] + 64);
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
    return fm_cpu_bmi2() ? find_bmi2(view, scope, position, out) : fm_view_find_plain(view, scope, position, out);
}

framemap_status fm_view_find_many(const struct fm_view *view, uint64_t scope, const uint64_t *positions, size_t count, struct fm_hit *out)
{
    return fm_cpu_bmi2() ? find_many_bmi2(view, scope, positions, count, out) : fm_view_find_many_plain(view, scope, positions, count, out);
}
