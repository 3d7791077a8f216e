/* Hash of a file's contents by pieces. See content_hash.h. */
#include "core/hash/content_hash.h"

#define AT_ONCE ((size_t)8)

void fm_content_hash_begin(struct fm_content_hash *hash) { fm_sha256_begin(&hash->of_pieces); }

void fm_content_hash_add(struct fm_content_hash *hash, const void *data, size_t size)
{
    const unsigned char *p = data;
    unsigned char digests[AT_ONCE][32];
    for (; size >= AT_ONCE * FM_CONTENT_PIECE; p += AT_ONCE * FM_CONTENT_PIECE, size -= AT_ONCE * FM_CONTENT_PIECE) {
        fm_sha256_eight(p, FM_CONTENT_PIECE, digests);
        fm_sha256_add(&hash->of_pieces, digests, sizeof digests);
    }
    while (size > 0) {
        const size_t piece = size < FM_CONTENT_PIECE ? size : FM_CONTENT_PIECE;
        fm_sha256(p, piece, digests[0]);
        fm_sha256_add(&hash->of_pieces, digests[0], sizeof digests[0]);
        p += piece;
        size -= piece;
    }
}

void fm_content_hash_end(struct fm_content_hash *hash, unsigned char out[32]) { fm_sha256_end(&hash->of_pieces, out); }

void fm_content_hash(const void *data, size_t size, unsigned char out[32])
{
    struct fm_content_hash hash;
    fm_content_hash_begin(&hash);
    fm_content_hash_add(&hash, data, size);
    fm_content_hash_end(&hash, out);
}
