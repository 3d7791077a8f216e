/* Stacks of ClickHouse, in messages of exceptions and after a prefix in its log:
 *
 *     … <Error> executeQuery: Code: 60. DB::Exception: no table x. (UNKNOWN_TABLE) (…), Stack trace (when copying …):
 *
 *     0. DB::Exception::Exception(int, bool) @ 0x000000000e1c2b94 in /usr/bin/clickhouse
 *     1. ./build/../src/Common/Exception.cpp:91: DB::f(int) @ 0x0000000008a3ebac in /usr/bin/clickhouse
 *     2. inlined from ./src/Common/a.h:4: std::g()
 *     3. ? @ 0x000000001331dd98 in /usr/bin/clickhouse
 *
 * Addresses are return addresses, as linked. */
#include "formats/native/linux/stack_rows.h"
#include "formats/parsers.h"
#include "formats/signal_names.h"

static const char name[] = "clickhouse";
#define CLICKHOUSE_ABOVE 4 /* maximum number of lines above a stack that are searched for the error */

/* Returns the text after the prefix of ClickHouse's log: "2. f" for "2022.01.02 10:00:00.000000 [ 3 ] {} <Fatal>
 * BaseDaemon: 2. f". */
static framemap_str without_prefix(framemap_str text)
{
    static const framemap_str marks[] = {FM_STR_INIT("> BaseDaemon: "), FM_STR_INIT("> : ")};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t at = fm_str_find(text, marks[i]);
        if (at != FM_NOT_FOUND) return fm_str_from(text, at + marks[i].size);
    }
    return text;
}

/* Parses "FILE:LINE: FUNCTION", or a function without a position. */
static void read_function(framemap_str text, struct fm_stack_row *row)
{
    for (size_t at = 0; at + 2 < text.size; at++) {
        if (text.data[at] != ':' || text.data[at + 1] != ' ' || at == 0 || !fm_is_digit(text.data[at - 1])) continue;
        if (!fm_row_location(fm_str(text.data, at), &row->file, &row->line, &row->column)) break;
        text = fm_str_from(text, at + 2);
        break;
    }
    if (!fm_str_equal(text, FM_STR("?"))) row->function = text;
}

/* Parses a row. The row of an inlined function, "2. inlined from ./src/Common/a.h:4: std::g()", has neither address
 * nor image. */
static bool clickhouse_parse_row(framemap_str text, struct fm_stack_row *row)
{
    static const framemap_str mark = FM_STR_INIT(" @ 0x"), in = FM_STR_INIT(" in "),
                              inlined = FM_STR_INIT("inlined from ");
    struct fm_scan s = fm_scan_of(text);
    int64_t part;
    *row = (struct fm_stack_row){.index = -1};
    if (!fm_row_index(&s, &row->index) || !fm_scan_byte(&s, '.')) return false;
    if (fm_row_index(&s, &part) && !fm_scan_byte(&s, '.')) return false;
    if (!fm_scan_byte(&s, ' ')) return false;
    framemap_str rest = fm_scan_rest(&s);
    if (fm_str_starts(rest, inlined)) {
        read_function(fm_str_from(rest, inlined.size), row);
        row->inlined = true;
        return row->function.size != 0;
    }
    const size_t at = fm_str_find_last(rest, mark);
    if (at == FM_NOT_FOUND || at == 0) return false;
    struct fm_scan after = fm_scan_of(fm_str_from(rest, at + 3));
    const enum fm_digits digits = fm_row_0xhex(&after, &row->module_offset);
    if (digits == FM_DIGITS_NONE || !fm_scan_text(&after, in) || fm_scan_done(&after)) return false;
    const framemap_str path = fm_str_trim(fm_scan_rest(&after));
    if (fm_str_find_byte(path, ' ') != FM_NOT_FOUND) return false;
    row->has_module_offset = true;
    row->too_long = digits == FM_DIGITS_LONG;
    if (!fm_str_equal(path, FM_STR("?"))) row->path = path;
    read_function(fm_str(rest.data, at), row);
    return row->sure = true;
}

/* Sets the exception from "DB::Exception: no table x. (UNKNOWN_TABLE)", or from "Received signal Segmentation fault
 * (11)", on a line above a stack. */
static void find_error(struct fm_document *doc, const struct fm_line *line, framemap_trace *error)
{
    static const framemap_str exception = FM_STR_INIT("DB::Exception: "), signal = FM_STR_INIT("Received signal ");
    struct fm_look_back above = fm_look_back_from(doc, line, fm_document_last_end(doc), CLICKHOUSE_ABOVE);
    for (struct fm_line *before; (before = fm_look_back_next(&above)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        framemap_str text = fm_str_trim(before->body), group;
        const size_t at = fm_str_find(text, exception), stop = fm_str_find(text, signal);
        if (at != FM_NOT_FOUND) {
            text = fm_str_from(text, at);
            text = fm_str_slice(text, 0, fm_str_find(text, FM_STR(", Stack trace")));
            text = fm_str_slice(text, 0, fm_str_find(text, FM_STR(" (version ")));
            error->exception = text;
            error->exception_type = fm_str(text.data, exception.size - 2);
            error->exception_message = fm_str_from(text, exception.size);
            return;
        }
        if (stop == FM_NOT_FOUND) continue;
        error->exception = error->exception_message = text = fm_str_from(text, stop);
        if (fm_row_group(&text, &group)) {
            struct fm_scan s = fm_scan_of(group);
            uint64_t number;
            error->signal.has_number = fm_scan_dec(&s, &number, NULL) && number <= INT32_MAX;
            if (error->signal.has_number) {
                error->signal.number = (int32_t)number;
                error->signal.name = fm_signal_name(number, FM_SIGNALS_OF_ANY);
            }
        }
        error->exception_type = fm_str_from(text, signal.size);
        error->crashed = true;
        return;
    }
}

static bool clickhouse_is_significant(const struct fm_line *line)
{
    struct fm_stack_row row;
    return clickhouse_parse_row(without_prefix(fm_str_trim(line->body)), &row) && row.sure;
}

static enum fm_line_role clickhouse_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_stack_rows *state = memory;
    struct fm_stack_row row;
    framemap_trace error = {.number = 0};
    state->name = name;
    if (!fm_is_digit(line->first) || !clickhouse_parse_row(without_prefix(fm_str_trim(line->body)), &row))
        return FM_ROLE_NONE;
    const bool near = fm_stack_rows_near(state, line);
    if (!near && !row.sure) return FM_ROLE_NONE;
    const bool starts = !near || !fm_document_open(doc, name) || (row.index == 0 && state->index > 0);
    if (starts) find_error(doc, line, &error);
    const enum fm_line_role role = fm_stack_rows_add(state, doc, line, &row, true);
    framemap_trace *trace = fm_document_open(doc, name);
    if (starts && trace) {
        trace->exception = error.exception;
        trace->exception_type = error.exception_type;
        trace->exception_message = error.exception_message;
        trace->signal = error.signal;
        trace->crashed = error.crashed;
    }
    return role;
}

/* Writes a row with the restored function: "1. src/a.cc:7: f(int) @ 0x08a3ebac in /usr/bin/clickhouse". */
static void clickhouse_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    const framemap_str row = raw->raw;
    const size_t prefix = row.size - without_prefix(row).size,
                 dot = fm_str_find(fm_str_from(row, prefix), FM_STR(". ")), at = fm_str_find_last(row, FM_STR(" @ 0x"));
    if (dot == FM_NOT_FOUND || at == FM_NOT_FOUND) return;
    fm_buf_str(out, fm_str(row.data, prefix + dot + 2));
    if (restored->file.size) {
        fm_row_put_location(out, restored);
        fm_buf_str(out, FM_STR(": "));
    }
    fm_buf_str(out, fm_row_name(restored));
    fm_buf_str(out, fm_str_from(row, at));
}

static void clickhouse_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix,
                                   framemap_str eol)
{
    fm_native_put_chain(out, frame, prefix, eol, clickhouse_put);
}

const struct fm_format fm_clickhouse = {.info = {name, "stacks of ClickHouse (1. f @ 0x12 in app)", true, false},
                                        .marks = FM_MARK_HEX,
                                        .state_size = sizeof(struct fm_stack_rows),
                                        .firsts = "0123456789",
                                        .all_of = FM_HAS_AT_SIGN,
                                        .keeps_state = true,
                                        .offer = clickhouse_offer,
                                        .is_significant = clickhouse_is_significant,
                                        .print_frame = clickhouse_print_frame};
