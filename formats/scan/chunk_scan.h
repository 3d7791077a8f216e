/* What readers will want of a piece of a text, found before they read it: the lines of each stack and some below it,
 * cut. It takes nothing but the text to know them, so that any thread may do it while another reads what stands in
 * front (dispatch.c). */
#ifndef FM_FORMATS_SCAN_CHUNK_SCAN_H
#define FM_FORMATS_SCAN_CHUNK_SCAN_H

#include "formats/scan/lines.h"
#include "formats/scan/prefilter.h"

struct fm_chunk_scan_line {
    struct fm_line line; /* number1: within the piece, from 1 */
    size_t after;        /* where the next line begins */
    bool marked;         /* it may say something by itself (prefilter.h) */
    bool parts;          /* into several lines, a string of them: who reads it cuts it */
};

struct fm_chunk_scan {
    size_t from, to; /* the piece: where lines begin */
    uint64_t lines;  /* in it */
    struct fm_chunk_scan_line *rows;
    size_t count, capacity;
};

/* Where a text is cut. */
struct fm_cut {
    framemap_str text;
    size_t size; /* of a piece, in bytes, but for what its last line has more */
};
size_t fm_cut_pieces(const struct fm_cut *cut);
/* Where piece `number` begins and ends: a line that is longer than a piece leaves those empty that it fills. Linear in
 * the text over all pieces. */
void fm_cut_piece(const struct fm_cut *cut, size_t number, size_t *from, size_t *to);

/* Whether a line says something by itself, to any reader. Pure, and of any thread. */
typedef bool fm_chunk_scan_tells(const void *context, const struct fm_line *line);

/* Makes the draft of a piece of a text, in the memory that the draft has. false: out of memory. */
bool fm_chunk_scan_make(struct fm_chunk_scan *draft, struct fm_heap *heap, const struct fm_prefilter *skim,
                        framemap_str text, size_t from, size_t to, fm_chunk_scan_tells *tells, const void *context);
void fm_chunk_scan_free(struct fm_chunk_scan *draft, struct fm_heap *heap);

#endif
