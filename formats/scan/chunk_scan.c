#include "formats/scan/chunk_scan.h"

/* --- where a text is cut --- */

size_t fm_cut_pieces(const struct fm_cut *cut)
{
    return cut->text.size / cut->size + (cut->text.size % cut->size != 0);
}

/* The first line that begins in piece `number`; FM_NOT_FOUND: none does. */
static size_t first_line(const struct fm_cut *cut, size_t number)
{
    const size_t begin = number * cut->size, left = cut->text.size - begin;
    if (number == 0) return 0;
    /* The line end in front of it may be the last byte of the piece before. */
    const char *from = cut->text.data + begin - 1, *newline = memchr(from, '\n', left < cut->size ? left : cut->size);
    return newline ? begin + (size_t)(newline - from) : FM_NOT_FOUND;
}

void fm_cut_piece(const struct fm_cut *cut, size_t number, size_t *from, size_t *to)
{
    const size_t count = fm_cut_pieces(cut);
    *to = *from = first_line(cut, number);
    if (*from == FM_NOT_FOUND) return;
    do *to = ++number < count ? first_line(cut, number) : cut->text.size;
    while (*to == FM_NOT_FOUND);
}

/* --- what stands in a piece --- */

static bool push(struct fm_chunk_scan *draft, struct fm_heap *heap, const struct fm_chunk_scan_line *row)
{
    if (!FM_GROW(heap, draft->rows, draft->capacity, draft->count + 1)) return false;
    draft->rows[draft->count++] = *row;
    return true;
}

static void cut_line(struct fm_lines *lines, struct fm_chunk_scan_line *row, bool marked)
{
    const size_t at = lines->at;
    fm_lines_next(lines, &row->line);
    row->after = lines->at;
    row->marked = marked;
    row->parts = lines->pieces.at != NULL;
    if (row->parts) row->line.offset = at;
    lines->pieces.at = NULL;
}

/* The lines in front of the next one with a mark, where readers may still want some of them. */
static bool push_quiet(struct fm_chunk_scan *draft, struct fm_heap *heap, struct fm_lines *lines, uint64_t count)
{
    struct fm_chunk_scan_line row;
    for (; count > 0; count--) {
        cut_line(lines, &row, false);
        if (!push(draft, heap, &row)) return false;
    }
    return true;
}

bool fm_chunk_scan_make(struct fm_chunk_scan *draft, struct fm_heap *heap, const struct fm_prefilter *skim,
                        framemap_str text, size_t from, size_t to, fm_chunk_scan_tells *tells, const void *context)
{
    struct fm_lines lines = {.text = text, .at = from};
    struct fm_chunk_scan_line row;
    struct fm_prefilter_walk walk;
    bool open = false; /* the line above is of the draft */
    draft->from = from;
    draft->to = to;
    draft->count = 0;
    fm_prefilter_start(&walk, skim, fm_str(text.data, to));
    while (lines.at < to) {
        const struct fm_prefilter_line next = fm_prefilter_next(&walk, lines.at);
        const uint64_t quiet = next.lines < FM_WATCHED ? next.lines : FM_WATCHED;
        if (open && !push_quiet(draft, heap, &lines, quiet)) return false;
        fm_lines_skip(&lines, next.at, open ? next.lines - quiet : next.lines);
        open = open && next.lines <= FM_WATCHED;
        if (lines.at >= to) break;
        cut_line(&lines, &row, true);
        open = open || row.parts || tells(context, &row.line);
        if (open && !push(draft, heap, &row)) return false;
    }
    draft->lines = lines.number1;
    return true;
}

void fm_chunk_scan_free(struct fm_chunk_scan *draft, struct fm_heap *heap)
{
    fm_heap_free(heap, draft->rows, draft->capacity * sizeof *draft->rows);
    *draft = (struct fm_chunk_scan){.rows = NULL};
}
