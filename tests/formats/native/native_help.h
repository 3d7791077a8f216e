/* Helpers for the tests of crash collectors, sanitizers and texts of Linux: describe traces with all members that these
 * formats set. */
#ifndef FM_TESTS_FORMATS_NATIVE_NATIVE_HELP_H
#define FM_TESTS_FORMATS_NATIVE_NATIVE_HELP_H

#include "tests/formats/formats_help.h"

static inline void tell_extra(struct fm_buf *out, const framemap_frame_extra *extra)
{
    if (!extra) return;
    describe_part(out, "trust", extra->trust);
    if (extra->has_line_offset) fm_buf_printf(out, " line+%llu", (unsigned long long)extra->line_offset);
    if (extra->has_sub_index) fm_buf_printf(out, " sub:%u", extra->sub_index);
    if (extra->stack_pointer) fm_buf_printf(out, " sp:0x%llx", (unsigned long long)extra->stack_pointer);
    if (extra->return_address) fm_buf_printf(out, " ret:0x%llx", (unsigned long long)extra->return_address);
    if (extra->has_count) fm_buf_printf(out, " count:%llu", (unsigned long long)extra->count);
}

/* Appends a description of a frame, such as "#0 m:app absolute:0x10 return f:main+3 at:a.c:7". It ends with the members
 * that the tests of other formats do not show. */
static inline void tell_frame(struct fm_buf *out, const framemap_frame *frame)
{
    describe_frame(out, frame);
    out->size--; /* the line end is removed */
    describe_part(out, "path", frame->module_path);
    if (frame->has_absolute_address) fm_buf_printf(out, " abs:0x%llx", (unsigned long long)frame->absolute_address);
    if (frame->function_size) fm_buf_printf(out, " size:%llu", (unsigned long long)frame->function_size);
    if (frame->inlined) fm_buf_str(out, FM_STR(" inlined"));
    if (frame->is_unreliable) fm_buf_str(out, FM_STR(" unreliable"));
    if (frame->kind != FRAMEMAP_KIND_NATIVE) fm_buf_printf(out, " kind:%s", framemap_kind_name(frame->kind));
    if (frame->marker) fm_buf_printf(out, " marker:%s", framemap_marker_name(frame->marker));
    tell_extra(out, frame->extra);
    fm_buf_byte(out, '\n');
}

static inline void tell_trace(struct fm_buf *out, const framemap_trace *trace)
{
    fm_buf_printf(out, "%.*s %u", (int)trace->format.size, trace->format.data, (unsigned)trace->line);
    if (trace->role) fm_buf_printf(out, " %s of %u", framemap_role_name(trace->role), (unsigned)trace->part_of);
    describe_part(out, "thread", trace->thread_id);
    describe_part(out, "named", trace->thread_name);
    describe_part(out, "queue", trace->thread_queue);
    describe_part(out, "type", trace->exception_type);
    describe_part(out, "message", trace->exception_message);
    describe_part(out, "abort", trace->abort_message);
    describe_part(out, "signal", trace->signal.name);
    describe_part(out, "code", trace->signal.code_name);
    if (trace->signal.has_address) fm_buf_printf(out, " fault:0x%llx", (unsigned long long)trace->signal.address);
    describe_part(out, "arch", trace->arch);
    describe_part(out, "os", trace->os);
    describe_part(out, "version", trace->os_version);
    describe_part(out, "process", trace->process_name);
    if (trace->has_process_id) fm_buf_printf(out, " pid:%llu", (unsigned long long)trace->process_id);
    if (trace->crashed) fm_buf_str(out, FM_STR(" crashed"));
    for (size_t i = 0; i < trace->register_count; i++)
        fm_buf_printf(out, " %.*s=0x%llx", (int)trace->registers[i].name.size, trace->registers[i].name.data,
                      (unsigned long long)trace->registers[i].value);
    fm_buf_byte(out, '\n');
}

/* Does what check_texts does, but compares all members that the native formats set. */
static inline void check_told(const struct text_case *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct parsed parsed;
        struct fm_buf got, back;
        framemap_str text = text_of(rows[i].text);
        parse(&parsed, text);
        assert_int_equal(parsed.status, FRAMEMAP_OK);
        fm_buf_init(&got, &parsed.heap);
        for (size_t t = 0; t < parsed.count; t++) {
            tell_trace(&got, &parsed.traces[t]);
            for (size_t f = 0; f < parsed.traces[t].frame_count; f++) tell_frame(&got, &parsed.traces[t].frames[f]);
        }
        same_text(rows[i].name, "what was read", fm_buf_view(&got), text_of(rows[i].want));
        assert_int_equal(print_as(&parsed, text, "text", &back), FRAMEMAP_OK);
        same_text(rows[i].name, "the text that comes back", fm_buf_view(&back), text);
        fm_buf_free(&back);
        fm_buf_free(&got);
        parsed_free(&parsed);
    }
}

#endif
