/* Prints and omits Java frames that share a line with other frames or text. See text_within.h. */
#include "formats/output/text_within.h"

#include "formats/output/text_rows.h"
#include "formats/row_gap.h"

/* Whether two successive traces are parts of one stack, such as an exception and its cause. */
static bool are_parts(const framemap_trace *a, const framemap_trace *b)
{
    return (a->role != FRAMEMAP_ROLE_NONE || b->role != FRAMEMAP_ROLE_NONE) && fm_str_equal(a->format, b->format);
}

/* Returns the frame before or after frame `number` of a trace. At the first or last frame of the trace, returns a frame
 * of the preceding or following part of the stack. */
static const framemap_frame *neighbour(const struct fm_text_printer *p, const framemap_trace *trace, size_t number,
                                       bool before)
{
    enum { EMPTY_MOST = 8 }; /* maximum number of parts without frames that are skipped */
    if (before ? number > 0 : number + 1 < trace->frame_count) return &trace->frames[before ? number - 1 : number + 1];
    for (int i = 0; i < EMPTY_MOST; i++) {
        if (trace == (before ? p->traces : p->traces_end - 1)) return NULL;
        const framemap_trace *other = before ? trace - 1 : trace + 1;
        if (!(before ? are_parts(other, trace) : are_parts(trace, other))) return NULL;
        if (other->frame_count > 0) return &other->frames[before ? other->frame_count - 1 : 0];
        trace = other;
    }
    return NULL;
}

/* Returns the frame before or after a frame; NULL if that frame is on another line. */
static const framemap_frame *beside(const struct fm_text_printer *p, const struct fm_extent *extent,
                                    const framemap_trace *trace, size_t number, bool before)
{
    const framemap_frame *frame = &trace->frames[number], *other = NULL;
    if (before ? frame->raw_offset > extent->from : fm_text_raw_end(frame) < extent->to)
        other = neighbour(p, trace, number, before);
    if (other == NULL) return NULL;
    if (other->raw_offset < extent->from || fm_text_raw_end(other) > extent->to || other->raw.size > extent->to)
        return NULL;
    return (before ? fm_text_raw_end(other) <= frame->raw_offset : fm_text_raw_end(frame) <= other->raw_offset) ? other
                                                                                                                : NULL;
}

bool fm_text_is_within(const struct fm_text_printer *p, const struct fm_extent *extent, const framemap_trace *trace,
                       size_t number)
{
    const framemap_frame *frame = &trace->frames[number];
    if (beside(p, extent, trace, number, true) || beside(p, extent, trace, number, false)) return true;
    if (frame->raw_offset == extent->from || fm_is_blank(frame->raw.data[0])) return false;
    const framemap_str line = fm_text_slice(p, extent->from, extent->to), before = fm_text_prefix_of(p, extent, frame);
    size_t own = fm_line_prefix(line, 0);
    if (extent->is_piece) own += fm_pieces_blanks(fm_str_from(line, own));
    return fm_str_trim(fm_str_from(before, own)).size != 0;
}

/* Whether the text between two frames of a line consists of separators only. */
static bool gap_between(const struct fm_text_printer *p, const framemap_frame *a, const framemap_frame *b,
                        framemap_str *gap)
{
    if (a == NULL || b == NULL) return false;
    *gap = fm_text_slice(p, fm_text_raw_end(a), b->raw_offset);
    return gap->size != 0 && fm_row_gap(*gap) == gap->size;
}

void fm_text_print_within(struct fm_text_printer *p, const struct fm_format *format, const struct fm_extent *extent,
                          const framemap_trace *trace, size_t number)
{
    const framemap_frame *frame = &trace->frames[number];
    framemap_str gap;
    if (!gap_between(p, beside(p, extent, trace, number, true), frame, &gap) &&
        !gap_between(p, frame, beside(p, extent, trace, number, false), &gap))
        gap = FM_STR(" ");
    struct fm_extent here = *extent;
    here.eol = gap;
    fm_text_copy_to(p, frame->raw_offset);
    const size_t mark = p->out.size;
    fm_text_print_rows(p, format, frame, fm_str(NULL, 0), &here);
    if (fm_text_is_whole(p, mark)) p->at = fm_text_raw_end(frame);
}

void fm_text_omit_within(struct fm_text_printer *p, const struct fm_extent *extent, const framemap_trace *trace,
                         size_t number)
{
    const framemap_frame *frame = &trace->frames[number], *before = beside(p, extent, trace, number, true);
    framemap_str gap;
    if (before && fm_text_raw_end(before) >= p->at && gap_between(p, before, frame, &gap)) {
        fm_text_copy_to(p, fm_text_raw_end(before));
        p->at = fm_text_raw_end(frame);
        return;
    }
    fm_text_copy_to(p, frame->raw_offset);
    p->at = fm_text_raw_end(frame);
    if (gap_between(p, frame, beside(p, extent, trace, number, false), &gap)) p->at += gap.size;
}

bool fm_text_has_rest(const struct fm_text_printer *p, const struct fm_extent *extent, const framemap_frame *frame)
{
    const framemap_str rest = fm_str_trim(fm_text_slice(p, fm_text_raw_end(frame), extent->to));
    return frame->kind == FRAMEMAP_KIND_JAVA && rest.size != 0 && *rest.data != '\033';
}
