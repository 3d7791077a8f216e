/* SHA-256 as x86 CPUs do it faster than plainly: by the instructions that most have for it since about 2017, or by vectors. */
#ifndef FM_CORE_SHA256_X86_H
#define FM_CORE_SHA256_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this CPU has them. Asks the CPU, which can take microseconds under a hypervisor: not for small inputs. */
bool fm_sha256_x86_here(void);
/* Adds blocks of 64 bytes to the state. constants: the 64 of FIPS 180-4. */
void fm_sha256_x86_blocks(uint32_t state[8], const unsigned char *blocks, size_t count, const uint32_t constants[64]);

/* The same by AVX2, so many blocks at once: count is a multiple of it. Asking for it is cheap. */
#define FM_SHA256_AT_ONCE 8u
bool fm_sha256_avx2_here(void);
void fm_sha256_avx2_blocks(uint32_t state[8], const unsigned char *blocks, size_t count, const uint32_t constants[64]);

#endif
