/* Stacks of backward-cpp, outermost first:
 *
 *     Stack trace (most recent call last) in thread 1234:
 *     #3    Object "/usr/bin/app", at 0x401b0d, in _start
 *     #2    Source "/src/main.cc", line 12, in main [0x401234]
 *     #1  | Source "/src/cart.cc", line 5, in inner
 *           Source "/src/cart.cc", line 9, in outer [0x401200]
 *              6: code of the file
 *
 * "|" marks a function that was inlined into the function on the next line. Addresses are those of calls, not return
 * addresses. */
#include "formats/native/linux/stack_rows.h"
#include "formats/parsers.h"
#include "formats/row_writer.h"

static const char name[] = "backward";
static const framemap_str title = FM_STR_INIT("Stack trace (most recent call");

/* Returns the text between the quotes that s is at. */
static bool quoted(struct fm_scan *s, framemap_str *out)
{
    if (!fm_scan_byte(s, '"') || !fm_scan_until(s, '"', out)) return false;
    s->at++;
    return true;
}

/* Parses "Object "/app", at 0x401b0d, in f". */
static bool read_object(struct fm_scan s, struct fm_stack_row *row)
{
    if (!fm_scan_text(&s, FM_STR("Object ")) || !quoted(&s, &row->path) || !fm_scan_text(&s, FM_STR(", at ")))
        return false;
    const enum fm_digits digits = fm_row_0xhex(&s, &row->address);
    if (digits == FM_DIGITS_NONE || !fm_scan_text(&s, FM_STR(", in"))) return false;
    row->has_address = true;
    row->too_long = digits == FM_DIGITS_LONG;
    row->function = fm_str_trim(fm_scan_rest(&s));
    if (row->path.size && row->path.data[0] == '[') row->path.size = 0;
    return true;
}

/* Parses "Source "/src/a.cc", line 12, in f [0x401234]". */
static bool read_source(struct fm_scan s, struct fm_stack_row *row)
{
    uint32_t line1;
    if (!fm_scan_text(&s, FM_STR("Source ")) || !quoted(&s, &row->file) || !fm_scan_text(&s, FM_STR(", line ")) ||
        !fm_scan_dec32(&s, &line1) || !fm_scan_text(&s, FM_STR(", in ")))
        return false;
    row->line = line1;
    row->function = fm_str_trim(fm_scan_rest(&s));
    const size_t open = fm_str_find_last(row->function, FM_STR(" [0x"));
    if (open == FM_NOT_FOUND) return true;
    struct fm_scan t = fm_scan_of(fm_str_from(row->function, open + 2));
    row->has_address = fm_row_0xhex(&t, &row->address) == FM_DIGITS_FIT && fm_scan_byte(&t, ']');
    if (row->has_address) row->function = fm_str_trim(fm_str(row->function.data, open));
    return true;
}

static bool backward_parse_row(framemap_str body, struct fm_stack_row *row)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body));
    *row = (struct fm_stack_row){.index = -1, .exact = true, .sure = true};
    if (fm_scan_byte(&s, '#') && (!fm_row_index(&s, &row->index) || !fm_scan_blanks1(&s))) return false;
    if (fm_scan_byte(&s, '|')) {
        row->inlined = true;
        fm_scan_blanks(&s);
    }
    return read_object(s, row) || read_source(s, row);
}

static bool backward_is_significant(const struct fm_line *line)
{
    struct fm_stack_row row;
    if (line->first == 'S' && fm_str_starts(fm_str_trim(line->body), title)) return true;
    return backward_parse_row(line->body, &row);
}

/* Parses "Stack trace (most recent call last) in thread 1234:". */
static void backward_read_title(framemap_str text, struct fm_stack_rows *rows)
{
    static const framemap_str mark = FM_STR_INIT("in thread ");
    const size_t at = fm_str_find(text, mark);
    if (at == FM_NOT_FOUND) return;
    const framemap_str rest = fm_str_from(text, at + mark.size);
    rows->thread_id = fm_str_slice(rest, 0, fm_str_find_byte(rest, ':'));
}

static enum fm_line_role backward_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_stack_rows *rows = memory;
    struct fm_stack_row row;
    const framemap_str text = fm_str_trim(line->body);
    rows->name = name;
    if (fm_str_starts(text, title)) {
        backward_read_title(text, rows);
        fm_stack_rows_title(rows, line);
        rows->index = INT64_MAX;
        return FM_ROLE_CONTEXT;
    }
    if (!backward_parse_row(text, &row)) {
        const bool is_code = fm_stack_rows_near(rows, line) && !rows->fresh &&
                             (line->first == '>' || line->first == '|' || fm_is_digit(line->first)) &&
                             fm_str_find_byte(text, ':') != FM_NOT_FOUND;
        if (is_code) rows->number1 = line->number1;
        return is_code ? FM_ROLE_CONTEXT : FM_ROLE_NONE;
    }
    const int64_t before = rows->index;
    /* numbers of a stack descend, so a number higher than the last one begins another stack */
    if (row.index > before && before >= 0) rows->fresh = true;
    rows->index = 0;
    const enum fm_line_role role = fm_stack_rows_add(rows, doc, line, &row, false);
    rows->index = row.index >= 0 ? row.index : before;
    framemap_trace *trace = fm_document_open(doc, name);
    if (trace) trace->outermost_first = true;
    return role;
}

/* Writes "#3    Source "src/a.cc", line 7, in inner(int) [0x401b0d]". */
static void backward_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    const size_t object = fm_str_find(raw->raw, FM_STR("Object "));
    fm_buf_str(out, fm_str_slice(raw->raw, 0, object));
    if (restored->file.size && restored->line) {
        fm_buf_str(out, FM_STR("Source \""));
        fm_buf_str(out, restored->file);
        fm_buf_str(out, FM_STR("\", line "));
        fm_buf_dec(out, restored->line);
    } else {
        fm_buf_str(out, FM_STR("Object \""));
        fm_buf_str(out, raw->module_path.size ? raw->module_path : raw->module);
        fm_buf_str(out, FM_STR("\", at 0x"));
        fm_buf_hex(out, raw->address, 1);
    }
    fm_buf_str(out, FM_STR(", in "));
    fm_buf_str(out, fm_row_name(restored));
}

static void backward_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    fm_native_put_chain(out, frame, prefix, eol, backward_put);
}

static const struct fm_needle backward_needles[] = {
    FM_NEEDLE("Stack trace (most", 0, 1),
    FM_NEEDLE("Object \"", 4, 0),
    FM_NEEDLE("Source \"", 0, 13),
};

/* Writes a row: "#1    Source "src/a.cc", line 7, in f [0x401b0d]" or "#1    Object "/usr/bin/app", at 0x401b0d,
 * in f". */
static void backward_put_row(struct fm_buf *out, const struct fm_row_out *row)
{
    const framemap_frame *frame = row->frame;
    const framemap_str module = fm_row_module(frame);
    fm_buf_byte(out, '#');
    fm_buf_dec(out, row->number);
    fm_buf_str(out, frame->inlined ? FM_STR("  | ") : FM_STR("    "));
    if (frame->file.size && frame->line) {
        fm_buf_str(out, FM_STR("Source \""));
        fm_buf_str(out, frame->file);
        fm_buf_str(out, FM_STR("\", line "));
        fm_buf_dec(out, frame->line);
    } else {
        fm_buf_str(out, FM_STR("Object \""));
        fm_buf_str(out, module.size ? module : FM_STR("?"));
        fm_buf_str(out, FM_STR("\", at "));
        fm_row_put_pc(out, row);
    }
    fm_buf_str(out, FM_STR(", in "));
    fm_buf_str(out, row->name);
    if (frame->file.size == 0 || frame->line == 0 || (!row->has_absolute && !row->has_relative)) return;
    fm_buf_str(out, FM_STR(" ["));
    fm_row_put_pc(out, row);
    fm_buf_byte(out, ']');
}

static void backward_put_head(struct fm_buf *out, const framemap_trace *trace)
{
    fm_buf_str(out, FM_STR("Stack trace (most recent call last)"));
    if (trace->thread_id.size) {
        fm_buf_str(out, FM_STR(" in thread "));
        fm_buf_str(out, trace->thread_id);
    }
    fm_buf_byte(out, ':');
    fm_buf_byte(out, '\n');
}

static const struct fm_output backward_output = {
    .print = fm_print_rows,
    .put_row = backward_put_row,
    .put_head = backward_put_head,
    .rows_outermost_first = true,
    .path_or_module = true,
    .holds = FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_ADDRESSES | FRAMEMAP_PART_INLINED |
             FRAMEMAP_PART_THREADS,
};

const struct fm_format fm_backward = {.info = {name, "backward-cpp (#3 Object \"app\", at 0x…, in f)", true, true},
                                      FM_NEEDLES(backward_needles),
                                      .marks = FM_MARK_WORD,
                                      .state_size = sizeof(struct fm_stack_rows),
                                      .firsts = "#S|O",
                                      .keeps_state = true,
                                      .offer = backward_offer,
                                      .is_significant = backward_is_significant,
                                      .print_frame = backward_print_frame,
                                      .output = &backward_output};
