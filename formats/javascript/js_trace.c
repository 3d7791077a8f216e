/* Parser of JavaScript stacks; js_row_parts.h lists the syntaxes of rows. V8 and Hermes share one syntax, SpiderMonkey
 * and JavaScriptCore another, and only some rows show which of the two engines printed them. So one parser reads the
 * rows of both engines, and renames the trace when a row shows its engine. */
#include "core/cpu.h"
#include "core/limits.h"
#include "formats/javascript/js_colour.h"
#include "formats/javascript/js_frame.h"
#include "formats/javascript/js_heading.h"
#include "formats/javascript/js_minified.h"
#include "formats/javascript/js_print.h"
#include "formats/javascript/js_row.h"
#include "formats/javascript/js_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"
#include "formats/row_writer.h"

/* maximum number of lines from one pending line to the next: one blank line may be between them */
#define PENDING_GAP 2
#define BOX 4096    /* maximum number of bytes of the two lines of a frame in a red box: a name and a file */
#define ANNOUNCED 2 /* maximum number of lines from a line that announces rows without "at" to the first such row */
#define BLANKS 2    /* maximum number of blank lines, or of lines in place of omitted frames, within a stack */

/* Whether any parser has taken a line at or after the offset `above` as a frame. */
static bool is_frame(struct fm_document *doc, uint64_t above) { return fm_document_last_end(doc) > above; }

/* Parses rows that are accepted only because other rows, or a line that announces them, precede them. */
static bool read_announced(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                           struct fm_js_row *row)
{
    const framemap_str above = state->open ? (framemap_str){NULL, 0} : fm_js_line_above(state, doc, line, ANNOUNCED);
    const bool numbered = fm_is_digit(line->first) && fm_is_digit(line->last);
    if (line->last == ')' || numbered) {
        row->sure = (state->open ? state->bare : fm_js_announces_bare(above)) && fm_js_row_bare(line->body, row);
        if (row->sure || !numbered) return row->sure;
    }
    if (!fm_is_digit(line->last) || !fm_is_blank(line->body.data[0]) || line->begins) return false;
    const framemap_str both = fm_js_both_lines(state, doc, line);
    return both.size && both.size < BOX && !is_frame(doc, line->offset - (uint64_t)(line->text.data - both.data)) &&
           fm_js_row_box(both, row);
}

/* Parses a row such as "forEach@[native code]" or "global code@". WeChat rewrites most rows of JavaScriptCore in V8's
 * style, but leaves rows of these forms unchanged. */
static bool read_left_sign(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                           struct fm_js_row *row)
{
    return state->open && (line->has & FM_HAS_AT_SIGN) != 0 && (line->last == ']' || line->last == '@') &&
           line->number1 - state->number1 == 1 && fm_js_row_sign(fm_js_plain(doc, line), true, row) &&
           row->place.kind == FM_JS_BUILTIN && row->engine == FM_JS_JSC;
}

static bool read_at_row(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                        bool in_stack, struct fm_js_row *row)
{
    switch (line->first) {
    case 'a':
    case '"':
    case '\'':
    case '\033':
    case '\xE2':
        if (fm_js_row_at(fm_js_plain(doc, line), in_stack, row)) return true;
        break;
    case 'i':
        if (fm_js_row_in(line->body, row)) return true;
        break;
    case 'F':
    case 'S':
        if (fm_js_row_fields(line->body, row)) return true;
        break;
    default: break;
    }
    if (read_left_sign(state, doc, line, row)) return true;
    return read_announced(state, doc, line, row);
}

/* Whether a line may be a row of SpiderMonkey or JavaScriptCore. Outside of a stack, a row without '@' is accepted
 * only if it is "global code" or similar, or a location alone. */
static bool may_sign(const struct fm_line *line, bool in_stack)
{
    return in_stack || (line->has & FM_HAS_AT_SIGN) != 0 || fm_is_digit(line->last) ||
           fm_str_ends(fm_js_without_tail(line->body), FM_STR("code"));
}

/* Whether a row of a console can begin a stack even if no line above announces short rows. */
static bool is_console_row(const struct fm_line *line, const struct fm_js_row *row)
{
    return fm_is_digit(line->last) && fm_js_begins_path(row->where);
}

static bool read_sign_row(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                          bool in_stack, struct fm_js_row *row)
{
    framemap_str above, error;
    if (in_stack && fm_js_is_gap(line->body))
        /* a line such as a source line belongs to the stack, but could be mistaken for a row */
        return false;
    if (fm_is_hex(line->last) && fm_js_row_console(line->body, row)) {
        const bool first = is_console_row(line, row) || state->short1 + 1 == line->number1;
        above = first ? fm_js_line_above(state, doc, line, 1) : fm_str(NULL, 0);
        row->sure = in_stack || (above.size && fm_js_head(above, true, &error));
        if (row->sure) return true;
    }
    return may_sign(line, in_stack) && fm_js_row_sign(fm_js_plain(doc, line), in_stack, row);
}

static bool js_read_row(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                        bool signs, bool in_stack, struct fm_js_row *row)
{
    return signs ? read_sign_row(state, doc, line, in_stack, row) : read_at_row(state, doc, line, in_stack, row);
}

/* Makes frames of the pending lines, which begin the stack. */
static void take_pending(struct fm_js_state *state, struct fm_document *doc, bool signs)
{
    struct fm_js_row row;
    size_t count = state->pending_count;
    state->pending_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!js_read_row(state, doc, &state->pending[i], signs, true, &row)) continue;
        if (i == 0) fm_js_stack_begin(state, doc, &state->pending[i], &row);
        fm_js_stack_add(state, doc, &state->pending[i], &row);
    }
}

static bool announces_bare(const struct fm_line *line)
{
    return (line->first == 'C' || line->first == '[' || line->first == '-') &&
           /* only lines that begin with one of these three bytes announce rows without "at" */
           fm_js_announces_bare(line->body);
}

/* Handles a line within an open stack that states how many frames were left out. */
static bool read_marker(struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_marker marker;
    uint64_t count;
    if (!state->open || line->first != '.' || !fm_js_marker_parse(line->body, &marker, &count)) return false;
    fm_js_marker_add(doc, line, marker, true, count);
    state->number1 = line->number1;
    state->floor = line->offset + 1;
    fm_document_offer_until(doc, line->number1 + BLANKS + 1);
    return true;
}

/* Whether a line is a single function name. JavaScriptCore prints a row of this form if the function's script has no
 * URL. */
static bool is_name_alone(framemap_str body)
{
    const framemap_str name = fm_str_trim(body);
    for (size_t i = 0; i < name.size; i++) {
        const char c = name.data[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
        if (!letter && (i == 0 || !fm_is_digit(c))) return false;
    }
    return name.size > 0;
}

/* Handles a line that is not a frame. Some such lines belong to the stack, others end it. */
static enum fm_line_role pass(struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                              bool signs)
{
    if (read_marker(state, doc, line)) return FM_ROLE_FRAME;
    fm_js_nesting_line(&state->nesting, line);
    /* The line may be the name of the next frame; its file is then on the line below. */
    if ((state->open && state->box) ||
        (state->pending_count && state->pending_box && line->number1 == state->number1 + 1))
        return FM_ROLE_NONE;
    if (state->open && fm_js_is_gap(line->first == '\033' ? fm_js_plain(doc, line) : line->body)) {
        state->number1 = line->number1;
        state->floor = line->offset + 1;
        fm_document_offer_until(doc, line->number1 + BLANKS + 1);
    } else if (state->open && (signs || state->bare) && line->number1 - state->number1 == 1 &&
               is_name_alone(line->body)) {
        state->name = *line;
    } else {
        state->open = false;
        state->pending_count = 0;
        if (announces_bare(line)) fm_document_offer_until(doc, line->number1 + ANNOUNCED);
    }
    return FM_ROLE_NONE;
}

/* Makes a frame of a function name that is alone on the line above. Frames are directly above and below that line. */
static void take_name(struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line)
{
    const struct fm_line name = state->name;
    state->name = (struct fm_line){.number1 = 0};
    if (!state->open || name.number1 == 0 || line->number1 - name.number1 != 1 || is_frame(doc, name.offset)) return;
    const framemap_str text = fm_str_trim(name.body);
    const struct fm_js_row row = {
        .function = text, .where = fm_str_from(text, text.size), .place = {.kind = FM_JS_BUILTIN}, .way = FM_JS_SIGN};
    fm_js_stack_add(state, doc, &name, &row);
}

/* Whether the line is "at Array.forEach (native)", directly below an error: the engine has omitted all frames except
 * that of its own function. */
static bool is_native_alone(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                            const struct fm_js_row *row)
{
    framemap_str error;
    if (row->way != FM_JS_AT || row->function.size == 0 || !fm_str_equal(row->where, FM_STR("native"))) return false;
    const framemap_str above = fm_str_trim(fm_js_line_above(state, doc, line, 1));
    return fm_str_equal(above, FM_STR("error")) || (above.size && fm_js_head(above, true, &error));
}

static bool is_sure(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                    const struct fm_js_row *row)
{
    if (state->open || row->sure || fm_js_announces(fm_js_line_above(state, doc, line, 1))) return true;
    if (is_native_alone(state, doc, line, row)) return true;
    return row->way == FM_JS_BOX &&
           ((state->pending_count && state->pending_box) || fm_js_find_error(state, doc, line).size);
}

/* Ends the open stack if its last line is too far above, or if another format has started a trace. Drops the pending
 * lines if they are too far above. */
static void go_on(struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line)
{
    uint64_t distance = line->number1 - state->number1;
    fm_error_members_below(&state->members, doc, line, state->format);
    if (line->begins)
        *state = (struct fm_js_state){.floor = line->offset,
                                      .string1 = line->number1,
                                      .before_string = state->floor,
                                      .members = state->members,
                                      .format = state->format};
    if (state->open && (distance > BLANKS + 1 || !fm_document_open(doc, state->format))) state->open = false;
    /* Pending lines are also dropped if another parser has taken frames since then, such as those of a stack in an
     * escaped string: frames of pending lines would precede these. */
    if (state->pending_count && (distance > PENDING_GAP || is_frame(doc, state->pending[0].offset)))
        state->pending_count = 0;
}

/* Begins a stack with a row, or with the row above it, which is only known to be one now. */
static void begin(struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                  const struct fm_js_row *row)
{
    struct fm_js_row above;
    const struct fm_line *first = fm_js_first_line(state, doc, line, row, &above);
    if (first == NULL) {
        fm_js_stack_begin(state, doc, line, row);
        return;
    }
    fm_js_stack_begin(state, doc, first, &above);
    fm_js_stack_add(state, doc, first, &above);
}

static enum fm_line_role js_offer(struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                                  bool signs)
{
    struct fm_js_row row;
    go_on(state, doc, line);
    if (!js_read_row(state, doc, line, signs, state->open, &row)) return pass(state, doc, line, signs);
    if (row.title.size) {
        state->open = false; /* a row with an error before it on the same line begins another stack */
        state->pending_count = 0;
    }
    if (!is_sure(state, doc, line, &row)) {
        const bool may_wait =
            row.way == (signs ? FM_JS_SIGN : FM_JS_AT) || (row.way == FM_JS_BOX && state->pending_count == 0);
        if (state->pending_count == FM_JS_PENDING || !may_wait) return pass(state, doc, line, signs);
        state->pending_box = row.way == FM_JS_BOX;
        state->pending[state->pending_count++] = *line;
        fm_document_may_begin(doc, &state->pending[0], (unsigned)(line->number1 - state->pending[0].number1) + 1);
        /* Requests the next lines: if they are not rows, the pending lines are dropped. */
        fm_document_offer_until(doc, line->number1 + PENDING_GAP);
        state->number1 = line->number1;
        return FM_ROLE_NONE;
    }
    if (state->pending_count) take_pending(state, doc, signs);
    take_name(state, doc, line);
    if (!state->open) begin(state, doc, line, &row);
    fm_js_stack_add(state, doc, line, &row);
    return FM_ROLE_FRAME;
}

static enum fm_line_role js_offer_at(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    return js_offer(memory, doc, line, false);
}

/* Whether the line is a title of Firefox' console. It announces rows such as "f app.js:12", which are not accepted
 * elsewhere. */
static bool announces_short(const struct fm_line *line) { return fm_str_begins(line->body, FM_STR("Uncaught ")); }

static enum fm_line_role js_offer_sign(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_js_state *state = memory;
    if (announces_short(line)) {
        state->short1 = line->number1;
        fm_document_offer_until(doc, line->number1 + ANNOUNCED);
    }
    return js_offer(memory, doc, line, true);
}

/* Whether a line is the second line of a frame in React Native's red box. */
static bool is_box_place(const struct fm_line *line)
{
    return fm_is_digit(line->last) && fm_is_blank(line->body.data[0]) && fm_js_is_box_place(line->body);
}

static bool read_alone(framemap_str plain, bool signs)
{
    struct fm_js_row row;
    return signs ? fm_js_row_sign(plain, false, &row) : fm_js_row_at(plain, false, &row);
}

static FM_APART bool is_coloured_row(framemap_str body, bool signs)
{
    char room[FM_LIMIT_LINE];
    return body.size <= sizeof room && read_alone(fm_str(room, fm_js_uncolour(body, room)), signs);
}

/* Whether the line alone shows that it is a row; colours are ignored. */
static bool is_row(const struct fm_line *line, bool signs)
{
    return fm_js_line_is_coloured(line) ? is_coloured_row(line->body, signs) : read_alone(line->body, signs);
}

static bool js_is_significant_at(const struct fm_line *line)
{
    struct fm_js_row row;
    switch (line->first) {
    case 'a':
    case '"':
    case '\'':
    case '\033':
    case '\xE2':
        if (((line->has & FM_HAS_COLOUR) != 0 && fm_find(line->body.data, line->body.size, '\033')) ||
            is_row(line, false))
            return true;
        break;
    case 'i':
        if (fm_js_row_in(line->body, &row)) return true;
        break;
    case 'F':
    case 'S':
        if (fm_js_row_fields(line->body, &row)) return true;
        break;
    default: break;
    }
    return announces_bare(line) || is_box_place(line);
}

static bool js_is_significant_sign(const struct fm_line *line)
{
    struct fm_js_row row;
    return (may_sign(line, false) && is_row(line, true)) || announces_short(line) ||
           (fm_is_digit(line->last) && fm_js_row_console(line->body, &row) && is_console_row(line, &row));
}

/* Implements `leads` of struct fm_format: names in the line that dart2js minified are restored if a stack follows
 * within the returned number of lines, and a row without "at" is one if another row is directly below it. 0: the line
 * has no such names, and is no such row. */
static unsigned js_leads(const struct fm_line *line, bool announced)
{
    struct fm_js_row row;
    framemap_str name;
    size_t at = 0;
    (void)announced;
    if (fm_js_row_first(line->body, &row)) return 1;
    return fm_js_minified(line->body, true, &at, &name) ? FM_JS_ABOVE : 0;
}

static const struct fm_needle at_needles[] = {
    FM_NEEDLE("Call Stack", 0, 15),      FM_NEEDLE("Component Stack", 10, 1),   FM_NEEDLE("[Error] ", 0, 13),
    FM_NEEDLE("JavaScript stack", 1, 9), FM_NEEDLE("Frame: function:'", 5, 12),
};

static const struct fm_needle at_sign_needles[] = {
    FM_NEEDLE("al code", 0, 11),
    FM_NEEDLE("le code", 0, 11),
    FM_NEEDLE("Uncaught ", 5, 4),
};

/* Writes "    at f (main.js:1:2)". */
static void v8_put_row(struct fm_buf *out, const struct fm_row_out *row)
{
    const bool placed = row->frame->file.size != 0;
    fm_buf_str(out, FM_STR("    at "));
    if (!row->has_name && placed) {
        fm_row_put_location(out, row->frame);
        return;
    }
    fm_buf_str(out, row->name);
    fm_buf_str(out, FM_STR(" ("));
    if (placed)
        fm_row_put_location(out, row->frame);
    else
        fm_buf_str(out, FM_STR("<anonymous>"));
    fm_buf_byte(out, ')');
}

static void js_put_head(struct fm_buf *out, const framemap_trace *trace)
{
    fm_row_put_title(out, trace, FM_STR("Error"));
}

/* Writes "f@main.js:1:2". */
static void sign_put_row(struct fm_buf *out, const struct fm_row_out *row)
{
    if (row->has_name) fm_buf_str(out, row->name);
    fm_buf_byte(out, '@');
    if (row->frame->file.size)
        fm_row_put_location(out, row->frame);
    else
        fm_buf_str(out, FM_STR("[native code]"));
}

static const struct fm_output v8_output = {
    .print = fm_print_rows,
    .put_row = v8_put_row,
    .put_head = js_put_head,
    .holds = FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_EXCEPTIONS,
};

const struct fm_format fm_js_v8 = {
    .info = {fm_js_v8_name, "JavaScript of Chrome, Node, Edge, Deno (at f (main.js:1:2))", true, true},
    .keeps = FM_KEEPS_MARKS,
    FM_NEEDLES(at_needles),
    .state_size = sizeof(struct fm_js_state),
    .firsts = "a\"'\033\xE2iC[-",
    .lasts = "0123456789",
    .offer = js_offer_at,
    .is_significant = js_is_significant_at,
    .keeps_state = true,
    .leads = js_leads,
    .print_frame = fm_js_print,
    .output = &v8_output};
const struct fm_format fm_hermes = {
    .info = {fm_hermes_name, "JavaScript of React Native on Hermes (at f (address at index.android.bundle:1:123))",
             true, false},
    .keeps = FM_KEEPS_MARKS,
    FM_NEEDLES(at_needles),
    .state_size = sizeof(struct fm_js_state),
    .parsed_by_earlier = true,
    .firsts = "a\"'\033\xE2iC[-",
    .lasts = "0123456789",
    .offer = js_offer_at,
    .is_significant = js_is_significant_at,
    .keeps_state = true,
    .print_frame = fm_js_print};
const struct fm_format fm_js_other = {
    .info = {fm_js_other_name, "JavaScript of engines without columns, and of Edge before Chromium (at f (main.js:12))",
             true, false},
    .keeps = FM_KEEPS_MARKS,
    FM_NEEDLES(at_needles),
    .state_size = sizeof(struct fm_js_state),
    .parsed_by_earlier = true,
    .firsts = "a\"'\033\xE2iC[-",
    .lasts = "0123456789",
    .offer = js_offer_at,
    .is_significant = js_is_significant_at,
    .keeps_state = true,
    .print_frame = fm_js_print};
static const struct fm_output sign_output = {
    .print = fm_print_rows,
    .put_row = sign_put_row,
    .put_head = js_put_head,
    .holds = FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_EXCEPTIONS,
};

const struct fm_format fm_js_spidermonkey = {
    .info = {fm_js_spidermonkey_name, "JavaScript of Firefox (f@main.js:1:2)", true, true},
    .keeps = FM_KEEPS_MARKS,
    FM_NEEDLES(at_sign_needles),
    .marks = FM_MARK_WORD | FM_MARK_SIGN | FM_MARK_END,
    .state_size = sizeof(struct fm_js_state),
    .firsts = "U",
    .lasts = "e,\"'{0123456789",
    .any_of = FM_HAS_AT_SIGN,
    .offer = js_offer_sign,
    .is_significant = js_is_significant_sign,
    .keeps_state = true,
    .print_frame = fm_js_print,
    .output = &sign_output};
const struct fm_format fm_js_jsc = {
    .info = {fm_js_jsc_name, "JavaScript of Safari and React Native (f@main.jsbundle:1:2, f@[native code])", true,
             true},
    .keeps = FM_KEEPS_MARKS,
    FM_NEEDLES(at_sign_needles),
    .marks = FM_MARK_WORD | FM_MARK_SIGN | FM_MARK_END,
    .state_size = sizeof(struct fm_js_state),
    .parsed_by_earlier = true,
    .firsts = "U",
    .lasts = "e,\"'{0123456789",
    .any_of = FM_HAS_AT_SIGN,
    .offer = js_offer_sign,
    .is_significant = js_is_significant_sign,
    .keeps_state = true,
    .print_frame = fm_js_print,
    .output = &sign_output};
