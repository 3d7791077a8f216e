/* Decompresses xz data that arrives in pieces. inflate_xz.c does so with liblzma; inflate_no_xz.c is built in its place
 * without that library. Called by inflate_input.c; elf_open.c asks only whether xz can be read. */
#ifndef FM_CORE_ARCHIVE_INFLATE_XZ_H
#define FM_CORE_ARCHIVE_INFLATE_XZ_H

#include "core/heap.h"

/* Whether this build reads xz. */
bool fm_xz_is_read(void);

struct fm_xz;

/* Creates a decoder. Errors: MEMORY; UNSUPPORTED: framemap was built without liblzma. */
framemap_status fm_xz_open(struct fm_heap *heap, struct fm_xz **out, framemap_error *error);
void fm_xz_free(struct fm_xz *xz);

/* The input, output and results of one step of decompression. */
struct fm_xz_step {
    framemap_str in;
    char *room; /* buffer for decompressed data */
    size_t room_size;
    size_t used, made; /* results: number of bytes read from `in`, and written to `room` */
    bool within;       /* result: a stream has begun and not ended */
    const char *why;   /* result: what is wrong with the data; set if the status is CORRUPT */
};
/* Decompresses what fits into step->room. Streams may follow each other, with zeros between and after them. Errors:
 * CORRUPT, with step->why and without a message; MEMORY; LIMIT: the data state a dictionary that is too large. */
framemap_status fm_xz_step(struct fm_xz *xz, struct fm_xz_step *step, framemap_error *error);

#endif
