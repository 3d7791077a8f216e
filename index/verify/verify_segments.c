/* Verifies the segment form. Called by verify.c, and by verify_head.c for lists of offsets. */
#include "index/read/segments/segment_block_decoder.h"
#include "index/verify/verify_parts.h"

static const struct fm_packed *table_of(const struct fm_checker *checker, unsigned section)
{
    return &checker->view->tables[section];
}
static uint64_t count_of(const struct fm_checker *checker, unsigned section)
{
    return table_of(checker, section)->count;
}

static bool check_sources(const struct fm_checker *checker)
{
    for (uint64_t i = 0; i < count_of(checker, FMX_SOURCES); i++)
        if (!fm_check_text(checker, FMX_SOURCES, i, SOURCE_ADDRESS, false) ||
            !fm_check_text(checker, FMX_SOURCES, i, SOURCE_SPELLED, true) ||
            !fm_check_text(checker, FMX_SOURCES, i, SOURCE_CONTENT, true) ||
            !fm_check_most(checker, FMX_SOURCES, i, SOURCE_FLAGS, FM_SOURCE_IGNORED | FM_SOURCE_UNKNOWN))
            return false;
    return true;
}

/* Checks that lines, and their offsets on the axis of generated lines, ascend. The last row is the end of the last
 * line. */
static bool check_lines(const struct fm_checker *checker)
{
    const struct fm_packed *lines = table_of(checker, FMX_LINES);
    const bool dense = lines->width[LINE_NUMBER] == 0;
    if (lines->count == 1) return fm_check_fails(checker, FMX_LINES, 0, "a line end without a line");
    if (lines->count > (uint64_t)UINT32_MAX + 2) return fm_check_fails(checker, FMX_LINES, 0, "too many lines");
    for (uint64_t i = 0; i < lines->count; i++) {
        const uint64_t axis_offset = fm_field(lines, i, LINE_AXIS),
                       before = i == 0 ? 0 : fm_field(lines, i - 1, LINE_AXIS);
        const uint64_t number = fm_field(lines, i, LINE_NUMBER);
        if (i == 0 ? axis_offset != 0
                   : axis_offset < before || (!dense && axis_offset == before) ||
                         axis_offset - before > (uint64_t)UINT32_MAX + 1)
            return fm_check_fails(checker, FMX_LINES, i, "lines out of order");
        if (axis_offset > FMX_SEGMENT_AXIS_MOST || number > UINT32_MAX)
            return fm_check_fails(checker, FMX_LINES, i, "a line that is too long");
        if (i > 0 && i + 1 < lines->count && !dense && number <= fm_field(lines, i - 1, LINE_NUMBER))
            return fm_check_fails(checker, FMX_LINES, i, "lines out of order");
    }
    return true;
}

/* Checks the guide table: each row must have the number of the last block that starts before the row's bucket (an
 * interval of the axis of generated lines), or of the first block if none does. */
static bool check_guide(const struct fm_checker *checker)
{
    const struct fm_packed *guide = table_of(checker, FMX_SEGMENT_GUIDE),
                           *blocks = table_of(checker, FMX_SEGMENT_BLOCKS);
    const uint64_t axis_size = fm_segment_axis_size(checker->view),
                   buckets = axis_size == 0 ? 0 : ((axis_size - 1) >> checker->view->shift) + 1;
    if (buckets > blocks->count * 2 || guide->count != (blocks->count > 1 ? buckets : 0))
        return fm_check_fails(checker, FMX_SEGMENT_GUIDE, 0, "a wrong number of buckets");
    for (uint64_t i = 0, block = 0; i < guide->count; i++) {
        while (block + 1 < blocks->count && fm_field(blocks, block + 1, SEGMENT_BLOCK_AXIS) < i << checker->view->shift)
            block++;
        if (fm_field(guide, i, GUIDE_BLOCK) != block)
            return fm_check_fails(checker, FMX_SEGMENT_GUIDE, i, "a bucket's block out of order");
    }
    return true;
}

static bool check_lists_of_block(const struct fm_checker *checker, uint64_t number,
                                 const struct fm_segment_block *block)
{
    const unsigned *n = block->numbers, width = n[SEGMENTS_SOURCE] + n[SEGMENTS_BASE];
    const uint64_t most_line = fm_bits_mask(n[SEGMENTS_LINE]);
    if (n[SEGMENTS_CONTEXTS] > block->count || n[SEGMENTS_NAMES] > block->count || n[SEGMENTS_LINE] > 32 ||
        n[SEGMENTS_COL] > 32)
        return fm_check_fails(checker, FMX_SEGMENT_BLOCKS, number, "an invalid block head");
    for (unsigned i = 0; i < n[SEGMENTS_CONTEXTS]; i++)
        if (fm_bits_get(block->data, block->contexts_at + i * width, n[SEGMENTS_SOURCE]) >=
                count_of(checker, FMX_SOURCES) ||
            fm_bits_get(block->data, block->contexts_at + i * width + n[SEGMENTS_SOURCE], n[SEGMENTS_BASE]) >
                UINT32_MAX)
            return fm_check_fails(checker, FMX_SEGMENT_BLOCKS, number, "a block's source out of range");
    for (unsigned i = 0; i < n[SEGMENTS_NAMES]; i++)
        if (fm_bits_get(block->data, block->names_at + i * n[SEGMENTS_NAME], n[SEGMENTS_NAME]) >=
            count_of(checker, FMX_TEXTS))
            return fm_check_fails(checker, FMX_SEGMENT_BLOCKS, number, "a block's name out of range");
    return most_line <= UINT32_MAX;
}

/* The state of a pass over all segments. */
struct walk {
    uint64_t at;          /* byte offset where the next block must start */
    uint64_t axis_offset; /* where the previous segment starts on the axis of generated lines */
    uint64_t row;         /* row of LINES of the line that the previous segment is in */
    bool is_begun;        /* at least one segment was visited */
};

/* Checks that the segment is on a line, and that each completed line ends right after its last segment. */
static bool check_axis_offset(const struct fm_checker *checker, uint64_t number, uint64_t axis_offset,
                              struct walk *walk)
{
    const struct fm_packed *lines = table_of(checker, FMX_LINES);
    if (axis_offset < walk->axis_offset)
        return fm_check_fails(checker, FMX_SEGMENT_BLOCKS, number, "segments out of order");
    while (walk->row + 1 < lines->count && fm_field(lines, walk->row + 1, LINE_AXIS) <= axis_offset) {
        const uint64_t begin = fm_field(lines, walk->row, LINE_AXIS), end = fm_field(lines, walk->row + 1, LINE_AXIS);
        if (begin < end && (!walk->is_begun || walk->axis_offset + 1 != end))
            return fm_check_fails(checker, FMX_LINES, walk->row, "a line's length that does not match its segments");
        walk->row++;
    }
    if (walk->row + 1 >= lines->count)
        return fm_check_fails(checker, FMX_SEGMENT_BLOCKS, number, "a segment after the last line");
    walk->axis_offset = axis_offset;
    walk->is_begun = true;
    return true;
}

static bool check_block(const struct fm_checker *checker, uint64_t number, struct walk *walk)
{
    struct fm_segment_block block;
    struct fm_view_segment segment;
    if (fm_field(table_of(checker, FMX_SEGMENT_BLOCKS), number, SEGMENT_BLOCK_AT) != walk->at ||
        !fm_segment_block_open(checker->view, number, &block))
        return fm_check_fails(checker, FMX_SEGMENT_BLOCKS, number, "a block at an unexpected offset");
    if (!check_lists_of_block(checker, number, &block)) return false;
    for (unsigned i = 0; i < block.count; i++) {
        if (!check_axis_offset(checker, number, fm_segment_axis_offset(&block, i), walk)) return false;
        if (!fm_segment_read(checker->view, &block, i, &segment))
            return fm_check_fails(checker, FMX_SEGMENT_BLOCKS, number, "a segment that can't be read");
    }
    walk->at += block.end_bit / 8 + (block.end_bit % 8 != 0);
    return true;
}

static bool check_blocks(const struct fm_checker *checker)
{
    const uint64_t lines = count_of(checker, FMX_LINES);
    struct walk walk = {0, 0, 0, false};
    for (uint64_t i = 0; i < count_of(checker, FMX_SEGMENT_BLOCKS); i++)
        if (!check_block(checker, i, &walk)) return false;
    if (walk.at != table_of(checker, FMX_SEGMENTS)->size)
        return fm_check_fails(checker, FMX_SEGMENTS, walk.at, "bytes outside any block");
    if (lines == 0) return true;
    return (count_of(checker, FMX_SEGMENT_BLOCKS) > 0 && walk.row + 2 == lines &&
            walk.axis_offset + 1 == fm_field(table_of(checker, FMX_LINES), lines - 1, LINE_AXIS)) ||
           fm_check_fails(checker, FMX_LINES, lines - 1, "a line's length that does not match its segments");
}

/* Checks that rows strictly ascend by their first `fields` fields. */
static bool check_rising(const struct fm_checker *checker, unsigned section, uint64_t rows, unsigned fields)
{
    const struct fm_packed *table = table_of(checker, section);
    for (uint64_t i = 1; i < rows; i++) {
        unsigned f = 0;
        while (f < fields && fm_field(table, i - 1, f) == fm_field(table, i, f)) f++;
        if (f == fields || fm_field(table, i - 1, f) > fm_field(table, i, f))
            return fm_check_fails(checker, section, i, "rows out of order");
    }
    return true;
}

/* Checks the stretches (function intervals) of a section. key: number of fields before the one with the function's
 * name. */
static bool check_stretches(const struct fm_checker *checker, unsigned section, unsigned key)
{
    for (uint64_t i = 0; i < count_of(checker, section); i++) {
        for (unsigned f = 0; f < key; f++)
            if (!fm_check_most(checker, section, i, f, UINT32_MAX)) return false;
        if (!fm_check_text(checker, section, i, key, true)) return false;
        const uint64_t origin = fm_field(table_of(checker, section), i, key + 2);
        if (origin < FM_FUNCTION_SCOPES || origin > FM_FUNCTION_TEXT)
            return fm_check_fails(checker, section, i, "an unknown origin of a function");
    }
    return check_rising(checker, section, count_of(checker, section), key);
}

/* Checks the call sites. A caller must have a lower number than its call site, so that chains of callers end. */
static bool check_sites(const struct fm_checker *checker)
{
    const uint64_t count = count_of(checker, FMX_CALL_SITES), sources = count_of(checker, FMX_SOURCES);
    for (uint64_t i = 0; i < count; i++)
        if (sources == 0 || !fm_check_most(checker, FMX_CALL_SITES, i, SITE_SOURCE, sources - 1) ||
            !fm_check_most(checker, FMX_CALL_SITES, i, SITE_LINE, UINT32_MAX) ||
            !fm_check_most(checker, FMX_CALL_SITES, i, SITE_COL, UINT32_MAX) ||
            !fm_check_text(checker, FMX_CALL_SITES, i, SITE_TEXT, true) ||
            !fm_check_most(checker, FMX_CALL_SITES, i, SITE_CALLER, i) ||
            !fm_check_most(checker, FMX_CALL_SITES, i, SITE_FLAGS, FM_STRETCH_HIDDEN))
            return false;
    for (uint64_t i = 0; i < count_of(checker, FMX_GENERATED_STRETCHES); i++)
        if (!fm_check_most(checker, FMX_GENERATED_STRETCHES, i, GENERATED_STRETCH_SITE, count) ||
            !fm_check_most(checker, FMX_GENERATED_STRETCHES, i, GENERATED_STRETCH_FLAGS, FM_STRETCH_HIDDEN))
            return false;
    return true;
}

static bool check_ranges(const struct fm_checker *checker)
{
    const uint64_t count = count_of(checker, FMX_SEGMENT_RANGES);
    for (uint64_t i = 0; i < count; i++)
        if (!fm_check_most(checker, FMX_SEGMENT_RANGES, i, SEGMENT_RANGE_LINE, UINT32_MAX) ||
            !fm_check_most(checker, FMX_SEGMENT_RANGES, i, SEGMENT_RANGE_COL, UINT32_MAX))
            return false;
    return check_rising(checker, FMX_SEGMENT_RANGES, count, 2);
}

bool fm_check_offsets(const struct fm_checker *checker)
{
    const struct fm_packed *lists = table_of(checker, FMX_OFFSET_LISTS);
    uint64_t expected = 0;
    if (lists->count == 1) return fm_check_fails(checker, FMX_OFFSET_LISTS, 0, "a list end without a list");
    for (uint64_t i = 0; i < lists->count; i++) {
        const uint64_t first = fm_field(lists, i, OFFSET_LIST_FIRST), kind = fm_field(lists, i, OFFSET_LIST_KIND);
        const bool is_end = i + 1 == lists->count;
        if (i == 0 ? first != 0 : first < expected)
            return fm_check_fails(checker, FMX_OFFSET_LISTS, i, "a list's first element out of order");
        if (!is_end && (kind < FM_OFFSETS_MODULES || kind > FM_OFFSETS_SEGMENTS))
            return fm_check_fails(checker, FMX_OFFSET_LISTS, i, "an unknown kind of list");
        if (!fm_check_most(checker, FMX_OFFSET_LISTS, i, OFFSET_LIST_GROUP, UINT32_MAX)) return false;
        expected = first;
    }
    if (expected != count_of(checker, FMX_OFFSETS))
        return fm_check_fails(checker, FMX_OFFSET_LISTS, 0, "offsets outside any list");
    for (uint64_t i = 0; i < expected; i++)
        if (!fm_check_most(checker, FMX_OFFSETS, i, OFFSET_CODE, UINT32_MAX)) return false;
    return lists->count == 0 || check_rising(checker, FMX_OFFSET_LISTS, lists->count - 1, 2);
}

bool fm_check_segments(const struct fm_checker *checker)
{
    return check_sources(checker) && check_lines(checker) && check_guide(checker) && check_blocks(checker) &&
           check_stretches(checker, FMX_SOURCE_STRETCHES, 3) && check_stretches(checker, FMX_GENERATED_STRETCHES, 2) &&
           fm_check_offsets(checker) && check_sites(checker) && check_ranges(checker);
}
