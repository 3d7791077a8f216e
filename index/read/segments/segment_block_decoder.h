/* Reads blocks of segments (docs/index-format.md, section 14). Called by the files of this folder, view_open.c,
 * index/split and index/verify. */
#ifndef FM_INDEX_READ_SEGMENTS_SEGMENT_BLOCK_DECODER_H
#define FM_INDEX_READ_SEGMENTS_SEGMENT_BLOCK_DECODER_H

#include "index/read/segments/segment_view.h"
#include "index/read/table/tables.h"

/* Checks the tables of segments when an index is opened, in constant time. false: damaged. */
bool fm_segments_open(const struct fm_view *view);
/* Returns the number of lines of the generated text, up to the last one that has segments. */
uint64_t fm_segment_lines(const struct fm_view *view);

struct fm_segment_block {
    const unsigned char *data;
    /* axis_offset: where the first segment starts on the axis of generated lines; end_bit: offset of the bit after the
     * last field */
    uint64_t axis_offset, end_bit;
    unsigned count; /* number of segments */
    unsigned numbers[SEGMENTS_NUMBERS];
    unsigned context_bits, name_bits, row_bits;
    unsigned rows_at, contexts_at, names_at; /* offsets in bits from `data` */
};
/* Reads the head of a block. Returns false if the block is damaged. */
bool fm_segment_block_open(const struct fm_view *view, uint64_t number, struct fm_segment_block *out);
/* Returns where a segment starts on the axis, on which all generated lines follow each other; i < count. */
static inline uint64_t fm_segment_axis_offset(const struct fm_segment_block *block, unsigned i)
{
    const unsigned width = block->numbers[SEGMENTS_AXIS];
    return i == 0 ? block->axis_offset
                  : block->axis_offset +
                        fm_bits_get(block->data, FMX_SEGMENTS_HEAD_BITS + (uint64_t)(i - 1) * width, width);
}
/* Decodes a segment of the block, all but its number and generated position. false: damaged. */
bool fm_segment_read(const struct fm_view *view, const struct fm_segment_block *block, unsigned i,
                     struct fm_view_segment *out);

/* Returns the number of rows of LINES except the last, which only marks the end. */
static inline uint64_t fm_segment_line_rows(const struct fm_view *view)
{
    const uint64_t rows = view->tables[FMX_LINES].count;
    return rows == 0 ? 0 : rows - 1;
}
/* Whether the line numbers in LINES have a width of 0 bits: then the number of a row is the number of its line. */
static inline bool fm_segment_dense(const struct fm_packed *lines) { return lines->width[LINE_NUMBER] == 0; }

/* A generated line: the interval [begin, end) of the axis, on which all generated lines follow each other. */
struct fm_segment_line {
    uint64_t begin, end;
    uint32_t line0;
};
/* Finds a line. Returns false if the line has no segment. */
bool fm_segment_line(const struct fm_view *view, uint32_t line0, struct fm_segment_line *out);
/* Finds the line that contains an offset of the axis of generated lines. Returns false if not found. */
bool fm_segment_line_of(const struct fm_view *view, uint64_t axis_offset, struct fm_segment_line *out);

/* Returns the size of the axis of generated lines: the sum of the sizes of all lines. */
uint64_t fm_segment_axis_size(const struct fm_view *view);

/* Returns the number of the first segment at or after the offset `axis_offset` of the axis of generated lines; the
 * number of all segments if not found. */
uint64_t fm_segment_first(const struct fm_view *view, uint64_t axis_offset);
/* Finds where a segment starts on the axis of generated lines. Returns false if there is no such segment, or its block
 * is damaged. */
bool fm_segment_axis_offset_of(const struct fm_view *view, uint64_t number, uint64_t *axis_offset);

/* Returns the last row whose first fields are at most the key, in a section that is sorted by these fields; as many
 * fields are compared as the key has. UINT64_MAX: all rows are greater. */
uint64_t fm_segment_stretch(const struct fm_view *view, unsigned section, const uint64_t *key, unsigned fields);

#endif
