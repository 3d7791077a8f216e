/* UUIDs of version 5 (RFC 9562): ids made from bytes. */
#ifndef FM_CORE_HASH_UUID5_H
#define FM_CORE_HASH_UUID5_H

#include "core/text/guid.h"
#include <framemap/base.h>

#define FM_UUID_BYTES 16

/* Computes the UUID of `text` in a name space. space: the name space, at most 64 bytes. */
void fm_uuid5(framemap_str space, framemap_str text, unsigned char out[FM_UUID_BYTES]);

#endif
