/* The images that restored texts wanted and no symbols were found for: each once, in the order of first need. */
#ifndef FM_SESSION_CATALOG_MISSING_SYMBOLS_H
#define FM_SESSION_CATALOG_MISSING_SYMBOLS_H

#include "core/hash/hash.h"
#include <framemap/session.h>

struct fm_missing_list {
    struct fm_heap *heap;
    struct fm_arena arena; /* the strings */
    framemap_missing *rows;
    size_t count, capacity;
    struct fm_table table;
    uint64_t key;            /* of its hashes */
    framemap_missing others; /* counts the frames of images that came when the list was full; no name */
};

void fm_missing_init(struct fm_missing_list *list, struct fm_heap *heap);
void fm_missing_free(struct fm_missing_list *list);
/* Counts frames for an image; strings are copied when it is new. At FM_LIMIT_MISSING images, or FM_LIMIT_MISSING_BYTES
 * of names, the list is full: frames of further images are counted in one row without a name, which comes last. false:
 * out of memory. */
bool fm_missing_add(struct fm_missing_list *list, const framemap_missing *image);
/* Hands out all rows, then forgets them. */
void fm_missing_visit(struct fm_missing_list *list, void (*visit)(void *context, const framemap_missing *missing),
                      void *context);

#endif
