/* Stacks of Elixir and of Erlang's shell:
 *
 *     ** (RuntimeError) no cart                      ** exception error: bad argument
 *         (shop 0.1.0) lib/cart.ex:12: Cart.load/1        in function  lists:foo/1 (lists.erl, line 3)
 *         lib/shop.ex:3: anonymous fn/2 in Shop.run/0     in call from shop:run/0 (shop.erl, line 12)
 *         lib/cart.ex:12: Cart.load(:a, [1])              with arguments for which the function has no clause
 *
 *       exception exit: gone                              reports of crashes
 *         in function  cart:load/1 (src/cart.erl, line 3)
 *
 *     ** {badarg,                                         terms, in reports of servers
 *            [{cart,load,1,[{file,"src/cart.erl"},{line,3}]},
 *             {gen_server,try_handle_call,4,
 *                 [{file,"gen_server.erl"},{line,629}]}]}
 *
 * The innermost frame is first. A line may have several terms. */
#include "core/text/scan.h"
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "beam";

static bool is_source(framemap_str file)
{
    return fm_str_ends(file, FM_STR(".ex")) || fm_str_ends(file, FM_STR(".exs")) || fm_str_ends(file, FM_STR(".erl")) ||
           fm_str_ends(file, FM_STR(".eex")) || fm_str_ends(file, FM_STR(".heex"));
}

/* Returns the function of a call: "Cart.load" for "Cart.load(:a, [1])". The end of the arguments may be cut off. Absent
 * if the text is not a call. */
static framemap_str called(framemap_str text)
{
    const size_t open = fm_str_find_byte(text, '(');
    const framemap_str callee = fm_str_slice(text, 0, open);
    const bool named = open != FM_NOT_FOUND && fm_str_find_byte(callee, '.') != FM_NOT_FOUND &&
                       (fm_str_ends(text, FM_STR(")")) || fm_row_depth(text) > 0);
    return named && fm_other_is_name(callee, ".:!?") ? callee : fm_str(NULL, 0);
}

/* Parses "(APP 0.1.0) FILE:12: FUNCTION", "FILE:12: FUNCTION", "(APP 0.1.0) FUNCTION". */
static enum fm_other_kind parse_elixir(framemap_str text, framemap_frame *frame)
{
    uint32_t column = 0;
    const bool has_app = text.size != 0 && text.data[0] == '(';
    if (has_app) {
        const size_t close = fm_str_find(text, FM_STR(") "));
        if (close == FM_NOT_FOUND || close < 2) return FM_OTHER_NONE;
        const framemap_str app = fm_str_slice(text, 1, close);
        frame->module = fm_str_slice(app, 0, fm_str_find_byte(app, ' '));
        if (!fm_other_is_name(frame->module, "-")) return FM_OTHER_NONE;
        text = fm_str_from(text, close + 2);
    }
    const size_t colon = fm_str_find(text, FM_STR(": "));
    if (colon == FM_NOT_FOUND || !fm_row_location(fm_str(text.data, colon), &frame->file, &frame->line, &column)) {
        const framemap_str callee = called(text);
        frame->function = callee.size ? callee : text;
        const size_t slash = fm_str_find_last_byte(text, '/');
        if (has_app && callee.size) return FM_OTHER_ROW;
        return has_app && slash != FM_NOT_FOUND && slash + 1 < text.size && fm_is_digit(text.data[slash + 1])
                   ? FM_OTHER_ROW
                   : FM_OTHER_NONE;
    }
    frame->function = fm_str_from(text, colon + 2);
    const framemap_str callee = is_source(frame->file) ? called(frame->function) : fm_str(NULL, 0);
    if (callee.size) {
        frame->function = callee;
        return FM_OTHER_SURE;
    }
    /* for an anonymous function, the text is "anonymous fn(:a, [1]) in Cart.load/2" */
    const bool anonymous = fm_str_starts(frame->function, FM_STR("anonymous fn("));
    if (anonymous && is_source(frame->file)) return FM_OTHER_SURE;
    const size_t slash = fm_str_find_byte(frame->function, '/');
    const bool has_arity =
        slash != FM_NOT_FOUND && slash + 1 < frame->function.size && fm_is_digit(frame->function.data[slash + 1]);
    if (has_arity && is_source(frame->file)) return FM_OTHER_SURE;
    return has_arity || fm_str_starts(frame->function, FM_STR("(")) ? FM_OTHER_ROW : FM_OTHER_NONE;
}

/* Parses "in function  MODULE:NAME/1 (FILE, line 3)", "in call from ...". */
static enum fm_other_kind parse_erlang(framemap_str text, framemap_frame *frame)
{
    static const framemap_str called = FM_STR_INIT("in call from "), first = FM_STR_INIT("in function ");
    framemap_str group;
    if (fm_str_starts(text, called))
        text = fm_str_from(text, called.size);
    else if (fm_str_starts(text, first))
        text = fm_str_from(text, first.size);
    else
        return FM_OTHER_NONE;
    text = fm_str_trim(text);
    if (!fm_row_group(&text, &group)) {
        frame->function = text;
        return fm_str_find_byte(text, '/') != FM_NOT_FOUND ? FM_OTHER_ROW : FM_OTHER_NONE;
    }
    const size_t comma = fm_str_find(group, FM_STR(", line "));
    frame->function = text;
    if (comma == FM_NOT_FOUND) return FM_OTHER_ROW;
    frame->file = fm_str(group.data, comma);
    frame->line = (uint32_t)(fm_other_number(fm_str_from(group, comma)) & UINT32_MAX);
    return is_source(frame->file) ? FM_OTHER_SURE : FM_OTHER_ROW;
}

/* Parses "** (RuntimeError) no cart", "** exception error: bad argument". */
static bool parse_title(framemap_str text, framemap_str *exception)
{
    if (!fm_str_starts(text, FM_STR("** "))) return false;
    *exception = fm_str_from(text, 3);
    return exception->data[0] == '(' ? fm_str_find(*exception, FM_STR(") ")) != FM_NOT_FOUND
                                     : fm_str_starts(*exception, FM_STR("exception "));
}

/* Finds the exception in a report of a crash: "gone" in "exception exit: gone". */
static bool find_reported(framemap_str text, framemap_str *exception)
{
    static const framemap_str starts[] = {FM_STR_INIT("exception error: "), FM_STR_INIT("exception exit: "),
                                          FM_STR_INIT("exception throw: ")};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (!fm_str_starts(text, starts[i])) continue;
        *exception = text;
        return true;
    }
    return false;
}

/* --- terms --- */

static const framemap_str file_mark = FM_STR_INIT("[{file,\""), line_mark = FM_STR_INIT("\"},{line,");

/* Moves over an atom: "load", "'Elixir.Cart'". */
static bool scan_atom(struct fm_scan *s, framemap_str *out)
{
    if (fm_scan_byte(s, '\'')) return fm_scan_until(s, '\'', out) && fm_scan_byte(s, '\'') && out->size;
    const char *from = s->at;
    while (s->at != s->end && (fm_is_digit(*s->at) || (*s->at >= 'a' && *s->at <= 'z') ||
                               (*s->at >= 'A' && *s->at <= 'Z') || strchr("_@-/", *s->at)))
        s->at++;
    *out = fm_str(from, (size_t)(s->at - from));
    return out->size && *from >= 'a' && *from <= 'z';
}

/* Maximum number of bytes of a list of arguments. Without this limit, a long list would be searched again for each
 * term. */
#define ARGUMENTS_MOST 512

/* Moves over a list of arguments, with the lists and strings in it. */
static bool skip_list(struct fm_scan *s)
{
    const char *const end = s->end - s->at > ARGUMENTS_MOST ? s->at + ARGUMENTS_MOST : s->end;
    size_t depth = 0;
    bool string = false;
    for (; s->at != end; s->at++) {
        const char c = *s->at;
        if (c == '"') string = !string;
        if (string) continue;
        if (c == '[') depth++;
        if (c == ']' && --depth == 0) {
            s->at++;
            return true;
        }
    }
    return false;
}

/* Parses "{cart,load,1," or "{cart,load,[a,1],". The frame's function is "load/1", or "load" followed by the
 * arguments. Moves on success. */
static bool scan_callee(struct fm_scan *s, framemap_frame *frame)
{
    struct fm_scan t = *s;
    uint64_t arity;
    framemap_str module, function;
    if (!fm_scan_byte(&t, '{') || !scan_atom(&t, &module) || !fm_scan_byte(&t, ',') || !scan_atom(&t, &function) ||
        !fm_scan_byte(&t, ','))
        return false;
    if (t.at == t.end || !(*t.at == '[' ? skip_list(&t) : fm_scan_dec(&t, &arity, NULL)) || !fm_scan_byte(&t, ','))
        return false;
    frame->class_name = module;
    frame->function = function;
    *s = t;
    return true;
}

/* Parses "[{file,"src/cart.erl"},{line,3}]}". Moves on success. */
static bool scan_file(struct fm_scan *s, framemap_frame *frame)
{
    struct fm_scan t = *s;
    uint32_t line;
    if (!fm_scan_text(&t, file_mark) || !fm_scan_until(&t, '"', &frame->file) || !fm_scan_text(&t, line_mark) ||
        !fm_scan_dec32(&t, &line) || !fm_scan_text(&t, FM_STR("}]}")) || !is_source(frame->file))
        return false;
    frame->line = line;
    *s = t;
    return true;
}

/* Finds the next term of a line, and moves after it. *from: where the term begins. */
static bool next_term(struct fm_scan *s, framemap_frame *frame, const char **from)
{
    for (const char *at; (at = fm_find(s->at, (size_t)(s->end - s->at), '{')) != NULL; s->at = at + 1) {
        struct fm_scan t = {at, s->end};
        if (!scan_callee(&t, frame) || !scan_file(&t, frame)) continue;
        *from = at;
        s->at = t.at;
        return true;
    }
    return false;
}

/* Parses a term that was wrapped before this line: module and function are at the end of the line above. *head: the
 * text before them on that line. */
static bool wrapped_term(struct fm_document *doc, const struct fm_line *line, framemap_frame *frame, framemap_str *head)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(line->body));
    struct fm_look_back back = fm_look_back_from(doc, line, 0, 1);
    struct fm_line *above = fm_look_back_next(&back);
    if (above == NULL || !fm_line_cut(above) || !scan_file(&s, frame)) return false;
    const framemap_str text = fm_str_trim(above->body);
    const char *const end = text.data + text.size;
    for (const char *at = text.data; (at = fm_find(at, (size_t)(end - at), '{')) != NULL; at++) {
        struct fm_scan t = {at, end};
        if (!scan_callee(&t, frame) || t.at != end) continue;
        *head = fm_str(text.data, (size_t)(at - text.data));
        return true;
    }
    return false;
}

/* Sets the exception of a trace from the text before its first term, "{badarg,[" or "{{badmatch,x},[". */
static void set_reason(framemap_trace *trace, framemap_str head)
{
    if (fm_str_ends(head, FM_STR("["))) head.size--;
    head = fm_str_trim(head);
    if (!fm_str_ends(head, FM_STR(","))) return;
    head.size--;
    size_t at = head.size, depth = 0;
    while (at > 0) {
        const char c = head.data[at - 1];
        if (c == '}') depth++;
        if (c == '{' && depth-- <= 1) {
            at -= depth == 0;
            break;
        }
        at--;
    }
    const framemap_str reason = fm_str_from(head, at);
    struct fm_scan s = fm_scan_of(reason);
    fm_scan_byte(&s, '{');
    if (at == 0 || !scan_atom(&s, &trace->exception_type)) return;
    trace->exception = trace->exception_message = reason;
}

/* Returns the text before a list of terms that begins on a line of its own: the line that is `lines` lines above
 * `line`. Absent if there is no such line. */
static framemap_str before_list(struct fm_document *doc, const struct fm_line *line, unsigned lines)
{
    struct fm_look_back back = fm_look_back_from(doc, line, 0, lines);
    struct fm_line *above = NULL;
    while (lines-- > 0) above = fm_look_back_next(&back);
    return above && fm_line_cut(above) ? above->body : fm_str(NULL, 0);
}

/* Adds a frame for a term. text: the term as printed, empty if it is wrapped; head: the text before it. */
static bool add_term(struct fm_other_stack *state, struct fm_document *doc, const struct fm_line *line,
                     const framemap_frame *term, framemap_str head, framemap_str text)
{
    const bool wrapped = text.size == 0;
    const bool starts = fm_str_ends(head, FM_STR("["));
    const bool inside = state->has_trace && !starts && line->number1 - state->number1 <= FM_OTHER_GAP;
    if (!inside || !fm_document_open(doc, name)) {
        framemap_trace *trace = fm_document_trace(doc, name, line);
        if (trace == NULL) return false;
        set_reason(trace, fm_str_equal(head, FM_STR("[")) ? before_list(doc, line, wrapped ? 2 : 1) : head);
        state->has_trace = true;
    }
    state->number1 = line->number1;
    framemap_frame *frame = fm_other_frame(doc, line);
    if (frame == NULL) return false;
    frame->class_name = term->class_name;
    frame->function = term->function;
    frame->file = term->file;
    frame->line = term->line;
    if (!wrapped) fm_other_narrow(frame, text);
    return true;
}

/* Adds all terms of a line. */
static bool offer_terms(struct fm_other_stack *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(line->body));
    framemap_frame term = FM_FRAME_INIT;
    framemap_str head;
    const char *from, *before = s.at;
    bool any = false;
    if (fm_str_find(line->body, line_mark) == FM_NOT_FOUND) return false;
    if (wrapped_term(doc, line, &term, &head)) any = add_term(state, doc, line, &term, head, fm_str(NULL, 0));
    while (next_term(&s, &term, &from)) {
        any |= add_term(state, doc, line, &term, fm_str(before, (size_t)(from - before)),
                        fm_str(from, (size_t)(s.at - from)));
        before = s.at;
    }
    return any;
}

/* --- lines --- */

static enum fm_other_kind beam_parse(framemap_str text, struct fm_other_line *out)
{
    if (text.size < 4) return FM_OTHER_NONE;
    if (parse_title(text, &out->exception)) return FM_OTHER_TITLE;
    const enum fm_other_kind kind = parse_erlang(text, &out->frame);
    return kind == FM_OTHER_NONE ? parse_elixir(text, &out->frame) : kind;
}

static const struct fm_other_rules rules = {
    .name = name, .parse = beam_parse, .find_exception = find_reported, .above = 8};

/* Sets the type of an exception such as "(RuntimeError) no cart" from the parentheses. */
static void name_type(framemap_trace *trace)
{
    framemap_str text = trace->exception;
    const size_t close = text.size && text.data[0] == '(' ? fm_str_find(text, FM_STR(") ")) : FM_NOT_FOUND;
    if (close == FM_NOT_FOUND) return;
    trace->exception_type = fm_str_slice(text, 1, close);
    trace->exception_message = fm_str_from(text, close + 2);
}

static enum fm_line_role beam_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    if (offer_terms(memory, doc, line)) return FM_ROLE_FRAME;
    const enum fm_line_role role = fm_other_stack_offer(&rules, memory, doc, line);
    framemap_trace *trace = role == FM_ROLE_FRAME ? fm_document_open(doc, name) : NULL;
    if (trace && trace->frame_count == 1) name_type(trace);
    return role;
}

static bool beam_is_significant(const struct fm_line *line)
{
    return fm_str_find(line->body, line_mark) != FM_NOT_FOUND || fm_other_stack_is_significant(&rules, line);
}

static const struct fm_needle beam_needles[] = {
    FM_NEEDLE("** (", 0, 12),  FM_NEEDLE("** exception ", 1, 12), FM_NEEDLE(".ex:", 0, 15),
    FM_NEEDLE(".exs:", 1, 9),  FM_NEEDLE(".eex:", 1, 9),          FM_NEEDLE(".heex:", 0, 6),
    FM_NEEDLE(".erl:", 0, 15), FM_NEEDLE(".erl, line ", 0, 15),   FM_NEEDLE("\"},{line,", 0, 5)};

const struct fm_format fm_beam = {.info = {name, "stacks of Elixir and Erlang", true, false},
                                  FM_NEEDLES(beam_needles),
                                  .marks = FM_MARK_WORD,
                                  .state_size = sizeof(struct fm_other_stack),
                                  .offer = beam_offer,
                                  .is_significant = beam_is_significant,
                                  .keeps_state = true};
