/* Implements the line ring (look_back.h). Called by dispatch.c, and by parsers through trace_document.h. */
#include "formats/scan/look_back.h"
#include "formats/scan/document.h"
#include "formats/scan/line_clean.h"
#include "formats/scan/lines.h"

void fm_line_ring_move(struct fm_line_ring *ring, framemap_str text, uint64_t base)
{
    const uint64_t first = ring->count < FM_LINE_RING_SIZE ? 0 : ring->count - FM_LINE_RING_SIZE + 1;
    for (uint64_t i = first; i <= ring->count; i++) {
        struct fm_ring_line *slot = &ring->lines[i % FM_LINE_RING_SIZE];
        struct fm_line *line = &slot->line;
        /* the member `at` of a slot is set only if lines were skipped before the line of that slot */
        const bool is_set = slot->skipped > 0;
        slot->at = !is_set || slot->at + ring->base < base ? 0 : (size_t)(slot->at + ring->base - base);
        if (i == ring->count) break;
        if (line->text.data == NULL || line->offset < base) {
            line->text.data = NULL;
            continue;
        }
        const char *data = text.data + (line->offset - base);
        if (line->body.data) line->body.data = data + (line->body.data - line->text.data);
        line->text.data = data;
    }
    ring->text = text;
    ring->base = base;
}

struct fm_look_back fm_look_back_from(struct fm_document *doc, const struct fm_line *line, uint64_t floor,
                                      unsigned most)
{
    struct fm_line_ring *ring = doc->ring;
    const uint64_t reach = ring->reach && line->offset > ring->reach ? line->offset - ring->reach : 0;
    struct fm_look_back walk = {.doc = doc,
                                .ring = ring,
                                .parser = doc->parser,
                                .lane = doc->lane,
                                .at = ring->count,
                                .end = ring->count < FM_LINE_RING_SIZE ? 0 : ring->count - FM_LINE_RING_SIZE + 1,
                                .left = most,
                                .lines = most,
                                .number1 = line->number1,
                                .below1 = line->text_number1,
                                .first1 =
                                    line->text_number1 > FM_LOOK_BACK_FAR ? line->text_number1 - FM_LOOK_BACK_FAR : 0,
                                .floor = floor > reach ? floor : reach};
    for (; walk.at > walk.end; walk.at--) {
        const struct fm_line *last = &ring->lines[(walk.at - 1) % FM_LINE_RING_SIZE].line;
        if (last->text.data == NULL || last->offset < line->offset) break;
    }
    const struct fm_ring_line *slot = &ring->lines[walk.at % FM_LINE_RING_SIZE];
    walk.skipped = slot->skipped;
    walk.next = slot->at;
    walk.next1 = line->text_number1;
    return walk;
}

/* Returns the skipped line that ends right before offset walk->next. */
static struct fm_line skipped_line(struct fm_look_back *walk)
{
    const struct fm_line_ring *ring = walk->ring;
    struct fm_line line = {.text = {NULL, 0}};
    walk->skipped--;
    if (walk->next == 0) { /* the next line back is no longer in memory */
        walk->skipped = 0;
        walk->at = walk->end;
        return line;
    }
    size_t end = walk->next - 1;
    /* If there is no line end, the offset is FM_NOT_FOUND + 1, which is 0: the start of the text. */
    const size_t begin = fm_str_find_last_byte(fm_str(ring->text.data, end), '\n') + 1;
    if (end > begin && ring->text.data[end - 1] == '\r') end--;
    walk->next = begin;
    line.text = fm_str_slice(ring->text, begin, end);
    line.offset = ring->base + begin;
    line.text_number1 = --walk->next1;
    fm_line_cut_record(&line);
    return line;
}

/* Returns the next line upwards, of whatever process and thread; NULL: no line is left. It is a line of the ring, or
 * one that the dispatcher skipped, which is then cut from the text into *skipped. */
static const struct fm_line *next_of_all(struct fm_look_back *walk, struct fm_line *skipped, uint64_t *lane,
                                         struct fm_parser_set *hidden)
{
    if (walk->skipped > 0) {
        *skipped = skipped_line(walk);
        *lane = skipped->origin;
        *hidden = FM_PARSERS_NONE;
        return skipped->text.data ? skipped : NULL;
    }
    if (walk->at <= walk->end) return NULL;
    const struct fm_ring_line *slot = &walk->ring->lines[--walk->at % FM_LINE_RING_SIZE];
    *lane = slot->lane;
    *hidden = slot->hidden;
    walk->skipped = slot->skipped;
    walk->next = slot->at;
    walk->next1 = slot->line.text_number1;
    return slot->line.text.data ? &slot->line : NULL;
}

/* Whether a line belongs to the lane (the lines of one process and thread) that the walk visits. If that lane has no
 * log prefix, the first line with a prefix directly above may be the start of the same message; its lane is then
 * visited, too. */
static bool is_ours(struct fm_look_back *walk, const struct fm_line *line, uint64_t lane)
{
    if (lane == walk->lane || (walk->head && lane == walk->head)) return true;
    if (walk->lane != 0 || walk->head || !line->leads || line->text_number1 + 1 != walk->below1) return false;
    walk->head = lane;
    return true;
}

/* Updates the walk's line number, and its count of lines, for this line. Returns false if the line is too far away. */
static bool count_line(struct fm_look_back *walk, const struct fm_line *line)
{
    if (line->text_number1 != walk->below1) {
        if (walk->lines == 0) return false;
        walk->lines--;
        walk->number1--;
    }
    walk->below1 = line->text_number1;
    return true;
}

/* Cleans the line for the current parser. */
static void clean_for(struct fm_document *doc, struct fm_line *line)
{
    const unsigned keeps = doc->parsers ? doc->parsers[doc->parser].format->keeps : FM_KEEPS_ALL;
    struct fm_line cleaned;
    if (keeps == FM_KEEPS_ALL || !fm_line_cut(line) || !fm_line_is_dirty(line)) return;
    char *room = fm_document_alloc(doc, line->body.size);
    if (room) *line = *fm_line_clean(line, keeps, room, &cleaned);
}

struct fm_line *fm_look_back_next(struct fm_look_back *walk)
{
    struct fm_line skipped;
    const struct fm_line *line;
    struct fm_parser_set hidden;
    uint64_t lane;
    while (walk->left > 0 && (line = next_of_all(walk, &skipped, &lane, &hidden)) != NULL) {
        if (line->text_number1 < walk->first1 || line->offset < walk->floor) break;
        if (!is_ours(walk, line, lane)) continue;
        if (!count_line(walk, line)) break;
        if (walk->skips_frames && fm_line_is_frame(hidden)) {
            if (walk->has_passed) break;
            continue;
        }
        if (fm_parsers_have(hidden, walk->parser)) continue;
        walk->has_passed = true;
        walk->left--;
        if ((!line->first && line->body.data) || line->is_document) continue;
        struct fm_line *out = &walk->ring->cut[walk->ring->cut_count++ % FM_LOOK_BACK_CUT];
        *out = *line;
        out->number1 = walk->number1;
        clean_for(walk->doc, out);
        return out;
    }
    walk->left = 0;
    return NULL;
}

/* Returns the offset in the ring's text of the end of the physical line that contains `line`. The end is kept, because
 * a long line may contain many strings with stacks, each of which would search for it. */
static size_t physical_end(struct fm_line_ring *ring, const struct fm_line *line)
{
    const size_t here = (size_t)(line->offset - ring->base);
    if (ring->ended1 == line->text_number1 && ring->ended_at >= line->offset) {
        const size_t kept = (size_t)(ring->ended_at - ring->base);
        /* a line without a line end ends with the text, which may have grown since then */
        if (kept == ring->text.size || (kept < ring->text.size && ring->text.data[kept] == '\n')) return kept;
    }
    const size_t size = fm_str_find_byte(fm_str_from(ring->text, here), '\n');
    const size_t end = size == FM_NOT_FOUND ? ring->text.size : here + size;
    ring->ended1 = line->text_number1;
    ring->ended_at = ring->base + end;
    return end;
}

framemap_str fm_document_around(struct fm_document *doc, const struct fm_line *line, size_t most, size_t *at)
{
    struct fm_line_ring *ring = doc->ring;
    const size_t here = (size_t)(line->offset - ring->base);
    const size_t reach = ring->reach && ring->reach < most ? (size_t)ring->reach : most;
    const size_t from = here > most ? here - most : 0,
                 newline = fm_str_find_last_byte(fm_str_slice(ring->text, from, here), '\n');
    size_t begin = from + newline + 1; /* without a line end, `begin` becomes `from`, since FM_NOT_FOUND + 1 is 0 */
    if (here > reach && here - reach < begin)
        begin = here - reach + fm_str_find_byte(fm_str_from(ring->text, here - reach), '\n') + 1;
    else if (here <= reach)
        begin = 0;
    *at = here - begin;
    return fm_str_slice(ring->text, begin, physical_end(ring, line));
}

framemap_str fm_document_physical_line(struct fm_document *doc, const struct fm_line *line, size_t most)
{
    size_t at;
    const framemap_str around = fm_document_around(doc, line, most, &at);
    const size_t newline = fm_str_find_last_byte(fm_str_slice(around, 0, at), '\n');
    if (newline == FM_NOT_FOUND) return at < most ? around : (framemap_str){NULL, 0};
    return fm_str_from(around, newline + 1);
}
