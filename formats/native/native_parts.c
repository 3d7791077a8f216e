/* Implements native_parts.h: reads registers, a source position that follows a frame, and the architecture after a
 * module's name; sets the module of a frame; and prints the functions inlined into a native frame. */
#include "formats/native/native_parts.h"

bool fm_register_next(struct fm_scan *s, framemap_str *name, uint64_t *value)
{
    struct fm_scan t = *s;
    fm_scan_blanks(&t);
    const char *start = t.at;
    while (t.at != t.end && ((*t.at | 0x20) >= 'a' ? (*t.at | 0x20) <= 'z' : fm_is_digit(*t.at) || *t.at == '_'))
        t.at++;
    if (t.at == start || fm_is_digit(*start) || t.at - start > 12) return false;
    *name = fm_str(start, (size_t)(t.at - start));
    fm_scan_blanks(&t);
    const bool equals = fm_scan_byte(&t, '=');
    if (!equals && !fm_scan_byte(&t, ':')) return false;
    fm_scan_blanks(&t);
    if (fm_row_0xhex(&t, value) != FM_DIGITS_FIT && (equals || fm_row_hex(&t, value) != FM_DIGITS_FIT)) return false;
    if (!fm_scan_done(&t) && !fm_is_blank(*t.at)) return false;
    fm_scan_blanks(&t);
    *s = t;
    return true;
}

bool fm_register_is_pc(framemap_str name)
{
    static const framemap_str names[] = {FM_STR_INIT("pc"), FM_STR_INIT("rip"), FM_STR_INIT("eip"),
                                         FM_STR_INIT("srr0")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fm_str_equal_nocase(name, names[i])) return true;
    return false;
}

size_t fm_register_line(struct fm_document *doc, framemap_trace *trace, framemap_str text)
{
    struct fm_scan s = fm_scan_of(text), t = s;
    framemap_str name;
    uint64_t value;
    size_t count = 0;
    while (fm_register_next(&t, &name, &value)) count++;
    if (count == 0 || !fm_scan_done(&t)) return 0;
    while (fm_register_next(&s, &name, &value))
        if (!fm_document_register(doc, trace, name, value)) break;
    return count;
}

void fm_native_mark_named(framemap_frame *frame)
{
    fm_row_mark_complete(frame);
    if (frame->status == FRAMEMAP_FRAME_RAW && frame->function.size && !frame->has_address)
        frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
}

void fm_native_set_module(framemap_frame *frame, framemap_str path)
{
    frame->module = fm_str_trim(fm_str_basename(path));
    if (frame->module.size < path.size) frame->module_path = path;
}

framemap_frame *fm_native_last(framemap_trace *trace)
{
    return trace && trace->frame_count ? &trace->frames[trace->frame_count - 1] : NULL;
}

void fm_native_put_chain(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol,
                         fm_native_put *put)
{
    for (size_t i = 0; i < frame->restored.count; i++) {
        if (i) fm_row_begin_line(out, prefix, eol);
        put(out, frame, &frame->restored.frames[i]);
    }
}

void fm_native_put_before_group(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored,
                                unsigned words)
{
    struct fm_scan s = fm_scan_of(raw->raw);
    framemap_str word, group = {NULL, 0}, text = fm_str_trim(raw->raw);
    for (unsigned i = 0; i < words; i++) {
        fm_scan_blanks(&s);
        if (!fm_scan_word(&s, &word)) return;
    }
    fm_buf_str(out, fm_str(raw->raw.data, (size_t)(s.at - raw->raw.data)));
    fm_buf_byte(out, ' ');
    fm_row_put_at(out, restored);
    fm_row_group(&text, &group);
    fm_buf_str(out, FM_STR(" ("));
    fm_buf_str(out, group);
    fm_buf_byte(out, ')');
}

bool fm_native_read_position(framemap_trace *trace, framemap_str text)
{
    framemap_frame *frame = fm_native_last(trace);
    framemap_str file;
    uint32_t line1 = 0, column1 = 0;
    if (frame == NULL || frame->line || fm_str_find_byte(text, ' ') != FM_NOT_FOUND) return false;
    if (!fm_row_location(text, &file, &line1, &column1)) return false;
    frame->file = file;
    frame->line = line1;
    frame->column = column1;
    fm_row_mark_complete(frame);
    return true;
}

framemap_str fm_native_join(struct fm_document *doc, framemap_str first, framemap_str second)
{
    char *copy = fm_document_alloc(doc, first.size + second.size);
    if (!copy) return (framemap_str){NULL, 0};
    if (first.size) memcpy(copy, first.data, first.size);
    if (second.size) memcpy(copy + first.size, second.data, second.size);
    return fm_str(copy, first.size + second.size);
}

framemap_str fm_native_cut_arch(framemap_str module, framemap_frame *frame)
{
    static const framemap_str archs[] = {FM_STR_INIT("x86_64"), FM_STR_INIT("x86_64h"), FM_STR_INIT("arm64"),
                                         FM_STR_INIT("arm64e"), FM_STR_INIT("i386"),    FM_STR_INIT("armv7"),
                                         FM_STR_INIT("armv7k"), FM_STR_INIT("armv7s")};
    const size_t colon = fm_str_find_last_byte(module, ':');
    if (colon == FM_NOT_FOUND) return module;
    const framemap_str arch = fm_str_from(module, colon + 1);
    for (size_t i = 0; i < sizeof archs / sizeof *archs; i++) {
        if (!fm_str_equal(arch, archs[i])) continue;
        frame->arch = arch;
        return fm_str_slice(module, 0, colon);
    }
    return module;
}
