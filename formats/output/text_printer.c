/* Gathers output in a buffer before it is written. See text_printer.h. */
#include "formats/output/text_printer.h"

/* If the buffer is empty, text of at least this many bytes is written directly instead of copied to the buffer. */
#define DIRECT ((size_t)4 << 10)

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
        p->out.failed = false; /* the text is long, or memory is short, so the text is written directly */
        fm_text_flush(p);
        if (!p->refused && part.size && !p->write(p->context, part.data, part.size)) p->refused = true;
        return;
    }
    if (p->out.size >= FM_TEXT_FLUSH) fm_text_flush(p);
}
