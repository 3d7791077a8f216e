/* Stacks of JavaScript engines (js_row.h has the rows). The engines write rows in two ways, two engines each, and tell themselves apart by some of
 * their rows only: so one reader serves both of a way, and a trace is renamed when a row tells. */
#include "formats/js_head.h"
#include "formats/js_print.h"
#include "formats/js_row.h"
#include "formats/readers.h"

static const char v8[] = "js-v8", hermes[] = "hermes", spidermonkey[] = "js-spidermonkey", jsc[] = "js-jsc";
#define ABOVE 8   /* lines above the first row that are looked at: messages may have several */
#define PENDING 4 /* rows that are none where nothing around them is known, but are the first of a stack when a sure one follows */
#define BLANKS 2  /* blank lines, and lines that tell of rows left out, that do not end a stack */

struct above {
    framemap_str body;
    uint64_t number1;
};

struct state {
    struct above above[ABOVE]; /* the last lines that are of no stack, a ring */
    size_t above_count;
    struct fm_line pending[PENDING];
    size_t pending_count;
    uint64_t number1; /* of the last row, also of a pending one */
    bool open;        /* a row right below the last line goes on */
};

/* --- a stack begins --- */

static const char *name_of(enum fm_js_engine engine)
{
    static const char *const names[] = {[FM_JS_V8] = v8, [FM_JS_HERMES] = hermes, [FM_JS_SPIDERMONKEY] = spidermonkey, [FM_JS_JSC] = jsc};
    return names[engine];
}

static void remember(struct state *state, const struct fm_line *line)
{
    state->above[state->above_count++ % ABOVE] = (struct above){line->body, line->number1};
}

/* The nearest line that names an error. */
static framemap_str find_error(const struct state *state, uint64_t number1)
{
    framemap_str error = {NULL, 0};
    for (size_t back = 1; back <= ABOVE && back <= state->above_count; back++) {
        const struct above *above = &state->above[(state->above_count - back) % ABOVE];
        if (number1 - above->number1 > ABOVE) break;
        if (fm_js_head(above->body, number1 - above->number1 <= 1, &error)) break;
    }
    return error;
}

static bool announced(const struct state *state, uint64_t number1)
{
    if (state->above_count == 0) return false;
    const struct above *last = &state->above[(state->above_count - 1) % ABOVE];
    return number1 - last->number1 <= 1 && fm_js_announces(last->body);
}

static void begin(struct state *state, struct fm_doc *doc, const struct fm_line *line, const struct fm_js_row *row)
{
    framemap_trace *trace = fm_doc_trace(doc, name_of(row->engine), line);
    if (!trace) return;
    trace->exception = find_error(state, line->number1);
    state->above_count = 0;
    state->open = true;
}

/* --- frames --- */

/* Scripts that are part of the engine or its host: no map knows them. */
static bool is_internal(framemap_str file)
{
    switch (file.size ? file.data[0] : '\0') {
    case 'n':
        if (fm_str_starts(file, FM_STR("node:"))) return true;
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

static void judge(framemap_frame *frame, const struct fm_js_row *row)
{
    bool unnamed = row->place.file.size == 0 && (row->engine == FM_JS_V8 || row->engine == FM_JS_HERMES);
    if (row->place.kind == FM_JS_BUILTIN || row->place.line1 == 0 || is_internal(row->place.file)) {
        frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    } else if (unnamed || fm_str_equal(row->place.file, FM_STR("<anonymous>"))) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = "code that was a string when it was evaluated has no file";
    }
}

static void fill(framemap_frame *frame, const struct fm_js_row *row)
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
    /* React Native's rows without a file count columns from 0 */
    if (place->kind == FM_JS_POSITION && place->file.size == 0 && row->engine == FM_JS_JSC && frame->column < UINT32_MAX) frame->column++;
    judge(frame, row);
}

static void add(struct state *state, struct fm_doc *doc, const struct fm_line *line, const struct fm_js_row *row)
{
    const char *other = row->engine == FM_JS_HERMES ? v8 : spidermonkey;
    framemap_trace *trace = row->telling ? fm_doc_open(doc, other) : NULL;
    if (trace && (row->engine == FM_JS_HERMES || row->engine == FM_JS_JSC)) {
        const char *name = name_of(row->engine);
        trace->format = fm_str(name, strlen(name));
    }
    framemap_frame *frame = fm_doc_new_frame(doc, line);
    if (frame) fill(frame, row);
    state->number1 = line->number1;
}

/* --- lines --- */

/* Whether the current trace is the one of the last row: no other format has begun one since. */
static bool is_current(struct fm_doc *doc, const char *one, const char *other) { return fm_doc_open(doc, one) || fm_doc_open(doc, other); }

static bool read_row(framemap_str body, bool signs, bool in_stack, struct fm_js_row *row)
{
    return signs ? fm_js_row_sign(body, in_stack, row) : fm_js_row_at(body, row);
}

/* What was pending are the first rows of the stack that begins with them. */
static void take_pending(struct state *state, struct fm_doc *doc, bool signs)
{
    struct fm_js_row row;
    size_t count = state->pending_count;
    state->pending_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (!read_row(state->pending[i].body, signs, true, &row)) continue;
        if (i == 0) begin(state, doc, &state->pending[i], &row);
        add(state, doc, &state->pending[i], &row);
    }
}

static void end_stack(struct state *state, const struct fm_line *line)
{
    for (size_t i = 0; i < state->pending_count; i++) remember(state, &state->pending[i]);
    state->open = false;
    state->pending_count = 0;
    remember(state, line);
}

static enum fm_line_role read_line(struct state *state, struct fm_doc *doc, const struct fm_line *line, bool signs)
{
    struct fm_js_row row;
    if (line->begins) *state = (struct state){.above_count = 0};
    if (state->open && (line->number1 - state->number1 > BLANKS + 1 || !is_current(doc, signs ? spidermonkey : v8, signs ? jsc : hermes)))
        state->open = false;
    if (state->pending_count && line->number1 - state->number1 > 1) state->pending_count = 0;
    if (!read_row(line->body, signs, state->open, &row)) {
        if (!state->open || !fm_js_is_gap(line->body))
            end_stack(state, line);
        else
            state->number1 = line->number1;
        return FM_ROLE_NONE;
    }
    bool sure = state->open || row.sure || announced(state, line->number1);
    if (!sure && state->pending_count < PENDING) {
        state->pending[state->pending_count++] = *line;
        state->number1 = line->number1;
        return FM_ROLE_NONE;
    }
    if (!sure) {
        end_stack(state, line);
        return FM_ROLE_NONE;
    }
    if (state->pending_count) take_pending(state, doc, signs);
    if (!state->open) begin(state, doc, line, &row);
    add(state, doc, line, &row);
    return FM_ROLE_FRAME;
}

static enum fm_line_role read_at(void *memory, struct fm_doc *doc, const struct fm_line *line)
{
    return read_line(memory, doc, line, false);
}

static enum fm_line_role read_sign(void *memory, struct fm_doc *doc, const struct fm_line *line)
{
    return read_line(memory, doc, line, true);
}

/* Every line is wanted: what stands above a row is known only when the row comes. */
static bool probe(const struct fm_line *line)
{
    (void)line;
    return true;
}

const struct fm_format fm_js_v8 = {
    .name = v8, .state_size = sizeof(struct state), .probe = probe, .line = read_at, .print_frame = fm_js_print};
const struct fm_format fm_hermes = {
    .name = hermes, .state_size = sizeof(struct state), .probe = probe, .line = read_at, .print_frame = fm_js_print};
const struct fm_format fm_js_spidermonkey = {
    .name = spidermonkey, .state_size = sizeof(struct state), .probe = probe, .line = read_sign, .print_frame = fm_js_print};
const struct fm_format fm_js_jsc = {
    .name = jsc, .state_size = sizeof(struct state), .probe = probe, .line = read_sign, .print_frame = fm_js_print};
