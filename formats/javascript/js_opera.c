/* Stacks of Opera up to version 12, before Opera used V8. There are two layouts; a line of source follows each frame:
 *
 *     Line 18 of linked script http://a.b/main.js: In function total
 *         return sum(rows);
 *
 *     called from line 27, column 8 in total(rows) in http://a.b/main.js:
 *         return sum(rows);
 *
 * Listed in format_registry.c as `fm_js_opera`. */
#include "formats/javascript/js_location.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char opera[] = "js-opera";

#define OPERA_GAP 4 /* maximum number of lines from one frame to the next: a line of source, and blank lines */

struct opera_state {
    uint64_t number1; /* line number of the last frame */
};

struct opera_row {
    framemap_str function, file;
    uint32_t line, column;
    /* to_line: size of the part of the row before its line number; to_end: size of the part up to the end of the
     * file */
    size_t to_line, to_end;
    bool old; /* the row has the layout "Line 18 of …" */
};

/* Parses "Line 18 of linked script URL: In function total", "Line 4 of inline#1 script in URL". */
static bool parse_old(framemap_str body, struct opera_row *row)
{
    struct fm_scan s = fm_scan_of(body);
    *row = (struct opera_row){.old = true};
    fm_scan_blanks(&s);
    if (fm_scan_text(&s, FM_STR("...  ")))
        fm_scan_blanks(&s); /* "... " at the start shows that frames above were left out */
    row->to_line = (size_t)(s.at - body.data);
    if (!fm_scan_text(&s, FM_STR("Line ")) || !fm_scan_dec32(&s, &row->line) || !fm_scan_text(&s, FM_STR(" of ")))
        return false;
    framemap_str rest = fm_scan_rest(&s);
    const framemap_str linked = FM_STR("linked script "), in = FM_STR(" script in ");
    const size_t within = fm_str_find(rest, in), function = fm_str_find(rest, FM_STR(": In function "));
    if (fm_str_starts(rest, linked))
        row->file = fm_str_from(rest, linked.size);
    else if (within != FM_NOT_FOUND && fm_str_starts(rest, FM_STR("inline#")))
        row->file = fm_str_from(rest, within + in.size);
    else
        return false;
    if (function != FM_NOT_FOUND) {
        row->function = fm_str_trim(fm_str_from(rest, function + 14));
        row->file = fm_str(row->file.data, (size_t)(rest.data + function - row->file.data));
    }
    row->file = fm_str_trim(row->file);
    row->to_end = body.size;
    return fm_js_begins_path(row->file);
}

/* Parses "called from line 27, column 8 in total(rows) in URL:", "Error thrown at line 42, column 12 in URL:". */
static bool parse_new(framemap_str body, struct opera_row *row)
{
    struct fm_scan s = fm_scan_of(body);
    *row = (struct opera_row){.line = 0};
    fm_scan_blanks(&s);
    if (!fm_scan_text(&s, FM_STR("called from ")) && !fm_scan_text(&s, FM_STR("Error thrown at "))) return false;
    row->to_line = (size_t)(s.at - body.data);
    if (!fm_scan_text(&s, FM_STR("line ")) || !fm_scan_dec32(&s, &row->line)) return false;
    if (!fm_scan_text(&s, FM_STR(", column ")) || !fm_scan_dec32(&s, &row->column) || !fm_scan_text(&s, FM_STR(" in ")))
        return false;
    framemap_str rest = fm_str_trim(fm_scan_rest(&s));
    if (fm_str_ends(rest, FM_STR(":"))) rest.size--;
    const size_t in = fm_str_find_last(rest, FM_STR(" in "));
    if (in != FM_NOT_FOUND) row->function = fm_str_slice(rest, 0, in);
    row->file = in == FM_NOT_FOUND ? rest : fm_str_from(rest, in + 4);
    row->to_end = (size_t)(rest.data + rest.size - body.data);
    return fm_js_begins_path(row->file);
}

static bool parse_row(framemap_str body, struct opera_row *row) { return parse_old(body, row) || parse_new(body, row); }

/* Finds the error, "Statement on line 44: Type mismatch", above the first frame or above "Backtrace:". */
static void find_error(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    struct fm_look_back walk = fm_look_back_from(doc, line, 0, 2);
    for (struct fm_line *before; (before = fm_look_back_next(&walk)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        const framemap_str text = fm_str_trim(before->body);
        if (!fm_str_starts(text, FM_STR("Statement on line "))) continue;
        const size_t colon = fm_str_find(text, FM_STR(": "));
        trace->exception = text;
        if (colon != FM_NOT_FOUND) trace->exception_message = fm_str_from(text, colon + 2);
        return;
    }
}

static enum fm_line_role opera_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct opera_state *state = memory;
    struct opera_row row;
    if (!parse_row(line->body, &row)) return FM_ROLE_NONE;
    if (!fm_document_open(doc, opera) || line->begins || line->number1 - state->number1 > OPERA_GAP) {
        framemap_trace *trace = fm_document_trace(doc, opera, line);
        if (trace == NULL) return FM_ROLE_FRAME;
        find_error(doc, line, trace);
    }
    state->number1 = line->number1;
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame == NULL) return FM_ROLE_FRAME;
    frame->kind = FRAMEMAP_KIND_JS;
    frame->function = row.function;
    frame->file = row.file;
    frame->line = row.line;
    frame->column = row.column;
    return FM_ROLE_FRAME;
}

static bool opera_is_significant(const struct fm_line *line)
{
    struct opera_row row;
    return parse_row(line->body, &row);
}

static void put_source(struct fm_buf *out, const struct opera_row *row, const framemap_frame *source)
{
    const framemap_str name = source->function.size ? source->function : row->function;
    fm_buf_str(out, row->old ? FM_STR("Line ") : FM_STR("line "));
    fm_buf_dec(out, source->line);
    if (row->old) {
        fm_buf_str(out, FM_STR(" of linked script "));
        fm_buf_str(out, source->file.size ? source->file : row->file);
        if (name.size) fm_buf_str(out, FM_STR(": In function "));
        fm_buf_str(out, name);
        return;
    }
    fm_buf_str(out, FM_STR(", column "));
    fm_buf_dec(out, source->column);
    fm_buf_str(out, FM_STR(" in "));
    fm_buf_str(out, name);
    if (name.size) fm_buf_str(out, FM_STR(" in "));
    fm_buf_str(out, source->file.size ? source->file : row->file);
}

static void opera_print(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    struct opera_row row;
    if (!parse_row(frame->raw, &row)) return;
    for (size_t i = 0; i < frame->restored.count; i++) {
        if (i) fm_row_begin_line(out, prefix, eol);
        fm_buf_str(out, fm_str_slice(frame->raw, 0, row.to_line));
        put_source(out, &row, &frame->restored.frames[i]);
        fm_buf_str(out, fm_str_from(frame->raw, row.to_end));
    }
}

static const struct fm_needle opera_needles[] = {
    FM_NEEDLE(" of linked script ", 6, 6),
    FM_NEEDLE(" of inline#", 7, 9),
    FM_NEEDLE(", column ", 0, 13),
};

const struct fm_format fm_js_opera = {
    .info = {opera, "JavaScript of Opera up to 12 (Line 18 of linked script main.js: In function f)", true, false},
    .keeps = FM_KEEPS_MARKS,
    FM_NEEDLES(opera_needles),
    .marks = FM_MARK_WORD,
    .state_size = sizeof(struct opera_state),
    .firsts = "Lc.E",
    .offer = opera_offer,
    .is_significant = opera_is_significant,
    .keeps_state = true,
    .print_frame = opera_print};
