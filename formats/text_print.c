/* Traces back into their text: what is no restored frame is copied byte for byte. */
#include "formats/text_print.h"
#include "core/fault.h"
#include "formats/lines.h"
#include "formats/readers.h"

#define FLUSH ((size_t)64 << 10) /* bytes gathered before they are written: one call of write for many frames */

struct printer {
    framemap_str text;
    uint64_t at; /* how much of the text is out */
    struct fm_buf out;
    framemap_write write;
    void *context;
    bool refused;
};

static void flush(struct printer *p)
{
    if (p->out.size && !p->out.failed && !p->refused && !p->write(p->context, p->out.data, p->out.size)) p->refused = true;
    if (!p->out.failed) fm_buf_clear(&p->out);
}

static void copy_to(struct printer *p, uint64_t end)
{
    framemap_str part = fm_str_slice(p->text, (size_t)p->at, (size_t)end);
    p->at = end;
    if (part.size >= FLUSH) {
        flush(p);
        if (!p->refused && !p->out.failed && !p->write(p->context, part.data, part.size)) p->refused = true;
        return;
    }
    fm_buf_str(&p->out, part);
    if (p->out.size >= FLUSH) flush(p);
}

static bool is_restored(const framemap_frame *frame) { return frame->restored.count != 0; }

static uint64_t raw_end(const framemap_frame *frame) { return frame->raw_offset + frame->raw.size; }

/* A frame whose slice lies in what is not out yet. Callers may pass traces of their own making. */
static bool in_text(const struct printer *p, const framemap_frame *frame)
{
    return frame->raw.size && frame->raw_offset >= p->at && frame->raw_offset <= p->text.size &&
           frame->raw.size <= p->text.size - frame->raw_offset;
}

/* How many frames from `first` on stand on its line: more than one in a list of bare addresses. */
static size_t on_line(const struct printer *p, const framemap_trace *trace, size_t first)
{
    size_t count = 1;
    while (first + count < trace->frame_count) {
        const framemap_frame *last = &trace->frames[first + count - 1], *next = last + 1;
        uint64_t end = raw_end(last);
        if (next->raw_offset < end || next->raw_offset > p->text.size || next->raw.size > p->text.size - next->raw_offset) break;
        if (memchr(p->text.data + end, '\n', (size_t)(next->raw_offset - end))) break;
        count++;
    }
    return count;
}

static framemap_str prefix_of(const struct printer *p, const framemap_frame *frame)
{
    size_t end = (size_t)frame->raw_offset, at = end;
    while (at && p->text.data[at - 1] != '\n') at--;
    return fm_str_slice(p->text, at, end);
}

/* The end that the frame's line has, or the line before it where the text ends. */
static framemap_str eol_of(const struct printer *p, const framemap_frame *frame)
{
    size_t at = (size_t)raw_end(frame);
    const char *newline = memchr(p->text.data + at, '\n', p->text.size - at);
    size_t end = newline ? (size_t)(newline - p->text.data) : (size_t)frame->raw_offset;
    while (!newline && end && p->text.data[end - 1] != '\n') end--;
    if (!newline && end) end--;
    return end && p->text.data[end - 1] == '\r' ? FM_STR("\r\n") : FM_STR("\n");
}

static void print_one(struct printer *p, const struct fm_format *format, const framemap_frame *frame)
{
    copy_to(p, frame->raw_offset);
    format->print_frame(&p->out, frame, prefix_of(p, frame), eol_of(p, frame));
    p->at = raw_end(frame);
}

/* A list of bare addresses of which at least one is restored becomes rows, each on a line of its own. */
static void print_list(struct printer *p, const struct fm_format *format, const framemap_frame *frames, size_t count)
{
    framemap_str prefix = prefix_of(p, frames), eol = eol_of(p, frames);
    size_t own = fm_line_prefix(prefix); /* what else stands before the list, a title or a parenthesis, is not repeated */
    while (own < prefix.size && fm_is_blank(prefix.data[own])) own++;
    prefix.size = own;
    copy_to(p, frames[0].raw_offset);
    for (size_t i = 0; i < count; i++) {
        fm_buf_str(&p->out, eol);
        fm_buf_str(&p->out, prefix);
        format->print_frame(&p->out, &frames[i], prefix, eol);
    }
    fm_buf_str(&p->out, eol);
    fm_buf_str(&p->out, prefix);
    p->at = raw_end(&frames[count - 1]);
}

static bool any_restored(const framemap_frame *frames, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_restored(&frames[i])) return true;
    return false;
}

/* A frame that is an address and nothing else: one of a list, even where it is the only one. */
static bool is_bare(const framemap_frame *frame)
{
    return frame->raw.size > 2 && frame->raw.data[0] == '0' && frame->raw.data[1] == 'x' && fm_str_find_byte(frame->raw, ' ') == FM_NOT_FOUND;
}

static void print_trace(struct printer *p, const framemap_trace *trace)
{
    const struct fm_format *format = fm_format_named_str(trace->format);
    if (!format || !format->print_frame) return;
    for (size_t i = 0; i < trace->frame_count && !p->refused && !p->out.failed;) {
        const framemap_frame *frame = &trace->frames[i];
        if (!in_text(p, frame)) {
            i++;
            continue;
        }
        size_t count = on_line(p, trace, i);
        if (any_restored(frame, count)) {
            if (count > 1 || is_bare(frame)) print_list(p, format, frame, count);
            else print_one(p, format, frame);
        }
        if (p->out.size >= FLUSH) flush(p);
        i += count;
    }
}

framemap_status fm_text_print(framemap_str text, const framemap_trace *traces, size_t count, struct fm_heap *heap, framemap_write write,
                              void *context, framemap_error *error)
{
    struct printer p = {.text = text, .write = write, .context = context};
    fm_buf_init(&p.out, heap);
    for (size_t i = 0; i < count && !p.refused && !p.out.failed; i++) print_trace(&p, &traces[i]);
    copy_to(&p, text.size);
    flush(&p);
    bool failed = p.out.failed;
    fm_buf_free(&p.out);
    if (failed) return fm_fault_memory(error);
    return p.refused ? fm_fault(error, FRAMEMAP_E_IO, "the output can't be written") : FRAMEMAP_OK;
}
