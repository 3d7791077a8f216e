/* DEFLATE (RFC 1951) within zlib's frame (RFC 1950), for whole sections: input and output stand in memory at once, which is what makes it faster than a
 * library that may be called with a byte at a time. It takes what compressors write and leaves all else to zlib, which then says what is wrong. */
#ifndef FM_IMAGE_DEFLATE_H
#define FM_IMAGE_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tables of the block that is decoded. Entries: the comment in deflate.c. */
#define FM_DEFLATE_LITERAL_BITS 11
#define FM_DEFLATE_DISTANCE_BITS 8
#define FM_DEFLATE_LITERAL_ENTRIES 2560
#define FM_DEFLATE_DISTANCE_ENTRIES 640
struct fm_deflate {
    uint32_t literals[FM_DEFLATE_LITERAL_ENTRIES];
    uint32_t distances[FM_DEFLATE_DISTANCE_ENTRIES];
    uint32_t lengths[128];
    uint8_t code_lengths[288 + 32];
};

/* Decodes one stream that is said to give `size` bytes. true: it gives just these, and its checksum is right; zlib would say the same. false: anything else,
 * sound streams of rare kinds included; *out holds anything then. Memory of the caller's alone; any number of threads, each with tables of its own. */
bool fm_deflate_zlib(struct fm_deflate *tables, const unsigned char *in, size_t in_size, unsigned char *out, size_t size);

#endif
