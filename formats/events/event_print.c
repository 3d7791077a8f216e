/* Implements event_print.h. A restored frame is printed as a copy of its JSON object with some members changed. Each
 * function inlined into it gets a copy of its own, in the order of the vendor's stacks; or it is added to a list of
 * inlined functions in the frame's object, if the vendor has such a list. */
#include "formats/events/event_print.h"
#include "formats/events/event_vendors.h"
#include "formats/object_edit.h"
#include "formats/row_parts.h"

struct edits {
    struct fm_edit list[FM_EDITS_MOST];
    size_t count;
};

static void add(struct edits *edits, framemap_str name, enum fm_edit_kind kind, framemap_str text, uint64_t number)
{
    if (name.size == 0 || edits->count == FM_EDITS_MOST) return;
    edits->list[edits->count++] = (struct fm_edit){.name = name, .kind = kind, .text = text, .number = number};
}

static void add_text(struct edits *edits, framemap_str name, framemap_str text)
{
    if (text.size) add(edits, name, FM_EDIT_TEXT, text, 0);
}

/* Restricts the last edit to objects that have the member: the edit does not add the member to other objects. */
static void change_only(struct edits *edits)
{
    if (edits->count) edits->list[edits->count - 1].changes_only = true;
}

/* Adds an edit for the restored line or column. The position of the obfuscated frame must not remain next to the
 * restored name. */
static void add_position(struct edits *edits, framemap_str name, uint32_t number1, bool from_0)
{
    if (number1)
        add(edits, name, FM_EDIT_NUMBER, (framemap_str){NULL, 0}, number1 - from_0);
    else
        add(edits, name, FM_EDIT_NULL, (framemap_str){NULL, 0}, 0);
}

/* Returns the method of a frame with package and class: "a.b.Class.method". */
static framemap_str whole_method(struct fm_buf *buf, const framemap_frame *source)
{
    if (source->class_name.size == 0) return fm_row_name(source);
    fm_buf_str(buf, source->class_name);
    if (source->function.size) {
        fm_buf_byte(buf, '.');
        fm_buf_str(buf, source->function);
    }
    return fm_buf_view(buf);
}

static void add_names(struct edits *edits, const struct fm_event_vendor *vendor, const framemap_frame *source,
                      struct fm_buf *method)
{
    add_text(edits, vendor->function, vendor->method_is_whole ? whole_method(method, source) : fm_row_name(source));
    if (source->function.size == 0) change_only(edits);
    add_text(edits, vendor->class_name, source->class_name);
    if (vendor->place.size == 0) add_text(edits, vendor->file, source->file);
    if (source->kind == FRAMEMAP_KIND_JAVA || vendor->path.size == 0 || source->file.size == 0) return;
    add_text(edits, vendor->path, source->file);
    if (source->kind == FRAMEMAP_KIND_JS) change_only(edits);
}

/* Adds a member that keeps the function of the original frame, if the restored function has another name. */
static void add_old_function(struct edits *edits, const struct fm_event_vendor *vendor, const framemap_frame *frame,
                             const framemap_frame *source)
{
    if (vendor->old_function.size == 0 || frame->function.size == 0) return;
    if (fm_str_equal(frame->function, source->function)) return;
    add_text(edits, vendor->old_function, frame->function);
    edits->list[edits->count - 1].adds_only = true;
}

/* Adds the members {"orig_filename":…,"orig_function":…,"orig_lineno":…,"orig_colno":…}. */
static void add_old_values(struct edits *edits, const struct fm_event_vendor *vendor, const framemap_frame *frame,
                           struct fm_buf *old)
{
    if (vendor->old_values.size == 0 || frame->kind != FRAMEMAP_KIND_JS) return;
    fm_buf_str(old, FM_STR("{\"orig_filename\":"));
    fm_buf_json(old, frame->file);
    if (frame->function.size) {
        fm_buf_str(old, FM_STR(",\"orig_function\":"));
        fm_buf_json(old, frame->function);
    }
    fm_buf_str(old, FM_STR(",\"orig_lineno\":"));
    fm_buf_dec(old, frame->line);
    fm_buf_str(old, FM_STR(",\"orig_colno\":"));
    fm_buf_dec(old, frame->column);
    fm_buf_byte(old, '}');
    add(edits, vendor->old_values, FM_EDIT_JSON, fm_buf_view(old), 0);
    edits->list[edits->count - 1].adds_only = true;
}

/* Adds edits for the source lines before the restored line, the line itself, and the lines after it; their text is
 * in `buf`. */
static void add_context(struct edits *edits, const struct fm_event_vendor *vendor, const framemap_frame *source,
                        struct fm_buf bufs[3])
{
    static const framemap_str names[3] = {FM_STR_INIT("pre_context"), FM_STR_INIT("context_line"),
                                          FM_STR_INIT("post_context")};
    struct fm_scan s = fm_scan_of(source->context);
    framemap_str line;
    if (!vendor->has_context || source->context.size == 0) return;
    fm_buf_byte(&bufs[0], '[');
    fm_buf_byte(&bufs[2], '[');
    for (uint32_t number1 = source->context_line; fm_scan_code_line(&s, &line); number1++) {
        struct fm_buf *buf = &bufs[number1 < source->line ? 0 : number1 == source->line ? 1 : 2];
        if (buf != &bufs[1] && buf->size > 1) fm_buf_byte(buf, ',');
        fm_buf_json(buf, line);
    }
    fm_buf_byte(&bufs[0], ']');
    fm_buf_byte(&bufs[2], ']');
    for (size_t i = 0; i < 3; i++)
        if (bufs[i].size) add(edits, names[i], FM_EDIT_JSON, fm_buf_view(&bufs[i]), 0);
}

static void put_inlined(struct fm_buf *out, const struct fm_event_vendor *vendor, const framemap_frame *source)
{
    fm_buf_byte(out, '{');
    fm_buf_json(out, vendor->file);
    fm_buf_byte(out, ':');
    if (source->file.size)
        fm_buf_json(out, source->file);
    else
        fm_buf_str(out, FM_STR("null"));
    fm_buf_byte(out, ',');
    fm_buf_json(out, vendor->function);
    fm_buf_byte(out, ':');
    fm_buf_json(out, fm_row_name(source));
    fm_buf_byte(out, ',');
    fm_buf_json(out, vendor->line);
    fm_buf_byte(out, ':');
    if (source->line)
        fm_buf_dec(out, source->line);
    else
        fm_buf_str(out, FM_STR("null"));
    fm_buf_byte(out, '}');
}

/* Writes the list of the functions inlined into a frame, innermost first. */
static void add_inlines(struct edits *edits, const struct fm_event_vendor *vendor, const framemap_frame *frame,
                        struct fm_buf *buf)
{
    const size_t count = frame->restored.count;
    if (vendor->inlines.size == 0) return;
    add(edits, FM_STR("missing_symbols"), FM_EDIT_JSON, FM_STR("false"), 0);
    if (count < 2) return;
    fm_buf_byte(buf, '[');
    for (size_t i = 0; i + 1 < count; i++) {
        if (i) fm_buf_byte(buf, ',');
        put_inlined(buf, vendor, &frame->restored.frames[i]);
    }
    fm_buf_byte(buf, ']');
    add(edits, vendor->inlines, FM_EDIT_JSON, fm_buf_view(buf), 0);
}

static void put_number(struct fm_buf *buf, const char *key, uint32_t number)
{
    fm_buf_byte(buf, ',');
    fm_buf_json(buf, framemap_str_of(key));
    fm_buf_byte(buf, ':');
    fm_buf_dec(buf, number);
}

/* Writes the position as an object, for vendors whose frames contain it in this form. Also writes the function as text
 * for people, if the vendor has a member for that. is_inlined: the function was inlined into the frame that follows,
 * and has its address. */
static void add_place(struct edits *edits, const struct fm_event_vendor *vendor, const framemap_frame *source,
                      bool is_inlined, struct fm_buf *buf)
{
    if (source->file.size) {
        fm_buf_str(buf, FM_STR("{\"file\":"));
        fm_buf_json(buf, source->file);
        put_number(buf, "line", source->line);
        put_number(buf, "column", source->column);
        fm_buf_byte(buf, '}');
        add(edits, vendor->place, FM_EDIT_JSON, fm_buf_view(buf), 0);
    }
    add_text(edits, vendor->readable, fm_row_name(source));
    if (source->has_function_offset)
        add(edits, FM_STR("offset"), FM_EDIT_NUMBER, vendor->place, source->function_offset);
    if (is_inlined) add(edits, FM_STR("inlined"), FM_EDIT_JSON, FM_STR("true"), 0);
}

static framemap_str put_object(struct fm_buf *out, const struct fm_event_vendor *vendor, const framemap_frame *frame,
                               const framemap_frame *source)
{
    struct edits edits = {.count = 0};
    /* one buffer for each of these: the whole method name, the original values (orig_function and others), the source
     * context and the inlined functions */
    struct fm_buf bufs[6];
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++) fm_buf_init(&bufs[i], out->heap);
    add_names(&edits, vendor, source, &bufs[0]);
    if (vendor->place.size) {
        add_place(&edits, vendor, source, source != &frame->restored.frames[frame->restored.count - 1], &bufs[1]);
    } else {
        add_position(&edits, vendor->line, source->line, vendor->counts_from_0);
        add_position(&edits, vendor->column, source->column, vendor->counts_from_0);
    }
    add_old_function(&edits, vendor, frame, source);
    add_old_values(&edits, vendor, frame, &bufs[1]);
    add_context(&edits, vendor, source, &bufs[2]);
    add_inlines(&edits, vendor, frame, &bufs[5]);
    if (vendor->distance.size && source->has_function_offset && frame->function.size == 0) {
        fm_buf_str(&bufs[1], FM_STR("0x"));
        fm_buf_hex(&bufs[1], source->function_offset, 16);
        add_text(&edits, vendor->distance, fm_buf_view(&bufs[1]));
    }
    const framemap_str comma = fm_object_edit(out, frame->raw, edits.list, edits.count);
    for (size_t i = 0; i < sizeof bufs / sizeof *bufs; i++) {
        if (bufs[i].failed) out->failed = true;
        fm_buf_free(&bufs[i]);
    }
    return comma;
}

static void print_frame(struct fm_buf *out, const char *name, const framemap_frame *frame)
{
    const struct fm_event_vendor *vendor = fm_event_vendor_named(fm_str(name, strlen(name)), frame->raw);
    const size_t count = frame->restored.count;
    for (size_t i = vendor->inlines.size && count ? count - 1 : 0; i < count; i++) {
        const size_t at = vendor->outermost_first ? count - 1 - i : i;
        const framemap_str comma = put_object(out, vendor, frame, &frame->restored.frames[at]);
        if (i + 1 == count) break;
        /* `comma` contains a line end if the object has one member per line; ", " is written between two objects. */
        fm_buf_str(out, fm_str_find_byte(comma, '\n') == FM_NOT_FOUND ? comma : FM_STR(", "));
    }
}

#define PRINTER(vendor)                                                                                \
    void fm_event_print_##vendor(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, \
                                 framemap_str eol)                                                     \
    {                                                                                                  \
        (void)prefix;                                                                                  \
        (void)eol;                                                                                     \
        print_frame(out, fm_event_##vendor, frame);                                                    \
    }
PRINTER(sentry)
PRINTER(bugsnag)
PRINTER(measure)
PRINTER(crashlytics)
PRINTER(cdp)
PRINTER(react_native)
PRINTER(minidump)
PRINTER(error)
