/* Implements json_traces.h. docs/json.md documents the members.
 *
 * A frame of the input that was restored to several functions is read as several frames. A frame that was not
 * restored can still be restored now, with other symbols. */
#include "formats/events/json_traces.h"
#include "formats/row_parts.h"

#include <stddef.h>

struct reader {
    struct fm_document *doc;
    const struct fm_json *json;
    struct fm_json_lines lines;
};

/* --- reading members of JSON objects --- */

static framemap_str text_at(const struct reader *reader, int32_t object, const char *name)
{
    return fm_json_document_string(reader->json, fm_json_get(reader->json, object, name), reader->doc);
}

static uint64_t count_at(const struct reader *reader, int32_t object, const char *name)
{
    uint64_t number = 0;
    return fm_json_u64(reader->json, fm_json_get(reader->json, object, name), &number) ? number : 0;
}

static uint32_t number_at(const struct reader *reader, int32_t object, const char *name)
{
    const uint64_t number = count_at(reader, object, name);
    return number < UINT32_MAX ? (uint32_t)number : 0;
}

static bool signed_at(const struct reader *reader, int32_t object, const char *name, int32_t *out)
{
    int64_t number;
    if (!fm_json_i64(reader->json, fm_json_get(reader->json, object, name), &number) || number < INT32_MIN ||
        number > INT32_MAX)
        return false;
    *out = (int32_t)number;
    return true;
}

static bool flag_at(const struct reader *reader, int32_t object, const char *name)
{
    const int32_t value = fm_json_get(reader->json, object, name);
    return value >= 0 && fm_json_is_true(reader->json, value);
}

/* Reads a string such as "0x1f". */
static bool hex_of(const struct reader *reader, int32_t value, uint64_t *out)
{
    struct fm_scan s = fm_scan_of(value >= 0 ? fm_json_raw(reader->json, value) : (framemap_str){NULL, 0});
    return fm_row_0xhex(&s, out) == FM_DIGITS_FIT && fm_scan_done(&s);
}

static bool hex_at(const struct reader *reader, int32_t object, const char *name, uint64_t *out)
{
    return hex_of(reader, fm_json_get(reader->json, object, name), out);
}

/* The name of a string member of a JSON object, and the offset of the struct member that stores it. */
struct text_member {
    const char *name;
    size_t at; /* offset of a framemap_str in the struct */
};

static void read_texts(const struct reader *reader, int32_t object, const struct text_member *members, size_t count,
                       void *out)
{
    for (size_t i = 0; i < count; i++)
        *(framemap_str *)(void *)((char *)out + members[i].at) = text_at(reader, object, members[i].name);
}
#define READ_TEXTS(reader, object, members, out) \
    read_texts(reader, object, members, sizeof(members) / sizeof *(members), out)

/* Returns the position of a word in a list of names; 0 if it is not in the list. */
static unsigned word_of(framemap_str word, const char *const *names, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (fm_str_equal(word, framemap_str_of(names[i]))) return i;
    return 0;
}

/* --- frames --- */

static framemap_kind kind_of(framemap_str word)
{
    for (int kind = FRAMEMAP_KIND_UNKNOWN; kind <= FRAMEMAP_KIND_MARKER; kind++)
        if (fm_str_equal(word, framemap_str_of(framemap_kind_name((framemap_kind)kind)))) return (framemap_kind)kind;
    return FRAMEMAP_KIND_OTHER;
}

static framemap_address_kind mode_of(framemap_str word)
{
    if (fm_str_equal(word, FM_STR("linked"))) return FRAMEMAP_ADDRESS_LINKED;
    if (fm_str_equal(word, FM_STR("image"))) return FRAMEMAP_ADDRESS_IMAGE;
    if (fm_str_equal(word, FM_STR("file"))) return FRAMEMAP_ADDRESS_FILE;
    return fm_str_equal(word, FM_STR("bytecode")) ? FRAMEMAP_ADDRESS_BYTECODE : FRAMEMAP_ADDRESS_ABSOLUTE;
}

static void read_address(const struct reader *reader, int32_t value, framemap_frame *frame)
{
    const int32_t address = fm_json_get(reader->json, value, "address");
    uint64_t lookup = 0;
    if (address < 0) return;
    frame->has_address = hex_at(reader, address, "value", &frame->address);
    if (frame->has_address) frame->address_kind = mode_of(text_at(reader, address, "mode"));
    frame->has_absolute_address = hex_at(reader, address, "absolute", &frame->absolute_address);
    frame->has_load_address = hex_at(reader, address, "load", &frame->load_address);
    frame->maps_file = flag_at(reader, address, "maps_file");
    frame->return_address =
        frame->has_address && hex_at(reader, address, "lookup", &lookup) && lookup != frame->address;
    (void)hex_at(reader, address, "elf_offset", &frame->file_offset);
}

/* Reads the members that the object `printed` and the objects of the list `source` have in common. */
static void json_traces_read_place(const struct reader *reader, int32_t value, framemap_frame *frame)
{
    static const struct text_member members[] = {{"class", offsetof(framemap_frame, class_name)},
                                                 {"function", offsetof(framemap_frame, function)},
                                                 {"file", offsetof(framemap_frame, file)}};
    READ_TEXTS(reader, value, members, frame);
    frame->line = number_at(reader, value, "line");
    frame->column = number_at(reader, value, "column");
    frame->inlined = flag_at(reader, value, "inlined");
    frame->has_function_offset =
        fm_json_u64(reader->json, fm_json_get(reader->json, value, "offset"), &frame->function_offset);
    frame->function_size = count_at(reader, value, "function_size");
}

static void read_printed(const struct reader *reader, int32_t value, framemap_frame *frame)
{
    const int32_t printed = fm_json_get(reader->json, value, "printed");
    if (printed < 0) return;
    json_traces_read_place(reader, printed, frame);
    frame->is_async = flag_at(reader, printed, "async");
    frame->is_native = flag_at(reader, printed, "native");
    frame->is_unreliable = flag_at(reader, printed, "unreliable");
}

static void read_common(const struct reader *reader, int32_t value, framemap_frame *frame)
{
    static const struct text_member members[] = {{"module", offsetof(framemap_frame, module)},
                                                 {"module_path", offsetof(framemap_frame, module_path)},
                                                 {"id", offsetof(framemap_frame, id)},
                                                 {"arch", offsetof(framemap_frame, arch)}};
    *frame = FM_FRAME_INIT;
    int64_t index = -1;
    if (fm_json_i64(reader->json, fm_json_get(reader->json, value, "index"), &index) && index >= 0)
        frame->index = index;
    frame->kind = kind_of(text_at(reader, value, "kind"));
    READ_TEXTS(reader, value, members, frame);
    read_address(reader, value, frame);
}

/* Whether a frame with this status needs no symbols, or is one for which no symbols could be found. */
static bool is_settled(framemap_str status, const framemap_frame *frame)
{
    if (fm_str_equal(status, FM_STR("not-needed"))) return true;
    if (frame->kind == FRAMEMAP_KIND_JAVA) return frame->class_name.size == 0;
    if (frame->kind == FRAMEMAP_KIND_JS) return frame->file.size == 0 || frame->line == 0;
    return !frame->has_address;
}

static void add_marker(const struct reader *reader, int32_t value, const struct fm_line *line, framemap_frame *frame)
{
    static const char *const names[] = {"", "async-gap", "skipped", "elided", "repeated", "invalid"};
    static const framemap_marker markers[] = {FRAMEMAP_MARKER_NONE,     FRAMEMAP_MARKER_ASYNC_GAP,
                                              FRAMEMAP_MARKER_SKIPPED,  FRAMEMAP_MARKER_ELIDED,
                                              FRAMEMAP_MARKER_REPEATED, FRAMEMAP_MARKER_INVALID};
    frame->marker = markers[word_of(text_at(reader, value, "marker"), names, sizeof names / sizeof *names)];
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    (void)fm_document_frame(reader->doc, line, frame);
}

/* Adds a frame for each function that a frame of the input was restored to, with that function's JSON object as its
 * row. Returns whether there was one. */
static bool add_sources(struct reader *reader, int32_t value, framemap_frame *frame)
{
    const int32_t sources = fm_json_get(reader->json, value, "source");
    bool any = false;
    if (!fm_str_equal(text_at(reader, value, "from"), FM_STR("symbols"))) return false;
    if (fm_json_type(reader->json, sources) != FM_JSON_ARRAY) return false;
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    for (int32_t item = fm_json_first(reader->json, sources); item >= 0; item = fm_json_next(reader->json, item)) {
        if (fm_json_type(reader->json, item) != FM_JSON_OBJECT) continue;
        const struct fm_line line = fm_json_lines_at(&reader->lines, fm_json_raw(reader->json, item));
        json_traces_read_place(reader, item, frame);
        frame->symbol = text_at(reader, item, "symbol");
        any = true;
        if (!fm_document_frame(reader->doc, &line, frame)) break;
    }
    return any;
}

static void json_traces_add_frame(struct reader *reader, int32_t value)
{
    framemap_frame frame;
    read_common(reader, value, &frame);
    if (frame.kind != FRAMEMAP_KIND_MARKER && add_sources(reader, value, &frame)) return;
    const struct fm_line line = fm_json_lines_at(&reader->lines, fm_json_raw(reader->json, value));
    if (frame.kind == FRAMEMAP_KIND_MARKER) {
        add_marker(reader, value, &line, &frame);
        return;
    }
    read_printed(reader, value, &frame);
    frame.status =
        is_settled(text_at(reader, value, "status"), &frame) ? FRAMEMAP_FRAME_NOT_NEEDED : FRAMEMAP_FRAME_RAW;
    (void)fm_document_frame(reader->doc, &line, &frame);
}

/* --- a trace --- */

static void read_signal(const struct reader *reader, int32_t exception, framemap_signal *signal)
{
    static const struct text_member members[] = {{"name", offsetof(framemap_signal, name)},
                                                 {"code_name", offsetof(framemap_signal, code_name)}};
    const int32_t value = fm_json_get(reader->json, exception, "signal");
    if (value < 0) return;
    READ_TEXTS(reader, value, members, signal);
    signal->has_address = hex_at(reader, value, "address", &signal->address);
    signal->has_number = signed_at(reader, value, "number", &signal->number);
    signal->has_code = signed_at(reader, value, "code", &signal->code);
}

static void read_exception(const struct reader *reader, int32_t object, framemap_trace *trace)
{
    static const struct text_member members[] = {{"raw", offsetof(framemap_trace, exception)},
                                                 {"type", offsetof(framemap_trace, exception_type)},
                                                 {"message", offsetof(framemap_trace, exception_message)},
                                                 {"abort_message", offsetof(framemap_trace, abort_message)}};
    const int32_t value = fm_json_get(reader->json, object, "exception");
    if (value < 0) return;
    READ_TEXTS(reader, value, members, trace);
    const int32_t mach = fm_json_get(reader->json, value, "mach");
    if (mach >= 0) {
        trace->mach_type = text_at(reader, mach, "type");
        trace->mach_codes = text_at(reader, mach, "codes");
    }
    read_signal(reader, value, &trace->signal);
}

static void json_traces_read_thread(const struct reader *reader, int32_t object, framemap_trace *trace)
{
    static const struct text_member members[] = {{"id", offsetof(framemap_trace, thread_id)},
                                                 {"name", offsetof(framemap_trace, thread_name)},
                                                 {"queue", offsetof(framemap_trace, thread_queue)},
                                                 {"state", offsetof(framemap_trace, thread_state)}};
    const int32_t value = fm_json_get(reader->json, object, "thread");
    if (value < 0) return;
    READ_TEXTS(reader, value, members, trace);
    trace->crashed = flag_at(reader, value, "crashed");
    trace->thread = trace->thread_name.size ? trace->thread_name : trace->thread_id;
}

static void json_traces_read_process(const struct reader *reader, int32_t object, framemap_trace *trace)
{
    static const struct text_member members[] = {{"name", offsetof(framemap_trace, process_name)},
                                                 {"arch", offsetof(framemap_trace, arch)},
                                                 {"os", offsetof(framemap_trace, os)},
                                                 {"os_version", offsetof(framemap_trace, os_version)}};
    const int32_t value = fm_json_get(reader->json, object, "process");
    if (value < 0) return;
    READ_TEXTS(reader, value, members, trace);
    trace->has_process_id = fm_json_u64(reader->json, fm_json_get(reader->json, value, "pid"), &trace->process_id);
}

static void read_log(const struct reader *reader, int32_t object, framemap_log *log)
{
    static const struct text_member members[] = {{"time", offsetof(framemap_log, time)},
                                                 {"tag", offsetof(framemap_log, tag)},
                                                 {"level", offsetof(framemap_log, level)},
                                                 {"process", offsetof(framemap_log, process)},
                                                 {"host", offsetof(framemap_log, host)}};
    const int32_t value = fm_json_get(reader->json, object, "log");
    if (value < 0) return;
    READ_TEXTS(reader, value, members, log);
    log->has_pid = fm_json_u64(reader->json, fm_json_get(reader->json, value, "pid"), &log->pid);
    log->has_tid = fm_json_u64(reader->json, fm_json_get(reader->json, value, "tid"), &log->tid);
}

static void read_registers(const struct reader *reader, int32_t object, framemap_trace *trace)
{
    const int32_t value = fm_json_get(reader->json, object, "registers");
    const size_t count = value < 0 ? 0 : fm_json_count(reader->json, value);
    framemap_register *list = count ? fm_document_alloc(reader->doc, count * sizeof *list) : NULL;
    if (list == NULL || fm_json_type(reader->json, value) != FM_JSON_OBJECT) return;
    for (int32_t key = fm_json_first(reader->json, value); key >= 0; key = fm_json_next(reader->json, key)) {
        framemap_register *one = &list[trace->register_count];
        *one = (framemap_register){.name = fm_json_document_string(reader->json, key, reader->doc)};
        if (hex_of(reader, fm_json_value(reader->json, key), &one->value)) trace->register_count++;
    }
    trace->registers = list;
}

/* Reads the role of a trace, and the trace to which it belongs. The numbers of traces in the JSON are those of its
 * writer, so only the difference of the two numbers is used. */
static void read_role(const struct reader *reader, int32_t object, framemap_trace *trace)
{
    static const char *const names[] = {
        "", "cause", "suppressed", "circular", "freed-by", "allocated-by", "thread-created", "previous-access", "leak"};
    const uint64_t number = count_at(reader, object, "n"), part_of = count_at(reader, object, "part_of");
    const unsigned role = word_of(text_at(reader, object, "role"), names, sizeof names / sizeof *names);
    if (role == 0 || part_of > number || number - part_of > trace->number) return;
    trace->role = (framemap_role)role;
    trace->part_of = trace->number - (number - part_of);
}

/* Returns the next element of a list that is a frame, at or after `value`. */
static int32_t next_frame(const struct reader *reader, int32_t value)
{
    while (value >= 0 && fm_json_type(reader->json, value) != FM_JSON_OBJECT) value = fm_json_next(reader->json, value);
    return value;
}

static bool read_trace(struct reader *reader, const char *name)
{
    const int32_t frames = fm_json_get(reader->json, 0, "frames");
    if (frames < 0 || fm_json_type(reader->json, frames) != FM_JSON_ARRAY) return false;
    int32_t value = next_frame(reader, fm_json_first(reader->json, frames));
    if (value < 0) return false;
    struct fm_json_lines lines = reader->lines;
    const struct fm_line whole = fm_json_lines_at(&lines, reader->lines.document->text);
    framemap_trace *trace = fm_document_trace(reader->doc, name, &whole);
    if (trace == NULL) return true;
    read_exception(reader, 0, trace);
    json_traces_read_thread(reader, 0, trace);
    json_traces_read_process(reader, 0, trace);
    read_registers(reader, 0, trace);
    trace->elided = count_at(reader, 0, "elided");
    trace->outermost_first = flag_at(reader, 0, "outermost_first");
    for (; value >= 0; value = next_frame(reader, fm_json_next(reader->json, value)))
        json_traces_add_frame(reader, value);
    trace = fm_document_open(reader->doc, name);
    if (trace == NULL) return true;
    read_log(reader, 0, &trace->log); /* Replaces the log prefix, which was read from the line of the first frame. */
    read_role(reader, 0, trace);
    return true;
}

/* --- images --- */

static void read_images(const struct reader *reader, const struct fm_line *line)
{
    static const struct text_member members[] = {{"name", offsetof(framemap_image, name)},
                                                 {"path", offsetof(framemap_image, path)},
                                                 {"id", offsetof(framemap_image, id)},
                                                 {"arch", offsetof(framemap_image, arch)}};
    const int32_t list = fm_json_get(reader->json, 0, "images");
    for (int32_t value = fm_json_first(reader->json, list); value >= 0; value = fm_json_next(reader->json, value)) {
        framemap_image *image = fm_document_image(reader->doc, line);
        if (image == NULL) return;
        READ_TEXTS(reader, value, members, image);
        image->size = count_at(reader, value, "size");
        (void)hex_at(reader, value, "load", &image->load_address);
    }
}

/* --- lines --- */

/* Returns where the JSON object on a line begins, since a comma may precede it in a document. NULL: the line has no
 * record. */
static const char *record_of(framemap_str body)
{
    static const framemap_str begins[] = {FM_STR_INIT("{\"t\":\"trace\","), FM_STR_INIT("{\"t\":\"images\","),
                                          FM_STR_INIT("{\"t\":\"end\",")};
    framemap_str text = fm_str_trim(body);
    if (fm_str_starts(text, FM_STR(","))) text = fm_str_from(text, 1);
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (fm_str_starts(text, begins[i])) return text.data;
    return NULL;
}

bool fm_json_traces_is_significant(const struct fm_line *line) { return record_of(line->text) != NULL; }

static bool read_record(struct fm_json_traces *state, const char *name, struct fm_document *doc,
                        const struct fm_line *whole)
{
    struct fm_json *json = fm_json_document_parse(&state->document, doc);
    struct reader reader = {.doc = doc, .json = json, .lines = fm_json_lines_of(&state->document)};
    if (json == NULL) return false;
    const uint64_t report = count_at(&reader, 0, "report");
    const framemap_str type = text_at(&reader, 0, "t");
    const bool images = fm_str_equal(type, FM_STR("images")), trace = fm_str_equal(type, FM_STR("trace"));
    bool read = images;
    if (state->lists && (!trace || report != state->report)) {
        fm_document_report_end(doc);
        state->lists = false;
    }
    if (images) {
        fm_document_report_begin(doc);
        read_images(&reader, whole);
        state->lists = true;
        state->report = report;
    } else if (trace) {
        read = read_trace(&reader, name);
    }
    fm_json_free(json);
    return read;
}

enum fm_line_role fm_json_traces_offer(struct fm_json_traces *state, const char *name, struct fm_document *doc,
                                       const struct fm_line *line)
{
    struct fm_line whole;
    if (!fm_json_document_line(&state->document, doc, line, &whole)) return state->role;
    state->role = FM_ROLE_NONE;
    const char *bracket = record_of(whole.text);
    if (bracket == NULL) return state->role;
    if (fm_json_document_begin_at(&state->document, doc, &whole, bracket) == FM_DOCUMENT_COMPLETE &&
        read_record(state, name, doc, &whole))
        state->role = FM_ROLE_FRAME;
    state->document.open = false; /* a record never continues on the next line, so the document is closed here */
    return state->role;
}
