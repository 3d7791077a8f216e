/* A hash of contents that may be large; it identifies files and texts.
 * It is the SHA-256 of the concatenated SHA-256 digests of the 8 KiB pieces of the data; the last piece may be shorter,
 * and empty data has no piece. It is as hard to forge as SHA-256, and pieces can be hashed in parallel, which is four
 * times as fast on CPUs without SHA instructions. In a shell:
 *
 *     split -b 8192 --filter='sha256sum | cut -d" " -f1 | xxd -r -p' FILE | sha256sum */
#ifndef FM_CORE_HASH_CONTENT_HASH_H
#define FM_CORE_HASH_CONTENT_HASH_H

#include "core/hash/hash.h"

#define FM_CONTENT_PIECE ((size_t)8 << 10) /* bytes of a piece */

void fm_content_hash(const void *data, size_t size, unsigned char out[32]);

/* Incremental version: all parts but the last must be a multiple of the piece size; large parts are faster. */
struct fm_content_hash {
    struct fm_sha256 of_pieces;
};
void fm_content_hash_begin(struct fm_content_hash *hash);
void fm_content_hash_add(struct fm_content_hash *hash, const void *data, size_t size);
void fm_content_hash_end(struct fm_content_hash *hash, unsigned char out[32]);

#endif
