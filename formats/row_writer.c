/* Implements row_writer.h: writes one row for each source function of a frame, in the order of the target format, with
 * the function that this format has for a row; and the title before a stack if the format has one. */
#include "formats/row_writer.h"
#include "formats/output/print_each.h"
#include "formats/output/trace_words.h"
#include "formats/row_parts.h"

framemap_str fm_row_module(const framemap_frame *frame)
{
    return frame->module_path.size ? frame->module_path : frame->module;
}

void fm_row_put_title(struct fm_buf *out, const framemap_trace *trace, framemap_str fallback)
{
    const size_t before = out->size;
    fm_put_title_row(out, trace);
    if (out->size > before) return;
    fm_buf_str(out, fallback);
    fm_buf_byte(out, '\n');
}

framemap_str fm_row_thread_number(const framemap_trace *trace)
{
    const framemap_str id = fm_thread_words(trace).id;
    return fm_is_number(id) ? id : (framemap_str){NULL, 0};
}

framemap_str fm_row_thread_name(const framemap_trace *trace) { return fm_thread_words(trace).name; }

void fm_row_put_pc(struct fm_buf *out, const struct fm_row_out *row)
{
    fm_buf_str(out, FM_STR("0x"));
    fm_buf_hex(out, row->has_absolute ? row->absolute : row->has_relative ? row->relative : 0, 16);
}

/* --- a row --- */

static void set_addresses(struct fm_row_out *row)
{
    const framemap_frame *frame = row->frame;
    const bool absolute = frame->has_address && frame->address_kind == FRAMEMAP_ADDRESS_ABSOLUTE;
    const bool relative = frame->has_address && (frame->address_kind == FRAMEMAP_ADDRESS_LINKED ||
                                                 frame->address_kind == FRAMEMAP_ADDRESS_IMAGE);
    const bool loaded = frame->has_load_address && !frame->maps_file && frame->load_address <= frame->address;
    row->has_absolute = frame->has_absolute_address || absolute || (relative && frame->has_load_address);
    row->absolute = frame->has_absolute_address ? frame->absolute_address
                    : absolute                  ? frame->address
                                                : frame->load_address + frame->address;
    row->has_relative = relative || (absolute && loaded);
    row->relative = relative ? frame->address : frame->address - frame->load_address;
}

/* Returns a copy of the frame with the values of one of its restored functions. */
static framemap_frame with_source(const framemap_frame *frame, const framemap_frame *source)
{
    framemap_frame out = *frame;
    out.class_name = source->class_name;
    out.function = source->function;
    out.symbol = source->symbol;
    out.file = source->file;
    out.line = source->line;
    out.column = source->column;
    out.inlined = source->inlined;
    out.has_function_offset = source->has_function_offset;
    out.function_offset = source->function_offset;
    return out;
}

static void put_name(struct fm_buf *name, const framemap_frame *frame)
{
    fm_buf_str(name, frame->class_name);
    if (frame->class_name.size && (frame->function.size || frame->symbol.size)) fm_buf_byte(name, '.');
    if (frame->class_name.size == 0 || frame->function.size || frame->symbol.size) fm_buf_str(name, fm_row_name(frame));
}

struct rows {
    struct fm_buf *out;
    const struct fm_output *style;
    struct fm_buf name;
    size_t number, frame_number;
    const framemap_frame *before; /* the frame of the row above; NULL: there is no row above */
};

/* Whether two frames of the input represent the same frame. Some formats print a row for each function inlined into a
 * frame, all with the number and address of that frame; each row is then read as a frame of its own. */
static bool is_same_frame(const framemap_frame *a, const framemap_frame *b)
{
    return a && a->index >= 0 && a->index == b->index && a->has_address && b->has_address && a->address == b->address;
}

static void put_one(struct rows *rows, const framemap_frame *frame)
{
    struct fm_row_out row = {.frame = frame, .number = rows->number, .frame_number = rows->frame_number};
    fm_buf_clear(&rows->name);
    put_name(&rows->name, frame);
    row.name = fm_buf_view(&rows->name);
    row.has_name = frame->class_name.size || frame->function.size || frame->symbol.size;
    set_addresses(&row);
    rows->style->put_row(rows->out, &row);
    fm_buf_byte(rows->out, '\n');
    if (rows->style->rows_outermost_first)
        rows->number--;
    else
        rows->number++;
}

static void put_frame(struct rows *rows, const framemap_frame *frame)
{
    const size_t count = frame->restored.count;
    if (frame->kind == FRAMEMAP_KIND_MARKER || fm_frame_is_hidden(frame)) return;
    if (rows->before && !is_same_frame(rows->before, frame)) rows->frame_number++;
    rows->before = frame;
    for (size_t i = 0; i < count; i++) {
        const size_t at = rows->style->rows_outermost_first ? count - 1 - i : i;
        const framemap_frame source = with_source(frame, &frame->restored.frames[at]);
        put_one(rows, &source);
    }
    if (count == 0) put_one(rows, frame);
}

/* --- a stack --- */

static size_t rows_of(const framemap_trace *trace)
{
    size_t count = 0;
    for (size_t i = 0; i < trace->frame_count; i++) {
        const framemap_frame *frame = &trace->frames[i];
        if (frame->kind == FRAMEMAP_KIND_MARKER || fm_frame_is_hidden(frame)) continue;
        count += frame->restored.count ? frame->restored.count : 1;
    }
    return count;
}

static void put_trace(struct rows *rows, const framemap_trace *trace)
{
    const bool reversed = trace->outermost_first != rows->style->rows_outermost_first;
    rows->number = rows->style->rows_outermost_first ? rows_of(trace) - 1 : 0;
    rows->frame_number = 0;
    rows->before = NULL;
    if (rows->style->put_head) rows->style->put_head(rows->out, trace);
    for (size_t i = 0; i < trace->frame_count; i++)
        put_frame(rows, &trace->frames[reversed ? trace->frame_count - 1 - i : i]);
    if (rows->style->put_tail) rows->style->put_tail(rows->out, trace);
}

static void put_stack(struct fm_buf *out, const struct fm_print_job *job, const framemap_trace *traces, size_t count)
{
    struct rows rows = {.out = out, .style = job->format->output};
    const bool parts = (job->format->output->holds & FRAMEMAP_PART_CAUSES) != 0;
    fm_buf_init(&rows.name, job->heap);
    out->shows = true;
    for (size_t i = 0; i < count; i++) {
        put_trace(&rows, &traces[i]);
        if (!parts || i + 1 == count) fm_buf_byte(out, '\n');
    }
    if (rows.name.failed) out->failed = true;
    fm_buf_free(&rows.name);
}

framemap_status fm_print_rows(const struct fm_print_job *job, framemap_error *error)
{
    return fm_print_groups(job, fm_stack_parts, put_stack, error);
}
