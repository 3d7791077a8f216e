/* SHA-256 as x86 CPUs do it faster than plainly: by the instructions that most have for it since about 2017, or by
 * vectors. */
#ifndef FM_CORE_HASH_SHA256_SHANI_H
#define FM_CORE_HASH_SHA256_SHANI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this CPU has them. Asking is cheap. */
bool fm_sha256_x86_here(void);
/* Adds blocks of 64 bytes to the state. constants: the 64 of FIPS 180-4. */
void fm_sha256_x86_blocks(uint32_t state[8], const unsigned char *blocks, size_t count, const uint32_t constants[64]);

/* The same by AVX2, so many blocks at once: count is a multiple of it. */
#define FM_SHA256_AT_ONCE 8u
bool fm_sha256_avx2_here(void);
void fm_sha256_avx2_blocks(uint32_t state[8], const unsigned char *blocks, size_t count, const uint32_t constants[64]);
/* The digests of so many texts at once, of `size` bytes each, which is a multiple of 64; they stand one behind the
 * other. start: the state that each begins with. */
void fm_sha256_avx2_side_by_side(const unsigned char *texts, size_t size, const uint32_t start[8],
                                 const uint32_t constants[64], unsigned char digests[FM_SHA256_AT_ONCE][32]);

#endif
