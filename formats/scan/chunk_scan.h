/* Chunk scan: the lines of a chunk of a text that parsers will be offered, found and cut before the chunk is parsed. It
 * depends on the text alone, so any thread may do it while another parses an earlier chunk. Called by dispatch.c. */
#ifndef FM_FORMATS_SCAN_CHUNK_SCAN_H
#define FM_FORMATS_SCAN_CHUNK_SCAN_H

#include "formats/scan/lines.h"
#include "formats/scan/prefilter.h"

struct fm_chunk_scan_line {
    struct fm_line line; /* number1: within the chunk, from 1 */
    size_t after;        /* where the next line begins */
    bool has_hit;        /* the prefilter found something in it */
    bool has_pieces;     /* it holds an escaped string of several lines, which the parsing thread cuts */
};

struct fm_chunk_scan {
    size_t from, to;                  /* offsets of the chunk: line starts */
    uint64_t line_count;              /* all lines of the chunk */
    struct fm_chunk_scan_line *lines; /* those of stacks, and some after each */
    size_t count, capacity;
};

/* A text divided into chunks of `size` bytes; each ends with the line that its last byte is in. */
struct fm_chunks {
    framemap_str text;
    size_t size;
};
size_t fm_chunk_count(const struct fm_chunks *chunks);
/* The bounds of a chunk, from 0: *from == *to if a longer line of an earlier chunk covers it. Linear in the text over
 * all chunks. */
void fm_chunk_bounds(const struct fm_chunks *chunks, size_t number, size_t *from, size_t *to);

/* Whether a line is significant to any parser. Pure; called by any thread. */
typedef bool fm_chunk_scan_test(const void *context, const struct fm_line *line);

/* Scans the lines from offset `from` to `to`, in the memory that *scan has. Returns false if out of memory. */
bool fm_chunk_scan_make(struct fm_chunk_scan *scan, struct fm_heap *heap, const struct fm_prefilter *prefilter,
                        framemap_str text, size_t from, size_t to, fm_chunk_scan_test *is_significant,
                        const void *context);
void fm_chunk_scan_free(struct fm_chunk_scan *scan, struct fm_heap *heap);

#endif
