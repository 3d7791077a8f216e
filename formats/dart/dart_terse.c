/* Traces as package:stack_trace prints them, and those of Dart on the web, which its development compiler prints in
 * the same form:
 *
 *     package:app/shop.dart 12:3                        Cart.total
 *     dart-sdk/lib/_internal/…/async_patch.dart 84:54   runBody
 *     dart:async                                        _asyncThenWrapperHelper.<fn>
 *     ===== asynchronous gap ===========================
 *
 * Also those that Crashlytics makes of such traces on Android and iOS:
 *
 *     at Cart.total(shop.dart:12)
 *     0  ???                            0x0 Cart.total + 12 (shop.dart:12)
 *
 * and of programs that dart2js compiled, whose positions are in the script and are looked up as those of JavaScript:
 *
 *     main.dart.js 2522:17                              dart.wrapException
 *
 * All other frames have names, so they are not looked up. Listed in format_registry.c as `fm_dart_terse`. */
#include "formats/dart/dart_error.h"
#include "formats/dart/dart_named.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char terse_name[] = "dart-terse";

#define TERSE_GAP 3   /* maximum number of lines from one frame to the next: blank lines, and one line of other text */
#define TERSE_ABOVE 8 /* maximum number of lines above a trace that are searched for its error */

struct terse_state {
    struct fm_dart_box box;
    uint64_t floor; /* offset of the last line of the last trace */
    /* number of the last line that is a frame or a marker; 0: there is no such line, or the title of another trace
     * followed */
    uint64_t number1;
    int64_t index; /* number of the last row, if it has Apple's form ("0  ???  0x0 …"); -1: it has another form */
};

/* --- parsing lines with frames --- */

struct terse_row {
    framemap_str file, function;
    uint32_t line, column;
    int64_t index; /* number of the row; -1: not printed */
    bool script;   /* the file is a script that was compiled from Dart */
    bool sure;     /* the text alone shows that it is a row; otherwise it is accepted only below another row */
};

/* Parses the position after the file: "12:3" or "12". */
static bool terse_read_place(struct fm_scan *s, struct terse_row *row)
{
    struct fm_scan at = *s;
    uint32_t line, column = 0;
    if (!fm_scan_dec32(&at, &line)) return false;
    if (fm_scan_byte(&at, ':') && !fm_scan_dec32(&at, &column)) return false;
    if (!fm_scan_blanks1(&at)) return false;
    row->line = line;
    row->column = column;
    *s = at;
    return true;
}

/* Whether the text is the name of a member. A name contains blanks only after words such as "get", and within type
 * arguments and "<anonymous closure>". */
static bool is_member(framemap_str name)
{
    static const framemap_str words[] = {FM_STR_INIT("get "), FM_STR_INIT("set "), FM_STR_INIT("new "),
                                         FM_STR_INIT("operator ")};
    long depth = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fm_str_starts(name, words[i])) name = fm_str_from(name, words[i].size);
    for (size_t i = 0; i < name.size; i++) {
        depth += name.data[i] == '<' || name.data[i] == '[';
        depth -= name.data[i] == '>' || name.data[i] == ']';
        if (fm_is_blank(name.data[i]) && depth <= 0) return false;
    }
    return name.size != 0;
}

static bool read_source(framemap_str inside, struct terse_row *row)
{
    row->file = inside;
    (void)fm_row_location(inside, &row->file, &row->line, &row->column);
    return row->column == 0 && fm_dart_is_source(row->file) && fm_str_find_byte(row->file, ' ') == FM_NOT_FOUND;
}

/* Parses "at Cart.total(shop.dart:12)". No blank may precede the parenthesis, and no column may follow the line:
 * such rows belong to other formats. */
static bool parse_android(framemap_str text, struct terse_row *row)
{
    size_t open;
    if (!fm_row_open(text, &open) || open < 4 || fm_is_blank(text.data[open - 1])) return false;
    row->function = fm_str_trim(fm_str_slice(text, 3, open));
    row->sure = true;
    return read_source(fm_str_slice(text, open + 1, text.size - 1), row) && is_member(row->function);
}

/* Parses "1 ??? 0x0 Cart.total + 12 (shop.dart:12)". The number after '+' is not an offset, but repeats the line
 * number. */
static bool parse_apple(framemap_str text, struct terse_row *row)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str inside;
    uint64_t line;
    if (!fm_row_index(&s, &row->index) || !fm_scan_blanks1(&s) || !fm_scan_text(&s, FM_STR("???")) ||
        !fm_scan_blanks1(&s) || !fm_scan_text(&s, FM_STR("0x0 ")))
        return false;
    fm_scan_text(&s, FM_STR("(null)."));
    row->function = fm_scan_rest(&s);
    if (!fm_row_group(&row->function, &inside) || !read_source(inside, row)) return false;
    (void)fm_row_distance(row->function, false, &row->function, &line);
    row->sure = row->index == 0;
    return is_member(row->function);
}

/* Whether the file is a script of dart2js: "main.dart.js", "https://a.b/main.dart.js_1.part.js". */
static bool is_script(framemap_str file)
{
    static const framemap_str mark = FM_STR_INIT(".dart.js");
    const size_t at = fm_str_find(file, mark);
    return at != FM_NOT_FOUND && at > 0 && (at + mark.size == file.size || fm_str_ends(file, FM_STR(".part.js")));
}

static bool parse_terse(framemap_str body, struct terse_row *row)
{
    const framemap_str text = fm_dart_untagged(body);
    struct fm_scan s = fm_scan_of(text);
    *row = (struct terse_row){.index = -1};
    if (fm_str_starts(text, FM_STR("at "))) return parse_android(text, row);
    if (text.size && fm_is_digit(*text.data)) return parse_apple(text, row);
    if (!fm_scan_word(&s, &row->file)) return false;
    row->script = is_script(row->file);
    if (!row->script && !fm_dart_is_source(row->file)) return false;
    const char *after = s.at;
    if (!fm_scan_blanks1(&s)) return false;
    const bool has_place = terse_read_place(&s, row);
    row->function = fm_scan_rest(&s);
    const ptrdiff_t gap = s.at - after;
    const bool library = fm_str_starts(row->file, FM_STR("dart:")) || fm_str_starts(row->file, FM_STR("package:"));
    /* A file name that is wider than its column has only one blank after it, so the position must be complete. */
    row->sure = has_place ? row->column != 0 : library && gap >= 4;
    /* without a position, at least two blanks are between file and name, and the file is not a script */
    if (!has_place && (row->script || gap < 2)) return false;
    return is_member(row->function);
}

/* Whether a line has ".dart ", ".dart.js" or "dart:". */
static bool may_be_terse(const struct fm_line *line)
{
    static const framemap_str word = FM_STR_INIT("dart");
    framemap_str rest = line->body;
    for (size_t at; (at = fm_str_find(rest, word)) != FM_NOT_FOUND; rest = fm_str_from(rest, at + word.size)) {
        const framemap_str after = fm_str_from(rest, at + word.size);
        if (fm_str_starts(after, FM_STR(":"))) return true;
        const bool is_suffix = &rest.data[at] > line->body.data && rest.data[at - 1] == '.';
        if (is_suffix && (fm_str_starts(after, FM_STR(" ")) || fm_str_starts(after, FM_STR(".js")))) return true;
    }
    return false;
}

/* --- traces --- */

/* Finds the nearest line above that has the form "TYPE: message", or that follows a line which announces an error. */
static void find_error(const struct terse_state *state, struct fm_document *doc, framemap_trace *trace,
                       const struct fm_line *line)
{
    struct fm_look_back walk = fm_look_back_from(doc, line, state->floor, TERSE_ABOVE);
    framemap_str type, message, announced;
    for (struct fm_line *before; trace->exception.size == 0 && (before = fm_look_back_next(&walk)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        const framemap_str text = fm_dart_untagged(before->body);
        if (fm_dart_announces(text, &announced) && announced.size) {
            trace->exception = announced;
        } else {
            fm_dart_error_parts(text, &type, &message);
            if (fm_str_ends(type, FM_STR("Error")) || fm_str_ends(type, FM_STR("Exception"))) trace->exception = text;
        }
    }
    if (trace->exception.size) fm_dart_error_parts(trace->exception, &trace->exception_type, &trace->exception_message);
}

static bool is_open(const struct terse_state *state, struct fm_document *doc, const struct fm_line *line)
{
    return state->number1 && fm_document_open(doc, terse_name) && line->number1 - state->number1 <= TERSE_GAP;
}

static void went_on(struct terse_state *state, const struct fm_line *line)
{
    state->number1 = line->number1;
    state->floor = line->offset + 1;
}

static enum fm_line_role terse_add_row(struct terse_state *state, struct fm_document *doc, const struct fm_line *line,
                                       const struct terse_row *row)
{
    if (!is_open(state, doc, line) || (row->index == 0 && state->index >= 0)) {
        framemap_trace *trace = fm_document_trace(doc, terse_name, line);
        if (trace == NULL) return FM_ROLE_FRAME;
        fm_dart_box_use(&state->box, doc, line, trace);
        if (trace->exception.size == 0) find_error(state, doc, trace, line);
    }
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame == NULL) return FM_ROLE_FRAME;
    frame->kind = row->script ? FRAMEMAP_KIND_JS : FRAMEMAP_KIND_DART;
    if (!row->script) frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    frame->function = fm_row_decoded(doc, row->function);
    frame->file = row->file;
    frame->line = row->line;
    frame->column = row->column;
    state->index = row->index;
    went_on(state, line);
    return FM_ROLE_FRAME;
}

/* Whether the line is Crashlytics' title of a trace: "Fatal Exception: FlutterError: x". */
static bool terse_is_title(framemap_str text)
{
    return fm_str_starts(text, FM_STR("Fatal Exception: ")) || fm_str_starts(text, FM_STR("Non-fatal Exception: "));
}

static enum fm_line_role terse_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct terse_state *state = memory;
    struct terse_row row;
    struct fm_dart_marker marker;
    if (line->begins) *state = (struct terse_state){.floor = line->offset};
    if (terse_is_title(line->body)) state->number1 = 0;
    if (may_be_terse(line) && parse_terse(line->body, &row) && (row.sure || is_open(state, doc, line)))
        return terse_add_row(state, doc, line, &row);
    if (is_open(state, doc, line) && fm_dart_marker_parse(line->body, &marker)) {
        fm_dart_marker_add(doc, line, &marker);
        went_on(state, line);
        return FM_ROLE_FRAME;
    }
    fm_dart_box_line(&state->box, doc, line);
    return FM_ROLE_NONE;
}

/* Whether the line may be a row of this format. Cheaper than finding the line's needles, and false for most rows of
 * other formats. */
static bool terse_probe(const struct fm_line *line) { return may_be_terse(line) || fm_dart_box_begins(line->body); }

static bool terse_is_significant(const struct fm_line *line)
{
    struct terse_row row;
    return (may_be_terse(line) && parse_terse(line->body, &row)) || fm_dart_box_begins(line->body);
}

/* Prints "FILE 12:3" and blanks up to the width of the text that it replaces. */
static void put_place(struct fm_buf *out, const framemap_frame *restored, size_t width)
{
    const size_t from = out->size;
    fm_buf_str(out, restored->file);
    fm_buf_byte(out, ' ');
    fm_buf_dec(out, restored->line);
    if (restored->column) {
        fm_buf_byte(out, ':');
        fm_buf_dec(out, restored->column);
    }
    do fm_buf_byte(out, ' ');
    while (!out->failed && out->size - from < width);
}

/* Prints the line with the name replaced by the restored one, and in a script also the position. The rest of the line
 * is unchanged. */
static void terse_print(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    struct terse_row row;
    if (!parse_terse(frame->raw, &row)) return;
    const size_t file = (size_t)(row.file.data - frame->raw.data), name = (size_t)(row.function.data - frame->raw.data);
    for (size_t i = 0; i < frame->restored.count; i++) {
        const framemap_frame *restored = &frame->restored.frames[i];
        const bool moved = row.script && restored->file.size && restored->line;
        if (i) fm_row_begin_line(out, prefix, eol);
        fm_buf_str(out, fm_str(frame->raw.data, moved ? file : name));
        if (moved) put_place(out, restored, name - file);
        fm_buf_str(out, restored->function.size ? restored->function : row.function);
        fm_buf_str(out, fm_str_from(frame->raw, name + row.function.size));
    }
}

static const struct fm_needle terse_needles[] = {
    FM_NEEDLE(".dart ", 0, 14),
    FM_NEEDLE(".dart.js", 0, 14),
    FM_NEEDLE("dart:", 1, 8),
    FM_NEEDLE(" was thrown", 7, 6),
};

const struct fm_format fm_dart_terse = {
    .info = {terse_name, "Dart traces of package:stack_trace and of the web (package:a/b.dart 12:3  f)", true, false},
    .keeps = FM_KEEPS_ESCAPES,
    FM_NEEDLES(terse_needles),
    .marks = FM_MARK_WORD,
    .state_size = sizeof(struct terse_state),
    .probe = terse_probe,
    .offer = terse_offer,
    .is_significant = terse_is_significant,
    .keeps_state = true,
    .print_frame = terse_print};
