/* The 64 rounds of SHA-256, for each way to come by their inputs: compiled within the caller, for what its CPU can do. */
#ifndef FM_CORE_SHA256_ROUNDS_H
#define FM_CORE_SHA256_ROUNDS_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t fm_sha256_rotate(uint32_t value, unsigned by) { return value >> by | value << (32 - by); }

/* inputs: the block's 64 schedule words, each with its constant, `stride` apart. */
static inline void fm_sha256_rounds(uint32_t state[8], const uint32_t *inputs, size_t stride)
{
    uint32_t v[8];
    for (unsigned i = 0; i < 8; i++) v[i] = state[i];
    uint32_t b_or_c = v[1] ^ v[2]; /* where they differ: one round's a and b are the next one's b and c */
    for (unsigned i = 0; i < 64; i += 8)
        for (unsigned j = 0; j < 8; j++, inputs += stride) { /* a, b … h go on by one each round: they are found where they stand */
            const uint32_t a = v[(8 - j) % 8], b = v[(9 - j) % 8], e = v[(12 - j) % 8], f = v[(13 - j) % 8], g = v[(14 - j) % 8],
                           h = v[(15 - j) % 8];
            const uint32_t sum1 = fm_sha256_rotate(e, 6) ^ fm_sha256_rotate(e, 11) ^ fm_sha256_rotate(e, 25), choice = (e & f) + (~e & g),
                           first = h + *inputs + choice + sum1, a_or_b = a ^ b, majority = (b_or_c & a_or_b) ^ b,
                           sum0 = fm_sha256_rotate(a, 2) ^ fm_sha256_rotate(a, 13) ^ fm_sha256_rotate(a, 22);
            b_or_c = a_or_b;
            v[(11 - j) % 8] += first;                  /* d, the next round's e */
            v[(15 - j) % 8] = first + majority + sum0; /* h, the next round's a */
        }
    for (unsigned i = 0; i < 8; i++) state[i] += v[i];
}

#endif
