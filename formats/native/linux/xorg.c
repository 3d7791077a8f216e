/* The stack that the X server prints when it crashes:
 *
 *     (EE) Backtrace:
 *     (EE) 0: /usr/lib/xorg/Xorg (xorg_backtrace+0x4d) [0x5595d4a7c5ad]
 *     (EE) 1: /usr/lib/xorg/Xorg (0x5595d48c4000+0x1bc349) [0x5595d4a80349]     where the file begins, and the distance
 *     (EE) 2: /usr/lib/libc.so.6 (?+0x0) [0x7f1d9d1b78a0]                       no name was found
 *     (EE) 3: ?? [0x7f1d9a3c2b8e]                                               nor a file
 *     (EE) Segmentation fault at address 0x0
 *     (EE) Caught signal 11 (Segmentation fault). Server aborting
 *
 * Old versions print the rows without "(EE) ". All addresses are return addresses. */
#include "formats/native/linux/stack_rows.h"
#include "formats/parsers.h"
#include "formats/row_writer.h"
#include "formats/signal_names.h"

static const char name[] = "xorg";

struct xorg_row {
    struct fm_stack_row row;
    uint64_t base; /* where the file of the row begins in memory */
    bool has_base;
};

struct xorg_state {
    struct fm_stack_rows rows;
    uint64_t base; /* where the file begins that was recorded last for this stack; 0: none */
};

static framemap_str without_level(framemap_str text)
{
    static const framemap_str level = FM_STR_INIT("(EE) ");
    return fm_str_starts(text, level) ? fm_str_from(text, level.size) : text;
}

/* Parses "xorg_backtrace+0x4d", "0x5595d48c4000+0x1bc349" or "?+0x0". */
static bool read_inside(framemap_str inside, struct xorg_row *out)
{
    struct fm_stack_row *row = &out->row;
    uint64_t offset;
    framemap_str function;
    if (!fm_row_distance(inside, true, &function, &offset)) return false;
    struct fm_scan s = fm_scan_of(function);
    out->has_base = fm_row_0xhex(&s, &out->base) == FM_DIGITS_FIT && fm_scan_done(&s);
    if (out->has_base || fm_str_equal(function, FM_STR("?"))) return true;
    row->function = function;
    row->function_offset = offset;
    return row->has_function_offset = true;
}

/* Parses a row; after restoring, "f() at src/a.c:7" follows the address. */
static bool xorg_parse_row(framemap_str body, struct xorg_row *out)
{
    struct fm_stack_row *row = &out->row;
    struct fm_scan s = fm_scan_of(without_level(fm_str_trim(body)));
    *out = (struct xorg_row){.row = {.index = -1}};
    if (!fm_row_index(&s, &row->index) || !fm_scan_text(&s, FM_STR(": "))) return false;
    const framemap_str rest = fm_scan_rest(&s);
    if (fm_str_starts(rest, FM_STR("?? [0x"))) {
        s = fm_scan_of(fm_str_from(rest, 4));
        const enum fm_digits digits = fm_row_0xhex(&s, &row->address);
        row->has_address = true;
        row->too_long = digits == FM_DIGITS_LONG;
        return digits != FM_DIGITS_NONE && fm_scan_byte(&s, ']') && fm_scan_done(&s);
    }
    const size_t close = fm_str_find(rest, FM_STR(") [0x"));
    const size_t open = close == FM_NOT_FOUND ? close : fm_str_find_last(fm_str(rest.data, close), FM_STR(" ("));
    if (open == FM_NOT_FOUND || open == 0) return false;
    const framemap_str path = fm_str(rest.data, open);
    const bool is_unknown = fm_str_equal(path, FM_STR("?"));
    if (!is_unknown && (path.data[0] != '/' || !read_inside(fm_str_slice(rest, open + 2, close), out))) return false;
    s = fm_scan_of(fm_str_from(rest, close + 3));
    const enum fm_digits digits = fm_row_0xhex(&s, &row->address);
    if (digits == FM_DIGITS_NONE || !fm_scan_byte(&s, ']')) return false;
    if (!is_unknown) row->path = path;
    row->has_address = row->sure = true;
    row->too_long = digits == FM_DIGITS_LONG;
    if (fm_scan_done(&s)) return true;
    if (!fm_scan_byte(&s, ' ')) return false;
    framemap_frame parts = FM_FRAME_INIT;
    fm_row_function_at(fm_scan_rest(&s), &parts);
    fm_stack_row_take(row, &parts);
    return true;
}

static bool xorg_is_significant(const struct fm_line *line)
{
    struct xorg_row row;
    return xorg_parse_row(line->body, &row) && row.row.sure;
}

/* Reads a line below the stack, "Segmentation fault at address 0x0" or "Caught signal 11 (Segmentation fault). Server
 * aborting", into the trace. Returns whether it is such a line. */
static bool xorg_read_signal(framemap_str text, framemap_trace *trace)
{
    static const framemap_str at_address = FM_STR_INIT(" at address 0x"), caught = FM_STR_INIT("Caught signal ");
    uint64_t number;
    struct fm_scan s = fm_scan_of(text);
    const size_t at = fm_str_find(text, at_address);
    if (fm_scan_text(&s, caught)) {
        if (!fm_scan_dec(&s, &number, NULL) || number > INT32_MAX) return false;
        trace->signal.has_number = true;
        trace->signal.number = (int32_t)number;
        trace->signal.name = fm_signal_name(number, FM_SIGNALS_OF_LINUX);
        if (trace->signal.name.size) trace->exception_type = trace->signal.name;
        if (trace->exception.size == 0) trace->exception = text;
    } else if (at != FM_NOT_FOUND && at > 0) {
        s = fm_scan_of(fm_str_from(text, at + at_address.size - 2));
        if (!fm_scan_0xhex(&s, &trace->signal.address, NULL)) return false;
        trace->signal.has_address = true;
        trace->exception = text;
        trace->exception_type = fm_str(text.data, at);
    } else {
        return false;
    }
    return trace->crashed = true;
}

/* Records where the file of a row begins, for the other rows of the stack in that file. */
static void learn_base(struct xorg_state *state, struct fm_document *doc, framemap_frame *frame, uint64_t base)
{
    frame->has_load_address = true;
    frame->load_address = base;
    if (base == state->base) return;
    framemap_image *image = fm_document_row_image(doc);
    if (!image) return;
    image->name = frame->module;
    image->path = frame->module_path;
    image->load_address = state->base = base;
}

static enum fm_line_role xorg_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct xorg_state *state = memory;
    struct fm_stack_rows *rows = &state->rows;
    struct xorg_row row;
    rows->name = name;
    if (!xorg_parse_row(line->body, &row)) {
        framemap_trace *trace =
            rows->open && line->number1 - rows->number1 <= FM_LINES_AFTER ? fm_document_open(doc, name) : NULL;
        return trace && xorg_read_signal(without_level(fm_str_trim(line->body)), trace) ? FM_ROLE_CONTEXT
                                                                                        : FM_ROLE_NONE;
    }
    if (!row.row.sure && !fm_stack_rows_near(rows, line)) return FM_ROLE_NONE;
    fm_stack_rows_add(rows, doc, line, &row.row, true);
    framemap_trace *trace = fm_document_open(doc, name);
    if (trace == NULL || trace->frame_count == 0) return FM_ROLE_FRAME;
    if (trace->frame_count == 1) state->base = 0; /* another process may have files at other places */
    if (row.has_base) learn_base(state, doc, &trace->frames[trace->frame_count - 1], row.base);
    return FM_ROLE_FRAME;
}

/* Writes "(EE) 1: /usr/lib/xorg/Xorg (0x5595d48c4000+0x1bc349) [0x5595d4a80349] f(int) at src/a.c:7:3". */
static void xorg_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    const size_t mark = fm_str_find(raw->raw, FM_STR(" [0x"));
    const size_t size = mark == FM_NOT_FOUND ? mark : fm_str_find_byte(fm_str_from(raw->raw, mark), ']');
    if (size == FM_NOT_FOUND) return;
    fm_buf_str(out, fm_str(raw->raw.data, mark + size + 1));
    fm_buf_byte(out, ' ');
    fm_row_put_at(out, restored);
}

static void xorg_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    fm_native_put_chain(out, frame, prefix, eol, xorg_put);
}

const struct fm_format fm_xorg = {
    .info = {name, "crashes of the X server ((EE) 1: /usr/bin/X (f+0x1) [0x2])", true, false},
    .marks = FM_MARK_HEX,
    .state_size = sizeof(struct xorg_state),
    .firsts = "(0123456789",
    .keeps_state = true,
    .offer = xorg_offer,
    .is_significant = xorg_is_significant,
    .print_frame = xorg_print_frame};
