/* Implements trace_words.h: chooses the name of the thread and the title of the exception from what a report stated,
 * and writes a stack as indented lines of text. */
#include "formats/output/trace_words.h"
#include "core/text/scan.h"

#include <string.h>

size_t fm_stack_parts(const framemap_trace *traces, size_t count)
{
    size_t parts = 1;
    while (parts < count && traces[parts].role != FRAMEMAP_ROLE_NONE && traces[parts].part_of >= traces[0].number &&
           traces[parts].part_of <= traces[parts - 1].number)
        /* Two parts of a stack may be in different reports, since the report of a Java stack ends before its causes. */
        parts++;
    return parts;
}

bool fm_is_number(framemap_str text)
{
    size_t at = 0;
    while (at < text.size && fm_is_digit(text.data[at])) at++;
    return text.size > 0 && at == text.size;
}

struct fm_thread_words fm_thread_words(const framemap_trace *trace)
{
    const bool parted = trace->thread_id.size || trace->thread_name.size || trace->thread_queue.size;
    if (parted) return (struct fm_thread_words){trace->thread_id, trace->thread_name};
    if (fm_is_number(trace->thread)) return (struct fm_thread_words){.id = trace->thread};
    return (struct fm_thread_words){.name = trace->thread};
}

bool fm_put_thread(struct fm_buf *out, const framemap_trace *trace)
{
    const struct fm_thread_words thread = fm_thread_words(trace);
    if (thread.name.size == 0 && thread.id.size == 0) return false;
    fm_buf_str(out, FM_STR("thread "));
    fm_buf_escaped(out, thread.name.size ? thread.name : thread.id);
    if (thread.name.size && thread.id.size) {
        fm_buf_str(out, FM_STR(" (id "));
        fm_buf_escaped(out, thread.id);
        fm_buf_byte(out, ')');
    }
    return true;
}

bool fm_has_exception(const framemap_trace *trace)
{
    return trace->exception.size || trace->exception_type.size || trace->exception_message.size ||
           trace->signal.name.size || trace->mach_type.size || trace->abort_message.size;
}

bool fm_frame_is_hidden(const framemap_frame *frame)
{
    return frame->status == FRAMEMAP_FRAME_OK && frame->restored.count == 0;
}

const char *fm_family_name(const framemap_trace *trace)
{
    framemap_kind family = FRAMEMAP_KIND_UNKNOWN;
    for (size_t i = 0; i < trace->frame_count; i++) {
        const framemap_kind kind = trace->frames[i].kind;
        if (kind == FRAMEMAP_KIND_MARKER || kind == family) continue;
        if (family != FRAMEMAP_KIND_UNKNOWN) return "mixed";
        family = kind;
    }
    return family == FRAMEMAP_KIND_UNKNOWN ? "other" : framemap_kind_name(family);
}

/* --- writing the exception of a trace --- */

static bool is_within(framemap_str part, framemap_str whole)
{
    return part.size && part.data >= whole.data && part.data + part.size <= whole.data + whole.size;
}

void fm_put_renamed(struct fm_buf *out, framemap_str part, const framemap_trace *trace)
{
    size_t at = 0;
    for (size_t i = 0; i < trace->mention_count; i++) {
        const framemap_mention *mention = &trace->mentions[i];
        if (mention->restored.size == 0 || !is_within(mention->raw, part)) continue;
        const size_t begin = (size_t)(mention->raw.data - part.data);
        if (begin < at) continue;
        fm_buf_str(out, fm_str_slice(part, at, begin));
        fm_buf_str(out, mention->restored);
        at = begin + mention->raw.size;
    }
    fm_buf_str(out, fm_str_from(part, at));
}

void fm_put_exception_type(struct fm_buf *out, const framemap_trace *trace)
{
    if (trace->exception_type.size)
        fm_put_renamed(out, trace->exception_type, trace);
    else
        fm_buf_str(out, trace->signal.name.size ? trace->signal.name : trace->mach_type);
}

/* Writes "SEGV_MAPERR at 0x0". */
static void put_signal_code(struct fm_buf *out, const framemap_signal *signal)
{
    fm_buf_str(out, signal->code_name);
    if (!signal->has_address) return;
    fm_buf_str(out, signal->code_name.size ? FM_STR(" at 0x") : FM_STR("at 0x"));
    fm_buf_hex(out, signal->address, 1);
}

void fm_put_exception_message(struct fm_buf *out, const framemap_trace *trace)
{
    if (trace->exception_message.size)
        fm_put_renamed(out, trace->exception_message, trace);
    else if (trace->abort_message.size)
        fm_buf_str(out, trace->abort_message);
    else if (trace->exception_type.size == 0 && trace->exception.size)
        fm_put_renamed(out, trace->exception, trace);
    else
        put_signal_code(out, &trace->signal);
}

void fm_put_exception_title(struct fm_buf *out, const framemap_trace *trace)
{
    const size_t begin = out->size;
    if (trace->exception_type.size == 0 && trace->exception.size) {
        fm_put_renamed(out, trace->exception, trace);
        return;
    }
    fm_put_exception_type(out, trace);
    const size_t type_end = out->size;
    if (type_end > begin) fm_buf_str(out, FM_STR(": "));
    const size_t message = out->size;
    fm_put_exception_message(out, trace);
    /* neither a message nor a signal was written, so the separator after the type is removed */
    if (out->size == message) out->size = type_end;
}

/* --- rows --- */

static void put_place(struct fm_buf *out, const framemap_frame *source, framemap_str module)
{
    if (source->file.size == 0) {
        fm_buf_str(out, module);
        return;
    }
    fm_buf_str(out, source->file);
    if (source->line == 0) return;
    fm_buf_byte(out, ':');
    fm_buf_dec(out, source->line);
    if (source->column == 0) return;
    fm_buf_byte(out, ':');
    fm_buf_dec(out, source->column);
}

void fm_put_answer_count(struct fm_buf *out, const framemap_frame *frame)
{
    if (frame->alternative_count == 0) return;
    fm_buf_str(out, FM_STR(" [one of "));
    fm_buf_dec(out, frame->alternative_count + 1);
    fm_buf_byte(out, ']');
}

size_t fm_first_shown(const framemap_frame *frame)
{
    return frame->alternative_count && frame->line == 0 && frame->restored.count ? frame->restored.count - 1 : 0;
}

static void put_source_row(struct fm_buf *out, const framemap_frame *source, const framemap_frame *frame)
{
    fm_buf_str(out, FM_STR("    at "));
    fm_buf_str(out, source->class_name);
    if (source->class_name.size && source->function.size) fm_buf_byte(out, '.');
    fm_buf_str(out, source->function.size || source->class_name.size ? source->function
                    : source->symbol.size                            ? source->symbol
                                                                     : FM_STR("?"));
    if (source->file.size || frame->module.size) {
        fm_buf_str(out, frame->kind == FRAMEMAP_KIND_JAVA ? FM_STR("(") : FM_STR(" ("));
        put_place(out, source, frame->module);
        fm_buf_byte(out, ')');
    }
    if (frame->restored.count && source == &frame->restored.frames[frame->restored.count - 1])
        fm_put_answer_count(out, frame);
    fm_buf_byte(out, '\n');
}

/* Writes each line of a text, escaped and after `indent`. */
static void put_lines(struct fm_buf *out, framemap_str indent, framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str line;
    while (fm_scan_line(&s, &line)) {
        fm_buf_str(out, indent);
        fm_buf_str(out, fm_str_trim(line));
        fm_buf_byte(out, '\n');
    }
}

/* Writes "    at libapp.so+0x1344". */
static void put_address_row(struct fm_buf *out, const framemap_frame *frame)
{
    const bool absolute = frame->address_kind == FRAMEMAP_ADDRESS_ABSOLUTE;
    const bool loaded = frame->has_load_address && !frame->maps_file && frame->load_address <= frame->address;
    const bool placed = !absolute || loaded;
    fm_buf_str(out, FM_STR("    at "));
    if (placed) fm_buf_str(out, frame->module);
    fm_buf_str(out, placed && frame->module.size ? FM_STR("+0x") : FM_STR("0x"));
    fm_buf_hex(out, frame->address - (placed && absolute ? frame->load_address : 0), 1);
    fm_buf_byte(out, '\n');
}

/* Writes a frame that is an object in a JSON document. Returns whether anything was written. */
static bool put_object_row(struct fm_buf *out, const framemap_frame *frame)
{
    const bool named = frame->function.size || frame->class_name.size || frame->symbol.size || frame->file.size;
    if (!fm_str_starts(frame->raw, FM_STR("{")) || (!named && !frame->has_address)) return false;
    if (named)
        put_source_row(out, frame, frame);
    else
        put_address_row(out, frame);
    return true;
}

static void put_frame_rows(struct fm_buf *out, const framemap_frame *frame)
{
    if (fm_frame_is_hidden(frame)) return;
    if (frame->restored.count == 0 && put_object_row(out, frame)) return;
    for (size_t i = fm_first_shown(frame); i < frame->restored.count; i++)
        put_source_row(out, &frame->restored.frames[i], frame);
    if (frame->restored.count == 0) put_lines(out, FM_STR("    "), fm_str_trim(frame->raw));
}

static framemap_str role_words(framemap_role role)
{
    switch (role) {
    case FRAMEMAP_ROLE_NONE: break;
    case FRAMEMAP_ROLE_CAUSE: return FM_STR("Caused by: ");
    case FRAMEMAP_ROLE_SUPPRESSED: return FM_STR("Suppressed: ");
    case FRAMEMAP_ROLE_CIRCULAR: return FM_STR("Circular reference: ");
    case FRAMEMAP_ROLE_FREED_BY: return FM_STR("Freed by: ");
    case FRAMEMAP_ROLE_ALLOCATED_BY: return FM_STR("Allocated by: ");
    case FRAMEMAP_ROLE_THREAD_CREATED: return FM_STR("Thread created by: ");
    case FRAMEMAP_ROLE_PREVIOUS_ACCESS: return FM_STR("Previous access: ");
    case FRAMEMAP_ROLE_LEAK: return FM_STR("Leak: ");
    }
    return (framemap_str){NULL, 0};
}

void fm_put_title_row(struct fm_buf *out, const framemap_trace *trace)
{
    struct fm_buf title;
    fm_buf_init(&title, out->heap);
    fm_put_exception_title(&title, trace);
    const framemap_str words = role_words(trace->role), text = fm_str_trim(fm_buf_view(&title));
    fm_buf_str(out, text.size ? words : fm_str_trim(words));
    if (words.size && text.size == 0) fm_buf_byte(out, '\n');
    put_lines(out, FM_STR(""), text);
    if (title.failed) out->failed = true;
    fm_buf_free(&title);
}

void fm_put_stack_rows(struct fm_buf *out, const framemap_trace *traces, size_t count)
{
    const bool shows = out->shows;
    out->shows = true;
    for (size_t t = 0; t < count; t++) {
        fm_put_title_row(out, &traces[t]);
        for (size_t i = 0; i < traces[t].frame_count; i++) put_frame_rows(out, &traces[t].frames[i]);
        if (traces[t].elided) {
            fm_buf_str(out, FM_STR("    ... "));
            fm_buf_dec(out, traces[t].elided);
            fm_buf_str(out, FM_STR(" more"));
            fm_buf_byte(out, '\n');
        }
    }
    out->shows = shows;
}
