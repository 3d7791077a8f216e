/* Begins and continues the open stack of a JavaScript parser. See js_stack.h. */
#include "formats/javascript/js_stack.h"

#include "formats/javascript/js_frame.h"
#include "formats/javascript/js_heading.h"
#include "formats/javascript/js_minified.h"
#include "formats/javascript/js_row_bare.h"
#include "formats/scan/line_clean.h"

const char fm_js_v8_name[] = "js-v8", fm_hermes_name[] = "hermes", fm_js_spidermonkey_name[] = "js-spidermonkey",
           fm_js_jsc_name[] = "js-jsc", fm_js_other_name[] = "js-other";

static const char *name_of(enum fm_js_engine engine)
{
    static const char *const names[] = {[FM_JS_V8] = fm_js_v8_name,
                                        [FM_JS_HERMES] = fm_hermes_name,
                                        [FM_JS_SPIDERMONKEY] = fm_js_spidermonkey_name,
                                        [FM_JS_JSC] = fm_js_jsc_name,
                                        [FM_JS_OTHER] = fm_js_other_name};
    return names[engine];
}

/* Starts a walk over the lines above a line. If lines are pending, the walk starts above the first of them. */
static struct fm_look_back above(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                                 unsigned most)
{
    return fm_look_back_from(doc, state->pending_count ? &state->pending[0] : line, state->floor, most);
}

framemap_str fm_js_find_error(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_look_back walk = above(state, doc, line, FM_JS_ABOVE);
    framemap_str error = {NULL, 0};
    for (struct fm_line *before; (before = fm_look_back_next(&walk)) != NULL;)
        if (fm_line_cut(before) && fm_js_head(fm_js_plain(doc, before), line->number1 - before->number1 <= 1, &error))
            break;
    return error;
}

/* Returns the line without colours, which may be between a mark such as '@' and a name. room: memory for the copy. */
static const struct fm_line *uncoloured(struct fm_document *doc, const struct fm_line *line, struct fm_line *room)
{
    if (line->printed.data || !fm_line_is_dirty(line)) return line;
    char *body = fm_document_alloc(doc, line->body.size);
    return body ? fm_line_clean(line, FM_KEEPS_NOTHING, body, room) : line;
}

/* Whether a name is part of the exception's text. is_copy: the name is a slice of a copy, so its bytes are searched in
 * the text. Otherwise the name is a slice of the line itself, and the addresses show whether it is within the text. */
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

/* Searches the lines above the stack for names minified by dart2js, and records them as mentions. */
static void mention_all_minified(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                                 framemap_str exception, bool members)
{
    struct fm_look_back walk = above(state, doc, line, FM_JS_ABOVE);
    struct fm_line *before, *lines[FM_JS_ABOVE];
    size_t count = 0;
    while ((before = fm_look_back_next(&walk)) != NULL)
        if ((members || fm_js_may_be_minified(before->text)) && fm_line_cut(before)) lines[count++] = before;
    while (count > 0 && mention_minified(doc, lines[count - 1], exception, members)) count--;
}

static const struct fm_line *line_above(const struct fm_js_state *state, struct fm_document *doc,
                                        const struct fm_line *line, uint64_t distance)
{
    struct fm_look_back walk = above(state, doc, line, FM_JS_ABOVE);
    struct fm_line *before;
    do before = fm_look_back_next(&walk);
    while (before && line->number1 - before->number1 <= distance && !fm_line_cut(before));
    return before && line->number1 - before->number1 <= distance ? before : NULL;
}

framemap_str fm_js_line_above(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                              uint64_t distance)
{
    const struct fm_line *before = line_above(state, doc, line, distance);
    return before ? before->body : (framemap_str){NULL, 0};
}

const struct fm_line *fm_js_first_line(const struct fm_js_state *state, struct fm_document *doc,
                                       const struct fm_line *line, const struct fm_js_row *row, struct fm_js_row *above)
{
    if (row->way != FM_JS_AT || row->title.size || !fm_str_starts(row->where, FM_STR("file:"))) return NULL;
    const struct fm_line *before = line_above(state, doc, line, 1);
    return before && fm_js_row_first(fm_js_plain(doc, before), above) ? before : NULL;
}

framemap_str fm_js_both_lines(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_look_back walk = fm_look_back_from(doc, line, state->floor, 1);
    struct fm_line *const before = fm_look_back_next(&walk);
    if (before == NULL || !fm_line_cut(before) || before->printed.data || line->printed.data)
        return (framemap_str){NULL, 0};
    return fm_js_between(before->body.data, line->body.data + line->body.size);
}

/* Whether the last line with an escaped string is source code that is printed above the stack, with a caret "^"
 * below it. */
static bool is_below_source(const struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line)
{
    return state->string1 && line->number1 - state->string1 == 2 &&
           fm_js_is_caret(fm_js_line_above(state, doc, line, 1));
}

void fm_js_stack_begin(struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
                       const struct fm_js_row *row)
{
    framemap_trace *trace = fm_document_trace(doc, name_of(row->engine), line);
    if (!trace) return;
    if (is_below_source(state, doc, line)) state->floor = state->before_string;
    struct fm_look_back walk = above(state, doc, line, FM_JS_TITLE_ABOVE);
    /* A frame in a red box has two lines; the first of them is skipped here. */
    if (row->way == FM_JS_BOX) (void)fm_look_back_next(&walk);
    if (row->title.size)
        fm_js_title_set(row->title, &state->nesting, trace);
    else
        fm_js_title_find(&walk, doc, line, &state->nesting, trace);
    state->members = (struct fm_error_members){.lines_left = 0};
    if (trace->exception.size == 0 && (line->begins || line->first == '"'))
        fm_error_members_read(&state->members, doc, line, trace, &fm_js_error_rules);
    mention_all_minified(state, doc, line, trace->exception, fm_js_is_dart(row->place.file));
    state->counts_from_0 = fm_js_announces(fm_js_line_above(state, doc, line, 1));
    state->format = name_of(row->engine);
    state->open = true;
    state->bare = row->way == FM_JS_BARE;
    state->box = row->way == FM_JS_BOX;
}

/* --- frames --- */

/* Whether a file is a segment of a bundle: "12.js", "seg-1.js", "seg-1_2.js". */
static bool is_module(framemap_str file)
{
    struct fm_scan s = fm_scan_of(file);
    uint64_t number;
    if (fm_scan_text(&s, FM_STR("seg-")) && fm_scan_dec(&s, &number, NULL)) fm_scan_byte(&s, '_');
    fm_scan_dec(&s, &number, NULL);
    return fm_str_equal(fm_scan_rest(&s), FM_STR(".js"));
}

/* Whether the columns of a row count from 0, as they do in exceptions of React Native. Such a row has no file, or its
 * file is a segment of a bundle ("seg-3.js"). */
static bool counts_from_0(const struct fm_js_state *state, const struct fm_js_row *row)
{
    if (row->place.kind != FM_JS_POSITION || row->way != FM_JS_SIGN) return false;
    return row->place.file.size == 0 || (state->counts_from_0 && is_module(row->place.file));
}

/* Marks the frames of evaluated code in a stack of Bun. For evaluated code, Bun prints the file that evaluates the
 * code, as a URL: "file:///a.js". The frame below has the same file as a path, "/a.js"; this difference shows that the
 * code was evaluated. */
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

/* Renames the open stack if a row shows that it was written by another engine than was assumed. */
static void settle_engine(struct fm_js_state *state, struct fm_document *doc, const struct fm_js_row *row)
{
    const bool supposed = state->format == fm_js_v8_name || state->format == fm_js_spidermonkey_name;
    const bool shows = row->engine_is_sure && row->engine != FM_JS_V8 && row->engine != FM_JS_SPIDERMONKEY;
    framemap_trace *trace = supposed && shows ? fm_document_open(doc, state->format) : NULL;
    if (trace == NULL) return;
    state->format = name_of(row->engine);
    trace->format = fm_str(state->format, strlen(state->format));
}

void fm_js_stack_add(struct fm_js_state *state, struct fm_document *doc, const struct fm_line *line,
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
    framemap_trace *trace = row->engine == FM_JS_V8 ? fm_document_open(doc, fm_js_v8_name) : NULL;
    if (frame && trace) settle_evaluated(trace);
    fm_js_nesting_frame(&state->nesting, line, row->tail);
    state->number1 = line->number1;
    state->floor = line->offset + 1;
}
