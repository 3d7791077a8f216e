/* CPU features beyond those the library is compiled for. Every use has a portable version with equal results. */
#ifndef FM_CORE_CPU_H
#define FM_CORE_CPU_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__)
#if defined(__clang__) && __clang_major__ < 19
#include <cpuid.h>
#endif
#define FM_CPU_HAS_AVX2 1 /* AVX2 can be tested for at run time */
#define FM_WITH_AVX2 __attribute__((target("avx2,bmi,popcnt")))
/* Whether this CPU has AVX2 and the system saves its registers. Costs a load and a test, because the compiler's
 * start-up code has queried both. */
static inline bool fm_cpu_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
}
/* Attribute of functions that use AVX-512 with the instructions that look bytes up in tables of 128 (VBMI) and compress
 * bytes (VBMI2), which Ice Lake, Zen 4 and later CPUs have. */
#define FM_WITH_AVX512 __attribute__((target("avx2,bmi,popcnt,avx512f,avx512bw,avx512vbmi,avx512vbmi2")))
static inline bool fm_cpu_avx512(void)
{
    return fm_cpu_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
}
/* Whether the compiler can test for the SHA-256 instructions at run time; older compilers do not know their name. */
#if defined(__clang__) ? __clang_major__ >= 19 : __GNUC__ >= 11
#define FM_CPU_HAS_SHA 1
#else
#define FM_CPU_HAS_SHA 0
#endif
/* BMI2: shifts and masks of any width in one instruction instead of three, and bit deposit and extract (PDEP, PEXT).
 * AMD's CPUs before Zen 3 (family 17h) execute PDEP and PEXT bit by bit, so the portable version is faster there. */
#define FM_CPU_HAS_BMI2 1
/* Whether the CPU has LZCNT. clang before 19 cannot test for "lzcnt" by name; there the CPUID instruction is executed,
 * which is slow in a virtual machine because it traps. */
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

/* FM_INLINED: always inlined, so that the code is compiled for each caller's CPU target. FM_APART: never inlined, so
 * that rare code does not slow down the frequent path. */
#if defined(__GNUC__)
#define FM_INLINED inline __attribute__((always_inline))
#define FM_APART __attribute__((noinline))
#else
#define FM_INLINED inline
#define FM_APART
#endif

/* Prefetches memory that will be read soon. Any address is allowed. */
static inline void fm_prefetch(const void *address)
{
#if defined(__GNUC__)
    __builtin_prefetch(address);
#else
    (void)address;
#endif
}

#endif
