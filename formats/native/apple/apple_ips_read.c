/* Makes traces of a crash report as JSON. Called by apple_ips.c.
 *
 * An address is the base of the frame's image plus its imageOffset. In a thread, all addresses are return addresses,
 * except in the top frame and in a frame after _sigtramp. In lastExceptionBacktrace, all addresses are return
 * addresses. A frame with "inline":true has the address of the frame after it, into which its function was inlined. */
#include "formats/native/apple/apple_ips_read.h"
#include "formats/native/apple/apple.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

struct ips_reader {
    struct fm_document *doc;
    const char *format;
    const struct fm_json *json;
    int32_t body;
    struct fm_json_lines lines;
    framemap_image *images;
    size_t image_count;
    uint64_t faulting;     /* number of the crashed thread; UINT64_MAX if it is not given */
    framemap_trace common; /* the members that all traces of the report have in common */
    framemap_trace crash;  /* the report's exception, signal and messages, for the trace of the crashed thread */
};

static int32_t get(const struct ips_reader *reader, int32_t object, const char *name)
{
    return object < 0 || fm_json_type(reader->json, object) != FM_JSON_OBJECT ? -1
                                                                              : fm_json_get(reader->json, object, name);
}

static framemap_str get_text(struct ips_reader *reader, int32_t object, const char *name)
{
    return fm_json_document_string(reader->json, get(reader, object, name), reader->doc);
}

static bool get_number(const struct ips_reader *reader, int32_t object, const char *name, uint64_t *out)
{
    const int32_t value = get(reader, object, name);
    return value >= 0 && fm_json_u64(reader->json, value, out);
}

static int32_t get_array(const struct ips_reader *reader, int32_t object, const char *name)
{
    const int32_t value = get(reader, object, name);
    return value >= 0 && fm_json_type(reader->json, value) == FM_JSON_ARRAY ? value : -1;
}

/* Joins "A" and "B" to "A (B)"; returns "A" or "B" alone if the other one is empty. */
static framemap_str in_parentheses(struct fm_document *doc, framemap_str a, framemap_str b)
{
    if (a.size == 0 || b.size == 0) return a.size ? a : b;
    char *out = fm_document_alloc(doc, a.size + b.size + 3);
    if (out == NULL) return a;
    memcpy(out, a.data, a.size);
    memcpy(out + a.size, " (", 2);
    memcpy(out + a.size + 2, b.data, b.size);
    out[a.size + b.size + 2] = ')';
    return fm_str(out, a.size + b.size + 3);
}

/* --- reading what the report says about the crash --- */

/* Returns all strings of the lists in an object, {"libsystem_c.dylib":["abort() called"]}, each on a line of its own.
 * only: the name of the one list that is used; empty: all are. */
static framemap_str listed_strings(struct ips_reader *reader, int32_t object, framemap_str only)
{
    size_t size = 0;
    char *out = NULL;
    for (int turn = 0; turn < 2; turn++) {
        size_t at = 0;
        for (int32_t key = fm_json_first(reader->json, object); key >= 0; key = fm_json_next(reader->json, key)) {
            const int32_t list = fm_json_value(reader->json, key);
            if (only.size && !fm_str_equal(fm_json_document_string(reader->json, key, reader->doc), only)) continue;
            for (int32_t item = fm_json_first(reader->json, list); item >= 0; item = fm_json_next(reader->json, item)) {
                const framemap_str text = fm_json_document_string(reader->json, item, reader->doc);
                if (text.size == 0) continue;
                if (out && at) out[at] = '\n';
                at += at != 0;
                if (out) memcpy(out + at, text.data, text.size);
                at += text.size;
            }
        }
        size = at;
        if (size == 0 || out) break;
        out = fm_document_alloc(reader->doc, size);
        if (out == NULL) break;
    }
    return fm_str(out, out ? size : 0);
}

/* Returns why the system ended the process, if that was not for a signal: the reasons, else the details, else the
 * indicator of {"namespace":"DYLD","code":1,"indicator":"Library missing","reasons":["Library not loaded: …"]}. */
static framemap_str termination_cause(struct ips_reader *reader, int32_t termination)
{
    if (termination < 0 || fm_json_type(reader->json, termination) != FM_JSON_OBJECT) return fm_str(NULL, 0);
    framemap_str cause = listed_strings(reader, termination, FM_STR("reasons"));
    if (cause.size == 0) cause = listed_strings(reader, termination, FM_STR("details"));
    return cause.size ? cause : get_text(reader, termination, "indicator");
}

/* Parses "KERN_INVALID_ADDRESS at 0x0000000000000001". */
static void read_fault_address(framemap_str subtype, framemap_signal *signal)
{
    const size_t at = fm_str_find_last(subtype, FM_STR(" at 0x"));
    if (at == FM_NOT_FOUND) return;
    struct fm_scan s = fm_scan_of(fm_str_from(subtype, at + 4));
    signal->has_address = fm_row_0xhex(&s, &signal->address) == FM_DIGITS_FIT;
}

static void read_exception(struct ips_reader *reader)
{
    framemap_trace *crash = &reader->crash;
    const int32_t exception = get(reader, reader->body, "exception"),
                  termination = get(reader, reader->body, "termination"), asi = get(reader, reader->body, "asi"),
                  reason = get(reader, reader->body, "exceptionReason");
    uint64_t code = 0;
    crash->exception_type = crash->mach_type = get_text(reader, exception, "type");
    crash->signal.name = get_text(reader, exception, "signal");
    crash->exception = in_parentheses(reader->doc, crash->exception_type, crash->signal.name);
    crash->mach_codes = get_text(reader, exception, "subtype");
    if (crash->mach_codes.size == 0) crash->mach_codes = get_text(reader, exception, "codes");
    read_fault_address(crash->mach_codes, &crash->signal);
    const bool is_signal = fm_str_equal(get_text(reader, termination, "namespace"), FM_STR("SIGNAL"));
    if (is_signal && get_number(reader, termination, "code", &code) && code <= INT32_MAX) {
        crash->signal.has_number = true;
        crash->signal.number = (int32_t)code;
    }
    if (asi >= 0 && fm_json_type(reader->json, asi) == FM_JSON_OBJECT)
        crash->abort_message = listed_strings(reader, asi, fm_str(NULL, 0));
    if (crash->abort_message.size == 0 && !is_signal) crash->abort_message = termination_cause(reader, termination);
    crash->exception_message = get_text(reader, reason, "composed_message");
    if (crash->exception_message.size == 0) crash->exception_message = get_text(reader, exception, "message");
}

static void ips_read_process(struct ips_reader *reader, framemap_str header)
{
    framemap_trace *common = &reader->common;
    const int32_t system = get(reader, reader->body, "osVersion");
    common->process_name = get_text(reader, reader->body, "procName");
    if (common->process_name.size == 0) common->process_name = get_text(reader, reader->body, "app_name");
    common->has_process_id = get_number(reader, reader->body, "pid", &common->process_id);
    common->arch = fm_apple_arch(get_text(reader, reader->body, "cpuType"));
    common->os_version = get_text(reader, reader->body, "os_version");
    if (common->os_version.size == 0)
        common->os_version =
            in_parentheses(reader->doc, get_text(reader, system, "train"), get_text(reader, system, "build"));
    if (header.size == 0) return;
    const struct fm_json_document document = {.text = header};
    struct ips_reader above = *reader;
    struct fm_json *json = fm_json_document_parse(&document, reader->doc);
    above.json = json;
    if (json == NULL) return;
    const framemap_str version = get_text(&above, 0, "os_version"), program = get_text(&above, 0, "app_name");
    if (version.size) common->os_version = version;
    if (common->process_name.size == 0) common->process_name = program;
    fm_json_free(json);
}

/* --- images --- */

static void read_image(struct ips_reader *reader, int32_t value, framemap_image *image)
{
    *image = (framemap_image){.path = get_text(reader, value, "path"),
                              .name = get_text(reader, value, "name"),
                              .arch = get_text(reader, value, "arch")};
    if (image->name.size == 0) image->name = fm_str_basename(image->path);
    get_number(reader, value, "base", &image->load_address);
    get_number(reader, value, "size", &image->size);
    if (image->name.size) fm_row_id(get_text(reader, value, "uuid"), reader->doc, &image->id);
}

static bool read_images(struct ips_reader *reader)
{
    int32_t list = get_array(reader, reader->body, "usedImages");
    if (list < 0) list = get_array(reader, reader->body, "binaryImages");
    const size_t count = list < 0 ? 0 : fm_json_count(reader->json, list);
    if (count == 0) return false;
    reader->images = fm_document_alloc(reader->doc, count * sizeof *reader->images);
    if (reader->images == NULL) return false;
    const size_t most = fm_document_image_limit(reader->doc);
    int32_t value = fm_json_first(reader->json, list);
    /* No more images are read than fm_document_image keeps, since frames refer to images by number. */
    for (size_t bytes = 0; value >= 0 && bytes < most; value = fm_json_next(reader->json, value)) {
        framemap_image *image = &reader->images[reader->image_count++];
        read_image(reader, value, image);
        bytes += fm_document_image_bytes(image);
    }
    return true;
}

static void add_images(struct ips_reader *reader, const struct fm_line *line)
{
    for (size_t i = 0; i < reader->image_count; i++) {
        framemap_image *image = fm_document_image(reader->doc, line);
        if (image) *image = reader->images[i];
    }
}

/* --- frames --- */

/* Sets the image and the address of a frame. An entry of usedImages without a name is for addresses that are not in
 * an image: imageOffset is then the address itself. */
static void place_frame(const struct ips_reader *reader, int32_t value, framemap_frame *frame)
{
    uint64_t number = 0, offset = 0;
    if (!get_number(reader, value, "imageOffset", &offset)) return;
    frame->has_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    frame->address = offset;
    const bool known = get_number(reader, value, "imageIndex", &number) && number < reader->image_count;
    const framemap_image *image = known ? &reader->images[number] : NULL;
    if (image == NULL || image->name.size == 0) {
        frame->module = FM_STR("???");
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = "the report does not say which image the address is in";
        return;
    }
    frame->address += image->load_address;
    frame->has_load_address = true;
    frame->load_address = image->load_address;
    frame->module = image->name;
    frame->module_path = image->path;
    frame->id = image->id;
    frame->arch = image->arch;
    frame->has_image = true;
    frame->image = (uint32_t)number;
}

static void read_symbol(struct ips_reader *reader, int32_t value, framemap_frame *frame)
{
    uint64_t line = 0;
    const int32_t is_inline = get(reader, value, "inline");
    frame->function = get_text(reader, value, "symbol");
    frame->has_function_offset =
        frame->function.size && get_number(reader, value, "symbolLocation", &frame->function_offset);
    frame->file = get_text(reader, value, "sourceFile");
    if (get_number(reader, value, "sourceLine", &line) && line <= UINT32_MAX) frame->line = (uint32_t)line;
    frame->inlined = is_inline >= 0 && fm_json_is_true(reader->json, is_inline);
}

/* Reads a frame. Returns false if the JSON object is not a frame. */
static bool read_frame(struct ips_reader *reader, int32_t value, framemap_frame *frame)
{
    if (fm_json_type(reader->json, value) != FM_JSON_OBJECT) return false;
    place_frame(reader, value, frame);
    read_symbol(reader, value, frame);
    fm_row_mark_complete(frame);
    return frame->has_address;
}

/* Adds the frames of an array. all_return: every address is a return address. */
static void read_frames(struct ips_reader *reader, const framemap_trace *known, int32_t frames, bool all_return)
{
    bool is_return = all_return, after_inlined = false;
    int64_t index = 0;
    for (int32_t value = fm_json_first(reader->json, frames); value >= 0; value = fm_json_next(reader->json, value)) {
        framemap_frame frame = FM_FRAME_INIT;
        if (!read_frame(reader, value, &frame)) continue;
        const struct fm_line line = fm_json_lines_at(&reader->lines, fm_json_raw(reader->json, value));
        if (index == 0 && fm_document_trace_like(reader->doc, reader->format, &line, known) == NULL) return;
        frame.index = index++;
        frame.return_address = is_return;
        if (frame.status == FRAMEMAP_FRAME_RAW && (frame.inlined || after_inlined))
            /* the report already contains symbols and inlined functions */
            frame.status = FRAMEMAP_FRAME_NOT_NEEDED;
        after_inlined = frame.inlined;
        if (!fm_document_frame(reader->doc, &line, &frame)) return;
        if (!frame.inlined) is_return = all_return || !fm_str_equal(frame.function, FM_STR("_sigtramp"));
    }
}

/* --- reading the registers of a thread --- */

static void add_register(struct ips_reader *reader, framemap_register *out, size_t *count, framemap_str name,
                         int32_t value)
{
    uint64_t number = 0;
    if (!get_number(reader, value, "value", &number)) return;
    if (out) out[*count] = (framemap_register){name, number};
    ++*count;
}

static framemap_str numbered(struct ips_reader *reader, framemap_str letter, uint64_t number)
{
    const framemap_str digits = fm_document_decimal(reader->doc, number);
    char *out = fm_document_alloc(reader->doc, letter.size + digits.size);
    if (out == NULL) return letter;
    memcpy(out, letter.data, letter.size);
    memcpy(out + letter.size, digits.data, digits.size);
    return fm_str(out, letter.size + digits.size);
}

/* Reads registers from {"x":[{"value":1},…],"pc":{"value":2},"flavor":"ARM_THREAD_STATE64"}. out: NULL to only count
 * them. Returns their number. */
static size_t list_registers(struct ips_reader *reader, int32_t state, framemap_register *out)
{
    size_t count = 0;
    for (int32_t key = fm_json_first(reader->json, state); key >= 0; key = fm_json_next(reader->json, key)) {
        const int32_t value = fm_json_value(reader->json, key);
        const framemap_str name = fm_json_raw(reader->json, key);
        if (fm_json_type(reader->json, value) != FM_JSON_ARRAY) {
            add_register(reader, out, &count, name, value);
            continue;
        }
        uint64_t number = 0;
        for (int32_t item = fm_json_first(reader->json, value); item >= 0; item = fm_json_next(reader->json, item))
            add_register(reader, out, &count, out ? numbered(reader, name, number++) : name, item);
    }
    return count;
}

static void read_registers(struct ips_reader *reader, int32_t state, framemap_trace *trace)
{
    if (state < 0 || fm_json_type(reader->json, state) != FM_JSON_OBJECT) return;
    const size_t count = list_registers(reader, state, NULL);
    framemap_register *registers = count ? fm_document_alloc(reader->doc, count * sizeof *registers) : NULL;
    if (registers == NULL) return;
    trace->register_count = list_registers(reader, state, registers);
    trace->registers = registers;
}

/* --- threads --- */

static void ips_read_thread(struct ips_reader *reader, int32_t thread, uint64_t number)
{
    const int32_t triggered = get(reader, thread, "triggered");
    const bool crashed = number == reader->faulting || (triggered >= 0 && fm_json_is_true(reader->json, triggered));
    framemap_trace trace = crashed ? reader->crash : reader->common;
    trace.crashed = crashed;
    trace.thread_id = fm_document_decimal(reader->doc, number);
    trace.thread_name = get_text(reader, thread, "name");
    trace.thread_queue = get_text(reader, thread, "queue");
    trace.thread = trace.thread_name.size ? trace.thread_name : trace.thread_queue;
    if (trace.thread.size == 0) trace.thread = trace.thread_id;
    if (crashed) read_registers(reader, get(reader, thread, "threadState"), &trace);
    read_frames(reader, &trace, get_array(reader, thread, "frames"), false);
}

static void read_threads(struct ips_reader *reader, int32_t threads)
{
    uint64_t number = 0;
    for (int32_t thread = fm_json_first(reader->json, threads); thread >= 0;
         thread = fm_json_next(reader->json, thread))
        ips_read_thread(reader, thread, number++);
}

static void read_last_exception(struct ips_reader *reader, int32_t frames)
{
    framemap_trace trace = reader->crash;
    trace.crashed = true;
    trace.thread = FM_STR("Last Exception Backtrace");
    read_frames(reader, &trace, frames, true);
}

/* Parses "asiBacktraces": each string is a call stack whose rows are separated by escaped line ends and have the form
 * of the format apple-symbols. */
static void read_backtrace(struct ips_reader *reader, framemap_str text)
{
    framemap_trace known = reader->common;
    bool began = false;
    known.thread = FM_STR("Application Specific Backtrace");
    while (text.size) {
        const size_t end = fm_str_find(text, FM_STR("\\n"));
        const framemap_str row = fm_str_slice(text, 0, end);
        framemap_frame frame = FM_FRAME_INIT;
        text = fm_str_from(text, end == FM_NOT_FOUND ? text.size : end + 2);
        if (!fm_apple_row(row, true, reader->doc, &frame)) continue;
        const struct fm_line line = fm_json_lines_at(&reader->lines, row);
        if (!began && !fm_document_trace_like(reader->doc, fm_apple_symbols.info.name, &line, &known)) return;
        began = true;
        frame.return_address = true;
        if (!fm_document_frame(reader->doc, &line, &frame)) return;
    }
}

static void read_backtraces(struct ips_reader *reader, int32_t list)
{
    for (int32_t item = fm_json_first(reader->json, list); item >= 0; item = fm_json_next(reader->json, item))
        if (fm_json_type(reader->json, item) == FM_JSON_STRING) read_backtrace(reader, fm_json_raw(reader->json, item));
}

/* Reads the stacks in the order in which they are in the text: printing needs that order. */
static void read_stacks(struct ips_reader *reader)
{
    for (int32_t key = fm_json_first(reader->json, reader->body); key >= 0; key = fm_json_next(reader->json, key)) {
        const framemap_str name = fm_json_raw(reader->json, key);
        const int32_t value = fm_json_value(reader->json, key);
        if (fm_json_type(reader->json, value) != FM_JSON_ARRAY) continue;
        if (fm_str_equal(name, FM_STR("threads"))) read_threads(reader, value);
        if (fm_str_equal(name, FM_STR("lastExceptionBacktrace"))) read_last_exception(reader, value);
        if (fm_str_equal(name, FM_STR("asiBacktraces"))) read_backtraces(reader, value);
    }
}

/* Whether one of the threads has a frame that this format reads. */
static bool has_frames(const struct ips_reader *reader, int32_t threads)
{
    uint64_t offset;
    for (int32_t thread = fm_json_first(reader->json, threads); thread >= 0;
         thread = fm_json_next(reader->json, thread))
        if (get_number(reader, fm_json_first(reader->json, get_array(reader, thread, "frames")), "imageOffset",
                       &offset))
            return true;
    return false;
}

static void read_report(struct ips_reader *reader, framemap_str header, bool repeats)
{
    read_images(reader);
    ips_read_process(reader, header);
    reader->crash = reader->common;
    read_exception(reader);
    if (!get_number(reader, reader->body, "faultingThread", &reader->faulting)) reader->faulting = UINT64_MAX;
    if (repeats) fm_document_report_drop(reader->doc);
    fm_document_report_begin(reader->doc);
    read_stacks(reader);
    const framemap_str text = reader->lines.document->text;
    const struct fm_line last = fm_json_lines_at(&reader->lines, fm_str_from(text, text.size - 1));
    add_images(reader, &last);
    fm_document_report_end(reader->doc);
}

bool fm_apple_ips_read(struct fm_document *doc, const char *format, const struct fm_json_document *document,
                       framemap_str header, bool repeats)
{
    struct fm_json *json = fm_json_document_parse(document, doc);
    if (json == NULL) return false;
    struct ips_reader reader = {
        .doc = doc, .format = format, .json = json, .lines = fm_json_lines_of(document), .images = NULL};
    const bool ours =
        has_frames(&reader, get_array(&reader, 0, "threads")) || get_array(&reader, 0, "lastExceptionBacktrace") >= 0;
    if (ours) read_report(&reader, header, repeats);
    fm_json_free(json);
    return ours;
}
