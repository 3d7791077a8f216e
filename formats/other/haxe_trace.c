/* Stacks of Haxe's programs:
 *
 *     Uncaught exception: Null access
 *     Called from shop.Cart.add (shop/Cart.hx line 12)
 *     Called from shop.Cart.<anonymous function> (shop/Cart.hx line 13 column 5)
 *     Called from a C function                          in a stack
 *     shop/Cart.hx (line 12)                            the windows of games that are made with Flixel
 *
 * A row with a file of Haxe is accepted alone. The innermost frame is first. */
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "haxe";

/* Parses "shop/Cart.hx line 12" or "shop/Cart.hx line 12 column 5". */
static bool read_words(framemap_str text, framemap_frame *frame)
{
    static const framemap_str mark = FM_STR_INIT(".hx line ");
    const size_t at = fm_str_find(text, mark);
    if (at == FM_NOT_FOUND || at == 0) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    uint64_t line1, column = 0;
    if (!fm_scan_dec(&s, &line1, NULL) || line1 > UINT32_MAX) return false;
    if (fm_scan_text(&s, FM_STR(" column ")) && (!fm_scan_dec(&s, &column, NULL) || column > UINT32_MAX)) return false;
    frame->file = fm_str(text.data, at + 3);
    frame->line = (uint32_t)line1;
    frame->column = (uint32_t)column;
    return fm_scan_done(&s);
}

/* Parses a row of a window, "shop/Cart.hx (line 12)". */
static bool read_window_row(framemap_str text, framemap_frame *frame)
{
    static const framemap_str mark = FM_STR_INIT(".hx (line ");
    const size_t at = fm_str_find(text, mark);
    if (at == FM_NOT_FOUND || at == 0 || fm_str_find_byte(fm_str(text.data, at), ' ') != FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    uint64_t line1;
    frame->file = fm_str(text.data, at + 3);
    if (!fm_scan_dec(&s, &line1, NULL) || line1 > UINT32_MAX || !fm_scan_byte(&s, ')') || !fm_scan_done(&s))
        return false;
    frame->line = (uint32_t)line1;
    return true;
}

static enum fm_other_kind haxe_parse(framemap_str text, struct fm_other_line *out)
{
    static const framemap_str called = FM_STR_INIT("Called from ");
    framemap_str group;
    if (!fm_str_starts(text, called)) return read_window_row(text, &out->frame) ? FM_OTHER_SURE : FM_OTHER_NONE;
    framemap_str rest = fm_str_from(text, called.size);
    if (read_words(rest, &out->frame) && fm_str_find_byte(out->frame.file, '(') == FM_NOT_FOUND) return FM_OTHER_SURE;
    if (fm_row_group(&rest, &group)) {
        out->frame.function = rest;
        return read_words(group, &out->frame) ? FM_OTHER_SURE : FM_OTHER_NONE;
    }
    out->frame = (framemap_frame){.index = -1, .function = rest, .is_native = true};
    return fm_str_equal(rest, FM_STR("a C function")) ? FM_OTHER_ROW : FM_OTHER_NONE;
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

static enum fm_line_role haxe_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    static const framemap_str mark = FM_STR_INIT("Uncaught exception ");
    const enum fm_line_role role = fm_other_stack_offer(&rules, memory, doc, line);
    framemap_trace *trace = role == FM_ROLE_FRAME ? fm_document_open(doc, name) : NULL;
    if (trace == NULL || trace->frame_count != 1 || !fm_str_starts(trace->exception, mark)) return role;
    trace->exception_type = fm_str(mark.data, mark.size - 1);
    trace->exception_message = fm_str_from(trace->exception, mark.size);
    return role;
}
static bool haxe_is_significant(const struct fm_line *line) { return fm_other_stack_is_significant(&rules, line); }

static const struct fm_needle haxe_needles[] = {FM_NEEDLE(".hx line ", 1, 0), FM_NEEDLE(".hx (line ", 1, 0)};

const struct fm_format fm_haxe = {.info = {name, "stacks of Haxe", true, false},
                                  FM_NEEDLES(haxe_needles),
                                  .marks = FM_MARK_WORD,
                                  .state_size = sizeof(struct fm_other_stack),
                                  .offer = haxe_offer,
                                  .is_significant = haxe_is_significant,
                                  .keeps_state = true};
