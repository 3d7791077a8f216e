/* A hash of contents that may be large: what a file or a text is known by.
 *
 * It is the SHA-256 of the SHA-256s, one after the other, of the pieces of 8 KiB that the bytes are cut into; the last
 * piece is what is left, and there is none of nothing. So it is as hard to forge as SHA-256, and pieces can be hashed
 * side by side: a CPU without instructions for it does that four times as fast as one text. In a shell:
 *
 *     split -b 8192 --filter='sha256sum | cut -d" " -f1 | xxd -r -p' FILE | sha256sum */
#ifndef FM_CORE_HASH_CONTENT_HASH_H
#define FM_CORE_HASH_CONTENT_HASH_H

#include "core/hash/hash.h"

#define FM_CONTENT_PIECE ((size_t)8 << 10) /* bytes */

void fm_content_hash(const void *data, size_t size, unsigned char out[32]);

/* The same of bytes that come in parts: all but the last are of whole pieces, and of many, best. */
struct fm_content_hash {
    struct fm_sha256 of_pieces;
};
void fm_content_hash_begin(struct fm_content_hash *hash);
void fm_content_hash_add(struct fm_content_hash *hash, const void *data, size_t size);
void fm_content_hash_end(struct fm_content_hash *hash, unsigned char out[32]);

#endif
