/* Finds segments of a generated text by position or by number: first the line, then the block, then the row in the
 * block. Implements the lookups of segment_view.h. */
#include "index/read/segments/segment_block_decoder.h"

/* All steps of a lookup are inlined into one function, because separate calls would spend most of the time passing the
 * decoded block head to each other. */
#if defined(__GNUC__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

static uint64_t count_of(const struct fm_view *view, unsigned section) { return view->tables[section].count; }

/* --- finding lines --- */

static uint64_t line_axis_offset(const struct fm_packed *lines, uint64_t row)
{
    return fm_field(lines, row, LINE_AXIS);
}

/* Returns the last row of [0, count) whose field is at most `most`; UINT64_MAX: none. */
static uint64_t last_up_to(const struct fm_packed *rows, uint64_t count, unsigned field, uint64_t most)
{
    return fm_first_above(rows, 0, count, field, most, false) - 1;
}

static bool read_line(const struct fm_packed *lines, uint64_t row, struct fm_segment_line *out)
{
    out->begin = line_axis_offset(lines, row);
    out->end = line_axis_offset(lines, row + 1);
    return out->begin < out->end;
}

bool fm_segment_line(const struct fm_view *view, uint32_t line0, struct fm_segment_line *out)
{
    const struct fm_packed *lines = &view->tables[FMX_LINES];
    const uint64_t count = fm_segment_line_rows(view);
    uint64_t row = line0;
    if (!fm_segment_dense(lines)) {
        row = last_up_to(lines, count, LINE_NUMBER, line0);
        if (row == UINT64_MAX || fm_field(lines, row, LINE_NUMBER) != line0) return false;
    }
    out->line0 = line0;
    return row < count && read_line(lines, row, out);
}

uint64_t fm_segment_axis_size(const struct fm_view *view)
{
    const uint64_t rows = fm_segment_line_rows(view);
    return rows == 0 ? 0 : line_axis_offset(&view->tables[FMX_LINES], rows);
}

bool fm_segment_line_of(const struct fm_view *view, uint64_t axis_offset, struct fm_segment_line *out)
{
    const struct fm_packed *lines = &view->tables[FMX_LINES];
    const uint64_t row = last_up_to(lines, fm_segment_line_rows(view), LINE_AXIS, axis_offset);
    if (row == UINT64_MAX || !read_line(lines, row, out) || axis_offset >= out->end) return false;
    const uint64_t line0 = fm_segment_dense(lines) ? row : fm_field(lines, row, LINE_NUMBER);
    out->line0 = (uint32_t)line0;
    return line0 <= UINT32_MAX;
}

/* --- decoding blocks --- */

static uint64_t block_axis_offset(const struct fm_packed *blocks, uint64_t number)
{
    return fm_field(blocks, number, SEGMENT_BLOCK_AXIS);
}

/* returns a mask of the lowest `width` bits; `width` must be less than 64 */
static inline uint64_t low_bits(unsigned width) { return (UINT64_C(1) << width) - 1; }

static ALWAYS_INLINE void read_head(struct fm_segment_block *block)
{
    static const uint8_t widths[SEGMENTS_NUMBERS] = FMX_SEGMENTS_HEAD_WIDTHS;
    uint64_t head = fm_load64(block->data);
    for (unsigned i = 0; i < SEGMENTS_NUMBERS; i++) {
        block->numbers[i] = (unsigned)(head & fm_bits_mask(widths[i]));
        head >>= widths[i];
    }
}

static ALWAYS_INLINE bool open_block(const struct fm_view *view, uint64_t number, struct fm_segment_block *out)
{
    const struct fm_packed *blocks = &view->tables[FMX_SEGMENT_BLOCKS], *bytes = &view->tables[FMX_SEGMENTS];
    if (number >= blocks->count) return false;
    const uint64_t at = fm_field(blocks, number, SEGMENT_BLOCK_AT),
                   left = view->position_count - number * FMX_SEGMENTS_EACH;
    if (at >= bytes->size) return false;
    out->data = bytes->data + at;
    for (unsigned line = 64; line < 256; line += 64)
        if (line < bytes->size - at) fm_prefetch(out->data + line);
    out->axis_offset = block_axis_offset(blocks, number);
    out->count = left < FMX_SEGMENTS_EACH ? (unsigned)left : FMX_SEGMENTS_EACH;
    read_head(out);
    const unsigned *n = out->numbers, things = n[SEGMENTS_CONTEXTS] + n[SEGMENTS_GAP];
    out->context_bits = things == 0 ? 0 : fm_bits_for(things - 1);
    out->name_bits = fm_bits_for(n[SEGMENTS_NAMES]);
    out->row_bits = out->context_bits + out->name_bits + n[SEGMENTS_LINE] + n[SEGMENTS_COL];
    out->rows_at = FMX_SEGMENTS_HEAD_BITS + (out->count - 1) * n[SEGMENTS_AXIS];
    out->contexts_at = out->rows_at + out->count * out->row_bits;
    out->names_at = out->contexts_at + n[SEGMENTS_CONTEXTS] * (n[SEGMENTS_SOURCE] + n[SEGMENTS_BASE]);
    out->end_bit = out->names_at + (uint64_t)n[SEGMENTS_NAMES] * n[SEGMENTS_NAME];
    return n[SEGMENTS_AXIS] <= 57 && out->end_bit <= (bytes->size - at) * 8;
}

bool fm_segment_block_open(const struct fm_view *view, uint64_t number, struct fm_segment_block *out)
{
    return open_block(view, number, out);
}

static ALWAYS_INLINE void read_context(const struct fm_view *view, const struct fm_segment_block *block,
                                       uint64_t context, uint64_t line, struct fm_view_segment *out)
{
    const unsigned *n = block->numbers, width = n[SEGMENTS_SOURCE] + n[SEGMENTS_BASE];
    if (context >= n[SEGMENTS_CONTEXTS]) return;
    const uint64_t at = block->contexts_at + context * width, source = fm_bits_get(block->data, at, n[SEGMENTS_SOURCE]);
    if (source >= count_of(view, FMX_SOURCES)) return;
    out->source = (uint32_t)source;
    out->original_line0 = (uint32_t)(line + fm_bits_get(block->data, at + n[SEGMENTS_SOURCE], n[SEGMENTS_BASE]));
}

/* Reads a segment, with one load if its row is narrow enough, as nearly all are. */
static ALWAYS_INLINE bool read_segment(const struct fm_view *view, const struct fm_segment_block *block, unsigned i,
                                       struct fm_view_segment *out)
{
    const unsigned *n = block->numbers;
    const uint64_t at = block->rows_at + (uint64_t)i * block->row_bits;
    const unsigned before_line = block->context_bits + block->name_bits, before_col = before_line + n[SEGMENTS_LINE];
    const uint64_t things = fm_bits_get(block->data, at, block->row_bits <= 57 ? block->row_bits : before_line),
                   context = things & low_bits(block->context_bits),
                   name = things >> block->context_bits & low_bits(block->name_bits);
    /* In rows that are too wide for one load, before_col can be 64 or more; the mask 63 only keeps the shift valid
     * there, and the column is read again below. */
    uint64_t line = things >> before_line & low_bits(n[SEGMENTS_LINE]), col = things >> (before_col & 63);
    if (block->row_bits > 57) {
        line = fm_bits_get(block->data, at + before_line, n[SEGMENTS_LINE]);
        col = fm_bits_get(block->data, at + before_col, n[SEGMENTS_COL]);
    }
    out->source = out->name = FM_VIEW_NONE;
    out->original_line0 = 0;
    out->original_col0 = (uint32_t)col;
    read_context(view, block, context, line, out);
    if (name > 0 && name <= n[SEGMENTS_NAMES])
        out->name =
            (uint32_t)fm_bits_get(block->data, block->names_at + (name - 1) * n[SEGMENTS_NAME], n[SEGMENTS_NAME]);
    return name <= n[SEGMENTS_NAMES] && context < n[SEGMENTS_CONTEXTS] + n[SEGMENTS_GAP];
}

bool fm_segment_read(const struct fm_view *view, const struct fm_segment_block *block, unsigned i,
                     struct fm_view_segment *out)
{
    return read_segment(view, block, i, out);
}

/* --- finding the segment at an offset of the axis of generated lines --- */

/* Finds by the guide table the blocks [*low, *high], among which is the last block that starts before an offset of the
 * axis of generated lines. */
static ALWAYS_INLINE void ask_guide(const struct fm_view *view, uint64_t axis_offset, uint64_t *low, uint64_t *high)
{
    const struct fm_packed *guide = &view->tables[FMX_SEGMENT_GUIDE];
    const uint64_t last = count_of(view, FMX_SEGMENT_BLOCKS) - 1, bucket = axis_offset >> view->shift;
    *low = 0;
    *high = last;
    if (guide->count > 0) *low = fm_field(guide, bucket < guide->count ? bucket : guide->count - 1, GUIDE_BLOCK);
    if (bucket + 1 < guide->count) *high = fm_field(guide, bucket + 1, GUIDE_BLOCK);
    if (*high > last) *high = last;
    if (*low > *high) *low = *high;
}

static uint64_t find_block(const struct fm_view *view, uint64_t axis_offset, uint64_t low, uint64_t high)
{
    const struct fm_packed *blocks = &view->tables[FMX_SEGMENT_BLOCKS];
    while (low < high) {
        const uint64_t middle = high - (high - low) / 2;
        if (block_axis_offset(blocks, middle) < axis_offset)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static inline unsigned is_before(const unsigned char *data, unsigned bit, uint64_t mask, uint64_t wanted)
{
    return (fm_load64(data + (bit >> 3)) >> (bit & 7) & mask) < wanted;
}

/* Does the work of find_row for a full block; all blocks but the last are full. It is a 4-ary search in three steps,
 * each with three independent comparisons. */
static ALWAYS_INLINE unsigned find_row_of_full(const struct fm_segment_block *block, uint64_t wanted)
{
    const unsigned width = block->numbers[SEGMENTS_AXIS];
    const uint64_t mask = fm_bits_mask(width);
    unsigned low = 0, at = FMX_SEGMENTS_HEAD_BITS - width;
    for (unsigned step = FMX_SEGMENTS_EACH / 4; step > 0; step /= 4) {
        const unsigned by = step * width;
        const unsigned before = is_before(block->data, at + by, mask, wanted) +
                                is_before(block->data, at + 2 * by, mask, wanted) +
                                is_before(block->data, at + 3 * by, mask, wanted);
        low += before * step;
        at += before * by;
    }
    return low;
}

/* Returns the last segment of the block that starts before an offset of the axis of generated lines, by binary search
 * without branches. The offset must be after the start of the block's first segment. */
static ALWAYS_INLINE unsigned find_row(const struct fm_segment_block *block, uint64_t axis_offset)
{
    const unsigned width = block->numbers[SEGMENTS_AXIS];
    const uint64_t wanted = axis_offset - block->axis_offset, mask = fm_bits_mask(width);
    if (block->count == FMX_SEGMENTS_EACH) return find_row_of_full(block, wanted);
    unsigned low = 0, at = FMX_SEGMENTS_HEAD_BITS - width; /* bit offset of the field with the start of segment `low` */
    for (unsigned count = block->count; count > 1;) {
        const unsigned half = count / 2, bit = at + half * width;
        const unsigned before = 0u - is_before(block->data, bit, mask, wanted);
        low += before & half;
        at += before & (half * width);
        count -= half;
    }
    return low;
}

/* The result of a search: the decoded block, its number, and the row in it. */
struct found {
    struct fm_segment_block block;
    uint64_t number;
    unsigned row;
};

/* A query by an offset of the axis, on which all generated lines follow each other. The answer is the first segment at
 * the offset, or, if no segment starts there, the last one before it. With only_before it is always the last one before
 * the offset. */
struct question {
    uint64_t axis_offset;
    struct fm_segment_line line;
    bool only_before;
};

/* Searches a block. number: the result of find_block. */
static ALWAYS_INLINE bool find_in(const struct fm_view *view, const struct question *question, uint64_t number,
                                  struct found *out)
{
    const uint64_t axis_offset = question->axis_offset;
    out->number = number;
    if (!open_block(view, number, &out->block) || out->block.axis_offset > axis_offset) return false;
    out->row = 0;
    if (out->block.axis_offset == axis_offset)
        /* Only block 0 can start at the offset itself, since find_block otherwise returns a block that starts before
         * the offset. */
        return !question->only_before;
    out->row = find_row(&out->block, axis_offset);
    if (question->only_before) return true;
    if (out->row + 1 < out->block.count) {
        out->row += fm_segment_axis_offset(&out->block, out->row + 1) == axis_offset;
        return true;
    }
    if (number + 1 >= count_of(view, FMX_SEGMENT_BLOCKS) ||
        block_axis_offset(&view->tables[FMX_SEGMENT_BLOCKS], number + 1) != axis_offset)
        return true;
    /* the next block is decoded to a variable of its own, so that out->block can stay in registers */
    struct fm_segment_block next;
    if (!fm_segment_block_open(view, ++out->number, &next)) return false;
    out->block = next;
    out->row = 0;
    return true;
}

static ALWAYS_INLINE bool find(const struct fm_view *view, const struct question *question, struct found *out)
{
    uint64_t low, high;
    if (count_of(view, FMX_SEGMENT_BLOCKS) == 0) return false;
    ask_guide(view, question->axis_offset, &low, &high);
    return find_in(view, question, find_block(view, question->axis_offset, low, high), out);
}

uint64_t fm_segment_first(const struct fm_view *view, uint64_t axis_offset)
{
    const struct question question = {.axis_offset = axis_offset, .only_before = true};
    struct found found;
    return find(view, &question, &found) ? found.number * FMX_SEGMENTS_EACH + found.row + 1 : 0;
}

bool fm_segment_axis_offset_of(const struct fm_view *view, uint64_t number, uint64_t *axis_offset)
{
    struct fm_segment_block block;
    const unsigned row = (unsigned)(number % FMX_SEGMENTS_EACH);
    if (!open_block(view, number / FMX_SEGMENTS_EACH, &block) || row >= block.count) return false;
    *axis_offset = fm_segment_axis_offset(&block, row);
    return true;
}

static ALWAYS_INLINE bool answer(const struct fm_view *view, const struct fm_segment_line *line,
                                 const struct found *found, struct fm_view_segment *out)
{
    const uint64_t axis_offset = fm_segment_axis_offset(&found->block, found->row);
    if (axis_offset < line->begin || axis_offset >= line->end) return false;
    out->number = found->number * FMX_SEGMENTS_EACH + found->row;
    out->line0 = line->line0;
    out->col0 = (uint32_t)(axis_offset - line->begin);
    return read_segment(view, &found->block, found->row, out);
}

/* Converts a position to a query by offset. A column after the line's last segment is converted to the end of the line.
 * That is also the start of the next line, so a segment that starts there must not be found. */
static ALWAYS_INLINE bool pose(const struct fm_view *view, uint32_t line0, uint32_t col0, struct question *out)
{
    if (!fm_segment_line(view, line0, &out->line)) return false;
    out->only_before = col0 >= out->line.end - out->line.begin;
    out->axis_offset = out->only_before ? out->line.end : out->line.begin + col0;
    return count_of(view, FMX_SEGMENT_BLOCKS) > 0;
}

bool fm_view_segment_at(const struct fm_view *view, uint32_t line0, uint32_t col0, struct fm_view_segment *out)
{
    struct question question;
    struct found found;
    return pose(view, line0, col0, &question) && find(view, &question, &found) &&
           answer(view, &question.line, &found, out);
}

/* --- looking up positions in batches --- */

#define AT_ONCE 16u /* lookups whose memory loads overlap */

/* Prefetches a row of a table. */
static void bring_row(const struct fm_packed *rows, uint64_t row) { fm_prefetch_row(rows, row); }
static void bring_block(const struct fm_view *view, uint64_t number)
{
    const struct fm_packed *bytes = &view->tables[FMX_SEGMENTS];
    const uint64_t at = fm_field(&view->tables[FMX_SEGMENT_BLOCKS], number, SEGMENT_BLOCK_AT);
    for (unsigned line = 0; line < 4; line++)
        if (at + line * 64 < bytes->size) fm_prefetch(bytes->data + at + line * 64);
}

struct pending {
    struct question question;
    uint64_t low, high; /* the range of block numbers in which the block is searched */
};

static void ask_some(const struct fm_view *view, const uint32_t *lines0, const uint32_t *cols0, size_t count,
                     struct fm_view_segment *out, bool *found)
{
    const struct fm_packed *blocks = &view->tables[FMX_SEGMENT_BLOCKS];
    struct pending pending[AT_ONCE];
    struct found where;
    for (size_t i = 0; i < count; i++) bring_row(&view->tables[FMX_LINES], lines0[i]);
    for (size_t i = 0; i < count; i++) {
        found[i] = pose(view, lines0[i], cols0[i], &pending[i].question);
        if (found[i]) bring_row(&view->tables[FMX_SEGMENT_GUIDE], pending[i].question.axis_offset >> view->shift);
    }
    for (size_t i = 0; i < count; i++) {
        if (!found[i]) continue;
        ask_guide(view, pending[i].question.axis_offset, &pending[i].low, &pending[i].high);
        bring_row(blocks, pending[i].low);
    }
    for (size_t i = 0; i < count; i++) {
        if (!found[i]) continue;
        pending[i].low = find_block(view, pending[i].question.axis_offset, pending[i].low, pending[i].high);
        bring_block(view, pending[i].low);
    }
    for (size_t i = 0; i < count; i++)
        found[i] = found[i] && find_in(view, &pending[i].question, pending[i].low, &where) &&
                   answer(view, &pending[i].question.line, &where, &out[i]);
}

void fm_view_segments_at(const struct fm_view *view, const uint32_t *lines0, const uint32_t *cols0, size_t count,
                         struct fm_view_segment *out, bool *found)
{
    for (size_t at = 0; at < count; at += AT_ONCE)
        ask_some(view, lines0 + at, cols0 + at, count - at < AT_ONCE ? count - at : AT_ONCE, out + at, found + at);
}

/* --- reading segments by number --- */

bool fm_view_segment(const struct fm_view *view, uint64_t number, struct fm_view_segment *out)
{
    struct found found = {.number = number / FMX_SEGMENTS_EACH, .row = (unsigned)(number % FMX_SEGMENTS_EACH)};
    struct fm_segment_line line;
    if (!open_block(view, found.number, &found.block) || found.row >= found.block.count) return false;
    return fm_segment_line_of(view, fm_segment_axis_offset(&found.block, found.row), &line) &&
           answer(view, &line, &found, out);
}
