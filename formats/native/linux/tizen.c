/* The stack in a crash report of Tizen:
 *
 *     Crash Information
 *     Process Name: shop
 *     PID: 1234
 *     Executable File Path: /opt/usr/apps/org.shop/bin/shop
 *     Signal: 11
 *           (SIGSEGV)
 *     …
 *     Callstack Information (PID:1234)
 *     Call Stack Count: 4
 *      0: cart_add + 0x1a (0xb6f1a2b0) [/opt/usr/apps/org.shop/bin/shop] + 0x12b0
 *      1: (0xb6f1a2f0) [/opt/usr/apps/org.shop/bin/shop] + 0x12f0
 *      2: main + 0x1a (0x804a2b0) [/usr/bin/shop] + 0x804a2b0      a program that is linked at a fixed address
 *      3: ((nil)) (null)
 *     End of Call Stack
 *
 * The last number is the offset from the first byte of the image; it is the address itself, as linked, where both are
 * equal. All but the first address are return addresses. */
#include "formats/native/linux/stack_rows.h"
#include "formats/parsers.h"
#include "formats/row_writer.h"
#include "formats/signal_names.h"

static const char name[] = "tizen";

struct tizen_state {
    struct fm_stack_rows rows;
    /* what the last header names; pid: process id of the header, has_pid: it is set */
    framemap_str process;
    framemap_signal signal;
    uint64_t pid, header1; /* header1: number of the line "Crash Information"; 0: there was none */
    bool has_pid;
};

/* Parses the part of a row after its function, "(0xb6f1a2b0) [/lib/libc.so.6] + 0x1a2b0". */
static bool read_place(struct fm_scan s, struct fm_stack_row *row)
{
    if (!fm_scan_byte(&s, '(')) return false;
    const enum fm_digits address = fm_row_0xhex(&s, &row->address);
    if (address == FM_DIGITS_NONE || !fm_scan_text(&s, FM_STR(") ["))) return false;
    const framemap_str rest = fm_scan_rest(&s);
    const size_t close = fm_str_find_last(rest, FM_STR("] + 0x"));
    if (close == FM_NOT_FOUND || close == 0) return false;
    struct fm_scan t = fm_scan_of(fm_str_from(rest, close + 4));
    const enum fm_digits offset = fm_row_0xhex(&t, &row->module_offset);
    if (offset == FM_DIGITS_NONE || !fm_scan_done(&t)) return false;
    row->path = fm_str(rest.data, close);
    row->too_long = address == FM_DIGITS_LONG || offset == FM_DIGITS_LONG;
    row->has_address = row->has_module_offset = row->sure = true;
    row->from_begin = row->module_offset != row->address;
    return true;
}

/* Parses a row without an image, "((nil)) (null)" or "(0x1) (null)". */
static bool read_unmapped(struct fm_scan s, struct fm_stack_row *row)
{
    if (!fm_scan_byte(&s, '(')) return false;
    if (!fm_scan_text(&s, FM_STR("(nil)"))) {
        const enum fm_digits digits = fm_row_0xhex(&s, &row->address);
        if (digits == FM_DIGITS_NONE) return false;
        row->too_long = digits == FM_DIGITS_LONG;
    }
    row->has_address = true;
    return fm_scan_text(&s, FM_STR(") (null)")) && fm_scan_done(&s);
}

/* Parses "cart_add + 0x1a", or after restoring "cart_add at src/cart.c:7". */
static void tizen_read_function(framemap_str text, struct fm_stack_row *row)
{
    framemap_frame parts = FM_FRAME_INIT;
    row->has_function_offset = fm_row_distance(text, true, &row->function, &row->function_offset);
    if (row->has_function_offset) return;
    fm_row_function_at(text, &parts);
    fm_stack_row_take(row, &parts);
}

static bool tizen_parse_row(framemap_str text, struct fm_stack_row *row)
{
    struct fm_scan s = fm_scan_of(text);
    *row = (struct fm_stack_row){.index = -1};
    if (!fm_row_index(&s, &row->index) || !fm_scan_text(&s, FM_STR(": "))) return false;
    const framemap_str rest = fm_scan_rest(&s);
    if (read_place(s, row) || read_unmapped(s, row)) return true;
    const size_t open = fm_str_find_last(rest, FM_STR(" (0x"));
    if (open == FM_NOT_FOUND || open == 0) return false;
    struct fm_scan place = fm_scan_of(fm_str_from(rest, open + 1));
    tizen_read_function(fm_str(rest.data, open), row);
    return read_place(place, row);
}

/* Returns the text after a key; absent if the line does not begin with it. */
static framemap_str value_of(framemap_str text, framemap_str key)
{
    return fm_str_starts(text, key) ? fm_str_trim(fm_str_from(text, key.size)) : fm_str(NULL, 0);
}

/* Reads a line of the header below "Crash Information". */
static bool read_header(struct tizen_state *state, framemap_str text)
{
    const framemap_str process = value_of(text, FM_STR("Process Name:")), pid = value_of(text, FM_STR("PID:")),
                       signal = value_of(text, FM_STR("Signal:")), code = value_of(text, FM_STR("si_code:"));
    struct fm_scan s = fm_scan_of(process.data ? process : pid.data ? pid : signal.data ? signal : code);
    uint64_t number = 0;
    if (process.data) {
        state->process = process;
        return true;
    }
    if (fm_str_starts(text, FM_STR("(SIG")) && fm_str_ends(text, FM_STR(")"))) {
        state->signal.name = fm_str_slice(text, 1, text.size - 1);
        return true;
    }
    if (!fm_scan_dec(&s, &number, NULL) || !fm_scan_done(&s) || number > INT32_MAX) return false;
    if (pid.data) {
        state->pid = number;
        state->has_pid = true;
    } else if (signal.data) {
        state->signal.has_number = true;
        state->signal.number = (int32_t)number;
        state->signal.name = fm_signal_name(number, FM_SIGNALS_OF_LINUX);
    } else {
        state->signal.has_code = true;
        state->signal.code = (int32_t)number;
    }
    return true;
}

/* Whether the line is the title of a stack, "Callstack Information (PID:1234)". */
static bool is_stack_title(framemap_str text, uint64_t *pid)
{
    static const framemap_str start = FM_STR_INIT("Callstack Information (PID:");
    struct fm_scan s = fm_scan_of(text);
    return fm_scan_text(&s, start) && fm_scan_dec(&s, pid, NULL) && fm_scan_byte(&s, ')') && fm_scan_done(&s);
}

static bool is_report_title(framemap_str text) { return fm_str_equal(text, FM_STR("Crash Information")); }

/* Begins the stack of the process `pid`, which has the signal of the header if that is of the same process. */
static void begin_stack(struct tizen_state *state, const struct fm_line *line, uint64_t pid)
{
    struct fm_stack_rows *rows = &state->rows;
    const bool same = state->header1 && state->has_pid && state->pid == pid;
    fm_stack_rows_title(rows, line);
    rows->has_pid = true;
    rows->pid = pid;
    rows->process = same ? state->process : fm_str(NULL, 0);
    rows->signal = same ? state->signal : (framemap_signal){.number = 0};
    rows->exception = rows->type = rows->signal.name;
    state->header1 = 0;
}

static bool tizen_is_significant(const struct fm_line *line)
{
    struct fm_stack_row row;
    const framemap_str text = fm_str_trim(line->body);
    uint64_t pid;
    return is_report_title(text) || is_stack_title(text, &pid) || (tizen_parse_row(text, &row) && row.sure);
}

static enum fm_line_role tizen_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct tizen_state *state = memory;
    const framemap_str text = fm_str_trim(line->body);
    struct fm_stack_row row;
    uint64_t pid;
    state->rows.name = name;
    if (is_report_title(text)) {
        state->header1 = line->number1;
        state->has_pid = false;
        state->process = fm_str(NULL, 0);
        state->signal = (framemap_signal){.number = 0};
        return FM_ROLE_CONTEXT;
    }
    if (is_stack_title(text, &pid)) {
        begin_stack(state, line, pid);
        return FM_ROLE_CONTEXT;
    }
    if (state->header1 && line->number1 - state->header1 <= FM_LINES_AFTER && read_header(state, text))
        return FM_ROLE_CONTEXT;
    if (!tizen_parse_row(text, &row) || (!row.sure && !fm_stack_rows_near(&state->rows, line))) return FM_ROLE_NONE;
    return fm_stack_rows_add(&state->rows, doc, line, &row, false);
}

/* Writes " 1: inner(int) at src/a.cc:7 (0xb6f1a2f0) [/usr/bin/shop] + 0x12f0". */
static void tizen_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    const size_t head = fm_str_find(raw->raw, FM_STR(": ")), place = fm_str_find_last(raw->raw, FM_STR("(0x"));
    if (head == FM_NOT_FOUND || place == FM_NOT_FOUND) return;
    fm_buf_str(out, fm_str(raw->raw.data, head + 2));
    fm_row_put_at(out, restored);
    fm_buf_byte(out, ' ');
    fm_buf_str(out, fm_str_from(raw->raw, place));
}

static void tizen_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    fm_native_put_chain(out, frame, prefix, eol, tizen_put);
}

static const struct fm_needle tizen_needles[] = {FM_NEEDLE("Crash Information", 0, 13),
                                                 FM_NEEDLE("Callstack Information", 0, 15)};

const struct fm_format fm_tizen = {
    .info = {name, "crash reports of Tizen (1: f + 0x1a (0x12) [app] + 0x2)", true, false},
    FM_NEEDLES(tizen_needles),
    .marks = FM_MARK_WORD | FM_MARK_HEX,
    .state_size = sizeof(struct tizen_state),
    .firsts = "C0123456789",
    .keeps_state = true,
    .offer = tizen_offer,
    .is_significant = tizen_is_significant,
    .print_frame = tizen_print_frame};
