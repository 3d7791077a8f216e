/* Arithmetic on numbers that come from input. false: overflow, *out is unchanged. */
#ifndef FM_CORE_CHECKED_H
#define FM_CORE_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool fm_add_u64(uint64_t a, uint64_t b, uint64_t *out)
{
    if (a > UINT64_MAX - b) return false;
    *out = a + b;
    return true;
}
static inline bool fm_mul_u64(uint64_t a, uint64_t b, uint64_t *out)
{
/* the compiler's builtin is used, since the portable version divides, which takes ten times as long, and every
 * indexed address is computed here */
#if defined(__GNUC__)
    uint64_t product;
    if (__builtin_mul_overflow(a, b, &product)) return false;
    *out = product;
#else
    if (b != 0 && a > UINT64_MAX / b) return false;
    *out = a * b;
#endif
    return true;
}
static inline bool fm_add_size(size_t a, size_t b, size_t *out)
{
    if (a > SIZE_MAX - b) return false;
    *out = a + b;
    return true;
}
static inline bool fm_mul_size(size_t a, size_t b, size_t *out)
{
    if (b != 0 && a > SIZE_MAX / b) return false;
    *out = a * b;
    return true;
}
/* Whether [offset, offset + size) is inside [0, whole). */
static inline bool fm_range_fits(uint64_t offset, uint64_t size, uint64_t whole)
{
    return offset <= whole && size <= whole - offset;
}

#endif
