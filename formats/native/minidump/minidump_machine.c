/* The machine-readable output of Breakpad's minidump_stackwalk (-m): fields separated by bars.
 *
 *     OS|Linux|4.4.0
 *     Crash|SIGSEGV|0x0|0
 *     Module|app||app|B7C04F7B5C2A80AF870A1C234668A0DE0|0x00400000|0x00416fff|1
 *
 *     0|0|app|crash()|src/app.cc|12|0x3            distance from the start of the line's code
 *     0|1|app|main|||0x1f                          distance from the start of the function
 *     0|2|libc.so.6||||0x20830                     distance from the start of the module
 *     0|3|||||0x7f00                               address
 *
 * Addresses are return addresses, except in the first frame of a thread. */
#include "formats/native/native_parts.h"
#include "formats/parsers.h"
#include "formats/row_writer.h"

static const char name[] = "minidump-machine";
#define MACHINE_GAP 3 /* up to this many lines of other text may be within one stack */

struct machine_state {
    framemap_str os, os_version, arch, reason, address, crashed, thread;
    int64_t index;
    uint64_t number1; /* number of the line of the last frame */
    bool has_frames;  /* frames of a report were read, and no header line since */
};

struct machine_row {
    framemap_str thread, module, function, file;
    int64_t index;
    uint64_t line, offset;
    enum fm_digits digits;
};

/* Cuts off the text before the first bar, and stores it in *part. */
static bool next_part(framemap_str *text, framemap_str *part)
{
    const size_t bar = fm_str_find_byte(*text, '|');
    if (bar == FM_NOT_FOUND) return false;
    *part = fm_str(text->data, bar);
    *text = fm_str_from(*text, bar + 1);
    return true;
}
static bool last_part(framemap_str *text, framemap_str *part)
{
    const size_t bar = fm_str_find_last_byte(*text, '|');
    if (bar == FM_NOT_FOUND) return false;
    *part = fm_str_from(*text, bar + 1);
    text->size = bar;
    return true;
}

static bool all_digits(framemap_str text)
{
    for (size_t i = 0; i < text.size; i++)
        if (!fm_is_digit(text.data[i])) return false;
    return text.size != 0 && text.size < 10;
}

/* Parses a row. The function's name may contain bars, so the fields before and after it are cut off from both ends. */
static bool machine_parse_row(framemap_str body, struct machine_row *row)
{
    framemap_str text = fm_str_trim(body), index, line, offset;
    if (!next_part(&text, &row->thread) || !all_digits(row->thread) || !next_part(&text, &index) ||
        !all_digits(index) || !next_part(&text, &row->module) || !last_part(&text, &offset) ||
        !last_part(&text, &line) || !last_part(&text, &row->file))
        return false;
    row->function = text;
    struct fm_scan s = fm_scan_of(index);
    if (!fm_row_index(&s, &row->index)) return false;
    s = fm_scan_of(line);
    if (line.size && (!all_digits(line) || !fm_scan_dec(&s, &row->line, NULL))) return false;
    s = fm_scan_of(offset);
    row->digits = fm_row_0xhex(&s, &row->offset);
    return row->digits != FM_DIGITS_NONE && fm_scan_done(&s);
}

static void machine_fill(const struct machine_row *row, struct fm_document *doc, framemap_frame *frame)
{
    frame->index = row->index;
    frame->module = row->module;
    frame->function = row->function;
    frame->file = row->file;
    frame->line = (uint32_t)row->line;
    frame->return_address = row->index > 0;
    if (row->digits == FM_DIGITS_LONG) {
        fm_row_malformed(frame, "the offset has more than 16 hexadecimal digits");
    } else if (row->line) {
        framemap_frame_extra *extra = fm_document_extra(doc, frame);
        if (extra) {
            extra->has_line_offset = true;
            extra->line_offset = row->offset;
        }
    } else if (row->function.size) {
        frame->has_function_offset = true;
        frame->function_offset = row->offset;
    } else {
        frame->has_address = true;
        frame->address = row->offset;
        frame->address_kind = row->module.size ? FRAMEMAP_ADDRESS_IMAGE : FRAMEMAP_ADDRESS_ABSOLUTE;
    }
    if (!frame->has_address) frame->return_address = false;
    fm_native_mark_named(frame);
}

static framemap_str machine_arch(framemap_str cpu)
{
    if (fm_str_equal(cpu, FM_STR("amd64"))) return FM_STR("x86_64");
    if (fm_str_equal(cpu, FM_STR("x86"))) return FM_STR("i386");
    return cpu;
}

/* Parses "Module|NAME|VERSION|DEBUGFILE|DEBUGID|0xBASE|0xEND|MAIN". */
static bool machine_read_module(framemap_str text, struct fm_document *doc, const struct fm_line *line)
{
    framemap_str part[6];
    uint64_t start = 0, end = 0;
    for (size_t i = 0; i < 6; i++)
        if (!next_part(&text, &part[i])) return false;
    struct fm_scan s = fm_scan_of(part[4]), t = fm_scan_of(part[5]);
    if (fm_row_0xhex(&s, &start) != FM_DIGITS_FIT || fm_row_0xhex(&t, &end) != FM_DIGITS_FIT) return false;
    framemap_image *image = fm_document_image(doc, line);
    if (image == NULL) return true;
    image->load_address = start;
    image->size = end > start && end - start != UINT64_MAX ? end - start + 1 : 0;
    image->name = part[0];
    fm_row_id(part[3], doc, &image->id);
    return true;
}

static bool machine_read_header(struct machine_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_str text = fm_str_trim(line->body), key;
    if (!next_part(&text, &key)) return false;
    const bool is_module = fm_str_equal(key, FM_STR("Module"));
    if (fm_str_equal(key, FM_STR("OS"))) {
        if (state->has_frames) fm_document_report_end(doc);
        *state = (struct machine_state){.index = 0};
        if (next_part(&text, &state->os)) state->os_version = text;
        return true;
    }
    if (state->os.size == 0 && !is_module) return false;
    if (is_module) return machine_read_module(text, doc, line);
    if (fm_str_equal(key, FM_STR("CPU"))) {
        if (next_part(&text, &key)) state->arch = machine_arch(key);
    } else if (fm_str_equal(key, FM_STR("Crash"))) {
        if (!next_part(&text, &state->reason) || !next_part(&text, &state->address)) return false;
        state->crashed = text;
    } else {
        return fm_str_equal(key, FM_STR("GPU"));
    }
    return true;
}

static void put_crash(const struct machine_state *state, framemap_trace *trace)
{
    struct fm_scan s = fm_scan_of(state->address);
    const size_t slash = fm_str_find_byte(state->reason, '/');
    trace->exception = state->reason;
    trace->exception_type = fm_str_trim(fm_str_slice(state->reason, 0, slash));
    if (fm_str_starts(trace->exception_type, FM_STR("SIG"))) trace->signal.name = trace->exception_type;
    trace->signal.has_address = fm_row_0xhex(&s, &trace->signal.address) == FM_DIGITS_FIT;
}

static framemap_trace *machine_trace(struct machine_state *state, struct fm_document *doc, const struct fm_line *line,
                                     const struct machine_row *row)
{
    framemap_trace *trace = fm_document_open(doc, name);
    if (trace && fm_str_equal(row->thread, state->thread) && row->index >= state->index &&
        line->number1 - state->number1 <= MACHINE_GAP)
        return trace;
    fm_document_expect_images(doc);
    trace = fm_document_trace(doc, name, line);
    if (!trace) return NULL;
    trace->thread = trace->thread_id = state->thread = row->thread;
    trace->os = state->os;
    trace->os_version = state->os_version;
    trace->arch = state->arch;
    trace->crashed = state->crashed.size && fm_str_equal(state->crashed, row->thread);
    if (trace->crashed) put_crash(state, trace);
    return trace;
}

static bool machine_is_significant(const struct fm_line *line)
{
    static const framemap_str heads[] = {FM_STR_INIT("OS|"), FM_STR_INIT("CPU|"), FM_STR_INIT("GPU|"),
                                         FM_STR_INIT("Crash|"), FM_STR_INIT("Module|")};
    struct machine_row row = {.index = 0};
    if (fm_is_digit(line->first)) return machine_parse_row(line->body, &row);
    const framemap_str text = fm_str_trim(line->body);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (fm_str_begins(text, heads[i])) return true;
    return false;
}

static enum fm_line_role machine_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct machine_state *state = memory;
    struct machine_row row = {.index = 0};
    framemap_frame frame = FM_FRAME_INIT;
    if (!fm_is_digit(line->first)) return machine_read_header(state, doc, line) ? FM_ROLE_CONTEXT : FM_ROLE_NONE;
    if (!machine_parse_row(line->body, &row)) return FM_ROLE_NONE;
    if (!machine_trace(state, doc, line, &row)) return FM_ROLE_FRAME;
    machine_fill(&row, doc, &frame);
    fm_document_frame(doc, line, &frame);
    state->index = row.index;
    state->number1 = line->number1;
    state->has_frames = true;
    return FM_ROLE_FRAME;
}

/* Writes a row with the restored function: "0|1|app|inner(int)|src/a.cc|7|0x0", or "0|1|app|outer()|||0x18" without a
 * position. */
static void machine_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    framemap_str text = raw->raw, part;
    for (size_t i = 0; i < 3; i++)
        if (!next_part(&text, &part)) return;
    fm_buf_str(out, fm_str(raw->raw.data, (size_t)(text.data - raw->raw.data)));
    fm_buf_str(out, fm_row_name(restored));
    fm_buf_byte(out, '|');
    fm_buf_str(out, restored->file);
    fm_buf_byte(out, '|');
    if (restored->line) fm_buf_dec(out, restored->line);
    fm_buf_str(out, FM_STR("|0x"));
    fm_buf_hex(out, restored->line || !restored->has_function_offset ? 0 : restored->function_offset, 1);
}

static void machine_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    fm_native_put_chain(out, frame, prefix, eol, machine_put);
}

static const struct fm_needle machine_needles[] = {
    FM_NEEDLE("OS|", 0, 1),    FM_NEEDLE("CPU|", 0, 13),   FM_NEEDLE("GPU|", 0, 6),
    FM_NEEDLE("Crash|", 2, 8), FM_NEEDLE("Module|", 2, 5),
};

/* Writes "0|1|app|f|src/a.cc|7|0x0". */
static void machine_put_row(struct fm_buf *out, const struct fm_row_out *row)
{
    const framemap_frame *frame = row->frame;
    fm_buf_str(out, FM_STR("0|"));
    fm_buf_dec(out, row->number);
    fm_buf_byte(out, '|');
    fm_buf_str(out, frame->module);
    fm_buf_byte(out, '|');
    fm_buf_str(out, row->name);
    fm_buf_byte(out, '|');
    fm_buf_str(out, frame->file);
    fm_buf_byte(out, '|');
    if (frame->line) fm_buf_dec(out, frame->line);
    fm_buf_str(out, FM_STR("|0x"));
    fm_buf_hex(out, frame->line || !frame->has_function_offset ? 0 : frame->function_offset, 1);
}

static const struct fm_output minidump_machine_output = {
    .print = fm_print_rows,
    .put_row = machine_put_row,
    .holds = FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_MODULES,
};

const struct fm_format fm_minidump_machine = {
    .info = {name, "minidump_stackwalk -m (0|0|app|f|a.cc|1|0x2)", true, true},
    .id_form = FM_ID_BREAKPAD,
    FM_NEEDLES(machine_needles),
    .marks = FM_MARK_WORD | FM_MARK_HEX,
    .state_size = sizeof(struct machine_state),
    .firsts = "0123456789OCGM",
    .all_of = FM_HAS_BAR,
    .offer = machine_offer,
    .is_significant = machine_is_significant,
    .print_frame = machine_print_frame,
    .output = &minidump_machine_output};
