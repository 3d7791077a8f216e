/* Tests the index caches of a session: the indexes that it holds open, and the indexes that it stores on disk. */
#include "session/cache/cache_folder.h"
#include "session/cache/index_cache.h"

#include "session/catalog/scan/scan_paths.h"
#include "tests/session/session_help.h"

#include <pthread.h>
#include <sys/wait.h>

static const struct made_image images[] = {
    {.name = "liba.so", .id = "aaaaaaaa00000000", .arch = "arm64", .functions = {"_Z1av"}},
    {.name = "libb.so", .id = "bbbbbbbb00000000", .arch = "arm64", .functions = {"_Z1bv"}},
    {.name = "libc.so", .id = "cccccccc00000000", .arch = "arm64", .functions = {"_Z1cv"}},
};

static struct folder folder;

static int set_up(void **state)
{
    (void)state;
    folder_make(&folder);
    for (size_t i = 0; i < COUNT_OF(images); i++) {
        char name[40];
        snprintf(name, sizeof name, "%s.fmx", images[i].name);
        put_index(&folder, name, &images[i]);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove_tree(folder.path);
    return 0;
}

struct held {
    struct fm_heap heap;
    struct fm_catalog catalog;
    fm_mutex lock;
    struct fm_index_cache cache;
};

static void held_begin(struct held *held, uint64_t budget)
{
    framemap_error error = {0};
    fm_heap_init(&held->heap, NULL, 0);
    fm_catalog_init(&held->catalog, &held->heap);
    fm_mutex_init(&held->lock);
    fm_index_cache_init(&held->cache, &held->heap, &held->lock, budget, NULL);
    const struct fm_scan_host host = {.catalog = &held->catalog};
    must_ok(fm_scan_path(&host, folder.path, false, &error), &error);
}

static void held_end(struct held *held)
{
    fm_index_cache_free(&held->cache);
    fm_catalog_free(&held->catalog);
    fm_mutex_destroy(&held->lock);
    assert_true(held->heap.used == 0);
}

static framemap_index *hold(struct held *held, size_t image)
{
    framemap_index *index;
    framemap_error error = {0};
    must_ok(fm_index_cache_hold(&held->cache, held->catalog.entries[image], &index, NULL, &error), &error);
    return index;
}

static void one_image_is_opened_once(void **state)
{
    (void)state;
    struct held held;
    held_begin(&held, 0);
    framemap_index *first = hold(&held, 0), *again = hold(&held, 0), *other = hold(&held, 1);
    assert_ptr_equal(first, again);
    assert_ptr_not_equal(first, other);
    fm_index_cache_release(&held.cache, first);
    fm_index_cache_release(&held.cache, again);
    assert_ptr_equal(hold(&held, 0), first); /* the index stays in the cache after its last release */
    fm_index_cache_release(&held.cache, first);
    fm_index_cache_release(&held.cache, other);
    held_end(&held);
}

static void the_longest_unused_goes_first(void **state)
{
    (void)state;
    struct held held;
    held_begin(&held, 0);
    framemap_index *a = hold(&held, 0), *b = hold(&held, 1);
    held.cache.budget = held.cache.bytes; /* the budget is the size of the two indexes that are open */
    fm_index_cache_release(&held.cache, a);
    fm_index_cache_release(&held.cache, b);
    fm_index_cache_release(&held.cache, hold(&held, 0)); /* index a was used last, so b is the one to be dropped */
    framemap_index *c = hold(&held, 2);
    assert_true(held.cache.bytes <= held.cache.budget);
    uint64_t before = held.cache.bytes;
    assert_ptr_equal(hold(&held, 0), a);
    assert_true(held.cache.bytes == before);
    b = hold(&held, 1); /* all three indexes are in use, so none can be dropped, although the budget is exceeded */
    assert_true(held.cache.bytes > held.cache.budget);
    fm_index_cache_release(&held.cache, a);
    fm_index_cache_release(&held.cache, b);
    fm_index_cache_release(&held.cache, c);
    assert_true(held.cache.bytes <= held.cache.budget);
    held_end(&held);
}

/* An index that many texts need stays in the cache, even if another index, which is needed only once, was used last. */
static void the_least_used_goes_first(void **state)
{
    (void)state;
    struct held held;
    held_begin(&held, 0);
    framemap_index *a = hold(&held, 0), *b = hold(&held, 1);
    /* the two indexes together exceed the budget, so the cache starts to count uses */
    held.cache.budget = held.cache.bytes - 1;
    fm_cache_keep_budget(&held.cache);
    held.cache.budget = held.cache.bytes; /* from here on, there is room for two indexes */
    fm_index_cache_release(&held.cache, a);
    for (int i = 0; i < 5; i++) fm_index_cache_release(&held.cache, hold(&held, 0));
    fm_index_cache_release(&held.cache, b); /* index b was used last, but a was used more often */
    framemap_index *c = hold(&held, 2);
    assert_true(held.cache.bytes <= held.cache.budget);
    assert_non_null(fm_cache_slot_find(&held.cache, held.catalog.entries[0]));
    assert_null(fm_cache_slot_find(&held.cache, held.catalog.entries[1]));
    fm_index_cache_release(&held.cache, c);
    for (int i = 0; i < 20; i++)
        fm_index_cache_release(&held.cache,
                               /* the uses of an index are counted even if it is closed after each use */
                               hold(&held, 1));
    fm_index_cache_release(&held.cache, hold(&held, 2));
    assert_null(fm_cache_slot_find(&held.cache, held.catalog.entries[0]));
    assert_non_null(fm_cache_slot_find(&held.cache, held.catalog.entries[1]));
    held_end(&held);
}

/* Holds an image, looks up a position in it, and releases it. */
static void hold_and_look_up(struct held *held, size_t image)
{
    framemap_index *index = hold(held, image);
    framemap_scratch *scratch = NULL;
    framemap_error error = {0};
    framemap_frame frame;
    framemap_query query = FRAMEMAP_QUERY_INIT;
    query.address_kind = FRAMEMAP_ADDRESS_IMAGE;
    query.position = 0x120;
    must_ok(framemap_scratch_create(NULL, &scratch, &error), &error);
    must_ok(framemap_resolve(index, &query, scratch, &frame, &error), &error);
    assert_true(frame.restored.count > 0);
    framemap_scratch_free(scratch);
    fm_index_cache_release(&held->cache, index);
}

/* The memory in which an index caches results is counted as soon as the index is released. */
static void what_is_kept_counts(void **state)
{
    (void)state;
    struct held held;
    held_begin(&held, 0);
    framemap_index *index = hold(&held, 0);
    const uint64_t before = held.cache.bytes;
    fm_index_cache_release(&held.cache, index);
    assert_true(held.cache.bytes == before); /* nothing was looked up, so no results are cached */
    hold_and_look_up(&held, 0);
    assert_true(held.cache.bytes > before && held.cache.kept_bytes == held.cache.bytes - before);
    held_end(&held);
}

/* If the budget is exceeded, the results that indexes have cached are freed before any index is closed. While the
 * budget is short, indexes do not cache results again. */
static void caches_go_before_indexes(void **state)
{
    (void)state;
    struct held held;
    held_begin(&held, 7 * FM_TEXT_MEMO_PART); /* a budget that is too small for a cache of demangled names */
    for (size_t i = 0; i < COUNT_OF(images); i++) hold_and_look_up(&held, i);
    const struct fm_cache_slot *first = fm_cache_slot_find(&held.cache, held.catalog.entries[0]);
    const uint64_t kept = held.cache.kept_bytes, opened = held.cache.bytes - kept;
    assert_true(kept > opened / 2 && first->bytes > first->opened_bytes);
    held.cache.budget = opened + kept - 1;
    fm_cache_keep_budget(&held.cache);
    assert_int_equal(held.cache.slot_count, COUNT_OF(images));
    assert_true(held.cache.bytes <= held.cache.budget && held.cache.kept_bytes < kept && held.cache.kept_bytes > 0);
    /* the results of the first index were freed, because it was not used for the longest time */
    assert_true(first->bytes == first->opened_bytes);
    const struct fm_cache_slot *last = fm_cache_slot_find(&held.cache, held.catalog.entries[COUNT_OF(images) - 1]);
    /* If pointers have 32 bits, the cached results may take less than a quarter of the budget. Then an index is closed,
     * and the results are kept. */
    const bool many = last->bytes - last->opened_bytes > opened / 4;
    held.cache.budget = opened;
    fm_cache_keep_budget(&held.cache);
    assert_int_equal(held.cache.slot_count, COUNT_OF(images) - (many ? 0 : 1));
    assert_true(held.cache.bytes <= held.cache.budget);
    if (many) {
        assert_true(held.cache.bytes == opened && held.cache.kept_bytes == 0);
        hold_and_look_up(&held, 0); /* the results of a lookup are the same without the cache */
        first = fm_cache_slot_find(&held.cache, held.catalog.entries[0]);
        assert_null(fm_frames_place(fm_view_frames(first->index->view), 0));
        assert_true(held.cache.bytes <= held.cache.budget);
    }
    held.cache.budget = 16 * opened; /* now the budget suffices for all indexes and their caches */
    for (size_t i = 0; i < COUNT_OF(images); i++) hold_and_look_up(&held, i);
    assert_true(held.cache.kept_bytes > 0 && held.cache.slot_count == COUNT_OF(images));
    first = fm_cache_slot_find(&held.cache, held.catalog.entries[0]);
    assert_non_null(fm_frames_place(fm_view_frames(first->index->view), 0));
    held_end(&held);
}

/* Demangled names are cached once for all indexes, and their memory is counted. */
static void names_are_shared(void **state)
{
    (void)state;
    struct held held;
    held_begin(&held, 0);
    for (size_t i = 0; i < COUNT_OF(images); i++) hold_and_look_up(&held, i);
    assert_true(fm_text_memo_used(&held.cache.names) > 0);
    framemap_str shown;
    struct fm_arena arena;
    fm_arena_init(&arena, &held.heap);
    assert_true(fm_text_memo_get(&held.cache.names, FM_STR("_Z1av"), FRAMEMAP_DEMANGLE_DEFAULT, &arena, &shown) &&
                fm_str_equal(shown, FM_STR("a()")));
    fm_arena_free(&arena);
    held_end(&held);
    held_begin(&held, FM_TEXT_MEMO_PART); /* too little memory for a cache of demangled names */
    hold_and_look_up(&held, 0);
    assert_int_equal(fm_text_memo_used(&held.cache.names), 0);
    held_end(&held);
}

static void a_changed_file_is_no_other(void **state)
{
    (void)state;
    struct held held;
    framemap_index *index = NULL;
    framemap_error error = {0};
    held_begin(&held, 0);
    put_index(&folder, "liba.so.fmx", &images[1]);
    assert_int_equal(fm_index_cache_hold(&held.cache, held.catalog.entries[0], &index, NULL, &error),
                     FRAMEMAP_E_MISMATCH);
    assert_non_null(strstr(error.where, "liba.so.fmx"));
    assert_null(index);
    /* the second attempt to open a damaged file fails with the same message */
    memset(&error, 0, sizeof error);
    assert_int_equal(fm_index_cache_hold(&held.cache, held.catalog.entries[0], &index, NULL, &error),
                     FRAMEMAP_E_MISMATCH);
    assert_non_null(strstr(error.message, "changed"));
    /* A file that could not be read is tried again at the next request. */
    char away[600];
    snprintf(away, sizeof away, "%s.away", held.catalog.entries[1]->path);
    assert_int_equal(rename(held.catalog.entries[1]->path, away), 0);
    assert_int_equal(fm_index_cache_hold(&held.cache, held.catalog.entries[1], &index, NULL, &error), FRAMEMAP_E_IO);
    assert_int_equal(rename(away, held.catalog.entries[1]->path), 0);
    fm_index_cache_release(&held.cache, hold(&held, 1));
    held_end(&held);
    put_index(&folder, "liba.so.fmx", &images[0]);
}

#define THREADS 8
#define ROUNDS 300

static void *use_at_random(void *context)
{
    struct held *held = context;
    framemap_scratch *scratch = NULL;
    unsigned seed = (unsigned)(uintptr_t)&scratch;
    if (framemap_scratch_create(NULL, &scratch, NULL) != FRAMEMAP_OK) return context;
    void *failed = NULL;
    for (unsigned i = 0; i < ROUNDS && failed == NULL; i++) {
        framemap_index *index;
        framemap_frame frame;
        framemap_query query = FRAMEMAP_QUERY_INIT;
        seed = seed * 1103515245u + 12345u;
        size_t image = (seed >> 16) % COUNT_OF(images);
        query.position = 0x100;
        if (fm_index_cache_hold(&held->cache, held->catalog.entries[image], &index, NULL, NULL) != FRAMEMAP_OK)
            failed = context;
        else if (framemap_resolve(index, &query, scratch, &frame, NULL) != FRAMEMAP_OK || frame.restored.count != 1 ||
                 frame.restored.frames[0].function.data[0] != "abc"[image])
            failed = context;
        else
            fm_index_cache_release(&held->cache, index);
    }
    framemap_scratch_free(scratch);
    return failed;
}

static void many_threads(void **state)
{
    (void)state;
    skip_without_threads();
    struct held held;
    pthread_t threads[THREADS];
    held_begin(&held, 1); /* with a budget of one byte, each release drops the index */
    for (size_t i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, use_at_random, &held), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    assert_true(held.cache.bytes == 0);
    held_end(&held);
}

/* --- testing the cache on disk --- */

static const struct fm_entry on_disk = {
    .path = "/symbols/liba.so", .name = {"liba.so", 7}, .id = {"aaaaaaaa00000000", 16}, .arch = {"arm64", 5}};
static const struct fm_stamp old_stamp = {1, 2, 4, 1000, 1000};

static void cache_in(struct fm_disk_cache *cache, struct fm_heap *heap, struct fm_arena *arena, const char *path,
                     struct warnings *warnings)
{
    fm_heap_init(heap, NULL, 0);
    fm_arena_init(arena, heap);
    *cache = (struct fm_disk_cache){.warning = keep_warning, .context = warnings};
    assert_true(fm_disk_cache_init(cache, path, 0, arena));
}

/* Computes the key of a file that is not a source map. */
static void key_of(const struct fm_disk_cache *cache, const struct fm_entry *entry, const struct fm_stamp *stamp,
                   framemap_str bytes, char key[FM_CACHE_KEY_SIZE])
{
    const struct fm_cache_input file = {entry->path, stamp, bytes};
    fm_disk_cache_key(cache, entry, &file, NULL, false, key);
}

static unsigned mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return (unsigned)st.st_mode & 0777;
}

static void kept_and_found(void **state)
{
    (void)state;
    struct fm_disk_cache cache;
    struct fm_heap heap;
    struct fm_arena arena;
    struct warnings warnings = {0};
    char key[FM_CACHE_KEY_SIZE], same[FM_CACHE_KEY_SIZE];
    framemap_index *index = NULL;
    cache_in(&cache, &heap, &arena, in_folder(&folder, "cache/deep"), &warnings);
    key_of(&cache, &on_disk, &old_stamp, FM_STR("ELF!"), key);
    assert_false(fm_disk_cache_load(&cache, key, &on_disk, NULL, &index));
    framemap_bytes bytes = make_index(&images[0]);
    fm_disk_cache_store(&cache, key, framemap_bytes_str(&bytes));
    assert_int_equal(warnings.count, 0);
    assert_true(fm_disk_cache_load(&cache, key, &on_disk, NULL, &index));
    framemap_index_close(index);
    char path[600];
    snprintf(path, sizeof path, "%s/v1", cache.folder->path);
    assert_int_equal(mode_of(path), 0700);
    snprintf(path, sizeof path, "%s/v1/indexes/%.16s-%s.fmx", cache.folder->path, fm_code_stamp, key);
    assert_int_equal(mode_of(path), 0600);

    /* If the stamp of a file is unchanged, the file is not read again, and its key comes from the cache. So different
     * bytes with the same stamp are not noticed. */
    key_of(&cache, &on_disk, &old_stamp, FM_STR("elf?"), same);
    assert_string_equal(key, same);
    struct fm_stamp touched = old_stamp;
    touched.changed_ns++;
    key_of(&cache, &on_disk, &touched, FM_STR("elf?"), same);
    assert_string_not_equal(key, same);
    /* A different stamp with the original content gives the original key. */
    touched.changed_ns++;
    key_of(&cache, &on_disk, &touched, FM_STR("ELF!"), same);
    assert_string_equal(key, same);
    /* another architecture in the same file has another key */
    struct fm_entry slice = on_disk;
    slice.arch = FM_STR("arm64e");
    key_of(&cache, &slice, &old_stamp, FM_STR("ELF!"), same);
    assert_string_not_equal(key, same);

    framemap_bytes_free(&bytes);
    fm_arena_free(&arena);
}

/* The key for a source map depends on the map, on the text of its script, and on whether the sources are kept. */
static void keys_of_source_maps(void **state)
{
    (void)state;
    static const struct {
        const char *why, *script; /* script: text of the map's script; NULL: the map has no script */
        int64_t changed_ns;       /* modification time of the script */
        bool keep_sources;
        size_t like; /* index of the row that must have the same key */
    } rows[] = {
        {"without a script", NULL, 0, false, 0},
        {"with one", "function a(){}", 1000, false, 1},
        {"with another text", "function b(){}", 1001, false, 2},
        {"the same text in a file that was touched", "function a(){}", 1002, false, 1},
        {"with its sources", "function a(){}", 1000, true, 4},
        {"with its sources, without a script", NULL, 0, true, 5},
        {"an empty script is a script", "", 1003, false, 6},
    };
    struct fm_disk_cache cache;
    struct fm_heap heap;
    struct fm_arena arena;
    struct warnings warnings = {0};
    char keys[COUNT_OF(rows)][FM_CACHE_KEY_SIZE];
    cache_in(&cache, &heap, &arena, in_folder(&folder, "cache-maps"), &warnings);
    const struct fm_entry map = {.path = "/x/main.js.map", .name = FM_STR("main.js"), .is_source_map = true};
    const struct fm_cache_input file = {map.path, &old_stamp, FM_STR("{}")};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct fm_stamp stamp = {1, 3, 14, 1000, rows[i].changed_ns};
        const struct fm_cache_input script = {"/x/main.js", &stamp, framemap_str_of(rows[i].script)};
        fm_disk_cache_key(&cache, &map, &file, rows[i].script ? &script : NULL, rows[i].keep_sources, keys[i]);
        for (size_t k = 0; k <= i; k++)
            if ((strcmp(keys[i], keys[k]) == 0) != (rows[i].like == rows[k].like))
                fail_msg("%s: beside %s", rows[i].why, rows[k].why);
    }
    assert_int_equal(warnings.count, 0);
    fm_arena_free(&arena);
}

static void a_fresh_file_is_not_remembered(void **state)
{
    (void)state;
    struct fm_disk_cache cache;
    struct fm_heap heap;
    struct fm_arena arena;
    struct warnings warnings = {0};
    struct fm_stamp fresh;
    char key[FM_CACHE_KEY_SIZE], other[FM_CACHE_KEY_SIZE];
    put_file(&folder, "fresh", FM_STR("1234"));
    assert_true(fm_stamp_of(in_folder(&folder, "fresh"), &fresh));
    cache_in(&cache, &heap, &arena, in_folder(&folder, "cache-fresh"), &warnings);
    key_of(&cache, &on_disk, &fresh, FM_STR("1234"), key);
    /* The file was just changed, so it may change again within the same tick of the clock. Its content must be read
     * each time: other content with the same stamp must give another key. */
    key_of(&cache, &on_disk, &fresh, FM_STR("5678"), other);
    assert_string_not_equal(key, other);
    fm_arena_free(&arena);
}

static void damaged_files_are_not_used(void **state)
{
    (void)state;
    struct fm_disk_cache cache;
    struct fm_heap heap;
    struct fm_arena arena;
    struct warnings warnings = {0};
    char key[FM_CACHE_KEY_SIZE], name[300];
    framemap_index *index = NULL;
    cache_in(&cache, &heap, &arena, in_folder(&folder, "cache-bad"), &warnings);
    key_of(&cache, &on_disk, &old_stamp, FM_STR("ELF!"), key);
    framemap_bytes good = make_index(&images[0]), other = make_index(&images[1]);
    snprintf(name, sizeof name, "cache-bad/v1/indexes/%.16s-%s.fmx", fm_code_stamp, key);
    const struct {
        const char *why;
        framemap_str bytes;
    } rows[] = {
        {"empty", {NULL, 0}},
        {"cut off", {(const char *)good.data, good.size / 2}},
        {"one byte short", {(const char *)good.data, good.size - 1}},
        {"text", FM_STR("hello, world, this is no index at all, is it?")},
        {"of another image", {(const char *)other.data, other.size}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        put_file(&folder, name, rows[i].bytes);
        if (fm_disk_cache_load(&cache, key, &on_disk, NULL, &index)) fail_msg("%s", rows[i].why);
    }
    fm_disk_cache_store(&cache, key, framemap_bytes_str(&good)); /* the good index replaces the damaged file */
    assert_true(fm_disk_cache_load(&cache, key, &on_disk, NULL, &index));
    framemap_index_close(index);
    framemap_bytes_free(&good);
    framemap_bytes_free(&other);
    fm_arena_free(&arena);
}

static void an_unwritable_cache_is_a_warning(void **state)
{
    (void)state;
    struct fm_disk_cache cache;
    struct fm_heap heap;
    struct fm_arena arena;
    struct warnings warnings = {0};
    put_file(&folder, "in-the-way", FM_STR("a file where a folder should be"));
    cache_in(&cache, &heap, &arena, in_folder(&folder, "in-the-way"), &warnings);
    char key[FM_CACHE_KEY_SIZE];
    key_of(&cache, &on_disk, &old_stamp, FM_STR("ELF!"), key);
    framemap_bytes bytes = make_index(&images[0]);
    fm_disk_cache_store(&cache, key, framemap_bytes_str(&bytes));
    assert_true(warnings.count >= 1);
    assert_non_null(strstr(warnings.last.message, "cache"));
    framemap_bytes_free(&bytes);
    fm_arena_free(&arena);
}

static void where_the_cache_is(void **state)
{
    (void)state;
    static const struct {
        /* folder: expected folder of the cache; NULL: there is no cache */
        const char *why, *path, *xdg, *home, *folder;
    } rows[] = {
        {"as requested", "/x/y", "/xdg", "/home/me", "/x/y"},
        {"disabled", "", "/xdg", "/home/me", NULL},
        {"the user's cache folder", NULL, "/xdg", "/home/me", "/xdg/framemap"},
        {"the user's home", NULL, NULL, "/tmp", "/tmp/.cache/framemap"},
        {"a relative cache folder is not a folder", NULL, "xdg", "/tmp", "/tmp/.cache/framemap"},
        {"an empty one neither", NULL, "", "/tmp", "/tmp/.cache/framemap"},
        {"slashes at its end are none of it", "/x//", NULL, NULL, "/x"},
        {"nowhere", NULL, NULL, NULL, NULL},
        {"a home that does not exist is not made", NULL, NULL, "/tmp/no-such-home", NULL},
        {"a relative home", NULL, NULL, "tmp", NULL},
    };
    char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    xdg = xdg ? strdup(xdg) : NULL;
    home = home ? strdup(home) : NULL;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_disk_cache cache;
        struct fm_heap heap;
        struct fm_arena arena;
        if (rows[i].xdg)
            setenv("XDG_CACHE_HOME", rows[i].xdg, 1);
        else
            unsetenv("XDG_CACHE_HOME");
        if (rows[i].home)
            setenv("HOME", rows[i].home, 1);
        else
            unsetenv("HOME");
        cache_in(&cache, &heap, &arena, rows[i].path, NULL);
        const char *got = cache.folder ? cache.folder->path : NULL;
        if ((got == NULL) != (rows[i].folder == NULL) || (got && strcmp(got, rows[i].folder) != 0))
            fail_msg("%s", rows[i].why);
        fm_arena_free(&arena);
    }
    if (xdg)
        setenv("XDG_CACHE_HOME", xdg, 1);
    else
        unsetenv("XDG_CACHE_HOME");
    if (home) setenv("HOME", home, 1);
    free(xdg);
    free(home);
}

/* Many processes write and read the same entry; each index that one of them reads must be complete. */
static int race(const char *path)
{
    struct fm_disk_cache cache;
    struct fm_heap heap;
    struct fm_arena arena;
    struct warnings warnings = {0};
    char key[FM_CACHE_KEY_SIZE];
    int seen = 0;
    framemap_bytes bytes = make_index(&images[0]);
    cache_in(&cache, &heap, &arena, path, &warnings);
    for (unsigned i = 0; i < 50; i++) {
        framemap_index *index = NULL;
        key_of(&cache, &on_disk, &old_stamp, FM_STR("ELF!"), key);
        fm_disk_cache_store(&cache, key, framemap_bytes_str(&bytes));
        if (!fm_disk_cache_load(&cache, key, &on_disk, NULL, &index)) return 1;
        if (framemap_index_verify(index, NULL) == FRAMEMAP_OK) seen++;
        framemap_index_close(index);
    }
    framemap_bytes_free(&bytes);
    fm_arena_free(&arena);
    return seen == 50 && warnings.count == 0 ? 0 : 1;
}

static void many_processes(void **state)
{
    (void)state;
    pid_t children[6];
    char path[512];
    strcpy(path, in_folder(&folder, "cache-race"));
    for (size_t i = 0; i < COUNT_OF(children); i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) _exit(race(path));
    }
    for (size_t i = 0; i < COUNT_OF(children); i++) {
        int status = 0;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    assert_int_equal(count_files(path, ".fmx"), 1);
    assert_int_equal(count_files(path, ""), 2); /* one index and one cached key; so no temporary file is left */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_image_is_opened_once),
        cmocka_unit_test(the_longest_unused_goes_first),
        cmocka_unit_test(the_least_used_goes_first),
        cmocka_unit_test(what_is_kept_counts),
        cmocka_unit_test(caches_go_before_indexes),
        cmocka_unit_test(names_are_shared),
        cmocka_unit_test(a_changed_file_is_no_other),
        cmocka_unit_test(many_threads),
        cmocka_unit_test(kept_and_found),
        cmocka_unit_test(keys_of_source_maps),
        cmocka_unit_test(a_fresh_file_is_not_remembered),
        cmocka_unit_test(damaged_files_are_not_used),
        cmocka_unit_test(an_unwritable_cache_is_a_warning),
        cmocka_unit_test(where_the_cache_is),
        cmocka_unit_test(many_processes),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
