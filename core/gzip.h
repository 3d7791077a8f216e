/* Compresses with gzip, by zlib. Called by formats/ to write profiles, which are usually compressed. Reading is in
 * archive/inflate_input.h. */
#ifndef FM_CORE_GZIP_H
#define FM_CORE_GZIP_H

#include "core/text/buffer.h"

/* Appends the text as one member without name and time, so that equal texts give equal bytes. Returns false if out of
 * memory. */
bool fm_gzip(framemap_str text, struct fm_buf *out);

#endif
