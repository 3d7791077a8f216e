/* Parser of JavaScript stacks; js_row_parts.h lists the syntaxes of frame lines. Two syntaxes are used by two engines
 * each, and only some lines show which engine it is: so one parser serves both engines, and renames the trace when a
 * line shows it. */
#include "formats/javascript/js_frame.h"
#include "formats/javascript/js_heading.h"
#include "formats/javascript/js_minified.h"
#include "formats/javascript/js_print.h"
#include "formats/javascript/js_row.h"
#include "formats/javascript/js_title.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"
#include "formats/row_writer.h"
#include "formats/scan/line_clean.h"

static const char v8[] = "js-v8", hermes[] = "hermes", spidermonkey[] = "js-spidermonkey", jsc[] = "js-jsc",
                  other_engine[] = "js-other";
#define ABOVE 8       /* lines above the first frame that are searched: messages may have several */
#define PENDING 4     /* lines that are no frames by themselves, but are the first of a stack if a sure frame follows */
#define PENDING_GAP 2 /* lines from one pending line to the next: one between them may be blank */
#define BOX 4096      /* most bytes of the two lines of a red box: a name, a file */
#define ANNOUNCED 2   /* lines from one that announces bare frames to the first of them */
#define BLANKS 2      /* blank lines, and lines for omitted frames, that do not end a stack */

struct js_state {
    uint64_t behind; /* after the last line of a stack; the search above the next one stops at this offset */
    struct fm_line pending[PENDING];
    size_t pending_count;
    uint64_t number1;    /* of the last frame line, also of a pending one */
    const char *format;  /* of the open stack: one of the names above */
    struct fm_line name; /* a line after a frame that may be a name alone, if a frame follows */
    struct fm_js_nesting nesting;
    bool open;          /* a frame line directly below the last line continues the stack */
    bool bare;          /* its frame lines have no "at" */
    bool box;           /* each of its frames has two lines */
    bool counts_from_0; /* the columns of modules' files count from 0: React Native's exceptions */
};

/* --- a stack begins --- */

static const char *name_of(enum fm_js_engine engine)
{
    static const char *const names[] = {[FM_JS_V8] = v8,
                                        [FM_JS_HERMES] = hermes,
                                        [FM_JS_SPIDERMONKEY] = spidermonkey,
                                        [FM_JS_JSC] = jsc,
                                        [FM_JS_OTHER] = other_engine};
    return names[engine];
}

/* The body of a line without colours. */
static framemap_str plain(struct fm_document *doc, const struct fm_line *line)
{
    const framemap_str body = line->body;
    if ((line->has & (FM_HAS_COLOUR | FM_HAS_CODED)) == 0 || !fm_js_is_coloured(body)) return body;
    char *copy = fm_document_alloc(doc, body.size);
    return copy ? fm_str(copy, fm_js_uncolour(body, copy)) : fm_str(body.data, 0);
}

/* Looks back from a line, or from the first pending line before it. */
static struct fm_look_back above(const struct js_state *state, struct fm_document *doc, const struct fm_line *line,
                                 unsigned most)
{
    return fm_look_back_from(doc, state->pending_count ? &state->pending[0] : line, state->behind, most);
}

/* Finds the nearest line above that names an error. */
static framemap_str find_error(const struct js_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_look_back walk = above(state, doc, line, ABOVE);
    framemap_str error = {NULL, 0};
    for (struct fm_line *before; (before = fm_look_back_next(&walk)) != NULL;)
        if (fm_line_cut(before) && fm_js_head(plain(doc, before), line->number1 - before->number1 <= 1, &error)) break;
    return error;
}

/* The line without colours, which may be between a mark and its name. room: of the copy. */
static const struct fm_line *uncoloured(struct fm_document *doc, const struct fm_line *line, struct fm_line *room)
{
    if (line->printed.data || !fm_line_is_dirty(line)) return line;
    char *body = fm_document_alloc(doc, line->body.size);
    return body ? fm_line_clean(line, FM_KEEPS_NOTHING, body, room) : line;
}

/* Whether a name is a part of the exception: a slice of it, or of a copy of its line. */
static bool is_thrown(framemap_str exception, framemap_str name, bool is_copy)
{
    if (exception.size == 0) return false;
    if (is_copy) return fm_str_find(exception, name) != FM_NOT_FOUND;
    return name.data >= exception.data && name.data < exception.data + exception.size;
}

static bool mention_minified(struct fm_document *doc, const struct fm_line *line, framemap_str exception, bool members)
{
    struct fm_line room;
    const struct fm_line *plain_line = uncoloured(doc, line, &room);
    framemap_str name;
    for (size_t at = 0; fm_js_minified(plain_line->body, members, &at, &name);) {
        framemap_mention mention = {.exception = is_thrown(exception, name, plain_line != line)};
        mention.raw = fm_line_printed(plain_line, name, &mention.raw_offset);
        if (!fm_document_mention(doc, &mention)) return false;
    }
    return true;
}

/* Mentions names in the lines above that dart2js minified. */
static void tell_minified(const struct js_state *state, struct fm_document *doc, const struct fm_line *line,
                          framemap_str exception, bool members)
{
    struct fm_look_back walk = above(state, doc, line, ABOVE);
    struct fm_line *before, *lines[ABOVE];
    size_t count = 0;
    while ((before = fm_look_back_next(&walk)) != NULL)
        if ((members || fm_js_may_be_minified(before->text)) && fm_line_cut(before)) lines[count++] = before;
    while (count > 0 && mention_minified(doc, lines[count - 1], exception, members)) count--;
}

/* The line above, blank lines aside, if it is at most `distance` lines away and not part of a stack; absent if there is
 * none. */
static framemap_str line_above(const struct js_state *state, struct fm_document *doc, const struct fm_line *line,
                               uint64_t distance)
{
    struct fm_look_back walk = above(state, doc, line, ABOVE);
    struct fm_line *before;
    do before = fm_look_back_next(&walk);
    while (before && line->number1 - before->number1 <= distance && !fm_line_cut(before));
    return before && line->number1 - before->number1 <= distance ? before->body : (framemap_str){NULL, 0};
}

static void js_begin(struct js_state *state, struct fm_document *doc, const struct fm_line *line,
                     const struct fm_js_row *row)
{
    framemap_trace *trace = fm_document_trace(doc, name_of(row->engine), line);
    if (!trace) return;
    struct fm_look_back walk = above(state, doc, line, FM_JS_TITLE_ABOVE);
    if (row->way == FM_JS_BOX) (void)fm_look_back_next(&walk); /* the first line of the frame */
    fm_js_title_find(&walk, doc, line, &state->nesting, trace);
    tell_minified(state, doc, line, trace->exception, fm_js_is_dart(row->place.file));
    state->counts_from_0 = fm_js_announces(line_above(state, doc, line, 1));
    state->format = name_of(row->engine);
    state->open = true;
    state->bare = row->way == FM_JS_BARE;
    state->box = row->way == FM_JS_BOX;
}

/* --- frames --- */

/* Whether a file is a module of a segmented bundle: "12.js", "seg-1.js", "seg-1_2.js". */
static bool is_module(framemap_str file)
{
    struct fm_scan s = fm_scan_of(file);
    uint64_t number;
    if (fm_scan_text(&s, FM_STR("seg-")) && fm_scan_dec(&s, &number, NULL)) fm_scan_byte(&s, '_');
    fm_scan_dec(&s, &number, NULL);
    return fm_str_equal(fm_scan_rest(&s), FM_STR(".js"));
}

/* React Native's exceptions count columns from 0. They have no file, unless it is a module's. */
static bool counts_from_0(const struct js_state *state, const struct fm_js_row *row)
{
    if (row->place.kind != FM_JS_POSITION || row->way != FM_JS_SIGN) return false;
    return row->place.file.size == 0 || (state->counts_from_0 && is_module(row->place.file));
}

/* Bun prints evaluated code as if it were in the file that evaluates it, but spells the path "file:///a.js" instead of
 * "/a.js". The frames of the file itself follow and show which it is. */
static void settle_evaluated(framemap_trace *trace)
{
    framemap_frame *last = &trace->frames[trace->frame_count - 1];
    framemap_str scheme = FM_STR("file://");
    if (last->file.size == 0 || last->file.data[0] != '/') return;
    for (framemap_frame *frame = last; frame-- != trace->frames && fm_str_starts(frame->file, scheme);) {
        if (!fm_str_equal(fm_str_from(frame->file, scheme.size), last->file)) break;
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = fm_js_no_file;
    }
}

/* Renames the open stack if the frame line shows that another engine than the supposed one wrote it. */
static void settle_engine(struct js_state *state, struct fm_document *doc, const struct fm_js_row *row)
{
    const bool supposed = state->format == v8 || state->format == spidermonkey;
    const bool shows = row->telling && row->engine != FM_JS_V8 && row->engine != FM_JS_SPIDERMONKEY;
    framemap_trace *trace = supposed && shows ? fm_document_open(doc, state->format) : NULL;
    if (trace == NULL) return;
    state->format = name_of(row->engine);
    trace->format = fm_str(state->format, strlen(state->format));
}

static void js_add(struct js_state *state, struct fm_document *doc, const struct fm_line *line,
                   const struct fm_js_row *row)
{
    settle_engine(state, doc, row);
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame) fm_js_fill(doc, frame, row, counts_from_0(state, row));
    if (frame && row->way == FM_JS_BOX && line->printed.data == NULL) {
        const char *from = row->head.data, *to = line->body.data + line->body.size;
        frame->raw_offset -= (uint64_t)(line->body.data - from);
        frame->raw = fm_js_between(from, to);
    }
    framemap_trace *trace = row->engine == FM_JS_V8 ? fm_document_open(doc, v8) : NULL;
    if (frame && trace) settle_evaluated(trace);
    fm_js_nesting_frame(&state->nesting, line, row->tail);
    state->number1 = line->number1;
    state->behind = line->offset + 1;
}

/* --- lines --- */

/* Whether another parser took the line above, or one below it, as a frame. */
static bool is_frame(struct fm_document *doc, uint64_t above) { return fm_document_last_end(doc) > above; }

/* Parses lines that are frames only because of the frames or the line above. */
static bool read_announced(const struct js_state *state, struct fm_document *doc, const struct fm_line *line,
                           struct fm_js_row *row)
{
    framemap_str above = state->open ? (framemap_str){NULL, 0} : line_above(state, doc, line, ANNOUNCED);
    if (line->last == ')') {
        if (!(state->open ? state->bare : fm_js_announces_bare(above)) || !fm_js_row_bare(line->body, row))
            return false;
        row->sure = true;
        return true;
    }
    if (!fm_is_digit(line->last) || !fm_is_blank(line->body.data[0]) || line->begins) return false;
    above = line_above(state, doc, line, 1);
    const char *end = line->body.data + line->body.size;
    return above.size && end > above.data && (size_t)(end - above.data) < BOX &&
           !is_frame(doc, line->offset - (uint64_t)(line->text.data - above.data)) &&
           fm_js_row_box(fm_js_between(above.data, end), row);
}

static bool read_at_row(const struct js_state *state, struct fm_document *doc, const struct fm_line *line,
                        bool in_stack, struct fm_js_row *row)
{
    switch (line->first) {
    case 'a':
    case '"':
    case '\'':
    case '\033':
        if (fm_js_row_at(plain(doc, line), in_stack, row)) return true;
        break;
    case 'i':
        if (fm_js_row_in(line->body, row)) return true;
        break;
    default: break;
    }
    return read_announced(state, doc, line, row);
}

/* Whether a line may be a frame of SpiderMonkey or JavaScriptCore. Without '@' only "global code" and the like are, and
 * an address alone, unless frames are above. */
static bool may_sign(const struct fm_line *line, bool in_stack)
{
    return in_stack || (line->has & FM_HAS_AT_SIGN) != 0 || fm_is_digit(line->last) ||
           fm_str_ends(fm_js_without_tail(line->body), FM_STR("code"));
}

static bool read_sign_row(const struct js_state *state, struct fm_document *doc, const struct fm_line *line,
                          bool in_stack, struct fm_js_row *row)
{
    framemap_str above, error;
    if (in_stack && fm_js_is_gap(line->body)) return false; /* otherwise a source line could be parsed as a frame */
    if (fm_is_digit(line->last) && fm_js_row_console(line->body, row)) {
        above = line_above(state, doc, line, 1);
        row->sure = in_stack || (above.size && fm_js_head(above, true, &error));
        if (row->sure) return true;
    }
    return may_sign(line, in_stack) && fm_js_row_sign(plain(doc, line), in_stack, row);
}

static bool js_read_row(const struct js_state *state, struct fm_document *doc, const struct fm_line *line, bool signs,
                        bool in_stack, struct fm_js_row *row)
{
    return signs ? read_sign_row(state, doc, line, in_stack, row) : read_at_row(state, doc, line, in_stack, row);
}

/* Turns the pending lines into the first frames of the stack that begins with them. */
static void take_pending(struct js_state *state, struct fm_document *doc, bool signs)
{
    struct fm_js_row row;
    size_t count = state->pending_count;
    state->pending_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!js_read_row(state, doc, &state->pending[i], signs, true, &row)) continue;
        if (i == 0) js_begin(state, doc, &state->pending[i], &row);
        js_add(state, doc, &state->pending[i], &row);
    }
}

static bool announces_bare(const struct fm_line *line)
{
    return (line->first == 'C' || line->first == '[') &&
           fm_js_announces_bare(line->body); /* the first bytes of all such lines */
}

/* Handles a line of an open stack that stands for frames which were left out. */
static bool read_marker(struct js_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_marker marker;
    uint64_t count;
    if (!state->open || line->first != '.' || !fm_js_marker_parse(line->body, &marker, &count)) return false;
    fm_js_marker_add(doc, line, marker, true, count);
    state->number1 = line->number1;
    state->behind = line->offset + 1;
    fm_document_offer_until(doc, line->number1 + BLANKS + 1);
    return true;
}

/* Whether a line is a single name. JavaScriptCore prints no more of a function whose script has no address. */
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

/* Handles a line that is not a frame: some belong to the stack, others end it. */
static enum fm_line_role pass(struct js_state *state, struct fm_document *doc, const struct fm_line *line, bool signs)
{
    if (read_marker(state, doc, line)) return FM_ROLE_FRAME;
    fm_js_nesting_line(&state->nesting, line);
    if (state->open && state->box) return FM_ROLE_NONE; /* the line is the name of the next frame */
    if (state->open && fm_js_is_gap(line->first == '\033' ? plain(doc, line) : line->body)) {
        state->number1 = line->number1;
        state->behind = line->offset + 1;
        fm_document_offer_until(doc, line->number1 + BLANKS + 1);
    } else if (state->open && signs && line->number1 - state->number1 == 1 && is_name_alone(line->body)) {
        state->name = *line;
    } else {
        state->open = false;
        state->pending_count = 0;
        if (announces_bare(line)) fm_document_offer_until(doc, line->number1 + ANNOUNCED);
    }
    return FM_ROLE_NONE;
}

/* Makes a frame of a name that was alone on the line above, between two frames. */
static void take_name(struct js_state *state, struct fm_document *doc, const struct fm_line *line)
{
    const struct fm_line name = state->name;
    state->name = (struct fm_line){.number1 = 0};
    if (!state->open || name.number1 == 0 || line->number1 - name.number1 != 1 || is_frame(doc, name.offset)) return;
    const framemap_str text = fm_str_trim(name.body);
    const struct fm_js_row row = {
        .function = text, .where = fm_str_from(text, text.size), .place = {.kind = FM_JS_BUILTIN}, .way = FM_JS_SIGN};
    js_add(state, doc, &name, &row);
}

/* "at Array.forEach (native)" alone, directly below an error: the engine left out all that is not its own. */
static bool is_native_alone(const struct js_state *state, struct fm_document *doc, const struct fm_line *line,
                            const struct fm_js_row *row)
{
    framemap_str error;
    if (row->way != FM_JS_AT || row->function.size == 0 || !fm_str_equal(row->where, FM_STR("native"))) return false;
    const framemap_str above = fm_str_trim(line_above(state, doc, line, 1));
    return fm_str_equal(above, FM_STR("error")) || (above.size && fm_js_head(above, true, &error));
}

static bool is_sure(const struct js_state *state, struct fm_document *doc, const struct fm_line *line,
                    const struct fm_js_row *row)
{
    if (state->open || row->sure || fm_js_announces(line_above(state, doc, line, 1))) return true;
    if (is_native_alone(state, doc, line, row)) return true;
    return row->way == FM_JS_BOX && find_error(state, doc, line).size;
}

/* Ends the open stack if its last line is too far above or another format has started a trace; drops pending lines that
 * are too far above. */
static void go_on(struct js_state *state, struct fm_document *doc, const struct fm_line *line)
{
    uint64_t distance = line->number1 - state->number1;
    if (line->begins) *state = (struct js_state){.behind = line->offset};
    if (state->open && (distance > BLANKS + 1 || !fm_document_open(doc, state->format))) state->open = false;
    /* Frames that another parser took since, as of a stack in an escaped string, would come before those that were
     * pending. */
    if (state->pending_count && (distance > PENDING_GAP || is_frame(doc, state->pending[0].offset)))
        state->pending_count = 0;
}

static enum fm_line_role js_offer(struct js_state *state, struct fm_document *doc, const struct fm_line *line,
                                  bool signs)
{
    struct fm_js_row row;
    go_on(state, doc, line);
    if (!js_read_row(state, doc, line, signs, state->open, &row)) return pass(state, doc, line, signs);
    if (!is_sure(state, doc, line, &row)) {
        if (state->pending_count == PENDING || row.way != (signs ? FM_JS_SIGN : FM_JS_AT))
            return pass(state, doc, line, signs);
        state->pending[state->pending_count++] = *line;
        fm_document_may_begin(doc, &state->pending[0], (unsigned)(line->number1 - state->pending[0].number1) + 1);
        fm_document_offer_until(doc, line->number1 + PENDING_GAP); /* other text between them drops them */
        state->number1 = line->number1;
        return FM_ROLE_NONE;
    }
    if (state->pending_count) take_pending(state, doc, signs);
    take_name(state, doc, line);
    if (!state->open) js_begin(state, doc, line, &row);
    js_add(state, doc, line, &row);
    return FM_ROLE_FRAME;
}

static enum fm_line_role js_offer_at(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    return js_offer(memory, doc, line, false);
}

static enum fm_line_role js_offer_sign(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    return js_offer(memory, doc, line, true);
}

/* Whether it is the second line of a frame in a red box. */
static bool is_box_place(const struct fm_line *line)
{
    return fm_is_digit(line->last) && fm_is_blank(line->body.data[0]) && fm_js_is_box_place(line->body);
}

static bool js_is_significant_at(const struct fm_line *line)
{
    struct fm_js_row row;
    switch (line->first) {
    case 'a':
    case '"':
    case '\'':
    case '\033':
        if (((line->has & FM_HAS_COLOUR) != 0 && fm_find(line->body.data, line->body.size, '\033')) ||
            fm_js_row_at(line->body, false, &row))
            return true;
        break;
    case 'i':
        if (fm_js_row_in(line->body, &row)) return true;
        break;
    default: break;
    }
    return announces_bare(line) || is_box_place(line);
}

static bool js_is_significant_sign(const struct fm_line *line)
{
    struct fm_js_row row;
    return (may_sign(line, false) && fm_js_row_sign(line->body, false, &row)) ||
           (fm_is_digit(line->last) && fm_js_row_console(line->body, &row));
}

/* Names that dart2js minified are restored with the stack below them. */
static unsigned js_leads(const struct fm_line *line, bool announced)
{
    framemap_str name;
    size_t at = 0;
    (void)announced;
    return fm_js_minified(line->body, true, &at, &name) ? ABOVE : 0;
}

static const struct fm_needle at_needles[] = {
    FM_NEEDLE("Call Stack", 0, 12),
    FM_NEEDLE("Component Stack", 8, 13),
    FM_NEEDLE("[Error] ", 0, 4),
};

static const struct fm_needle at_sign_needles[] = {
    FM_NEEDLE("al code", 0, 1),
    FM_NEEDLE("le code", 1, 13),
};

/* "    at f (main.js:1:2)" */
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

/* "f@main.js:1:2" */
static void sign_put_row(struct fm_buf *out, const struct fm_row_out *row)
{
    if (row->has_name) fm_buf_str(out, row->name);
    fm_buf_byte(out, '@');
    if (row->frame->file.size)
        fm_row_put_location(out, row->frame);
    else
        fm_buf_str(out, FM_STR("[native code]"));
}

const struct fm_format fm_js_v8 = {
    .info = {v8, "JavaScript of Chrome, Node, Edge, Deno (at f (main.js:1:2))", true, true},
    .keeps = FM_KEEPS_MARKS,
    FM_NEEDLES(at_needles),
    .state_size = sizeof(struct js_state),
    .firsts = "a\"'\033iC[",
    .lasts = "0123456789",
    .offer = js_offer_at,
    .is_significant = js_is_significant_at,
    .keeps_state = true,
    .leads = js_leads,
    .print_frame = fm_js_print,
    .put_head = js_put_head,
    FM_WRITES_ROWS(v8_put_row,
                   FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_EXCEPTIONS)};
const struct fm_format fm_hermes = {
    .info = {hermes, "JavaScript of React Native on Hermes (at f (address at index.android.bundle:1:123))", true,
             false},
    .keeps = FM_KEEPS_MARKS,
    FM_NEEDLES(at_needles),
    .state_size = sizeof(struct js_state),
    .parsed_by_earlier = true,
    .firsts = "a\"'\033iC[",
    .lasts = "0123456789",
    .offer = js_offer_at,
    .is_significant = js_is_significant_at,
    .keeps_state = true,
    .print_frame = fm_js_print};
const struct fm_format fm_js_other = {
    .info = {other_engine, "JavaScript of engines without columns, and of Edge before Chromium (at f (main.js:12))",
             true, false},
    .keeps = FM_KEEPS_MARKS,
    FM_NEEDLES(at_needles),
    .state_size = sizeof(struct js_state),
    .parsed_by_earlier = true,
    .firsts = "a\"'\033iC[",
    .lasts = "0123456789",
    .offer = js_offer_at,
    .is_significant = js_is_significant_at,
    .keeps_state = true,
    .print_frame = fm_js_print};
const struct fm_format fm_js_spidermonkey = {
    .info = {spidermonkey, "JavaScript of Firefox (f@main.js:1:2)", true, true},
    .keeps = FM_KEEPS_MARKS,
    FM_NEEDLES(at_sign_needles),
    .marks = FM_MARK_WORD | FM_MARK_SIGN | FM_MARK_END,
    .state_size = sizeof(struct js_state),
    .lasts = "e,\"'{0123456789",
    .any_of = FM_HAS_AT_SIGN,
    .offer = js_offer_sign,
    .is_significant = js_is_significant_sign,
    .keeps_state = true,
    .print_frame = fm_js_print,
    .put_head = js_put_head,
    FM_WRITES_ROWS(sign_put_row,
                   FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_EXCEPTIONS)};
const struct fm_format fm_js_jsc = {
    .info = {jsc, "JavaScript of Safari and React Native (f@main.jsbundle:1:2, f@[native code])", true, true},
    .keeps = FM_KEEPS_MARKS,
    FM_NEEDLES(at_sign_needles),
    .marks = FM_MARK_WORD | FM_MARK_SIGN | FM_MARK_END,
    .state_size = sizeof(struct js_state),
    .parsed_by_earlier = true,
    .lasts = "e,\"'{0123456789",
    .any_of = FM_HAS_AT_SIGN,
    .offer = js_offer_sign,
    .is_significant = js_is_significant_sign,
    .keeps_state = true,
    .print_frame = fm_js_print,
    .put_head = js_put_head,
    FM_WRITES_ROWS(sign_put_row,
                   FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_EXCEPTIONS)};
