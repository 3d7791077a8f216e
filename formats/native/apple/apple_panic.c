/* Panics of Apple's kernel, on x86 and on arm64:
 *
 *     panic(cpu 2 caller 0xffffff80003ed5fc): "empty hash"@/src/pmap.h:844
 *     Panicked task 0xffffff9044ffb5d8: 11 threads: pid 220: airportd
 *     Backtrace (CPU 2), panicked thread: 0xffffff95098390c8, Frame : Return Address
 *     0xffffff97439cbb10 : 0xffffff80002f368c
 *     0xffffff97439cbb90 : 0xffffff80003ed5fc mach_kernel : _panic + 0x4c1
 *           Kernel Extensions in backtrace:
 *              com.example.disk(1.5.2)[F452C9FD-…]@0xffffff7f811de000->0xffffff7f8121bfff
 *     Kernel UUID: 75CA1C4D-…
 *     Kernel slide:     0x0000000000200000
 *     Kernel text base: 0xffffff8000400000
 *
 *     Panicked thread: 0xfffffe2169397728, backtrace: 0xfffffe7c18403160, tid: 3926
 *               lr: 0xfffffe002a2593ac  fp: 0xfffffe7c184031f0
 *
 * All addresses are return addresses. On arm64 the code of the kernel and of its extensions is moved apart from the
 * rest of their images, and the report does not say how far: such frames are not looked up. */
#include "formats/native/apple/apple.h"
#include "formats/native/native_parts.h"
#include "formats/parsers.h"

static const char name[] = "apple-panic";
/* the report prints "mach_kernel"; the file with its symbols has this name */
static const framemap_str kernel = FM_STR_INIT("kernel");
/* maximum number of lines between a panic and its stack: registers, and what each core was doing */
#define HEAD_LINES 200
#define TAIL_LINES 60 /* maximum number of lines from a stack to the lines with the kernel's addresses */
#define PANIC_GAP 2   /* up to this many lines of other text may be within one stack */
/* No kernel is larger than this. An address less than this distance above the kernel's start belongs to the kernel,
 * unless it is in an extension that the report lists. */
#define KERNEL_SIZE UINT64_C(0x8000000)

struct panic_state {
    framemap_str message, process, thread, version, id;
    uint64_t pid, text_base;
    uint64_t panic1;  /* number of the line with the panic; 0: no panic is open */
    uint64_t number1; /* number of the line with the title or the last row; 0: no stack is open */
    bool has_pid, is_arm, has_trace, has_image;
};

/* Parses "panic(cpu 2 caller 0xffffff80003ed5fc): MESSAGE". */
static bool read_panic(framemap_str text, framemap_str *message)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number;
    framemap_str caller;
    if (!fm_scan_text(&s, FM_STR("panic(cpu ")) || !fm_scan_dec(&s, &number, NULL) ||
        !fm_scan_text(&s, FM_STR(" caller ")) || !fm_scan_until(&s, ')', &caller))
        return false;
    s.at++;
    if (!fm_scan_byte(&s, ':')) return false;
    fm_scan_blanks(&s);
    *message = fm_scan_rest(&s);
    return true;
}

/* Parses "KEY: 0x1f" or "KEY:   0x1f". */
static bool read_value(framemap_str text, framemap_str key, uint64_t *value)
{
    if (!fm_str_starts(text, key)) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, key.size));
    fm_scan_blanks(&s);
    return fm_row_0xhex(&s, value) == FM_DIGITS_FIT;
}

/* Parses "Panicked task 0xffffff9044ffb5d8: 11 threads: pid 220: airportd". */
static void read_task(struct panic_state *state, framemap_str text)
{
    static const framemap_str mark = FM_STR_INIT(": pid ");
    const size_t at = fm_str_find(text, mark);
    if (at == FM_NOT_FOUND) return;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    state->has_pid = fm_scan_dec(&s, &state->pid, NULL) && fm_scan_text(&s, FM_STR(": "));
    if (state->has_pid) state->process = fm_str_trim(fm_scan_rest(&s));
}

/* Reads a line of a report that is neither a row nor an image. */
static bool read_head(struct panic_state *state, struct fm_document *doc, framemap_str text)
{
    static const framemap_str tid = FM_STR_INIT(", tid: ");
    if (fm_str_starts(text, FM_STR("Panicked task "))) {
        read_task(state, text);
    } else if (fm_str_starts(text, FM_STR("Panicked thread: "))) {
        const size_t at = fm_str_find(text, tid);
        if (at != FM_NOT_FOUND) state->thread = fm_str_from(text, at + tid.size);
    } else if (fm_str_starts(text, FM_STR("Darwin Kernel Version "))) {
        state->version = fm_str_slice(text, 0, fm_str_find_byte(text, ':'));
    } else if (fm_str_starts(text, FM_STR("Kernel version: Darwin "))) {
        text = fm_str_from(text, 16);
        state->version = fm_str_slice(text, 0, fm_str_find_byte(text, ':'));
    } else if (fm_str_starts(text, FM_STR("Kernel UUID: "))) {
        (void)fm_row_id(fm_str_trim(fm_str_from(text, 13)), doc, &state->id);
    } else {
        return read_value(text, FM_STR("Kernel text base:"), &state->text_base);
    }
    return true;
}

/* Adds the kernel to the images, once the stack is complete and the kernel's id and addresses were read. */
static void add_kernel(struct panic_state *state, struct fm_document *doc, const struct fm_line *line)
{
    if (state->has_image || !state->has_trace || state->text_base == 0 || state->id.size == 0) return;
    framemap_image *image = fm_document_image(doc, line);
    state->has_image = true;
    if (image == NULL) return;
    image->name = kernel;
    image->id = state->id;
    image->load_address = state->text_base;
    image->size = KERNEL_SIZE;
}

/* Parses "com.example.disk(1.5.2)[F452C9FD-…]@0xffffff7f811de000->0xffffff7f8121bfff", also with "dependency: "
 * before it. */
static bool read_extension(struct fm_document *doc, const struct fm_line *line, framemap_str text)
{
    static const framemap_str dependency = FM_STR_INIT("dependency: "), at_mark = FM_STR_INIT("]@0x"),
                              to = FM_STR_INIT("->");
    framemap_str id = {NULL, 0};
    uint64_t start, end;
    if (fm_str_starts(text, dependency)) text = fm_str_from(text, dependency.size);
    const size_t close = fm_str_find(text, at_mark), open = fm_str_find_byte(text, '[');
    if (close == FM_NOT_FOUND || open == FM_NOT_FOUND || open > close) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, close + 2));
    if (fm_row_0xhex(&s, &start) != FM_DIGITS_FIT || !fm_scan_text(&s, to) || fm_row_0xhex(&s, &end) != FM_DIGITS_FIT ||
        end < start || !fm_row_id(fm_str_slice(text, open + 1, close), doc, &id))
        return false;
    framemap_image *image = fm_document_image(doc, line);
    if (image == NULL) return true;
    image->name = fm_str_slice(text, 0, fm_str_find_byte(fm_str(text.data, open), '('));
    image->id = id;
    image->load_address = start;
    image->size = end - start + 1;
    return true;
}

/* Parses "0xffffff97439cbb90 : 0xffffff80003ed5fc mach_kernel : _panic + 0x4c1" and "lr: 0xffff…  fp: 0xffff…". */
static bool panic_parse_row(framemap_str text, framemap_frame *frame, bool *is_arm)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t pointer;
    *frame = FM_FRAME_INIT;
    *is_arm = fm_scan_text(&s, FM_STR("lr: "));
    if (!*is_arm && (fm_row_0xhex(&s, &pointer) != FM_DIGITS_FIT || !fm_scan_text(&s, FM_STR(" : ")))) return false;
    fm_scan_blanks(&s);
    if (fm_row_0xhex(&s, &frame->address) != FM_DIGITS_FIT) return false;
    fm_scan_blanks(&s);
    const framemap_str rest = fm_str_trim(fm_scan_rest(&s));
    if (*is_arm && !fm_str_starts(rest, FM_STR("fp: 0x"))) return false;
    frame->has_address = frame->return_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    if (*is_arm) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = "the report does not say how far the kernel's code was moved";
    }
    const size_t colon = *is_arm ? FM_NOT_FOUND : fm_str_find(rest, FM_STR(" : "));
    if (colon == FM_NOT_FOUND) return true;
    framemap_str site = fm_str_from(rest, colon + 3), place;
    frame->module = fm_str(rest.data, colon);
    if (fm_str_equal(frame->module, FM_STR("mach_kernel"))) frame->module = kernel;
    framemap_str left = site; /* the row was restored before, so it has a position: "panic + 0x4c1 (pmap.h:844)" */
    if (fm_row_group(&left, &place) && fm_row_location(place, &frame->file, &frame->line, &frame->column)) site = left;
    frame->function = site;
    if (fm_row_distance(site, true, &frame->function, &frame->function_offset)) frame->has_function_offset = true;
    fm_row_mark_complete(frame);
    return true;
}

static bool panic_is_title(framemap_str text)
{
    return (fm_str_starts(text, FM_STR("Backtrace (CPU ")) && fm_str_ends(text, FM_STR("Return Address"))) ||
           (fm_str_starts(text, FM_STR("Panicked thread: 0x")) &&
            fm_str_find(text, FM_STR(", backtrace: 0x")) != FM_NOT_FOUND);
}

static framemap_trace *panic_begin(struct panic_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace *trace = fm_document_trace(doc, name, line);
    state->has_trace = true;
    if (trace == NULL) return NULL;
    if (!state->is_arm) fm_document_expect_images(doc);
    trace->exception = trace->exception_message = state->message;
    trace->exception_type = FM_STR("panic");
    trace->process_name = state->process;
    trace->has_process_id = state->has_pid;
    trace->process_id = state->pid;
    trace->thread = trace->thread_id = state->thread;
    trace->os_version = state->version;
    trace->crashed = true;
    return trace;
}

static bool panic_is_significant(const struct fm_line *line)
{
    framemap_str ignored;
    return read_panic(fm_str_trim(line->body), &ignored);
}

static enum fm_line_role panic_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct panic_state *state = memory;
    const framemap_str text = fm_str_trim(line->body);
    framemap_str message;
    framemap_frame frame;
    bool is_arm;
    if (read_panic(text, &message)) {
        *state = (struct panic_state){.message = message, .panic1 = line->number1};
        fm_document_offer_until(doc, line->number1 + HEAD_LINES);
        return FM_ROLE_CONTEXT;
    }
    if (state->panic1 == 0 || line->number1 - state->panic1 > HEAD_LINES + TAIL_LINES) return FM_ROLE_NONE;
    if (panic_is_title(text)) {
        (void)read_head(state, doc, text);
        state->number1 = line->number1;
        return FM_ROLE_CONTEXT;
    }
    if (state->number1 && line->number1 - state->number1 <= PANIC_GAP && panic_parse_row(text, &frame, &is_arm)) {
        state->number1 = line->number1;
        state->is_arm = is_arm;
        if (!(state->has_trace && fm_document_open(doc, name)) && !panic_begin(state, doc, line)) return FM_ROLE_FRAME;
        fm_document_frame(doc, line, &frame);
        fm_document_offer_until(doc, line->number1 + TAIL_LINES);
        return FM_ROLE_FRAME;
    }
    const bool head = read_head(state, doc, text);
    if (state->is_arm || !state->has_trace) return head ? FM_ROLE_CONTEXT : FM_ROLE_NONE;
    if (head) add_kernel(state, doc, line);
    return head || read_extension(doc, line, text) ? FM_ROLE_CONTEXT : FM_ROLE_NONE;
}

/* Writes "0xffffff97439cbb90 : 0xffffff80003ed5fc kernel : panic + 0x4c1 (pmap.h:844)". A row of arm64 gets the same
 * text after "lr: ". */
static void panic_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored)
{
    const size_t at = fm_str_find(raw->raw, FM_STR(" : "));
    framemap_str start = raw->raw;
    if (at != FM_NOT_FOUND) {
        struct fm_scan s = fm_scan_of(fm_str_from(raw->raw, at + 3));
        uint64_t address;
        fm_scan_blanks(&s);
        (void)fm_row_0xhex(&s, &address);
        start = fm_str(raw->raw.data, (size_t)(s.at - raw->raw.data));
    }
    fm_buf_str(out, start);
    fm_buf_byte(out, ' ');
    fm_buf_str(out, raw->module.size ? raw->module : FM_STR("???"));
    fm_buf_str(out, FM_STR(" : "));
    fm_buf_str(out, fm_row_name(restored));
    if (restored->has_function_offset) fm_buf_printf(out, " + 0x%llx", (unsigned long long)restored->function_offset);
    if (restored->file.size == 0) return;
    fm_buf_str(out, FM_STR(" ("));
    fm_row_put_location(out, restored);
    fm_buf_byte(out, ')');
}

static void panic_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    fm_native_put_chain(out, frame, prefix, eol, panic_put);
}

static const struct fm_needle panic_needles[] = {FM_NEEDLE("panic(cpu ", 1, 10)};

const struct fm_format fm_apple_panic = {.info = {name, "panics of Apple's kernel", true, false},
                                         .id_form = FM_ID_UUID,
                                         FM_NEEDLES(panic_needles),
                                         .marks = FM_MARK_WORD,
                                         .firsts = "p",
                                         .keeps_state = true,
                                         .state_size = sizeof(struct panic_state),
                                         .offer = panic_offer,
                                         .is_significant = panic_is_significant,
                                         .print_frame = panic_print_frame};
