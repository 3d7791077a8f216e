/* Prints the head and the rows of an Android tombstone. See tombstone_write.h. */
#include "formats/native/tombstone_write.h"

#include "formats/row_parts.h"

void fm_tombstone_put_row(struct fm_buf *out, const struct fm_row_out *row)
{
    const framemap_frame *frame = row->frame;
    const framemap_str module = fm_row_module(frame);
    fm_buf_str(out, FM_STR("    #"));
    if (row->frame_number < 10) fm_buf_byte(out, '0');
    fm_buf_dec(out, row->frame_number);
    fm_buf_str(out, FM_STR(" pc "));
    fm_buf_hex(out, row->has_relative ? row->relative : row->absolute, 16);
    fm_buf_str(out, FM_STR("  "));
    fm_buf_str(out, module.size ? module : FM_STR("<unknown>"));
    fm_buf_str(out, FM_STR(" ("));
    fm_buf_str(out, row->name);
    if (frame->has_function_offset) {
        fm_buf_byte(out, '+');
        fm_buf_dec(out, frame->function_offset);
    }
    fm_buf_byte(out, ')');
    if (frame->id.size) {
        fm_buf_str(out, FM_STR(" (BuildId: "));
        fm_buf_str(out, frame->id);
        fm_buf_byte(out, ')');
    }
    if (frame->file.size == 0) return;
    fm_buf_byte(out, ' ');
    fm_row_put_location(out, frame);
}

static void put_signal(struct fm_buf *out, const framemap_signal *signal)
{
    fm_buf_printf(out, "signal %d (", signal->has_number ? (int)signal->number : 0);
    fm_buf_str(out, signal->name);
    fm_buf_printf(out, "), code %d (", signal->has_code ? (int)signal->code : 0);
    fm_buf_str(out, signal->code_name.size ? signal->code_name : FM_STR("SI_USER"));
    fm_buf_str(out, FM_STR("), fault addr "));
    if (signal->has_address) {
        fm_buf_str(out, FM_STR("0x"));
        fm_buf_hex(out, signal->address, 16);
    } else {
        fm_buf_str(out, FM_STR("--------"));
    }
    fm_buf_byte(out, '\n');
}

void fm_tombstone_put_head(struct fm_buf *out, const framemap_trace *trace)
{
    const framemap_str id = fm_row_thread_number(trace);
    fm_buf_str(out, FM_STR("*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***"));
    fm_buf_byte(out, '\n');
    fm_buf_printf(out, "pid: %llu, tid: ", (unsigned long long)trace->process_id);
    fm_buf_str(out, id.size ? id : FM_STR("0"));
    fm_buf_str(out, FM_STR(", name: "));
    fm_buf_str(out, fm_row_thread_name(trace));
    fm_buf_str(out, FM_STR("  >>> "));
    fm_buf_str(out, trace->process_name);
    fm_buf_str(out, FM_STR(" <<<"));
    fm_buf_byte(out, '\n');
    if (trace->signal.name.size) put_signal(out, &trace->signal);
    fm_buf_str(out, FM_STR("backtrace:"));
    fm_buf_byte(out, '\n');
}
