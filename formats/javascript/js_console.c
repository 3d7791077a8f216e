/* Errors that the console of a WebView logs on one line, with a position but without a stack:
 *
 *     [INFO:CONSOLE(12)] "Uncaught TypeError: x is not a function", source: https://a.b/main.js (12)
 *     file:///android_asset/www/main.js: Line 12 : Uncaught TypeError: x is not a function
 *     Uncaught TypeError: x is not a function -- From line 12 of file:///android_asset/www/main.js
 *     JavaScript Error: {"type":"js.error","error":{"message":"Uncaught …","url":"FILE","line":1,"col":9,…
 *     ⚡️  [error] - {"line":1,"column":9,"sourceURL":"capacitor://localhost/main.js"}
 *     ⚡️  TypeError: x is not a function
 *     ⚡️  URL: capacitor://localhost/main.js
 *     ⚡️  main.js:1:9
 *
 * Chromium and Electron print the first form, Cordova the second and third, Capacitor the fourth on Android and the
 * others on iOS; these are the forms with a column. What JavaScriptCore writes into JSON of an error (the fifth form)
 * has no message. Otherwise only those messages of the console that name an error become traces. Listed in
 * format_registry.c as `fm_js_console`. */
#include "formats/javascript/js_heading.h"
#include "formats/javascript/js_location.h"
#include "formats/javascript/js_title.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char console[] = "js-console";

/* The form in which a row prints its position. */
enum console_form {
    IN_TEXT = 0,
    IN_MEMBERS,    /* Capacitor's members of JSON: '"FILE","line":1,"col":2' */
    IN_SOURCE_URL, /* JavaScriptCore's members of JSON: '"line":1,"column":2,"sourceURL":"FILE"' */
    AT_STARTUP     /* the last of three lines; it has only the last part of the URL, which is on the line above */
};

struct console_row {
    framemap_str message, file, error, function;
    uint32_t line, column;
    framemap_str place; /* file and line as printed */
    enum console_form form;
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
    return fm_scan_dec32(&s, &row->line) && fm_scan_byte(&s, ')') && fm_scan_done(&s);
}

/* Parses "FILE: Line 12 : MESSAGE". */
static bool parse_cordova(framemap_str body, struct console_row *row)
{
    const framemap_str text = fm_str_trim(body), mark = FM_STR(": Line ");
    const size_t at = fm_str_find(text, mark);
    if (at == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    row->file = fm_str_slice(text, 0, at);
    if (!fm_scan_dec32(&s, &row->line)) return false;
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
    if (!fm_scan_dec32(&s, &row->line) || !fm_scan_text(&s, FM_STR(" of "))) return false;
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
    if (!fm_scan_dec32(&s, &row->line) || !fm_scan_text(&s, FM_STR(",\"col\":"))) return false;
    if (!fm_scan_dec32(&s, &row->column)) return false;
    row->place = fm_str(row->file.data - 1, (size_t)(s.at - row->file.data) + 1);
    row->form = IN_MEMBERS;
    return true;
}

/* Parses '"line":1,"column":2,"sourceURL":"FILE"', the members that JavaScriptCore gives to errors. */
static bool parse_source_url(framemap_str body, struct console_row *row)
{
    const framemap_str begin = FM_STR("\"line\":"), url = FM_STR("\"sourceURL\":\"");
    const size_t mark = fm_str_find(body, url);
    const size_t at = mark == FM_NOT_FOUND ? mark : fm_str_find_last(fm_str_slice(body, 0, mark), begin);
    if (at == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(body, at + begin.size));
    /* without a bracket, the text is the rest of an object after a string of several lines, which was a stack */
    if (fm_str_find_byte(fm_str_slice(body, 0, at), '{') == FM_NOT_FOUND) return false;
    if (!fm_scan_dec32(&s, &row->line) || !fm_scan_text(&s, FM_STR(",\"column\":"))) return false;
    if (!fm_scan_dec32(&s, &row->column) || !fm_scan_byte(&s, ',') || !fm_scan_text(&s, url)) return false;
    if (!fm_scan_until(&s, '"', &row->file)) return false;
    row->place = fm_str(body.data + at, (size_t)(row->file.data + row->file.size + 1 - body.data) - at);
    row->form = IN_SOURCE_URL;
    return row->column != 0 && fm_str_find(body, FM_STR("\"stack\":\"")) == FM_NOT_FOUND;
}

/* Returns the text after the sign (U+26A1, mostly with U+FE0F) that begins Capacitor's lines on iOS; absent for other
 * lines. */
static framemap_str after_bolt(framemap_str body)
{
    struct fm_scan s = fm_scan_of(body);
    fm_scan_blanks(&s);
    if (!fm_scan_text(&s, FM_STR("\xE2\x9A\xA1"))) return (framemap_str){NULL, 0};
    fm_scan_text(&s, FM_STR("\xEF\xB8\x8F"));
    return fm_str_trim(fm_scan_rest(&s));
}

/* Parses "main.js:1:2" after the sign of Capacitor; "f at src/a.ts:1:2" if it was restored. The lines above have the
 * error and the URL. */
static bool parse_startup(framemap_str body, struct console_row *row)
{
    row->place = after_bolt(body);
    row->form = AT_STARTUP;
    framemap_str place = row->place;
    const size_t at = fm_str_find(place, FM_STR(" at "));
    if (at != FM_NOT_FOUND) {
        row->function = fm_str_slice(place, 0, at);
        place = fm_str_from(place, at + 4);
    }
    return place.size && fm_row_location(place, &row->file, &row->line, &row->column) && row->column != 0;
}

/* Reads the URL and the error of an error at startup from the lines above its position. */
static bool read_startup(struct fm_document *doc, const struct fm_line *line, struct console_row *row)
{
    struct fm_look_back above = fm_look_back_from(doc, line, fm_document_last_end(doc), 2);
    struct fm_line *before = fm_look_back_next(&above);
    const framemap_str mark = FM_STR("URL: "),
                       text = before && fm_line_cut(before) ? after_bolt(before->body) : (framemap_str){NULL, 0};
    if (!fm_str_starts(text, mark)) return false;
    if (row->function.size == 0) {
        if (!fm_str_ends(text, row->file)) return false;
        row->file = fm_str_from(text, mark.size);
    }
    before = fm_look_back_next(&above);
    return before && fm_line_cut(before) && fm_js_head(after_bolt(before->body), true, &row->error);
}

static bool parse_console(framemap_str body, struct console_row *row)
{
    *row = (struct console_row){.line = 0};
    if (parse_source_url(body, row) || parse_startup(body, row))
        return row->line && fm_js_is_file(row->file) && fm_str_find_byte(row->file, ' ') == FM_NOT_FOUND;
    *row = (struct console_row){.line = 0};
    if (!parse_capacitor(body, row) && !parse_chromium(body, row) && !parse_cordova(body, row) &&
        !parse_from(body, row))
        return false;
    const bool is_file = row->form == IN_MEMBERS ? fm_js_is_file(row->file) : fm_js_begins_path(row->file);
    return row->line && is_file && fm_str_find_byte(row->file, ' ') == FM_NOT_FOUND &&
           fm_js_head(row->message, fm_str_starts(row->message, FM_STR("Uncaught ")), &row->error);
}

static enum fm_line_role console_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct console_row row;
    (void)memory;
    if (!parse_console(line->body, &row) || (row.form == AT_STARTUP && !read_startup(doc, line, &row)) ||
        (row.form == IN_SOURCE_URL && line->run)) /* an error with a stack */
        return FM_ROLE_NONE;
    framemap_trace *trace = fm_document_trace(doc, console, line);
    framemap_frame *frame = trace ? fm_document_new_frame(doc, line) : NULL;
    if (frame == NULL) return FM_ROLE_FRAME;
    if (row.error.size) fm_js_error_set(trace, row.error);
    frame->kind = FRAMEMAP_KIND_JS;
    frame->function = row.function;
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

/* Writes the JSON members for the innermost frame: an error in JSON has room for one frame only. */
static void put_members(struct fm_buf *out, const framemap_frame *source)
{
    fm_buf_json(out, source->file);
    fm_buf_str(out, FM_STR(",\"line\":"));
    fm_buf_dec(out, source->line);
    fm_buf_str(out, FM_STR(",\"col\":"));
    fm_buf_dec(out, source->column);
}

static void put_source_url(struct fm_buf *out, const framemap_frame *source)
{
    fm_buf_str(out, FM_STR("\"line\":"));
    fm_buf_dec(out, source->line);
    fm_buf_str(out, FM_STR(",\"column\":"));
    fm_buf_dec(out, source->column);
    fm_buf_str(out, FM_STR(",\"sourceURL\":"));
    fm_buf_json(out, source->file);
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
    const bool in_json = row.form == IN_MEMBERS || row.form == IN_SOURCE_URL;
    if (row.form == IN_MEMBERS && frame->restored.count) put_members(out, &frame->restored.frames[0]);
    if (row.form == IN_SOURCE_URL && frame->restored.count) put_source_url(out, &frame->restored.frames[0]);
    for (size_t i = 0; i < frame->restored.count && !in_json; i++) {
        if (i) fm_buf_str(out, FM_STR(", "));
        fm_row_put_at(out, &frame->restored.frames[i]);
    }
    fm_buf_str(out, fm_str_from(frame->raw, from + row.place.size));
}

static const struct fm_needle console_needles[] = {
    FM_NEEDLE(":CONSOLE", 0, 4),      FM_NEEDLE(": Line ", 2, 13),         FM_NEEDLE(" -- From line ", 1, 0),
    FM_NEEDLE("\"js.error\"", 3, 15), FM_NEEDLE("\"sourceURL\":\"", 0, 8), FM_NEEDLE("\xE2\x9A\xA1", 0, 0),
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
