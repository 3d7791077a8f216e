/* Restores a text with symbol files, or with the same symbols in a store; check_store compares the two.
 *
 *     stored_restore files|store|URL OUTPUT TEXT SYMBOLS...
 *
 * URL: of a Redis server, to which the symbols are pushed. The restored text goes to standard output, the number of
 * requests to standard error. The ids of all symbols are the scope of the text in both ways. */
#include <framemap/framemap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IDS_MOST = 16 };

struct stored {
    char *key;
    char *value;
    size_t key_size, size;
};

struct store {
    struct stored *rows;
    size_t count, capacity;
    unsigned requests;
    framemap_redis *redis; /* the Redis server that is the store; NULL: the rows are the store */
    framemap_str ids[IDS_MOST];
    size_t id_count;
};

static void fail(const char *what, const framemap_error *error)
{
    fprintf(stderr, "stored_restore: %s: %s\n", what, error ? error->message : "");
    exit(1);
}

static char *copy_of(framemap_str text)
{
    char *copy = malloc(text.size + 1);
    if (copy == NULL) fail("out of memory", NULL);
    if (text.size) memcpy(copy, text.data, text.size);
    copy[text.size] = 0;
    return copy;
}

static framemap_str read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) return (framemap_str){NULL, 0};
    const long size = ftell(file);
    rewind(file);
    char *bytes = malloc((size_t)size + 1);
    if (bytes == NULL || fread(bytes, 1, (size_t)size, file) != (size_t)size) fail(path, NULL);
    fclose(file);
    return (framemap_str){bytes, (size_t)size};
}

/* --- implementing the store, which is sorted by key before the first request --- */

static char *join(const framemap_value_key *key, size_t *size)
{
    char *joined = malloc(key->build.size + key->field.size + 1);
    if (joined == NULL) fail("out of memory", NULL);
    memcpy(joined, key->build.data, key->build.size);
    joined[key->build.size] = ':';
    memcpy(joined + key->build.size + 1, key->field.data, key->field.size);
    *size = key->build.size + 1 + key->field.size;
    return joined;
}

static bool put_row(void *context, const framemap_value_key *key, framemap_str value)
{
    struct store *store = context;
    if (store->count == store->capacity) {
        store->capacity = store->capacity ? 2 * store->capacity : 1024;
        store->rows = realloc(store->rows, store->capacity * sizeof *store->rows);
        if (store->rows == NULL) fail("out of memory", NULL);
    }
    struct stored *row = &store->rows[store->count++];
    row->key = join(key, &row->key_size);
    row->value = copy_of(value);
    row->size = value.size;
    return true;
}

static int compare_rows(const void *left, const void *right)
{
    const struct stored *a = left, *b = right;
    const size_t least = a->key_size < b->key_size ? a->key_size : b->key_size;
    const int order = memcmp(a->key, b->key, least);
    return order ? order : a->key_size < b->key_size ? -1 : a->key_size > b->key_size;
}

static framemap_status fetch_rows(void *context, const framemap_value_key *keys, size_t count, framemap_fetched *out,
                                  framemap_error *error)
{
    struct store *store = context;
    (void)error;
    store->requests++;
    for (size_t i = 0; i < count; i++) {
        struct stored wanted = {.size = 0};
        wanted.key = join(&keys[i], &wanted.key_size);
        const struct stored *row =
            store->count > 0 ? bsearch(&wanted, store->rows, store->count, sizeof wanted, compare_rows) : NULL;
        if (row) framemap_fetched_put(out, i, (framemap_str){row->value, row->size});
        free(wanted.key);
    }
    return FRAMEMAP_OK;
}

static framemap_status fetch_from_redis(void *context, const framemap_value_key *keys, size_t count,
                                        framemap_fetched *out, framemap_error *error)
{
    struct store *store = context;
    store->requests++;
    return framemap_redis_fetch(store->redis, keys, count, out, error);
}

static framemap_status put_index(struct store *store, const framemap_index *index, framemap_error *error)
{
    if (store->redis) return framemap_redis_push(store->redis, index, NULL, NULL, NULL, error);
    return framemap_index_split(index, NULL, put_row, store, error);
}

/* Returns the text of the script whose map is at a path, "app.js.map", if the script is in the same folder. */
static framemap_str script_of(const char *path)
{
    const size_t size = strlen(path);
    if (size < 4 || strcmp(path + size - 4, ".map") != 0) return (framemap_str){NULL, 0};
    char *script = copy_of((framemap_str){path, size - 4});
    const framemap_str text = read_file(script);
    free(script);
    return text;
}

/* Adds a symbol file. A bad file is left out, as a session does with a bad file in a folder. */
static void add_symbols(struct store *store, const char *path)
{
    framemap_bytes built = {0};
    framemap_error error = {0};
    framemap_index *index;
    framemap_index_info info;
    const framemap_str bytes = read_file(path), script = script_of(path);
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    const framemap_build_options options = {.size = sizeof options, .script = script};
    if (bytes.data == NULL) fail(path, NULL);
    if (framemap_index_build(bytes, framemap_str_of(name), &options, &built, &error) == FRAMEMAP_OK) {
        if (framemap_index_open(framemap_bytes_str(&built), NULL, &index, &error) != FRAMEMAP_OK ||
            put_index(store, index, &error) != FRAMEMAP_OK)
            fail(path, &error);
        framemap_index_describe(index, &info);
        if (store->id_count < IDS_MOST)
            store->ids[store->id_count++] = framemap_str_of(copy_of(info.id.size ? info.id : info.name));
        framemap_index_close(index);
    }
    framemap_bytes_free(&built);
    free((void *)(uintptr_t)bytes.data);
    free((void *)(uintptr_t)script.data);
}

static bool print(void *context, const char *data, size_t size) { return fwrite(data, 1, size, context) == size; }

static void free_store(struct store *store)
{
    for (size_t i = 0; i < store->count; i++) {
        free(store->rows[i].key);
        free(store->rows[i].value);
    }
    for (size_t i = 0; i < store->id_count; i++) free((void *)(uintptr_t)store->ids[i].data);
    free(store->rows);
}

int main(int argc, char **argv)
{
    struct store store = {.count = 0};
    framemap_session *session;
    framemap_error error = {0};
    if (argc < 5) fail("files|store|URL OUTPUT TEXT SYMBOLS...", NULL);
    const bool stored = strcmp(argv[1], "files") != 0;
    if (strchr(argv[1], ':') && framemap_redis_open(argv[1], NULL, &store.redis, &error) != FRAMEMAP_OK)
        fail(argv[1], &error);
    for (int i = 4; i < argc; i++) add_symbols(&store, argv[i]);
    if (store.count > 0) qsort(store.rows, store.count, sizeof *store.rows, compare_rows);
    const framemap_session_options options = {.size = sizeof options,
                                              .symbol_paths = stored ? NULL : (const char *const *)(argv + 4),
                                              .symbol_path_count = stored ? 0 : (size_t)(argc - 4),
                                              .cache_path = "",
                                              .fetch = !stored       ? NULL
                                                       : store.redis ? fetch_from_redis
                                                                     : fetch_rows,
                                              .fetch_context = &store};
    const framemap_scope scope = {.size = sizeof scope, .ids = store.ids, .id_count = store.id_count};
    const framemap_restore_options restore = {.size = sizeof restore, .output = argv[2], .scope = &scope};
    const framemap_str text = read_file(argv[3]);
    if (framemap_session_open(&options, &session, &error) != FRAMEMAP_OK) fail("open", &error);
    if (framemap_session_restore(session, text, &restore, print, stdout, NULL, &error) != FRAMEMAP_OK)
        fail("restore", &error);
    framemap_session_close(session);
    framemap_redis_close(store.redis);
    free((void *)(uintptr_t)text.data);
    fprintf(stderr, "%u\n", store.requests);
    free_store(&store);
    return 0;
}
