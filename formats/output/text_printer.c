#include "formats/output/text_printer.h"

#define DIRECT ((size_t)4 << 10) /* bytes that are written without being gathered if nothing is before them */

void fm_text_flush(struct fm_text_printer *p)
{
    if (p->out.size && !p->refused && !p->write(p->context, p->out.data, p->out.size)) p->refused = true;
    fm_buf_clear(&p->out);
}

void fm_text_copy_to(struct fm_text_printer *p, uint64_t end)
{
    framemap_str part = fm_text_slice(p, p->at, end);
    p->at = end;
    const size_t direct = p->out.size == 0 ? DIRECT : FM_TEXT_FLUSH;
    if (part.size >= direct || !fm_buf_str(&p->out, part)) {
        p->out.failed = false; /* long, or out of memory: write it directly from the text */
        fm_text_flush(p);
        if (!p->refused && part.size && !p->write(p->context, part.data, part.size)) p->refused = true;
        return;
    }
    if (p->out.size >= FM_TEXT_FLUSH) fm_text_flush(p);
}

bool fm_text_is_whole(struct fm_text_printer *p, size_t mark)
{
    if (!p->out.failed) return true;
    p->out.size = mark;
    p->out.failed = false;
    p->lacked = true;
    return false;
}

bool fm_text_is_restored(const framemap_frame *frame)
{
    if (frame->kind != FRAMEMAP_KIND_DART) return frame->restored.count != 0;
    for (size_t i = 0; i < frame->restored.count; i++)
        if (!frame->restored.frames[i].artificial) return true;
    return false;
}

bool fm_text_in_part(const struct fm_text_printer *p, const framemap_frame *frame)
{
    const uint64_t end = p->base + p->text.size;
    return frame->raw.size && frame->raw_offset >= p->at && frame->raw_offset <= end &&
           frame->raw.size <= end - frame->raw_offset;
}

const struct fm_extent *fm_text_extent_of(struct fm_text_printer *p, const framemap_frame *frame)
{
    p->extent = *fm_extents_at(&p->extents, (size_t)(frame->raw_offset - p->base));
    p->extent.from += (size_t)p->base;
    p->extent.to += (size_t)p->base;
    p->extent.after += (size_t)p->base;
    return &p->extent;
}
