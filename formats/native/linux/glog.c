/* Stacks of glog, absl and folly, with one frame after each '@':
 *
 *     PC: @     0x55d0c5fe1a2b  cart::add(int)                    glog: above the title
 *     *** SIGSEGV (@0x0) received by PID 11 (TID 0x7f12) from PID 0; stack trace: ***
 *         @     0x7f1b1f2b6700       1234  (unknown)              absl: with the size of the frame
 *     PC: @     0x55d0c5fe1a2b  (unknown)  cart::add(int)         absl: the size is not known
 *         @ 000000000040d9e4 cart::add(int)                       folly: 16 digits, the position on the next line
 *                            ./src/cart.cc:26
 *
 * All addresses are return addresses, except the one after "PC:", which is the first frame of the stack. */
#include "formats/native/check_failure.h"
#include "formats/native/linux/stack_rows.h"
#include "formats/parsers.h"
#include "formats/row_writer.h"

static const char name[] = "glog";
static const framemap_str check_failure = FM_STR_INIT("Check failure"), unknown = FM_STR_INIT("(unknown)");

struct glog_state {
    struct fm_stack_rows rows;
    bool after_pc; /* the last row begins with "PC:", and began a stack without a title, which may follow */
};

static bool glog_parse_row(framemap_str body, struct fm_stack_row *row)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body)), t;
    framemap_frame parts = FM_FRAME_INIT;
    uint64_t size;
    *row = (struct fm_stack_row){.index = -1};
    row->exact = fm_scan_text(&s, FM_STR("PC: "));
    if (!fm_scan_byte(&s, '@') || !fm_scan_blanks1(&s)) return false;
    const char *start = s.at;
    enum fm_digits digits = fm_row_0xhex(&s, &row->address);
    if (digits == FM_DIGITS_NONE && ((digits = fm_row_hex(&s, &row->address)) != FM_DIGITS_FIT || s.at - start != 16))
        return false;
    if (!fm_scan_done(&s) && !fm_scan_blanks1(&s)) return false;
    row->has_address = row->sure = true;
    row->too_long = digits == FM_DIGITS_LONG;
    t = s;
    if (fm_scan_dec(&t, &size, NULL) && fm_scan_blanks1(&t)) s = t;
    framemap_str text = fm_str_trim(fm_scan_rest(&s));
    /* absl prints "(unknown)" if it does not know the size of the frame; the word is cut off. */
    if (fm_str_begins(text, FM_STR("(unknown)  "))) text = fm_str_trim(fm_str_from(text, unknown.size));
    if (fm_str_equal(text, unknown)) return true;
    fm_row_function_at(text, &parts);
    fm_stack_row_take(row, &parts);
    return true;
}

/* Parses a title: "*** SIGSEGV (@0x0) received by PID 11 …", "*** Signal 11 (SIGSEGV) (0x0) received by PID 11 … ***",
 * "*** SIGSEGV received at time=1735498782 on cpu 7 ***" of absl, or "*** Check failure stack trace: ***". */
static bool glog_read_title(framemap_str text, struct fm_stack_rows *rows)
{
    static const framemap_str pid = FM_STR_INIT("received by PID "), time = FM_STR_INIT("received at time=");
    const size_t by_pid = fm_str_find(text, pid), at = by_pid != FM_NOT_FOUND ? by_pid : fm_str_find(text, time),
                 sig = fm_str_find(text, FM_STR("SIG"));
    if (!fm_str_starts(text, FM_STR("*** "))) return false;
    if (fm_str_starts(text, FM_STR("*** Check failure stack trace"))) {
        rows->exception = text;
        rows->type = check_failure;
        return true;
    }
    if (at == FM_NOT_FOUND) return false;
    rows->exception = text;
    if (by_pid != FM_NOT_FOUND) {
        struct fm_scan s = fm_scan_of(fm_str_from(text, at + pid.size));
        rows->has_pid = fm_scan_dec(&s, &rows->pid, NULL);
    }
    if (sig == FM_NOT_FOUND || sig > at) return true;
    size_t end = sig;
    while (end < text.size && text.data[end] >= 'A' && text.data[end] <= 'Z') end++;
    rows->type = rows->signal.name = fm_str_slice(text, sig, end);
    return true;
}

static bool glog_is_significant(const struct fm_line *line)
{
    struct fm_stack_row row;
    struct fm_stack_rows ignored = {.open = false};
    const framemap_str text = fm_str_trim(line->body);
    return line->first == '*' ? glog_read_title(text, &ignored) : glog_parse_row(text, &row);
}

/* Reads a position of folly: "./src/cart.cc:26", "-> /src/cart.cc". */
static bool read_position(struct fm_document *doc, framemap_str text)
{
    return fm_str_starts(text, FM_STR("-> /")) || fm_native_read_position(fm_document_open(doc, name), text);
}

/* Whether a line is a fatal message, "F0101 12:00:00.000000    12 cart.cc:12] no cart", below which glog prints a
 * stack. */
static bool is_fatal(const struct fm_line *line)
{
    return fm_str_find(fm_check_failure_logged(line), FM_STR("] ")) != FM_NOT_FOUND;
}

/* Gives the title that was read to the stack above it, if that stack has only the program counter. Returns false if the
 * title belongs to the next stack. */
static bool entitle_pc(struct glog_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_stack_rows *rows = &state->rows;
    if (!state->after_pc || rows->signal.name.size == 0 || !fm_stack_rows_near(rows, line)) return false;
    framemap_trace *trace = fm_document_open(doc, name);
    if (trace == NULL || trace->frame_count != 1) return false;
    fm_stack_rows_entitle(rows, trace);
    rows->number1 = line->number1;
    return true;
}

static enum fm_line_role glog_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct glog_state *state = memory;
    struct fm_stack_rows *rows = &state->rows;
    struct fm_stack_row row;
    const framemap_str text = fm_str_trim(line->body);
    rows->name = name;
    if ((line->first == '@' || line->first == 'P') && glog_parse_row(text, &row)) {
        const uint64_t other = fm_document_last_end(doc);
        const bool titled = rows->fresh && fm_stack_rows_near(rows, line);
        const enum fm_line_role role = fm_stack_rows_add(rows, doc, line, &row, true);
        framemap_trace *trace = fm_document_open(doc, name);
        state->after_pc = row.exact && !titled;
        if (trace && trace->frame_count == 1 &&
            (trace->exception.size == 0 || fm_str_equal(trace->exception_type, check_failure)))
            fm_check_failure_above(doc, line, other, trace);
        return role;
    }
    if (line->first == '*' && glog_read_title(text, rows)) {
        if (!entitle_pc(state, doc, line)) fm_stack_rows_title(rows, line);
        state->after_pc = false;
        return FM_ROLE_CONTEXT;
    }
    if (rows->fresh || !fm_stack_rows_near(rows, line)) return FM_ROLE_NONE;
    if (is_fatal(line)) rows->open = false;
    if (!rows->open || !read_position(doc, text)) return FM_ROLE_NONE;
    rows->number1 = line->number1;
    return FM_ROLE_CONTEXT;
}

/* Writes "    @     0x55d0c5fe1a2b  inner(int) at src/a.cc:7:3". */
static void glog_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    struct fm_scan s = fm_scan_of(raw->raw);
    framemap_str word;
    const size_t at = fm_str_find_byte(raw->raw, '@');
    s.at += at == FM_NOT_FOUND ? 0 : at + 1;
    fm_scan_blanks(&s);
    if (!fm_scan_word(&s, &word)) return;
    fm_buf_str(out, fm_str(raw->raw.data, (size_t)(s.at - raw->raw.data)));
    fm_buf_str(out, FM_STR("  "));
    fm_row_put_at(out, restored);
}

static void glog_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    fm_native_put_chain(out, frame, prefix, eol, glog_put);
}

static const struct fm_needle glog_needles[] = {
    FM_NEEDLE("received by PID ", 1, 10),
    FM_NEEDLE("received at time=", 1, 10),
    FM_NEEDLE("Check failure", 9, 5),
};

/* Writes "    @     0x55d0c5fe1a2b  f at a.c:7:3". */
static void glog_put_row(struct fm_buf *out, const struct fm_row_out *row)
{
    fm_buf_str(out, FM_STR("    @ "));
    fm_row_put_pc(out, row);
    fm_buf_str(out, FM_STR("  "));
    framemap_frame named = *row->frame;
    named.function = row->name;
    fm_row_put_at(out, &named);
}

static void glog_put_head(struct fm_buf *out, const framemap_trace *trace)
{
    (void)trace;
    fm_buf_str(out, FM_STR("*** Check failure stack trace: ***"));
    fm_buf_byte(out, '\n');
}

static const struct fm_output glog_output = {
    .print = fm_print_rows,
    .put_row = glog_put_row,
    .put_head = glog_put_head,
    .holds = FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_ADDRESSES,
};

const struct fm_format fm_glog = {.info = {name, "stacks of glog, absl and folly (@ 0x… f())", true, true},
                                  FM_NEEDLES(glog_needles),
                                  .marks = FM_MARK_WORD | FM_MARK_SIGN,
                                  .state_size = sizeof(struct glog_state),
                                  .firsts = "@P*",
                                  .keeps_state = true,
                                  .offer = glog_offer,
                                  .is_significant = glog_is_significant,
                                  .print_frame = glog_print_frame,
                                  .output = &glog_output};
