/* Symbols in LMDB, a store in one memory-mapped file (liblmdb-dev):
 *
 *     cc -I include examples/store_lmdb.c examples/store.c -I . -lframemap -llmdb -o store_lmdb
 *     ./store_lmdb put symbols.lmdb libapp.so mapping.txt app.js.map
 *     ./store_lmdb restore symbols.lmdb < tombstone.txt */
#include "examples/store.h"

#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct store {
    MDB_env *env;
    MDB_dbi table;
    MDB_txn *writing; /* the transaction of the build that is being put; NULL: none */
};

static bool fine(int code, const char *what)
{
    if (code != 0) fprintf(stderr, "%s: %s\n", what, mdb_strerror(code));
    return code == 0;
}

struct store *store_open(const char *path)
{
    struct store *store = calloc(1, sizeof *store);
    MDB_txn *first = NULL;
    if (store == NULL) return NULL;
    const bool ok = fine(mdb_env_create(&store->env), "create") &&
                    fine(mdb_env_set_mapsize(store->env, (size_t)1 << (sizeof(size_t) > 4 ? 36 : 28)), "size") &&
                    fine(mdb_env_open(store->env, path, MDB_NOSUBDIR, 0644), path) &&
                    fine(mdb_txn_begin(store->env, NULL, 0, &first), "begin") &&
                    fine(mdb_dbi_open(first, NULL, MDB_CREATE, &store->table), "open") &&
                    fine(mdb_txn_commit(first), "commit");
    if (ok) return store;
    store_close(store);
    return NULL;
}

void store_close(struct store *store)
{
    if (store->writing) mdb_txn_abort(store->writing);
    if (store->env) mdb_env_close(store->env);
    free(store);
}

bool store_begin(struct store *store) { return fine(mdb_txn_begin(store->env, NULL, 0, &store->writing), "begin"); }

bool store_commit(struct store *store)
{
    MDB_txn *writing = store->writing;
    store->writing = NULL;
    return fine(mdb_txn_commit(writing), "commit");
}

void store_abort(struct store *store)
{
    mdb_txn_abort(store->writing);
    store->writing = NULL;
}

/* Returns a key in the form that LMDB accepts: it allows at most 511 bytes, so the end of a longer key, which has a
 * very long class name, is replaced by its hash. */
static MDB_val key_of(const struct store *store, const char *key, size_t size, char *room)
{
    const size_t most = (size_t)mdb_env_get_maxkeysize(store->env);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    if (size <= most) return (MDB_val){size, (void *)(uintptr_t)key};
    for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)key[i]) * UINT64_C(0x100000001b3);
    memcpy(room, key, most - sizeof hash);
    memcpy(room + most - sizeof hash, &hash, sizeof hash);
    return (MDB_val){most, room};
}

bool store_put(struct store *store, const char *key, size_t key_size, framemap_str value)
{
    char room[512];
    MDB_val name = key_of(store, key, key_size, room), data = {value.size, (void *)(uintptr_t)value.data};
    return fine(mdb_put(store->writing, store->table, &name, &data, 0), "put");
}

/* Looks up the keys in one transaction, which sees one state of the store, so that no build is read half-written. */
bool store_get(struct store *store, const framemap_str *keys, size_t count, store_found *found, void *context)
{
    MDB_txn *reading;
    int code = mdb_txn_begin(store->env, NULL, MDB_RDONLY, &reading);
    if (!fine(code, "begin")) return false;
    for (size_t i = 0; i < count && (code == 0 || code == MDB_NOTFOUND); i++) {
        char room[512];
        MDB_val name = key_of(store, keys[i].data, keys[i].size, room), value;
        code = mdb_get(reading, store->table, &name, &value);
        if (code == 0) found(context, i, (framemap_str){value.mv_data, value.mv_size});
    }
    mdb_txn_abort(reading);
    return code == MDB_NOTFOUND || fine(code, "get");
}
