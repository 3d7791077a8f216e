/* Finds the innermost inlined call at each address of a function, from the ranges of its INLINE records. Used by
 * breakpad_compile.c. */
#ifndef FM_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_INLINES_H
#define FM_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_INLINES_H

#include "core/limits.h"
#include "mappers/native/breakpad/breakpad_batch.h"
#include "mappers/native/image/sorted_keys.h"

/* The last range that started at a level, and the chain of calls up to it. */
struct fm_breakpad_level {
    uint32_t range; /* index in the ranges of the records; UINT32_MAX: none */
    uint32_t node;  /* node of the call, if the level is part of the chain */
    uint64_t end;   /* where the first call of the chain up to this level ends */
};

/* A walk over the addresses of one function, from low to high. The chain at an address has a call of level 0, one of
 * level 1, and so on, up to the first level without a range there. Of each level, the range that started last counts,
 * as in the Rust crate `breakpad-symbols` (Function::get_inlinee_at_depth). */
struct fm_breakpad_inlines {
    struct fm_breakpad_batch *batch;
    struct fm_key *keys; /* ranges of the function, sorted by address and level */
    size_t key_capacity, count, at;
    struct fm_breakpad_level levels[FM_LIMIT_INLINE_DEPTH];
    uint32_t root, depth, used; /* depth: of the chain; used: number of levels that may have a range */
    size_t links;               /* how many nodes may be added yet */
};

void fm_breakpad_inlines_init(struct fm_breakpad_inlines *inlines, struct fm_breakpad_batch *batch);
void fm_breakpad_inlines_free(struct fm_breakpad_inlines *inlines);
/* Starts the walk over a function. root: its node. The ranges are [first, end). Returns false when out of memory. */
bool fm_breakpad_inlines_start(struct fm_breakpad_inlines *inlines, uint32_t root, size_t first, size_t end);
/* Gets the node at an address, which must not be lower than the one before. If the node changes at an address before
 * *next, sets *next to that. Returns false when out of memory. */
bool fm_breakpad_inlines_at(struct fm_breakpad_inlines *inlines, uint64_t address, uint32_t *node, uint64_t *next);

#endif
