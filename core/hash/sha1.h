/* SHA-1 (FIPS 180-4), for UUIDs of version 5 only: it is not safe against collisions that are made on purpose. */
#ifndef FM_CORE_HASH_SHA1_H
#define FM_CORE_HASH_SHA1_H

#include <framemap/base.h>

#define FM_SHA1_SIZE 20

/* Computes the hash of `head` followed by `text`. head: at most 64 bytes. */
void fm_sha1(framemap_str head, framemap_str text, unsigned char out[FM_SHA1_SIZE]);

#endif
