/* Resolves the addresses (URLs or paths) of sources against `sourceRoot`. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_ADDRESS_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_ADDRESS_H

#include "core/text/buffer.h"

/* Whether sourceRoot does not apply to this source: it has a scheme, or starts at a root of its own. */
bool fm_sourcemap_address_is_absolute(framemap_str spelled);

/* Appends the source's address to `out`: after the root if it is relative, with "." and ".." resolved; an address that
 * is relative to nothing stays relative. root: sourceRoot, or empty. Check out->failed for lack of memory. */
void fm_sourcemap_address(struct fm_buf *out, framemap_str root, framemap_str spelled);

#endif
