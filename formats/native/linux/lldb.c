/* Backtraces of lldb:
 *
 *     * thread #1, queue = 'com.apple.main-thread', stop reason = EXC_BAD_ACCESS (code=1, address=0x0)
 *       * frame #0: 0x0000000100003f5c app`inner(x=1) at a.c:3:5 [opt]
 *         frame #1: 0x0000000100003f70 app`main [inlined] outer at a.c:9
 *         frame #2: 0x00007fff20301f3d libdyld.dylib`start + 1
 *
 * and of PyTorch, whose rows begin with "frame #" as well:
 *
 *     frame #0: c10::Error::Error(int) + 0x57 (0x7f3a9c5a9d87 in /lib/libc10.so)      distance from the function
 *     frame #1: <unknown function> + 0xc9aef (0x7f3a9c6a6b38 in /lib/libstdc++.so)    distance from the image
 *
 * Addresses are return addresses, except in the first frame. */
#include "formats/native/linux/stack_rows.h"
#include "formats/parsers.h"
#include "formats/row_writer.h"

static const char name[] = "lldb";

/* Parses "f(x=1) + 12", "f at a.c:3:5 [opt]", "main [inlined] f at a.c:9". */
static void read_function(framemap_str text, struct fm_stack_row *row)
{
    static const framemap_str inlined = FM_STR_INIT(" [inlined] ");
    framemap_frame parts = FM_FRAME_INIT;
    const size_t within = fm_str_find_last(text, inlined);
    if (within != FM_NOT_FOUND) {
        row->inlined = true;
        text = fm_str_from(text, within + inlined.size);
    }
    while (fm_str_ends(text, FM_STR(" [opt]")) || fm_str_ends(text, FM_STR(" [artificial]")))
        text.size = fm_str_find_last_byte(text, '[') - 1;
    fm_row_function_at(text, &parts);
    if (parts.line) { /* a distance may precede the position */
        framemap_str before = parts.function;
        parts.has_function_offset |= fm_row_distance(before, false, &parts.function, &parts.function_offset);
    }
    const size_t open = fm_str_find_byte(parts.function, '(');
    if (open != FM_NOT_FOUND && open > 0 && fm_str_find_byte(fm_str_from(parts.function, open), '=') != FM_NOT_FOUND)
        parts.function.size = open; /* the arguments with their values, "(x=1)", are cut off */
    fm_stack_row_take(row, &parts);
}

/* Parses a row of PyTorch: "f(int) + 0x57 (0x7f3a9c5a9d87 in /lib/libc10.so)", "f(int) at a.cc:7:3 (0x7f3a in
 * /lib/libc10.so)". */
static bool read_torch(framemap_str text, struct fm_stack_row *row)
{
    static const framemap_str open_mark = FM_STR_INIT(" (0x"), unknown = FM_STR_INIT("<unknown function>");
    const size_t open = fm_str_find_last(text, open_mark);
    framemap_frame parts = FM_FRAME_INIT;
    if (open == FM_NOT_FOUND || open == 0 || text.data[text.size - 1] != ')') return false;
    struct fm_scan s = fm_scan_of(fm_str_slice(text, open + 2, text.size - 1));
    const enum fm_digits digits = fm_row_0xhex(&s, &row->address);
    if (digits == FM_DIGITS_NONE || !fm_scan_text(&s, FM_STR(" in "))) return false;
    row->path = fm_scan_rest(&s);
    row->has_address = row->sure = true;
    row->too_long = digits == FM_DIGITS_LONG;
    text = fm_str(text.data, open);
    fm_row_function_at(text, &parts);
    if (parts.line == 0)
        parts.has_function_offset = fm_row_distance(text, true, &parts.function, &parts.function_offset);
    fm_stack_row_take(row, &parts);
    if (fm_str_equal(row->function, unknown)) {
        row->function.size = 0;
        row->module_offset = row->function_offset;
        row->has_module_offset = row->has_function_offset && !row->too_long;
        row->has_function_offset = false;
    }
    return row->path.size != 0;
}

/* Parses a row. *torch: the row was printed by PyTorch. */
static bool lldb_parse_row(framemap_str body, struct fm_stack_row *row, bool *torch)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body));
    framemap_str left;
    uint64_t offset;
    *row = (struct fm_stack_row){.index = -1};
    fm_scan_text(&s, FM_STR("* "));
    fm_scan_blanks(&s);
    if (!fm_scan_text(&s, FM_STR("frame #")) || !fm_row_index(&s, &row->index) || !fm_scan_text(&s, FM_STR(": ")))
        return false;
    const enum fm_digits digits = fm_row_0xhex(&s, &row->address);
    *torch = digits == FM_DIGITS_NONE;
    if (*torch) return read_torch(fm_str_trim(fm_scan_rest(&s)), row);
    row->has_address = row->sure = true;
    row->too_long = digits == FM_DIGITS_LONG;
    fm_scan_blanks(&s);
    const framemap_str text = fm_str_trim(fm_scan_rest(&s));
    const size_t tick = fm_str_find_byte(text, '`');
    if (tick == FM_NOT_FOUND) {
        row->path = fm_row_distance(text, true, &left, &offset) ? left : text;
        return true;
    }
    row->path = fm_str(text.data, tick);
    read_function(fm_str_from(text, tick + 1), row);
    return true;
}

/* Returns the value of "KEY = 'VALUE'". */
static framemap_str value_of(framemap_str text, framemap_str key)
{
    const size_t at = fm_str_find(text, key);
    if (at == FM_NOT_FOUND) return (framemap_str){NULL, 0};
    const framemap_str rest = fm_str_from(text, at + key.size);
    return fm_str_slice(rest, 0, fm_str_find_byte(rest, '\''));
}

/* Parses "* thread #1, name = 'a', queue = 'b', stop reason = signal SIGABRT". In text that was converted by a Markdown
 * tool, another mark of a list may replace the star. */
static bool lldb_read_title(framemap_str text, struct fm_stack_rows *rows)
{
    static const framemap_str reason = FM_STR_INIT("stop reason = ");
    struct fm_scan s = fm_scan_of(text);
    int64_t number;
    if (!fm_scan_text(&s, FM_STR("* "))) fm_scan_text(&s, FM_STR("- "));
    fm_scan_blanks(&s);
    if (!fm_scan_text(&s, FM_STR("thread #"))) return false;
    const char *digits = s.at;
    if (!fm_row_index(&s, &number) || (!fm_scan_done(&s) && *s.at != ',' && *s.at != ':')) return false;
    rows->thread_id = fm_str(digits, (size_t)(s.at - digits));
    rows->thread_name = value_of(text, FM_STR("name = '"));
    rows->thread_queue = value_of(text, FM_STR("queue = '"));
    const size_t at = fm_str_find(text, reason);
    rows->exception = at == FM_NOT_FOUND ? (framemap_str){NULL, 0} : fm_str_from(text, at + reason.size);
    rows->type = fm_str_slice(rows->exception, 0, fm_str_find(rows->exception, FM_STR(" (")));
    if (fm_str_starts(rows->type, FM_STR("signal "))) rows->type = rows->signal.name = fm_str_from(rows->type, 7);
    return true;
}

static bool lldb_is_significant(const struct fm_line *line)
{
    struct fm_stack_row row;
    struct fm_stack_rows ignored = {.open = false};
    bool torch;
    return lldb_parse_row(line->body, &row, &torch) || lldb_read_title(fm_str_trim(line->body), &ignored);
}

static enum fm_line_role lldb_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_stack_rows *rows = memory;
    struct fm_stack_row row;
    bool torch;
    rows->name = name;
    if (lldb_parse_row(line->body, &row, &torch)) return fm_stack_rows_add(rows, doc, line, &row, torch);
    if (!lldb_read_title(fm_str_trim(line->body), rows)) return FM_ROLE_NONE;
    fm_stack_rows_title(rows, line);
    return FM_ROLE_CONTEXT;
}

/* Writes "frame #1: inner(int) at src/a.cc:7:3 (0x7f3a9c5a9d87 in /lib/libc10.so)". */
static void put_torch(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    const size_t colon = fm_str_find(raw->raw, FM_STR(": ")), open = fm_str_find_last(raw->raw, FM_STR(" (0x"));
    fm_buf_str(out, fm_str_slice(raw->raw, 0, colon + 2));
    fm_buf_str(out, fm_row_name(restored));
    if (restored->file.size) {
        fm_buf_str(out, FM_STR(" at "));
        fm_row_put_location(out, restored);
    } else {
        fm_buf_str(out, FM_STR(" + 0x"));
        fm_buf_hex(out, restored->has_function_offset ? restored->function_offset : 0, 1);
    }
    fm_buf_str(out, fm_str_from(raw->raw, open));
}

/* Writes "  frame #1: 0x0000000100003f5c app`inner(int) at src/a.cc:7:3". */
static void lldb_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    struct fm_stack_row row;
    bool torch = false;
    if (lldb_parse_row(raw->raw, &row, &torch) && torch) {
        put_torch(out, raw, restored);
        return;
    }
    const size_t tick = fm_str_find_byte(raw->raw, '`'), plus = fm_str_find(raw->raw, FM_STR(" + "));
    fm_buf_str(out, fm_str_slice(raw->raw, 0, tick != FM_NOT_FOUND ? tick : plus));
    fm_buf_byte(out, '`');
    fm_buf_str(out, fm_row_name(restored));
    if (restored->file.size) {
        fm_buf_str(out, FM_STR(" at "));
        fm_row_put_location(out, restored);
    } else if (restored->has_function_offset) {
        fm_buf_str(out, FM_STR(" + "));
        fm_buf_dec(out, restored->function_offset);
    }
}

static void lldb_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    fm_native_put_chain(out, frame, prefix, eol, lldb_put);
}

static const struct fm_needle lldb_needles[] = {
    FM_NEEDLE("frame #", 3, 11),
    FM_NEEDLE("thread #", 4, 9),
};

/* Writes "    frame #1: 0x0000000100003f70 app`f at a.c:7:3". */
static void lldb_put_row(struct fm_buf *out, const struct fm_row_out *row)
{
    fm_buf_str(out, row->number == 0 ? FM_STR("  * frame #") : FM_STR("    frame #"));
    fm_buf_dec(out, row->number);
    fm_buf_str(out, FM_STR(": "));
    fm_row_put_pc(out, row);
    fm_buf_byte(out, ' ');
    fm_buf_str(out, row->frame->module.size ? row->frame->module : FM_STR("???"));
    fm_buf_byte(out, '`');
    fm_buf_str(out, row->name);
    if (row->frame->has_function_offset) {
        fm_buf_str(out, FM_STR(" + "));
        fm_buf_dec(out, row->frame->function_offset);
    }
    if (row->frame->file.size) {
        fm_buf_str(out, FM_STR(" at "));
        fm_row_put_location(out, row->frame);
    }
}

/* Writes "* thread #1, name = 'worker', stop reason = signal SIGSEGV". */
static void lldb_put_head(struct fm_buf *out, const framemap_trace *trace)
{
    const framemap_str id = fm_row_thread_number(trace), called = fm_row_thread_name(trace);
    fm_buf_str(out, FM_STR("* thread #"));
    fm_buf_str(out, id.size ? id : FM_STR("1"));
    if (called.size) {
        fm_buf_str(out, FM_STR(", name = '"));
        fm_buf_str(out, called);
        fm_buf_byte(out, '\'');
    }
    if (trace->thread_queue.size) {
        fm_buf_str(out, FM_STR(", queue = '"));
        fm_buf_str(out, trace->thread_queue);
        fm_buf_byte(out, '\'');
    }
    if (trace->signal.name.size) {
        fm_buf_str(out, FM_STR(", stop reason = signal "));
        fm_buf_str(out, trace->signal.name);
    }
    fm_buf_byte(out, '\n');
}

static const struct fm_output lldb_output = {
    .print = fm_print_rows,
    .put_row = lldb_put_row,
    .put_head = lldb_put_head,
    .holds = FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_MODULES |
             FRAMEMAP_PART_ADDRESSES | FRAMEMAP_PART_OFFSETS | FRAMEMAP_PART_THREADS,
};

const struct fm_format fm_lldb = {.info = {name, "backtraces of lldb (frame #0: 0x… app`f + 12)", true, true},
                                  FM_NEEDLES(lldb_needles),
                                  .marks = FM_MARK_WORD,
                                  .state_size = sizeof(struct fm_stack_rows),
                                  .firsts = "*-ft",
                                  .keeps_state = true,
                                  .offer = lldb_offer,
                                  .is_significant = lldb_is_significant,
                                  .print_frame = lldb_print_frame,
                                  .output = &lldb_output};
