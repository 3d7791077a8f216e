/* Stacks that Firefox and other programs of Mozilla print of themselves, and the same after Mozilla's fix-stacks:
 *
 *     Assertion failure: mLength > 0 (empty), at /src/dom/Cart.cpp:12
 *     #01: ???[/usr/lib/firefox/libxul.so +0x944c842]
 *     #02: cart::add(int)[/usr/lib/firefox/libxul.so +0x944c8f0]
 *     #03: ??? (???:???)
 *     #04: cart::add(int) (/src/dom/Cart.cpp:12)               fix-stacks, with debug info
 *     #05: cart::add(int) [dom/Cart.cpp:12]                    with Breakpad's symbols
 *     #06: ??? (/usr/lib/libc.so + 0x1a2b)                     not found
 *
 * Rows are numbered from 1. Offsets count from the first byte of the image, and all are return addresses. */
#include "formats/native/check_failure.h"
#include "formats/native/linux/stack_rows.h"
#include "formats/parsers.h"
#include "formats/row_writer.h"

static const char name[] = "mozilla";
static const framemap_str unknown = FM_STR_INIT("???");

/* Splits "FUNCTION[GROUP]", "FUNCTION [GROUP]" or "FUNCTION (GROUP)". */
static bool split_group(framemap_str text, framemap_str *function, framemap_str *group)
{
    const bool is_bracket = fm_str_ends(text, FM_STR("]"));
    if (!is_bracket) {
        *function = text;
        return fm_row_group(function, group);
    }
    const size_t open = fm_str_find_last_byte(text, '[');
    if (open == FM_NOT_FOUND) return false;
    *group = fm_str_slice(text, open + 1, text.size - 1);
    *function = fm_str_trim(fm_str(text.data, open));
    return true;
}

/* Parses "/usr/lib/libxul.so +0x1a2b" or "/usr/lib/libxul.so + 0x1a2b". */
static bool read_offset(framemap_str group, struct fm_stack_row *row)
{
    const size_t sign = fm_str_find_last(group, FM_STR(" +"));
    if (sign == FM_NOT_FOUND || sign == 0) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(group, sign + 2));
    fm_scan_blanks(&s);
    const enum fm_digits digits = fm_row_0xhex(&s, &row->module_offset);
    if (digits == FM_DIGITS_NONE || !fm_scan_done(&s)) return false;
    row->path = fm_str(group.data, sign);
    row->too_long = digits == FM_DIGITS_LONG;
    row->has_module_offset = row->from_begin = row->sure = true;
    return true;
}

static bool mozilla_parse_row(framemap_str body, struct fm_stack_row *row)
{
    enum { SHORTEST = 5 }; /* size of "#01: "; a number has at least two digits */
    const framemap_str text = fm_str_trim(body);
    struct fm_scan s = fm_scan_of(text);
    framemap_str group;
    *row = (struct fm_stack_row){.index = -1};
    if (!fm_scan_byte(&s, '#') || !fm_row_index(&s, &row->index) || !fm_scan_text(&s, FM_STR(": ")) ||
        s.at - text.data < SHORTEST || !split_group(fm_scan_rest(&s), &row->function, &group))
        return false;
    if (fm_str_equal(row->function, unknown)) row->function.size = 0;
    if (fm_str_equal(group, FM_STR("???:???"))) return row->function.size == 0;
    return read_offset(group, row) || fm_row_location(group, &row->file, &row->line, &row->column);
}

/* Whether a row may be the first of a stack. Without an offset in an image it must have the number 1, as other texts
 * have lines such as "#12: title (a.c:7)". */
static bool begins_stack(const struct fm_stack_row *row) { return row->sure || (row->index == 1 && row->line != 0); }

static bool mozilla_is_significant(const struct fm_line *line)
{
    struct fm_stack_row row;
    return mozilla_parse_row(line->body, &row) && begins_stack(&row);
}

static enum fm_line_role mozilla_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_stack_rows *rows = memory;
    struct fm_stack_row row;
    rows->name = name;
    if (!mozilla_parse_row(line->body, &row)) return FM_ROLE_NONE;
    const bool follows = fm_stack_rows_near(rows, line) && row.index == rows->index + 1;
    if (!follows && !begins_stack(&row)) return FM_ROLE_NONE;
    if (!follows) rows->fresh = true;
    const uint64_t other = fm_document_last_end(doc);
    const enum fm_line_role role = fm_stack_rows_add(rows, doc, line, &row, true);
    framemap_trace *trace = fm_document_open(doc, name);
    if (trace && trace->frame_count == 1) fm_check_failure_above(doc, line, other, trace);
    return role;
}

/* Writes "#01: inner(int) (src/a.cc:7)", or "#01: inner(int)[/usr/lib/libxul.so +0x1a2b]" without a position. */
static void mozilla_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    fm_buf_str(out, fm_str_slice(raw->raw, 0, fm_str_find_byte(raw->raw, ':') + 2));
    fm_buf_str(out, fm_row_name(restored));
    if (restored->file.size) {
        fm_buf_str(out, FM_STR(" ("));
        fm_row_put_location(out, restored);
        fm_buf_byte(out, ')');
        return;
    }
    fm_buf_byte(out, '[');
    fm_buf_str(out, fm_row_module(raw));
    fm_buf_str(out, FM_STR(" +0x"));
    fm_buf_hex(out, raw->address, 1);
    fm_buf_byte(out, ']');
}

static void mozilla_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    fm_native_put_chain(out, frame, prefix, eol, mozilla_put);
}

const struct fm_format fm_mozilla = {
    .info = {name, "stacks that Firefox prints of itself (#01: ???[libxul.so +0x1a])", true, false},
    .marks = FM_MARK_NUMBER,
    .state_size = sizeof(struct fm_stack_rows),
    .firsts = "#",
    .lasts = ")]",
    .keeps_state = true,
    .offer = mozilla_offer,
    .is_significant = mozilla_is_significant,
    .print_frame = mozilla_print_frame};
