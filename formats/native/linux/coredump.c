/* Stacks that systemd-coredump writes to the journal and coredumpctl prints, and those of eu-stack:
 *
 *     Signal: 11 (SEGV)                                    coredumpctl, some lines above
 *     Process 1234 (app) of user 1000 dumped core.         after "Message: " in coredumpctl
 *     Module libx.so.6 with build-id 69389d485a9793dbe873f0ea2c93e02efaa9aa3d
 *     Stack trace of thread 1234:
 *     #0  0x00007f5a1c0a1b2c raise (libc.so.6 + 0x3d0bb)
 *     #1  0x0000000000000000 n/a (n/a)
 *     #2  0x00007f5a1c0a1b2c raise (libc.so.6)             before version 247
 *
 *     TID 1234:                                            eu-stack
 *     #0  0x00007f5a1c0a1b2c     poll - /lib/libc.so.6     -m prints the module
 *     #1  0x00005637cc0a1b2c - 1 main - /usr/bin/app       -v prints "- 1" if the address is a return address
 *         [6938…]@0x5637cc0a0000+0x1b2b                    -b: build id, start, and distance of the call from it
 *         /src/a.c:12:3                                    -s: the position
 *
 * The offset in "MODULE + 0xOFF" is an address as linked if the file is linked at 0. The first address of a stack is
 * exact, the others are return addresses. */
#include "formats/native/linux/stack_rows.h"
#include "formats/parsers.h"
#include "formats/row_writer.h"
#include "formats/signal_names.h"

static const char name[] = "coredump";

/* Parser state; zeroed at the start of a text. */
struct coredump_state {
    struct fm_stack_rows rows;
    bool eu_stack; /* eu-stack printed the last title */
};
static const framemap_str none = FM_STR_INIT("n/a"), title = FM_STR_INIT("Stack trace of thread ");

/* Reads the text in the parentheses of a row. A module without a distance, as old versions print it, does not make the
 * row certain, because rows of other formats look the same. */
static bool read_where(framemap_str group, struct fm_stack_row *row)
{
    if (fm_str_find_last(group, FM_STR(" + 0x")) != FM_NOT_FOUND) {
        row->has_module_offset = fm_row_distance(group, true, &row->path, &row->module_offset);
        row->sure = true;
        if (fm_str_equal(row->path, none)) { /* "(n/a + 0x0)" means that the address is not in a file */
            row->path = (framemap_str){NULL, 0};
            row->has_module_offset = false;
            return true;
        }
        return row->has_module_offset;
    }
    row->path = group;
    return group.size != 0;
}

static bool coredump_parse_row(framemap_str body, struct fm_stack_row *row)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body));
    framemap_str group;
    framemap_frame parts = FM_FRAME_INIT;
    *row = (struct fm_stack_row){.index = -1};
    if (!fm_scan_byte(&s, '#') || !fm_row_index(&s, &row->index) || !fm_scan_blanks1(&s)) return false;
    const enum fm_digits digits = fm_row_0xhex(&s, &row->address);
    if (digits == FM_DIGITS_NONE || !fm_scan_blanks1(&s)) return false;
    framemap_str text = fm_scan_rest(&s);
    if (!fm_row_group(&text, &group) || text.size == 0 || fm_str_starts(text, FM_STR("in "))) return false;
    row->has_address = true;
    row->too_long = digits == FM_DIGITS_LONG;
    if (!fm_str_equal(group, none)) {
        if (!read_where(group, row)) return false;
    } else if (!fm_str_equal(text, none)) {
        return false;
    } else {
        row->sure = true;
    }
    if (fm_str_equal(text, none)) return true;
    fm_row_function_at(text, &parts);
    fm_stack_row_take(row, &parts);
    return true;
}

/* Parses "#1  0x00005637cc0a1b2c - 1 main - /usr/bin/app". */
static bool eu_parse_row(framemap_str body, struct fm_stack_row *row)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body));
    *row = (struct fm_stack_row){.index = -1};
    if (!fm_scan_byte(&s, '#') || !fm_row_index(&s, &row->index) || !fm_scan_blanks1(&s)) return false;
    const enum fm_digits digits = fm_row_0xhex(&s, &row->address);
    if (digits == FM_DIGITS_NONE || (!fm_scan_done(&s) && !fm_is_blank(*s.at))) return false;
    row->has_address = true;
    row->too_long = digits == FM_DIGITS_LONG;
    framemap_str text = fm_str_trim(fm_scan_rest(&s));
    if (fm_str_starts(text, FM_STR("- 1"))) text = fm_str_trim(fm_str_from(text, 3));
    const size_t dash = fm_str_starts(text, FM_STR("- /")) ? 0 : fm_str_find_last(text, FM_STR(" - /"));
    if (dash != FM_NOT_FOUND) {
        row->path = fm_str_from(text, fm_str_find(fm_str_from(text, dash), FM_STR("/")) + dash);
        text = fm_str_trim(fm_str(text.data, dash));
    }
    framemap_frame parts = FM_FRAME_INIT;
    if (text.size) fm_row_function_at(text, &parts);
    fm_stack_row_take(row, &parts);
    return true;
}

/* Parses "[6938…]@0x5637cc0a0000+0x1b2b" below a row: build id and start of the image, and the distance of the address
 * from that start. eu-stack has already subtracted one from the distance of a return address. */
static bool eu_read_place(struct fm_document *doc, framemap_str text)
{
    framemap_frame *frame = fm_native_last(fm_document_open(doc, name));
    struct fm_scan s = fm_scan_of(text);
    framemap_str id;
    uint64_t start, distance;
    if (frame == NULL || !fm_scan_byte(&s, '[') || !fm_scan_until(&s, ']', &id) || !fm_scan_text(&s, FM_STR("]@")) ||
        fm_row_0xhex(&s, &start) != FM_DIGITS_FIT || !fm_scan_byte(&s, '+') ||
        fm_row_0xhex(&s, &distance) != FM_DIGITS_FIT || !fm_scan_done(&s))
        return false;
    if (frame->address_kind != FRAMEMAP_ADDRESS_ABSOLUTE || !fm_row_id(id, doc, &frame->id)) return true;
    frame->has_absolute_address = true;
    frame->absolute_address = frame->address;
    frame->address = distance;
    frame->address_kind = FRAMEMAP_ADDRESS_IMAGE;
    frame->return_address = false;
    return true;
}

/* Parses the number in a title, "1234"; *tid is its text. */
static bool read_tid(struct fm_scan *s, framemap_str *tid)
{
    const char *start = s->at;
    uint64_t number;
    if (!fm_scan_dec(s, &number, NULL)) return false;
    *tid = fm_str(start, (size_t)(s->at - start));
    return true;
}

/* Parses "TID 1234:". */
static bool eu_read_title(framemap_str text, framemap_str *tid)
{
    struct fm_scan s = fm_scan_of(text);
    return fm_scan_text(&s, FM_STR("TID ")) && read_tid(&s, tid) && fm_scan_byte(&s, ':') && fm_scan_done(&s);
}

/* Handles a line that eu-stack prints below its title: adds a frame if the line is a row. */
static enum fm_line_role eu_offer(struct fm_stack_rows *rows, struct fm_document *doc, const struct fm_line *line,
                                  framemap_str text)
{
    struct fm_stack_row row;
    if (line->first == '#')
        return eu_parse_row(text, &row) ? fm_stack_rows_add(rows, doc, line, &row, false) : FM_ROLE_NONE;
    if (rows->fresh || (!eu_read_place(doc, text) && !fm_native_read_position(fm_document_open(doc, name), text)))
        return FM_ROLE_NONE;
    rows->number1 = line->number1;
    return FM_ROLE_CONTEXT;
}

/* Parses "Process 1234 (app) of user 1000 dumped core.", possibly after "Message: ". */
static bool coredump_read_process(framemap_str text, struct fm_stack_rows *rows)
{
    const size_t label = fm_str_find(text, FM_STR(": Process "));
    struct fm_scan s = fm_scan_of(fm_str_from(text, label == FM_NOT_FOUND ? 0 : label + 2));
    framemap_str process;
    uint64_t pid;
    if (!fm_scan_text(&s, FM_STR("Process ")) || !fm_scan_dec(&s, &pid, NULL) || !fm_scan_text(&s, FM_STR(" (")) ||
        !fm_scan_until(&s, ')', &process) || fm_str_find(text, FM_STR("dumped core")) == FM_NOT_FOUND)
        return false;
    rows->pid = pid;
    rows->has_pid = true;
    rows->process = process;
    return true;
}

/* Reads "Signal: 11 (SEGV)", which coredumpctl prints above the line of the process. */
static void read_signal(struct fm_stack_rows *rows, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_look_back back = fm_look_back_from(doc, line, 0, FM_LOOK_BACK_MOST);
    for (struct fm_line *before; (before = fm_look_back_next(&back)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        const framemap_str text = fm_str_trim(before->body);
        struct fm_scan s = fm_scan_of(text);
        uint64_t number;
        if (!fm_scan_text(&s, FM_STR("Signal: ")) || !fm_scan_dec(&s, &number, NULL) || number > 64) continue;
        rows->signal = (framemap_signal){
            .has_number = true, .number = (int32_t)number, .name = fm_signal_name(number, FM_SIGNALS_OF_LINUX)};
        rows->exception = text;
        rows->type = rows->signal.name;
        return;
    }
}

/* Parses "Module libx.so.6 with build-id 6938…", "Module /usr/bin/app (deleted) with build-id …", and "Found module
 * libx.so.6 with build-id: 6938…" of systemd 248 and 249. */
static bool read_module(framemap_str text, struct fm_document *doc, const struct fm_line *line)
{
    static const framemap_str marks[] = {FM_STR_INIT(" with build-id "), FM_STR_INIT(" with build-id: ")};
    const bool found = fm_str_starts(text, FM_STR("Found module "));
    if (found) text = fm_str_from(text, 6);
    const framemap_str mark = marks[found];
    const size_t at = fm_str_find(text, mark);
    if (!fm_str_starts(text, found ? FM_STR("module ") : FM_STR("Module ")) || at == FM_NOT_FOUND || at < 8)
        return false;
    if (doc == NULL) return true;
    framemap_image *image = fm_document_image(doc, line);
    if (image == NULL) return true;
    const framemap_str path = fm_str_slice(text, 7, at);
    image->name = fm_str_basename(path);
    if (image->name.size < path.size) image->path = path;
    framemap_str id = {NULL, 0};
    if (fm_row_id(fm_str_trim(fm_str_from(text, at + mark.size)), doc, &id)) image->id = id;
    return true;
}

static bool coredump_is_significant(const struct fm_line *line)
{
    struct fm_stack_row row;
    struct fm_stack_rows ignored = {.open = false};
    const framemap_str text = fm_str_trim(line->body);
    framemap_str tid;
    if (line->first == '#') return coredump_parse_row(text, &row) && row.sure;
    return eu_read_title(text, &tid) || fm_str_starts(text, title) || coredump_read_process(text, &ignored) ||
           read_module(text, NULL, line);
}

static enum fm_line_role coredump_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct coredump_state *state = memory;
    struct fm_stack_rows *rows = &state->rows;
    struct fm_stack_row row;
    const framemap_str text = fm_str_trim(line->body);
    framemap_str tid;
    rows->name = name;
    if (eu_read_title(text, &tid)) {
        rows->thread_id = tid;
        fm_stack_rows_title(rows, line);
        state->eu_stack = true;
        return FM_ROLE_CONTEXT;
    }
    if (state->eu_stack && fm_stack_rows_near(rows, line)) {
        const enum fm_line_role role = eu_offer(rows, doc, line, text);
        if (role != FM_ROLE_NONE) return role;
    } else {
        state->eu_stack = false;
    }
    if (line->first == '#')
        return coredump_parse_row(text, &row) && (row.sure || fm_stack_rows_near(rows, line))
                   ? fm_stack_rows_add(rows, doc, line, &row, false)
                   : FM_ROLE_NONE;
    if (fm_str_starts(text, title)) {
        struct fm_scan s = fm_scan_of(fm_str_from(text, title.size));
        (void)read_tid(&s, &rows->thread_id);
        fm_stack_rows_title(rows, line);
    } else if (coredump_read_process(text, rows)) {
        read_signal(rows, doc, line);
    } else if (!read_module(text, doc, line)) {
        return FM_ROLE_NONE;
    }
    return FM_ROLE_CONTEXT;
}

/* Writes "#1  0x00007f5a1c0a1b2c inner(int) at src/a.cc:7:3 (libx.so + 0x1234)". */
static void coredump_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    struct fm_stack_row row;
    /* a row of eu-stack has no group in parentheses */
    if (!coredump_parse_row(raw->raw, &row) && eu_parse_row(raw->raw, &row)) {
        struct fm_scan s = fm_scan_of(raw->raw);
        framemap_str word;
        fm_scan_word(&s, &word);
        fm_scan_blanks(&s);
        fm_scan_word(&s, &word);
        fm_buf_str(out, fm_str(raw->raw.data, (size_t)(word.data + word.size - raw->raw.data)));
        fm_buf_byte(out, ' ');
        fm_row_put_at(out, restored);
        return;
    }
    fm_native_put_before_group(out, raw, restored, 2);
}

static void coredump_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    fm_native_put_chain(out, frame, prefix, eol, coredump_put);
}

static const struct fm_needle coredump_needles[] = {
    FM_NEEDLE("Stack trace of thread ", 0, 1),
    FM_NEEDLE("dumped core", 2, 10),
    FM_NEEDLE(" with build-id", 4, 12),
    FM_NEEDLE("TID ", 0, 1),
};

/* Writes "#1  0x00007f5a1c0a1b2c f at a.c:7:3 (libx.so + 0x1234)". */
static void coredump_put_row(struct fm_buf *out, const struct fm_row_out *row)
{
    framemap_frame named = *row->frame;
    named.function = row->name;
    fm_buf_byte(out, '#');
    fm_buf_dec(out, row->number);
    fm_buf_str(out, row->number < 10 ? FM_STR("  ") : FM_STR(" "));
    fm_row_put_pc(out, row);
    fm_buf_byte(out, ' ');
    fm_row_put_at(out, &named);
    fm_buf_str(out, FM_STR(" ("));
    fm_buf_str(out, row->frame->module.size ? row->frame->module : FM_STR("?"));
    fm_buf_str(out, FM_STR(" + 0x"));
    fm_buf_hex(out, row->has_relative ? row->relative : 0, 1);
    fm_buf_byte(out, ')');
}

static void coredump_put_head(struct fm_buf *out, const framemap_trace *trace)
{
    const framemap_str id = fm_row_thread_number(trace);
    fm_buf_str(out, title);
    fm_buf_str(out, id.size ? id : FM_STR("1"));
    fm_buf_byte(out, ':');
    fm_buf_byte(out, '\n');
}

static const struct fm_output coredump_output = {
    .print = fm_print_rows,
    .put_row = coredump_put_row,
    .put_head = coredump_put_head,
    .addresses_in_image = true,
    .holds = FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_MODULES |
             FRAMEMAP_PART_ADDRESSES | FRAMEMAP_PART_THREADS,
};

const struct fm_format fm_coredump = {
    .info = {name, "stacks of systemd-coredump and eu-stack (#0  0x… f (libx.so + 0x12))", true, true},
    FM_NEEDLES(coredump_needles),
    .marks = FM_MARK_WORD | FM_MARK_NUMBER,
    .state_size = sizeof(struct coredump_state),
    .firsts = "#SPMTF",
    .keeps_state = true,
    .offer = coredump_offer,
    .is_significant = coredump_is_significant,
    .print_frame = coredump_print_frame,
    .output = &coredump_output};
