/* A store of symbols in memory for bench_service, filled from a folder of indexes. It shows the cost of using a
 * store without the time that requests to a server take. */
#ifndef BENCH_VALUE_STORE_H
#define BENCH_VALUE_STORE_H

#include <framemap/framemap.h>

/* An index of the folder. Indexes are numbered in the order of their paths. */
struct stored_index {
    char *id;   /* the id in the index; if the index has none, its path in the folder without ".fmx" */
    bool is_id; /* `id` is the id in the index, not a path */
};

struct value_store {
    struct stored_index *indexes;
    size_t index_count;
    struct stored_value *values; /* a hash table with linear probing */
    size_t value_count, slot_count;
};

/* Lists the indexes of a folder. with_values: also splits them, and keeps their values. Ends the program on errors. */
void value_store_fill(struct value_store *store, const char *folder, bool with_values);
void value_store_free(struct value_store *store);
/* A framemap_fetch whose context is the store. Any thread may call it. */
framemap_status value_store_fetch(void *context, const framemap_value_key *keys, size_t count, framemap_fetched *out,
                                  framemap_error *error);

#endif
