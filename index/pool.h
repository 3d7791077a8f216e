/* Strings kept once: text to number and back. */
#ifndef FM_INDEX_POOL_H
#define FM_INDEX_POOL_H

#include "core/hash.h"

struct fm_pool {
    struct fm_arena arena;
    struct fm_table table;
    framemap_str *texts; /* by number */
    size_t count, capacity;
    char *next, *end; /* rest of the chunk that texts are copied into, one behind the other */
};
void fm_pool_init(struct fm_pool *pool, struct fm_heap *heap);
void fm_pool_free(struct fm_pool *pool);
/* *out: the text's number; equal texts have equal numbers. MEMORY, LIMIT. */
framemap_status fm_pool_add(struct fm_pool *pool, framemap_str text, uint32_t *out, framemap_error *error);

#endif
