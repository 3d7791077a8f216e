/* Stacks of Elixir and of Erlang's shell:
 *
 *     ** (RuntimeError) no cart                      ** exception error: bad argument
 *         (shop 0.1.0) lib/cart.ex:12: Cart.load/1        in function  lists:foo/1 (lists.erl, line 3)
 *         lib/shop.ex:3: anonymous fn/2 in Shop.run/0     in call from shop:run/0 (shop.erl, line 12)
 *
 * The innermost frame is first. */
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "beam";

static bool is_source(framemap_str file)
{
    return fm_str_ends(file, FM_STR(".ex")) || fm_str_ends(file, FM_STR(".exs")) || fm_str_ends(file, FM_STR(".erl")) ||
           fm_str_ends(file, FM_STR(".eex")) || fm_str_ends(file, FM_STR(".heex"));
}

/* "(APP 0.1.0) FILE:12: FUNCTION", "FILE:12: FUNCTION", "(APP 0.1.0) FUNCTION" */
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
        frame->function = text;
        const size_t slash = fm_str_find_last_byte(text, '/');
        return has_app && slash != FM_NOT_FOUND && slash + 1 < text.size && fm_is_digit(text.data[slash + 1])
                   ? FM_OTHER_ROW
                   : FM_OTHER_NONE;
    }
    frame->function = fm_str_from(text, colon + 2);
    const size_t slash = fm_str_find_byte(frame->function, '/');
    const bool has_arity =
        slash != FM_NOT_FOUND && slash + 1 < frame->function.size && fm_is_digit(frame->function.data[slash + 1]);
    if (has_arity && is_source(frame->file)) return FM_OTHER_SURE;
    return has_arity || fm_str_starts(frame->function, FM_STR("(")) ? FM_OTHER_ROW : FM_OTHER_NONE;
}

/* "in function  MODULE:NAME/1 (FILE, line 3)", "in call from ..." */
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

/* "** (RuntimeError) no cart", "** exception error: bad argument" */
static bool parse_title(framemap_str text, framemap_str *exception)
{
    if (!fm_str_starts(text, FM_STR("** "))) return false;
    *exception = fm_str_from(text, 3);
    return exception->data[0] == '(' ? fm_str_find(*exception, FM_STR(") ")) != FM_NOT_FOUND
                                     : fm_str_starts(*exception, FM_STR("exception "));
}

static enum fm_other_kind beam_parse(framemap_str text, struct fm_other_line *out)
{
    if (text.size < 4) return FM_OTHER_NONE;
    if (parse_title(text, &out->exception)) return FM_OTHER_TITLE;
    const enum fm_other_kind kind = parse_erlang(text, &out->frame);
    return kind == FM_OTHER_NONE ? parse_elixir(text, &out->frame) : kind;
}

static const struct fm_other_rules rules = {.name = name, .parse = beam_parse};

/* "(RuntimeError) no cart": the type is in the parentheses. */
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
    const enum fm_line_role role = fm_other_stack_offer(&rules, memory, doc, line);
    framemap_trace *trace = role == FM_ROLE_FRAME ? fm_document_open(doc, name) : NULL;
    if (trace && trace->frame_count == 1) name_type(trace);
    return role;
}

static bool beam_is_significant(const struct fm_line *line) { return fm_other_stack_is_significant(&rules, line); }

static const struct fm_needle beam_needles[] = {FM_NEEDLE("** (", 1, 5),   FM_NEEDLE("** exception ", 1, 12),
                                                FM_NEEDLE(".ex:", 1, 6),   FM_NEEDLE(".exs:", 2, 7),
                                                FM_NEEDLE(".eex:", 0, 12), FM_NEEDLE(".heex:", 0, 12),
                                                FM_NEEDLE(".erl:", 2, 1),  FM_NEEDLE(".erl, line ", 3, 0)};

const struct fm_format fm_beam = {.info = {name, "stacks of Elixir and Erlang", true, false},
                                  FM_NEEDLES(beam_needles),
                                  .marks = FM_MARK_WORD,
                                  .state_size = sizeof(struct fm_other_stack),
                                  .offer = beam_offer,
                                  .is_significant = beam_is_significant,
                                  .keeps_state = true};
