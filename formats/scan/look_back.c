/* Implements the line ring (look_back.h). Called by dispatch.c, and by parsers through trace_document.h. */
#include "formats/scan/look_back.h"
#include "formats/scan/document.h"

void fm_line_ring_push_skipped(struct fm_line_ring *ring, uint64_t skipped, size_t at, uint64_t number1)
{
    uint64_t left = skipped < FM_LOOK_BACK_MOST ? skipped : FM_LOOK_BACK_MOST;
    for (; left > 0; left--) {
        struct fm_line *line = fm_line_ring_slot(ring);
        line->text = (framemap_str){NULL, 0};
        line->number1 = number1 - left;
        line->offset = left == 1 ? at - 1 : 0; /* offset of its line end; 0: the next line has to be split off first */
        fm_line_ring_push(ring, 0);
    }
}

/* Returns a line of the ring. A skipped line is split off at its first use: it ends where the next one, already split
 * off, starts. */
static struct fm_line *ring_line(struct fm_line_ring *ring, uint64_t number)
{
    struct fm_line *line = &ring->lines[number % FM_LINE_RING_SIZE];
    if (line->text.data) return line;
    size_t end = (size_t)(line->offset ? line->offset : ring->lines[(number + 1) % FM_LINE_RING_SIZE].offset - 1);
    const size_t begin = fm_str_find_last_byte(fm_str(ring->text.data, end), '\n') + 1; /* FM_NOT_FOUND + 1 is 0 */
    if (end > begin && ring->text.data[end - 1] == '\r') end--;
    line->text = fm_str_slice(ring->text, begin, end);
    line->body = (framemap_str){NULL, 0};
    line->offset = begin;
    return line;
}

struct fm_look_back fm_look_back_from(struct fm_document *doc, const struct fm_line *line, uint64_t floor,
                                      unsigned most)
{
    struct fm_line_ring *ring = doc->ring;
    struct fm_look_back look_back = {.ring = ring,
                                     .parser = UINT64_C(1) << doc->parser,
                                     .at = ring->count,
                                     .end = ring->count < FM_LINE_RING_SIZE ? 0 : ring->count - FM_LINE_RING_SIZE + 1,
                                     .left = most,
                                     .first_number1 = line->number1 > most ? line->number1 - most : 0,
                                     .floor = floor};
    for (; look_back.at > look_back.end; look_back.at--) {
        const struct fm_line *last = &ring->lines[(look_back.at - 1) % FM_LINE_RING_SIZE];
        if (last->text.data == NULL || last->offset < line->offset) break; /* no skipped line follows `line` */
    }
    return look_back;
}

struct fm_line *fm_look_back_next(struct fm_look_back *look_back)
{
    struct fm_line_ring *ring = look_back->ring;
    while (look_back->left > 0 && look_back->at > look_back->end) {
        const uint64_t at = --look_back->at;
        if (ring->lines[at % FM_LINE_RING_SIZE].number1 < look_back->first_number1) break;
        struct fm_line *line = ring_line(ring, at);
        if (line->offset < look_back->floor) break;
        if (ring->hidden[at % FM_LINE_RING_SIZE] & look_back->parser) continue;
        look_back->left--;
        if (line->body.data == NULL || (line->first && !line->is_document)) return line;
    }
    look_back->left = 0;
    return NULL;
}
