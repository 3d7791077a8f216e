/* Stacks that DTrace aggregates with stack() and ustack():
 *
 *     CPU     ID                    FUNCTION:NAME
 *       8  35077                        :tick-60s
 *
 *                   libzip.dylib`ZIP_Read+0xd3
 *                   libc.so.1`_lwp_start
 *                   0x104e7945e
 *                     2
 *
 * The innermost frame is first, and the count follows the stack. A blank line within a stack separates its kernel
 * frames from its user frames. Rows without a distance, and bare addresses, are accepted only below the title or
 * another row. */
#include "formats/other/other_row.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "dtrace";
#define DTRACE_GAP 8 /* maximum number of lines from the title or a row to the next row */

struct dtrace_state {
    uint64_t number1; /* number of the line of the title, the last row or the last count; 0: no stack is open */
    bool has_trace;   /* rows of a stack were read, but its count was not */
};

struct dtrace_row {
    framemap_str module, function;
    bool has_offset, has_address;
    uint64_t offset, address;
    enum fm_digits digits;
};

/* Parses "MODULE`FUNCTION+0xOFFSET". */
static bool parse_symbol(framemap_str text, struct dtrace_row *row)
{
    const size_t tick = fm_str_find_byte(text, '`');
    if (tick == FM_NOT_FOUND || tick == 0 || tick + 1 == text.size) return false;
    row->module = fm_str(text.data, tick);
    row->function = fm_str_from(text, tick + 1);
    if (fm_str_find_byte(row->module, ' ') != FM_NOT_FOUND || row->function.data[0] == ' ') return false;
    const size_t plus = fm_str_find_last(row->function, FM_STR("+0x"));
    if (plus == FM_NOT_FOUND || plus == 0) return true;
    struct fm_scan s = fm_scan_of(fm_str_from(row->function, plus + 1));
    row->has_offset = fm_scan_0xhex(&s, &row->offset, NULL) && fm_scan_done(&s);
    if (row->has_offset) row->function.size = plus;
    return true;
}

static bool dtrace_parse_row(framemap_str body, struct dtrace_row *row)
{
    const framemap_str text = fm_str_trim(body);
    struct fm_scan s = fm_scan_of(text);
    *row = (struct dtrace_row){.offset = 0};
    row->digits = fm_row_0xhex(&s, &row->address);
    row->has_address = row->digits != FM_DIGITS_NONE;
    return row->has_address ? fm_scan_done(&s) : parse_symbol(text, row);
}

/* Whether the line is "MODULE`FUNCTION+0xOFFSET" after blanks. */
static bool is_sure(const struct fm_line *line, const struct dtrace_row *row)
{
    return row->has_offset && fm_is_blank(line->body.data[0]) && fm_str_find_byte(row->function, '`') == FM_NOT_FOUND;
}

static bool dtrace_is_title(framemap_str text)
{
    return fm_str_starts(text, FM_STR("CPU ")) && fm_str_ends(text, FM_STR("FUNCTION:NAME"));
}

static bool dtrace_is_significant(const struct fm_line *line)
{
    struct dtrace_row row;
    if (line->first == 'C' && dtrace_is_title(fm_str_trim(line->body))) return true;
    return dtrace_parse_row(line->body, &row) && is_sure(line, &row);
}

static void dtrace_add_row(struct dtrace_state *state, struct fm_document *doc, const struct fm_line *line,
                           const struct dtrace_row *row)
{
    if (!state->has_trace || fm_document_open(doc, name) == NULL) {
        if (fm_document_trace(doc, name, line) == NULL) return;
        state->has_trace = true;
    }
    framemap_frame *frame = fm_other_frame(doc, line);
    if (frame == NULL) return;
    frame->kind = FRAMEMAP_KIND_NATIVE;
    frame->module = row->module;
    frame->function = row->function;
    frame->has_function_offset = row->has_offset;
    frame->function_offset = row->offset;
    if (!row->has_address) return;
    frame->has_address = true;
    frame->address = row->address;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
    frame->why = FRAMEMAP_WHY_NO_IMAGE;
    frame->reason = "the row names no file";
    if (row->digits == FM_DIGITS_LONG) fm_row_malformed(frame, FM_LONG_ADDRESS);
}

/* If the line consists of a number, the number is the count of the stack, which ends here. */
static bool take_count(struct dtrace_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(line->body));
    uint64_t count = 0;
    framemap_trace *trace = fm_document_open(doc, name);
    if (!state->has_trace || trace == NULL || trace->frame_count == 0) return false;
    if (!fm_scan_dec(&s, &count, NULL) || !fm_scan_done(&s)) return false;
    framemap_frame_extra *extra = fm_document_extra(doc, &trace->frames[0]);
    if (extra) {
        extra->has_count = true;
        extra->count = count;
    }
    state->has_trace = false;
    state->number1 = line->number1;
    return true;
}

static enum fm_line_role dtrace_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct dtrace_state *state = memory;
    struct dtrace_row row;
    if (dtrace_is_title(fm_str_trim(line->body))) {
        *state = (struct dtrace_state){.number1 = line->number1};
        return FM_ROLE_CONTEXT;
    }
    const bool inside = state->number1 && line->number1 - state->number1 <= DTRACE_GAP;
    if (inside && take_count(state, doc, line)) return FM_ROLE_CONTEXT;
    if (!dtrace_parse_row(line->body, &row) || !(inside || is_sure(line, &row))) return FM_ROLE_NONE;
    if (!inside) state->has_trace = false;
    state->number1 = line->number1;
    dtrace_add_row(state, doc, line, &row);
    return FM_ROLE_FRAME;
}

static const struct fm_needle dtrace_needles[] = {FM_NEEDLE("FUNCTION:NAME", 3, 1)};

const struct fm_format fm_dtrace = {.info = {name, "stacks that DTrace counted (libc.so.1`read+0xa)", true, false},
                                    FM_NEEDLES(dtrace_needles),
                                    .marks = FM_MARK_WORD | FM_MARK_HEX,
                                    .state_size = sizeof(struct dtrace_state),
                                    .offer = dtrace_offer,
                                    .is_significant = dtrace_is_significant,
                                    .keeps_state = true};
