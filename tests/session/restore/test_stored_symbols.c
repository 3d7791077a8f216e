/* Tests symbols that are requested from a store through framemap_fetch. Texts must be restored in the same way as with
 * symbol files, with one request for each batch. If a value is missing, damaged or refused, the frames that need it get
 * this as their reason, and all other frames are restored. */
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

/* --- making a store in memory --- */

struct stored {
    char *key; /* key of the value: the build, a NUL, and the field */
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
    const char *away;    /* requests for builds whose keys contain this text fail; NULL: no request fails */
    framemap_str ids[8]; /* ids of the indexes whose values were stored */
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
        if (store->away && fm_str_find(keys[i].build, framemap_str_of(store->away)) != FM_NOT_FOUND) {
            const framemap_error why = {.code = FRAMEMAP_E_IO, .message = "a server is away"};
            framemap_fetched_fail(out, i, i % 2 ? NULL : &why);
            /* this call must be ignored, because the request for the key has failed already */
            if (row) framemap_fetched_put(out, i, row->value);
        } else if (row) {
            framemap_fetched_put(out, i, row->value);
            framemap_fetched_fail(out, i, NULL); /* this call must be ignored, because the key has a value already */
        }
    }
    return FRAMEMAP_OK;
}

/* Compiles a symbol file and stores its values. */
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

/* Replaces each occurrence of a text by a shorter one, and adds blanks so that the total size stays the same. */
static void shorten(framemap_str text, framemap_str from, framemap_str to)
{
    for (framemap_str rest = text; fm_str_find(rest, from) != FM_NOT_FOUND;) {
        char *at = (char *)(uintptr_t)rest.data + fm_str_find(rest, from);
        const size_t left = (size_t)(rest.data + rest.size - at), less = from.size - to.size;
        memcpy(at, to.data, to.size);
        memmove(at + to.size, at + from.size, left - from.size);
        memset(at + left - less, ' ', less);
        rest = fm_str(at + to.size, left - to.size);
    }
}

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

/* Removes from JSON output how each file was found, since this differs: without an id, a file is found as the only
 * file, but a build in a store is found by the scope. */
static void blank_matches(framemap_str json)
{
    const framemap_str member = FM_STR("\"matched_by\":\"");
    for (framemap_str rest = json; fm_str_find(rest, member) != FM_NOT_FOUND;) {
        rest = fm_str_from(rest, fm_str_find(rest, member) + member.size);
        const size_t end = fm_str_find_byte(rest, '"');
        /* The strings to be removed have different lengths, so blanks are added at the end of the text. */
        char *at = (char *)(uintptr_t)rest.data;
        memmove(at, at + end, rest.size - end);
        memset(at + rest.size - end, ' ', end);
        rest = fm_str_from(rest, 1);
    }
}

struct text_row {
    const char *text, *symbols[4];
    unsigned least; /* least number of frames that must be restored */
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

/* Checks that offsets in files give the same functions. In memory, the library's code is 0x1000 bytes farther from its
 * start than in the file. */
static void offsets_in_files(void **state)
{
    (void)state;
    struct store store = {.count = 0};
    framemap_session *stored = session_on_store(&store);
    framemap_restore_summary linked, of_file;
    const framemap_str text = read_whole(DEMO "tombstone.txt"), json = restored(stored, text, "json", NULL, &linked);
    put_symbols(&store, DEMO "symbols/libdemo.so", "");
    framemap_session_close(stored);
    shorten(json, FM_STR("\"value\":\"0x1"), FM_STR("\"value\":\"0x"));
    shorten(json, FM_STR("\"lookup\":\"0x1"), FM_STR("\"lookup\":\"0x"));
    shorten(json, FM_STR("\"mode\":\"linked\""), FM_STR("\"mode\":\"file\""));
    assert_true(fm_str_find(json, FM_STR("{\"value\":\"0x344\",\"mode\":\"file\"")) != FM_NOT_FOUND);
    stored = session_on_store(&store);
    const framemap_str wanted = restored(stored, text, "json", NULL, &linked),
                       got = restored(stored, fm_str_trim(json), "json", NULL, &of_file);
    assert_true(linked.restored >= 3);
    assert_int_equal(of_file.restored, linked.restored);
    const framemap_str source = FM_STR("\"source\":"), end = FM_STR("]");
    framemap_str a = wanted, b = got;
    for (uint64_t i = 0; i < linked.restored; i++) {
        a = fm_str_from(a, fm_str_find(a, source) + source.size);
        b = fm_str_from(b, fm_str_find(b, source) + source.size);
        assert_true(fm_str_equal(fm_str_slice(a, 0, fm_str_find(a, end)), fm_str_slice(b, 0, fm_str_find(b, end))));
    }
    free((void *)(uintptr_t)wanted.data);
    free((void *)(uintptr_t)got.data);
    free((void *)(uintptr_t)json.data);
    free((void *)(uintptr_t)text.data);
    framemap_session_close(stored);
    free_store(&store);
}

/* --- testing values that are missing or wrong --- */

#define TOMBSTONE DEMO "tombstone.txt"
#define LIBRARY DEMO "symbols/libdemo.so"

/* Restores the tombstone of the demo as JSON, with the values in the store. The caller frees the text. */
static framemap_str tombstone_json(struct store *store, const framemap_scope *scope, unsigned *restored_frames)
{
    framemap_session *session = session_on_store(store);
    framemap_restore_summary summary;
    const framemap_str text = read_whole(TOMBSTONE), json = restored(session, text, "json", scope, &summary);
    free((void *)(uintptr_t)text.data);
    framemap_session_close(session);
    *restored_frames = (unsigned)summary.restored;
    return json;
}

/* Checks that the library's frames have this reason; NULL: all of them are restored. */
static void check_reason(struct store *store, const char *reason, unsigned frames)
{
    unsigned count;
    const framemap_str json = tombstone_json(store, NULL, &count);
    if (count != frames) fail_msg("%u frames are restored, not %u:\n%s", count, frames, json.data);
    if (reason && strstr(json.data, reason) == NULL) fail_msg("\"%s\" is not in\n%s", reason, json.data);
    const bool is_listed = strstr(json.data, "{\"t\":\"missing\",\"name\":\"libdemo.so\"") != NULL;
    if (is_listed != (reason != NULL)) fail_msg("%s listed as missing:\n%s", is_listed ? "" : "not", json.data);
    free((void *)(uintptr_t)json.data);
}

enum { NATIVE_FRAMES = 3 };

static struct stored *row_of_field(struct store *store, const char *start)
{
    for (size_t i = 0; i < store->count; i++)
        if (strncmp(store->rows[i].key + store->rows[i].build_size + 1, start, strlen(start)) == 0)
            return &store->rows[i];
    fail_msg("no value \"%s\"", start);
    return NULL;
}

/* If the store has lost values of a mapping or source map, the file is listed as missing, with the reason, as native
 * images are. */
static void lost_values_are_listed(void **state)
{
    (void)state;
    static const struct {
        const char *symbols, *text, *field, *kind;
    } rows[] = {{DEMO "symbols/mapping.txt", DEMO "logcat.txt", "class:a.c", "java"},
                {DEMO "symbols/shop.js.map", DEMO "web.log", "page:0", "js"},
                {FM_SOURCE_DIR "/corpus/dart/app.x64-3.13.symbols", FM_SOURCE_DIR "/corpus/dart/x64-3.13.trace.txt",
                 "page:", "dart"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct store store = {.count = 0};
        put_symbols(&store, rows[i].symbols, "");
        for (size_t k = 0; k < store.count; k++) {
            const struct stored *row = &store.rows[k];
            if (strncmp(row->key + row->build_size + 1, rows[i].field, strlen(rows[i].field)) == 0)
                store.rows[k].lost = true;
        }
        framemap_session *session = session_on_store(&store);
        framemap_restore_summary summary;
        const framemap_scope scope = {.size = sizeof scope, .ids = store.ids, .id_count = store.id_count};
        const framemap_str text = read_whole(rows[i].text), json = restored(session, text, "json", &scope, &summary);
        const char *listed = strstr(json.data, "{\"t\":\"missing\"");
        char kind[32];
        snprintf(kind, sizeof kind, "\"kind\":\"%s\"", rows[i].kind);
        if (!listed || !strstr(listed, kind) || !strstr(listed, "only a part of the symbols of this build"))
            fail_msg("%s: not listed:\n%s", rows[i].text, json.data);
        free((void *)(uintptr_t)json.data);
        free((void *)(uintptr_t)text.data);
        framemap_session_close(session);
        free_store(&store);
    }
}

static void faults_are_said(void **state)
{
    (void)state;
    struct store store = {.count = 0};
    check_reason(&store, "no symbols were given for this image", 0);
    put_symbols(&store, LIBRARY, "");
    check_reason(&store, NULL, NATIVE_FRAMES);
    store.refuses = true;
    check_reason(&store, "the store of symbols could not be asked", 0);
    store.refuses = false;
    struct stored *page = row_of_field(&store, "page:1"), *head = row_of_field(&store, "head");
    page->lost = true;
    check_reason(&store, "the store has only a part of the symbols of this build", 0);
    page->lost = false;
    char *bytes = (char *)(uintptr_t)page->value.data;
    bytes[page->value.size / 2] ^= 4;
    check_reason(&store, "the symbols of this build in the store are damaged", 0);
    bytes[page->value.size / 2] ^= 4;
    bytes[4] = 99;
    check_reason(&store, "of a version that is not supported", 0);
    bytes[4] = 2;
    const framemap_str value = page->value;
    page->value = (framemap_str){NULL, 5};
    check_reason(&store, "the symbols of this build in the store are damaged", 0);
    page->value = value;
    head->lost = true;
    check_reason(&store, "no symbols were given for this image", 0);
    head->lost = false;
    const framemap_str kept = head->value;
    head->value = page->value; /* in the store, the head is replaced by the value of a page */
    check_reason(&store, "are damaged", 0);
    head->value = kept;
    check_reason(&store, NULL, NATIVE_FRAMES);
    free_store(&store);
}

/* Returns the number of frames of a report that a session restores. The session stays open. */
static unsigned restored_on(framemap_session *session, const char *path, const char *reason)
{
    framemap_restore_summary summary;
    const framemap_str text = read_whole(path), json = restored(session, text, "json", NULL, &summary);
    if (reason && strstr(json.data, reason) == NULL) fail_msg("\"%s\" is not in\n%s", reason, json.data);
    free((void *)(uintptr_t)text.data);
    free((void *)(uintptr_t)json.data);
    return (unsigned)summary.restored;
}

/* If one of several servers cannot be reached, builds on the other servers are used. Builds on the first server are
 * requested again for later texts. */
static void a_part_is_away(void **state)
{
    (void)state;
    const char *const trace = FM_SOURCE_DIR "/corpus/dart/x64-3.13.trace.txt",
                      *const away = "the store of symbols could not be asked";
    struct store store = {.count = 0};
    put_symbols(&store, LIBRARY, "");
    put_symbols(&store, FM_SOURCE_DIR "/corpus/dart/app.x64-3.13.symbols", "");
    char id[80];
    snprintf(id, sizeof id, "%.*s", (int)store.ids[0].size, store.ids[0].data);
    framemap_session *session = session_on_store(&store);
    store.away = id;
    assert_int_equal(restored_on(session, TOMBSTONE, away), 0);
    const unsigned dart = restored_on(session, trace, NULL);
    assert_true(dart > 0);
    /* A text with two stacks: the store can be reached for the symbols of one stack only. */
    const framemap_str both[] = {read_whole(TOMBSTONE), read_whole(trace)};
    char *joined = malloc(both[0].size + both[1].size);
    memcpy(joined, both[0].data, both[0].size);
    memcpy(joined + both[0].size, both[1].data, both[1].size);
    framemap_restore_summary summary;
    const framemap_str json = restored(session, fm_str(joined, both[0].size + both[1].size), "json", NULL, &summary);
    assert_int_equal(summary.restored, dart);
    assert_non_null(strstr(json.data, away));
    for (size_t i = 0; i < COUNT_OF(both); i++) free((void *)(uintptr_t)both[i].data);
    free((void *)(uintptr_t)json.data);
    free(joined);
    /* the session must request the build again, because the store could not be reached, and may have the build */
    store.away = NULL;
    assert_int_equal(restored_on(session, TOMBSTONE, NULL), NATIVE_FRAMES);
    framemap_session_close(session);
    free_store(&store);
}

static void tenants_are_apart(void **state)
{
    (void)state;
    struct store store = {.count = 0};
    unsigned count;
    put_symbols(&store, LIBRARY, "one: %");
    const framemap_scope one = {.size = sizeof one, .tenant = FM_STR_INIT("one: %")},
                         two = {.size = sizeof two, .tenant = FM_STR_INIT("two")};
    const framemap_scope *const others[] = {NULL, &two};
    framemap_str json = tombstone_json(&store, &one, &count);
    assert_int_equal(count, NATIVE_FRAMES);
    free((void *)(uintptr_t)json.data);
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        json = tombstone_json(&store, others[i], &count);
        assert_int_equal(count, 0);
        free((void *)(uintptr_t)json.data);
    }
    assert_non_null(strstr(store.rows[0].key, "fm1:one%3A%20%25:native:"));
    free_store(&store);
}

/* Two tenants have builds with the same id in one session. Each tenant gets only results from its own build, and has
 * its own list of missing symbols. */
static void tenants_share_a_session(void **state)
{
    (void)state;
    struct store store = {.count = 0};
    put_symbols(&store, LIBRARY, "one");
    framemap_session *session = session_on_store(&store);
    const framemap_str text = read_whole(TOMBSTONE);
    const framemap_scope one = {
        .size = sizeof one, .app = FM_STR_INIT("a"), .build = FM_STR_INIT("1"), .tenant = FM_STR_INIT("one")};
    framemap_scope two = one;
    two.tenant = FM_STR("two");
    for (unsigned i = 0; i < 4; i++) {
        framemap_restore_summary summary;
        const bool is_one = i % 2 == 0;
        framemap_str out = restored(session, text, "json", is_one ? &one : &two, &summary);
        assert_int_equal(summary.restored, is_one ? NATIVE_FRAMES : 0);
        const bool lists = fm_str_find(out, FM_STR("\"missing\",\"name\":\"libdemo.so\"")) != FM_NOT_FOUND;
        assert_int_equal(lists, !is_one);
        free((void *)(uintptr_t)out.data);
    }
    framemap_session_close(session);
    free((void *)(uintptr_t)text.data);
    free_store(&store);
}

/* A build that is not in the store is not requested again for each text. The values of a build in the store are
 * requested only once. */
static void absent_builds_are_kept_in_mind(void **state)
{
    (void)state;
    struct store store = {.count = 0};
    framemap_session *session = session_on_store(&store);
    const framemap_str text = read_whole(TOMBSTONE);
    for (unsigned i = 0; i < 3; i++) {
        framemap_restore_summary summary;
        const framemap_str out = restored(session, text, "text", NULL, &summary);
        assert_int_equal(summary.restored, 0);
        free((void *)(uintptr_t)out.data);
    }
    assert_int_equal(store.requests, 1);
    framemap_session_close(session);
    free((void *)(uintptr_t)text.data);
    free_store(&store);
}

/* If the cache of values is full, values are evicted and requested again later, and the results stay the same. */
static void a_small_cache_is_enough(void **state)
{
    (void)state;
    struct store store = {.count = 0};
    framemap_session *session;
    framemap_error error = {0};
    put_symbols(&store, LIBRARY, "");
    const framemap_session_options options = {
        .size = sizeof options, .cache_path = "", .fetch = fetch_stored, .fetch_context = &store, .max_value_bytes = 1};
    must_ok(framemap_session_open(&options, &session, &error), &error);
    const framemap_str text = read_whole(TOMBSTONE);
    for (unsigned i = 1; i <= 3; i++) {
        framemap_restore_summary summary;
        const framemap_str out = restored(session, text, "text", NULL, &summary);
        assert_int_equal(summary.restored, NATIVE_FRAMES);
        assert_int_equal(store.requests, i);
        free((void *)(uintptr_t)out.data);
    }
    framemap_session_close(session);
    free((void *)(uintptr_t)text.data);
    free_store(&store);
}

/* --- preparing builds before a text --- */

/* If the head of a build's values was requested in advance, a text causes requests for other values only. */
static void heads_are_prepared(void **state)
{
    (void)state;
    struct store store = {.count = 0};
    framemap_error error = {0};
    size_t found = 9;
    put_symbols(&store, LIBRARY, "");
    framemap_session *session = session_on_store(&store);
    const framemap_image_query wants[] = {
        {.id = store.ids[0]}, {.id = FM_STR_INIT("0123")}, {.name = FM_STR_INIT("a.so")}};
    must_ok(framemap_session_prepare(session, NULL, wants, COUNT_OF(wants), &found, &error), &error);
    assert_int_equal(found, 1);
    assert_int_equal(store.requests, 1);
    const framemap_str text = read_whole(TOMBSTONE);
    framemap_restore_summary summary;
    store.keys = 0;
    framemap_str out = restored(session, text, "text", NULL, &summary);
    assert_int_equal(summary.restored, NATIVE_FRAMES);
    const size_t pages = store.keys;
    free((void *)(uintptr_t)out.data);
    framemap_session_close(session);
    session = session_on_store(&store);
    store.keys = 0;
    out = restored(session, text, "text", NULL, &summary);
    /* without preparation, the head is requested, too, so there is one more key */
    assert_int_equal(store.keys, pages + 1);
    free((void *)(uintptr_t)out.data);
    framemap_session_close(session);
    free((void *)(uintptr_t)text.data);
    free_store(&store);
}

/* If the store cannot be reached, preparing a build causes a warning. A build of another tenant is not found. */
static void what_is_not_there_is_not_prepared(void **state)
{
    (void)state;
    struct store store = {.count = 0};
    framemap_error error = {0};
    size_t found = 9;
    put_symbols(&store, LIBRARY, "one");
    const framemap_scope two = {.size = sizeof two, .tenant = FM_STR_INIT("two")};
    framemap_session *session = session_on_store(&store);
    const framemap_image_query want = {.id = store.ids[0]};
    must_ok(framemap_session_prepare(session, &two, &want, 1, &found, &error), &error);
    assert_int_equal(found, 0);
    store.refuses = true;
    must_ok(framemap_session_prepare(session, NULL, &want, 1, &found, &error), &error);
    assert_int_equal(found, 0);
    framemap_session_close(session);
    free_store(&store);
}

/* --- splitting an index into values --- */

static bool refuse_value(void *context, const framemap_value_key *key, framemap_str value)
{
    unsigned *left = context;
    assert_true(key->build.size > 0 && key->field.size > 0 && value.size > 0);
    return (*left)-- > 0;
}

static void splitting_checks_its_arguments(void **state)
{
    (void)state;
    framemap_bytes built = {0};
    framemap_error error = {0};
    framemap_index *index;
    unsigned left = 1;
    char long_id[1026];
    memset(long_id, 'a', sizeof long_id - 1);
    long_id[sizeof long_id - 1] = 0;
    const framemap_str bytes = read_whole(LIBRARY);
    must_ok(framemap_index_build(bytes, FM_STR("libdemo.so"), NULL, &built, &error), &error);
    must_ok(framemap_index_open(framemap_bytes_str(&built), NULL, &index, &error), &error);
    const framemap_split_options bad = {.size = sizeof bad, .id = framemap_str_of(long_id)};
    assert_int_equal(framemap_index_split(NULL, NULL, refuse_value, &left, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_index_split(index, NULL, NULL, &left, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_index_split(index, &bad, refuse_value, &left, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_index_split(index, NULL, refuse_value, &left, &error), FRAMEMAP_E_IO);
    framemap_index_close(index);
    framemap_bytes_free(&built);
    free((void *)(uintptr_t)bytes.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_as_the_files),
                                       cmocka_unit_test(offsets_in_files),
                                       cmocka_unit_test(faults_are_said),
                                       cmocka_unit_test(lost_values_are_listed),
                                       cmocka_unit_test(a_part_is_away),
                                       cmocka_unit_test(tenants_are_apart),
                                       cmocka_unit_test(absent_builds_are_kept_in_mind),
                                       cmocka_unit_test(a_small_cache_is_enough),
                                       cmocka_unit_test(splitting_checks_its_arguments),
                                       cmocka_unit_test(heads_are_prepared),
                                       cmocka_unit_test(what_is_not_there_is_not_prepared),
                                       cmocka_unit_test(tenants_share_a_session)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
