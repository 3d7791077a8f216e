/* Errors that the console of a WebView logs on one line, with a position but without a stack:
 *
 *     [INFO:CONSOLE(12)] "Uncaught TypeError: x is not a function", source: https://a.b/main.js (12)
 *     file:///android_asset/www/main.js: Line 12 : Uncaught TypeError: x is not a function
 *     Uncaught TypeError: x is not a function -- From line 12 of file:///android_asset/www/main.js
 *     JavaScript Error: {"type":"js.error","error":{"message":"Uncaught …","url":"FILE","line":1,"col":9,…
 *
 * Chromium and Electron print the first form, Cordova the second and third, Capacitor the last, which is the only form
 * with a column. Only those messages of the console that name an error become traces. Listed in format_registry.c as
 * `fm_js_console`. */
#include "formats/javascript/js_heading.h"
#include "formats/javascript/js_location.h"
#include "formats/javascript/js_title.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char console[] = "js-console";

struct console_row {
    framemap_str message, file, error;
    uint32_t line, column;
    framemap_str place; /* file and line as printed */
    bool in_members;    /* `place` is in Capacitor's form: '"FILE","line":1,"col":2' */
};

/* Parses ':CONSOLE(12)] "MESSAGE", source: FILE (12)', or ':CONSOLE:12] "…', the form that Chromium prints since
 * 2024. */
static bool parse_chromium(framemap_str body, struct console_row *row)
{
    const framemap_str source = FM_STR("\", source: ");
    const size_t word = fm_str_find(body, FM_STR(":CONSOLE")), mark = fm_str_find(body, FM_STR("] \""));
    const size_t end = fm_str_find_last(body, source);
    if (word == FM_NOT_FOUND || mark == FM_NOT_FOUND || mark < word || end == FM_NOT_FOUND || end < mark + 3)
        return false;
    row->message = fm_str_slice(body, mark + 3, end);
    row->place = fm_str_trim(fm_str_from(body, end + source.size));
    const size_t open = fm_str_find_last(row->place, FM_STR(" ("));
    if (open == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(row->place, open + 2));
    row->file = fm_str_slice(row->place, 0, open);
    return fm_js_scan_number(&s, &row->line) && fm_scan_byte(&s, ')') && fm_scan_done(&s);
}

/* Parses "FILE: Line 12 : MESSAGE". */
static bool parse_cordova(framemap_str body, struct console_row *row)
{
    const framemap_str text = fm_str_trim(body), mark = FM_STR(": Line ");
    const size_t at = fm_str_find(text, mark);
    if (at == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    row->file = fm_str_slice(text, 0, at);
    if (!fm_js_scan_number(&s, &row->line)) return false;
    row->place = fm_str(text.data, (size_t)(s.at - text.data));
    if (!fm_scan_text(&s, FM_STR(" : "))) return false;
    row->message = fm_scan_rest(&s);
    return true;
}

/* Parses "MESSAGE -- From line 12 of FILE". */
static bool parse_from(framemap_str body, struct console_row *row)
{
    const framemap_str text = fm_str_trim(body), mark = FM_STR(" -- From line ");
    const size_t at = fm_str_find_last(text, mark);
    if (at == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    row->message = fm_str_slice(text, 0, at);
    if (!fm_js_scan_number(&s, &row->line) || !fm_scan_text(&s, FM_STR(" of "))) return false;
    row->file = fm_scan_rest(&s);
    row->place = fm_str_from(text, at + mark.size);
    return true;
}

/* Parses 'JavaScript Error: {"type":"js.error","error":{"message":"MESSAGE","url":"FILE","line":1,"col":2,'. */
static bool parse_capacitor(framemap_str body, struct console_row *row)
{
    const framemap_str begin = FM_STR("{\"type\":\"js.error\",\"error\":{\"message\":\""),
                       url = FM_STR("\",\"url\":\"");
    const size_t at = fm_str_find(body, begin);
    if (at == FM_NOT_FOUND) return false;
    const framemap_str text = fm_str_from(body, at + begin.size);
    const size_t end = fm_str_find(text, url);
    if (end == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, end + url.size));
    row->message = fm_str_slice(text, 0, end);
    if (!fm_scan_until(&s, '"', &row->file) || !fm_scan_text(&s, FM_STR("\",\"line\":"))) return false;
    if (!fm_js_scan_number(&s, &row->line) || !fm_scan_text(&s, FM_STR(",\"col\":"))) return false;
    if (!fm_js_scan_number(&s, &row->column)) return false;
    row->place = fm_str(row->file.data - 1, (size_t)(s.at - row->file.data) + 1);
    row->in_members = true;
    return true;
}

static bool parse_console(framemap_str body, struct console_row *row)
{
    *row = (struct console_row){.line = 0};
    if (!parse_capacitor(body, row) && !parse_chromium(body, row) && !parse_cordova(body, row) &&
        !parse_from(body, row))
        return false;
    const bool is_file = row->in_members ? fm_js_is_file(row->file) : fm_js_begins_path(row->file);
    return row->line && is_file && fm_str_find_byte(row->file, ' ') == FM_NOT_FOUND &&
           fm_js_head(row->message, fm_str_starts(row->message, FM_STR("Uncaught ")), &row->error);
}

static enum fm_line_role console_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct console_row row;
    (void)memory;
    if (!parse_console(line->body, &row)) return FM_ROLE_NONE;
    framemap_trace *trace = fm_document_trace(doc, console, line);
    framemap_frame *frame = trace ? fm_document_new_frame(doc, line) : NULL;
    if (frame == NULL) return FM_ROLE_FRAME;
    fm_js_error_set(trace, row.error);
    frame->kind = FRAMEMAP_KIND_JS;
    frame->file = row.file;
    frame->line = row.line;
    frame->column = row.column;
    return FM_ROLE_FRAME;
}

static bool console_is_significant(const struct fm_line *line)
{
    struct console_row row;
    return parse_console(line->body, &row);
}

/* Writes the JSON members for the innermost frame: Capacitor's JSON has room for one frame only. */
static void put_members(struct fm_buf *out, const framemap_frame *source)
{
    fm_buf_json(out, source->file);
    fm_buf_str(out, FM_STR(",\"line\":"));
    fm_buf_dec(out, source->line);
    fm_buf_str(out, FM_STR(",\"col\":"));
    fm_buf_dec(out, source->column);
}

/* Prints the line with its position replaced by the restored frames, "f at FILE:1:2", innermost first. */
static void console_print(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    struct console_row row;
    (void)prefix;
    (void)eol;
    if (!parse_console(frame->raw, &row)) return;
    const size_t from = (size_t)(row.place.data - frame->raw.data);
    fm_buf_str(out, fm_str_slice(frame->raw, 0, from));
    if (row.in_members && frame->restored.count) put_members(out, &frame->restored.frames[0]);
    for (size_t i = 0; i < frame->restored.count && !row.in_members; i++) {
        if (i) fm_buf_str(out, FM_STR(", "));
        fm_row_put_at(out, &frame->restored.frames[i]);
    }
    fm_buf_str(out, fm_str_from(frame->raw, from + row.place.size));
}

static const struct fm_needle console_needles[] = {
    FM_NEEDLE(":CONSOLE", 3, 3),
    FM_NEEDLE(": Line ", 2, 13),
    FM_NEEDLE(" -- From line ", 1, 0),
    FM_NEEDLE("\"js.error\"", 0, 4),
};

const struct fm_format fm_js_console = {
    .info = {console, "errors in the log of a WebView's console (\"Uncaught …\", source: main.js (12))", true, false},
    .keeps = FM_KEEPS_MARKS,
    FM_NEEDLES(console_needles),
    .marks = FM_MARK_WORD,
    .state_size = 1,
    .offer = console_offer,
    .is_significant = console_is_significant,
    .print_frame = console_print};
