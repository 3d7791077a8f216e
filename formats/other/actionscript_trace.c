/* Stacks of ActionScript 3 in Adobe AIR and Flash Player:
 *
 *     TypeError: Error #1009: Cannot access a property or method of a null object reference.
 *         at shop::Cart/add()[C:\src\shop\Cart.as:12]      with debug information
 *         at mx.core::UIComponent/set initialized()
 *         at flash.events::EventDispatcher/dispatchEvent()
 *         at MethodInfo-1448()
 *
 * A debugger prints "[Fault] exception, information=" before the type. A row with a file is accepted alone, other rows
 * below a title or another row. The innermost frame is first. */
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "actionscript";

/* Whether a text can be a function: "shop::Cart/add", "Cart$/set total", "Vector.<int>/push", "Function/<anonymous>".
 */
static bool is_function(framemap_str text)
{
    static const framemap_str words[] = {FM_STR_INIT("/get "), FM_STR_INIT("/set ")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t at = fm_str_find(text, words[i]);
        if (at == FM_NOT_FOUND) continue;
        return fm_other_is_name(fm_str(text.data, at), ".:<>*-") &&
               fm_other_is_name(fm_str_from(text, at + words[i].size), ".:-");
    }
    return fm_other_is_name(text, ".:/<>*-");
}

/* Splits "shop::Cart/add()[C:\src\Cart.as:12]". */
static bool cut_position(framemap_str *text, framemap_frame *frame)
{
    const size_t open = fm_str_ends(*text, FM_STR("]")) ? fm_str_find(*text, FM_STR("()[")) : FM_NOT_FOUND;
    uint32_t column;
    if (open == FM_NOT_FOUND) return false;
    if (!fm_row_location(fm_str_slice(*text, open + 3, text->size - 1), &frame->file, &frame->line, &column) ||
        frame->line == 0)
        return false;
    text->size = open + 2;
    return true;
}

/* Finds the error in "TypeError: Error #1009: …", whatever precedes the type. Numbers of errors have four digits. */
static bool find_numbered_error(framemap_str text, framemap_str *exception)
{
    static const framemap_str mark = FM_STR_INIT("Error: Error #");
    size_t start = fm_str_find(text, mark);
    struct fm_scan s = fm_scan_of(fm_str_from(text, start == FM_NOT_FOUND ? text.size : start + mark.size));
    uint64_t number;
    if (!fm_scan_dec(&s, &number, NULL) || number < 1000) return false;
    while (start > 0 && fm_other_is_name(fm_str(text.data + start - 1, 1), "")) start--;
    *exception = fm_str_from(text, start);
    return true;
}

static enum fm_other_kind actionscript_parse(framemap_str text, struct fm_other_line *out)
{
    static const framemap_str at = FM_STR_INIT("at ");
    if (find_numbered_error(text, &out->exception)) return FM_OTHER_TITLE;
    if (!fm_str_starts(text, at)) return FM_OTHER_NONE;
    framemap_str rest = fm_str_from(text, at.size);
    const bool placed = cut_position(&rest, &out->frame);
    if (!fm_str_ends(rest, FM_STR("()"))) return FM_OTHER_NONE;
    out->frame.function = fm_str(rest.data, rest.size - 2);
    if (!is_function(out->frame.function)) return FM_OTHER_NONE;
    return placed && (fm_str_ends(out->frame.file, FM_STR(".as")) || fm_str_ends(out->frame.file, FM_STR(".mxml")))
               ? FM_OTHER_SURE
               : FM_OTHER_ROW;
}

static const struct fm_other_rules rules = {
    .name = name, .parse = actionscript_parse, .find_exception = fm_other_find_exception, .above = 2};

static enum fm_line_role actionscript_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    return fm_other_stack_offer(&rules, memory, doc, line);
}
static bool actionscript_is_significant(const struct fm_line *line)
{
    return fm_other_stack_is_significant(&rules, line);
}

static const struct fm_needle actionscript_needles[] = {FM_NEEDLE("Error: Error #", 10, 9), FM_NEEDLE(".as:", 0, 3),
                                                        FM_NEEDLE(".mxml:", 2, 15)};

const struct fm_format fm_actionscript = {.info = {name, "stacks of ActionScript (Adobe AIR)", true, false},
                                          FM_NEEDLES(actionscript_needles),
                                          .marks = FM_MARK_WORD,
                                          .state_size = sizeof(struct fm_other_stack),
                                          .offer = actionscript_offer,
                                          .is_significant = actionscript_is_significant,
                                          .keeps_state = true};
