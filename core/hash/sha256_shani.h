/* SHA-256 with x86 instructions: the SHA extensions (SHA-NI, in most CPUs since about 2017), or AVX2. */
#ifndef FM_CORE_HASH_SHA256_SHANI_H
#define FM_CORE_HASH_SHA256_SHANI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this CPU has the SHA extensions. Cheap. */
bool fm_sha256_x86_here(void);
/* Hashes blocks of 64 bytes into the state. constants: the 64 round constants of FIPS 180-4. */
void fm_sha256_x86_blocks(uint32_t state[8], const unsigned char *blocks, size_t count, const uint32_t constants[64]);

#define FM_SHA256_AT_ONCE 8u
bool fm_sha256_avx2_here(void);
/* Hashes blocks as fm_sha256_x86_blocks does, but with AVX2 and eight at a time: count is a multiple of
 * FM_SHA256_AT_ONCE. */
void fm_sha256_avx2_blocks(uint32_t state[8], const unsigned char *blocks, size_t count, const uint32_t constants[64]);
/* Computes the digests of eight adjacent texts at a time, each of `size` bytes, which is a multiple of 64. start: the
 * initial state. */
void fm_sha256_avx2_side_by_side(const unsigned char *texts, size_t size, const uint32_t start[8],
                                 const uint32_t constants[64], unsigned char digests[FM_SHA256_AT_ONCE][32]);

#endif
