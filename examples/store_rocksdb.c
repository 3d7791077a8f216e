/* Symbols in RocksDB (librocksdb-dev):
 *
 *     cc -I include examples/store_rocksdb.c examples/store.c -I . -lframemap -lrocksdb -o store_rocksdb
 *     ./store_rocksdb put symbols.rocksdb libapp.so mapping.txt app.js.map
 *     ./store_rocksdb restore symbols.rocksdb < tombstone.txt */
#include "examples/store.h"

#include <rocksdb/c.h>
#include <stdio.h>
#include <stdlib.h>

struct store {
    rocksdb_t *db;
    rocksdb_options_t *options;
    rocksdb_writebatch_t *batch; /* the values of the build that is being put */
};

/* Whether a call succeeded. If not, prints and frees RocksDB's message. */
static bool fine(char *fault, const char *what)
{
    if (fault) fprintf(stderr, "%s: %s\n", what, fault);
    rocksdb_free(fault);
    return fault == NULL;
}

struct store *store_open(const char *path)
{
    struct store *store = calloc(1, sizeof *store);
    char *fault = NULL;
    if (store == NULL) return NULL;
    store->options = rocksdb_options_create();
    store->batch = rocksdb_writebatch_create();
    rocksdb_options_set_create_if_missing(store->options, 1);
    store->db = rocksdb_open(store->options, path, &fault);
    if (fine(fault, path)) return store;
    store_close(store);
    return NULL;
}

void store_close(struct store *store)
{
    if (store->db) rocksdb_close(store->db);
    rocksdb_writebatch_destroy(store->batch);
    rocksdb_options_destroy(store->options);
    free(store);
}

bool store_begin(struct store *store)
{
    rocksdb_writebatch_clear(store->batch);
    return true;
}

/* Writes the values of the batch; RocksDB writes all of them or none. */
bool store_commit(struct store *store)
{
    rocksdb_writeoptions_t *options = rocksdb_writeoptions_create();
    char *fault = NULL;
    rocksdb_writeoptions_set_sync(options, 1);
    rocksdb_write(store->db, options, store->batch, &fault);
    rocksdb_writeoptions_destroy(options);
    return fine(fault, "write");
}

void store_abort(struct store *store) { rocksdb_writebatch_clear(store->batch); }

bool store_put(struct store *store, const char *key, size_t key_size, framemap_str value)
{
    rocksdb_writebatch_put(store->batch, key, key_size, value.data, value.size);
    return true;
}

bool store_get(struct store *store, const framemap_str *keys, size_t count, store_found *found, void *context)
{
    rocksdb_readoptions_t *options = rocksdb_readoptions_create();
    const rocksdb_snapshot_t *snapshot =
        /* the snapshot is one state of the store, so that no build is read half-written */
        rocksdb_create_snapshot(store->db);
    bool ok = true;
    rocksdb_readoptions_set_snapshot(options, snapshot);
    for (size_t i = 0; i < count && ok; i++) {
        char *fault = NULL;
        rocksdb_pinnableslice_t *slice = rocksdb_get_pinned(store->db, options, keys[i].data, keys[i].size, &fault);
        size_t size = 0;
        const char *value = slice ? rocksdb_pinnableslice_value(slice, &size) : NULL;
        ok = fine(fault, "get");
        if (value) found(context, i, (framemap_str){value, size});
        rocksdb_pinnableslice_destroy(slice);
    }
    rocksdb_release_snapshot(store->db, snapshot);
    rocksdb_readoptions_destroy(options);
    return ok;
}
