/* Stacks of JavaScript engines (js_row.h has the rows). The engines write rows in two ways, two engines each, and tell
 * themselves apart by some of their rows only: so one reader serves both of a way, and a trace is renamed when a row
 * tells. */
#include "formats/javascript/js_heading.h"
#include "formats/javascript/js_minified.h"
#include "formats/javascript/js_print.h"
#include "formats/javascript/js_row.h"
#include "formats/parsers.h"

static const char v8[] = "js-v8", hermes[] = "hermes", spidermonkey[] = "js-spidermonkey", jsc[] = "js-jsc";
static const char no_file[] = "code that was a string when it was evaluated has no file";
#define ABOVE 8 /* lines above the first row that are looked at: messages may have several */
#define PENDING                                                                                                      \
    4 /* rows that are none where nothing around them is known, but are the first of a stack when a sure one follows \
       */
#define BOX 4096    /* bytes of two lines of a red box: a name, a file */
#define ANNOUNCED 2 /* lines from one that announces rows without a sign to the first of them */
#define BLANKS 2    /* blank lines, and lines that tell of rows left out, that do not end a stack */

struct state {
    uint64_t behind; /* the last line of a stack: what stands above one is not looked for in front of this offset */
    struct fm_line pending[PENDING];
    size_t pending_count;
    uint64_t number1;   /* of the last row, also of a pending one */
    bool open;          /* a row right below the last line goes on */
    bool bare;          /* its rows have no "at" */
    bool box;           /* each of its rows has two lines */
    bool counts_from_0; /* so do the columns of modules' files: React Native's exception */
};

/* --- a stack begins --- */

static const char *name_of(enum fm_js_engine engine)
{
    static const char *const names[] = {
        [FM_JS_V8] = v8, [FM_JS_HERMES] = hermes, [FM_JS_SPIDERMONKEY] = spidermonkey, [FM_JS_JSC] = jsc};
    return names[engine];
}

/* A line without its colours; as it is where there are none. */
static framemap_str plain(struct fm_document *doc, framemap_str body)
{
    if (!fm_js_is_coloured(body)) return body;
    char *copy = fm_document_alloc(doc, body.size);
    return copy ? fm_str(copy, fm_js_uncolour(body, copy)) : fm_str(body.data, 0);
}

/* The lines above one, or above the pending rows that it follows. */
static struct fm_above above(const struct state *state, struct fm_document *doc, const struct fm_line *line)
{
    return fm_above_of(doc, state->pending_count ? &state->pending[0] : line, state->behind, ABOVE);
}

/* The nearest line that names an error. */
static framemap_str find_error(const struct state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_above walk = above(state, doc, line);
    framemap_str error = {NULL, 0};
    for (struct fm_line *before; (before = fm_above_next(&walk)) != NULL;)
        if (fm_line_cut(before) && fm_js_head(plain(doc, before->body), line->number1 - before->number1 <= 1, &error))
            break;
    return error;
}

static bool mention_minified(struct fm_document *doc, const struct fm_line *line, framemap_str exception, bool members)
{
    framemap_str name;
    for (size_t at = 0; fm_js_minified(line->body, members, &at, &name);) {
        const bool thrown =
            exception.size && name.data >= exception.data && name.data < exception.data + exception.size;
        const framemap_mention mention = {
            .raw = name, .raw_offset = line->offset + (uint64_t)(name.data - line->text.data), .exception = thrown};
        if (!fm_document_mention(doc, &mention)) return false;
    }
    return true;
}

/* Names of the lines above that Dart's compiler minified. */
static void tell_minified(const struct state *state, struct fm_document *doc, const struct fm_line *line,
                          framemap_str exception, bool members)
{
    struct fm_above walk = above(state, doc, line);
    struct fm_line *before, *lines[ABOVE];
    size_t count = 0;
    while ((before = fm_above_next(&walk)) != NULL)
        if ((members || fm_js_may_be_minified(before->text)) && fm_line_cut(before)) lines[count++] = before;
    while (count > 0 && mention_minified(doc, lines[count - 1], exception, members)) count--;
}

/* The line right above, where it is of no stack; blank lines may stand between. absent: there is none. */
static framemap_str line_above(const struct state *state, struct fm_document *doc, const struct fm_line *line,
                               uint64_t distance)
{
    struct fm_above walk = above(state, doc, line);
    struct fm_line *before;
    do before = fm_above_next(&walk);
    while (before && line->number1 - before->number1 <= distance && !fm_line_cut(before));
    return before && line->number1 - before->number1 <= distance ? before->body : (framemap_str){NULL, 0};
}

static void begin(struct state *state, struct fm_document *doc, const struct fm_line *line, const struct fm_js_row *row)
{
    framemap_trace *trace = fm_document_trace(doc, name_of(row->engine), line);
    if (!trace) return;
    trace->exception = find_error(state, doc, line);
    tell_minified(state, doc, line, trace->exception, fm_js_is_dart(row->place.file));
    state->counts_from_0 = fm_js_announces(line_above(state, doc, line, 1));
    state->open = true;
    state->bare = row->way == FM_JS_BARE;
    state->box = row->way == FM_JS_BOX;
}

/* --- frames --- */

/* Scripts that are part of the engine or its host: no map knows them. */
static bool is_internal(framemap_str file)
{
    switch (file.size ? file.data[0] : '\0') {
    case 'n':
        if (fm_str_starts(file, FM_STR("node:")) || fm_str_equal(file, FM_STR("native"))) return true;
        break;
    case 'i':
        if (fm_str_starts(file, FM_STR("internal/"))) return true;
        break;
    case 's':
        if (fm_str_equal(file, FM_STR("self-hosted"))) return true;
        break;
    default: break;
    }
    return fm_str_ends(file, FM_STR("InternalBytecode.js"));
}

/* What is printed in a file's place for code that is in none. */
static bool is_no_file(framemap_str file)
{
    return fm_str_equal(file, FM_STR("<anonymous>")) || fm_str_equal(file, FM_STR("eval code")) ||
           fm_str_equal(file, FM_STR("debugger eval code")) || fm_str_equal(file, FM_STR("Function code")) ||
           fm_str_equal(file, FM_STR("JavaScript"));
}

static void judge(framemap_frame *frame, const struct fm_js_row *row)
{
    const struct fm_js_place *place = &row->place;
    bool unnamed = place->file.size == 0 && row->way == FM_JS_AT;
    bool of_bun =
        unnamed && row->where.size && fm_is_digit(row->where.data[0]); /* "(1:11)", a place in its own scripts */
    bool internal =
        of_bun || place->kind == FM_JS_BUILTIN || place->line1 == 0 || is_internal(place->file) || row->way == FM_JS_IN;
    if (internal) {
        frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    } else if (unnamed || is_no_file(place->file)) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = no_file;
    } else if (place->in_words && frame->has_address) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = "code that was bytes when it was compiled has no file";
    }
}

/* "12.js", "seg-1.js", "seg-1_2.js": modules of a bundle in parts. */
static bool is_module(framemap_str file)
{
    struct fm_scan s = fm_scan_of(file);
    uint64_t number;
    if (fm_scan_text(&s, FM_STR("seg-")) && fm_scan_dec(&s, &number, NULL)) fm_scan_byte(&s, '_');
    fm_scan_dec(&s, &number, NULL);
    return fm_str_equal(fm_scan_rest(&s), FM_STR(".js"));
}

/* React Native's exceptions count columns from 0. They have no file, unless it is a module's. */
static bool counts_from_0(const struct state *state, const struct fm_js_row *row)
{
    if (row->place.kind != FM_JS_POSITION || row->way != FM_JS_SIGN) return false;
    return row->place.file.size == 0 || (state->counts_from_0 && is_module(row->place.file));
}

static void fill(const struct state *state, framemap_frame *frame, const struct fm_js_row *row)
{
    const struct fm_js_place *place = &row->place;
    frame->kind = FRAMEMAP_KIND_JS;
    frame->function = row->function;
    frame->file = place->file;
    frame->line = place->line1;
    frame->column = place->column1;
    if (place->kind == FM_JS_BYTECODE) {
        frame->has_address = true;
        frame->address = place->address;
        frame->address_kind = FRAMEMAP_ADDRESS_BYTECODE;
    }
    if (frame->column < UINT32_MAX && counts_from_0(state, row)) frame->column++;
    judge(frame, row);
}

/* Bun prints code that was a string as if it stood in the file that evaluates it, whose address it then spells
 * "file:///a.js" in place of "/a.js": the file's own rows follow, and tell. */
static void settle_evaluated(framemap_trace *trace)
{
    framemap_frame *last = &trace->frames[trace->frame_count - 1];
    framemap_str scheme = FM_STR("file://");
    if (last->file.size == 0 || last->file.data[0] != '/') return;
    for (framemap_frame *frame = last; frame-- != trace->frames && fm_str_starts(frame->file, scheme);) {
        if (!fm_str_equal(fm_str_from(frame->file, scheme.size), last->file)) break;
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = no_file;
    }
}

static void add(struct state *state, struct fm_document *doc, const struct fm_line *line, const struct fm_js_row *row)
{
    const char *other = row->engine == FM_JS_HERMES ? v8 : spidermonkey;
    framemap_trace *trace = row->telling ? fm_document_open(doc, other) : NULL;
    if (trace && (row->engine == FM_JS_HERMES || row->engine == FM_JS_JSC)) {
        const char *name = name_of(row->engine);
        trace->format = fm_str(name, strlen(name));
    }
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame) fill(state, frame, row);
    if (frame && row->way == FM_JS_BOX) {
        const char *from = row->head.data, *to = line->body.data + line->body.size;
        frame->raw_offset -= (uint64_t)(line->body.data - from);
        frame->raw = fm_js_between(from, to);
    }
    trace = row->engine == FM_JS_V8 ? fm_document_open(doc, v8) : NULL;
    if (frame && trace) settle_evaluated(trace);
    state->number1 = line->number1;
    state->behind = line->offset + 1;
}

/* --- lines --- */

/* Whether the current trace is the one of the last row: no other format has begun one since. */
static bool is_current(struct fm_document *doc, const char *one, const char *other)
{
    return fm_document_open(doc, one) || fm_document_open(doc, other);
}

/* Whether a line above is a frame already, or one below it is: of another reader. */
static bool is_frame(struct fm_document *doc, framemap_str above)
{
    size_t count;
    const framemap_trace *traces = fm_document_traces(doc, &count), *last = count ? &traces[count - 1] : NULL;
    if (last == NULL || last->frame_count == 0) return false;
    const framemap_str raw = last->frames[last->frame_count - 1].raw;
    return raw.data + raw.size > above.data;
}

/* Rows that other rows, or a line above, make rows. */
static bool read_announced(const struct state *state, struct fm_document *doc, const struct fm_line *line,
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
    return above.size && end > above.data && (size_t)(end - above.data) < BOX && !is_frame(doc, above) &&
           fm_js_row_box(fm_js_between(above.data, end), row);
}

static bool read_at_row(const struct state *state, struct fm_document *doc, const struct fm_line *line, bool in_stack,
                        struct fm_js_row *row)
{
    switch (line->first) {
    case 'a':
    case '"':
    case '\'':
    case '\033':
        if (fm_js_row_at(line->lacks & FM_LACKS_COLOUR ? line->body : plain(doc, line->body), in_stack, row))
            return true;
        break;
    case 'i':
        if (fm_js_row_in(line->body, row)) return true;
        break;
    default: break;
    }
    return read_announced(state, doc, line, row);
}

/* Whether a line may be a row of SpiderMonkey's or JavaScriptCore's: without an '@' only "global code" and the like
 * are, unless rows stand above. */
static bool may_sign(const struct fm_line *line, bool in_stack)
{
    return in_stack || (line->lacks & FM_LACKS_SIGN) == 0 ||
           fm_str_ends(fm_js_without_tail(line->body), FM_STR("code"));
}

static bool read_sign_row(const struct state *state, struct fm_document *doc, const struct fm_line *line, bool in_stack,
                          struct fm_js_row *row)
{
    framemap_str above, error;
    if (in_stack && fm_js_is_gap(line->body)) return false; /* before code of the source is taken for a row */
    if (fm_is_digit(line->last) && fm_js_row_console(line->body, row)) {
        above = line_above(state, doc, line, 1);
        row->sure = in_stack || (above.size && fm_js_head(above, true, &error));
        if (row->sure) return true;
    }
    return may_sign(line, in_stack) && fm_js_row_sign(line->body, in_stack, row);
}

static bool read_row(const struct state *state, struct fm_document *doc, const struct fm_line *line, bool signs,
                     bool in_stack, struct fm_js_row *row)
{
    return signs ? read_sign_row(state, doc, line, in_stack, row) : read_at_row(state, doc, line, in_stack, row);
}

/* What was pending are the first rows of the stack that begins with them. */
static void take_pending(struct state *state, struct fm_document *doc, bool signs)
{
    struct fm_js_row row;
    size_t count = state->pending_count;
    state->pending_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!read_row(state, doc, &state->pending[i], signs, true, &row)) continue;
        if (i == 0) begin(state, doc, &state->pending[i], &row);
        add(state, doc, &state->pending[i], &row);
    }
}

static bool announces_bare(const struct fm_line *line)
{
    return (line->first == 'C' || line->first == '[') &&
           fm_js_announces_bare(line->body); /* the first bytes of all that do */
}

/* A line that is no row. Some stand within stacks. */
static enum fm_line_role pass(struct state *state, struct fm_document *doc, const struct fm_line *line)
{
    if (state->open && state->box) return FM_ROLE_NONE; /* it is the name of the next row */
    if (state->open && fm_js_is_gap(line->first == '\033' ? plain(doc, line->body) : line->body)) {
        state->number1 = line->number1;
        state->behind = line->offset + 1;
        fm_document_watch(doc, line->number1 + BLANKS + 1);
    } else {
        state->open = false;
        state->pending_count = 0;
        if (announces_bare(line)) fm_document_watch(doc, line->number1 + ANNOUNCED);
    }
    return FM_ROLE_NONE;
}

static bool is_sure(const struct state *state, struct fm_document *doc, const struct fm_line *line,
                    const struct fm_js_row *row)
{
    if (state->open || row->sure || fm_js_announces(line_above(state, doc, line, 1))) return true;
    return row->way == FM_JS_BOX && find_error(state, doc, line).size;
}

/* Ends what the distance to its last line ends, or another format's stack. */
static void go_on(struct state *state, struct fm_document *doc, const struct fm_line *line, bool signs)
{
    uint64_t distance = line->number1 - state->number1;
    if (line->begins) *state = (struct state){.behind = line->offset};
    if (state->open && (distance > BLANKS + 1 || !is_current(doc, signs ? spidermonkey : v8, signs ? jsc : hermes)))
        state->open = false;
    /* Rows that another format has taken since, as of a stack within a string of this one, would stand before those
     * that were pending. */
    if (state->pending_count && (distance > 1 || is_frame(doc, state->pending[0].body))) state->pending_count = 0;
}

static enum fm_line_role read_line(struct state *state, struct fm_document *doc, const struct fm_line *line, bool signs)
{
    struct fm_js_row row;
    go_on(state, doc, line, signs);
    if (!read_row(state, doc, line, signs, state->open, &row)) return pass(state, doc, line);
    if (!is_sure(state, doc, line, &row)) {
        if (state->pending_count == PENDING || row.way != (signs ? FM_JS_SIGN : FM_JS_AT))
            return pass(state, doc, line);
        state->pending[state->pending_count++] = *line;
        state->number1 = line->number1;
        return FM_ROLE_NONE;
    }
    if (state->pending_count) take_pending(state, doc, signs);
    if (!state->open) begin(state, doc, line, &row);
    add(state, doc, line, &row);
    return FM_ROLE_FRAME;
}

static enum fm_line_role read_at(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    return read_line(memory, doc, line, false);
}

static enum fm_line_role read_sign(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    return read_line(memory, doc, line, true);
}

/* The second line of a red box. */
static bool is_box_place(const struct fm_line *line)
{
    struct fm_js_place place;
    if (!fm_is_digit(line->last) || !fm_is_blank(line->body.data[0])) return false;
    return fm_js_place(fm_str_trim(line->body), &place) && place.kind == FM_JS_POSITION && place.column1 &&
           fm_js_is_file(place.file);
}

static bool tells_at(const struct fm_line *line)
{
    struct fm_js_row row;
    switch (line->first) {
    case 'a':
    case '"':
    case '\'':
    case '\033':
        if (((line->lacks & FM_LACKS_COLOUR) == 0 && fm_js_is_coloured(line->body)) ||
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

static bool tells_sign(const struct fm_line *line)
{
    struct fm_js_row row;
    return (may_sign(line, false) && fm_js_row_sign(line->body, false, &row)) ||
           (fm_is_digit(line->last) && fm_js_row_console(line->body, &row));
}

const struct fm_format fm_js_v8 = {.name = v8,
                                   .state_size = sizeof(struct state),
                                   .firsts = "a\"'\033iC[",
                                   .lasts = "0123456789",
                                   .line = read_at,
                                   .tells = tells_at,
                                   .follows = true,
                                   .print_frame = fm_js_print};
const struct fm_format fm_hermes = {.name = hermes,
                                    .state_size = sizeof(struct state),
                                    .read_by_another = true,
                                    .firsts = "a\"'\033iC[",
                                    .lasts = "0123456789",
                                    .line = read_at,
                                    .tells = tells_at,
                                    .follows = true,
                                    .print_frame = fm_js_print};
const struct fm_format fm_js_spidermonkey = {.name = spidermonkey,
                                             .state_size = sizeof(struct state),
                                             .lasts = "e,\"'{0123456789",
                                             .has = FM_LACKS_SIGN,
                                             .line = read_sign,
                                             .tells = tells_sign,
                                             .follows = true,
                                             .print_frame = fm_js_print};
const struct fm_format fm_js_jsc = {.name = jsc,
                                    .state_size = sizeof(struct state),
                                    .read_by_another = true,
                                    .lasts = "e,\"'{0123456789",
                                    .has = FM_LACKS_SIGN,
                                    .line = read_sign,
                                    .tells = tells_sign,
                                    .follows = true,
                                    .print_frame = fm_js_print};
