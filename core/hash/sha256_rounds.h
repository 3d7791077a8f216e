/* The rounds of SHA-256, shared by all variants. A word is a number, or a vector with one number for each of several
 * texts: the operators are the same. Compiled into the caller, for its CPU target. */
#ifndef FM_CORE_HASH_SHA256_ROUNDS_H
#define FM_CORE_HASH_SHA256_ROUNDS_H

#include <stddef.h>
#include <stdint.h>

#define FM_SHA256_ROTATE(word, by) ((word) >> (by) | (word) << (32 - (by)))

/* Terms of the message schedule: sigma0 of the word fifteen before, and sigma1 of the word two before (FIPS 180-4). */
#define FM_SHA256_FROM_15(word) (FM_SHA256_ROTATE(word, 7) ^ FM_SHA256_ROTATE(word, 18) ^ (word) >> 3)
#define FM_SHA256_FROM_2(word) (FM_SHA256_ROTATE(word, 17) ^ FM_SHA256_ROTATE(word, 19) ^ (word) >> 10)

/* Defines function `name`: the 64 rounds for a block. inputs: its 64 schedule words, each with its constant added,
 * `stride` apart. */
#define FM_SHA256_DEFINE_ROUNDS(name, word, attributes)                                                               \
    static inline attributes void name(word state[8], const word *inputs, size_t stride)                              \
    {                                                                                                                 \
        word v[8];                                                                                                    \
        for (unsigned i = 0; i < 8; i++) v[i] = state[i];                                                             \
        word b_or_c = v[1] ^ v[2]; /* b ^ c; a ^ b of one round is b ^ c of the next one */                           \
        for (unsigned i = 0; i < 64; i += 8)                                                                          \
            for (unsigned j = 0; j < 8;                                                                               \
                 j++, inputs += stride) { /* instead of moving a, b ... h on by one each round, their indexes move */ \
                const word a = v[(8 - j) % 8], b = v[(9 - j) % 8], e = v[(12 - j) % 8], f = v[(13 - j) % 8],          \
                           g = v[(14 - j) % 8], h = v[(15 - j) % 8];                                                  \
                const word sum1 = FM_SHA256_ROTATE(e, 6) ^ FM_SHA256_ROTATE(e, 11) ^ FM_SHA256_ROTATE(e, 25),         \
                           choice = (e & f) + (~e & g), first = h + *inputs + choice + sum1, a_or_b = a ^ b,          \
                           majority = (b_or_c & a_or_b) ^ b,                                                          \
                           sum0 = FM_SHA256_ROTATE(a, 2) ^ FM_SHA256_ROTATE(a, 13) ^ FM_SHA256_ROTATE(a, 22);         \
                b_or_c = a_or_b;                                                                                      \
                v[(11 - j) % 8] += first;                  /* d becomes the next round's e */                         \
                v[(15 - j) % 8] = first + majority + sum0; /* h becomes the next round's a */                         \
            }                                                                                                         \
        for (unsigned i = 0; i < 8; i++) state[i] += v[i];                                                            \
    }

#endif
