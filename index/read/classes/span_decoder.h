/* Reads the packed spans (line ranges) of a method (docs/index-format.md, section 13). Called by class_decoder.c and
 * verify_spans.c. */
#ifndef FM_INDEX_READ_CLASSES_SPAN_DECODER_H
#define FM_INDEX_READ_CLASSES_SPAN_DECODER_H

#include "index/read/classes/class_view.h"
#include "index/read/table/tables.h"

/* The number of a span has the method's number in the upper 32 bits, and the span's index in the method in the lower
 * 32. */
#define FM_SPAN_NUMBER(method, place) ((uint64_t)(method) << 32 | (place))

_Static_assert(sizeof((struct fm_spans *)0)->width == SPANS_NUMBERS, "a width for each number of the head");
/* Decodes the head of a method's spans (line ranges), but not the head of the segment tree. false: damaged. */
bool fm_spans_open(const struct fm_view *view, uint64_t method, struct fm_spans *out);

struct fm_spans_tree {
    uint64_t boundaries_at, offsets_at, entries_at, end; /* offsets in bits from the spans' data */
    uint64_t boundaries, entries, nodes;
    int64_t base;
    unsigned width, offset_bits;
};
/* Decodes the head of the segment tree. false: damaged. */
bool fm_spans_tree(const struct fm_view *view, const struct fm_spans *spans, struct fm_spans_tree *out);

/* Returns the member with index `local` in the method; FM_VIEW_NONE: none, or it is damaged. */
uint32_t fm_spans_member(const struct fm_view *view, const struct fm_spans *spans, uint64_t local);
/* Reads one span, place < count. Member and notes are table row numbers; FM_VIEW_NONE if absent or damaged. */
void fm_spans_row(const struct fm_view *view, const struct fm_spans *spans, uint64_t place, struct fm_view_span *out);

/* fm_spans_at_line finds the first of spans [from, end) that covers the line, fm_spans_without_lines the first that has
 * no residual lines; end <= count. Both add the number of probes to *steps. */
bool fm_spans_at_line(const struct fm_view *view, const struct fm_spans *spans, int32_t line, uint64_t from,
                      uint64_t end, uint64_t *place, uint64_t *steps);
bool fm_spans_without_lines(const struct fm_view *view, const struct fm_spans *spans, uint64_t from, uint64_t end,
                            uint64_t *place, uint64_t *steps);

#endif
