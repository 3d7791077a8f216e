#ifndef LEAF_H
#define LEAF_H

extern volatile int chain_sink;

static inline __attribute__((always_inline)) int leaf(int x)
{
    chain_sink = x;
    return x * x + chain_sink;
}

static inline __attribute__((always_inline)) int leaf_twice(int x) { return leaf(x) + leaf(x + 2); }

#endif
