/* Implements sample_stacks.h: makes a stack of each sample of a profile, with a line of text for each frame, and passes
 * it to the printer of the output format. The size of the output is first checked against a limit. */
#include "session/convert/sample_stacks.h"

#include "core/error.h"
#include "formats/profiles/profile_format.h"
#include "formats/profiles/sample_copy.h"

#define ROW_BYTES 100 /* assumed bytes of a frame in JSON without the name of its function */

/* Returns the name at the end of a path, such as "libapp.so". */
static framemap_str base_name(framemap_str path)
{
    const size_t slash = fm_str_find_last_byte(path, '/');
    return slash == FM_NOT_FOUND ? path : fm_str_from(path, slash + 1);
}

static framemap_frame frame_of(const framemap_sample_frame *sample)
{
    const framemap_str module = base_name(sample->module);
    framemap_frame frame = {.kind = sample->has_address ? FRAMEMAP_KIND_NATIVE : FRAMEMAP_KIND_OTHER,
                            .status = FRAMEMAP_FRAME_NOT_NEEDED,
                            .index = -1,
                            .function = sample->function,
                            .module = module,
                            .id = sample->build_id,
                            .file = sample->file,
                            .line = sample->line,
                            .column = sample->column,
                            .inlined = sample->inlined,
                            .maps_file = sample->maps_file,
                            .return_address = sample->return_address,
                            .has_address = sample->has_address,
                            .has_load_address = sample->has_load_address,
                            .address_kind = sample->address_kind,
                            .address = sample->address,
                            .load_address = sample->load_address};
    if (module.size < sample->module.size) frame.module_path = sample->module;
    if (frame.has_address && frame.function.size == 0) frame.status = FRAMEMAP_FRAME_RAW;
    return frame;
}

/* Lists the frames of a stack, innermost first. Returns their number, at most `most`. */
static size_t frames_of(const framemap_sample_set *set, uint32_t node, framemap_frame *frames, size_t most)
{
    framemap_sample_frame sample;
    uint32_t number;
    size_t count = 0;
    while (count < most && framemap_sample_set_node(set, node, &node, &number)) {
        if (!framemap_sample_set_frame(set, number, &sample)) break;
        frames[count++] = frame_of(&sample);
    }
    return count;
}

/* Appends a frame line for a frame of a profile. Some outputs print the frame lines of the text unchanged, but a
 * profile has no such lines. */
static void put_row(struct fm_buf *out, const framemap_frame *frame)
{
    fm_buf_str(out, frame->function.size ? frame->function : frame->module);
    if (frame->function.size == 0 && frame->has_address) {
        fm_buf_str(out, FM_STR("+0x"));
        fm_buf_hex(out, frame->address, 1);
    }
    fm_buf_byte(out, '\n');
}

/* Writes a frame line for each frame into the buffer, and makes these lines the frames' raw text. */
static bool put_rows(struct fm_buf *out, framemap_frame *frames, size_t count)
{
    fm_buf_clear(out);
    for (size_t i = 0; i < count; i++) {
        frames[i].raw_offset = out->size;
        frames[i].raw_line = i + 1;
        put_row(out, &frames[i]);
        frames[i].raw.size = out->size - 1 - (size_t)frames[i].raw_offset;
    }
    if (out->failed) return false;
    for (size_t i = 0; i < count; i++) frames[i].raw.data = out->data + frames[i].raw_offset;
    return true;
}

static void give_thread(framemap_trace *trace, const framemap_sample *sample)
{
    trace->thread = trace->thread_name = sample->thread.name;
    trace->process_name = sample->thread.process;
    trace->has_process_id = sample->thread.has_process_id;
    trace->process_id = sample->thread.process_id;
}

/* Checks the size of the output, since each sample is written with its whole stack. */
static framemap_status check_size(const framemap_sample_set *set, struct fm_heap *heap, framemap_error *error)
{
    const unsigned parts = FM_STACK_LABELS | FM_STACK_LONG;
    const framemap_status status = fm_profile_check_stacks(set, heap, ROW_BYTES, parts);
    if (status == FRAMEMAP_E_LIMIT) return fm_profile_too_deep(set, "stacks", parts, error);
    return status ? fm_error_memory(error) : FRAMEMAP_OK;
}

static framemap_status print_stacks(const framemap_sample_set *set, struct fm_heap *heap, framemap_printer *printer,
                                    uint64_t *count, framemap_error *error)
{
    const size_t size = FM_PROFILE_FRAMES * sizeof(framemap_frame);
    framemap_frame *frames = fm_heap_zalloc(heap, FM_PROFILE_FRAMES, sizeof *frames);
    framemap_status status = frames ? FRAMEMAP_OK : fm_error_memory(error);
    framemap_sample sample;
    struct fm_buf rows;
    fm_buf_init(&rows, heap);
    if (status == FRAMEMAP_OK) status = check_size(set, heap, error);
    for (*count = 0; status == FRAMEMAP_OK && framemap_sample_set_sample(set, (uint32_t)*count, &sample); ++*count) {
        framemap_trace trace = {.number = *count, .report = *count, .format = FM_STR("samples"), .frames = frames};
        trace.frame_count = frames_of(set, sample.node, frames, FM_PROFILE_FRAMES);
        if (sample.has_thread) give_thread(&trace, &sample);
        if (!put_rows(&rows, frames, trace.frame_count))
            status = fm_error_memory(error);
        else
            status = framemap_printer_trace(printer, fm_buf_view(&rows), &trace, 1, error);
    }
    fm_buf_free(&rows);
    fm_heap_free(heap, frames, size);
    return status;
}

framemap_status fm_sample_stacks_print(const framemap_sample_set *set, struct fm_heap *heap, framemap_printer *printer,
                                       uint64_t *count, framemap_error *error)
{
    framemap_sample_set less;
    fm_samples_lessen(set, &less, ~(unsigned)(FRAMEMAP_PART_TIMES | FRAMEMAP_PART_LABELS | FRAMEMAP_PART_VALUES));
    const framemap_status status =
        less.fault ? fm_samples_status(&less, error) : print_stacks(&less, heap, printer, count, error);
    fm_samples_free(&less);
    return status;
}
