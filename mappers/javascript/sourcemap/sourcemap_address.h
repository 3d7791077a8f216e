/* Addresses of sources. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_ADDRESS_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_ADDRESS_H

#include "core/text/buffer.h"

/* Whether sourceRoot is not for this source: it has a scheme, or begins at a root of its own. */
bool fm_sourcemap_address_is_absolute(framemap_str spelled);

/* The source's address: behind the root where it is relative, "." and ".." in its path taken away, an address relative
 * to nothing staying so. `root`: sourceRoot, empty where there is none. Written to the end of `out`, whose `failed`
 * says whether there was memory for it. */
void fm_sourcemap_address(struct fm_buf *out, framemap_str root, framemap_str spelled);

#endif
