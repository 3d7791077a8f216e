/* Implements other_row.h: has functions for stacks of runtimes whose names are already readable, such as Python: sets
 * exception, frames and markers, and joins a frame that continues on a second line. */
#include "formats/other/other_row.h"
#include "core/text/scan.h"

void fm_other_exception(framemap_trace *trace, framemap_str text)
{
    const framemap_str whole = fm_str_trim(text);
    const size_t colon = fm_str_find(whole, FM_STR(": ")), blank = fm_str_find_byte(whole, ' ');
    trace->exception = whole;
    /* Windows prints the exception in the form "EXCEPTION_X reading address 0x18", Unreal "LowLevelFatalError
     * [File:a.cpp] [Line: 12]" */
    if ((fm_str_starts(whole, FM_STR("EXCEPTION_")) || fm_str_starts(whole, FM_STR("LowLevelFatalError "))) &&
        blank < colon) {
        trace->exception_type = fm_str(whole.data, blank);
        trace->exception_message = fm_str_from(whole, blank + 1);
    } else if (colon != FM_NOT_FOUND) {
        trace->exception_type = fm_str(whole.data, colon);
        trace->exception_message = fm_str_from(whole, colon + 2);
    } else {
        trace->exception_type = whole;
        if (whole.size > 1 && whole.data[whole.size - 1] == ':') trace->exception_type.size--;
    }
}

framemap_frame *fm_other_frame(struct fm_document *doc, const struct fm_line *line)
{
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame == NULL) return NULL;
    frame->kind = FRAMEMAP_KIND_OTHER;
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    return frame;
}

void fm_other_link_cause(struct fm_document *doc, const char *name, uint64_t cause, const framemap_trace *trace)
{
    framemap_trace *before = fm_document_previous(doc);
    if (before == NULL || before->number != cause || before->format.data != name) return;
    before->role = FRAMEMAP_ROLE_CAUSE;
    before->part_of = trace->number;
}

void fm_other_narrow(framemap_frame *frame, framemap_str part)
{
    const framemap_str raw = frame->raw;
    /* `part` is in a cleaned copy of the line, so it is not a slice of the text */
    if (part.data < raw.data || part.data + part.size > raw.data + raw.size) return;
    frame->raw = part;
    frame->raw_offset += (uint64_t)(part.data - raw.data);
}

void fm_other_marker(struct fm_document *doc, const struct fm_line *line, framemap_marker marker, uint64_t count)
{
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame == NULL) return;
    frame->kind = FRAMEMAP_KIND_MARKER;
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    frame->marker = marker;
    framemap_frame_extra *extra = count ? fm_document_extra(doc, frame) : NULL;
    if (extra == NULL) return;
    extra->has_count = true;
    extra->count = count;
}

void fm_other_continue(struct fm_document *doc, framemap_frame *frame, const struct fm_line *line)
{
    fm_document_span(doc, line);
    (void)fm_line_extend(line, &frame->raw);
}

framemap_frame *fm_other_last(framemap_trace *trace)
{
    return trace->frame_count ? &trace->frames[trace->frame_count - 1] : NULL;
}

uint64_t fm_other_number(framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number = 0;
    while (s.at < s.end && !fm_is_digit(*s.at)) s.at++;
    return fm_scan_dec(&s, &number, NULL) ? number : 0;
}

bool fm_other_is_name(framemap_str text, const char *parts)
{
    if (text.size == 0 || fm_is_digit(text.data[0])) return false;
    for (size_t i = 0; i < text.size; i++) {
        const unsigned char c = (unsigned char)text.data[i];
        const bool letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
        if (!letter && !fm_is_digit((char)c) && c != '_' && c != '$' && c < 0x80 && strchr(parts, c) == NULL)
            return false;
    }
    return true;
}
