#include "formats/scan/look_back.h"
#include "formats/scan/document.h"

void fm_kept_pass(struct fm_kept *kept, uint64_t passed, size_t at, uint64_t number1)
{
    uint64_t left = passed < FM_ABOVE ? passed : FM_ABOVE;
    for (; left > 0; left--) {
        struct fm_line *line = fm_kept_next(kept);
        line->text = (framemap_str){NULL, 0};
        line->number1 = number1 - left;
        line->offset = left == 1 ? at - 1 : 0; /* of its end, where that is known; else the line below tells */
        fm_kept_add(kept, 0);
    }
}

/* A line that is kept. Where it was passed over and nobody has asked for it yet, it ends in front of the one below,
 * which was asked for. */
static struct fm_line *found(struct fm_kept *kept, uint64_t number)
{
    struct fm_line *line = &kept->lines[number % FM_KEPT];
    if (line->text.data) return line;
    size_t end = (size_t)(line->offset ? line->offset : kept->lines[(number + 1) % FM_KEPT].offset - 1);
    const size_t begin = fm_str_find_last_byte(fm_str(kept->text.data, end), '\n') + 1; /* 0: there is none */
    if (end > begin && kept->text.data[end - 1] == '\r') end--;
    line->text = fm_str_slice(kept->text, begin, end);
    line->body = (framemap_str){NULL, 0};
    line->offset = begin;
    return line;
}

struct fm_above fm_above_of(struct fm_document *doc, const struct fm_line *line, uint64_t floor, unsigned most)
{
    struct fm_kept *kept = doc->kept;
    struct fm_above above = {.kept = kept,
                             .hidden = UINT32_C(1) << doc->reader,
                             .at = kept->count,
                             .end = kept->count < FM_KEPT ? 0 : kept->count - FM_KEPT + 1,
                             .left = most,
                             .first_number1 = line->number1 > most ? line->number1 - most : 0,
                             .floor = floor};
    for (const struct fm_line *last; above.at > above.end; above.at--) { /* none that was passed over is below it */
        last = &kept->lines[(above.at - 1) % FM_KEPT];
        if (last->text.data == NULL || last->offset < line->offset) break;
    }
    return above;
}

struct fm_line *fm_above_next(struct fm_above *above)
{
    struct fm_kept *kept = above->kept;
    while (above->left > 0 && above->at > above->end) {
        const uint64_t at = --above->at;
        if (kept->lines[at % FM_KEPT].number1 < above->first_number1) break;
        struct fm_line *line = found(kept, at);
        if (line->offset < above->floor) break;
        if (kept->hidden[at % FM_KEPT] & above->hidden) continue;
        above->left--;
        if (line->body.data == NULL || line->first) return line;
    }
    above->left = 0;
    return NULL;
}
