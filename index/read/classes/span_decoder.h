/* Reading the packed spans of a method (docs/index-format.md, section 13). */
#ifndef FM_INDEX_READ_CLASSES_SPAN_DECODER_H
#define FM_INDEX_READ_CLASSES_SPAN_DECODER_H

#include "index/read/classes/class_view.h"
#include "index/read/table/tables.h"

/* Spans are numbered by method and place: the method's number in the upper half. */
#define FM_SPAN_NUMBER(method, place) ((uint64_t)(method) << 32 | (place))

_Static_assert(sizeof((struct fm_spans *)0)->width == SPANS_NUMBERS, "a width for each number of the head");
/* The spans of a method, all but their tree measured. false: damaged. */
bool fm_spans_open(const struct fm_view *view, uint64_t method, struct fm_spans *out);

struct fm_spans_tree {
    uint64_t boundaries_at, offsets_at, entries_at, end; /* bits from the spans' data */
    uint64_t boundaries, entries, nodes;
    int64_t base;
    unsigned width, offset_bits;
};
/* false: damaged. */
bool fm_spans_tree(const struct fm_view *view, const struct fm_spans *spans, struct fm_spans_tree *out);

/* A member of the method by its number within, FM_VIEW_NONE for none or damaged. */
uint32_t fm_spans_member(const struct fm_view *view, const struct fm_spans *spans, uint64_t local);
/* A row, place < count; member and notes as numbers of tables, FM_VIEW_NONE for none or damaged. */
void fm_spans_row(const struct fm_view *view, const struct fm_spans *spans, uint64_t place, struct fm_view_span *out);

/* The first place of [from, end) with the line, or without lines; end <= count. *steps is raised by what was looked at.
 */
bool fm_spans_at_line(const struct fm_view *view, const struct fm_spans *spans, int32_t line, uint64_t from,
                      uint64_t end, uint64_t *place, uint64_t *steps);
bool fm_spans_without_lines(const struct fm_view *view, const struct fm_spans *spans, uint64_t from, uint64_t end,
                            uint64_t *place, uint64_t *steps);

#endif
