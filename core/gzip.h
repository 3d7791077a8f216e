/* Whole gzip data in memory, by zlib. Called by formats/ for profiles, which are compressed by habit. */
#ifndef FM_CORE_GZIP_H
#define FM_CORE_GZIP_H

#include "core/text/buffer.h"

bool fm_is_gzip(framemap_str text);
/* Appends what the data hold: all members, up to `most` bytes. Errors: CORRUPT, TRUNCATED, LIMIT, MEMORY. */
framemap_status fm_gunzip(framemap_str data, uint64_t most, struct fm_buf *out, framemap_error *error);
/* Appends the text as one member without name and time, so that equal texts give equal bytes. Returns false if out of
 * memory. */
bool fm_gzip(framemap_str text, struct fm_buf *out);

#endif
