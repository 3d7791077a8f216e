/* Call stacks of GHC's programs:
 *
 *     app: no cart
 *     CallStack (from HasCallStack):
 *       error, called at src/Cart.hs:12:5 in shop-0.1-inplace:Shop.Cart
 *
 * The innermost frame is first. The position in a row is where the function was called. */
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "haskell";

static enum fm_other_kind haskell_parse(framemap_str text, struct fm_other_line *out)
{
    static const framemap_str called = FM_STR_INIT(", called at ");
    if (fm_str_starts(text, FM_STR("CallStack (from "))) return FM_OTHER_TITLE;
    const size_t at = fm_str_find(text, called);
    if (at == FM_NOT_FOUND || at == 0) return FM_OTHER_NONE;
    framemap_str place = fm_str_from(text, at + called.size);
    const size_t in = fm_str_find(place, FM_STR(" in "));
    if (in == FM_NOT_FOUND) return FM_OTHER_NONE;
    out->frame.function = fm_str(text.data, at);
    out->frame.module = fm_str_from(place, in + 4);
    place.size = in;
    return fm_row_location(place, &out->frame.file, &out->frame.line, &out->frame.column) ? FM_OTHER_SURE
                                                                                          : FM_OTHER_NONE;
}

static const struct fm_other_rules rules = {.name = name, .parse = haskell_parse};

static enum fm_line_role haskell_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    return fm_other_stack_offer(&rules, memory, doc, line);
}
static bool haskell_is_significant(const struct fm_line *line) { return fm_other_stack_is_significant(&rules, line); }

static const struct fm_needle haskell_needles[] = {FM_NEEDLE("CallStack (from ", 0, 15),
                                                   FM_NEEDLE(", called at ", 0, 13)};

const struct fm_format fm_haskell = {.info = {name, "call stacks of Haskell (GHC)", true, false},
                                     FM_NEEDLES(haskell_needles),
                                     .marks = FM_MARK_WORD,
                                     .state_size = sizeof(struct fm_other_stack),
                                     .offer = haskell_offer,
                                     .is_significant = haskell_is_significant,
                                     .keeps_state = true};
