/* PHP's stacks:
 *
 *     PHP Fatal error:  Uncaught App\Missing: no cart in /app/Cart.php:12
 *     Stack trace:
 *     #0 /app/Shop.php(20): App\Cart->load('a')
 *     #1 [internal function]: App\Shop::run(Object(App\Order))
 *     #2 {main}
 *
 *     exception 'App\Missing' with message 'no cart' in /app/Cart.php:12    PHP 5
 *
 *     Next RuntimeException: failed in /app/Shop.php:22                 its cause is the stack above
 *     Stack trace:
 *
 *     Fatal error: Uncaught A: b in /a.php:1 Stack trace: #0 /b.php(2): f() #1 {main} thrown in /a.php on line 1
 *                                                                        the same, as a web page shows it
 *
 *     PHP Stack trace:                                                   Xdebug, in logs
 *     PHP   1. {main}() /app/index.php:0
 *     PHP   2. App\Shop->run() /app/index.php:4
 *
 *     [2026-11-21 10:00:00] p.ERROR: no {"exception":"[object] (App\\Missing(code: 0): no at /app/Cart.php:12)
 *     [stacktrace]                                                       Monolog (Laravel, Symfony): JSON, in whose
 *     #0 /app/Shop.php(20): App\\Cart->load('a')                         names two backslashes are one
 *
 * The innermost frame is first, except in Xdebug's stacks, where it is last. The position in a row is where its
 * function was called. */
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "php";

/* Returns the offset after the brace that closes the one at `open`; FM_NOT_FOUND if it is not closed. */
static size_t after_braces(framemap_str text, size_t open)
{
    size_t depth = 0;
    for (size_t at = open; at < text.size; at++) {
        depth += text.data[at] == '{';
        if (text.data[at] == '}' && --depth == 0) return at + 1;
    }
    return FM_NOT_FOUND;
}

/* Sets the function of a frame from its call: "App\Cart->load('a')", "App\Shop::run()", "require()", or
 * "App\Cart->{closure:App\Cart::load():22}(1)" of PHP 8.4. */
static void set_call(framemap_frame *frame, framemap_str call)
{
    const size_t closure = fm_str_find(call, FM_STR("{closure:"));
    const size_t before = fm_str_find_byte(call, '(');
    const bool is_closure = closure != FM_NOT_FOUND && closure < before;
    const size_t end = is_closure ? after_braces(call, closure) : FM_NOT_FOUND;
    const size_t open = end == FM_NOT_FOUND ? before : end;
    framemap_str function = open == FM_NOT_FOUND || open == 0 ? call : fm_str(call.data, open);
    const framemap_str names = fm_str_slice(function, 0, is_closure ? closure : FM_NOT_FOUND);
    size_t split = fm_str_find(names, FM_STR("->"));
    if (split == FM_NOT_FOUND) split = fm_str_find(names, FM_STR("::"));
    if (split != FM_NOT_FOUND && split > 0) {
        frame->class_name = fm_str(function.data, split);
        function = fm_str_from(function, split + 2);
    }
    frame->function = function;
}

static bool php_is_title(framemap_str text)
{
    return fm_str_equal(text, FM_STR("Stack trace:")) || fm_str_equal(text, FM_STR("PHP Stack trace:")) ||
           fm_str_equal(text, FM_STR("[stacktrace]"));
}

/* Parses "/app/Shop.php(20): CALL", "[internal function]: CALL", or "{main}". nginx may have cut the message off
 * within the call: "CAL\" while reading response header from upstream". */
static enum fm_other_kind parse_frame(framemap_str rest, framemap_frame *frame)
{
    static const framemap_str internal = FM_STR_INIT("[internal function]: ");
    uint32_t line;
    rest = fm_str_slice(rest, 0, fm_str_find(rest, FM_STR("\" while reading ")));
    if (fm_str_equal(rest, FM_STR("{main}"))) {
        frame->function = rest;
        return FM_OTHER_ROW;
    }
    if (fm_str_starts(rest, internal)) {
        frame->is_native = true;
        set_call(frame, fm_str_from(rest, internal.size));
        return FM_OTHER_ROW;
    }
    const size_t close = fm_str_find(rest, FM_STR("): "));
    const size_t open = close == FM_NOT_FOUND ? close : fm_str_find_last_byte(fm_str(rest.data, close), '(');
    if (open == FM_NOT_FOUND || open == 0) return FM_OTHER_NONE;
    struct fm_scan s = fm_scan_of(fm_str_slice(rest, open + 1, close));
    if (!fm_scan_dec32(&s, &line) || !fm_scan_done(&s)) return FM_OTHER_NONE;
    frame->file = fm_str(rest.data, open);
    frame->line = line;
    set_call(frame, fm_str_from(rest, close + 3));
    return fm_str_find(frame->file, FM_STR(".php")) != FM_NOT_FOUND ? FM_OTHER_SURE : FM_OTHER_ROW;
}

/* Parses a row of Xdebug: "1. {main}() /app/index.php:0". */
static enum fm_other_kind parse_numbered(framemap_str text, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number = 0;
    uint32_t column = 0;
    if (fm_scan_text(&s, FM_STR("PHP "))) fm_scan_blanks(&s);
    if (!fm_scan_dec(&s, &number, NULL) || !fm_scan_text(&s, FM_STR(". ")) || number == 0) return FM_OTHER_NONE;
    const framemap_str rest = fm_scan_rest(&s);
    const size_t close = fm_str_find_last(rest, FM_STR(") "));
    if (close == FM_NOT_FOUND || number > INT32_MAX) return FM_OTHER_NONE;
    if (!fm_row_location(fm_str_from(rest, close + 2), &frame->file, &frame->line, &column)) return FM_OTHER_NONE;
    frame->index = (int64_t)number;
    set_call(frame, fm_str(rest.data, close + 1));
    return FM_OTHER_ROW;
}

static enum fm_other_kind php_parse(framemap_str text, struct fm_other_line *out)
{
    struct fm_scan s = fm_scan_of(text);
    if (php_is_title(text)) return FM_OTHER_TITLE;
    if (fm_str_starts(text, FM_STR("thrown in "))) return FM_OTHER_END;
    if (!fm_scan_byte(&s, '#')) return parse_numbered(text, &out->frame);
    if (!fm_row_index(&s, &out->frame.index) || !fm_scan_byte(&s, ' ')) return FM_OTHER_NONE;
    out->starts = out->frame.index == 0;
    return parse_frame(fm_scan_rest(&s), &out->frame);
}

static const framemap_str logged_mark = FM_STR_INIT("[object] ("), code_mark = FM_STR_INIT("(code: ");

/* Finds the exception in "Uncaught App\Missing: no cart in /app/Cart.php:12" or "Next RuntimeException: ...". */
static bool php_find_exception(framemap_str text, framemap_str *exception)
{
    const size_t uncaught = fm_str_find(text, FM_STR("Uncaught ")), logged = fm_str_find_last(text, logged_mark);
    framemap_str rest = text;
    if (logged != FM_NOT_FOUND) {
        *exception = fm_str_from(text, logged + logged_mark.size);
        return true;
    }
    if (uncaught != FM_NOT_FOUND)
        rest = fm_str_from(text, uncaught + 9);
    else if (fm_str_starts(text, FM_STR("Next ")))
        rest = fm_str_from(text, 5);
    else if (!fm_str_starts(text, FM_STR("exception '")) && !fm_other_find_exception(text, &rest))
        return false;
    const framemap_str old = FM_STR("exception '"), with = FM_STR("' with message '");
    const size_t name_at = fm_str_find(rest, old), message_at = fm_str_find(rest, with);
    /* PHP 5 prints "exception 'TYPE' with message 'TEXT'" */
    if (name_at != FM_NOT_FOUND && message_at != FM_NOT_FOUND && name_at < message_at)
        rest = fm_str_from(rest, name_at);
    const size_t in = fm_str_find_last(rest, FM_STR(" in "));
    *exception = in == FM_NOT_FOUND ? rest : fm_str(rest.data, in);
    /* PHP adds the position of the call to the message of a type error: "…, called in /app/a.php on line 7 and defined
     * in /app/a.php:3". */
    static const framemap_str defined = FM_STR_INIT(" and defined");
    if (in != FM_NOT_FOUND && fm_str_ends(*exception, defined)) exception->size -= defined.size;
    return true;
}

static const struct fm_other_rules rules = {
    .name = name, .parse = php_parse, .find_exception = php_find_exception, .above = 4};

/* Makes the stack above the line "Next …" the cause of the stack that starts here. */
static void link_next(struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace *trace = fm_document_open(doc, name), *above = fm_document_previous(doc);
    struct fm_look_back back = fm_look_back_from(doc, line, 0, 4);
    if (trace == NULL || above == NULL || above->format.data != name || trace->frame_count != 1) return;
    for (struct fm_line *before; (before = fm_look_back_next(&back)) != NULL;) {
        if (!fm_line_cut(before) || !fm_str_starts(before->body, FM_STR("Next "))) continue;
        above->role = FRAMEMAP_ROLE_CAUSE;
        above->part_of = trace->number;
        return;
    }
}

/* Splits "exception 'RuntimeException' with message 'no cart'" of PHP 5. */
static void split_old(framemap_trace *trace)
{
    const framemap_str text = trace->exception, with = FM_STR("' with message '");
    const size_t at = fm_str_find(text, with);
    if (!fm_str_starts(text, FM_STR("exception '")) || at == FM_NOT_FOUND) return;
    trace->exception_type = fm_str_slice(text, 11, at);
    trace->exception_message = fm_str_from(text, at + with.size);
    if (fm_str_ends(trace->exception_message, FM_STR("'"))) trace->exception_message.size--;
}

/* Returns a name with each "\\" of JSON decoded to one backslash. */
static framemap_str unescaped(struct fm_document *doc, framemap_str text)
{
    if (fm_str_find(text, FM_STR("\\\\")) == FM_NOT_FOUND) return text;
    char *copy = fm_document_alloc(doc, text.size);
    size_t size = 0;
    if (copy == NULL) return text;
    for (size_t i = 0; i < text.size; i++) {
        copy[size++] = text.data[i];
        if (text.data[i] == '\\' && i + 1 < text.size && text.data[i + 1] == '\\') i++;
    }
    return fm_str(copy, size);
}

/* Splits Monolog's "App\\Missing(code: 0): no cart at /app/Cart.php:12)" into type, message and position. */
static void split_logged(struct fm_document *doc, framemap_trace *trace)
{
    const framemap_str text = trace->exception, end = FM_STR("): ");
    const size_t code = fm_str_find(text, code_mark), rest = fm_str_find(text, end);
    if (code == FM_NOT_FOUND || rest == FM_NOT_FOUND || rest < code) return;
    const framemap_str message = fm_str_from(text, rest + end.size);
    trace->exception_type = unescaped(doc, fm_str(text.data, code));
    trace->exception_message = fm_str_slice(message, 0, fm_str_find_last(message, FM_STR(" at ")));
}

/* --- reading a stack on one line --- */

/* Returns the size of the row at the start of the text. The row ends before the number of the next row (before " #2 ",
 * if `next` is 2), or before " thrown in ". */
static size_t row_end(framemap_str text, int64_t next)
{
    const size_t thrown = fm_str_find(text, FM_STR(" thrown in "));
    int64_t number;
    for (size_t at = 0, found; (found = fm_str_find(fm_str_from(text, at), FM_STR(" #"))) != FM_NOT_FOUND;) {
        at += found + 2;
        struct fm_scan s = fm_scan_of(fm_str_from(text, at));
        if (fm_row_index(&s, &number) && number == next && fm_scan_byte(&s, ' ')) return at - 2;
    }
    return thrown == FM_NOT_FOUND ? text.size : thrown;
}

/* Adds all rows of a stack on one line: "Uncaught A: b in /a.php:1 Stack trace: #0 /b.php(2): f() #1 {main} thrown
 * in …". */
static bool offer_page(struct fm_other_stack *state, struct fm_document *doc, const struct fm_line *line)
{
    static const framemap_str mark = FM_STR_INIT(" Stack trace: #0 ");
    const size_t at = fm_str_find(line->body, mark);
    if (at == FM_NOT_FOUND) return false;
    framemap_str rest = fm_str_from(line->body, at + mark.size - 3), exception;
    framemap_trace *trace = NULL;
    const framemap_frame none = FM_FRAME_INIT;
    struct fm_other_line row = {.frame = none};
    for (int64_t next = 1; rest.size; next++) {
        const size_t end = row_end(rest, next);
        row.frame = none;
        const enum fm_other_kind kind = php_parse(fm_str_trim(fm_str(rest.data, end)), &row);
        if (kind == FM_OTHER_NONE || row.frame.index != next - 1) break;
        if (trace == NULL) {
            trace = fm_document_trace(doc, name, line);
            if (trace == NULL) return true;
            if (php_find_exception(fm_str(line->body.data, at), &exception)) fm_other_exception(trace, exception);
        }
        framemap_frame *frame = fm_other_frame(doc, line);
        if (frame == NULL) return true;
        frame->index = row.frame.index;
        frame->function = row.frame.function;
        frame->class_name = row.frame.class_name;
        frame->file = row.frame.file;
        frame->line = row.frame.line;
        frame->is_native = row.frame.is_native;
        fm_other_narrow(frame, fm_str_trim(fm_str(rest.data, end)));
        rest = fm_str_trim(fm_str_from(rest, end));
    }
    state->number1 = 0;
    state->has_trace = false;
    return trace != NULL;
}

static enum fm_line_role php_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    if (offer_page(memory, doc, line)) return FM_ROLE_FRAME;
    const enum fm_line_role role = fm_other_stack_offer(&rules, memory, doc, line);
    if (role != FM_ROLE_FRAME) return role;
    link_next(doc, line);
    framemap_trace *trace = fm_document_open(doc, name);
    if (trace && trace->frame_count == 1) split_old(trace);
    if (trace && trace->frame_count == 1) split_logged(doc, trace);
    framemap_frame *frame = trace ? fm_other_last(trace) : NULL;
    if (frame) {
        frame->class_name = unescaped(doc, frame->class_name);
        frame->function = unescaped(doc, frame->function);
    }
    /* Xdebug's numbers start at 1, and its first frame is the outermost. */
    if (trace && trace->frame_count == 1 && trace->frames[0].index == 1) trace->outermost_first = true;
    return role;
}

static bool php_is_significant(const struct fm_line *line)
{
    return fm_str_find(line->body, FM_STR(" Stack trace: #0 ")) != FM_NOT_FOUND ||
           fm_other_stack_is_significant(&rules, line);
}

static const struct fm_needle php_needles[] = {FM_NEEDLE("tack trace:", 7, 10), FM_NEEDLE("[stacktrace]", 0, 1)};

const struct fm_format fm_php = {.info = {name, "stacks of PHP", true, false},
                                 FM_NEEDLES(php_needles),
                                 .marks = FM_MARK_WORD | FM_MARK_NUMBER,
                                 .state_size = sizeof(struct fm_other_stack),
                                 .offer = php_offer,
                                 .is_significant = php_is_significant,
                                 .keeps_state = true};
