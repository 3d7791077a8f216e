/* Implements sentry_frame.h: writes a JSON object for each frame, the outermost first, as Sentry expects: names,
 * position, source lines, and addresses (absolute, or relative to an image of the event). */
#include "formats/output/sentry_frame.h"
#include "core/text/scan.h"
#include "formats/output/json_frame.h"
#include "formats/output/trace_words.h"

framemap_str fm_sentry_platform(framemap_kind kind)
{
    switch (kind) {
    case FRAMEMAP_KIND_NATIVE: return FM_STR("native");
    case FRAMEMAP_KIND_JAVA: return FM_STR("java");
    case FRAMEMAP_KIND_JS: return FM_STR("javascript");
    case FRAMEMAP_KIND_DART:
    case FRAMEMAP_KIND_UNKNOWN:
    case FRAMEMAP_KIND_OTHER:
    case FRAMEMAP_KIND_MARKER: break;
    }
    return FM_STR("other");
}

/* Finds the address that was looked up, as an address in the process. Returns false if it is not known. */
static bool absolute_address(const framemap_frame *frame, uint64_t *out)
{
    if (frame->has_absolute_address)
        *out = frame->absolute_address;
    else if (!frame->has_address || frame->address_kind == FRAMEMAP_ADDRESS_BYTECODE)
        return false;
    else if (frame->address_kind == FRAMEMAP_ADDRESS_ABSOLUTE)
        *out = frame->address;
    else if (frame->has_load_address)
        *out = frame->load_address + frame->address;
    else
        return false;
    *out -= frame->return_address && *out > 0;
    return true;
}

static void put_relative(struct fm_members *m, const framemap_frame *frame, const struct fm_sentry_images *images)
{
    const bool relative =
        frame->address_kind == FRAMEMAP_ADDRESS_LINKED || frame->address_kind == FRAMEMAP_ADDRESS_IMAGE;
    size_t position = 0;
    if (!frame->has_address || !relative || !fm_sentry_images_at(images, frame, &position)) return;
    fm_member_hex(m, FM_MEMBER("instruction_addr"), frame->address - (frame->return_address && frame->address > 0));
    fm_member_name(m, FM_MEMBER("addr_mode"));
    fm_buf_str(m->out, FM_STR("\"rel:"));
    fm_buf_dec(m->out, position);
    fm_buf_byte(m->out, '"');
}

static void put_address(struct fm_members *m, const framemap_frame *frame, const framemap_frame *source,
                        const struct fm_sentry_images *images)
{
    uint64_t address = 0;
    const framemap_frame *said = source->has_function_offset ? source : frame;
    if (!absolute_address(frame, &address)) {
        put_relative(m, frame, images);
        return;
    }
    fm_member_hex(m, FM_MEMBER("instruction_addr"), address);
    /* the offset in the function is counted up to the address that the row prints, which may be a return address */
    const uint64_t printed = address + frame->return_address;
    if (said->has_function_offset && said->function_offset <= printed)
        fm_member_hex(m, FM_MEMBER("symbol_addr"), printed - said->function_offset);
    if (frame->has_load_address && !frame->maps_file) fm_member_hex(m, FM_MEMBER("image_addr"), frame->load_address);
}

static bool is_whole_path(framemap_str file)
{
    return fm_str_starts(file, FM_STR("/")) || fm_str_find(file, FM_STR("://")) != FM_NOT_FOUND ||
           (file.size > 2 && file.data[1] == ':' && (file.data[2] == '\\' || file.data[2] == '/'));
}

/* Writes "pre_context", "context_line" and "post_context". */
static void put_context(struct fm_members *m, const framemap_frame *source)
{
    struct fm_scan s = fm_scan_of(source->context);
    framemap_str line;
    uint64_t number = source->context_line;
    enum { BEFORE, AT, AFTER } part = BEFORE;
    bool open = false;
    if (source->context.size == 0 || source->line < number) return;
    for (; fm_scan_code_line(&s, &line); number++) {
        if (number == source->line) {
            if (open) fm_buf_byte(m->out, ']');
            open = false;
            fm_member_string(m, FM_MEMBER("context_line"), line);
            part = AFTER;
            continue;
        }
        if (open)
            fm_buf_byte(m->out, ',');
        else
            fm_member_name(m, part == BEFORE ? FM_MEMBER("pre_context") : FM_MEMBER("post_context"));
        if (!open) fm_buf_byte(m->out, '[');
        open = true;
        fm_buf_json(m->out, line);
    }
    if (open) fm_buf_byte(m->out, ']');
}

static void put_names(struct fm_members *m, const framemap_frame *frame, const framemap_frame *source)
{
    const bool restored = source != frame;
    if (frame->kind == FRAMEMAP_KIND_JAVA || source->class_name.size)
        fm_member_text(m, FM_MEMBER("module"), source->class_name);
    fm_member_text(m, FM_MEMBER("function"), source->function.size ? source->function : source->symbol);
    if (restored && !fm_str_equal(source->function, frame->function))
        fm_member_text(m, FM_MEMBER("raw_function"), frame->function);
    fm_member_text(m, FM_MEMBER("symbol"), source->symbol);
    fm_member_text(m, FM_MEMBER("package"), frame->module_path.size ? frame->module_path : frame->module);
    fm_member_text(m, FM_MEMBER("filename"), source->file);
    if (is_whole_path(source->file)) fm_member_text(m, FM_MEMBER("abs_path"), source->file);
    fm_member_number(m, FM_MEMBER("lineno"), source->line);
    fm_member_number(m, FM_MEMBER("colno"), source->column);
}

static void put_frame(struct fm_buf *out, const framemap_frame *frame, const framemap_frame *source,
                      const struct fm_sentry_images *images, framemap_str platform)
{
    const framemap_str own = fm_sentry_platform(frame->kind);
    struct fm_members m = fm_members_open(out);
    put_names(&m, frame, source);
    put_context(&m, source);
    if (source->has_in_app) fm_member_bool(&m, FM_MEMBER("in_app"), source->in_app);
    put_address(&m, frame, source, images);
    if (!fm_str_equal(own, platform)) fm_member_text(&m, FM_MEMBER("platform"), own);
    fm_members_close(&m);
}

void fm_sentry_put_stacktrace(struct fm_members *m, const framemap_trace *trace, const struct fm_sentry_images *images,
                              framemap_str platform)
{
    bool any = false;
    fm_member_name(m, FM_MEMBER("stacktrace"));
    struct fm_members inner = fm_members_open(m->out);
    fm_member_name(&inner, FM_MEMBER("frames"));
    fm_buf_byte(m->out, '[');
    for (size_t i = 0; i < trace->frame_count; i++) {
        const framemap_frame *frame = &trace->frames[trace->outermost_first ? i : trace->frame_count - 1 - i];
        const size_t sources = frame->restored.count;
        if (frame->kind == FRAMEMAP_KIND_MARKER || fm_frame_is_hidden(frame)) continue;
        for (size_t j = sources ? sources : 1; j-- > 0; any = true) {
            if (any) fm_buf_byte(m->out, ',');
            put_frame(m->out, frame, sources ? &frame->restored.frames[j] : frame, images, platform);
        }
    }
    fm_buf_byte(m->out, ']');
    fm_json_put_registers(&inner, trace);
    /* "none" makes the backend use the addresses without adjustment, since they are the addresses that were
     * looked up */
    fm_member_text(&inner, FM_MEMBER("instruction_addr_adjustment"), FM_STR("none"));
    fm_members_close(&inner);
}
