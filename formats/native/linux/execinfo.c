/* Plain rows of addresses and names: those of backtrace_symbols in libexecinfo (BSD, musl), and those of the loop over
 * unw_step that libunwind's manual shows.
 *
 *     0x400a5b <main+91> at ./app
 *     0x400c54: (main+0x1a) [0x400c54]
 *     0x7f5a1c: -- error: unable to obtain symbol name for this frame
 *     0x1065a0280 - /usr/lib/libmono.dylib : mono_crash          Mono
 *     0x1bcd - Unknown
 *
 * In a stack with rows of the first form, all addresses are return addresses. In a stack with rows of the second form,
 * all addresses but the first are return addresses. */
#include "formats/native/linux/stack_rows.h"
#include "formats/parsers.h"

static const char name[] = "execinfo";

/* Parses "<main+91> at ./app". */
static bool read_angle(struct fm_scan s, struct fm_stack_row *row)
{
    const framemap_str text = fm_scan_rest(&s), mark = FM_STR("> at ");
    const size_t end = fm_str_find_last(text, mark);
    /* lldb prints "<+91>: bl …", which is not a row */
    if (end == FM_NOT_FOUND || text.data[0] != '<' || text.data[1] == '+') return false;
    const framemap_str place = fm_str_trim(fm_str_from(text, end + mark.size));
    if (!fm_row_location(place, &row->file, &row->line, &row->column)) row->path = place;
    row->has_function_offset = fm_row_distance(fm_str_slice(text, 1, end), true, &row->function, &row->function_offset);
    return row->has_function_offset && place.size;
}

/* Parses "(main+0x1a) [0x400c54]". */
static bool read_parens(framemap_str text, struct fm_stack_row *row)
{
    if (fm_str_starts(text, FM_STR("-- error: unable to obtain symbol name"))) return true;
    const size_t open = fm_str_find_last(text, FM_STR(" [0x"));
    if (open != FM_NOT_FOUND) text = fm_str_trim(fm_str(text.data, open));
    if (text.size < 5 || text.data[0] != '(' || text.data[text.size - 1] != ')') return false;
    row->has_function_offset =
        fm_row_distance(fm_str_slice(text, 1, text.size - 1), true, &row->function, &row->function_offset);
    return row->has_function_offset;
}

/* Parses Mono's "/usr/lib/libmono.dylib : mono_crash", or "Unknown". */
static bool read_dash(framemap_str text, struct fm_stack_row *row)
{
    static const framemap_str mark = FM_STR_INIT(" : ");
    const size_t at = fm_str_find_last(text, mark);
    framemap_str place;
    row->sure = false;
    if (fm_str_equal(text, FM_STR("Unknown"))) return true;
    if (at == FM_NOT_FOUND || text.data[0] != '/') return false;
    row->sure = true;
    row->path = fm_str(text.data, at);
    row->function = fm_str_trim(fm_str_from(text, at + mark.size));
    framemap_str left = row->function; /* the row was restored before: "f(int) (src/a.cc:7:3)" */
    if (fm_row_group(&left, &place) && fm_row_location(place, &row->file, &row->line, &row->column))
        row->function = left;
    if (fm_str_equal(row->function, FM_STR("<redacted>"))) row->function.size = 0;
    return true;
}

/* Parses a row. *all_return: libexecinfo printed the row, so all addresses of its stack are return addresses. */
static bool execinfo_parse_row(framemap_str body, struct fm_stack_row *row, bool *all_return)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body));
    *row = (struct fm_stack_row){.index = -1};
    const enum fm_digits digits = fm_row_0xhex(&s, &row->address);
    if (digits == FM_DIGITS_NONE) return false;
    row->has_address = row->sure = true;
    row->too_long = digits == FM_DIGITS_LONG;
    *all_return = fm_scan_blanks1(&s);
    if (*all_return && fm_scan_text(&s, FM_STR("- "))) return read_dash(fm_str_trim(fm_scan_rest(&s)), row);
    if (*all_return) return read_angle(s, row);
    return fm_scan_text(&s, FM_STR(": ")) && read_parens(fm_str_trim(fm_scan_rest(&s)), row);
}

static bool execinfo_is_significant(const struct fm_line *line)
{
    struct fm_stack_row row;
    bool all_return;
    return execinfo_parse_row(line->body, &row, &all_return) && (row.function.size || row.path.size);
}

/* Sets the exception from Mono's "Got a SIGSEGV while executing native code." on the lines above its stack. */
static void find_mono_error(struct fm_stack_rows *rows, struct fm_document *doc, const struct fm_line *line)
{
    static const framemap_str start = FM_STR_INIT("Got a "), end = FM_STR_INIT(" while executing native code");
    struct fm_look_back above = fm_look_back_from(doc, line, fm_document_last_end(doc), FM_LOOK_BACK_MOST);
    for (struct fm_line *before; (before = fm_look_back_next(&above)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        const framemap_str text = fm_str_trim(before->body);
        const size_t at = fm_str_find(text, start), stop = fm_str_find(text, end);
        if (at == FM_NOT_FOUND || stop == FM_NOT_FOUND || stop < at + start.size) continue;
        fm_stack_rows_title(rows, line);
        rows->exception = fm_str_from(text, at);
        rows->type = rows->signal.name = fm_str_slice(text, at + start.size, stop);
        return;
    }
}

static enum fm_line_role execinfo_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_stack_rows *rows = memory;
    struct fm_stack_row row;
    bool all_return;
    rows->name = name;
    if (!execinfo_parse_row(line->body, &row, &all_return)) return FM_ROLE_NONE;
    if (row.function.size == 0 && row.path.size == 0 && !fm_stack_rows_near(rows, line)) return FM_ROLE_NONE;
    if (row.path.size && all_return && !fm_stack_rows_near(rows, line)) find_mono_error(rows, doc, line);
    return fm_stack_rows_add(rows, doc, line, &row, all_return);
}

/* Writes a row with the restored function: "0x400a5b <inner(int)+0> at src/a.cc:7:3", or "0x400a5b <outer()+24> at
 * ./app" without a position. */
static void execinfo_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    struct fm_scan s = fm_scan_of(raw->raw);
    uint64_t address;
    const size_t colon = fm_str_find_last(raw->raw, FM_STR(" : "));
    fm_scan_blanks(&s);
    fm_row_0xhex(&s, &address);
    if (colon != FM_NOT_FOUND && fm_str_starts(fm_scan_rest(&s), FM_STR(" - "))) {
        fm_buf_str(out, fm_str(raw->raw.data, colon + 3));
        fm_buf_str(out, fm_row_name(restored));
        if (restored->file.size == 0) return;
        fm_buf_str(out, FM_STR(" ("));
        fm_row_put_location(out, restored);
        fm_buf_byte(out, ')');
        return;
    }
    fm_buf_str(out, fm_str(raw->raw.data, (size_t)(s.at - raw->raw.data)));
    fm_buf_str(out, FM_STR(" <"));
    fm_buf_str(out, fm_row_name(restored));
    fm_buf_byte(out, '+');
    fm_buf_dec(out, restored->has_function_offset ? restored->function_offset : 0);
    fm_buf_str(out, FM_STR("> at "));
    if (restored->file.size)
        fm_row_put_location(out, restored);
    else
        fm_buf_str(out, raw->module_path.size ? raw->module_path : raw->module);
}

static void execinfo_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    fm_native_put_chain(out, frame, prefix, eol, execinfo_put);
}

const struct fm_format fm_execinfo = {.info = {name, "libexecinfo, libunwind (0x… <f+12> at app)", true, false},
                                      .marks = FM_MARK_HEX,
                                      .state_size = sizeof(struct fm_stack_rows),
                                      .firsts = "0",
                                      .keeps_state = true,
                                      .offer = execinfo_offer,
                                      .is_significant = execinfo_is_significant,
                                      .print_frame = execinfo_print_frame};
