/* Symbols in a store, asked for through framemap_fetch: texts are restored as with the files themselves, with one
 * request for each batch; what is missing, damaged or refused is said in the frames, and the rest is restored. */
#include "tests/session/restore/restore_help.h"

#include <framemap/kv.h>

#define DEMO FM_SOURCE_DIR "/corpus/demo/"
#define DART FM_SOURCE_DIR "/corpus/dart/"

static framemap_str read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("%s cannot be opened", path);
    fseek(file, 0, SEEK_END);
    const size_t size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(size + 1);
    assert_int_equal(fread(bytes, 1, size, file), size);
    fclose(file);
    return fm_str(bytes, size);
}

/* --- a store in memory --- */

struct stored {
    char *key; /* build, a NUL, field */
    size_t build_size;
    framemap_str value;
    bool lost;
};

struct store {
    struct stored *rows;
    size_t count, capacity;
    unsigned requests;
    size_t keys;
    bool refuses;
    framemap_str ids[8]; /* of the indexes that were put */
    size_t id_count;
};

static bool put_stored(void *context, const framemap_value_key *key, framemap_str value)
{
    struct store *store = context;
    if (store->count == store->capacity) {
        store->capacity = store->capacity ? 2 * store->capacity : 256;
        store->rows = realloc(store->rows, store->capacity * sizeof *store->rows);
    }
    struct stored *row = &store->rows[store->count++];
    char *copy = malloc(value.size);
    memcpy(copy, value.data, value.size);
    *row = (struct stored){malloc(key->build.size + key->field.size + 2), key->build.size, {copy, value.size}, false};
    memcpy(row->key, key->build.data, key->build.size);
    row->key[key->build.size] = 0;
    memcpy(row->key + key->build.size + 1, key->field.data, key->field.size);
    row->key[key->build.size + 1 + key->field.size] = 0;
    return true;
}

static struct stored *find_stored(const struct store *store, framemap_str build, framemap_str field)
{
    for (size_t i = 0; i < store->count; i++) {
        struct stored *row = &store->rows[i];
        if (fm_str_equal(build, framemap_str_of(row->key)) &&
            fm_str_equal(field, framemap_str_of(row->key + row->build_size + 1)))
            return row->lost ? NULL : row;
    }
    return NULL;
}

static framemap_status fetch_stored(void *context, const framemap_value_key *keys, size_t count, framemap_fetched *out,
                                    framemap_error *error)
{
    struct store *store = context;
    assert_true(count > 0);
    store->requests++;
    store->keys += count;
    if (store->refuses) {
        *error = (framemap_error){.code = FRAMEMAP_E_IO};
        snprintf(error->message, sizeof error->message, "the store is away");
        return FRAMEMAP_E_IO;
    }
    for (size_t i = 0; i < count; i++) {
        const struct stored *row = find_stored(store, keys[i].build, keys[i].field);
        for (size_t k = 0; k < i; k++)
            assert_false(fm_str_equal(keys[k].build, keys[i].build) && fm_str_equal(keys[k].field, keys[i].field));
        if (row) framemap_fetched_put(out, i, row->value);
    }
    return FRAMEMAP_OK;
}

/* Compiles a symbol file and puts its values into the store. */
static void put_symbols(struct store *store, const char *path, const char *tenant)
{
    framemap_bytes built = {0};
    framemap_error error = {0};
    framemap_index *index;
    framemap_index_info info;
    const framemap_str bytes = read_whole(path);
    const char *name = strrchr(path, '/') + 1;
    framemap_build_options build = {.size = sizeof build};
    char script[512];
    snprintf(script, sizeof script, "%.*s", (int)(strlen(path) - 4), path);
    if (strcmp(path + strlen(path) - 4, ".map") == 0) build.script = read_whole(script);
    must_ok(framemap_index_build(bytes, framemap_str_of(name), &build, &built, &error), &error);
    free((void *)(uintptr_t)build.script.data);
    must_ok(framemap_index_open(framemap_bytes_str(&built), NULL, &index, &error), &error);
    framemap_index_describe(index, &info);
    const framemap_split_options options = {.size = sizeof options, .tenant = framemap_str_of(tenant)};
    must_ok(framemap_index_split(index, &options, put_stored, store, &error), &error);
    const framemap_str id = info.id.size ? info.id : info.name;
    char *copy = malloc(id.size + 1);
    memcpy(copy, id.data, id.size);
    copy[id.size] = 0;
    store->ids[store->id_count++] = framemap_str_of(copy);
    framemap_index_close(index);
    framemap_bytes_free(&built);
    free((void *)(uintptr_t)bytes.data);
}

static void free_store(struct store *store)
{
    for (size_t i = 0; i < store->count; i++) {
        free(store->rows[i].key);
        free((void *)(uintptr_t)store->rows[i].value.data);
    }
    for (size_t i = 0; i < store->id_count; i++) free((void *)(uintptr_t)store->ids[i].data);
    free(store->rows);
}

static void ignore_warning(void *context, const framemap_error *warning)
{
    (void)context;
    (void)warning;
}

static framemap_session *session_on_store(struct store *store)
{
    framemap_session *session;
    framemap_error error = {0};
    const framemap_session_options options = {.size = sizeof options,
                                              .cache_path = "",
                                              .warning = ignore_warning,
                                              .fetch = fetch_stored,
                                              .fetch_context = store};
    must_ok(framemap_session_open(&options, &session, &error), &error);
    return session;
}

/* --- texts --- */

static framemap_str restored(framemap_session *session, framemap_str text, const char *output,
                             const framemap_scope *scope, framemap_restore_summary *summary)
{
    struct fm_heap heap;
    struct fm_buf out;
    framemap_error error = {0};
    const framemap_restore_options options = {.size = sizeof options, .output = output, .scope = scope};
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    must_ok(framemap_session_restore(session, text, &options, gather, &out, summary, &error), &error);
    char *copy = malloc(out.size + 1);
    memcpy(copy, out.data, out.size);
    copy[out.size] = 0;
    const framemap_str result = fm_str(copy, out.size);
    fm_buf_free(&out);
    return result;
}

/* Blanks how each file was found: a file without an id is found as the only one, a build in a store by the scope. */
static void blank_matches(framemap_str json)
{
    const framemap_str member = FM_STR("\"matched_by\":\"");
    for (framemap_str rest = json; fm_str_find(rest, member) != FM_NOT_FOUND;) {
        rest = fm_str_from(rest, fm_str_find(rest, member) + member.size);
        const size_t end = fm_str_find_byte(rest, '"');
        /* The word's length differs: it moves to the end of the text. */
        char *at = (char *)(uintptr_t)rest.data;
        memmove(at, at + end, rest.size - end);
        memset(at + rest.size - end, ' ', end);
        rest = fm_str_from(rest, 1);
    }
}

struct text_row {
    const char *text, *symbols[4];
    unsigned least; /* frames that are restored */
};
static const struct text_row texts[] = {
    {DEMO "tombstone.txt", {DEMO "symbols/libdemo.so", DEMO "symbols/mapping.txt"}, 3},
    {DEMO "logcat.txt", {DEMO "symbols/mapping.txt", DEMO "symbols/libdemo.so"}, 4},
    {DEMO "ios.crash", {DEMO "symbols/Demo.app.dSYM/Contents/Resources/DWARF/Demo"}, 2},
    {DEMO "web.log", {DEMO "symbols/shop.js.map"}, 2},
    {DART "x64-3.13.trace.txt", {DART "app.x64-3.13.symbols"}, 4},
    {DART "arm64-3.13.trace.txt", {DART "app.arm64-3.13.symbols"}, 4},
};

static void same_output(const struct text_row *row, framemap_session *paths, framemap_session *stored,
                        const char *output, const framemap_scope *scope)
{
    framemap_restore_summary with_paths, with_store;
    const framemap_str text = read_whole(row->text);
    const framemap_str wanted = restored(paths, text, output, scope, &with_paths),
                       got = restored(stored, text, output, scope, &with_store);
    blank_matches(wanted);
    blank_matches(got);
    size_t same = 0;
    while (same < wanted.size && same < got.size && wanted.data[same] == got.data[same]) same++;
    const size_t from = same < 200 ? 0 : same - 200;
    if (!fm_str_equal(fm_str_trim(wanted), fm_str_trim(got)))
        fail_msg("%s as %s: with files\n%.400s\nwith the store\n%.400s", row->text, output, wanted.data + from,
                 got.data + from);
    if (with_paths.restored != with_store.restored || with_paths.restored < row->least)
        fail_msg("%s: %u frames restored with files, %u with the store", row->text, (unsigned)with_paths.restored,
                 (unsigned)with_store.restored);
    free((void *)(uintptr_t)wanted.data);
    free((void *)(uintptr_t)got.data);
    free((void *)(uintptr_t)text.data);
}

static void answers_as_the_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct store store = {.count = 0};
        framemap_session *paths, *stored = session_on_store(&store);
        framemap_error error = {0};
        size_t count = 0;
        for (; count < COUNT_OF(texts[i].symbols) && texts[i].symbols[count]; count++)
            put_symbols(&store, texts[i].symbols[count], "");
        const framemap_session_options options = {
            .size = sizeof options, .symbol_paths = texts[i].symbols, .symbol_path_count = count, .cache_path = ""};
        must_ok(framemap_session_open(&options, &paths, &error), &error);
        const framemap_scope scope = {.size = sizeof scope, .ids = store.ids, .id_count = store.id_count};
        same_output(&texts[i], paths, stored, "text", &scope);
        const unsigned cold = store.requests;
        same_output(&texts[i], paths, stored, "json", &scope);
        if (cold != 1 || store.requests != cold)
            fail_msg("%s: %u requests, then %u", texts[i].text, cold, store.requests);
        framemap_session_close(paths);
        framemap_session_close(stored);
        free_store(&store);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_as_the_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
