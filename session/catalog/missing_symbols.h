/* The images without symbols that restored texts refer to. Each is listed once, in the order in which they were first
 * needed. Filled by the restorers, read by framemap_session_missing, both under the session's lock. */
#ifndef FM_SESSION_CATALOG_MISSING_SYMBOLS_H
#define FM_SESSION_CATALOG_MISSING_SYMBOLS_H

#include "core/hash/hash.h"
#include <framemap/session.h>

struct fm_missing_list {
    struct fm_heap *heap;
    struct fm_arena arena; /* memory of the strings */
    framemap_missing *rows;
    size_t count, capacity;
    struct fm_table table;
    uint64_t key;            /* secret key of the hash function */
    framemap_missing others; /* number of frames of those images that did not fit into the list; this row has no name */
};

void fm_missing_init(struct fm_missing_list *list, struct fm_heap *heap);
void fm_missing_free(struct fm_missing_list *list);
/* Adds frames to the count of an image; copies the strings of a new image. The list is full at FM_LIMIT_MISSING images
 * or FM_LIMIT_MISSING_BYTES of names: frames of further images are counted in one last row without a name. Returns
 * false if out of memory. */
bool fm_missing_add(struct fm_missing_list *list, const framemap_missing *image);
typedef void fm_missing_visitor(void *context, const framemap_missing *missing);
/* Calls `visit` for every row except `others`. The rows are sorted by kind; rows of one kind are in the order in which
 * they were first needed. This order does not depend on how the text was cut into parts. */
void fm_missing_each(const struct fm_missing_list *list, fm_missing_visitor *visit, void *context);
/* Calls `visit`, which may be NULL, for all rows in the order of fm_missing_each, and for `others` last. Then clears
 * the list. */
void fm_missing_visit(struct fm_missing_list *list, fm_missing_visitor *visit, void *context);

#endif
