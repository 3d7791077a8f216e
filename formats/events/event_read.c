/* Implements event_read.h: walks through the JSON document with an explicit stack instead of recursion, since
 * documents may be nested deeply. */
#include "formats/events/event_read.h"
#include "core/limits.h"
#include "core/text/trailing_number.h"
#include "formats/events/event_crash.h"
#include "formats/events/event_images.h"
#include "formats/events/event_vendors.h"
#include "formats/row_parts.h"

/* Returns an object that contains the array being visited. above: 1 for the innermost such object, 2 for the next one
 * outwards, and so on. */
static int32_t holder_of(const struct fm_event_reader *reader, unsigned above)
{
    for (size_t i = reader->depth; i-- > 0;)
        if (fm_json_type(reader->json, reader->levels[i].value) == FM_JSON_OBJECT && --above == 0)
            return reader->levels[i].value;
    return -1;
}

/* --- frames --- */

static bool is_one_of(framemap_str text, const framemap_str *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fm_str_equal(text, words[i])) return true;
    return false;
}

/* Whether a file name is one that only Java and Kotlin print. */
static bool is_java_file(framemap_str file)
{
    return fm_str_ends(file, FM_STR(".java")) || fm_str_ends(file, FM_STR(".kt")) ||
           fm_str_equal(file, FM_STR("SourceFile")) || fm_str_starts(file, FM_STR("Unknown Source")) ||
           fm_str_starts(file, FM_STR("r8-map-id-")) || fm_str_equal(file, FM_STR("PG"));
}

/* Whether a file is a source in a language whose stacks need no symbols. */
static bool is_other_file(framemap_str file)
{
    static const framemap_str ends[] = {FM_STR_INIT(".py"),  FM_STR_INIT(".rb"),  FM_STR_INIT(".php"),
                                        FM_STR_INIT(".cs"),  FM_STR_INIT(".vb"),  FM_STR_INIT(".go"),
                                        FM_STR_INIT(".erb"), FM_STR_INIT(".exs"), FM_STR_INIT(".ex")};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (fm_str_ends(file, ends[i])) return true;
    return false;
}

static framemap_kind kind_of(framemap_str platform, const framemap_frame *frame)
{
    static const framemap_str java[] = {FM_STR_INIT("java"), FM_STR_INIT("android"), FM_STR_INIT("kotlin")},
                              js[] = {FM_STR_INIT("javascript"), FM_STR_INIT("node"), FM_STR_INIT("browserjs"),
                                      FM_STR_INIT("nodejs"), FM_STR_INIT("reactnativejs")},
                              others[] = {FM_STR_INIT("python"), FM_STR_INIT("csharp"), FM_STR_INIT("go"),
                                          FM_STR_INIT("ruby"),   FM_STR_INIT("php"),    FM_STR_INIT("elixir"),
                                          FM_STR_INIT("perl"),   FM_STR_INIT("other")};
    if (frame->has_address) return FRAMEMAP_KIND_NATIVE;
    if (is_one_of(platform, js, sizeof js / sizeof *js)) return FRAMEMAP_KIND_JS;
    if (is_one_of(platform, java, sizeof java / sizeof *java)) return FRAMEMAP_KIND_JAVA;
    if (is_one_of(platform, others, sizeof others / sizeof *others)) return FRAMEMAP_KIND_OTHER;
    if (is_java_file(frame->file)) return FRAMEMAP_KIND_JAVA;
    if (is_other_file(frame->file)) return FRAMEMAP_KIND_OTHER;
    if (frame->line && frame->column) return FRAMEMAP_KIND_JS;
    return frame->class_name.size ? FRAMEMAP_KIND_JAVA : FRAMEMAP_KIND_OTHER;
}

static void read_position(const struct fm_event_reader *reader, const struct fm_event_vendor *vendor, int32_t value,
                          framemap_frame *frame)
{
    uint64_t number = 0;
    if (fm_event_number(reader, value, vendor->line, &number) && number < UINT32_MAX)
        frame->line = (uint32_t)number + vendor->counts_from_0;
    if (fm_event_number(reader, value, vendor->column, &number) && number < UINT32_MAX)
        frame->column = (uint32_t)number + vendor->counts_from_0;
}

/* Reads the column from "at f (https://a.b/main.js:1:2)", for a vendor without a member for the column. */
static void event_read_row(const struct fm_event_reader *reader, const struct fm_event_vendor *vendor, int32_t value,
                           framemap_frame *frame)
{
    framemap_str row = fm_event_text(reader, value, vendor->row), file;
    uint32_t line, column;
    if (fm_str_equal(frame->function, FM_STR("<no_method>"))) frame->function = (framemap_str){NULL, 0};
    if (fm_str_ends(row, FM_STR(")"))) row.size--;
    if (frame->line && fm_row_location(row, &file, &line, &column) && line == frame->line) frame->column = column;
}

/* Computes the address of a frame that has an offset and the load address of its image, as the frames of MongoDB up to
 * 4.2 have. */
static bool read_offset(const struct fm_event_reader *reader, const struct fm_event_vendor *vendor, int32_t value,
                        framemap_frame *frame)
{
    uint64_t load, offset;
    if (!fm_event_address(reader, value, vendor->load, true, &load) ||
        !fm_event_address(reader, value, vendor->offset, true, &offset) || offset > UINT64_MAX - load)
        return false;
    frame->address = load + offset;
    return frame->address != 0;
}

/* Sets the image of a frame whose address counts from that image: "rel:2" is the third one of the event's list. */
static bool event_read_relative(const struct fm_event_reader *reader, const struct fm_event_vendor *vendor,
                                int32_t value, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(fm_event_text(reader, value, vendor->address_mode));
    framemap_image image;
    uint64_t number;
    bool is_wasm;
    if (!fm_scan_text(&s, FM_STR("rel:")) || !fm_scan_dec(&s, &number, NULL) || !fm_scan_done(&s)) return false;
    if (!fm_event_numbered_image(reader, number, &image, &is_wasm)) return false;
    frame->address_kind = is_wasm ? FRAMEMAP_ADDRESS_LINKED : FRAMEMAP_ADDRESS_IMAGE;
    frame->module = image.name;
    if (image.path.size > image.name.size) frame->module_path = image.path;
    frame->id = image.id;
    frame->arch = image.arch;
    return true;
}

static void read_address(const struct fm_event_reader *reader, const struct fm_event_vendor *vendor, int32_t value,
                         framemap_frame *frame)
{
    frame->has_address =
        fm_event_address(reader, value, vendor->address, vendor->bare_hex, &frame->address) && frame->address != 0;
    if (!frame->has_address && vendor->bare_hex) frame->has_address = read_offset(reader, vendor, value, frame);
    if (!frame->has_address || event_read_relative(reader, vendor, value, frame)) return;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    frame->has_load_address = fm_event_address(reader, value, vendor->load, vendor->bare_hex, &frame->load_address) &&
                              frame->load_address != 0;
    frame->module_path = fm_event_text(reader, value, vendor->package);
    const bool is_other = frame->module_path.size == 0 && vendor->other_package.size > 0;
    if (is_other) {
        frame->module_path = fm_event_text(reader, value, vendor->other_package);
        frame->file = (framemap_str){NULL, 0};
        frame->line = 0; /* a frame of a library has its address in the member that has the line of other frames */
        if (fm_str_starts(frame->function, FM_STR("0x"))) frame->function = frame->file;
    }
    frame->module = fm_str_basename(frame->module_path);
    fm_row_id(fm_event_text(reader, value, is_other ? vendor->other_id : vendor->package_id), reader->doc, &frame->id);
    if (fm_str_equal(frame->module, frame->module_path)) frame->module_path = (framemap_str){NULL, 0};
    uint64_t offset; /* without an id of the image, ABRT writes the absolute address as the offset */
    if (frame->id.size && fm_event_number(reader, value, vendor->offset, &offset) && offset < frame->address) {
        frame->has_load_address = true;
        frame->load_address = frame->address - offset;
    }
}

/* Splits "a.b.Class.method" into class and method, for a vendor that has both in one member. */
static void part_method(const struct fm_event_vendor *vendor, framemap_frame *frame)
{
    const size_t dot = fm_str_find_last_byte(frame->function, '.');
    if (!vendor->method_is_whole || frame->kind != FRAMEMAP_KIND_JAVA || dot == FM_NOT_FOUND) return;
    frame->class_name = fm_str_slice(frame->function, 0, dot);
    frame->function = fm_str_from(frame->function, dot + 1);
}

/* Whether a class has its original name: the file of Java or Kotlin is known, and the name is longer than names that
 * a shrinker gives. */
static bool is_plain_class(const framemap_frame *frame)
{
    const size_t dot = fm_str_find_last_byte(frame->class_name, '.');
    const framemap_str last = dot == FM_NOT_FOUND ? frame->class_name : fm_str_from(frame->class_name, dot + 1);
    return last.size > 3 && (fm_str_ends(frame->file, FM_STR(".java")) || fm_str_ends(frame->file, FM_STR(".kt")));
}

static void judge(framemap_frame *frame)
{
    if (frame->kind == FRAMEMAP_KIND_OTHER ||
        (frame->kind == FRAMEMAP_KIND_JAVA && (frame->class_name.size == 0 || is_plain_class(frame))) ||
        (frame->kind == FRAMEMAP_KIND_JS && (frame->file.size == 0 || frame->line == 0)))
        frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    if (frame->kind == FRAMEMAP_KIND_NATIVE) fm_row_mark_complete(frame);
}

/* Returns the URL of a script, by which scripts are found. In Sentry's events it is in abs_path. */
static framemap_str script_of(framemap_str file, framemap_str path)
{
    const bool is_address = fm_str_find(path, FM_STR("://")) != FM_NOT_FOUND;
    return is_address || file.size == 0 ? path : file;
}

/* Returns the id of the mapping for a Java frame. R8 writes this id in place of the file name. */
static framemap_str mapping_of(const struct fm_event_reader *reader, framemap_str file)
{
    const framemap_str mark = FM_STR("r8-map-id-");
    return fm_str_starts(file, mark) ? fm_str_from(file, mark.size) : reader->mapping;
}

/* Reads what Node prints of an address: "f+12 [/l/liba.so]", or "f+12 [a.cc]:L7" where the line is known. */
static void read_described(framemap_str text, framemap_frame *frame)
{
    uint64_t number;
    bool has_line = false;
    size_t digits = fm_trailing_number(text, &number);
    if (digits && digits + 2 < text.size && fm_str_ends(fm_str_slice(text, 0, text.size - digits), FM_STR("]:L"))) {
        has_line = number > 0 && number <= UINT32_MAX;
        if (has_line) frame->line = (uint32_t)number;
        text.size -= digits + 2;
    }
    const size_t open = fm_str_ends(text, FM_STR("]")) ? fm_str_find_last(text, FM_STR(" [")) : FM_NOT_FOUND;
    if (open != FM_NOT_FOUND) {
        const framemap_str inside = fm_str_slice(text, open + 2, text.size - 1);
        if (has_line)
            frame->file = inside;
        else
            frame->module_path = inside;
        text.size = open;
    }
    frame->module = fm_str_basename(frame->module_path);
    if (fm_str_equal(frame->module, frame->module_path)) frame->module_path = (framemap_str){NULL, 0};
    digits = fm_trailing_number(text, &number);
    if (digits && text.size > digits + 1 && text.data[text.size - digits - 1] == '+') {
        frame->has_function_offset = true;
        frame->function_offset = number;
        text.size -= digits + 1;
    }
    frame->function = text;
}

static void read_trust(const struct fm_event_reader *reader, const struct fm_event_vendor *vendor, int32_t value,
                       framemap_frame *frame)
{
    const framemap_str trust = fm_event_text(reader, value, vendor->trust);
    framemap_frame_extra *extra = trust.size ? fm_document_extra(reader->doc, frame) : NULL;
    if (extra) extra->trust = trust;
}

static void read_frame(const struct fm_event_reader *reader, const struct fm_event_vendor *vendor, int32_t value,
                       framemap_frame *frame)
{
    framemap_str platform = fm_event_text(reader, value, FM_STR("platform"));
    const framemap_str path = fm_event_text(reader, value, vendor->path);
    if (platform.size == 0) platform = fm_event_text(reader, value, FM_STR("type"));
    if (platform.size == 0) platform = fm_event_text(reader, holder_of(reader, vendor->holder), vendor->platform);
    frame->function = fm_event_text(reader, value, vendor->function);
    if (fm_str_equal(frame->function, FM_STR("<redacted>")) ||
        (vendor->place.size && fm_str_equal(frame->function, FM_STR("<unknown>"))))
        frame->function = (framemap_str){NULL, 0};
    if (vendor->symbol_name.size && frame->function.size == 0)
        frame->function = fm_event_text(
            reader, vendor->symbol.size ? fm_event_member(reader, value, vendor->symbol) : value, vendor->symbol_name);
    frame->class_name = fm_event_text(reader, value, vendor->class_name);
    const int32_t place = vendor->place.size ? fm_event_member(reader, value, vendor->place) : value;
    frame->file = fm_event_text(reader, place, vendor->file);
    read_position(reader, vendor, place, frame);
    if (vendor->row.size) event_read_row(reader, vendor, value, frame);
    read_address(reader, vendor, value, frame);
    frame->kind = kind_of(platform.size ? platform : reader->platform, frame);
    part_method(vendor, frame);
    frame->has_function_offset =
        frame->function.size && fm_event_number(reader, value, vendor->distance, &frame->function_offset);
    read_trust(reader, vendor, value, frame);
    if (vendor->described.size && frame->function.size == 0)
        read_described(fm_event_text(reader, value, vendor->described), frame);
    if (frame->kind == FRAMEMAP_KIND_JS) {
        frame->id = fm_event_script_id(reader, frame->file, path);
        fm_row_id(fm_event_text(reader, value, vendor->script_id), reader->doc, &frame->id);
        frame->file = script_of(frame->file, path);
    }
    if (frame->kind == FRAMEMAP_KIND_JAVA) frame->id = mapping_of(reader, frame->file);
    if (frame->kind != FRAMEMAP_KIND_JAVA) frame->class_name = (framemap_str){NULL, 0};
    judge(frame);
}

/* --- stacks --- */

static framemap_str any_text(const struct fm_event_reader *reader, int32_t object, framemap_str name)
{
    uint64_t number;
    const framemap_str text = fm_event_text(reader, object, name);
    if (text.size || !fm_event_number(reader, object, name, &number)) return text;
    return fm_document_decimal(reader->doc, number);
}

/* Records a mention of an exception's type: if the type is a renamed class, it is restored in the event's text. */
static void mention_type(const struct fm_event_reader *reader, struct fm_json_lines *lines, int32_t value)
{
    const framemap_str raw = fm_json_raw(reader->json, value);
    if (value < 0 || fm_json_type(reader->json, value) != FM_JSON_STRING || raw.size == 0 ||
        fm_str_find_byte(raw, '.') == FM_NOT_FOUND || fm_str_find_byte(raw, '\\') != FM_NOT_FOUND)
        return;
    const struct fm_line line = fm_json_lines_at(lines, raw);
    const framemap_mention mention = {
        .raw = raw, .raw_offset = line.offset + (uint64_t)(raw.data - line.text.data), .exception = true};
    fm_document_mention(reader->doc, &mention);
}

/* Makes a trace of the report a cause of the trace `last`. number: number of the cause's trace. */
static void link_to_last(struct fm_event_reader *reader, uint64_t number, const framemap_trace *last)
{
    size_t count;
    framemap_trace *traces = fm_document_report(reader->doc, &count);
    const uint64_t distance = last->number - number;
    if (distance == 0 || distance >= count) return;
    traces[count - 1 - distance].role = FRAMEMAP_ROLE_CAUSE;
    traces[count - 1 - distance].part_of = last->number;
}

/* For a list in which causes precede the exceptions that they caused: makes earlier exceptions causes of the exception
 * `holder`. These are each exception whose "parent_id" is the id of `holder`, and the exception directly before
 * `holder`, unless that one has a "parent_id". */
static void link_effect(struct fm_event_reader *reader, int32_t holder, struct fm_event_level *list,
                        const framemap_trace *trace)
{
    const int32_t mechanism = fm_event_member(reader, holder, FM_STR("mechanism"));
    uint64_t id = 0, parent;
    const bool has_id = fm_event_number(reader, mechanism, FM_STR("exception_id"), &id);
    if (list->thrown1 && !list->has_parent) link_to_last(reader, list->thrown1 - 1, trace);
    size_t kept = 0;
    for (size_t i = 0; i < reader->waiting_count; i++) {
        const struct fm_event_waiting one = reader->waiting[i];
        if (has_id && one.list == list->value && one.parent == id)
            link_to_last(reader, one.number, trace);
        else
            reader->waiting[kept++] = one;
    }
    reader->waiting_count = kept;
    list->thrown1 = trace->number + 1;
    list->has_parent = fm_event_number(reader, mechanism, FM_STR("parent_id"), &parent);
    if (!list->has_parent || reader->waiting_count == FM_EVENT_WAITING) return;
    reader->waiting[reader->waiting_count++] = (struct fm_event_waiting){list->value, trace->number, parent};
}

/* Sets the role of an exception's trace. An exception is the cause of the exception in whose object it is nested. In a
 * list in which causes follow, it is the cause of the exception before it. */
static void link_cause(struct fm_event_reader *reader, const struct fm_event_vendor *vendor, int32_t holder,
                       framemap_trace *trace)
{
    size_t at = reader->depth;
    if (trace->exception_type.size == 0) return;
    while (at > 0 && reader->levels[at - 1].value != holder) at--;
    if (at == 0) return;
    if (vendor->causes_precede) {
        if (at > 2 &&
            fm_event_member(reader, reader->levels[at - 3].value, FM_STR("values")) == reader->levels[at - 2].value)
            link_effect(reader, holder, &reader->levels[at - 2], trace);
        return;
    }
    for (size_t i = at - 1; i-- > 0 && trace->role == FRAMEMAP_ROLE_NONE;) {
        if (reader->levels[i].thrown1 == 0) continue;
        trace->role = FRAMEMAP_ROLE_CAUSE;
        trace->part_of = reader->levels[i].thrown1 - 1;
    }
    const bool in_list =
        vendor->causes_follow && at > 1 && fm_json_type(reader->json, reader->levels[at - 2].value) == FM_JSON_ARRAY;
    reader->levels[in_list ? at - 2 : at - 1].thrown1 = trace->number + 1;
}

static bool has_crashed(const struct fm_event_reader *reader, int32_t holder)
{
    int32_t crashed = fm_event_member(reader, holder, FM_STR("crashed"));
    if (crashed < 0) crashed = fm_event_member(reader, holder, FM_STR("crash_thread"));
    if (crashed < 0) crashed = fm_event_member(reader, holder, FM_STR("fault"));
    return crashed >= 0 && fm_json_is_true(reader->json, crashed);
}

/* Returns the object that describes the exception to which a stack belongs; -1: there is none, because the stack
 * belongs to a span or to a thread that did not crash. */
static int32_t thrown_in(const struct fm_event_reader *reader, const struct fm_event_vendor *vendor, int32_t holder)
{
    if (vendor->span.size && fm_event_member(reader, holder, vendor->span) >= 0) return -1;
    if (vendor->thrown.size == 0) return holder;
    if (!vendor->thrown_in_document) return fm_event_member(reader, holder, vendor->thrown);
    return has_crashed(reader, holder) ? fm_event_member(reader, 0, vendor->thrown) : -1;
}

/* Returns the value with the type of an exception; -1: none. thrown: the object that describes the exception, or -1. */
static int32_t type_of(const struct fm_event_reader *reader, const struct fm_event_vendor *vendor, int32_t thrown)
{
    if (vendor->types.size == 0) return fm_event_member(reader, thrown, vendor->type);
    const int32_t list = thrown < 0 ? -1 : fm_event_member(reader, 0, vendor->types);
    if (list < 0 || fm_json_type(reader->json, list) != FM_JSON_ARRAY) return -1;
    return fm_json_first(reader->json, list);
}

static bool begin_stack(struct fm_event_reader *reader, const struct fm_event_vendor *vendor,
                        const struct fm_line *line)
{
    framemap_trace *trace = fm_document_trace(reader->doc, vendor->name, line);
    const int32_t holder = holder_of(reader, vendor->holder), thrown = thrown_in(reader, vendor, holder);
    if (trace == NULL) return false;
    trace->outermost_first = vendor->outermost_first;
    trace->exception_type = fm_json_document_string(reader->json, type_of(reader, vendor, thrown), reader->doc);
    if (trace->exception_type.size == 0) trace->exception_type = fm_event_text(reader, thrown, vendor->other_type);
    trace->exception_message = fm_event_text(reader, thrown, vendor->message);
    trace->exception = trace->exception_type.size ? trace->exception_type : trace->exception_message;
    trace->thread_id = any_text(reader, holder, vendor->thread_id);
    if (trace->thread_id.size == 0 && trace->exception.size == 0)
        trace->thread_id = any_text(reader, holder, vendor->own_thread_id);
    trace->thread_name = fm_event_text(reader, holder, vendor->thread_name);
    trace->thread = trace->thread_name.size ? trace->thread_name : trace->thread_id;
    trace->crashed = has_crashed(reader, holder);
    fm_event_read_crash(reader, holder, trace);
    if (vendor->package_id.size && vendor->offset.size) fm_event_read_core(reader, holder_of(reader, 2), trace);
    link_cause(reader, vendor, holder, trace);
    return true;
}

/* Adds the functions that the event lists as inlined into a frame. Their raw text is that of the frame's object. */
static bool add_inlined(struct fm_event_reader *reader, const struct fm_event_vendor *vendor, int32_t value,
                        const struct fm_line *line)
{
    const int32_t list = fm_event_member(reader, value, vendor->inlines);
    if (list < 0 || fm_json_type(reader->json, list) != FM_JSON_ARRAY) return true;
    for (int32_t item = fm_json_first(reader->json, list); item >= 0; item = fm_json_next(reader->json, item)) {
        framemap_frame frame = FM_FRAME_INIT;
        frame.inlined = true;
        frame.status = FRAMEMAP_FRAME_NOT_NEEDED;
        frame.function = fm_event_text(reader, item, vendor->function);
        frame.file = fm_event_text(reader, item, vendor->file);
        read_position(reader, vendor, item, &frame);
        if (!fm_document_frame(reader->doc, line, &frame)) return false;
    }
    return true;
}

/* Reads which kind of address a frame has, as Swift's runtime states it. A frame without an address represents
 * frames that the runtime left out. */
static void read_address_kind(const struct fm_event_reader *reader, const struct fm_event_vendor *vendor, int32_t value,
                              framemap_frame *frame)
{
    const int32_t inlined = fm_event_member(reader, value, FM_STR("inlined"));
    const framemap_str kind = fm_event_text(reader, value, vendor->address_kind);
    frame->return_address = frame->has_address && fm_str_equal(kind, FM_STR("returnAddress"));
    frame->is_async = fm_str_equal(kind, FM_STR("asyncResumePoint"));
    frame->inlined = inlined >= 0 && fm_json_is_true(reader->json, inlined);
    if (!frame->has_address) {
        frame->kind = FRAMEMAP_KIND_MARKER;
        frame->marker = FRAMEMAP_MARKER_SKIPPED;
    }
    /* A frame with function and file needs no symbols even without a line: the compiler may have generated the
     * function. */
    if (!frame->has_address || (frame->function.size && frame->file.size)) frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
}

/* Reads an array of frames. All addresses are return addresses except that of the innermost frame, unless the vendor
 * states the kind of each address. */
static void read_stack(struct fm_event_reader *reader, const struct fm_event_vendor *vendor, int32_t frames)
{
    const int32_t type = type_of(reader, vendor, thrown_in(reader, vendor, holder_of(reader, vendor->holder)));
    const uint32_t count = fm_json_count(reader->json, frames);
    uint32_t number = 0;
    for (int32_t value = fm_json_first(reader->json, frames); value >= 0;
         value = fm_json_next(reader->json, value), number++) {
        framemap_frame frame = FM_FRAME_INIT;
        if (fm_json_type(reader->json, value) != FM_JSON_OBJECT) continue;
        read_frame(reader, vendor, value, &frame);
        struct fm_json_lines before = reader->lines;
        const struct fm_line line = fm_json_lines_at(&reader->lines, fm_json_raw(reader->json, value));
        const bool first = !reader->any || fm_document_open(reader->doc, vendor->name) == NULL || number == 0;
        if (first && !begin_stack(reader, vendor, &line)) return;
        if (first && frame.kind == FRAMEMAP_KIND_JAVA && type >= 0 && type < frames)
            mention_type(reader, &before, type);
        reader->any = true;
        frame.index = vendor->outermost_first ? (int64_t)(count - 1 - number) : (int64_t)number;
        /* engines print the positions of the calls in WebAssembly */
        const bool is_call = vendor->is_call || frame.address_kind == FRAMEMAP_ADDRESS_LINKED;
        frame.return_address = frame.has_address && (frame.index > 0 || vendor->all_return) && !is_call;
        if (vendor->address_kind.size) read_address_kind(reader, vendor, value, &frame);
        if (!add_inlined(reader, vendor, value, &line) || !fm_document_frame(reader->doc, &line, &frame)) return;
    }
}

struct marks {
    const struct fm_event_reader *reader;
    int32_t frames;
};

static bool has_mark(void *context, framemap_str mark)
{
    const struct marks *marks = context;
    const struct fm_json *json = marks->reader->json;
    for (int32_t value = fm_json_first(json, marks->frames); value >= 0; value = fm_json_next(json, value))
        if (fm_event_member(marks->reader, value, mark) >= 0) return true;
    return false;
}

/* --- walking over the document --- */

static bool is_container(const struct fm_event_reader *reader, int32_t value)
{
    const enum fm_json_type type = fm_json_type(reader->json, value);
    return type == FM_JSON_OBJECT || type == FM_JSON_ARRAY;
}

static void enter(struct fm_event_reader *reader, int32_t value)
{
    if (reader->depth < FM_LIMIT_JSON_DEPTH)
        reader->levels[reader->depth++] = (struct fm_event_level){value, fm_json_first(reader->json, value), 0, false};
}

/* Visits the value of a key, or an element of an array. If it is a stack, reads it; otherwise enters it. */
static void visit(struct fm_event_reader *reader, int32_t item, const char *only)
{
    const bool in_object = fm_json_type(reader->json, reader->levels[reader->depth - 1].value) == FM_JSON_OBJECT;
    const int32_t value = in_object ? fm_json_value(reader->json, item) : item;
    struct marks marks = {reader, value};
    const bool is_array = fm_json_type(reader->json, value) == FM_JSON_ARRAY;
    const struct fm_event_vendor *vendor =
        in_object && is_array ? fm_event_vendor_of(fm_json_raw(reader->json, item), reader->kind, has_mark, &marks)
                              : NULL;
    /* A profile's table of frames is not read as a stack: the stacks of the profile refer to its elements by number, so
     * no frame may be added. */
    const bool is_table =
        in_object && fm_event_member(reader, reader->levels[reader->depth - 1].value, FM_STR("stacks")) >= 0;
    if (vendor && is_table) return;
    if (vendor && (only == NULL || only == vendor->name))
        read_stack(reader, vendor, value);
    else if (!vendor && is_container(reader, value))
        enter(reader, value);
}

/* Reads a document that consists of React Native's list of frames. */
static bool read_root(struct fm_event_reader *reader, const char *only)
{
    struct marks marks = {reader, 0};
    if (fm_json_type(reader->json, 0) != FM_JSON_ARRAY) return false;
    const struct fm_event_vendor *vendor = fm_event_vendor_of(FM_STR("stack"), reader->kind, has_mark, &marks);
    if (vendor == NULL || (only && only != vendor->name)) return false;
    read_stack(reader, vendor, 0);
    return true;
}

static void read_stacks(struct fm_event_reader *reader, const char *only)
{
    reader->levels = fm_document_alloc(reader->doc, FM_LIMIT_JSON_DEPTH * sizeof *reader->levels);
    if (reader->levels == NULL || read_root(reader, only)) return;
    enter(reader, 0);
    while (reader->depth > 0) {
        struct fm_event_level *level = &reader->levels[reader->depth - 1];
        const int32_t item = level->next;
        if (item < 0) {
            reader->depth--;
            continue;
        }
        level->next = fm_json_next(reader->json, item);
        visit(reader, item, only);
    }
}

/* Finds what rust-minidump wrote: the document itself, or a member of a processed crash of Socorro. */
static void find_dump(struct fm_event_reader *reader)
{
    const int32_t inner = fm_event_member(reader, 0, FM_STR("json_dump"));
    const int32_t dump = inner < 0 ? 0 : inner;
    if (fm_event_member(reader, dump, FM_STR("crash_info")) < 0 || fm_event_member(reader, dump, FM_STR("threads")) < 0)
        return;
    reader->dump = dump;
    reader->images = fm_event_member(reader, dump, FM_STR("modules"));
    reader->crashed = fm_event_crashed_thread(reader);
}

/* Whether the document is framemap's own JSON output. Its records are read line by line by json_traces.c. */
static bool is_own_document(const struct fm_event_reader *reader)
{
    return fm_str_starts(fm_event_text(reader, 0, FM_STR("schema")), FM_STR("framemap/"));
}

/* Returns the images in MongoDB's log: {"processInfo":{"somap":[…]}}, which is within "attr" and "bt" since 4.4. */
static int32_t mongo_images(const struct fm_event_reader *reader)
{
    const int32_t inner = fm_event_member(reader, fm_event_member(reader, 0, FM_STR("attr")), FM_STR("bt"));
    const int32_t info = fm_event_member(reader, inner < 0 ? 0 : inner, FM_STR("processInfo"));
    return fm_event_member(reader, info, FM_STR("somap"));
}

/* Returns the list of images, which is a member of the document or of an object directly in the document. */
static int32_t find_images(const struct fm_event_reader *reader)
{
    const framemap_str holders[] = {{NULL, 0}, fm_event_recrash, FM_STR("exception")};
    int32_t found = fm_event_member(reader, fm_event_member(reader, 0, FM_STR("debug_meta")), FM_STR("images"));
    for (size_t i = 0; i < sizeof holders / sizeof *holders && found < 0; i++) {
        const int32_t holder = holders[i].size ? fm_event_member(reader, 0, holders[i]) : 0;
        found = fm_event_member(reader, holder, FM_STR("binary_images"));
    }
    if (found < 0 && fm_event_member(reader, 0, FM_STR("threads")) >= 0)
        /* "libraries" is New Relic's name for the list of images */
        found = fm_event_member(reader, 0, FM_STR("libraries"));
    if (found < 0) found = mongo_images(reader);
    if (found >= 0 && fm_json_type(reader->json, found) != FM_JSON_ARRAY) found = -1;
    return found;
}

/* Whether the event was written by Faro: {"exceptions":[{"stacktrace":{"frames":[…]}}]}. In Sentry's events the list is
 * "values" within "exception". */
static bool is_faro(const struct fm_event_reader *reader)
{
    const int32_t list = fm_event_member(reader, 0, FM_STR("exceptions"));
    if (list < 0 || fm_json_type(reader->json, list) != FM_JSON_ARRAY) return false;
    const int32_t stack = fm_event_member(reader, fm_json_first(reader->json, list), FM_STR("stacktrace"));
    return fm_event_member(reader, stack, FM_STR("frames")) >= 0;
}

bool fm_event_read(struct fm_document *doc, const struct fm_json_document *document, const char *only)
{
    struct fm_json *json = fm_json_document_parse(document, doc);
    if (json == NULL) return false;
    struct fm_event_reader reader = {
        .doc = doc, .json = json, .lines = fm_json_lines_of(document), .images = -1, .dump = -1, .crashed = -1};
    reader.images = find_images(&reader);
    reader.kind = fm_event_text(&reader, 0, FM_STR("kind"));
    if (fm_str_equal(reader.kind, FM_STR(FM_EVENT_SWIFT)))
        reader.images = fm_event_member(&reader, 0, FM_STR("images"));
    else if (is_faro(&reader))
        reader.kind = FM_STR(FM_EVENT_FARO);
    find_dump(&reader);
    reader.platform = fm_event_text(&reader, 0, FM_STR("platform"));
    if (reader.platform.size == 0 && fm_event_member(&reader, 0, FM_STR("classifiers")) >= 0)
        reader.platform = fm_event_text(&reader, 0, FM_STR("lang")); /* Backtrace's name for it */
    fm_document_report_begin(doc);
    fm_event_list_images(&reader);
    reader.mapping = fm_event_mapping(&reader);
    if (!is_own_document(&reader)) read_stacks(&reader, only);
    if (reader.any) fm_event_add_images(&reader, document);
    fm_document_report_end(doc);
    fm_json_free(json);
    return reader.any;
}
