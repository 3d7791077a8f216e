/* Implements trace_parts.h: sets a bit for each kind of information (files, lines, ids, registers, causes and so on)
 * that a stack and its frames have. */
#include "formats/output/trace_parts.h"
#include <framemap/convert.h>

static uint32_t if_so(bool so, uint32_t part) { return so ? part : 0; }

/* Returns the parts that a restored frame has, as FRAMEMAP_PART_ bits. */
static uint32_t source_parts(const framemap_frame *source)
{
    return if_so(source->file.size, FRAMEMAP_PART_FILES) | if_so(source->line, FRAMEMAP_PART_LINES) |
           if_so(source->column, FRAMEMAP_PART_COLUMNS) | if_so(source->inlined, FRAMEMAP_PART_INLINED) |
           if_so(source->has_function_offset, FRAMEMAP_PART_OFFSETS);
}

/* Whether the row of a frame has a file. */
static bool has_file(const framemap_frame *frame)
{
    const framemap_frame *source = frame->restored.count ? frame->restored.frames : frame;
    return source->file.size != 0;
}

/* Whether the frame is an object of a JSON document; such a frame has no row that an output could keep. */
static bool is_object(framemap_str raw) { return raw.size && *raw.data == '{'; }

static uint32_t frame_parts(const framemap_frame *frame, unsigned rules)
{
    uint32_t parts = 0;
    if (frame->kind == FRAMEMAP_KIND_MARKER) return FRAMEMAP_PART_MARKERS;
    if (frame->restored.count == 0 && (rules & FM_PARTS_RESTORED) && !is_object(frame->raw)) return 0;
    parts =
        if_so(frame->module.size && (!(rules & FM_PARTS_MODULE_WITH_FILE) || has_file(frame)), FRAMEMAP_PART_MODULES) |
        if_so(frame->has_address, FRAMEMAP_PART_ADDRESSES) | if_so(frame->id.size, FRAMEMAP_PART_IDS) |
        if_so(frame->alternative_count, FRAMEMAP_PART_ALTERNATIVES);
    if (frame->restored.count == 0) parts |= source_parts(frame);
    for (size_t i = 0; i < frame->restored.count; i++) parts |= source_parts(&frame->restored.frames[i]);
    return parts;
}

static bool has_log(const framemap_log *log)
{
    return log->time.size || log->tag.size || log->level.size || log->process.size || log->host.size || log->has_pid;
}

uint32_t fm_trace_parts(const framemap_trace *trace, unsigned rules)
{
    uint32_t parts = if_so(trace->thread.size || trace->thread_id.size, FRAMEMAP_PART_THREADS) |
                     if_so(trace->thread_name.size || trace->thread_queue.size, FRAMEMAP_PART_THREADS) |
                     if_so(trace->exception.size || trace->exception_type.size, FRAMEMAP_PART_EXCEPTIONS) |
                     if_so(trace->exception_message.size || trace->abort_message.size, FRAMEMAP_PART_EXCEPTIONS) |
                     if_so(trace->signal.name.size || trace->mach_type.size, FRAMEMAP_PART_EXCEPTIONS) |
                     if_so(trace->lists_images && trace->image_count, FRAMEMAP_PART_IMAGES) |
                     if_so(trace->register_count, FRAMEMAP_PART_REGISTERS) |
                     if_so(trace->role != FRAMEMAP_ROLE_NONE, FRAMEMAP_PART_CAUSES) |
                     if_so(trace->process_name.size || trace->has_process_id, FRAMEMAP_PART_PROCESSES) |
                     if_so(trace->os.size || trace->arch.size, FRAMEMAP_PART_PROCESSES) |
                     if_so(has_log(&trace->log), FRAMEMAP_PART_LOGS) | if_so(trace->elided, FRAMEMAP_PART_MARKERS);
    for (size_t i = 0; i < trace->frame_count; i++) parts |= frame_parts(&trace->frames[i], rules);
    return parts;
}

static bool lacks_address(const framemap_frame *frame, bool in_image)
{
    const bool absolute = frame->address_kind == FRAMEMAP_ADDRESS_ABSOLUTE;
    const bool loaded = frame->has_load_address && !frame->maps_file;
    if (!frame->has_address || loaded || frame->kind == FRAMEMAP_KIND_MARKER) return false;
    return in_image ? absolute : !absolute && !frame->has_absolute_address;
}

bool fm_trace_lacks_addresses(const framemap_trace *trace, bool in_image)
{
    for (size_t i = 0; i < trace->frame_count; i++)
        if (lacks_address(&trace->frames[i], in_image)) return true;
    return false;
}

bool fm_trace_lacks_ids(const framemap_trace *trace)
{
    for (size_t i = 0; i < trace->frame_count; i++)
        if (trace->frames[i].id.size == 0 && lacks_address(&trace->frames[i], false)) return true;
    return false;
}
