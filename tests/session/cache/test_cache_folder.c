/* Tests the folder of the disk cache (session/cache/cache_folder.h): which files are used, which are removed when the
 * budget is exceeded, and which are never touched. */
#include "session/cache/cache_folder.h"

#include "tests/session/session_help.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <utime.h>

#define VERSION "0123456789abcdef-"
#define OTHER "fedcba9876543210-"
enum { BLOCK = 4096, DAY = 24 * 3600 };

static struct folder top;

static int set_up(void **state)
{
    (void)state;
    folder_make(&top);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove_tree(top.path);
    return 0;
}

/* A disk cache with a folder of its own. */
struct cache {
    struct fm_heap heap;
    char path[200];
    struct fm_cache_folder folder;
};

static void cache_begin(struct cache *cache, const char *name, uint64_t budget)
{
    memset(cache, 0, sizeof *cache);
    fm_heap_init(&cache->heap, NULL, 0);
    snprintf(cache->path, sizeof cache->path, "%s/%s", top.path, name);
    cache->folder =
        (struct fm_cache_folder){.path = cache->path, .heap = &cache->heap, .budget = budget, .version = VERSION};
}

/* Returns the name of an index file: a version, then a digit repeated 64 times. */
static const char *index_name(const char *version, char digit)
{
    static char names[4][FM_CACHE_NAME_SIZE];
    static unsigned next;
    char *name = names[next++ % 4], key[65];
    memset(key, digit, 64);
    key[64] = 0;
    snprintf(name, sizeof names[0], "%s%s.fmx", version, key);
    return name;
}

static bool put(struct cache *cache, const char *name, size_t size)
{
    struct fm_cache_fault fault;
    char *bytes = calloc(1, size + 1);
    const bool ok = fm_cache_write(&cache->folder, FM_CACHE_INDEXES, name, fm_str(bytes, size), &fault);
    free(bytes);
    return ok;
}

static const char *path_of(const struct cache *cache, const char *name)
{
    static char paths[4][1400];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/v1/indexes/%s", cache->path, name);
    return path;
}

static bool has(const struct cache *cache, const char *name)
{
    struct stat about;
    return lstat(path_of(cache, name), &about) == 0;
}

static void age(const struct cache *cache, const char *name, time_t seconds)
{
    const time_t then = time(NULL) - seconds;
    const struct utimbuf times = {then, then};
    if (utime(path_of(cache, name), &times) != 0) fail_msg("%s: no such file", name);
}

static bool use(const struct cache *cache, const char *name, struct fm_cache_fault *fault)
{
    const int file = fm_cache_open(&cache->folder, FM_CACHE_INDEXES, name, fault);
    if (file >= 0) close(file);
    return file >= 0;
}

/* --- testing the budget of the folder --- */

static void the_longest_unused_are_removed(void **state)
{
    (void)state;
    struct cache cache;
    struct fm_cache_fault fault;
    cache_begin(&cache, "budget", 10 * BLOCK);
    for (char digit = '0'; digit < '9'; digit++) {
        assert_true(put(&cache, index_name(VERSION, digit), BLOCK - 1));
        age(&cache, index_name(VERSION, digit), (time_t)DAY * ('9' - digit));
    }
    /* the oldest file is used, so it is not the first to be removed */
    assert_true(use(&cache, index_name(VERSION, '0'), &fault));
    struct stat about;
    assert_int_equal(stat(path_of(&cache, index_name(VERSION, '0')), &about), 0);
    assert_true(about.st_mtime < time(NULL) - DAY); /* using a file does not change its modification time */
    assert_int_equal(count_files(cache.path, ".fmx"), 9);
    /* this file still fits into the budget of the cache */
    assert_true(put(&cache, index_name(VERSION, 'a'), BLOCK - 1));
    assert_int_equal(count_files(cache.path, ".fmx"), 10);
    /* This file exceeds the budget, so files are removed until at most seven eighths of the budget are used: 8 files
     * are left. */
    assert_true(put(&cache, index_name(VERSION, 'b'), BLOCK - 1));
    assert_int_equal(count_files(cache.path, ".fmx"), 8);
    for (char digit = '1'; digit < '4'; digit++) assert_false(has(&cache, index_name(VERSION, digit)));
    assert_true(has(&cache, index_name(VERSION, '0')));
    assert_true(has(&cache, index_name(VERSION, '4')));
    assert_true(has(&cache, index_name(VERSION, 'b')));
    /* a file that is larger than the whole budget is not written */
    assert_true(put(&cache, index_name(VERSION, 'c'), 11 * BLOCK));
    assert_false(has(&cache, index_name(VERSION, 'c')));
    assert_int_equal(count_files(cache.path, ""), 8);
    assert_true(cache.heap.used == 0);
}

/* The first write of a session determines the size of all files in the folder, so files of earlier sessions are
 * counted, too. */
static void what_was_there_counts(void **state)
{
    (void)state;
    struct cache first, second;
    cache_begin(&first, "left", 100 * BLOCK);
    for (char digit = '0'; digit <= '9'; digit++) assert_true(put(&first, index_name(VERSION, digit), BLOCK - 1));
    cache_begin(&second, "left", 4 * BLOCK);
    assert_true(put(&second, index_name(VERSION, 'a'), BLOCK - 1));
    assert_true(count_files(second.path, ".fmx") <= 4);
}

static void other_versions_go_first(void **state)
{
    (void)state;
    struct cache cache;
    cache_begin(&cache, "versions", 4 * BLOCK);
    assert_true(put(&cache, index_name(OTHER, '0'), 1));
    assert_true(put(&cache, index_name("", '1'), 1)); /* earlier releases wrote file names without a version */
    assert_true(put(&cache, index_name(VERSION, '2'), 1));
    age(&cache, index_name(VERSION, '2'), 20 * DAY);
    fm_cache_sweep(&cache.folder);
    /* no file is removed, since the size is within the budget and all files were used recently */
    assert_int_equal(count_files(cache.path, ".fmx"), 3);
    age(&cache, index_name("", '1'), 8 * DAY);
    fm_cache_sweep(&cache.folder);
    assert_false(has(&cache, index_name("", '1')));
    assert_true(has(&cache, index_name(OTHER, '0')));
    assert_true(put(&cache, index_name(VERSION, '3'), 1));
    assert_true(put(&cache, index_name(VERSION, '4'), 1));
    for (char digit = '3'; digit < '5'; digit++) age(&cache, index_name(VERSION, digit), 10 * DAY);
    /* with this file, the budget is exceeded, so files are removed until three are left */
    assert_true(put(&cache, index_name(VERSION, '5'), 1));
    assert_false(has(&cache, index_name(OTHER, '0')));
    assert_true(has(&cache, index_name(VERSION, '5')));
}

static void only_files_of_ours_are_removed(void **state)
{
    (void)state;
    struct cache cache;
    struct fm_cache_fault fault;
    cache_begin(&cache, "strange", BLOCK);
    assert_true(put(&cache, index_name(VERSION, '0'), 1));
    struct {
        const char *why, *name;
        bool stays;
    } rows[] = {
        {"a file of another name", "notes.txt", true},
        {"a short key", "0123.fmx", true},
        {"an index that others may write to", index_name(VERSION, '1'), true},
        {"a link with the name of an index", index_name(VERSION, '2'), true},
        {"an old index", index_name(VERSION, '3'), false},
        {"what a writer left", NULL, false},
        {"what a writer is about to finish", NULL, true},
    };
    char aside[2][FM_CACHE_NAME_SIZE + 8];
    snprintf(aside[0], sizeof aside[0], "%s.12-3", index_name(VERSION, '4'));
    snprintf(aside[1], sizeof aside[1], "%s.45-6", index_name(VERSION, '4'));
    rows[5].name = aside[0];
    rows[6].name = aside[1];
    char names[COUNT_OF(rows)][FM_CACHE_NAME_SIZE + 8];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char name[1400];
        snprintf(names[i], sizeof names[i], "%s", rows[i].name);
        snprintf(name, sizeof name, "strange/v1/indexes/%s", names[i]);
        if (i == 3) {
            assert_int_equal(symlink("notes.txt", path_of(&cache, names[i])), 0);
            continue;
        }
        put_file(&top, name, FM_STR("12345"));
        if (i == 2) assert_int_equal(chmod(path_of(&cache, names[i]), 0620), 0);
        if (i != 6) age(&cache, names[i], 30 * DAY);
    }
    /* with this file, the budget is exceeded, so files are removed */
    assert_true(put(&cache, index_name(VERSION, '5'), 1));
    fm_cache_sweep(&cache.folder);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (has(&cache, names[i]) != rows[i].stays) fail_msg("%s", rows[i].why);
    assert_false(use(&cache, names[2], &fault));
    assert_non_null(strstr(fault.why, "chmod"));
    assert_false(use(&cache, names[3], &fault)); /* a symbolic link is not followed */
}

/* --- testing that files of other users are not used --- */

static void make_mode(const char *path, const char *target, unsigned mode)
{
    (void)target;
    assert_int_equal(chmod(path, (mode_t)mode), 0);
}

static void make_link(const char *path, const char *target, unsigned unused)
{
    (void)unused;
    char away[600];
    snprintf(away, sizeof away, "%s/away-%s", top.path, target);
    remove_tree(away);
    assert_int_equal(rename(path, away), 0);
    assert_int_equal(symlink(away, path), 0);
}

static void make_fifo(const char *path, const char *target, unsigned unused)
{
    (void)target, (void)unused;
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void make_foreign(const char *path, const char *target, unsigned unused)
{
    (void)target, (void)unused;
    assert_int_equal(chown(path, 65534, 65534), 0);
}

static void what_others_may_write_is_not_used(void **state)
{
    (void)state;
    static const struct {
        /* below: path of the changed folder below the cache's folder; NULL: the index file itself is changed */
        const char *why, *below;
        void (*make)(const char *path, const char *target, unsigned mode);
        unsigned mode;
        const char *says;
        bool writes; /* whether another file can still be written to the cache */
    } rows[] = {
        {"a folder that all may write to", "", make_mode, 0777, "chmod", false},
        {"one that its group may write to", "", make_mode, 0770, "chmod", false},
        {"such a folder in it", "/v1", make_mode, 0702, "chmod", false},
        {"and in that", "/v1/indexes", make_mode, 0720, "chmod", false},
        {"a folder that is a link", "", make_link, 0, "link", false},
        {"a link in it", "/v1", make_link, 0, "link", false},
        {"and in that", "/v1/indexes", make_link, 0, "link", false},
        {"another user's folder", "", make_foreign, 0, "another user", false},
        {"another user's folder in it", "/v1", make_foreign, 0, "another user", false},
        {"and in that", "/v1/indexes", make_foreign, 0, "another user", false},
        {"a file that all may write to", NULL, make_mode, 0666, "chmod", true},
        {"a file that its group may write to", NULL, make_mode, 0660, "chmod", true},
        {"another user's file", NULL, make_foreign, 0, "another user", true},
        {"a file that is a link", NULL, make_link, 0, NULL, true},
        {"a FIFO", NULL, make_fifo, 0, "not a file", true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct cache cache;
        struct fm_cache_fault fault = {NULL, 0};
        char name[40], path[700];
        /* only root can change the owner of a file, so the case is skipped */
        if (rows[i].make == make_foreign && geteuid() != 0) continue;
        snprintf(name, sizeof name, "trust-%zu", i);
        cache_begin(&cache, name, 100 * BLOCK);
        assert_true(put(&cache, index_name(VERSION, '0'), 5));
        assert_true(use(&cache, index_name(VERSION, '0'), &fault));
        snprintf(path, sizeof path, "%s%s", cache.path, rows[i].below ? rows[i].below : "");
        rows[i].make(rows[i].below ? path : path_of(&cache, index_name(VERSION, '0')), name, rows[i].mode);
        if (use(&cache, index_name(VERSION, '0'), &fault)) fail_msg("%s: is used", rows[i].why);
        if (rows[i].says && (fault.why == NULL || strstr(fault.why, rows[i].says) == NULL))
            fail_msg("%s: '%s' does not say '%s'", rows[i].why, fault.why ? fault.why : "", rows[i].says);
        const unsigned before = count_files(top.path, "");
        if (put(&cache, index_name(VERSION, '1'), 5) != rows[i].writes) fail_msg("%s: writing another", rows[i].why);
        if (count_files(top.path, "") != before + rows[i].writes) fail_msg("%s: what was written", rows[i].why);
        cache.folder.budget = 1;
        fm_cache_sweep(&cache.folder); /* a sweep removes only files of the cache itself */
        if (rows[i].make != make_link && rows[i].below == NULL && !has(&cache, index_name(VERSION, '0')))
            fail_msg("%s: was removed", rows[i].why);
        if (count_files(top.path, "") != before) fail_msg("%s: what was removed", rows[i].why);
    }
}

/* --- testing several processes --- */

static int work(const char *name, unsigned seed)
{
    struct cache cache;
    cache_begin(&cache, name, 6 * BLOCK);
    for (unsigned i = 0; i < 60; i++) {
        struct fm_cache_fault fault;
        char *bytes = malloc(3 * BLOCK);
        const size_t size = 1 + (i * 7919 + seed * 104729) % (2 * BLOCK);
        const char *index = index_name(VERSION, (char)('0' + (i + seed) % 10));
        if (bytes == NULL) return 1;
        memset(bytes, (int)(size % 251), size);
        if (!fm_cache_write(&cache.folder, FM_CACHE_INDEXES, index, fm_str(bytes, size), &fault)) return 2;
        const int file = fm_cache_open(&cache.folder, FM_CACHE_INDEXES, index, &fault);
        if (file < 0 && fault.why) return 3;
        if (file < 0) {
            free(bytes);
            continue; /* another process removed the file before this one opened it */
        }
        const ssize_t got = read(file, bytes, 3 * BLOCK);
        if (got <= 0) return 4;
        for (ssize_t k = 0; k < got; k++)
            if (bytes[k] != (char)(got % 251)) return 5; /* the file must be complete, as one process wrote it */
        close(file);
        free(bytes);
    }
    return 0;
}

static void several_processes(void **state)
{
    (void)state;
    pid_t children[6];
    for (unsigned i = 0; i < COUNT_OF(children); i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) _exit(work("several", i));
    }
    for (size_t i = 0; i < COUNT_OF(children); i++) {
        int status = 0;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail_msg("a process ended with %d", status);
    }
    struct cache cache;
    cache_begin(&cache, "several", 6 * BLOCK);
    fm_cache_sweep(&cache.folder);
    assert_true(cache.folder.bytes <= 6 * BLOCK);
    /* all files in the folder are indexes, so no temporary file is left */
    assert_int_equal(count_files(cache.path, ""), count_files(cache.path, ".fmx"));
}

/* --- testing the budget of a session --- */

static void sessions_have_a_budget(void **state)
{
    (void)state;
    static const struct {
        uint64_t budget;
        unsigned indexes;
    } rows[] = {{0, 1}, {1 << 20, 1}, {1, 0}};
    const char *path = FM_SOURCE_DIR "/corpus/native/clang-x86_64-O1.so";

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char name[40];
        framemap_session *session = NULL;
        framemap_error error = {0};
        const framemap_index *index = NULL;
        snprintf(name, sizeof name, "session-%zu", i);
        const framemap_session_options options = {.size = sizeof options,
                                                  .symbol_paths = &path,
                                                  .symbol_path_count = 1,
                                                  .cache_path = in_folder(&top, name),
                                                  .cache_bytes = rows[i].budget};
        must_ok(framemap_session_open(&options, &session, &error), &error);
        const framemap_image_query want = {.path = framemap_str_of(path)};
        must_ok(framemap_session_index(session, &want, &index, &error), &error);
        framemap_session_release(session, index);
        framemap_session_close(session);
        assert_int_equal(count_files(in_folder(&top, name), ".fmx"), rows[i].indexes);
    }
}

/* Checks the reason that is reported if a folder cannot be made: why that folder could not be made, and not that a
 * folder below it does not exist. */
static void reasons_of_folders(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        int code;
    } rows[] = {{"closed/cache", EACCES}, {"closed/new/newer/cache", EACCES}, {"file/cache", ENOTDIR}};
    struct fm_cache_fault fault = {NULL, 0};
    struct cache cache;
    assert_int_equal(chmod(top.path, 0755), 0);
    assert_int_equal(mkdir(in_folder(&top, "closed"), 0555), 0);
    put_file(&top, "file", FM_STR("text"));
    const bool is_root = geteuid() == 0; /* root can write to every folder, so this test needs another user */
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        cache_begin(&cache, rows[i].path, 1 << 20);
        if (is_root) assert_int_equal(seteuid(65534), 0);
        const bool ok =
            fm_cache_write(&cache.folder, FM_CACHE_INDEXES, index_name(VERSION, '1'), FM_STR("bytes"), &fault);
        if (is_root) assert_int_equal(seteuid(0), 0);
        assert_false(ok);
        assert_null(fault.why);
        if (fault.code != rows[i].code) fail_msg("%s: %d is not %d", rows[i].path, fault.code, rows[i].code);
    }
    assert_int_equal(chmod(in_folder(&top, "closed"), 0755), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_unused_are_removed),
        cmocka_unit_test(what_was_there_counts),
        cmocka_unit_test(other_versions_go_first),
        cmocka_unit_test(only_files_of_ours_are_removed),
        cmocka_unit_test(what_others_may_write_is_not_used),
        cmocka_unit_test(reasons_of_folders),
        cmocka_unit_test(several_processes),
        cmocka_unit_test(sessions_have_a_budget),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
