/* Frames of HotSpot's error files (hs_err_pid.log):
 *
 *     #  SIGSEGV (0xb) at pc=0x00007f5a1c0a1b2c, pid=123, tid=456
 *     Current thread (0x00007f5a24001000):  JavaThread "main" [_thread_in_native, id=456, stack(0x…,0x…)]
 *
 *     Native frames: (J=compiled Java code, j=interpreted, Vv=VM code, C=native code)
 *     V  [libjvm.so+0x9a3b21]  JavaCalls::call_helper(JavaValue*)+0x411
 *     C  [libc.so.6+0x3d0bb]
 *     j  shop.Cart.add(I)V+12 java.base@17
 *     J 123 C2 shop.Cart.sum()J shop@1 (20 bytes) @ 0x00007f5a1c0a1b2c [0x00007f5a1c0a1b00+0x000000000000002c]
 *     v  ~StubRoutines::call_stub
 *
 * The offset in MODULE+0xOFF is the address as linked if the file is linked at 0; for other files, such as those of
 * Windows, it counts from the first byte of the image. The first frame of a stack has the exact address, the others
 * have return addresses. Frames of Java code have their names and need no symbols. */
#include "formats/native/linux/stack_rows.h"
#include "formats/parsers.h"

static const char name[] = "hotspot";

struct hotspot_row {
    struct fm_stack_row row;
    framemap_str class_name;
    char kind; /* letter of the kind of frame, as HotSpot prints it: C, V, A, v, j, J */
};

/* Parses "[libjvm.so+0x9a3b21]  f(int)+0x411", "0x00007f5a1c0a1b2c". */
static bool read_native(framemap_str text, struct fm_stack_row *row)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str inside;
    if (fm_scan_byte(&s, '[')) {
        if (!fm_scan_until(&s, ']', &inside)) return false;
        s.at++;
        row->has_module_offset = row->sure = fm_str_find_last(inside, FM_STR("+0x")) != FM_NOT_FOUND &&
                                             fm_row_distance(inside, true, &row->path, &row->module_offset);
        if (!row->has_module_offset) row->path = inside;
        row->from_begin = fm_str_ends(row->path, FM_STR(".dll")) || fm_str_ends(row->path, FM_STR(".exe"));
        if (!fm_scan_done(&s) && !fm_is_blank(*s.at))
            return true; /* other text may follow the row on its line, such as a prompt */
    } else {
        const enum fm_digits digits = fm_row_0xhex(&s, &row->address);
        if (digits == FM_DIGITS_NONE) return false;
        row->has_address = true;
        row->too_long = digits == FM_DIGITS_LONG;
    }
    framemap_str rest = fm_str_trim(fm_scan_rest(&s));
    framemap_frame parts = FM_FRAME_INIT;
    const size_t source = fm_str_find_last(rest, FM_STR("  ("));
    /* the row has a position, as in "f+0x12  (a.cpp:7)" */
    if (source != FM_NOT_FOUND && rest.data[rest.size - 1] == ')') {
        fm_row_location(fm_str_slice(rest, source + 3, rest.size - 1), &row->file, &row->line, &row->column);
        rest = fm_str_trim(fm_str(rest.data, source));
    }
    fm_row_function_at(rest, &parts);
    row->function = parts.function;
    if (parts.line) {
        row->file = parts.file;
        row->line = parts.line;
        row->column = parts.column;
    }
    row->has_function_offset = parts.has_function_offset;
    row->function_offset = parts.function_offset;
    return true;
}

/* Parses "shop.Cart.add(I)V+12 java.base@17" of interpreted code, or "123 C2 shop.Cart.sum()J (20 bytes) @ 0x…
 * [0x…+0x2c]" of compiled code. The text from "(20 bytes)" on is ignored. */
static bool read_java(framemap_str text, bool compiled, struct hotspot_row *out)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str word = {NULL, 0};
    for (fm_scan_blanks(&s); fm_scan_word(&s, &word); fm_scan_blanks(&s)) {
        const size_t open = fm_str_find_byte(word, '(');
        if (open == FM_NOT_FOUND || open == 0) {
            if (!compiled) return false;
            continue;
        }
        const size_t dot = fm_str_find_last_byte(fm_str(word.data, open), '.');
        if (dot == FM_NOT_FOUND || dot == 0) return false;
        out->class_name = fm_str(word.data, dot);
        out->row.function = fm_str_slice(word, dot + 1, open);
        return out->row.function.size != 0;
    }
    return false;
}

static bool hotspot_parse_row(framemap_str body, struct hotspot_row *out)
{
    framemap_str text = fm_str_trim(body);
    *out = (struct hotspot_row){.row = {.index = -1}};
    if (fm_str_starts(text, FM_STR("# "))) text = fm_str_trim(fm_str_from(text, 2));
    if (text.size < 4 || !strchr("CVAvjJ", text.data[0]) || text.data[0] == '\0' || text.data[1] != ' ') return false;
    out->kind = text.data[0];
    if (out->kind != 'J' && text.data[2] != ' ') return false;
    const framemap_str rest = fm_str_trim(fm_str_from(text, 2));
    if (out->kind == 'v') {
        out->row.function = rest;
        return rest.size && rest.data[0] == '~';
    }
    if (out->kind == 'j' || out->kind == 'J') return read_java(rest, out->kind == 'J', out);
    return read_native(rest, &out->row);
}

static bool is_list_title(framemap_str text)
{
    return fm_str_starts(text, FM_STR("Native frames: (")) || fm_str_starts(text, FM_STR("Java frames: (")) ||
           fm_str_ends(text, FM_STR("Problematic frame:"));
}

/* Parses the line with the signal: "#  SIGSEGV (0xb) at pc=0x00007f5a1c0a1b2c, pid=123, tid=456", or "#
 * EXCEPTION_ACCESS_VIOLATION (0xc0000005) at pc=…". */
static bool hotspot_read_signal(framemap_str text, struct fm_stack_rows *rows)
{
    static const framemap_str pid = FM_STR_INIT(", pid=");
    while (fm_str_starts(text, FM_STR("#"))) text = fm_str_trim(fm_str_from(text, 1));
    const size_t open = fm_str_find_byte(text, ' ');
    if (open == FM_NOT_FOUND || !fm_str_starts(fm_str_from(text, open), FM_STR(" (0x"))) return false;
    if (fm_str_find(fm_str_from(text, open), FM_STR(") at pc=0x")) == FM_NOT_FOUND) return false;
    const framemap_str type = fm_str_slice(text, 0, open);
    rows->exception = text;
    rows->type = type;
    if (fm_str_starts(type, FM_STR("SIG"))) rows->signal.name = type;
    const size_t process = fm_str_find(text, pid);
    if (process != FM_NOT_FOUND) {
        struct fm_scan s = fm_scan_of(fm_str_from(text, process + pid.size));
        rows->has_pid = fm_scan_dec(&s, &rows->pid, NULL);
    }
    return true;
}

/* Reads the thread from a line above a list of frames: 'Current thread (0x…):  JavaThread "main" daemon
 * [_thread_in_native, id=456,'. */
static void read_thread_above(struct fm_stack_rows *rows, struct fm_document *doc, const struct fm_line *line)
{
    enum { ABOVE = 6 };
    static const framemap_str mark = FM_STR_INIT("Current thread (0x"), id = FM_STR_INIT(", id=");
    struct fm_look_back walk = fm_look_back_from(doc, line, fm_document_last_end(doc), ABOVE);
    for (struct fm_line *above; (above = fm_look_back_next(&walk)) != NULL;) {
        if (!fm_line_cut(above)) continue;
        const framemap_str text = fm_str_trim(above->body);
        if (!fm_str_starts(text, mark)) continue;
        const size_t open = fm_str_find_byte(text, '"'), close = fm_str_find_last_byte(text, '"');
        if (open != FM_NOT_FOUND && close > open) rows->thread_name = fm_str_slice(text, open + 1, close);
        const size_t number = fm_str_find_last(text, id);
        if (number == FM_NOT_FOUND) return;
        const framemap_str rest = fm_str_from(text, number + id.size);
        struct fm_scan s = fm_scan_of(rest);
        uint64_t value;
        if (fm_scan_dec(&s, &value, NULL)) rows->thread_id = fm_str(rest.data, (size_t)(s.at - rest.data));
        return;
    }
}

static bool hotspot_is_significant(const struct fm_line *line)
{
    struct hotspot_row row;
    struct fm_stack_rows ignored = {.open = false};
    const framemap_str text = fm_str_trim(line->body);
    if (is_list_title(text) || hotspot_read_signal(text, &ignored)) return true;
    return hotspot_parse_row(text, &row) && row.row.sure;
}

static enum fm_line_role hotspot_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_stack_rows *rows = memory;
    struct hotspot_row row;
    const framemap_str text = fm_str_trim(line->body);
    const bool near = fm_stack_rows_near(rows, line);
    rows->name = name;
    if (is_list_title(text)) {
        fm_stack_rows_title(rows, line);
        read_thread_above(rows, doc, line);
        return FM_ROLE_CONTEXT;
    }
    if (hotspot_read_signal(text, rows)) return FM_ROLE_CONTEXT;
    if (!hotspot_parse_row(text, &row) || (!near && !row.row.sure)) return FM_ROLE_NONE;
    const enum fm_line_role role = fm_stack_rows_add(rows, doc, line, &row.row, false);
    framemap_frame *frame = fm_native_last(fm_document_open(doc, name));
    if (frame && row.class_name.size) {
        frame->kind = FRAMEMAP_KIND_JAVA;
        frame->class_name = row.class_name;
        frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    }
    return role;
}

/* Writes "C  [libc.so.6+0x3d0bb]  inner(int) at src/a.cc:7". */
static void hotspot_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    const size_t close = fm_str_find_byte(raw->raw, ']');
    fm_buf_str(out, fm_str_slice(raw->raw, 0, close == FM_NOT_FOUND ? close : close + 1));
    fm_buf_str(out, FM_STR("  "));
    fm_row_put_at(out, restored);
}

static void hotspot_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    fm_native_put_chain(out, frame, prefix, eol, hotspot_put);
}

static const struct fm_needle hotspot_needles[] = {
    FM_NEEDLE("Native frames: (", 10, 8),
    FM_NEEDLE("Java frames: (", 8, 8),
    FM_NEEDLE("Problematic frame:", 1, 6),
};

const struct fm_format fm_hotspot = {.info = {name, "HotSpot's error files (C  [libc.so.6+0x12]  f+0x1)", true, false},
                                     FM_NEEDLES(hotspot_needles),
                                     .marks = FM_MARK_WORD | FM_MARK_HEX,
                                     .state_size = sizeof(struct fm_stack_rows),
                                     .firsts = "CVAvjJNS#E",
                                     .keeps_state = true,
                                     .offer = hotspot_offer,
                                     .is_significant = hotspot_is_significant,
                                     .print_frame = hotspot_print_frame};
