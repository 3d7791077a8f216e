/* What R's traceback() prints:
 *
 *     > f(1)
 *     Error in h(x) : no cart
 *     > traceback()
 *     4: stop("no cart") at cart.R#12
 *     3: h(x,
 *            y) at cart.R#7
 *     2: (function (x)
 *     1: f(1)
 *
 * The innermost call is first. Rows are accepted only below the command. */
#include "core/text/scan.h"
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "r";

/* Cuts " at cart.R#12" off the end of a row. For code that the user typed, R prints only "#12". */
static void cut_place(framemap_str *text, framemap_frame *frame)
{
    static const framemap_str mark = FM_STR_INIT(" at ");
    uint32_t line;
    const size_t at = fm_str_find_last(*text, mark);
    if (at == FM_NOT_FOUND) return;
    const framemap_str place = fm_str_from(*text, at + mark.size);
    const size_t hash = fm_str_find_last_byte(place, '#');
    if (hash == FM_NOT_FOUND) return;
    struct fm_scan s = fm_scan_of(fm_str_from(place, hash + 1));
    if (!fm_scan_dec32(&s, &line) || !fm_scan_done(&s)) return;
    frame->file = fm_str(place.data, hash);
    frame->line = line;
    text->size = at;
}

static enum fm_other_kind r_parse(framemap_str text, struct fm_other_line *out)
{
    struct fm_scan s = fm_scan_of(text);
    /* R's prompt "> " may have been cut off, because it looks like the mark of quoted lines */
    if (fm_str_equal(text, FM_STR("traceback()")) || fm_str_equal(text, FM_STR("> traceback()")) ||
        fm_str_equal(text, FM_STR("R> traceback()")))
        return FM_OTHER_TITLE;
    if (!fm_row_index(&s, &out->frame.index) || !fm_scan_text(&s, FM_STR(": "))) return FM_OTHER_NONE;
    framemap_str call = fm_scan_rest(&s);
    const size_t open = fm_str_find_byte(call, '(');
    if (open == FM_NOT_FOUND) return FM_OTHER_NONE;
    cut_place(&call, &out->frame);
    out->frame.function = open ? fm_str(call.data, open) : call;
    return FM_OTHER_ROW;
}

/* Finds the message in "Error in h(x) : no cart" or "Error: no cart". */
static bool r_find_exception(framemap_str text, framemap_str *exception)
{
    *exception = text;
    return fm_str_starts(text, FM_STR("Error in ")) || fm_str_starts(text, FM_STR("Error: "));
}

static const struct fm_other_rules rules = {
    .name = name, .parse = r_parse, .find_exception = r_find_exception, .above = 6};

static enum fm_line_role r_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    static const framemap_str in = FM_STR_INIT("Error in "), alone = FM_STR_INIT("Error: "), mark = FM_STR_INIT(" : ");
    const enum fm_line_role role = fm_other_stack_offer(&rules, memory, doc, line);
    framemap_trace *trace = role == FM_ROLE_FRAME ? fm_document_open(doc, name) : NULL;
    if (trace == NULL || trace->frame_count != 1 || trace->exception.size == 0) return role;
    const framemap_str text = trace->exception;
    const size_t at = fm_str_find(text, mark);
    trace->exception_type = fm_str(NULL, 0);
    trace->exception_message = text;
    if (fm_str_starts(text, alone)) trace->exception_message = fm_str_from(text, alone.size);
    if (fm_str_starts(text, in) && at != FM_NOT_FOUND) trace->exception_message = fm_str_from(text, at + mark.size);
    return role;
}

static bool r_is_significant(const struct fm_line *line) { return fm_other_stack_is_significant(&rules, line); }

static const struct fm_needle r_needles[] = {FM_NEEDLE("traceback()", 2, 10)};

const struct fm_format fm_r = {.info = {name, "what R's traceback() prints (1: f(x) at a.R#12)", true, false},
                               FM_NEEDLES(r_needles),
                               .marks = FM_MARK_WORD,
                               .state_size = sizeof(struct fm_other_stack),
                               .offer = r_offer,
                               .is_significant = r_is_significant,
                               .keeps_state = true};
