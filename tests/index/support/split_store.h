/* A store of the values that an index is split into. Tests query it as a client does, by the page of a position. */
#ifndef TESTS_INDEX_SUPPORT_SPLIT_STORE_H
#define TESTS_INDEX_SUPPORT_SPLIT_STORE_H

#include "index/format/value_page.h"
#include "index/read/head_view.h"
#include "index/split/split.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct split_value {
    char *field;
    framemap_str bytes;
    struct fm_view *view;
};
struct split_store {
    struct fm_heap *heap;
    struct split_value *values; /* the head is the last value */
    const struct split_value **by_field;
    size_t count, capacity;
};

static framemap_status split_store_put(void *context, framemap_str field, framemap_str value, framemap_error *error)
{
    struct split_store *store = context;
    if (store->count == store->capacity) {
        store->capacity = store->capacity ? 2 * store->capacity : 64;
        store->values = realloc(store->values, store->capacity * sizeof *store->values);
    }
    struct split_value *row = &store->values[store->count++];
    char *bytes = malloc(value.size);
    memcpy(bytes, value.data, value.size);
    *row = (struct split_value){.field = malloc(field.size + 1), .bytes = {bytes, value.size}};
    memcpy(row->field, field.data, field.size);
    row->field[field.size] = 0;
    framemap_status status = fm_view_open(row->bytes, store->heap, &row->view, error);
    return status == FRAMEMAP_OK ? fm_view_verify(row->view, error) : status;
}

static int split_value_order(const void *one, const void *other)
{
    const struct split_value *const *a = one, *const *b = other;
    return strcmp((*a)->field, (*b)->field);
}

/* Splits the index and opens and verifies all values. */
static inline framemap_status split_store_fill(struct split_store *store, const struct fm_view *view,
                                               struct fm_heap *heap, framemap_error *error)
{
    *store = (struct split_store){.heap = heap};
    const struct fm_split_sink sink = {split_store_put, store};
    const framemap_status status = fm_split(view, heap, &sink, error);
    if (store->count == 0) return status;
    store->by_field = malloc(store->count * sizeof *store->by_field);
    for (size_t i = 0; i < store->count; i++) store->by_field[i] = &store->values[i];
    qsort(store->by_field, store->count, sizeof *store->by_field, split_value_order);
    return status;
}

static inline void split_store_free(struct split_store *store)
{
    for (size_t i = 0; i < store->count; i++) {
        fm_view_close(store->values[i].view);
        free(store->values[i].field);
        free((void *)(uintptr_t)store->values[i].bytes.data);
    }
    free(store->values);
    free(store->by_field);
}

static inline const struct fm_view *split_store_find(const struct split_store *store, char *field)
{
    const struct split_value value = {.field = field}, *key = &value, **found = NULL;
    if (store->count) found = bsearch(&key, store->by_field, store->count, sizeof *store->by_field, split_value_order);
    return found ? (*found)->view : NULL;
}

static inline const struct fm_view *split_store_head(const struct split_store *store)
{
    return store->count ? store->values[store->count - 1].view : NULL;
}

/* Returns the value that has the answers for a page. NULL: the head lists no such value. *lost: set if the
 * head lists the value but the store does not have it. */
static inline const struct fm_view *split_store_page(const struct split_store *store, uint64_t page, bool *lost)
{
    char field[32];
    uint64_t listed;
    *lost = false;
    if (!fm_head_page(split_store_head(store), page, &listed)) return NULL;
    snprintf(field, sizeof field, "page:%" PRIx64, listed);
    const struct fm_view *view = split_store_find(store, field);
    *lost = view == NULL;
    return view;
}

#endif
