/* A small relocatable image with several executable sections, as a kernel module has them. */
#include "inner/leaf.h"

volatile int chain_sink;

#define IN_SECTION(name) __attribute__((section(name), noinline))

IN_SECTION(".init.text") static int module_setup(int x) { return leaf_twice(x) + 1; }

IN_SECTION(".init.text") int init_module(void) { return module_setup(4) - chain_sink; }

IN_SECTION(".exit.text") void cleanup_module(void) { chain_sink = leaf(9); }

__attribute__((noinline)) static int module_helper(int x) { return leaf(x) ^ 3; }

int module_work(int x)
{
    if (x < 0) return module_helper(-x);
    return module_helper(x) + leaf_twice(x);
}

IN_SECTION(".text.unlikely") int module_fail(int code)
{
    chain_sink = code;
    return module_helper(code) - 1;
}
