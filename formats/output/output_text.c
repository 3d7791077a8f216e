/* Output "text": prints traces into their text; everything but restored frames is copied byte for byte.
 * format_registry.c has its row. The style of a frame is its format's (print_frame). */
#include "core/error.h"
#include "core/limits.h"
#include "core/text/buffer.h"
#include "core/text/escape.h"
#include "core/text/find_any.h"
#include "formats/context_rows.h"
#include "formats/output/frame_escape.h"
#include "formats/parsers.h"
#include "formats/row_gap.h"
#include "formats/scan/line_clean.h"
#include "formats/scan/lines.h"

#define FLUSH ((size_t)64 << 10) /* bytes gathered before they are written: one call of write for many frames */
#define DIRECT ((size_t)4 << 10) /* bytes that are written without being gathered if nothing is before them */
#define KEPT (4 * FLUSH)         /* a buffer that is larger is not kept for the next part */

/* All offsets are those in the whole text, as in the frames. */
struct printer {
    framemap_str text; /* the part of the text with these traces */
    uint64_t base;     /* its offset */
    uint64_t at;       /* text before it was printed or copied */
    const framemap_trace *traces, *traces_end;
    struct fm_extent extent; /* of the current frame */
    struct fm_buf out;
    struct fm_extents extents;
    struct fm_heap *heap;
    framemap_write write;
    void *context;
    bool refused;
    bool lacked; /* out of memory at some point: those frames stay as they are in the text */
};

static void flush(struct printer *p)
{
    if (p->out.size && !p->refused && !p->write(p->context, p->out.data, p->out.size)) p->refused = true;
    fm_buf_clear(&p->out);
}

static framemap_str slice(const struct printer *p, uint64_t from, uint64_t to)
{
    return fm_str_slice(p->text, (size_t)(from - p->base), (size_t)(to - p->base));
}

static void copy_to(struct printer *p, uint64_t end)
{
    framemap_str part = slice(p, p->at, end);
    p->at = end;
    const size_t direct = p->out.size == 0 ? DIRECT : FLUSH;
    if (part.size >= direct || !fm_buf_str(&p->out, part)) {
        p->out.failed = false; /* long, or out of memory: write it directly from the text */
        flush(p);
        if (!p->refused && part.size && !p->write(p->context, part.data, part.size)) p->refused = true;
        return;
    }
    if (p->out.size >= FLUSH) flush(p);
}

/* If memory was short, removes the output from `mark` on, so that the text is copied instead. Returns whether the
 * output is complete. */
static bool is_whole(struct printer *p, size_t mark)
{
    if (!p->out.failed) return true;
    p->out.size = mark;
    p->out.failed = false;
    p->lacked = true;
    return false;
}

/* Dart's tools do not print frames that its compiler generated. */
static bool is_restored(const framemap_frame *frame)
{
    if (frame->kind != FRAMEMAP_KIND_DART) return frame->restored.count != 0;
    for (size_t i = 0; i < frame->restored.count; i++)
        if (!frame->restored.frames[i].artificial) return true;
    return false;
}

/* No source corresponds to the frame: its line is omitted. */
static bool is_hidden(const framemap_frame *frame) { return frame->status == FRAMEMAP_FRAME_OK && !is_restored(frame); }

static uint64_t raw_end(const framemap_frame *frame) { return frame->raw_offset + frame->raw.size; }

/* Whether the frame's slice is within the text that is not printed yet. Callers may pass traces that they made
 * themselves. */
static bool in_text(const struct printer *p, const framemap_frame *frame)
{
    const uint64_t end = p->base + p->text.size;
    return frame->raw.size && frame->raw_offset >= p->at && frame->raw_offset <= end &&
           frame->raw.size <= end - frame->raw_offset;
}

static const struct fm_extent *extent_of(struct printer *p, const framemap_frame *frame)
{
    p->extent = *fm_extents_at(&p->extents, (size_t)(frame->raw_offset - p->base));
    p->extent.from += (size_t)p->base;
    p->extent.to += (size_t)p->base;
    p->extent.after += (size_t)p->base;
    return &p->extent;
}

/* Number of frames from `first` on that share its line: more than one in a list of bare addresses. */
static size_t on_line(const struct fm_extent *extent, const framemap_trace *trace, size_t first)
{
    size_t count = 1;
    while (first + count < trace->frame_count) {
        const framemap_frame *last = &trace->frames[first + count - 1], *next = last + 1;
        if (next->raw_offset < raw_end(last) || next->raw_offset > extent->to ||
            next->raw.size > extent->to - next->raw_offset)
            break;
        count++;
    }
    return count;
}

static framemap_str prefix_of(const struct printer *p, const struct fm_extent *extent, const framemap_frame *frame)
{
    return slice(p, extent->from, frame->raw_offset);
}

/* Whether a printed frame has no control characters but its indent, as is the case for most. */
static bool is_plain_row(framemap_str row)
{
    size_t indent = 0;
    while (indent < row.size && fm_is_blank(row.data[indent])) indent++;
    return fm_is_plain(fm_str_from(row, indent));
}

/* The same for the rows of a Java frame without alternatives: one for each restored frame, with nothing but the line
 * end and the prefix between them. */
static bool are_plain_rows(framemap_str rows, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    size_t indent = 0;
    while (indent < frame->raw.size && fm_is_blank(frame->raw.data[indent])) indent++;
    for (size_t left = frame->restored.count; left > 0; left--) {
        rows = fm_str_from(rows, indent);
        rows = fm_str_from(rows, fm_plain_size(rows));
        if (left == 1) break;
        if (!fm_str_starts(rows, eol) || !fm_str_starts(fm_str_from(rows, eol.size), prefix)) return false;
        rows = fm_str_from(rows, eol.size + prefix.size);
    }
    return rows.size == 0;
}

/* Whether what was printed for a frame shows that no string of it needs an escape. */
static bool is_plain_print(framemap_str printed, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    if (frame->restored.count == 1) return is_plain_row(printed);
    return frame->kind == FRAMEMAP_KIND_JAVA && frame->alternative_count == 0 &&
           are_plain_rows(printed, frame, prefix, eol);
}

static bool has_context(const framemap_frame *frame)
{
    bool any = false;
    for (size_t i = 0; i < frame->restored.count; i++) any = any || frame->restored.frames[i].context.size;
    return any;
}

/* Lines of source follow the rows of a frame where these are lines of their own. JavaScript's printers put theirs. */
static void print_contexts(struct printer *p, const struct fm_format *format, const framemap_frame *frame,
                           framemap_str prefix, const struct fm_extent *extent, size_t at)
{
    if (frame->kind == FRAMEMAP_KIND_JS || format->reads_documents || extent->run || !has_context(frame)) return;
    const framemap_str after = slice(p, raw_end(frame), extent->to);
    if (fm_str_trim(after).size == 0) fm_insert_contexts(&p->out, at, frame, prefix, extent->eol);
}

/* Prints the strings of symbol files, escaped if necessary. */
static void print_strings(struct printer *p, const struct fm_format *format, const framemap_frame *frame,
                          framemap_str prefix, const struct fm_extent *extent)
{
    const size_t at = p->out.size;
    format->print_frame(&p->out, frame, prefix, extent->eol);
    if (p->out.failed) return;
    const framemap_str printed = fm_str_from(fm_buf_view(&p->out), at);
    if (!format->reads_documents && extent->run == 0 && is_plain_print(printed, frame, prefix, extent->eol)) return;
    if (fm_frame_is_plain(frame, extent->run)) return;
    p->out.size = at;
    struct fm_arena arena;
    framemap_frame copy = *frame;
    fm_arena_init(&arena, p->heap);
    if (fm_frame_show(&arena, p->text, extent->run, &copy))
        format->print_frame(&p->out, &copy, prefix, extent->eol);
    else
        p->out.failed = true;
    fm_arena_free(&arena);
}

static void print_shown(struct printer *p, const struct fm_format *format, const framemap_frame *frame,
                        framemap_str prefix, const struct fm_extent *extent)
{
    const size_t at = p->out.size;
    print_strings(p, format, frame, prefix, extent);
    print_contexts(p, format, frame, prefix, extent, at);
}

/* Number of bytes that need escapes within a string. */
static uint64_t escapes_of(framemap_str text)
{
    uint64_t count = 0;
    for (size_t i = 0; i < text.size; i++) count += text.data[i] == '"' || text.data[i] == '\\';
    return count;
}

/* Upper bound of the bytes printed for a frame beyond its strings: each line repeats parts of the frame line, and in
 * nested strings each byte can need several escapes. */
static uint64_t repeated_by(const framemap_frame *source, const framemap_frame *row, framemap_str prefix,
                            const struct fm_extent *extent)
{
    const uint64_t line_bytes = (uint64_t)prefix.size + row->raw.size + extent->eol.size;
    if (extent->run == 0 && source->context.size == 0) return line_bytes; /* as for most */
    const framemap_str texts[] = {source->class_name, source->function, source->symbol, source->file, source->context};
    struct fm_scan s = fm_scan_of(source->context);
    framemap_str line;
    uint64_t lines = 1, escapes = 0;
    while (source->context.size > 0 && fm_scan_line(&s, &line)) lines++;
    for (size_t i = 0; extent->run > 0 && i < sizeof texts / sizeof *texts; i++) escapes += escapes_of(texts[i]);
    return lines * line_bytes + escapes * extent->run;
}

static uint64_t list_repeats(framemap_frame_list list, const framemap_frame *row, framemap_str prefix,
                             const struct fm_extent *extent)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < list.count; i++) bytes += repeated_by(&list.frames[i], row, prefix, extent);
    return bytes;
}

static uint64_t all_repeats(const framemap_frame *frame, framemap_str prefix, const struct fm_extent *extent)
{
    uint64_t bytes = list_repeats(frame->restored, frame, prefix, extent);
    for (size_t i = 0; i < frame->alternative_count; i++)
        bytes += list_repeats(frame->alternatives[i], frame, prefix, extent);
    return bytes;
}

/* Drops restored frames beyond FM_LIMIT_ANSWER_PRINTED. */
static void fit_rows(framemap_frame *frame, framemap_str prefix, const struct fm_extent *extent)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < frame->restored.count; i++) {
        bytes += repeated_by(&frame->restored.frames[i], frame, prefix, extent);
        if (bytes <= FM_LIMIT_ANSWER_PRINTED) continue;
        frame->restored.count = i;
        frame->over_limit = true;
    }
    for (size_t i = 0; i < frame->alternative_count; i++) {
        bytes += list_repeats(frame->alternatives[i], frame, prefix, extent);
        if (bytes <= FM_LIMIT_ANSWER_PRINTED) continue;
        frame->alternative_count = i;
        frame->over_limit = true;
    }
}

static const char nul_or_escape[4] = {'\0', '\033', '\0', '\033'};

static bool is_to_clean(const struct fm_format *format, framemap_str raw, unsigned run)
{
    if (format->keeps == FM_KEEPS_ALL) return false;
    if (format->keeps == FM_KEEPS_MARKS && run && fm_str_find_byte(raw, '\\') != FM_NOT_FOUND) return true;
    if (format->keeps == FM_KEEPS_MARKS) return fm_str_find_byte(raw, '\0') != FM_NOT_FOUND;
    return fm_str_find_any(raw, 0, nul_or_escape) < raw.size;
}

/* The frame with a text that its format can parse: without colours. */
static void print_cleaned(struct printer *p, const struct fm_format *format, const framemap_frame *frame,
                          framemap_str prefix, const struct fm_extent *extent)
{
    struct fm_arena arena;
    framemap_frame cleaned = *frame;
    fm_arena_init(&arena, p->heap);
    const unsigned keeps = format->keeps == FM_KEEPS_MARKS ? FM_KEEPS_MARKS : FM_KEEPS_ESCAPES;
    char *room = fm_arena_alloc(&arena, frame->raw.size);
    if (room) {
        cleaned.raw =
            fm_str(room, fm_text_clean(frame->raw, keeps, format->keeps == FM_KEEPS_MARKS ? extent->run : 0, room));
        print_shown(p, format, &cleaned, prefix, extent);
    } else {
        p->out.failed = true;
    }
    fm_arena_free(&arena);
}

static void print_rows(struct printer *p, const struct fm_format *format, const framemap_frame *frame,
                       framemap_str prefix, const struct fm_extent *extent)
{
    framemap_frame fitted;
    const framemap_frame *shown = frame;
    if (all_repeats(frame, prefix, extent) > FM_LIMIT_ANSWER_PRINTED) {
        fitted = *frame;
        fit_rows(&fitted, prefix, extent);
        shown = &fitted;
    }
    if (shown->restored.count == 0 && frame->restored.count > 0)
        fm_buf_str(&p->out, frame->raw);
    else if (is_to_clean(format, shown->raw, extent->run))
        print_cleaned(p, format, shown, prefix, extent);
    else
        print_shown(p, format, shown, prefix, extent);
    if (shown->over_limit) fm_buf_str(&p->out, FM_STR(" [over-limit]")); /* after the last line printed */
}

/* Whether what follows a frame closes its line alone: the bar of a table, code, "<br>", "</p>" after "<p>". */
static bool closes_line(framemap_str line, framemap_str mark)
{
    if (mark.size == 0) return false;
    if (*mark.data == '|' || *mark.data == '`') return *line.data == *mark.data;
    return fm_str_starts(mark, FM_STR("<br")) || (fm_str_starts(mark, FM_STR("</")) && *line.data == '<');
}

/* What closes each line is repeated like the line end. *eol: memory for both. */
static struct fm_extent with_closing(const struct printer *p, const struct fm_extent *extent,
                                     const framemap_frame *frame, struct fm_buf *eol)
{
    struct fm_extent closed = *extent;
    const framemap_str rest = slice(p, raw_end(frame), extent->to);
    fm_buf_init(eol, p->heap);
    if (closes_line(slice(p, extent->from, extent->to), fm_str_trim(rest)) && fm_buf_str(eol, rest) &&
        fm_buf_str(eol, extent->eol))
        closed.eol = fm_buf_view(eol);
    return closed;
}

static void print_one(struct printer *p, const struct fm_format *format, const struct fm_extent *extent,
                      const framemap_frame *frame)
{
    struct fm_buf eol;
    const struct fm_extent closed = with_closing(p, extent, frame, &eol);
    copy_to(p, frame->raw_offset);
    const size_t mark = p->out.size;
    print_rows(p, format, frame, prefix_of(p, extent, frame), &closed);
    if (is_whole(p, mark)) p->at = raw_end(frame);
    fm_buf_free(&eol);
}

/* Prints a list of bare addresses, at least one of them restored, as one line per frame. */
static void print_list(struct printer *p, const struct fm_format *format, const struct fm_extent *extent,
                       const framemap_frame *frames, size_t count)
{
    framemap_str prefix = prefix_of(p, extent, frames), eol = extent->eol;
    size_t own =
        fm_line_prefix(prefix, FM_HAS_ANY); /* other text before the list, a title or a parenthesis, is not repeated */
    while (own < prefix.size && fm_is_blank(prefix.data[own])) own++;
    prefix.size = own;
    copy_to(p, frames[0].raw_offset);
    const size_t mark = p->out.size;
    for (size_t i = 0; i < count; i++) {
        fm_buf_str(&p->out, eol);
        fm_buf_str(&p->out, prefix);
        print_rows(p, format, &frames[i], prefix, extent);
    }
    fm_buf_str(&p->out, eol);
    fm_buf_str(&p->out, prefix);
    if (is_whole(p, mark)) p->at = raw_end(&frames[count - 1]);
}

/* Omits the line of a hidden frame; for the last piece of a string, the line end before it. */
static void leave_out(struct printer *p, const struct fm_extent *extent)
{
    size_t from = extent->from, to = extent->after;
    if (extent->run && extent->after == extent->to && from >= extent->eol.size) from -= extent->eol.size;
    if (from < p->at) return;
    copy_to(p, from);
    p->at = to;
}

static bool any_restored(const framemap_frame *frames, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_restored(&frames[i])) return true;
    return false;
}

/* --- Java frames that share their line with other frames or other text --- */

/* Whether two traces, one after the other, are parts of one stack: an exception and its cause. */
static bool are_parts(const framemap_trace *a, const framemap_trace *b)
{
    return (a->role != FRAMEMAP_ROLE_NONE || b->role != FRAMEMAP_ROLE_NONE) && fm_str_equal(a->format, b->format);
}

/* The frame before or after one, also in the part of the stack before or after its trace. */
static const framemap_frame *neighbour(const struct printer *p, const framemap_trace *trace, size_t number, bool before)
{
    enum { EMPTY_MOST = 8 }; /* parts without frames that are passed over */
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

/* The same, if it is on the same line. */
static const framemap_frame *beside(const struct printer *p, const struct fm_extent *extent,
                                    const framemap_trace *trace, size_t number, bool before)
{
    const framemap_frame *frame = &trace->frames[number], *other = NULL;
    if (before ? frame->raw_offset > extent->from : raw_end(frame) < extent->to)
        other = neighbour(p, trace, number, before);
    if (other == NULL) return NULL;
    if (other->raw_offset < extent->from || raw_end(other) > extent->to || other->raw.size > extent->to) return NULL;
    return (before ? raw_end(other) <= frame->raw_offset : raw_end(frame) <= other->raw_offset) ? other : NULL;
}

/* A frame that begins at the start of its line, or after a blank and a log prefix, has the line for itself, unless
 * another frame is on it. */
static bool is_within(const struct printer *p, const struct fm_extent *extent, const framemap_trace *trace,
                      size_t number)
{
    const framemap_frame *frame = &trace->frames[number];
    if (frame->kind != FRAMEMAP_KIND_JAVA) return false;
    if (beside(p, extent, trace, number, true) || beside(p, extent, trace, number, false)) return true;
    if (frame->raw_offset == extent->from || fm_is_blank(frame->raw.data[0])) return false;
    const framemap_str line = slice(p, extent->from, extent->to), before = prefix_of(p, extent, frame);
    size_t own = fm_line_prefix(line, 0);
    if (extent->run) own += fm_pieces_blanks(fm_str_from(line, own));
    return fm_str_trim(fm_str_from(before, own)).size != 0;
}

/* The text between two frames of a line, if it only separates them. */
static bool gap_between(const struct printer *p, const framemap_frame *a, const framemap_frame *b, framemap_str *gap)
{
    if (a == NULL || b == NULL) return false;
    *gap = slice(p, raw_end(a), b->raw_offset);
    return gap->size != 0 && fm_row_gap(*gap) == gap->size;
}

static void print_within(struct printer *p, const struct fm_format *format, const struct fm_extent *extent,
                         const framemap_trace *trace, size_t number)
{
    const framemap_frame *frame = &trace->frames[number];
    framemap_str gap;
    if (!gap_between(p, beside(p, extent, trace, number, true), frame, &gap) &&
        !gap_between(p, frame, beside(p, extent, trace, number, false), &gap))
        gap = FM_STR(" ");
    struct fm_extent here = *extent;
    here.eol = gap;
    copy_to(p, frame->raw_offset);
    const size_t mark = p->out.size;
    print_rows(p, format, frame, fm_str(NULL, 0), &here);
    if (is_whole(p, mark)) p->at = raw_end(frame);
}

/* Omits the frame and the separator before it, or after it if it is the first. */
static void leave_out_within(struct printer *p, const struct fm_extent *extent, const framemap_trace *trace,
                             size_t number)
{
    const framemap_frame *frame = &trace->frames[number], *before = beside(p, extent, trace, number, true);
    framemap_str gap;
    if (before && raw_end(before) >= p->at && gap_between(p, before, frame, &gap)) {
        copy_to(p, raw_end(before));
        p->at = raw_end(frame);
        return;
    }
    copy_to(p, frame->raw_offset);
    p->at = raw_end(frame);
    if (gap_between(p, frame, beside(p, extent, trace, number, false), &gap)) p->at += gap.size;
}

/* Whether more than blanks and closing colours follow a frame on its line. */
static bool has_rest(const struct printer *p, const struct fm_extent *extent, const framemap_frame *frame)
{
    const framemap_str rest = fm_str_trim(slice(p, raw_end(frame), extent->to));
    return frame->kind == FRAMEMAP_KIND_JAVA && rest.size != 0 && *rest.data != '\033';
}

/* Whether a frame is only an address: an element of a list, even if it is the only one. */
static bool is_bare(const framemap_frame *frame)
{
    return frame->raw.size > 2 && frame->raw.data[0] == '0' && frame->raw.data[1] == 'x' &&
           fm_str_find_byte(frame->raw, ' ') == FM_NOT_FOUND;
}

/* Prints a frame of a document: its slice may be a part of a line, or several lines. */
static void print_in_document(struct printer *p, const struct fm_format *format, const framemap_frame *frame)
{
    const struct fm_extent none = {.eol = FM_STR("\n")};
    copy_to(p, frame->raw_offset);
    const size_t mark = p->out.size;
    print_rows(p, format, frame, fm_str(NULL, 0), &none);
    if (is_whole(p, mark)) p->at = raw_end(frame);
}

/* Prints the frames on one line; returns their number. */
static size_t print_line(struct printer *p, const struct fm_format *format, const framemap_trace *trace, size_t first)
{
    const framemap_frame *frame = &trace->frames[first];
    if (!in_text(p, frame)) return 1;
    if (!is_restored(frame) && !is_hidden(frame) && !is_bare(frame)) return 1;
    if (format->reads_documents) {
        if (is_restored(frame)) print_in_document(p, format, frame);
        return 1;
    }
    const struct fm_extent *extent = extent_of(p, frame);
    if (is_within(p, extent, trace, first)) {
        if (is_restored(frame))
            print_within(p, format, extent, trace, first);
        else
            leave_out_within(p, extent, trace, first);
        return 1;
    }
    size_t count = on_line(extent, trace, first);
    if (any_restored(frame, count)) {
        if (count > 1 || is_bare(frame))
            print_list(p, format, extent, frame, count);
        else
            print_one(p, format, extent, frame);
    } else if (count == 1 && is_hidden(frame)) {
        if (has_rest(p, extent, frame))
            leave_out_within(p, extent, trace, first);
        else
            leave_out(p, extent);
    }
    if (p->out.size >= FLUSH) flush(p);
    return count;
}

/* Prints a restored class outside of frames. */
static void print_mention(struct printer *p, const framemap_mention *mention)
{
    const framemap_frame place = {.raw = mention->raw, .raw_offset = mention->raw_offset};
    if (mention->restored.size == 0 || !in_text(p, &place)) return;
    copy_to(p, mention->raw_offset);
    const size_t mark = p->out.size;
    fm_text_show(&p->out, mention->restored, extent_of(p, &place)->run);
    if (is_whole(p, mark)) p->at = raw_end(&place);
}

/* --- several traces --- */

/* How far a trace is printed. Traces of different processes can alternate. */
struct cursor {
    const framemap_trace *trace;
    const struct fm_format *format;
    size_t frame, mention;
};
#define CURSORS 64 /* traces that alternate at one place: as many as there are lanes (scan/lanes.h) */

static bool at_mention(const struct cursor *cursor)
{
    const framemap_trace *trace = cursor->trace;
    return cursor->mention < trace->mention_count &&
           (cursor->frame >= trace->frame_count ||
            trace->mentions[cursor->mention].raw_offset < trace->frames[cursor->frame].raw_offset);
}

/* Where the next thing to be printed is; UINT64_MAX: there is none. */
static uint64_t next_offset(const struct cursor *cursor)
{
    if (at_mention(cursor)) return cursor->trace->mentions[cursor->mention].raw_offset;
    return cursor->frame < cursor->trace->frame_count ? cursor->trace->frames[cursor->frame].raw_offset : UINT64_MAX;
}

static void print_next(struct printer *p, struct cursor *cursor)
{
    if (at_mention(cursor))
        print_mention(p, &cursor->trace->mentions[cursor->mention++]);
    else
        cursor->frame += print_line(p, cursor->format, cursor->trace, cursor->frame);
}

/* The cursor that is the furthest above; count must not be 0. */
static size_t first_of(const struct cursor *cursors, size_t count)
{
    size_t first = 0;
    for (size_t i = 1; i < count; i++)
        if (next_offset(&cursors[i]) < next_offset(&cursors[first])) first = i;
    return first;
}

/* Prints the traces up to `end`, and forgets those of which nothing is left. */
static size_t print_up_to(struct printer *p, struct cursor *cursors, size_t count, uint64_t end)
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
    struct printer p = {.text = job->text,
                        .traces = job->traces,
                        .traces_end = job->count ? job->traces + job->count : NULL,
                        .base = job->offset,
                        .at = job->offset,
                        .extents = {.text = job->text},
                        .out = *job->out,
                        .heap = job->heap,
                        .write = job->write,
                        .context = job->context};
    struct cursor cursors[CURSORS];
    size_t count = 0;
    for (size_t i = 0; i < job->count && !p.refused; i++) {
        struct cursor next = {.trace = &job->traces[i], .format = job->format_named(job->traces[i].format)};
        if (next.format == NULL || next.format->print_frame == NULL || next_offset(&next) == UINT64_MAX) continue;
        count = print_up_to(&p, cursors, count, next_offset(&next));
        if (count == CURSORS) count = print_up_to(&p, cursors, count, UINT64_MAX);
        if (count < CURSORS) cursors[count++] = next;
    }
    (void)print_up_to(&p, cursors, count, UINT64_MAX);
    copy_to(&p, job->offset + job->text.size);
    flush(&p);
    if (p.out.capacity > KEPT) fm_buf_free(&p.out);
    *job->out = p.out;
    if (p.refused) return fm_error_set(error, FRAMEMAP_E_IO, "the output can't be written");
    return p.lacked ? fm_error_memory(error) : FRAMEMAP_OK;
}

const struct fm_format fm_text_output = {
    .info = {"text", "the text itself, with its frames restored in place", false, true},
    .holds = FM_HOLDS_ALL,
    .print = print_text};
