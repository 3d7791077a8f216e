/* What the CPU at hand can do beyond what the library is compiled for. Each use has a plain way beside it that gives
 * the same. */
#ifndef FM_CORE_CPU_H
#define FM_CORE_CPU_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__)
#if defined(__clang__) && __clang_major__ < 19
#include <cpuid.h>
#endif
#define FM_CPU_HAS_AVX2 1 /* it may be asked for */
#define FM_WITH_AVX2 __attribute__((target("avx2,bmi,popcnt")))
/* A load and a test: cheap. The compiler's start-up code has asked the CPU, and whether the system keeps its registers.
 */
static inline bool fm_cpu_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
}
/* Instructions for SHA-256. Compilers before these have no name by which to ask for them. */
#if defined(__clang__) ? __clang_major__ >= 19 : __GNUC__ >= 11
#define FM_CPU_HAS_SHA 1
#else
#define FM_CPU_HAS_SHA 0
#endif
/* Shifts and masks of numbers of any width in one instruction, where the least CPUs take three, and bits spread and
 * gathered by a mask. The last is done bit by bit by AMD's CPUs before Zen 3 (family 17h), for which the plain way is
 * the better one. */
#define FM_CPU_HAS_BMI2 1
/* clang's list of what can be asked has no "lzcnt" before version 19: the CPU is asked itself, at the cost of a trap in
 * a virtual machine. */
static inline bool fm_cpu_lzcnt(void)
{
#if defined(__clang__) && __clang_major__ < 19
    unsigned a, b, c, d;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) && (c & 1u << 5);
#else
    return __builtin_cpu_supports("lzcnt");
#endif
}
#define FM_WITH_BMI2 __attribute__((target("bmi,bmi2,lzcnt,popcnt")))
static inline bool fm_cpu_bmi2(void)
{
    return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
           !__builtin_cpu_is("amdfam17h") && fm_cpu_lzcnt();
}
#else
#define FM_CPU_HAS_BMI2 0
#define FM_CPU_HAS_AVX2 0
#define FM_CPU_HAS_SHA 0
static inline bool fm_cpu_avx2(void) { return false; }
static inline bool fm_cpu_bmi2(void) { return false; }
#endif

/* Compiled into each caller, for its CPU; and never, so that what is seldom needed takes nothing from what is often. */
#if defined(__GNUC__)
#define FM_INLINED inline __attribute__((always_inline))
#define FM_APART __attribute__((noinline))
#else
#define FM_INLINED inline
#define FM_APART
#endif

/* Memory that will be read soon. Any address is allowed. */
static inline void fm_prefetch(const void *address)
{
#if defined(__GNUC__)
    __builtin_prefetch(address);
#else
    (void)address;
#endif
}

#endif
