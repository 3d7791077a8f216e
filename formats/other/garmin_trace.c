/* The log of crashes that Garmin's watches write for apps of Connect IQ (CIQ_LOG):
 *
 *     Error: Unhandled Exception
 *     Time: 2018-10-16T19:38:28Z
 *     …
 *     Message: 'UnexpectedTypeException: Expected Number, given null'
 *     Stack:
 *       - pc: 0x1000276c
 *         File: '/home/me/source/Cart.mc'
 *         Line: 55
 *         Function: onTap
 *       - onUpdate() at C:\src\source\View.mc:12 0x10000a2b      the simulator
 *
 * Rows are accepted below "Stack:". The address counts in the code of the app, whose symbols are not read. The
 * innermost frame is first. */
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "garmin";

/* Returns the value of a line "KEY: VALUE", without quotes around it; absent for other lines. */
static framemap_str garmin_value_of(framemap_str text, framemap_str key)
{
    if (!fm_str_starts(text, key)) return fm_str(NULL, 0);
    framemap_str value = fm_str_trim(fm_str_from(text, key.size));
    const bool quoted = value.size >= 2 && (value.data[0] == '\'' || value.data[0] == '"');
    if (quoted && value.data[value.size - 1] == value.data[0]) value = fm_str_slice(value, 1, value.size - 1);
    return value;
}

static void set_pc(framemap_frame *frame, uint64_t address)
{
    frame->has_address = true;
    frame->address = address;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
}

/* Parses "- pc: 0x1000276c" or "- onUpdate() at C:\src\View.mc:12 0x10000a2b". */
static enum fm_other_kind garmin_parse(framemap_str text, struct fm_other_line *out)
{
    static const framemap_str mark = FM_STR_INIT("() at ");
    struct fm_scan s = fm_scan_of(text);
    uint64_t address;
    uint32_t column;
    if (fm_str_equal(text, FM_STR("Stack:"))) return FM_OTHER_TITLE;
    if (!fm_scan_text(&s, FM_STR("- "))) return FM_OTHER_NONE;
    if (fm_scan_text(&s, FM_STR("pc: "))) {
        if (fm_row_0xhex(&s, &address) != FM_DIGITS_FIT || !fm_scan_done(&s)) return FM_OTHER_NONE;
        set_pc(&out->frame, address);
        return FM_OTHER_ROW;
    }
    const framemap_str rest = fm_scan_rest(&s);
    const size_t at = fm_str_find(rest, mark), blank = fm_str_find_last_byte(rest, ' ');
    if (at == FM_NOT_FOUND || blank < at + mark.size) return FM_OTHER_NONE;
    struct fm_scan t = fm_scan_of(fm_str_from(rest, blank + 1));
    if (fm_row_0xhex(&t, &address) != FM_DIGITS_FIT || !fm_scan_done(&t)) return FM_OTHER_NONE;
    set_pc(&out->frame, address);
    out->frame.function = fm_str(rest.data, at);
    return fm_row_location(fm_str_slice(rest, at + mark.size, blank), &out->frame.file, &out->frame.line, &column)
               ? FM_OTHER_ROW
               : FM_OTHER_NONE;
}

static const struct fm_other_rules rules = {.name = name, .parse = garmin_parse};

/* Sets the exception from the lines "Error: …" and "Details: …" or "Message: …" above a stack. floor: the search ends
 * at this offset. */
static void read_header(struct fm_document *doc, const struct fm_line *line, uint64_t floor, framemap_trace *trace)
{
    struct fm_look_back back = fm_look_back_from(doc, line, floor, FM_LOOK_BACK_MOST);
    for (struct fm_line *before; (before = fm_look_back_next(&back)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        const framemap_str text = fm_str_trim(before->body), error = garmin_value_of(text, FM_STR("Error: ")),
                           details = garmin_value_of(text, FM_STR("Details: ")),
                           message = garmin_value_of(text, FM_STR("Message: "));
        if (details.size) trace->exception_message = details;
        if (message.size) trace->exception_message = message;
        if (error.size == 0) continue;
        trace->exception = text;
        trace->exception_type = error;
        return;
    }
}

/* Sets a part of the last frame that is on a line of its own. */
static bool read_part(framemap_frame *frame, framemap_str text)
{
    const framemap_str file = garmin_value_of(text, FM_STR("File: ")),
                       function = garmin_value_of(text, FM_STR("Function: ")),
                       number = garmin_value_of(text, FM_STR("Line: "));
    struct fm_scan s = fm_scan_of(number);
    uint32_t line1;
    if (file.size) frame->file = file;
    if (function.size) frame->function = function;
    if (file.size || function.size) return true;
    if (!fm_scan_dec32(&s, &line1) || !fm_scan_done(&s)) return false;
    frame->line = line1;
    return true;
}

static enum fm_line_role garmin_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_other_stack *state = memory;
    framemap_trace *trace = state->has_trace ? fm_document_open(doc, name) : NULL;
    if (trace && line->number1 == state->number1 + 1 && read_part(fm_other_last(trace), fm_str_trim(line->body))) {
        fm_other_continue(doc, fm_other_last(trace), line);
        state->number1 = line->number1;
        return FM_ROLE_FRAME;
    }
    const uint64_t floor = fm_document_last_end(doc);
    const enum fm_line_role role = fm_other_stack_offer(&rules, state, doc, line);
    trace = role == FM_ROLE_FRAME ? fm_document_open(doc, name) : NULL;
    if (trace && trace->frame_count == 1) read_header(doc, line, floor, trace);
    return role;
}
static bool garmin_is_significant(const struct fm_line *line)
{
    return fm_str_equal(fm_str_trim(line->body), FM_STR("Stack:"));
}

static const struct fm_needle garmin_needles[] = {FM_NEEDLE("Stack:", 0, 1)};

const struct fm_format fm_garmin = {.info = {name, "crashes of apps on Garmin's watches", true, false},
                                    FM_NEEDLES(garmin_needles),
                                    .marks = FM_MARK_WORD,
                                    .firsts = "S",
                                    .state_size = sizeof(struct fm_other_stack),
                                    .offer = garmin_offer,
                                    .is_significant = garmin_is_significant,
                                    .keeps_state = true};
