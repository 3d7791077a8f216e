/* Decompresses whole sections: zlib and zstd. Called by section_contents.c. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_INFLATE_H
#define FM_MAPPERS_NATIVE_IMAGE_INFLATE_H

#include "core/heap.h"
#include <framemap/index.h>

enum fm_compression { FM_COMPRESSION_ZLIB, FM_COMPRESSION_ZSTD };
/* Decompresses to exactly `size` bytes, allocated in the arena. Errors: CORRUPT, LIMIT, MEMORY. */
framemap_status fm_inflate(enum fm_compression method, framemap_str stored, uint64_t size, struct fm_arena *arena,
                           unsigned char **out, framemap_error *error);
/* Upper bound in bytes of what the libraries allocate for themselves while they decompress: zstd 1.5 takes 157 KB,
 * libdeflate 12 KB. */
#define FM_INFLATE_BYTES ((uint64_t)192 << 10)
/* Decompresses as fm_inflate does, but into memory of the caller, who must have reserved FM_INFLATE_BYTES of the
 * heap. */
framemap_status fm_inflate_into(enum fm_compression method, framemap_str stored, unsigned char *out, size_t size,
                                framemap_error *error);

#endif
