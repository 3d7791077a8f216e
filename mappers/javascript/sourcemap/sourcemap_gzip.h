/* gzip, of any number of members. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_GZIP_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_GZIP_H

#include "core/heap.h"
#include "core/text/text.h"

bool fm_sourcemap_is_gzip(framemap_str bytes);
/* Errors: CORRUPT, LIMIT (inflates to more than core/limits.h allows), MEMORY. *out: of the heap, of *capacity bytes,
 * *size of them filled. */
framemap_status fm_sourcemap_gunzip(framemap_str bytes, struct fm_heap *heap, char **out, size_t *capacity,
                                    size_t *size, framemap_error *error);
/* What fits of the begin; needs no heap. Bytes that were given. */
size_t fm_sourcemap_gunzip_head(framemap_str bytes, char *out, size_t room);

#endif
