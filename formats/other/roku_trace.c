/* Stacks of BrightScript on Roku's devices:
 *
 *     Type Mismatch. Operator "+" can't be applied to "Integer" and "String". (runtime error &h18) in pkg:/a.brs(12)
 *     Backtrace:
 *     #1  Function add(n As Integer) As Integer
 *        file/line: pkg:/source/main.brs(12)
 *     #0  Function main(args As Object) As Void file/line: pkg:/source/main.brs:4
 *
 * The row with the highest number is the innermost frame and the first. */
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "roku";
static const framemap_str place_mark = FM_STR_INIT("file/line: ");

/* Parses "pkg:/source/main.brs(12)" or "pkg:/source/main.bs:12". */
static bool read_place(framemap_str text, framemap_frame *frame)
{
    uint32_t column, line1;
    if (!fm_str_ends(text, FM_STR(")"))) return fm_row_location(text, &frame->file, &frame->line, &column);
    const size_t open = fm_str_find_last_byte(text, '(');
    if (open == FM_NOT_FOUND || open == 0) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, open + 1));
    if (!fm_scan_dec32(&s, &line1)) return false;
    frame->file = fm_str(text.data, open);
    frame->line = line1;
    return true;
}

/* Parses "#1  Function add(n As Integer) As Integer"; the position may follow on the line. */
static enum fm_other_kind roku_parse(framemap_str text, struct fm_other_line *out)
{
    struct fm_scan s = fm_scan_of(text);
    if (fm_str_equal(text, FM_STR("Backtrace:"))) return FM_OTHER_TITLE;
    if (!fm_scan_byte(&s, '#') || !fm_row_index(&s, &out->frame.index) || !fm_scan_blanks1(&s) ||
        !fm_scan_text(&s, FM_STR("Function ")))
        return FM_OTHER_NONE;
    framemap_str rest = fm_scan_rest(&s);
    const size_t place = fm_str_find(rest, place_mark), open = fm_str_find_byte(rest, '(');
    if (place != FM_NOT_FOUND) {
        if (!read_place(fm_str_trim(fm_str_from(rest, place + place_mark.size)), &out->frame)) return FM_OTHER_NONE;
        rest = fm_str_trim(fm_str(rest.data, place));
    }
    const size_t type = fm_str_find(rest, FM_STR(") As "));
    if (open == FM_NOT_FOUND || type == FM_NOT_FOUND || type < open) return FM_OTHER_NONE;
    if (!fm_other_is_name(fm_str_from(rest, type + 5), "")) return FM_OTHER_NONE;
    out->frame.function = fm_str(rest.data, open);
    return fm_other_is_name(out->frame.function, ".") ? FM_OTHER_SURE : FM_OTHER_NONE;
}

/* Finds the error in "Type Mismatch. (runtime error &h18) in pkg:/source/main.brs(12)", or in a simulator's
 * "pkg:/source/main.brs(12,4-10): Type Mismatch.". */
static bool roku_find_exception(framemap_str text, framemap_str *exception)
{
    const size_t code = fm_str_find(text, FM_STR(" (runtime error &h")), end = fm_str_find(text, FM_STR("): "));
    if (code != FM_NOT_FOUND) {
        *exception = fm_str(text.data, code);
        return code > 0;
    }
    if (!fm_str_starts(text, FM_STR("pkg:/")) || end == FM_NOT_FOUND) return false;
    *exception = fm_str_from(text, end + 3);
    return true;
}

static const struct fm_other_rules rules = {
    .name = name, .parse = roku_parse, .find_exception = roku_find_exception, .above = 3};

static enum fm_line_role roku_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_other_stack *state = memory;
    const framemap_str text = fm_str_trim(line->body);
    framemap_trace *trace = fm_document_open(doc, name);
    framemap_frame *last = trace && line->number1 == state->number1 + 1 ? fm_other_last(trace) : NULL;
    if (last && last->file.size == 0 && fm_str_starts(text, place_mark) &&
        read_place(fm_str_trim(fm_str_from(text, place_mark.size)), last)) {
        fm_other_continue(doc, last, line);
        state->number1 = line->number1;
        return FM_ROLE_FRAME;
    }
    const enum fm_line_role role = fm_other_stack_offer(&rules, state, doc, line);
    trace = role == FM_ROLE_FRAME ? fm_document_open(doc, name) : NULL;
    if (trace == NULL || trace->frame_count != 1) return role;
    trace->exception_type = fm_str(NULL, 0);
    trace->exception_message = trace->exception;
    return role;
}
static bool roku_is_significant(const struct fm_line *line)
{
    struct fm_other_line row = {.frame = {.index = -1}};
    return roku_parse(fm_str_trim(line->body), &row) == FM_OTHER_SURE;
}

const struct fm_format fm_roku = {.info = {name, "stacks of BrightScript (Roku)", true, false},
                                  .marks = FM_MARK_NUMBER,
                                  .firsts = "#",
                                  .state_size = sizeof(struct fm_other_stack),
                                  .offer = roku_offer,
                                  .is_significant = roku_is_significant,
                                  .keeps_state = true};
