/* Decompression of whole sections: zlib and zstd. Called by section_contents.c. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_INFLATE_H
#define FM_MAPPERS_NATIVE_IMAGE_INFLATE_H

#include "core/heap.h"
#include <framemap/index.h>

/* Inflates exactly `size` bytes into memory of the arena. Errors: CORRUPT, LIMIT, MEMORY. */
enum fm_compression { FM_COMPRESSION_ZLIB, FM_COMPRESSION_ZSTD };
framemap_status fm_inflate(enum fm_compression method, framemap_str stored, uint64_t size, struct fm_arena *arena,
                           unsigned char **out, framemap_error *error);
/* What that takes beside, at the most, of memory that is not ours: zstd 1.5 has 157 KB, libdeflate 12. */
#define FM_INFLATE_BYTES ((uint64_t)192 << 10)
/* The same into memory that is there. Its caller reserves FM_INFLATE_BYTES. */
framemap_status fm_inflate_into(enum fm_compression method, framemap_str stored, unsigned char *out, size_t size,
                                framemap_error *error);

#endif
