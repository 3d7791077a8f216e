/* C: an inline chain three deep over two folders, static functions, a loop whose lines are left and entered again, a call by pointer. */
#include "inner/leaf.h"

volatile int chain_sink;
const int chain_table[4] = {3, 1, 4, 1};

static inline __attribute__((always_inline)) int middle(int x)
{
    int left = leaf(x + 1), right = leaf_twice(x);
    return left * 2 + right;
}

static inline __attribute__((always_inline)) int outermost(int x) { return middle(x) - middle(x ^ 5); }

static __attribute__((noinline)) int summed(const int *values, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i] > 2 ? outermost(values[i]) : leaf(sum);
    return sum;
}

__attribute__((noinline)) int chain_choose(int which, int x)
{
    switch (which) {
    case 0: return leaf(x);
    case 1: return middle(x);
    case 2: return outermost(x);
    default: return summed(chain_table, x & 3);
    }
}

/* Not called by anything: what --gc-sections takes away. */
int chain_unused(int x)
{
    chain_sink = x;
    return outermost(x) + 1;
}

/* The same machine code as chain_twin_b: what identical code folding joins. */
__attribute__((noinline)) int chain_twin_a(int x)
{
    chain_sink = x * 3;
    return x + 7;
}

__attribute__((noinline)) int chain_twin_b(int x)
{
    chain_sink = x * 3;
    return x + 7;
}

int chain_entry(int x)
{
    int (*volatile chosen)(int, int) = chain_choose;
    chain_sink = chosen(x & 3, x) + chain_twin_a(x) + chain_twin_b(x);
    return summed(chain_table, 4);
}
