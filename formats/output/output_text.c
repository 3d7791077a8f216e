/* Output "text": prints restored frames in place of the original ones; the rest of the text is copied byte for byte.
 * Listed in format_registry.c. The style of a frame is that of its format (print_frame). */
#include "core/error.h"
#include "formats/format_output.h"
#include "formats/output/frame_escape.h"
#include "formats/output/text_rows.h"
#include "formats/output/text_within.h"
#include "formats/parsers.h"

/* a buffer larger than this many bytes is not kept for the next part of the text */
#define KEPT (4 * FM_TEXT_FLUSH)

/* Whether the frame has no source, since a compiler generated it: its line is omitted. */
static bool is_hidden(const framemap_frame *frame)
{
    return frame->status == FRAMEMAP_FRAME_OK && !fm_text_is_restored(frame);
}

/* Whether the frame is alone on its line, as most frames are. */
static bool fills_line(const struct fm_extent *extent, const framemap_frame *frame)
{
    return frame->raw_offset == extent->from && fm_text_raw_end(frame) == extent->to;
}

/* Returns how many frames from `first` on are on the same line. More than one is in a list of bare addresses. */
static size_t on_line(const struct fm_extent *extent, const framemap_trace *trace, size_t first)
{
    size_t count = 1;
    while (first + count < trace->frame_count) {
        const framemap_frame *last = &trace->frames[first + count - 1], *next = last + 1;
        if (next->raw_offset < fm_text_raw_end(last) || next->raw_offset > extent->to ||
            next->raw.size > extent->to - next->raw_offset)
            break;
        count++;
    }
    return count;
}

/* Whether the text after a frame only closes its line: the bar of a table, the backtick of code, "<br>", or "</p>"
 * after "<p>". */
static bool closes_line(framemap_str line, framemap_str mark)
{
    if (mark.size == 0) return false;
    if (*mark.data == '|' || *mark.data == '`') return *line.data == *mark.data;
    return fm_str_starts(mark, FM_STR("<br")) || (fm_str_starts(mark, FM_STR("</")) && *line.data == '<');
}

/* Prints a frame. Its further lines begin with the text that precedes the frame on its own line, and end with `eol`. */
static void print_row(struct fm_text_printer *p, const struct fm_format *format, const struct fm_extent *extent,
                      const framemap_frame *frame)
{
    fm_text_copy_to(p, frame->raw_offset);
    const size_t mark = p->out.size;
    fm_text_print_rows(p, format, frame, fm_text_prefix_of(p, extent, frame), extent);
    if (fm_text_is_whole(p, mark)) p->at = fm_text_raw_end(frame);
}

/* Prints a frame that is alone on its line. If the line ends with a mark such as "<br>", each printed line ends with
 * it. */
static void print_one(struct fm_text_printer *p, const struct fm_format *format, const struct fm_extent *extent,
                      const framemap_frame *frame)
{
    const framemap_str rest = fm_text_slice(p, fm_text_raw_end(frame), extent->to);
    if (!closes_line(fm_text_slice(p, extent->from, extent->to), fm_str_trim(rest))) {
        print_row(p, format, extent, frame);
        return;
    }
    struct fm_buf eol;
    struct fm_extent closed = *extent;
    fm_buf_init(&eol, p->heap);
    if (fm_buf_strs(&eol, (framemap_str[]){rest, extent->eol}, 2)) closed.eol = fm_buf_view(&eol);
    print_row(p, format, &closed, frame);
    fm_buf_free(&eol);
}

/* Whether a frame consists of an address only: it is an element of a list, even if the list has no other. */
static bool is_bare(const framemap_frame *frame)
{
    return frame->raw.size > 2 && frame->raw.data[0] == '0' && frame->raw.data[1] == 'x' &&
           fm_str_find_byte(frame->raw, ' ') == FM_NOT_FOUND;
}

/* Prints frames that are on one line, at least one of which is restored: each gets a line of its own. */
static void print_list(struct fm_text_printer *p, const struct fm_format *format, const struct fm_extent *extent,
                       const framemap_frame *frames, size_t count)
{
    framemap_str prefix = fm_text_prefix_of(p, extent, frames), eol = extent->eol;
    size_t own =
        /* other text before the list, such as a title or a parenthesis, is not repeated on each line */
        fm_line_prefix(prefix, FM_HAS_ANY);
    while (own < prefix.size && fm_is_blank(prefix.data[own])) own++;
    prefix.size = own;
    fm_text_copy_to(p, frames[0].raw_offset);
    const size_t mark = p->out.size;
    for (size_t i = 0; i < count; i++) {
        fm_buf_str(&p->out, eol);
        fm_buf_str(&p->out, prefix);
        if (fm_text_is_restored(&frames[i]) || is_bare(&frames[i]))
            fm_text_print_rows(p, format, &frames[i], prefix, extent);
        else
            fm_buf_str(&p->out, frames[i].raw);
    }
    fm_buf_str(&p->out, eol);
    fm_buf_str(&p->out, prefix);
    if (fm_text_is_whole(p, mark)) p->at = fm_text_raw_end(&frames[count - 1]);
}

/* Whether frames are in a string that ends on their line, as in JSON: no further lines may be added there. */
static bool are_quoted(const struct fm_text_printer *p, const struct fm_extent *extent, const framemap_frame *last)
{
    return last->kind == FRAMEMAP_KIND_NATIVE &&
           fm_str_find_byte(fm_text_slice(p, fm_text_raw_end(last), extent->to), '"') != FM_NOT_FOUND;
}

/* Prints the frames of one line, at least one of which is restored. */
static void print_frames(struct fm_text_printer *p, const struct fm_format *format, const struct fm_extent *extent,
                         const framemap_trace *trace, size_t first, size_t count)
{
    const framemap_frame *frames = &trace->frames[first];
    if (is_bare(frames)) {
        print_list(p, format, extent, frames, count);
    } else if (are_quoted(p, extent, &frames[count - 1])) {
        for (size_t i = 0; i < count; i++)
            if (fm_text_is_restored(&frames[i])) fm_text_print_within(p, format, extent, trace, first + i);
    } else if (count > 1) {
        print_list(p, format, extent, frames, count);
    } else {
        print_one(p, format, extent, frames);
    }
}

/* Omits the line of a hidden frame, together with the line end after it. If the line is the last piece of an escaped
 * string, the line end before it is omitted instead. */
static void omit_line(struct fm_text_printer *p, const struct fm_extent *extent)
{
    uint64_t from = extent->from, to = extent->after;
    if (extent->is_piece && extent->after == extent->to && from >= extent->eol.size) from -= extent->eol.size;
    if (from < p->at) return;
    fm_text_copy_to(p, from);
    p->at = to;
}

static bool any_restored(const framemap_frame *frames, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fm_text_is_restored(&frames[i])) return true;
    return false;
}

/* Prints a frame of a JSON document: the text that it replaces may be a part of a line, or several lines. */
static void print_in_document(struct fm_text_printer *p, const struct fm_format *format, const framemap_frame *frame)
{
    const struct fm_extent none = {.eol = FM_STR("\n")};
    fm_text_copy_to(p, frame->raw_offset);
    const size_t mark = p->out.size;
    fm_text_print_rows(p, format, frame, fm_str(NULL, 0), &none);
    if (fm_text_is_whole(p, mark)) p->at = fm_text_raw_end(frame);
}

/* Whether the next frame may be on the same line as this one, which then begins a list. Pieces of an escaped string
 * have the same line number, too. Java frames are not examined here: they stay on their line. */
static bool may_share_line(const framemap_trace *trace, size_t number)
{
    const framemap_frame *frame = &trace->frames[number];
    return frame->kind != FRAMEMAP_KIND_JAVA && number + 1 < trace->frame_count && frame->raw_line != 0 &&
           frame[1].raw_line == frame->raw_line;
}

/* Prints the frames of one line. Returns how many frames were on it. */
static size_t print_line(struct fm_text_printer *p, const struct fm_format *format, const framemap_trace *trace,
                         size_t first)
{
    const framemap_frame *frame = &trace->frames[first];
    if (!fm_text_in_part(p, frame)) return 1;
    if (!fm_text_is_restored(frame) && !is_hidden(frame) && !is_bare(frame) && !may_share_line(trace, first)) return 1;
    if (format->reads_documents) {
        if (fm_text_is_restored(frame)) print_in_document(p, format, frame);
        return 1;
    }
    const struct fm_extent *extent = fm_text_extent_of(p, frame);
    if (frame->kind == FRAMEMAP_KIND_JAVA && !fills_line(extent, frame) && fm_text_is_within(p, extent, trace, first)) {
        if (fm_text_is_restored(frame))
            fm_text_print_within(p, format, extent, trace, first);
        else
            fm_text_omit_within(p, extent, trace, first);
        return 1;
    }
    size_t count = on_line(extent, trace, first);
    if (any_restored(frame, count)) {
        print_frames(p, format, extent, trace, first, count);
    } else if (count == 1 && is_hidden(frame)) {
        if (fm_text_has_rest(p, extent, frame))
            fm_text_omit_within(p, extent, trace, first);
        else
            omit_line(p, extent);
    }
    if (p->out.size >= FM_TEXT_FLUSH) fm_text_flush(p);
    return count;
}

/* Prints the restored name of a class that the text mentions outside of frames. */
static void print_mention(struct fm_text_printer *p, const framemap_mention *mention)
{
    const framemap_frame place = {.raw = mention->raw, .raw_offset = mention->raw_offset};
    if (mention->restored.size == 0 || !fm_text_in_part(p, &place)) return;
    fm_text_copy_to(p, mention->raw_offset);
    const size_t mark = p->out.size;
    fm_text_show(&p->out, mention->restored, fm_text_extent_of(p, &place)->run);
    if (fm_text_is_whole(p, mark)) p->at = fm_text_raw_end(&place);
}

/* --- several traces --- */

/* The position up to which a trace has been printed. Traces of different processes can alternate in a text. */
struct cursor {
    const framemap_trace *trace;
    const struct fm_format *format;
    size_t frame, mention;
};
/* most traces that alternate at one place in the text: as many as there can be lanes (scan/lanes.h) */
#define CURSORS 64

static bool at_mention(const struct cursor *cursor)
{
    const framemap_trace *trace = cursor->trace;
    return cursor->mention < trace->mention_count &&
           (cursor->frame >= trace->frame_count ||
            trace->mentions[cursor->mention].raw_offset < trace->frames[cursor->frame].raw_offset);
}

/* Returns the offset of the trace's next frame or mention to print; UINT64_MAX: there are no more. */
static uint64_t next_offset(const struct cursor *cursor)
{
    if (at_mention(cursor)) return cursor->trace->mentions[cursor->mention].raw_offset;
    return cursor->frame < cursor->trace->frame_count ? cursor->trace->frames[cursor->frame].raw_offset : UINT64_MAX;
}

static void print_next(struct fm_text_printer *p, struct cursor *cursor)
{
    if (at_mention(cursor))
        print_mention(p, &cursor->trace->mentions[cursor->mention++]);
    else
        cursor->frame += print_line(p, cursor->format, cursor->trace, cursor->frame);
}

/* Returns the index of the cursor whose next offset is the lowest; count must not be 0. */
static size_t first_of(const struct cursor *cursors, size_t count)
{
    size_t first = 0;
    for (size_t i = 1; i < count; i++)
        if (next_offset(&cursors[i]) < next_offset(&cursors[first])) first = i;
    return first;
}

/* Prints the traces up to offset `end`, and removes the cursors of traces that are complete. */
static size_t print_up_to(struct fm_text_printer *p, struct cursor *cursors, size_t count, uint64_t end)
{
    while (count > 0 && !p->refused) {
        const size_t first = first_of(cursors, count);
        const uint64_t next = next_offset(&cursors[first]);
        if (next == UINT64_MAX)
            cursors[first] = cursors[--count];
        else if (next >= end)
            break;
        else
            print_next(p, &cursors[first]);
    }
    return count;
}

static framemap_status print_text(const struct fm_print_job *job, framemap_error *error)
{
    struct fm_text_printer p = {.text = job->text,
                                .traces = job->traces,
                                .traces_end = job->count ? job->traces + job->count : NULL,
                                .base = job->offset,
                                .at = job->offset,
                                .extents = {.text = job->text, .base = job->offset},
                                .out = *job->out,
                                .heap = job->heap,
                                .write = job->write,
                                .context = job->context};
    struct cursor cursors[CURSORS], next = {.trace = NULL};
    size_t count = 0;
    for (size_t i = 0; i < job->count && !p.refused; i++) {
        const framemap_str name = job->traces[i].format;
        if (next.trace == NULL || name.data != next.trace->format.data) next.format = job->format_named(name);
        next = (struct cursor){.trace = &job->traces[i], .format = next.format};
        if (next.format == NULL || next.format->print_frame == NULL || next_offset(&next) == UINT64_MAX) continue;
        count = print_up_to(&p, cursors, count, next_offset(&next));
        if (count == CURSORS) count = print_up_to(&p, cursors, count, UINT64_MAX);
        if (count < CURSORS) cursors[count++] = next;
    }
    (void)print_up_to(&p, cursors, count, UINT64_MAX);
    fm_text_copy_to(&p, job->offset + job->text.size);
    fm_text_flush(&p);
    if (p.out.capacity > KEPT) fm_buf_free(&p.out);
    *job->out = p.out;
    if (p.refused) return fm_error_set(error, FRAMEMAP_E_IO, "the output can't be written");
    return p.lacked ? fm_error_memory(error) : FRAMEMAP_OK;
}

static const struct fm_output text_output = {
    .holds = FM_HOLDS_ALL,
    .print = print_text,
};

const struct fm_format fm_text_output = {
    .info = {"text", "the text itself, with its frames restored in place", false, true}, .output = &text_output};
