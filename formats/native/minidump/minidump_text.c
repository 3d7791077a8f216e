/* Parses the output of the two programs minidump_stackwalk, of Breakpad and of rust-minidump: a header, threads with
 * registers below each frame, and the modules at the end.
 *
 *     Thread 0 (crashed)
 *      0  app!crash() [app.cc : 58 + 0x3]
 *         eip = 0x0040429e   esp = 0x0012fe84
 *         Found by: given as instruction pointer in context
 *      1  libc.so.6 + 0x20830
 *     ...
 *     Loaded modules:
 *     0x00400000 - 0x0042cfff  app  ???  (main)
 *
 * One of the registers below a frame is the program counter. It is a return address in every frame except the one
 * "given as instruction pointer in context". The distance from the start of a module is that of the return address in
 * Breakpad's output, and that of the call in rust-minidump's. */
#include "formats/native/native_parts.h"
#include "formats/parsers.h"

static const char name[] = "minidump";

enum section { OUTSIDE, HEADER, THREAD, MODULES, UNLOADED };

struct minidump_state {
    enum section section;
    bool fresh;      /* a title was read since the last frame */
    bool crashed;    /* the title marks the crashed thread */
    bool has_pc;     /* the registers below the last row have the program counter */
    bool placed;     /* a frame of this thread has a program counter among its registers, which are complete */
    bool stepped;    /* the rows of this thread have the addresses of calls, as rust-minidump's title or a row showed */
    bool is_version; /* the next line is the version of the operating system */
    framemap_str os, os_version, arch, reason, address, assertion;
    framemap_str thread_id, thread_name;
    uint64_t number1; /* number of the last line of the current section */
};

struct minidump_row {
    int64_t index;
    framemap_str module, function, file;
    uint64_t offset, line_offset, address;
    uint32_t line;
    bool has_offset, has_line_offset, has_address;
    bool sure; /* the row has a form that only this format has */
    enum fm_digits digits;
};

/* Parses "FILE : LINE + 0x3", "FILE : LINE". */
static bool read_location(framemap_str text, struct minidump_row *row)
{
    const size_t colon = fm_str_find_last(text, FM_STR(" : "));
    if (colon == FM_NOT_FOUND || colon == 0) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, colon + 3));
    if (!fm_scan_dec32(&s, &row->line)) return false;
    if (fm_scan_text(&s, FM_STR(" + "))) row->has_line_offset = fm_row_0xhex(&s, &row->line_offset) == FM_DIGITS_FIT;
    row->file = fm_str(text.data, colon);
    return fm_scan_done(&s);
}

/* Parses "FUNC [FILE : LINE + 0x3]", "FUNC + 0x23", "FUNC". */
static bool read_function(framemap_str text, struct minidump_row *row)
{
    const size_t open = fm_str_find_last(text, FM_STR(" ["));
    row->function = text;
    if (text.size && text.data[text.size - 1] == ']' && open != FM_NOT_FOUND && open > 0 &&
        read_location(fm_str_slice(text, open + 2, text.size - 1), row)) {
        row->function = fm_str_trim(fm_str(text.data, open));
        row->sure = row->has_line_offset;
    } else if (fm_str_find_last(text, FM_STR(" + 0x")) != FM_NOT_FOUND &&
               fm_row_distance(text, true, &row->function, &row->offset)) {
        row->has_offset = row->sure = true;
    }
    return row->function.size != 0;
}

/* Parses "0xADDR", "0xADDR (unloaded a.dll@0x460|0x700)", "MOD + 0xOFF", "MOD (unloaded …)", "MOD". */
static bool minidump_read_place(framemap_str text, struct minidump_row *row)
{
    static const framemap_str unloaded = FM_STR_INIT(" (unloaded ");
    const size_t at = fm_str_find(text, unloaded);
    struct fm_scan s = fm_scan_of(text);
    if (at != FM_NOT_FOUND) {
        struct fm_scan t = fm_scan_of(fm_str_from(text, at + unloaded.size));
        if (!fm_scan_until(&t, '@', &row->module)) return false;
        text = fm_str(text.data, at);
        s = fm_scan_of(text);
    }
    row->digits = fm_row_0xhex(&s, &row->address);
    if (row->digits != FM_DIGITS_NONE) return row->has_address = fm_scan_done(&s);
    if (fm_str_find_last(text, FM_STR(" + 0x")) != FM_NOT_FOUND &&
        fm_row_distance(text, true, &row->module, &row->offset))
        return row->has_offset = true;
    if (fm_str_find_byte(text, ' ') != FM_NOT_FOUND || text.size == 0) return false;
    row->module = text;
    return true;
}

static bool minidump_parse_row(framemap_str body, struct minidump_row *row)
{
    struct fm_scan s = fm_scan_of(body);
    fm_scan_blanks(&s);
    if (!fm_row_index(&s, &row->index) || !fm_scan_blanks1(&s)) return false;
    const framemap_str text = fm_str_trim(fm_scan_rest(&s));
    const size_t bang = fm_str_find_byte(text, '!');
    if (bang == FM_NOT_FOUND || bang == 0 || fm_str_find(fm_str(text.data, bang), FM_STR(" + 0x")) != FM_NOT_FOUND)
        return minidump_read_place(text, row);
    row->module = fm_str(text.data, bang);
    if (!read_function(fm_str_from(text, bang + 1), row)) return false;
    if (fm_str_find_byte(row->module, ' ') != FM_NOT_FOUND) row->sure = false;
    return true;
}

static void minidump_fill(const struct minidump_row *row, struct fm_document *doc, framemap_frame *frame)
{
    frame->index = row->index;
    frame->module = row->module;
    frame->function = row->function;
    frame->file = row->file;
    frame->line = row->line;
    if (row->function.size && row->has_offset) {
        frame->has_function_offset = true;
        frame->function_offset = row->offset;
    } else if (row->has_offset) {
        frame->has_address = true;
        frame->address = row->offset;
        frame->address_kind = FRAMEMAP_ADDRESS_IMAGE;
    } else if (row->has_address) {
        frame->has_address = true;
        frame->address = row->address;
        frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
        if (row->digits == FM_DIGITS_LONG) fm_row_malformed(frame, FM_LONG_ADDRESS);
    }
    if (row->has_line_offset) {
        framemap_frame_extra *extra = fm_document_extra(doc, frame);
        if (extra == NULL) return;
        extra->has_line_offset = true;
        extra->line_offset = row->line_offset;
    }
    fm_row_mark_complete(frame);
}

/* --- reading the header of a report --- */

static bool starts_report(framemap_str text) { return fm_str_starts(text, FM_STR("Operating system:")); }

static framemap_str value_after(framemap_str text, char mark)
{
    return fm_str_trim(fm_str_from(text, fm_str_find_byte(text, mark) + 1));
}

static framemap_str arch_of(framemap_str cpu)
{
    if (fm_str_starts(cpu, FM_STR("amd64"))) return FM_STR("x86_64");
    if (fm_str_equal(cpu, FM_STR("x86"))) return FM_STR("i386");
    return cpu;
}

static bool minidump_read_header(struct minidump_state *state, struct fm_document *doc, const struct fm_line *line)
{
    const framemap_str text = fm_str_trim(line->body);
    const bool is_version = state->is_version;
    state->is_version = false;
    if (starts_report(text)) {
        fm_document_report_end(doc);
        *state = (struct minidump_state){.section = HEADER, .os = value_after(text, ':'), .is_version = true};
        return true;
    }
    if (fm_str_starts(text, FM_STR("Crash reason:"))) {
        state->reason = value_after(text, ':');
        if (state->section != HEADER) state->section = HEADER;
        return true;
    }
    if (fm_str_starts(text, FM_STR("Crash address:"))) {
        state->address = value_after(text, ':');
        state->section = HEADER;
        return true;
    }
    if (state->section != HEADER) return false;
    if (fm_str_starts(text, FM_STR("CPU:")))
        state->arch = arch_of(value_after(text, ':'));
    else if (fm_str_starts(text, FM_STR("Assertion:")))
        state->assertion = value_after(text, ':');
    else if (is_version && text.data[0] != 'C')
        state->os_version = text;
    return true;
}

/* Writes "SIGSEGV /SEGV_MAPERR", "EXC_BAD_ACCESS / KERN_INVALID_ADDRESS", "EXCEPTION_ACCESS_VIOLATION_WRITE". */
static void put_reason(const struct minidump_state *state, framemap_trace *trace)
{
    const size_t slash = fm_str_find_byte(state->reason, '/');
    const framemap_str type = fm_str_trim(fm_str_slice(state->reason, 0, slash));
    framemap_str code = {NULL, 0};
    if (slash != FM_NOT_FOUND) code = fm_str_trim(fm_str_from(state->reason, slash + 1));
    struct fm_scan s = fm_scan_of(state->address);
    trace->exception = state->reason;
    trace->exception_type = type;
    trace->abort_message = state->assertion;
    if (fm_str_starts(type, FM_STR("EXC_"))) {
        trace->mach_type = type;
        trace->mach_codes = code;
    } else if (fm_str_starts(type, FM_STR("SIG"))) {
        trace->signal.name = type;
        if (!fm_str_starts(code, FM_STR("0x"))) trace->signal.code_name = code;
    }
    trace->signal.has_address = fm_row_0xhex(&s, &trace->signal.address) == FM_DIGITS_FIT;
}

/* --- threads --- */

/* Parses "Thread 0 (crashed)", "Thread 3 (name: "worker")", "Thread 0 main (crashed) - tid: 4611", "Thread 1". */
static bool minidump_read_title(framemap_str text, struct minidump_state *state)
{
    struct fm_scan s = fm_scan_of(text);
    int64_t index;
    static const framemap_str crashed = FM_STR_INIT("(crashed)"), tid = FM_STR_INIT(" - tid: ");
    if (!fm_scan_text(&s, FM_STR("Thread "))) return false;
    const char *digits = s.at;
    if (!fm_row_index(&s, &index) || (!fm_scan_done(&s) && !fm_is_blank(*s.at))) return false;
    framemap_str id = fm_str(digits, (size_t)(s.at - digits)), rest = fm_scan_rest(&s), label = {NULL, 0};
    const size_t at = fm_str_find_last(rest, tid), mark = fm_str_find(rest, crashed);
    bool sure = rest.size == 0 || mark != FM_NOT_FOUND;
    if (at != FM_NOT_FOUND) {
        id = fm_str_from(rest, at + tid.size);
        rest = fm_str(rest.data, at);
        sure = true;
    }
    if (mark != FM_NOT_FOUND) rest = fm_str_slice(rest, 0, mark);
    rest = fm_str_trim(rest);
    struct fm_scan named = fm_scan_of(rest);
    if (fm_scan_text(&named, FM_STR("(name: \""))) {
        label = fm_scan_rest(&named);
        label.size = fm_str_find_last_byte(label, '"') == FM_NOT_FOUND ? label.size : fm_str_find_last_byte(label, '"');
        sure = true;
    } else {
        label = rest;
    }
    if (!sure) return false;
    state->section = THREAD;
    state->fresh = true;
    state->crashed = mark != FM_NOT_FOUND;
    state->stepped = at != FM_NOT_FOUND;
    state->thread_id = id;
    state->thread_name = label;
    return true;
}

static framemap_trace *trace_of(struct minidump_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace *trace = fm_document_open(doc, name);
    if (trace && !state->fresh) return trace;
    fm_document_expect_images(doc);
    trace = fm_document_trace(doc, name, line);
    if (!trace) return NULL;
    trace->thread_id = state->thread_id;
    trace->thread_name = state->thread_name;
    trace->thread = state->thread_name.size ? state->thread_name : state->thread_id;
    trace->crashed = state->crashed;
    trace->arch = state->arch;
    trace->os = state->os;
    trace->os_version = state->os_version;
    if (state->crashed) put_reason(state, trace);
    state->fresh = state->has_pc = state->placed = false;
    return trace;
}

/* Whether the tool moved the offset in a row back from the return address to the call, which is at most eight bytes
 * before it. Otherwise the lowest twelve bits of the offset and of the program counter are equal, since images start at
 * multiples of 4096. */
static bool is_stepped_back(uint64_t offset, uint64_t pc)
{
    const uint64_t distance = (pc - offset) & 0xfff;
    return distance > 0 && distance <= 8;
}

/* Sets the address of the last frame of a stack. depth: number of frames of the stack, including this one. */
static void put_pc(struct minidump_state *state, size_t depth, framemap_frame *frame, uint64_t pc)
{
    frame->return_address = depth > 1;
    if (frame->address_kind == FRAMEMAP_ADDRESS_IMAGE) {
        frame->has_absolute_address = true;
        frame->absolute_address = pc;
        if (!is_stepped_back(frame->address, pc)) return;
        frame->return_address = false;
        state->stepped = true;
        return;
    }
    frame->has_address = true;
    frame->address = pc;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
}

/* Reads the registers below a frame. The program counter among them is the frame's address, unless a stream has written
 * the frame already. */
static void read_registers(struct minidump_state *state, struct fm_document *doc, framemap_str text)
{
    framemap_trace *trace = fm_document_open(doc, name);
    framemap_frame *frame = fm_native_last(trace);
    struct fm_scan s = fm_scan_of(text);
    framemap_str label;
    uint64_t value;
    if (trace == NULL || (frame && frame->status == FRAMEMAP_FRAME_MALFORMED)) return;
    while (fm_register_next(&s, &label, &value)) {
        if (trace->crashed && !state->placed && !fm_document_register(doc, trace, label, value)) return;
        if (!fm_register_is_pc(label)) continue;
        if (frame) put_pc(state, fm_document_depth(doc, trace), frame, value);
        state->has_pc = true;
    }
}

/* Parses "Found by: call frame info", which shows how a frame was found. */
static void read_trust(struct minidump_state *state, struct fm_document *doc, framemap_str trust)
{
    framemap_frame *frame = fm_native_last(fm_document_open(doc, name));
    framemap_frame_extra *extra = frame ? fm_document_extra(doc, frame) : NULL;
    if (state->has_pc) state->placed = true;
    if (extra == NULL) return;
    extra->trust = trust;
    if (fm_str_equal(trust, FM_STR("inlining")))
        frame->inlined = true;
    else if (fm_str_starts(trust, FM_STR("given as instruction pointer")))
        frame->return_address = false;
    if (frame->has_address) state->placed = true;
    if (frame->function.size && !frame->has_address) fm_native_mark_named(frame);
}

static enum fm_line_role minidump_read_thread(struct minidump_state *state, struct fm_document *doc,
                                              const struct fm_line *line)
{
    static const framemap_str found = FM_STR_INIT("Found by: ");
    const framemap_str text = fm_str_trim(line->body);
    struct minidump_row row = {.index = 0};
    if (fm_is_digit(line->first) && minidump_parse_row(line->body, &row)) {
        framemap_frame frame = FM_FRAME_INIT;
        framemap_trace *trace = trace_of(state, doc, line);
        if (!trace) return FM_ROLE_FRAME;
        if (state->has_pc) state->placed = true;
        minidump_fill(&row, doc, &frame);
        frame.return_address = frame.has_address && !state->stepped && fm_document_depth(doc, trace) > 0;
        fm_document_frame(doc, line, &frame);
        return FM_ROLE_FRAME;
    }
    if (state->fresh || line->body.size == 0 || !fm_is_blank(line->body.data[0])) return FM_ROLE_NONE;
    if (fm_str_starts(text, found))
        read_trust(state, doc, fm_str_trim(fm_str_from(text, found.size)));
    else
        read_registers(state, doc, text);
    return FM_ROLE_CONTEXT;
}

/* --- modules --- */

/* Parses "0xSTART - 0xEND  NAME  VERSION  (main)  (WARNING: No symbols, NAME, DEBUGID)". END is the last byte. */
static bool minidump_read_module(struct fm_document *doc, const struct fm_line *line)
{
    static const framemap_str warning = FM_STR_INIT(" symbols, ");
    struct fm_scan s = fm_scan_of(fm_str_trim(line->body));
    uint64_t start = 0, end = 0;
    if (fm_row_0xhex(&s, &start) != FM_DIGITS_FIT || !fm_scan_text(&s, FM_STR(" - ")) ||
        fm_row_0xhex(&s, &end) != FM_DIGITS_FIT || !fm_scan_blanks1(&s))
        return false;
    const framemap_str text = fm_scan_rest(&s);
    size_t stop = fm_str_find(text, FM_STR("  "));
    if (stop == FM_NOT_FOUND) stop = fm_str_find_byte(text, ' ');
    framemap_image *image = fm_document_image(doc, line);
    if (image == NULL) return true;
    image->load_address = start;
    image->size = end > start && end - start != UINT64_MAX ? end - start + 1 : 0;
    image->name = fm_str_trim(fm_str_slice(text, 0, stop));
    const size_t at = fm_str_find(text, warning), comma = fm_str_find_last(text, FM_STR(", "));
    if (at != FM_NOT_FOUND && comma != FM_NOT_FOUND && text.data[text.size - 1] == ')')
        fm_row_id(fm_str_slice(text, comma + 2, text.size - 1), doc, &image->id);
    return true;
}

static bool read_list_title(framemap_str text, struct minidump_state *state)
{
    if (fm_str_starts(text, FM_STR("Loaded modules:")))
        state->section = MODULES;
    else if (fm_str_starts(text, FM_STR("Unloaded modules:")))
        state->section = UNLOADED;
    else
        return false;
    return true;
}

/* --- offering lines to the parser --- */

static bool minidump_is_significant(const struct fm_line *line)
{
    const framemap_str text = fm_str_trim(line->body);
    struct minidump_state ignored = {.section = OUTSIDE};
    struct minidump_row row = {.index = 0};
    switch (line->first) {
    case 'T': return minidump_read_title(text, &ignored);
    case 'O': return starts_report(text);
    case 'C': return fm_str_starts(text, FM_STR("Crash reason:")) || fm_str_starts(text, FM_STR("Crash address:"));
    case 'L': return read_list_title(text, &ignored);
    default: return fm_is_digit(line->first) && minidump_parse_row(line->body, &row) && row.sure;
    }
}

static enum fm_line_role minidump_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct minidump_state *state = memory;
    const framemap_str text = fm_str_trim(line->body);
    enum fm_line_role role = FM_ROLE_NONE;
    if (line->number1 - state->number1 > FM_LINES_AFTER || line->begins) state->section = OUTSIDE;
    const bool significant = minidump_is_significant(line);
    if (state->section == OUTSIDE && !significant) return FM_ROLE_NONE;
    if (line->first == 'T' && minidump_read_title(text, state)) {
        role = FM_ROLE_CONTEXT;
    } else if ((line->first == 'L' || line->first == 'U') && read_list_title(text, state)) {
        role = FM_ROLE_CONTEXT;
    } else if (significant && fm_is_digit(line->first)) {
        if (state->section != THREAD) state->fresh = true;
        state->section = THREAD;
        role = minidump_read_thread(state, doc, line);
    } else if (state->section == THREAD && !significant) {
        role = minidump_read_thread(state, doc, line);
    } else if (state->section == MODULES) {
        role = minidump_read_module(doc, line) ? FM_ROLE_CONTEXT : FM_ROLE_NONE;
    } else if (state->section == UNLOADED) {
        role = line->first == '0' ? FM_ROLE_CONTEXT : FM_ROLE_NONE;
    } else if (minidump_read_header(state, doc, line)) {
        role = FM_ROLE_CONTEXT;
    }
    if (role != FM_ROLE_NONE) state->number1 = line->number1;
    return role;
}

/* --- printing rows of frames --- */

/* Writes a row as minidump_stackwalk prints rows: " 1  app!inner(int) [src/a.cc : 7]"; without a source position: " 1
 * app!outer() + 0x18". */
static void minidump_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    struct fm_scan s = fm_scan_of(raw->raw);
    int64_t index;
    fm_scan_blanks(&s);
    if (!fm_row_index(&s, &index)) return;
    fm_scan_blanks(&s);
    fm_buf_str(out, fm_str(raw->raw.data, (size_t)(s.at - raw->raw.data)));
    fm_buf_str(out, raw->module);
    fm_buf_byte(out, '!');
    fm_buf_str(out, fm_row_name(restored));
    if (restored->file.size && restored->line) {
        fm_buf_str(out, FM_STR(" ["));
        fm_buf_str(out, restored->file);
        fm_buf_str(out, FM_STR(" : "));
        fm_buf_dec(out, restored->line);
        fm_buf_byte(out, ']');
    } else if (restored->has_function_offset) {
        fm_buf_str(out, FM_STR(" + 0x"));
        fm_buf_hex(out, restored->function_offset, 1);
    }
}

static void minidump_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    fm_native_put_chain(out, frame, prefix, eol, minidump_put);
}

static const struct fm_needle minidump_needles[] = {
    FM_NEEDLE("Thread ", 0, 4),         FM_NEEDLE("Operating system:", 13, 11), FM_NEEDLE("Crash reason:", 0, 13),
    FM_NEEDLE("Crash address:", 0, 13), FM_NEEDLE("Loaded modules:", 9, 5),
};

const struct fm_format fm_minidump = {
    .info = {name, "minidump_stackwalk of Breakpad and rust-minidump (0  app!f [a.cc : 1 + 0x2])", true, false},
    .id_form = FM_ID_BREAKPAD,
    FM_NEEDLES(minidump_needles),
    .marks = FM_MARK_WORD | FM_MARK_HEX,
    .state_size = sizeof(struct minidump_state),
    .firsts = "0123456789TOCL",
    .keeps_state = true,
    .offer = minidump_offer,
    .is_significant = minidump_is_significant,
    .print_frame = minidump_print_frame};
