/* Prints the rows of one frame: no more than the limits allow, escaped, with lines of source. See text_rows.h. */
#include "formats/output/text_rows.h"

#include "core/cpu.h"
#include "core/limits.h"
#include "core/text/escape.h"
#include "core/text/find_any.h"
#include "formats/context_rows.h"
#include "formats/output/frame_escape.h"
#include "formats/scan/line_clean.h"

/* Whether a printed row has no control character after its indent, as most rows have none. */
static bool is_plain_row(framemap_str row)
{
    size_t indent = 0;
    while (indent < row.size && fm_is_blank(row.data[indent])) indent++;
    return fm_is_plain(fm_str_from(row, indent));
}

/* Whether the printed rows of a Java frame without alternatives can stay as they are, without escapes. That is so if
 * there is one row for each restored frame, and only a line end and the prefix are between the rows. */
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

/* Whether no string of a frame needs an escape; only the text that was printed for the frame is examined. */
static bool is_plain_print(framemap_str printed, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    if (frame->restored.count == 1) return is_plain_row(printed);
    return frame->kind == FRAMEMAP_KIND_JAVA && frame->alternative_count == 0 &&
           are_plain_rows(printed, frame, prefix, eol);
}

static bool has_context(const framemap_frame *frame)
{
    for (size_t i = 0; i < frame->restored.count; i++)
        if (frame->restored.frames[i].context.size > 0) return true;
    return false;
}

/* Inserts lines of source into the rows of a frame, if the rows are on lines of their own. Not used for JavaScript,
 * whose printers insert them. */
static void print_contexts(struct fm_text_printer *p, const struct fm_format *format, const framemap_frame *frame,
                           framemap_str prefix, const struct fm_extent *extent, size_t at)
{
    if (frame->kind == FRAMEMAP_KIND_JS || format->reads_documents || extent->run || !has_context(frame)) return;
    const framemap_str after = fm_text_slice(p, fm_text_raw_end(frame), extent->to);
    if (fm_str_trim(after).size == 0) fm_insert_contexts(&p->out, at, frame, prefix, extent->eol);
}

/* Prints a frame again with escaped strings; the new rows replace the output from offset `at` on. */
static FM_APART void print_escaped(struct fm_text_printer *p, const struct fm_format *format,
                                   const framemap_frame *frame, framemap_str prefix, const struct fm_extent *extent,
                                   size_t at)
{
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

/* Prints the rows of a frame; its strings from symbol files are escaped if necessary. */
static void print_strings(struct fm_text_printer *p, const struct fm_format *format, const framemap_frame *frame,
                          framemap_str prefix, const struct fm_extent *extent)
{
    const size_t at = p->out.size;
    format->print_frame(&p->out, frame, prefix, extent->eol);
    if (p->out.failed) return;
    const framemap_str printed = fm_str_from(fm_buf_view(&p->out), at);
    if (!format->reads_documents && extent->run == 0 && is_plain_print(printed, frame, prefix, extent->eol)) return;
    if (!fm_frame_is_plain(frame, extent->run)) print_escaped(p, format, frame, prefix, extent, at);
}

static void print_shown(struct fm_text_printer *p, const struct fm_format *format, const framemap_frame *frame,
                        framemap_str prefix, const struct fm_extent *extent)
{
    const size_t at = p->out.size;
    print_strings(p, format, frame, prefix, extent);
    print_contexts(p, format, frame, prefix, extent, at);
}

/* Returns how many bytes of a text need an escape within a string literal. */
static uint64_t escapes_of(framemap_str text)
{
    uint64_t count = 0;
    for (size_t i = 0; i < text.size; i++) count += text.data[i] == '"' || text.data[i] == '\\';
    return count;
}

/* Returns an upper bound of the bytes that are printed for a restored frame in addition to its strings. Each line
 * printed for it repeats parts of the original line, which has line_bytes bytes. In nested strings each byte may need
 * several escapes. */
static uint64_t repeated_by(const framemap_frame *source, uint64_t line_bytes, unsigned run)
{
    const framemap_str texts[] = {source->class_name, source->function, source->symbol, source->file, source->context};
    struct fm_scan s = fm_scan_of(source->context);
    framemap_str line;
    uint64_t lines = 1, escapes = 0;
    while (source->context.size > 0 && fm_scan_line(&s, &line)) lines++;
    for (size_t i = 0; run > 0 && i < sizeof texts / sizeof *texts; i++) escapes += escapes_of(texts[i]);
    return lines * line_bytes + escapes * run;
}

static uint64_t list_repeats(const framemap_frame_list *list, uint64_t line_bytes, unsigned run)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < list->count; i++) {
        /* without source lines and outside of strings, a frame takes exactly one line */
        const bool is_line = run == 0 && list->frames[i].context.size == 0;
        bytes += is_line ? line_bytes : repeated_by(&list->frames[i], line_bytes, run);
    }
    return bytes;
}

static uint64_t all_repeats(const framemap_frame *frame, uint64_t line_bytes, unsigned run)
{
    uint64_t bytes = list_repeats(&frame->restored, line_bytes, run);
    for (size_t i = 0; i < frame->alternative_count; i++)
        bytes += list_repeats(&frame->alternatives[i], line_bytes, run);
    return bytes;
}

/* Drops restored frames so that at most FM_LIMIT_ANSWER_PRINTED bytes are printed. */
static void fit_rows(framemap_frame *frame, uint64_t line_bytes, unsigned run)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < frame->restored.count; i++) {
        bytes += repeated_by(&frame->restored.frames[i], line_bytes, run);
        if (bytes <= FM_LIMIT_ANSWER_PRINTED) continue;
        frame->restored.count = i;
        frame->over_limit = true;
    }
    for (size_t i = 0; i < frame->alternative_count; i++) {
        bytes += list_repeats(&frame->alternatives[i], line_bytes, run);
        if (bytes <= FM_LIMIT_ANSWER_PRINTED) continue;
        frame->alternative_count = i;
        frame->over_limit = true;
    }
}

static bool has_nul_or_escape(framemap_str raw)
{
    static const char bytes[4] = {'\0', '\033', '\0', '\033'};
    return fm_str_find_any(raw, 0, bytes) < raw.size;
}

/* Whether a row may contain bytes that cleaning removes or replaces. One search for rare bytes decides. */
static bool may_be_dirty(framemap_str raw)
{
    static const char bytes[4] = {'\0', '\033', '\xC2', '\\'};
    return fm_str_find_any(raw, 0, bytes) < raw.size;
}

static bool is_to_clean(const struct fm_format *format, framemap_str raw, unsigned run)
{
    if (format->keeps == FM_KEEPS_ALL || !may_be_dirty(raw)) return false;
    if (fm_text_has_hard_blank(raw)) return true;
    if (format->keeps == FM_KEEPS_MARKS && run && fm_str_find_byte(raw, '\\') != FM_NOT_FOUND) return true;
    if (format->keeps == FM_KEEPS_MARKS) return fm_str_find_byte(raw, '\0') != FM_NOT_FOUND;
    return has_nul_or_escape(raw);
}

static void put_over_limit(struct fm_text_printer *p) { fm_buf_str(&p->out, FM_STR(" [over-limit]")); }

/* Prints a frame whose row has to be cleaned, so that its format can parse the row: without colours, and with plain
 * blanks. */
static FM_APART void print_cleaned(struct fm_text_printer *p, const struct fm_format *format,
                                   const framemap_frame *frame, framemap_str prefix, const struct fm_extent *extent)
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

static void print_all(struct fm_text_printer *p, const struct fm_format *format, const framemap_frame *frame,
                      framemap_str prefix, const struct fm_extent *extent)
{
    if (is_to_clean(format, frame->raw, extent->run))
        print_cleaned(p, format, frame, prefix, extent);
    else
        print_shown(p, format, frame, prefix, extent);
    if (frame->over_limit) put_over_limit(p); /* the mark " [over-limit]" follows the last line that is printed */
}

/* Prints as many rows of a frame as the limit allows. */
static FM_APART void print_fitted(struct fm_text_printer *p, const struct fm_format *format,
                                  const framemap_frame *frame, framemap_str prefix, const struct fm_extent *extent,
                                  uint64_t line_bytes)
{
    framemap_frame fitted = *frame;
    fit_rows(&fitted, line_bytes, extent->run);
    if (fitted.restored.count > 0 || frame->restored.count == 0) {
        print_all(p, format, &fitted, prefix, extent);
        return;
    }
    fm_buf_str(&p->out, frame->raw);
    if (fitted.over_limit) put_over_limit(p);
}

void fm_text_print_rows(struct fm_text_printer *p, const struct fm_format *format, const framemap_frame *frame,
                        framemap_str prefix, const struct fm_extent *extent)
{
    const uint64_t line_bytes = (uint64_t)prefix.size + frame->raw.size + extent->eol.size;
    if (all_repeats(frame, line_bytes, extent->run) > FM_LIMIT_ANSWER_PRINTED)
        print_fitted(p, format, frame, prefix, extent, line_bytes);
    else
        print_all(p, format, frame, prefix, extent);
}
