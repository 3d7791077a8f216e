/* Stacks of Haxe's programs:
 *
 *     Uncaught exception: Null access                   hxcpp, and exceptions that a program prints
 *     Called from shop.Cart.add (shop/Cart.hx line 12)
 *     Called from shop.Cart.<anonymous function> (shop/Cart.hx line 13 column 5)
 *
 *     Uncaught exception: Null access                   HashLink
 *     Called from shop.$Cart.add(shop/Cart.hx:12)
 *     Called from fun$335(?:1)                          in a stack
 *
 *     Called from Main.hx line 7                        Neko: the innermost frame is last
 *     Called from a C function                          in a stack
 *     Called from shop/Cart.hx line 12
 *     Uncaught exception - Invalid field access : hp
 *
 *     shop/Cart.hx (line 12)                            the windows of games that are made with Flixel
 *
 *     Uncaught Error: Null Object Reference
 *
 *     shop/Cart.hx:12: characters 3-8 : Uncaught exception Null access       the interpreter and macros
 *     Main.hx:7: characters 3-13 : Called from here
 *
 * A row with a file of Haxe is accepted alone. Except in Neko's stacks, the innermost frame is first. */
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "haxe";

static const framemap_str called_mark = FM_STR_INIT("Called from ");

/* Parses "shop/Cart.hx line 12" or "shop/Cart.hx line 12 column 5". */
static bool read_words(framemap_str text, framemap_frame *frame)
{
    static const framemap_str mark = FM_STR_INIT(".hx line ");
    const size_t at = fm_str_find(text, mark);
    if (at == FM_NOT_FOUND || at == 0) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    frame->file = fm_str(text.data, at + 3);
    return fm_scan_dec32(&s, &frame->line) &&
           (!fm_scan_text(&s, FM_STR(" column ")) || fm_scan_dec32(&s, &frame->column)) && fm_scan_done(&s);
}

/* Parses a row of a window, "shop/Cart.hx (line 12)". */
static bool read_window_row(framemap_str text, framemap_frame *frame)
{
    static const framemap_str mark = FM_STR_INIT(".hx (");
    const size_t at = fm_str_find(text, mark);
    if (at == FM_NOT_FOUND || at == 0 || fm_str_find_byte(fm_str(text.data, at), ' ') != FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    frame->file = fm_str(text.data, at + 3);
    return (fm_scan_text(&s, FM_STR("line ")) || fm_scan_text(&s, FM_STR("Line "))) &&
           fm_scan_dec32(&s, &frame->line) && fm_scan_byte(&s, ')') && fm_scan_done(&s);
}

/* Parses a row of HashLink without "Called from ": "shop.$Cart.add(shop/Cart.hx:12)", "fun$335(?:1)". */
static enum fm_other_kind read_hashlink_row(framemap_str text, framemap_frame *frame)
{
    const size_t open = fm_str_ends(text, FM_STR(")")) ? fm_str_find_byte(text, '(') : FM_NOT_FOUND;
    uint32_t column = 0;
    if (open == FM_NOT_FOUND || !fm_other_is_name(fm_str(text.data, open), ".<>~")) return FM_OTHER_NONE;
    frame->function = fm_str(text.data, open);
    if (fm_str_equal(fm_str_from(text, open), FM_STR("(?:1)"))) return FM_OTHER_ROW;
    return fm_row_location(fm_str_slice(text, open + 1, text.size - 1), &frame->file, &frame->line, &column) &&
                   frame->line != 0 && fm_str_ends(frame->file, FM_STR(".hx"))
               ? FM_OTHER_SURE
               : FM_OTHER_NONE;
}

/* Parses what follows "Called from " in a row. */
static enum fm_other_kind read_called(framemap_str text, framemap_frame *frame)
{
    framemap_str function = text, group;
    if (read_words(text, frame) && fm_str_find_byte(frame->file, '(') == FM_NOT_FOUND) return FM_OTHER_SURE;
    *frame = (framemap_frame){.index = -1};
    if (fm_row_group(&function, &group)) {
        frame->function = function;
        return read_words(group, frame) ? FM_OTHER_SURE : FM_OTHER_NONE;
    }
    if (!fm_str_equal(text, FM_STR("a C function"))) return read_hashlink_row(text, frame);
    frame->function = text;
    frame->is_native = true;
    return FM_OTHER_ROW;
}

/* Parses a row of the interpreter, "Main.hx:7: characters 3-13 : Called from here". The first row of a stack has the
 * exception: "Main.hx:7: characters 3-13 : Uncaught exception Null access". */
static enum fm_other_kind read_interpreted_row(framemap_str text, struct fm_other_line *out)
{
    static const framemap_str mark = FM_STR_INIT(": characters "), uncaught = FM_STR_INIT("Uncaught exception ");
    const size_t at = fm_str_find(text, mark);
    uint32_t column, last;
    if (at == FM_NOT_FOUND || !fm_row_location(fm_str(text.data, at), &out->frame.file, &out->frame.line, &column) ||
        out->frame.line == 0 || !fm_str_ends(out->frame.file, FM_STR(".hx")))
        return FM_OTHER_NONE;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    if (!fm_scan_dec32(&s, &out->frame.column) || !fm_scan_byte(&s, '-') || !fm_scan_dec32(&s, &last) ||
        !fm_scan_text(&s, FM_STR(" : ")))
        return FM_OTHER_NONE;
    const framemap_str rest = fm_scan_rest(&s);
    out->starts = fm_str_starts(rest, uncaught);
    if (out->starts) out->exception = rest;
    return out->starts || fm_str_equal(rest, FM_STR("Called from here")) ? FM_OTHER_SURE : FM_OTHER_NONE;
}

static enum fm_other_kind haxe_parse(framemap_str text, struct fm_other_line *out)
{
    if (fm_str_starts(text, called_mark)) return read_called(fm_str_from(text, called_mark.size), &out->frame);
    if (read_window_row(text, &out->frame)) return FM_OTHER_SURE;
    out->frame = (framemap_frame){.index = -1};
    return read_interpreted_row(text, out);
}

/* Returns the text after one of the forms in which an uncaught exception is printed; absent if the text begins with
 * none of them. */
static framemap_str uncaught_message(framemap_str text)
{
    static const framemap_str marks[] = {FM_STR_INIT("Uncaught exception: "), FM_STR_INIT("Uncaught exception - "),
                                         FM_STR_INIT("Uncaught exception "), FM_STR_INIT("Uncaught Error: ")};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (fm_str_starts(text, marks[i])) return fm_str_from(text, marks[i].size);
    return fm_str(NULL, 0);
}

/* Finds the exception in "Uncaught exception: Null access", "Uncaught exception Null access" or "Exception: Null
 * access". */
static bool haxe_find_exception(framemap_str text, framemap_str *exception)
{
    static const framemap_str marks[] = {FM_STR_INIT("Uncaught exception"), FM_STR_INIT("Exception: ")};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t at = fm_str_find(text, marks[i]);
        if (at == FM_NOT_FOUND) continue;
        *exception = fm_str_from(text, at);
        return true;
    }
    return false;
}

static const struct fm_other_rules rules = {
    .name = name, .parse = haxe_parse, .find_exception = haxe_find_exception, .above = 2};

/* Sets the exception of a trace. The text of an uncaught exception does not contain its type. */
static void set_uncaught(framemap_trace *trace, framemap_str text)
{
    const framemap_str message = uncaught_message(text);
    if (message.size == 0) return;
    trace->exception = text;
    trace->exception_type = fm_str(NULL, 0);
    trace->exception_message = message;
}

/* Reads the exception below a stack: directly below Neko's rows, or below the blank line that ends the rows of a
 * window. Returns whether the line is one. */
static bool read_exception_below(struct fm_other_stack *state, struct fm_document *doc, const struct fm_line *line,
                                 framemap_trace *trace)
{
    const framemap_str text = fm_str_trim(line->body);
    const uint64_t distance = line->number1 - state->number1;
    const bool neko = distance == 1 && fm_str_starts(text, FM_STR("Uncaught exception - "));
    if (trace->exception.size || distance > 2 || (!neko && !fm_str_starts(text, FM_STR("Uncaught Error: "))))
        return false;
    set_uncaught(trace, text);
    trace->outermost_first = neko;
    state->number1 = 0;
    fm_document_span(doc, line);
    return true;
}

static enum fm_line_role haxe_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_other_stack *state = memory;
    framemap_trace *trace = state->number1 && state->has_trace ? fm_document_open(doc, name) : NULL;
    if (trace && read_exception_below(state, doc, line, trace)) return FM_ROLE_CONTEXT;
    const enum fm_line_role role = fm_other_stack_offer(&rules, state, doc, line);
    trace = role == FM_ROLE_FRAME ? fm_document_open(doc, name) : NULL;
    if (trace && trace->frame_count == 1) set_uncaught(trace, trace->exception);
    return role;
}
static bool haxe_is_significant(const struct fm_line *line) { return fm_other_stack_is_significant(&rules, line); }

static const struct fm_needle haxe_needles[] = {FM_NEEDLE(".hx line ", 2, 15), FM_NEEDLE(".hx (", 1, 12),
                                                FM_NEEDLE(".hx:", 0, 6)};

const struct fm_format fm_haxe = {.info = {name, "stacks of Haxe", true, false},
                                  FM_NEEDLES(haxe_needles),
                                  .marks = FM_MARK_WORD,
                                  .state_size = sizeof(struct fm_other_stack),
                                  .offer = haxe_offer,
                                  .is_significant = haxe_is_significant,
                                  .keeps_state = true};
