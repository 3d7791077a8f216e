/* Prints its own stack in two texts, from real return addresses: as glibc's backtrace_symbols, and as frame lines of
 * Android's tombstones, in which the addresses of the calls are printed. When the program reaches the function done, a
 * debugger prints the same stack. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEEPEST = 64 };

__attribute__((noinline)) void done(void) { __asm__ volatile("" ::: "memory"); }

static void print_tombstone(void *const *addresses, int count)
{
    printf("backtrace:\n");
    for (int i = 0; i < count; i++) {
        Dl_info info;
        if (dladdr(addresses[i], &info) == 0) continue;
        const uintptr_t pc = (uintptr_t)addresses[i] - (uintptr_t)info.dli_fbase - 1;
        printf("      #%02d pc %016lx  %s\n", i, (unsigned long)pc, info.dli_fname);
    }
}

__attribute__((noinline)) int report(int x)
{
    void *addresses[DEEPEST];
    const int count = backtrace(addresses, DEEPEST);
    char **lines = backtrace_symbols(addresses, count);
    for (int i = 0; lines != NULL && i < count; i++) printf("%s\n", lines[i]);
    printf("\n");
    print_tombstone(addresses, count);
    fflush(stdout);
    free(lines);
    done();
    return x + 1;
}

static inline __attribute__((always_inline)) int innermost(int x)
{
    int y = x * 3;
    return report(y) + y;
}

static inline __attribute__((always_inline)) int between(int x) { return innermost(x + 1) * 2; }

static __attribute__((noinline)) int outer(int x)
{
    int sum = between(x);
    return sum ^ x;
}

static __attribute__((noinline)) int walk(int depth, int (*call)(int))
{
    if (depth == 0) return call(depth) + 1;
    return walk(depth - 1, call) + 2;
}

int main(int argc, char **argv)
{
    (void)argv;
    return walk(2 + argc, outer) == 0;
}
