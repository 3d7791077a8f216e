/* A whole stack on one line, as monitoring tools and log collectors that drop line ends keep it:
 *
 *     TypeError: x is not a function at f (https://a.b/main.js:1:2) at https://a.b/main.js:1:9
 *     TypeError: x is undefined f@https://a.b/main.js:1:2 https://a.b/main.js:1:9       Firefox, Safari
 *     f@https://a.b/main.js:1:2g@https://a.b/main.js:1:9                                the same without blanks
 *
 * In format_registry.c, where it is `fm_js_one_line`, it precedes the formats that would parse such a line as one
 * frame. */
#include "core/limits.h"
#include "formats/javascript/js_colour.h"
#include "formats/javascript/js_frame.h"
#include "formats/javascript/js_heading.h"
#include "formats/javascript/js_print.h"
#include "formats/javascript/js_row.h"
#include "formats/javascript/js_title.h"
#include "formats/parsers.h"

static const char one_line[] = "js-one-line";

/* maximum number of frames that are read from one line: engines print 10, and people set limits up to 200 */
#define FRAMES 256
#define PLACE_MOST 2048 /* maximum number of bytes in which the end of a URL is searched */
#define LEAST 2 /* a line must have at least this many frames, because text with a single frame is mostly prose */

struct rows {
    /* the rows: "at f (a.js:1:2)", outermost first; or, if `signs` is set, "f@a.js:1:2", innermost first */
    framemap_str texts[FRAMES];
    size_t count;
    bool signs;          /* the rows have the form "f@a.js:1:2" */
    framemap_str before; /* text before the first frame */
};

/* Cuts off the character that log collectors print in place of a line end: "↵" or a bar. */
static framemap_str without_mark(framemap_str text)
{
    static const framemap_str marks[] = {FM_STR_INIT("\xE2\x86\xB5"), FM_STR_INIT("|"), FM_STR_INIT(";")};
    text = fm_str_trim(text);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (fm_str_ends(text, marks[i])) return fm_str_trim(fm_str_slice(text, 0, text.size - marks[i].size));
    return text;
}

static bool is_frame(framemap_str text)
{
    struct fm_js_row row;
    if (!fm_js_row_at(text, false, &row) || !row.sure) return false;
    if (row.place.kind == FM_JS_POSITION) return row.place.column1 != 0;
    return row.place.kind == FM_JS_EVALUATED || row.place.kind == FM_JS_BYTECODE ||
           (row.place.kind == FM_JS_BUILTIN && row.function.size);
}

/* Finds the last "at " before offset `end` that is outside of parentheses, and at the start of the text or after a
 * blank. */
static bool last_at(framemap_str text, size_t end, size_t *out)
{
    long depth = 0;
    for (size_t at = end; at-- > 0;) {
        depth += text.data[at] == ')';
        depth -= text.data[at] == '(';
        if (text.data[at] != 'a' || depth != 0 || at + 3 > end) continue;
        if (text.data[at + 1] != 't' || !fm_is_blank(text.data[at + 2])) continue;
        if (at > 0 && !fm_is_blank(text.data[at - 1]) && (unsigned char)text.data[at - 1] < 0x80) continue;
        *out = at;
        return true;
    }
    return false;
}

static bool split(framemap_str body, struct rows *rows)
{
    framemap_str text = fm_str_trim(body);
    size_t at;
    rows->count = 0;
    while (rows->count < FRAMES && last_at(text, text.size, &at)) {
        const framemap_str row = without_mark(fm_str_from(text, at));
        if (!is_frame(row)) break;
        rows->texts[rows->count++] = row;
        text = fm_str_slice(text, 0, at);
    }
    rows->before = without_mark(text);
    return rows->count >= LEAST;
}

/* --- finding rows with '@' in a line --- */

/* Returns the size of the location at the start of a text, "https://a.b:80/vue@2/m.js:1:2" or "[native code]"; 0: there
 * is no location. The location ends after the first line and column, unless these are followed by more of a path. */
static size_t place_size(framemap_str text)
{
    static const framemap_str native = FM_STR_INIT("[native code]");
    if (fm_str_starts(text, native)) return native.size;
    if (!fm_js_begins_path(text)) return 0;
    for (size_t at = 0; at < text.size && at < PLACE_MOST && !fm_is_blank(text.data[at]); at++) {
        if (text.data[at] != ':') continue;
        struct fm_scan s = fm_scan_of(fm_str_from(text, at + 1)), t;
        uint32_t number;
        if (!fm_scan_dec32(&s, &number)) continue;
        t = s;
        if (fm_scan_byte(&t, ':') && fm_scan_dec32(&t, &number)) s = t;
        if (fm_scan_done(&s) || strchr("/?#.:&=-_%", *s.at) == NULL) return (size_t)(s.at - text.data);
    }
    return 0;
}

/* Returns the offset at which the name of the first frame begins: it is the last word before the '@', or the two
 * words of "global code". sign: offset of the '@'. */
static size_t first_name(framemap_str text, size_t sign)
{
    static const framemap_str words[] = {FM_STR_INIT("global code"), FM_STR_INIT("module code"),
                                         FM_STR_INIT("eval code")};
    size_t at = sign;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fm_str_ends(fm_str(text.data, sign), words[i])) return sign - words[i].size;
    while (at > 0 && !fm_is_blank(text.data[at - 1])) at--;
    return at;
}

/* Whether a text between two locations is a function's name. Only names such as "global code", and the arguments
 * that old versions of Firefox print, contain blanks. */
static bool is_name_between(framemap_str name)
{
    enum { MOST = 256 };
    if (name.size > MOST) return false;
    return fm_str_find_byte(name, ' ') == FM_NOT_FOUND || fm_str_ends(name, FM_STR(" code")) ||
           fm_str_ends(name, FM_STR(")"));
}

/* Returns the size of the row at the start of a text: "f@https://a.b/m.js:1:2", or only the location of such a row; 0:
 * there is no row. */
static size_t sign_size(framemap_str text)
{
    const size_t alone = place_size(text), sign = alone ? FM_NOT_FOUND : fm_str_find_byte(text, '@');
    if (sign == FM_NOT_FOUND || !is_name_between(fm_str(text.data, sign))) return alone;
    const size_t size = place_size(fm_str_from(text, sign + 1));
    return size ? sign + 1 + size : 0;
}

/* Returns the text after blanks and the character that log collectors print in place of a line end. */
static framemap_str after_mark(framemap_str text)
{
    static const framemap_str marks[] = {FM_STR_INIT("\xE2\x86\xB5"), FM_STR_INIT("|"), FM_STR_INIT(";")};
    text = fm_str_trim(text);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (fm_str_starts(text, marks[i])) return fm_str_trim(fm_str_from(text, marks[i].size));
    return text;
}

static bool split_signs(framemap_str body, struct rows *rows)
{
    static const framemap_str label = FM_STR_INIT("stack:");
    framemap_str text = fm_str_trim(body);
    size_t sign = 0, size;
    rows->count = 0;
    while ((size = fm_str_find_byte(fm_str_from(text, sign), '@')) != FM_NOT_FOUND &&
           place_size(fm_str_from(text, sign + size + 1)) == 0)
        sign += size + 1;
    if (size == FM_NOT_FOUND) return false;
    sign = first_name(text, sign + size);
    rows->before = without_mark(fm_str(text.data, sign));
    if (fm_str_ends(rows->before, label)) rows->before = fm_str_trim(fm_str(text.data, rows->before.size - label.size));
    for (text = fm_str_from(text, sign); rows->count < FRAMES && (size = sign_size(text)) != 0;) {
        rows->texts[rows->count++] = fm_str(text.data, size);
        text = after_mark(fm_str_from(text, size));
    }
    return rows->count >= LEAST;
}

/* Whether a line may contain two rows with '@'. */
static bool may_be_signs(const struct fm_line *line)
{
    return (line->has & FM_HAS_AT_SIGN) != 0 && (line->last == ']' || fm_is_digit(line->last)) &&
           fm_str_find_byte(line->body, '@') != FM_NOT_FOUND;
}

/* Whether a line may contain two rows. This test must be cheap, because lines with one row and ordinary text contain
 * "at" as well. */
static bool may_be(const struct fm_line *line)
{
    static const framemap_str at = FM_STR_INIT("at "), next = FM_STR_INIT(" at ");
    if (line->last != ')' && !fm_is_digit(line->last)) return false;
    struct fm_scan s = fm_scan_of(line->body);
    fm_scan_blanks(&s);
    if (!fm_scan_text(&s, at)) {
        const framemap_str body = fm_scan_rest(&s);
        if (fm_str_find(body, next) == FM_NOT_FOUND) return false;
        s.at += fm_str_find(body, at) + at.size;
    }
    return fm_str_find(fm_scan_rest(&s), next) != FM_NOT_FOUND && fm_str_find_byte(line->body, ':') != FM_NOT_FOUND;
}

/* Returns the part of the coloured body that corresponds to a part of its copy without colours. */
static framemap_str coloured_part(framemap_str body, framemap_str copy, framemap_str part)
{
    const size_t from = (size_t)(part.data - copy.data);
    if (copy.data == body.data) return part;
    return fm_str_slice(body, fm_js_coloured_after(body, from), fm_js_coloured_at(body, from + part.size));
}

static bool split_any(const struct fm_line *line, framemap_str text, struct rows *rows)
{
    rows->signs = false;
    if (may_be(line) && split(text, rows)) return true;
    rows->signs = true;
    return may_be_signs(line) && split_signs(text, rows);
}

/* Parses a row. number: counted from the innermost row. */
static bool row_of(const struct rows *rows, size_t number, framemap_str *text, struct fm_js_row *row)
{
    *text = rows->texts[rows->signs ? number : rows->count - 1 - number];
    return rows->signs ? fm_js_row_sign(*text, true, row) : fm_js_row_at(*text, true, row);
}

static enum fm_line_role one_line_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct rows rows;
    (void)memory;
    if (!may_be(line) && !may_be_signs(line)) return FM_ROLE_NONE;
    const framemap_str plain = fm_js_plain(doc, line);
    if (!split_any(line, plain, &rows)) return FM_ROLE_NONE;
    framemap_trace *trace = fm_document_trace(doc, one_line, line);
    if (trace == NULL) return FM_ROLE_FRAME;
    if (fm_js_head(rows.before, true, &trace->exception))
        fm_js_error_parts(trace->exception, &trace->exception_type, &trace->exception_message);
    for (size_t i = 0; i < rows.count; i++) {
        struct fm_js_row row;
        framemap_str text;
        framemap_frame *frame = row_of(&rows, i, &text, &row) ? fm_document_new_frame(doc, line) : NULL;
        if (frame == NULL) continue;
        frame->raw = fm_line_printed(line, coloured_part(line->body, plain, text), &frame->raw_offset);
        fm_js_fill(doc, frame, &row, false);
    }
    return FM_ROLE_FRAME;
}

static bool one_line_is_significant(const struct fm_line *line)
{
    struct rows rows;
    char room[FM_LIMIT_LINE];
    if ((!may_be(line) && !may_be_signs(line)) || line->body.size > sizeof room) return false;
    const bool is_coloured = fm_js_is_coloured(line->body);
    return split_any(line, is_coloured ? fm_str(room, fm_js_uncolour(line->body, room)) : line->body, &rows);
}

const struct fm_format fm_js_one_line = {
    .info = {one_line, "a whole JavaScript stack on one line (Error: x at f (main.js:1:2) at main.js:1:9)", true,
             false},
    .keeps = FM_KEEPS_MARKS,
    .state_size = 1,
    .lasts = ")]0123456789",
    .offer = one_line_offer,
    .is_significant = one_line_is_significant,
    .print_frame = fm_js_print};
