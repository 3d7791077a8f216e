/* Makes traces of MetricKit's call stack trees, one for each path from a root to a leaf. Called by metrickit.c.
 *
 * In the tree of a single thread, the root is the innermost frame; its address is that of the current instruction, and
 * the frames below it have return addresses. A tree over all threads may begin with the outermost frame instead; the
 * leaf then has the current instruction. offsetIntoBinaryTextSegment is the offset in the image, but in reports of iOS
 * 14 and 15 it is the load address of the image. */
#include "formats/native/apple/metrickit_read.h"
#include "formats/native/call_tree.h"
#include "formats/row_parts.h"
#include "formats/signal_names.h"

#define PAGE UINT64_C(0x1000)
#define LEAST_LOAD UINT64_C(0x100000000) /* no image of a program is loaded below 4 GiB */

/* A position in a JSON document that is itself in a string of another document: a byte of the inner document, and
 * the corresponding byte of the outer one. */
struct inner_document {
    /* at: a byte of the inner document; printed: the byte of the outer document that it was decoded from. NULL: the
     * document is not in a string */
    const char *at, *printed;
};

struct metrickit_reader {
    struct fm_document *doc;
    struct inner_document inner;
    const char *format;
    const struct fm_json *json;
    struct fm_json_lines lines;
    struct fm_call_tree tree;
    framemap_trace known;
    bool outermost_first;
};

static int32_t get(const struct metrickit_reader *reader, int32_t object, const char *name)
{
    return object >= 0 && fm_json_type(reader->json, object) == FM_JSON_OBJECT ? fm_json_get(reader->json, object, name)
                                                                               : -1;
}

static framemap_str get_text(const struct metrickit_reader *reader, int32_t object, const char *name)
{
    return fm_json_document_string(reader->json, get(reader, object, name), reader->doc);
}

static bool get_number(const struct metrickit_reader *reader, int32_t object, const char *name, uint64_t *out)
{
    const int32_t value = get(reader, object, name);
    return value >= 0 && fm_json_u64(reader->json, value, out);
}

static int32_t get_array(const struct metrickit_reader *reader, int32_t object, const char *name)
{
    const int32_t value = get(reader, object, name);
    return value >= 0 && fm_json_type(reader->json, value) == FM_JSON_ARRAY ? value : -1;
}

static bool get_true(const struct metrickit_reader *reader, int32_t object, const char *name)
{
    const int32_t value = get(reader, object, name);
    return value >= 0 && fm_json_is_true(reader->json, value);
}

/* --- frames --- */

/* Returns the raw text of a frame: its JSON object up to the member "subFrames", because raw texts of frames must not
 * overlap. */
static framemap_str raw_of(const struct metrickit_reader *reader, int32_t value)
{
    const framemap_str whole = fm_json_raw(reader->json, value);
    const char *end = whole.data + 1;
    for (int32_t key = fm_json_first(reader->json, value); key >= 0; key = fm_json_next(reader->json, key)) {
        const framemap_str part = fm_json_raw(reader->json, fm_json_value(reader->json, key));
        if (fm_str_equal(fm_json_raw(reader->json, key), FM_STR("subFrames")))
            return fm_json_first(reader->json, fm_json_value(reader->json, key)) < 0
                       ? whole
                       : fm_str(whole.data, (size_t)(end - whole.data));
        end = part.data + part.size + (fm_json_type(reader->json, fm_json_value(reader->json, key)) == FM_JSON_STRING);
    }
    return whole;
}

/* Returns the byte of the outer document that corresponds to `at` in the inner document. Escapes in the string have at
 * most two characters. */
static const char *printed_at(struct inner_document *inner, const char *at)
{
    for (; inner->at < at; inner->at++) inner->printed += *inner->printed == '\\' ? 2 : 1;
    return inner->printed;
}

/* Returns the slice of the text that corresponds to a part of the inner document. Parts must be requested in
 * ascending order. */
static framemap_str printed_part(struct metrickit_reader *reader, framemap_str part)
{
    if (reader->inner.at == NULL) return part;
    const char *from = printed_at(&reader->inner, part.data);
    return fm_str(from, (size_t)(printed_at(&reader->inner, part.data + part.size) - from));
}

static void read_address(const struct metrickit_reader *reader, int32_t value, framemap_frame *frame)
{
    uint64_t offset = 0;
    const bool has_offset = get_number(reader, value, "offsetIntoBinaryTextSegment", &offset);
    frame->has_address = get_number(reader, value, "address", &frame->address);
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    if (!has_offset) return;
    const bool is_load = offset > frame->address || (offset >= LEAST_LOAD && offset % PAGE == 0);
    if (!frame->has_address) {
        frame->has_address = true;
        frame->address = offset;
        frame->address_kind = FRAMEMAP_ADDRESS_IMAGE;
    } else if (!is_load || offset <= frame->address) {
        frame->has_load_address = true;
        frame->load_address = is_load ? offset : frame->address - offset;
    }
}

static bool read_frame(const struct metrickit_reader *reader, int32_t value, framemap_frame *frame)
{
    read_address(reader, value, frame);
    frame->module = get_text(reader, value, "binaryName");
    frame->arch = reader->known.arch;
    fm_row_id(get_text(reader, value, "binaryUUID"), reader->doc, &frame->id);
    if (!frame->has_address) return false;
    if (!frame->has_load_address && frame->address_kind == FRAMEMAP_ADDRESS_ABSOLUTE) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = "the report does not say where the image was loaded";
    }
    return true;
}

static bool metrickit_add_frame(struct metrickit_reader *reader, int32_t value, size_t level)
{
    framemap_frame frame = FM_FRAME_INIT;
    uint64_t count = 0;
    if (!read_frame(reader, value, &frame)) return true;
    const framemap_str raw = printed_part(reader, raw_of(reader, value));
    const struct fm_line line = fm_json_lines_at(&reader->lines, raw);
    if (reader->outermost_first)
        fm_call_tree_calls(&reader->tree, reader->doc, reader->format, level, &frame);
    else
        frame.return_address = level > 0;
    framemap_frame *added =
        fm_call_tree_add(&reader->tree, reader->doc, reader->format, &reader->known, level, &line, &frame);
    if (added == NULL) return false;
    if (!get_number(reader, value, "sampleCount", &count)) return true;
    framemap_frame_extra *extra = fm_document_extra(reader->doc, added);
    if (extra == NULL) return false;
    extra->has_count = true;
    extra->count = count;
    return true;
}

/* Visits the nodes below an array of roots in the order of the text. */
static void read_tree(struct metrickit_reader *reader, int32_t roots)
{
    int32_t next[FM_CALL_TREE_LEVELS];
    size_t level = 0;
    reader->tree = (struct fm_call_tree){.began = false};
    next[0] = fm_json_first(reader->json, roots);
    for (;;) {
        const int32_t value = next[level];
        if (value < 0) {
            if (level-- == 0) return;
            continue;
        }
        next[level] = fm_json_next(reader->json, value);
        if (fm_json_type(reader->json, value) != FM_JSON_OBJECT) continue;
        if (!metrickit_add_frame(reader, value, level)) return;
        const int32_t child = fm_json_first(reader->json, get_array(reader, value, "subFrames"));
        if (child >= 0 && level + 1 < FM_CALL_TREE_LEVELS) next[++level] = child;
    }
}

/* --- reading what the report states about its stacks --- */

static framemap_str mach_name(uint64_t type)
{
    static const char *const names[] = {
        [1] = "EXC_BAD_ACCESS", [2] = "EXC_BAD_INSTRUCTION", [3] = "EXC_ARITHMETIC", [4] = "EXC_EMULATION",
        [5] = "EXC_SOFTWARE",   [6] = "EXC_BREAKPOINT",      [7] = "EXC_SYSCALL",    [8] = "EXC_MACH_SYSCALL",
        [9] = "EXC_RPC_ALERT",  [10] = "EXC_CRASH",          [11] = "EXC_RESOURCE",  [12] = "EXC_GUARD"};
    const bool known = type < sizeof names / sizeof *names && names[type];
    return known ? framemap_str_of(names[type]) : (framemap_str){NULL, 0};
}

static void read_exception(struct metrickit_reader *reader, int32_t meta)
{
    framemap_trace *known = &reader->known;
    uint64_t number = 0;
    if (get_number(reader, meta, "exceptionType", &number)) known->mach_type = mach_name(number);
    if (get_number(reader, meta, "exceptionCode", &number))
        known->mach_codes = fm_document_decimal(reader->doc, number);
    known->exception_type = known->exception = known->mach_type;
    if (get_number(reader, meta, "signal", &number) && number <= INT32_MAX) {
        known->signal.name = fm_signal_name(number, FM_SIGNALS_OF_APPLE);
        known->signal.has_number = true;
        known->signal.number = (int32_t)number;
    }
    if (known->exception.size == 0) known->exception = known->signal.name;
    const int32_t reason = get(reader, meta, "objectiveCexceptionReason");
    known->exception_message = get_text(reader, reason, "composedMessage");
    if (known->exception_message.size == 0) known->exception_message = get_text(reader, meta, "terminationReason");
}

static void read_meta(struct metrickit_reader *reader, int32_t meta)
{
    framemap_trace *known = &reader->known;
    uint64_t pid = 0;
    *known = (framemap_trace){.frames = NULL};
    known->arch = get_text(reader, meta, "platformArchitecture");
    known->os_version = get_text(reader, meta, "osVersion");
    known->process_name = get_text(reader, meta, "bundleIdentifier");
    known->has_process_id = get_number(reader, meta, "pid", &pid);
    known->process_id = pid;
    if (meta >= 0) read_exception(reader, meta);
}

/* --- trees --- */

/* Whether a tree begins with the outermost frame. This is assumed if the first frame has callees and is in a library in
 * which threads start. */
static bool begins_outermost(const struct metrickit_reader *reader, int32_t roots)
{
    static const framemap_str bottoms[] = {FM_STR_INIT("dyld"), FM_STR_INIT("libdyld.dylib"),
                                           FM_STR_INIT("libsystem_pthread.dylib")};
    const int32_t root = fm_json_first(reader->json, roots);
    const framemap_str module = get_text(reader, root, "binaryName");
    if (fm_json_first(reader->json, get_array(reader, root, "subFrames")) < 0) return false;
    for (size_t i = 0; i < sizeof bottoms / sizeof *bottoms; i++)
        if (fm_str_equal(module, bottoms[i])) return true;
    return false;
}

static void read_stacks(struct metrickit_reader *reader, int32_t tree, int32_t meta)
{
    const bool per_thread = get_true(reader, tree, "callStackPerThread");
    uint64_t number = 0;
    read_meta(reader, meta);
    const bool crashes = meta < 0 || reader->known.exception.size != 0;
    const framemap_trace common = reader->known;
    const int32_t stacks = get_array(reader, tree, "callStacks");
    for (int32_t stack = fm_json_first(reader->json, stacks); stack >= 0; stack = fm_json_next(reader->json, stack)) {
        const int32_t roots = get_array(reader, stack, "callStackRootFrames");
        reader->known = common;
        if (per_thread) reader->known.thread = reader->known.thread_id = fm_document_decimal(reader->doc, number);
        number++;
        reader->known.crashed = crashes && get_true(reader, stack, "threadAttributed");
        reader->outermost_first = !per_thread && begins_outermost(reader, roots);
        reader->known.outermost_first = reader->outermost_first;
        read_tree(reader, roots);
    }
}

static bool is_key(const struct metrickit_reader *reader, int32_t value, framemap_str name)
{
    return value >= 0 && fm_json_value(reader->json, value) >= 0 &&
           fm_str_equal(fm_json_raw(reader->json, value), name);
}

/* Reads the tree that is the member "callStackTree" of an object, with the metadata in the same object; or the object
 * itself, if it is a tree. Returns false if there is no tree. */
static bool read_object(struct metrickit_reader *reader, int32_t object)
{
    const int32_t tree = get(reader, object, "callStackTree");
    if (get_array(reader, tree, "callStacks") >= 0) {
        read_stacks(reader, tree, get(reader, object, "diagnosticMetaData"));
        return true;
    }
    if (get_array(reader, object, "callStacks") < 0 || is_key(reader, object - 1, FM_STR("callStackTree")))
        return false;
    read_stacks(reader, object, -1);
    return true;
}

/* Reads the tree in an object. Sets *any if the object has a tree. */
static void read_value(struct metrickit_reader *reader, int32_t value, bool *any)
{
    if (fm_json_type(reader->json, value) != FM_JSON_OBJECT) return;
    if (!*any && (get(reader, value, "callStackTree") >= 0 || get(reader, value, "callStacks") >= 0))
        fm_document_report_begin(reader->doc);
    *any = read_object(reader, value) || *any;
}

/* Reads a tree that is in a string, as collectors of logs write it:
 * {"exception.stacktrace_json":"{\"callStacks\":[…]}"}. */
static void read_string(struct metrickit_reader *reader, framemap_str raw, framemap_str text, bool *any)
{
    const struct fm_json_document document = {.text = text};
    struct metrickit_reader inside = *reader;
    struct fm_json *json = text.size ? fm_json_document_parse(&document, reader->doc) : NULL;
    if (json == NULL) return;
    inside.json = json;
    inside.inner = (struct inner_document){text.data, raw.data};
    for (int32_t value = 0; fm_json_raw(json, value).data != NULL; value++) read_value(&inside, value, any);
    reader->lines = inside.lines;
    fm_json_free(json);
}

static bool has_tree(framemap_str raw)
{
    return fm_str_find(raw, FM_STR("\"callStack")) != FM_NOT_FOUND && fm_str_find(raw, FM_STR("\\u")) == FM_NOT_FOUND;
}

bool fm_metrickit_read(struct fm_document *doc, const char *format, const struct fm_json_document *document)
{
    struct fm_json *json = fm_json_document_parse(document, doc);
    struct metrickit_reader reader = {
        .doc = doc, .format = format, .json = json, .lines = fm_json_lines_of(document), .known = {.frames = NULL}};
    bool any = false;
    framemap_str raw;
    if (json == NULL) return false;
    for (int32_t value = 0; (raw = fm_json_raw(json, value)).data != NULL; value++) {
        if (fm_json_type(json, value) != FM_JSON_STRING)
            read_value(&reader, value, &any);
        else if (has_tree(raw))
            read_string(&reader, raw, fm_json_document_string(json, value, doc), &any);
    }
    if (any) fm_document_report_end(doc);
    fm_json_free(json);
    return any;
}
