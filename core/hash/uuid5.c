/* Implements uuid5.h: hashes the name space and the text with SHA-1, takes the first 16 bytes of the hash, and sets the
 * bits of version and variant in them. */
#include "core/hash/uuid5.h"
#include "core/hash/sha1.h"

#include <string.h>

void fm_uuid5(framemap_str space, framemap_str text, unsigned char out[FM_UUID_BYTES])
{
    unsigned char hash[FM_SHA1_SIZE];
    fm_sha1(space, text, hash);
    hash[6] = (unsigned char)((hash[6] & 0x0f) | 0x50);
    hash[8] = (unsigned char)((hash[8] & 0x3f) | 0x80);
    memcpy(out, hash, FM_UUID_BYTES);
}
