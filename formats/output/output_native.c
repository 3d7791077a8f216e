/* Output of stacks of addresses in the form that Apple's systems and sampling profilers use, one row per frame: the
 * program counter, and the load address of its image.
 *
 *    0   App                                 0x0000000107933b74 0x1078ec000+293748
 *
 * A frame without an address, or in an image whose load address is not known, cannot be written in this form and is
 * left out; the numbers of the rows then have gaps. */
#include "core/limits.h"
#include "formats/output/print_each.h"
#include "formats/parsers.h"

/* Reads a frame's address in the process. Returns false if the row does not have it. */
static bool absolute(const framemap_frame *frame, uint64_t *out)
{
    *out = frame->has_absolute_address ? frame->absolute_address : frame->address;
    return frame->has_absolute_address || (frame->has_address && frame->address_kind == FRAMEMAP_ADDRESS_ABSOLUTE);
}

/* Returns the program counter of a frame. Dart prints the address of a call; the program counter is the address after
 * the call, except in the first frame, where it is the printed address. */
static uint64_t program_counter(const framemap_frame *frame, uint64_t address, size_t number)
{
    const bool is_call = frame->kind == FRAMEMAP_KIND_DART && !frame->return_address;
    return address + (is_call && number > 0);
}

static void put_row(struct fm_buf *out, const framemap_frame *frame, uint64_t address, size_t number)
{
    const framemap_str module = frame->module.size ? frame->module : FM_STR("App");
    const uint64_t pc = program_counter(frame, address, number);
    fm_buf_printf(out, "%-4zu%-36.*s0x", number, (int)module.size, module.data);
    fm_buf_hex(out, pc, 16);
    fm_buf_str(out, FM_STR(" 0x"));
    fm_buf_hex(out, frame->load_address, 1);
    fm_buf_byte(out, '+');
    fm_buf_dec(out, pc - frame->load_address);
    fm_buf_byte(out, '\n');
}

static void native_trace(struct fm_buf *out, const framemap_trace *trace, void *state)
{
    (void)state;
    size_t number = 0;
    for (size_t i = 0; i < trace->frame_count; i++) {
        const framemap_frame *frame = &trace->frames[i];
        uint64_t address;
        if (frame->kind == FRAMEMAP_KIND_MARKER) continue;
        const bool nowhere = frame->load_address == 0 && frame->status == FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        const bool placed = frame->has_load_address && !frame->maps_file && !nowhere && absolute(frame, &address) &&
                            address >= frame->load_address;
        if (placed && frame->module.size < FM_LIMIT_LINE) put_row(out, frame, address, number);
        number++;
    }
    fm_buf_byte(out, '\n');
}

static framemap_status print_native(const struct fm_print_job *job, framemap_error *error)
{
    return fm_print_each(job, native_trace, error);
}

static const struct fm_output native_output = {
    .holds = FRAMEMAP_PART_MODULES | FRAMEMAP_PART_ADDRESSES,
    .print = print_native,
};

const struct fm_format fm_native_output = {
    .info = {"native", "frame addresses (0   App   0x… 0x…+12), if the load address of their image is known", false,
             true},
    .output = &native_output};
