/* Implements context_rows.h: writes the source lines below a restored frame, numbered, with '>' before the line of the
 * frame; or inserts such lines after each frame of a text that was already written. */
#include "formats/context_rows.h"

#include "core/text/scan.h"
#include "formats/row_parts.h"

/* --- rows --- */

static size_t digits(uint32_t number)
{
    size_t count = 1;
    for (; number > 9; number /= 10) count++;
    return count;
}

static void put_number(struct fm_buf *out, uint32_t number, size_t width)
{
    for (size_t size = digits(number); size < width; size++) fm_buf_byte(out, ' ');
    fm_buf_dec(out, number);
}

static uint32_t last_number(const framemap_frame *source)
{
    uint32_t number = source->context_line;
    for (size_t i = 0; i < source->context.size; i++) number += source->context.data[i] == '\n' && number < UINT32_MAX;
    return number;
}

static void put_source_line(struct fm_buf *out, framemap_str line)
{
    for (;;) {
        const size_t tab = fm_str_find_byte(line, '\t');
        fm_buf_escaped(out, fm_str_slice(line, 0, tab));
        if (tab == FM_NOT_FOUND) return;
        fm_buf_byte(out, '\t');
        line = fm_str_from(line, tab + 1);
    }
}

void fm_put_context_rows(struct fm_buf *out, const framemap_frame *source, framemap_str row, framemap_str prefix,
                         framemap_str eol)
{
    size_t indent = 0, width = digits(last_number(source));
    uint32_t number = source->context_line;
    framemap_str line;
    while (indent < row.size && fm_is_blank(row.data[indent])) indent++;
    struct fm_scan s = fm_scan_of(source->context);
    while (source->context_line && fm_scan_code_line(&s, &line)) {
        fm_row_begin_line(out, prefix, eol);
        fm_buf_str(out, fm_str_slice(row, 0, indent));
        fm_buf_str(out, number == source->line ? FM_STR("    > ") : FM_STR("      "));
        put_number(out, number, width);
        fm_buf_str(out, line.size ? FM_STR(" | ") : FM_STR(" |"));
        put_source_line(out, line);
        if (number < UINT32_MAX) number++;
    }
}

/* --- inserting source lines into a restored text --- */

static bool starts_row(framemap_str text, framemap_str prefix, framemap_str eol)
{
    return fm_str_starts(text, eol) && fm_str_starts(fm_str_from(text, eol.size), prefix);
}

/* Cuts the first row off a text and returns it; the rest begins with the line end after that row. */
static framemap_str take_row(framemap_str *text, framemap_str prefix, framemap_str eol)
{
    size_t at = 0;
    while (at < text->size && (at == 0 || !starts_row(fm_str_from(*text, at), prefix, eol))) at++;
    const framemap_str row = fm_str_slice(*text, 0, at);
    *text = fm_str_from(*text, at);
    return row;
}

static size_t count_rows(framemap_str text, framemap_str prefix, framemap_str eol)
{
    size_t count = 0;
    for (; text.size; count++) (void)take_row(&text, prefix, eol);
    return count;
}

static bool is_shown(const framemap_frame *source, bool all) { return all || !source->artificial; }

static size_t count_sources(const framemap_frame *frame, bool all)
{
    size_t count = 0;
    for (size_t i = 0; i < frame->restored.count; i++) count += is_shown(&frame->restored.frames[i], all);
    return count;
}

void fm_insert_contexts(struct fm_buf *out, size_t at, const framemap_frame *frame, framemap_str prefix,
                        framemap_str eol)
{
    struct fm_buf copy;
    if (out->size == at) return; /* no row was printed for the frame */
    fm_buf_init(&copy, out->heap);
    if (out->failed || !fm_buf_add(&copy, out->data + at, out->size - at)) {
        out->failed = true;
        fm_buf_free(&copy);
        return;
    }
    framemap_str rest = fm_buf_view(&copy);
    const size_t rows = count_rows(rest, prefix, eol);
    const bool all = rows == frame->restored.count, each = all || rows == count_sources(frame, false);
    out->size = at;
    for (size_t i = 0; i < frame->restored.count; i++) {
        if (!is_shown(&frame->restored.frames[i], all)) continue;
        const framemap_str row = each ? take_row(&rest, prefix, eol) : rest;
        if (!each) rest = fm_str_from(rest, rest.size);
        fm_buf_add(out, row.data, row.size);
        fm_put_context_rows(out, &frame->restored.frames[i], frame->raw, prefix, eol);
    }
    fm_buf_free(&copy);
}
