/* Stacks of Boost.Stacktrace, and of std::stacktrace of libstdc++:
 *
 *      0# cart::add(int) at /src/cart.cc:7
 *      1# main in ./app
 *      2# 0x000055823ab1c0de in ./app
 *      3# main at a.c:7 [0x55823ab1c0de]
 *
 * All addresses are return addresses. */
#include "formats/native/linux/stack_rows.h"
#include "formats/parsers.h"
#include "formats/row_writer.h"

static const char name[] = "boost";

/* Cuts the address off the end of a row: " [0x55823ab1c0de]". */
static void cut_address(framemap_str *text, struct fm_stack_row *row)
{
    const size_t open = fm_str_find_last(*text, FM_STR(" [0x"));
    if (open == FM_NOT_FOUND || text->data[text->size - 1] != ']') return;
    struct fm_scan s = fm_scan_of(fm_str_slice(*text, open + 2, text->size - 1));
    if (fm_row_0xhex(&s, &row->address) != FM_DIGITS_FIT || !fm_scan_done(&s)) return;
    row->has_address = row->sure = true;
    text->size = open;
}

static bool boost_parse_row(framemap_str body, struct fm_stack_row *row)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body));
    framemap_frame parts = FM_FRAME_INIT;
    *row = (struct fm_stack_row){.index = -1};
    if (!fm_row_index(&s, &row->index) || !fm_scan_text(&s, FM_STR("# "))) return false;
    framemap_str text = fm_str_trim(fm_scan_rest(&s));
    cut_address(&text, row);
    const size_t in = fm_str_find_last(text, FM_STR(" in "));
    struct fm_scan t = fm_scan_of(text);
    uint64_t address;
    const enum fm_digits digits = fm_row_0xhex(&t, &address);
    if (digits != FM_DIGITS_NONE) {
        if (!fm_scan_done(&t) && !fm_str_starts(fm_scan_rest(&t), FM_STR(" in "))) return false;
        row->has_address = row->sure = true;
        row->address = address;
        row->too_long = digits == FM_DIGITS_LONG;
        if (in != FM_NOT_FOUND) row->path = fm_str_trim(fm_str_from(text, in + 4));
        return true;
    }
    /* libstdc++ prints "at :0" if it knows neither the function nor the position */
    if (fm_str_equal(text, FM_STR("at :0"))) return true;
    fm_row_function_at(text, &parts);
    if (parts.line == 0 && in != FM_NOT_FOUND && in > 0) {
        row->path = fm_str_trim(fm_str_from(text, in + 4));
        parts.function = fm_str(text.data, in);
        row->sure |= fm_str_find_byte(row->path, ' ') == FM_NOT_FOUND;
    }
    row->sure |= parts.line != 0;
    row->function = parts.function;
    row->file = parts.file;
    row->line = parts.line;
    row->column = parts.column;
    return row->function.size != 0;
}

static bool boost_is_significant(const struct fm_line *line)
{
    struct fm_stack_row row;
    return boost_parse_row(line->body, &row) && row.sure && row.index == 0;
}

static enum fm_line_role boost_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_stack_rows *rows = memory;
    struct fm_stack_row row;
    rows->name = name;
    if (!boost_parse_row(line->body, &row)) return FM_ROLE_NONE;
    const bool follows = fm_stack_rows_near(rows, line) && row.index == rows->index + 1;
    if (!follows && (!row.sure || row.index != 0)) return FM_ROLE_NONE;
    return fm_stack_rows_add(rows, doc, line, &row, true);
}

/* Writes " 1# inner(int) at src/a.cc:7". */
static void boost_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    const size_t hash = fm_str_find_byte(raw->raw, '#');
    fm_buf_str(out, fm_str_slice(raw->raw, 0, hash + 2));
    fm_buf_str(out, fm_row_name(restored));
    if (restored->file.size) {
        fm_buf_str(out, FM_STR(" at "));
        fm_row_put_location(out, restored);
    } else {
        fm_buf_str(out, FM_STR(" in "));
        fm_buf_str(out, raw->module);
    }
}

static void boost_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    fm_native_put_chain(out, frame, prefix, eol, boost_put);
}

static const struct fm_needle boost_needles[] = {FM_NEEDLE("0# ", 0, 1)};

/* Writes a row: " 1# f at a.c:7", or " 2# f in app" if the position is not known. */
static void boost_put_row(struct fm_buf *out, const struct fm_row_out *row)
{
    const framemap_str module = fm_row_module(row->frame);
    if (row->number < 10) fm_buf_byte(out, ' ');
    fm_buf_dec(out, row->number);
    fm_buf_str(out, FM_STR("# "));
    fm_buf_str(out, row->name);
    if (row->frame->file.size) {
        fm_buf_str(out, FM_STR(" at "));
        fm_row_put_location(out, row->frame);
    } else {
        fm_buf_str(out, FM_STR(" in "));
        fm_buf_str(out, module.size ? module : FM_STR("?"));
    }
    if (!row->has_absolute && !row->has_relative) return;
    fm_buf_str(out, FM_STR(" ["));
    fm_row_put_pc(out, row);
    fm_buf_byte(out, ']');
}

static const struct fm_output boost_output = {
    .print = fm_print_rows,
    .put_row = boost_put_row,
    .path_or_module = true,
    .holds = FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_ADDRESSES,
};

const struct fm_format fm_boost = {.info = {name, "Boost.Stacktrace, std::stacktrace (0# f at a.cc:1)", true, true},
                                   FM_NEEDLES(boost_needles),
                                   .marks = FM_MARK_WORD,
                                   .state_size = sizeof(struct fm_stack_rows),
                                   .firsts = "0123456789",
                                   .all_of = FM_HAS_HASH,
                                   .keeps_state = true,
                                   .offer = boost_offer,
                                   .is_significant = boost_is_significant,
                                   .print_frame = boost_print_frame,
                                   .output = &boost_output};
