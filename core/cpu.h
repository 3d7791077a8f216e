/* What the CPU at hand can do beyond what the library is compiled for. Each use has a plain way beside it that gives the same. */
#ifndef FM_CORE_CPU_H
#define FM_CORE_CPU_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define FM_CPU_HAS_AVX2 1 /* it may be asked for */
#define FM_WITH_AVX2 __attribute__((target("avx2,bmi,popcnt")))
/* A load and a test: cheap. The compiler's start-up code has asked the CPU, and whether the system keeps its registers. */
static inline bool fm_cpu_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
}
#else
#define FM_CPU_HAS_AVX2 0
static inline bool fm_cpu_avx2(void) { return false; }
#endif

#endif
