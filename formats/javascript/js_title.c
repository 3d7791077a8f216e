/* Implements js_title.h: walks back over the lines above a stack to the title of the error, collects its message, and
 * keeps a stack of errors by indentation to find the error that a cause belongs to. */
#include "formats/javascript/js_title.h"
#include "formats/javascript/js_colour.h"
#include "formats/javascript/js_heading.h"
#include "formats/row_parts.h"

/* maximum number of lines from the last frame of an error to the title of an error that is nested in the first one */
#define NESTED_GAP 64

/* --- splitting an error into type and message --- */

static void split_error(framemap_str error, framemap_str *type, framemap_str *message)
{
    const framemap_str invariant = FM_STR("Invariant Violation");
    const bool has_two_words = fm_str_starts(error, FM_STR("Invariant Violation:"));
    fm_error_split(error, has_two_words ? invariant.size : fm_error_word_size(error), type, message);
}

void fm_js_error_parts(framemap_str error, framemap_str *type, framemap_str *message)
{
    framemap_str inner;
    split_error(error, type, message);
    if (fm_str_ends(*type, FM_STR(".JavascriptException")) && fm_js_head(*message, false, &inner))
        /* the message is itself an error, which React Native for Android wraps in another error */
        split_error(inner, type, message);
}

void fm_js_error_set(framemap_trace *trace, framemap_str error)
{
    trace->exception = error;
    fm_js_error_parts(error, &trace->exception_type, &trace->exception_message);
}

static bool find_far(framemap_str message, framemap_str *error) { return fm_js_head(message, false, error); }

const struct fm_error_rules fm_js_error_rules = {.find = find_far, .set = fm_js_error_set};

/* The lines of a message, those nearest to the stack first, including blank lines between them. */
struct message {
    framemap_str lines[2 * FM_JS_TITLE_ABOVE];
    size_t count;
    uint64_t number1; /* number of the line that was added last; 0: no line was added */
    uint64_t caret1;  /* number of the line with a caret "^" directly above the stack; 0: there is no such line */
    size_t source;    /* number of lines of source code above the stack, including the line with the caret */
};

static void add_line(struct message *message, framemap_str body, uint64_t number1)
{
    const bool gap = message->number1 && message->number1 - number1 > 1;
    if (gap) message->lines[message->count++] = (framemap_str){"", 0};
    message->lines[message->count++] = body;
    message->number1 = number1;
}

static framemap_str join(struct fm_document *doc, const struct message *message, framemap_str first)
{
    framemap_str lines[2 * FM_JS_TITLE_ABOVE + 1];
    size_t count = 0;
    /* `first` is the first line of the message. It is absent if the error's type is alone on its line. */
    if (first.size || (message->count && first.data)) lines[count++] = first;
    for (size_t i = message->count; i-- > 0;) lines[count++] = message->lines[i];
    return fm_row_join(doc, lines, count);
}

/* --- determining which error another error is nested in --- */

static uint32_t indent_of(framemap_str body)
{
    size_t at = 0;
    while (at < body.size && at < UINT16_MAX && fm_is_blank(body.data[at])) at++;
    return (uint32_t)at;
}

/* Removes the errors that end before a line with this indent: the errors whose titles have this indent or a
 * larger one. */
static void pop(struct fm_js_nesting *nesting, uint32_t indent)
{
    while (nesting->count && nesting->outer[nesting->count - 1].indent >= indent) nesting->count--;
}

static framemap_role role_of(framemap_str title)
{
    if (fm_str_starts(title, FM_STR("[suppressed]: "))) return FRAMEMAP_ROLE_SUPPRESSED;
    return FRAMEMAP_ROLE_CAUSE;
}

/* Determines whether the trace belongs to an error above it. Also records the trace's own error, because further traces
 * may be nested in it. */
static void nest(struct fm_js_nesting *nesting, framemap_str body, uint64_t number1, framemap_trace *trace)
{
    const framemap_str title = fm_str_trim(body);
    const uint32_t indent = indent_of(body);
    const struct fm_js_outer *last = nesting->count ? &nesting->outer[nesting->count - 1] : NULL;
    const bool follows = last && number1 - nesting->number1 <= 1;
    if (last && number1 - nesting->number1 > NESTED_GAP) nesting->count = 0;
    if (follows && (fm_str_starts(title, FM_STR("Caused by: ")) || fm_str_starts(title, FM_STR("caused by: ")))) {
        trace->role = FRAMEMAP_ROLE_CAUSE;
        trace->part_of = last->number;
        nesting->count--;
    } else {
        pop(nesting, indent);
        last = nesting->count ? &nesting->outer[nesting->count - 1] : NULL;
        if (last && last->braced) {
            trace->role = role_of(title);
            trace->part_of = last->number;
        }
    }
    if (nesting->count == FM_JS_NESTED) return;
    nesting->outer[nesting->count++] = (struct fm_js_outer){.number = trace->number, .indent = indent};
    nesting->number1 = number1;
}

void fm_js_nesting_frame(struct fm_js_nesting *nesting, const struct fm_line *line, framemap_str tail)
{
    if (nesting->count == 0) return;
    nesting->outer[nesting->count - 1].braced = fm_str_find_byte(tail, '{') != FM_NOT_FOUND;
    nesting->number1 = line->number1;
}

void fm_js_nesting_line(struct fm_js_nesting *nesting, const struct fm_line *line)
{
    if (nesting->count && line->first == '}') pop(nesting, indent_of(line->body));
}

/* --- finding the title above a stack --- */

/* Cuts off the prefix that NativeScript's log prints before each line. */
static framemap_str without_log(framemap_str body)
{
    static const framemap_str word = FM_STR_INIT("System.err:");
    return fm_str_starts(body, word) ? fm_str_from(body, word.size) : body;
}

/* Whether the type of a title is one word that no error has as its name, such as "Code" or "URL". */
static bool is_label(framemap_str type)
{
    bool has_small = false;
    for (size_t i = 1; i < type.size; i++) {
        const char c = type.data[i];
        if (c >= 'A' && c <= 'Z' && has_small) return false; /* "CartFault" may be the name of a class */
        has_small = has_small || (c >= 'a' && c <= 'z');
    }
    return type.size && !fm_error_is_name(type);
}

/* Looks for an error among the lines directly above a line of a message, "TypeError: x" above "Code: 401". Returns the
 * line; *title: its text, which *error is a part of; *count: number of lines between the two, which are in `between`.
 * NULL: there is no such line. */
static struct fm_line *error_above(struct fm_look_back walk, struct fm_document *doc, uint64_t number1,
                                   framemap_str *title, framemap_str *error, framemap_str *between, size_t *count)
{
    *count = 0;
    for (struct fm_line *before; (before = fm_look_back_next(&walk)) != NULL; number1--) {
        if (before->number1 + 1 != number1 || !fm_line_cut(before)) return NULL;
        *title = without_log(fm_js_plain(doc, before));
        if (fm_js_head(*title, false, error)) return before;
        if (*count == FM_JS_TITLE_ABOVE) return NULL;
        between[(*count)++] = *title;
    }
    return NULL;
}

/* Replaces the title that was found by a line above it, if the found one names no error. If it is indented, such as
 * "Importing: file:///a.js" at the end of a message of Deno, this is the line directly above it, if that is a title
 * too. If it is only a label, such as "Code: 401", this is the nearest line of the same message that names an error. */
static void prefer_above(struct fm_look_back *walk, struct fm_document *doc, framemap_trace *trace,
                         struct fm_line **line, framemap_str *body, struct message *message)
{
    framemap_str type, rest, title, above, between[FM_JS_TITLE_ABOVE];
    size_t count = 0;
    fm_js_error_parts(trace->exception, &type, &rest);
    if (type.size == 0 || fm_error_is_name(type)) return;
    struct fm_line *before = NULL;
    if (indent_of(*body) > 0) {
        before = fm_look_back_next(walk);
        if (before == NULL || (*line)->number1 - before->number1 > 1 || !fm_line_cut(before)) return;
        title = fm_js_plain(doc, before);
        if (indent_of(title) >= indent_of(*body) || !fm_js_head(title, true, &above)) return;
    } else if (is_label(type)) {
        before = error_above(*walk, doc, (*line)->number1, &title, &above, between, &count);
    }
    if (before == NULL) return;
    add_line(message, *body, (*line)->number1);
    for (size_t i = 0; i < count; i++) add_line(message, between[i], (*line)->number1 - 1 - i);
    trace->exception = above;
    *line = before;
    *body = title;
}

/* Adds a line to the message if it is a source line or the caret below one: Deno prints these between the message and
 * the stack, to show the code that threw. Returns false for other lines. A source line with a string in it may have
 * been cut into several lines. */
static bool add_source(struct message *message, framemap_str body, uint64_t number1)
{
    const bool is_mark = message->count == 0 && fm_js_is_caret(body);
    if (is_mark) message->caret1 = number1;
    if (!is_mark && (message->caret1 == 0 || number1 + 1 != message->caret1)) return false;
    add_line(message, body, number1);
    message->source = message->count;
    return true;
}

static void drop_source(struct message *message, framemap_str title)
{
    if (message->source < 2 || !fm_str_starts(fm_str_trim(title), FM_STR("error: Uncaught "))) return;
    message->count -= message->source;
    memmove(message->lines, message->lines + message->source, message->count * sizeof *message->lines);
}

/* Whether the bracket at the end of a text belongs to the text: "bad index [2]", "[object Object]", "one of [ 1, 2 ]",
 * but not "Unexpected token [ in JSON]". */
static bool closes_own(framemap_str text)
{
    size_t depth = 0;
    for (size_t at = text.size; at-- > 0;) {
        if (text.data[at] == ']') depth++;
        if (text.data[at] != '[' || --depth > 0) continue;
        return !fm_is_blank(text.data[at + 1]) || fm_is_blank(text.data[text.size - 2]);
    }
    return false;
}

/* Cuts off the bracket that ends an error which a console printed in brackets, "[TypeError: x]". It is at the end of
 * the error's last line. error: a part of the title. */
static void cut_bracket(struct message *message, framemap_str title, framemap_str *error)
{
    framemap_str *last = message->count ? message->lines : error;
    if (error->data == title.data || error->data[-1] != '[') return;
    const framemap_str text = fm_str_trim(*last);
    if (fm_str_ends(text, FM_STR("]")) && !closes_own(text))
        last->size = (size_t)(text.data + text.size - 1 - last->data);
}

/* Returns the body of a line above the stack as a line of a message. A '+' in front is a mark of a diff around the
 * whole text only if the stack has it too; else it belongs to a diff in the message, as test runners and assert print
 * one. stack: the first line of the stack. */
static framemap_str message_line(const struct fm_line *before, framemap_str body, const struct fm_line *stack)
{
    static const framemap_str plus = FM_STR_INIT("+");
    const bool is_cut = fm_str_starts(before->text, plus) && body.data == before->text.data + 1;
    if (!is_cut || fm_str_starts(stack->text, plus)) return body;
    return fm_str(before->text.data, body.size + 1);
}

/* Whether a line announces a stack, and so is not part of the message. A line "Require stack:" does not: below it, Node
 * lists the modules that required a missing one. */
static bool announces(framemap_str body)
{
    return (fm_js_announces(body) && !fm_str_equal(fm_str_trim(body), FM_STR("Require stack:"))) ||
           fm_js_announces_bare(body);
}

void fm_js_title_set(framemap_str error, struct fm_js_nesting *nesting, framemap_trace *trace)
{
    fm_js_error_set(trace, error);
    nesting->count = 0;
}

/* Reads an error of HarmonyOS, "Error name:TypeError" and below it "Error message:x is not a function". body: the
 * second line. */
static bool read_harmony_error(struct fm_look_back *walk, struct fm_document *doc, framemap_str body,
                               const struct message *message, framemap_trace *trace)
{
    static const framemap_str mark = FM_STR_INIT("Error message:"), name = FM_STR_INIT("Error name:");
    if (!fm_str_starts(body, mark)) return false;
    struct fm_line *before = fm_look_back_next(walk);
    const framemap_str above =
        before && fm_line_cut(before) ? fm_str_trim(fm_js_plain(doc, before)) : (framemap_str){NULL, 0};
    if (!fm_str_starts(above, name)) return false;
    trace->exception = trace->exception_type = fm_str_trim(fm_str_from(above, name.size));
    trace->exception_message = join(doc, message, fm_str_from(body, mark.size));
    return true;
}

void fm_js_title_find(struct fm_look_back *walk, struct fm_document *doc, const struct fm_line *line,
                      struct fm_js_nesting *nesting, framemap_trace *trace)
{
    struct message message = {.count = 0};
    framemap_str first;
    /* skips the stacks of other engines: a title above one of them does not belong to this stack */
    walk->skips_frames = true;
    for (struct fm_line *before; (before = fm_look_back_next(walk)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        framemap_str body = without_log(fm_js_plain(doc, before));
        if (add_source(&message, body, before->number1)) continue;
        if (read_harmony_error(walk, doc, fm_str_trim(body), &message, trace)) break;
        if (!fm_js_head(body, line->number1 - before->number1 <= 1, &trace->exception)) {
            /* A detail line, such as "StackTrace:", is not part of a message, and neither are the lines between it and
             * the stack. */
            const framemap_str last = announces(body) ? fm_js_before_stack(body) : body;
            if (fm_js_is_detail(body))
                message = (struct message){.count = 0};
            else if (last.data)
                add_line(&message, message_line(before, last, line), before->number1);
            continue;
        }
        prefer_above(walk, doc, trace, &before, &body, &message);
        drop_source(&message, body);
        cut_bracket(&message, body, &trace->exception);
        if (message.count && message.number1 - before->number1 > 1)
            message.lines[message.count++] = (framemap_str){"", 0};
        fm_js_error_parts(trace->exception, &trace->exception_type, &first);
        trace->exception_message = join(doc, &message, first);
        nest(nesting, body, before->number1, trace);
        return;
    }
    nesting->count = 0;
}
