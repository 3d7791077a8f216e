/* Implements stack_rows.h: adds the frame of a parsed row to the open stack, or begins a stack if a title was read, the
 * numbers start again at 0, or the last row is too far above. */
#include "formats/native/linux/stack_rows.h"

bool fm_stack_rows_near(const struct fm_stack_rows *state, const struct fm_line *line)
{
    return state->open && line->number1 - state->number1 <= FM_STACK_ROWS_GAP && !line->begins;
}

void fm_stack_rows_title(struct fm_stack_rows *state, const struct fm_line *line)
{
    state->fresh = state->open = true;
    state->number1 = line->number1;
}

static void forget_title(struct fm_stack_rows *state)
{
    state->fresh = false;
    state->thread_id = state->thread_name = state->thread_queue = (framemap_str){NULL, 0};
    state->exception = state->type = (framemap_str){NULL, 0};
    state->signal = (framemap_signal){.number = 0};
}

void fm_stack_rows_entitle(struct fm_stack_rows *state, framemap_trace *trace)
{
    trace->thread_id = state->thread_id;
    trace->thread_name = state->thread_name;
    trace->thread_queue = state->thread_queue;
    trace->thread = state->thread_name.size    ? state->thread_name
                    : state->thread_queue.size ? state->thread_queue
                                               : state->thread_id;
    trace->exception = state->exception;
    trace->exception_type = state->type;
    trace->signal = state->signal;
    trace->crashed = state->exception.size != 0;
    trace->process_name = state->process;
    trace->has_process_id = state->has_pid;
    trace->process_id = state->pid;
    forget_title(state);
}

static framemap_trace *stack_trace(struct fm_stack_rows *state, struct fm_document *doc, const struct fm_line *line,
                                   bool titled)
{
    framemap_trace *trace = fm_document_trace(doc, state->name, line);
    if (!trace) return NULL;
    if (titled)
        fm_stack_rows_entitle(state, trace);
    else
        forget_title(state);
    return trace;
}

void fm_stack_row_take(struct fm_stack_row *row, const framemap_frame *parts)
{
    row->function = parts->function;
    row->file = parts->file;
    row->line = parts->line;
    row->column = parts->column;
    row->has_function_offset = parts->has_function_offset;
    row->function_offset = parts->function_offset;
}

static void stack_fill(const struct fm_stack_row *row, framemap_frame *frame)
{
    frame->index = row->index;
    if (row->path.size) fm_native_set_module(frame, row->path);
    frame->function = row->function;
    frame->file = row->file;
    frame->line = row->line;
    frame->column = row->column;
    frame->inlined = row->inlined;
    frame->has_function_offset = row->has_function_offset;
    frame->function_offset = row->function_offset;
    frame->has_address = row->has_address || row->has_module_offset;
    frame->address = row->has_module_offset ? row->module_offset : row->address;
    if (frame->has_address)
        frame->address_kind = !row->has_module_offset ? FRAMEMAP_ADDRESS_ABSOLUTE
                              : row->from_begin       ? FRAMEMAP_ADDRESS_IMAGE
                                                      : FRAMEMAP_ADDRESS_LINKED;
    if (row->has_module_offset && row->has_address) {
        frame->has_absolute_address = true;
        frame->absolute_address = row->address;
    }
    if (row->too_long) fm_row_malformed(frame, FM_LONG_ADDRESS);
    fm_native_mark_named(frame);
}

enum fm_line_role fm_stack_rows_add(struct fm_stack_rows *state, struct fm_document *doc, const struct fm_line *line,
                                    const struct fm_stack_row *row, bool all_return)
{
    framemap_frame frame = FM_FRAME_INIT;
    const bool near = fm_stack_rows_near(state, line);
    const bool restarts = row->index >= 0 && row->index == 0 && state->index > 0;
    framemap_trace *trace = fm_document_open(doc, state->name);
    if (!trace || !near || state->fresh || restarts) trace = stack_trace(state, doc, line, near);
    if (!trace) return FM_ROLE_FRAME;
    stack_fill(row, &frame);
    frame.return_address =
        frame.has_address && !row->exact && !row->inlined && (all_return || fm_document_depth(doc, trace) > 0);
    fm_document_frame(doc, line, &frame);
    state->index = row->index;
    state->open = true;
    state->number1 = line->number1;
    return FM_ROLE_FRAME;
}
