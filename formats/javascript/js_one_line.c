/* A whole stack of V8 on one line, as monitoring tools and log collectors that drop line ends keep it:
 *
 *     TypeError: x is not a function at f (https://a.b/main.js:1:2) at https://a.b/main.js:1:9
 *
 * The row `fm_js_one_line` of format_registry.c. It comes before `js-v8`, which would parse such a line as one
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

#define FRAMES 256 /* most frames of one line that are read: engines print 10, and people set limits up to 200 */
#define LEAST 2    /* least frames of a line with several, because text with a single frame is mostly prose */

struct rows {
    framemap_str texts[FRAMES]; /* "at f (a.js:1:2)", outermost first */
    size_t count;
    framemap_str before; /* text before the first frame */
};

/* Cuts what log collectors put in place of a line end: "↵", a bar. */
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

/* Finds the offset of the last "at " outside of parentheses before `end`, at the start of the text or after a blank. */
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

/* Whether a line may have two frames. The check has to be cheap, because lines with one frame and lines of prose have
 * "at" as well. */
static bool may_be(const struct fm_line *line)
{
    const framemap_str body = fm_str_trim(line->body);
    if (line->last != ')' && !fm_is_digit(line->last)) return false;
    const size_t first = fm_str_starts(body, FM_STR("at ")) ? 0 : fm_str_find(body, FM_STR("at "));
    return first != FM_NOT_FOUND && fm_str_find(fm_str_from(body, first + 3), FM_STR(" at ")) != FM_NOT_FOUND &&
           fm_str_find_byte(body, ':') != FM_NOT_FOUND;
}

/* Returns the part of the body that a part of its copy without colours was made from. */
static framemap_str coloured_part(framemap_str body, framemap_str copy, framemap_str part)
{
    const size_t from = (size_t)(part.data - copy.data);
    if (copy.data == body.data) return part;
    return fm_str_slice(body, fm_js_coloured_after(body, from), fm_js_coloured_at(body, from + part.size));
}

static enum fm_line_role one_line_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct rows rows;
    (void)memory;
    if (!may_be(line)) return FM_ROLE_NONE;
    const framemap_str plain = fm_js_plain(doc, line);
    if (!split(plain, &rows)) return FM_ROLE_NONE;
    framemap_trace *trace = fm_document_trace(doc, one_line, line);
    if (trace == NULL) return FM_ROLE_FRAME;
    if (fm_js_head(rows.before, true, &trace->exception))
        fm_js_error_parts(trace->exception, &trace->exception_type, &trace->exception_message);
    for (size_t i = rows.count; i-- > 0;) {
        struct fm_js_row row;
        framemap_frame *frame = fm_js_row_at(rows.texts[i], true, &row) ? fm_document_new_frame(doc, line) : NULL;
        if (frame == NULL) continue;
        frame->raw = fm_line_printed(line, coloured_part(line->body, plain, rows.texts[i]), &frame->raw_offset);
        fm_js_fill(doc, frame, &row, false);
    }
    return FM_ROLE_FRAME;
}

static bool one_line_is_significant(const struct fm_line *line)
{
    struct rows rows;
    char room[FM_LIMIT_LINE];
    if (!may_be(line) || line->body.size > sizeof room) return false;
    const bool is_coloured = fm_js_is_coloured(line->body);
    return split(is_coloured ? fm_str(room, fm_js_uncolour(line->body, room)) : line->body, &rows);
}

const struct fm_format fm_js_one_line = {
    .info = {one_line, "a whole JavaScript stack on one line (Error: x at f (main.js:1:2) at main.js:1:9)", true,
             false},
    .keeps = FM_KEEPS_MARKS,
    .state_size = 1,
    .lasts = ")0123456789",
    .offer = one_line_offer,
    .is_significant = one_line_is_significant,
    .print_frame = fm_js_print};
