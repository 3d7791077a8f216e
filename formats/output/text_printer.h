/* The state of the output "text": the position up to which the text was written, and the buffer. Called by
 * output_text.c, text_rows.c and text_within.c. It must not depend on the look of frames. */
#ifndef FM_FORMATS_OUTPUT_TEXT_PRINTER_H
#define FM_FORMATS_OUTPUT_TEXT_PRINTER_H

#include "core/text/buffer.h"
#include "core/text/text.h"
#include "formats/format.h"
#include "formats/scan/lines.h"

/* Size of the buffer at which it is written, so that one call of `write` writes many frames. */
#define FM_TEXT_FLUSH ((size_t)64 << 10)

/* State of the output "text". All offsets are offsets in the whole text, like those of frames. */
struct fm_text_printer {
    framemap_str text; /* the part of the text that `traces` were parsed from */
    uint64_t base;     /* offset of `text` in the whole text */
    uint64_t at;       /* the text before this offset has been printed or copied */
    const framemap_trace *traces, *traces_end;
    struct fm_buf out;
    struct fm_extents extents;
    struct fm_heap *heap;
    framemap_write write;
    void *context;
    bool refused;
    bool lacked; /* memory was short for some frames, which were therefore printed unrestored */
};

/* Writes the contents of the buffer. */
void fm_text_flush(struct fm_text_printer *p);
/* Copies the text up to offset `end`, unchanged. */
void fm_text_copy_to(struct fm_text_printer *p, uint64_t end);
/* Returns whether the output since `mark` is complete. If memory was short, that output is removed, and the original
 * text is copied instead. */
static inline bool fm_text_is_whole(struct fm_text_printer *p, size_t mark)
{
    if (!p->out.failed) return true;
    p->out.size = mark;
    p->out.failed = false;
    p->lacked = true;
    return false;
}
/* Whether the raw text of a frame is in the part that is being printed, and was not printed yet. This is tested because
 * callers may pass traces that they made themselves. */
static inline bool fm_text_in_part(const struct fm_text_printer *p, const framemap_frame *frame)
{
    const uint64_t end = p->base + p->text.size;
    return frame->raw.size && frame->raw_offset >= p->at && frame->raw_offset <= end &&
           frame->raw.size <= end - frame->raw_offset;
}
/* Returns the extent of the line with a frame; valid until the next call. */
static inline const struct fm_extent *fm_text_extent_of(struct fm_text_printer *p, const framemap_frame *frame)
{
    return fm_extents_at(&p->extents, frame->raw_offset);
}
/* Whether a frame has restored frames to print. Frames that Dart's compiler generated are not printed, since Dart's own
 * tools do not print them. */
static inline bool fm_text_is_restored(const framemap_frame *frame)
{
    if (frame->kind != FRAMEMAP_KIND_DART) return frame->restored.count != 0;
    for (size_t i = 0; i < frame->restored.count; i++)
        if (!frame->restored.frames[i].artificial) return true;
    return false;
}

static inline framemap_str fm_text_slice(const struct fm_text_printer *p, uint64_t from, uint64_t to)
{
    return fm_str_slice(p->text, (size_t)(from - p->base), (size_t)(to - p->base));
}

static inline uint64_t fm_text_raw_end(const framemap_frame *frame) { return frame->raw_offset + frame->raw.size; }

/* Returns the text before a frame on its line. */
static inline framemap_str fm_text_prefix_of(const struct fm_text_printer *p, const struct fm_extent *extent,
                                             const framemap_frame *frame)
{
    return fm_text_slice(p, extent->from, frame->raw_offset);
}

#endif
