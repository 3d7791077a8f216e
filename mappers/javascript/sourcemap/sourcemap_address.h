/* Resolves the addresses (URLs or paths) of sources against `sourceRoot`. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_ADDRESS_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_ADDRESS_H

#include "core/text/buffer.h"

/* Whether sourceRoot does not apply to the address of a source: it has a scheme, or starts at the root of a file system
 * or host. */
bool fm_sourcemap_address_is_absolute(framemap_str spelled);

/* Appends a source's address to `out`, joined to the root if it is relative, with "." and ".." resolved. Without a root
 * a relative address stays relative. root: sourceRoot, or empty. Check out->failed for lack of memory. */
void fm_sourcemap_address(struct fm_buf *out, framemap_str root, framemap_str spelled);

#endif
