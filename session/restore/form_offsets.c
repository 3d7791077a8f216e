/* Implements form_offsets.h. The offsets in a part are mostly ascending, so each one is computed from the
 * previous one. */
#include "session/restore/form_offsets.h"

struct counter {
    const struct fm_form_offsets *offsets;
    framemap_str text;
    size_t at;        /* offset in the part of the place that was converted last */
    uint64_t form_at; /* offset of that place in the text's original form */
};

static uint64_t converted(struct counter *counter, uint64_t offset)
{
    const uint64_t begin = counter->offsets->at;
    const size_t at = offset < begin                        ? 0
                      : offset - begin > counter->text.size ? counter->text.size
                                                            : (size_t)(offset - begin);
    if (at >= counter->at)
        counter->form_at += fm_form_size(counter->offsets->form, fm_str_slice(counter->text, counter->at, at));
    else
        counter->form_at -= fm_form_size(counter->offsets->form, fm_str_slice(counter->text, at, counter->at));
    counter->at = at;
    return counter->form_at;
}

static void convert_trace(struct counter *counter, framemap_trace *trace)
{
    const uint64_t end = trace->offset + trace->size;
    trace->offset = converted(counter, trace->offset);
    for (size_t i = 0; i < trace->frame_count; i++)
        trace->frames[i].raw_offset = converted(counter, trace->frames[i].raw_offset);
    trace->size = converted(counter, end) - trace->offset;
    for (size_t i = trace->mention_count; i > 0; i--)
        trace->mentions[i - 1].raw_offset = converted(counter, trace->mentions[i - 1].raw_offset);
}

void fm_form_offsets_apply(struct fm_form_offsets *offsets, framemap_str text, framemap_trace *traces, size_t count)
{
    if (!offsets->used || (offsets->form != FM_FORM_UTF16LE && offsets->form != FM_FORM_UTF16BE)) return;
    struct counter counter = {.offsets = offsets, .text = text, .form_at = offsets->form_at};
    for (size_t i = 0; i < count; i++) convert_trace(&counter, &traces[i]);
    offsets->form_at += fm_form_size(offsets->form, text);
    offsets->at += text.size;
}
