/* Inflates gzip with any number of members. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_DOCUMENT_SOURCEMAP_GZIP_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_DOCUMENT_SOURCEMAP_GZIP_H

#include "core/heap.h"
#include "core/text/text.h"

/* Whether the bytes start with gzip's magic number. */
bool fm_sourcemap_is_gzip(framemap_str bytes);
/* Inflates a whole file. *out is allocated from the heap with *capacity bytes, of which *size are filled. Errors:
 * CORRUPT, LIMIT (inflated size above core/limits.h), MEMORY. */
framemap_status fm_sourcemap_gunzip(framemap_str bytes, struct fm_heap *heap, char **out, size_t *capacity,
                                    size_t *size, framemap_error *error);
/* Inflates the start of a file, as much as fits into `out`, without allocating memory. Returns the number of bytes
 * written. */
size_t fm_sourcemap_gunzip_head(framemap_str bytes, char *out, size_t room);

#endif
