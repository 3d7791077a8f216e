/* Implements the chunk scan (chunk_scan.h): chunk bounds, and the lines of a chunk that parsers may need. */
#include "formats/scan/chunk_scan.h"

/* --- chunk bounds --- */

size_t fm_chunk_count(const struct fm_chunks *chunks)
{
    return chunks->text.size / chunks->size + (chunks->text.size % chunks->size != 0);
}

/* Where the first line begins that begins in a chunk; FM_NOT_FOUND if none does. */
static size_t first_line(const struct fm_chunks *chunks, size_t number)
{
    const size_t begin = number * chunks->size, left = chunks->text.size - begin;
    if (number == 0) return 0;
    /* The line end before it may be the last byte of the previous chunk. */
    const char *from = chunks->text.data + begin - 1;
    const char *newline = memchr(from, '\n', left < chunks->size ? left : chunks->size);
    return newline ? begin + (size_t)(newline - from) : FM_NOT_FOUND;
}

void fm_chunk_bounds(const struct fm_chunks *chunks, size_t number, size_t *from, size_t *to)
{
    const size_t count = fm_chunk_count(chunks);
    *to = *from = first_line(chunks, number);
    if (*from == FM_NOT_FOUND) return;
    do *to = ++number < count ? first_line(chunks, number) : chunks->text.size;
    while (*to == FM_NOT_FOUND);
}

/* --- the lines of a chunk --- */

static bool push(struct fm_chunk_scan *scan, struct fm_heap *heap, const struct fm_chunk_scan_line *line)
{
    if (!FM_GROW(heap, scan->lines, scan->capacity, scan->count + 1)) return false;
    scan->lines[scan->count++] = *line;
    return true;
}

static void cut_line(struct fm_lines *lines, struct fm_chunk_scan_line *out, bool has_hit)
{
    const size_t at = lines->at;
    fm_lines_next(lines, &out->line);
    out->after = lines->at;
    out->has_hit = has_hit;
    out->has_pieces = lines->pieces.at != NULL;
    if (out->has_pieces) out->line.offset = at;
    lines->pieces.at = NULL;
}

/* Adds lines without a hit that an open trace may continue on. */
static bool push_without_hit(struct fm_chunk_scan *scan, struct fm_heap *heap, struct fm_lines *lines, uint64_t count)
{
    struct fm_chunk_scan_line line;
    for (; count > 0; count--) {
        cut_line(lines, &line, false);
        if (!push(scan, heap, &line)) return false;
    }
    return true;
}

bool fm_chunk_scan_make(struct fm_chunk_scan *scan, struct fm_heap *heap, const struct fm_prefilter *prefilter,
                        framemap_str text, size_t from, size_t to, fm_chunk_scan_test *is_significant,
                        const void *context)
{
    struct fm_lines lines = {.text = text, .at = from};
    struct fm_chunk_scan_line line;
    struct fm_prefilter_walk walk;
    bool open = false; /* the line above was added */
    scan->from = from;
    scan->to = to;
    scan->count = 0;
    fm_prefilter_start(&walk, prefilter, fm_str(text.data, to));
    while (lines.at < to) {
        const struct fm_prefilter_line next = fm_prefilter_next(&walk, lines.at);
        const uint64_t quiet = next.lines < FM_LINES_AFTER ? next.lines : FM_LINES_AFTER;
        if (open && !push_without_hit(scan, heap, &lines, quiet)) return false;
        fm_lines_skip(&lines, next.at, open ? next.lines - quiet : next.lines);
        open = open && next.lines <= FM_LINES_AFTER;
        if (lines.at >= to) break;
        cut_line(&lines, &line, true);
        open = open || line.has_pieces || is_significant(context, &line.line);
        if (open && !push(scan, heap, &line)) return false;
    }
    scan->line_count = lines.number1;
    return true;
}

void fm_chunk_scan_free(struct fm_chunk_scan *scan, struct fm_heap *heap)
{
    fm_heap_free(heap, scan->lines, scan->capacity * sizeof *scan->lines);
    *scan = (struct fm_chunk_scan){.lines = NULL};
}
