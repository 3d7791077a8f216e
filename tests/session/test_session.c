/* Tests symbol paths, the search for a single index, and sessions that several threads use. */
#include "core/text/buffer.h"
#include "tests/session/session_help.h"

#include <pthread.h>

static const struct made_image app = {
    .name = "libapp.so", .id = "0123456789abcdef0123456789abcdef01234567", .arch = "arm64", .functions = {"_Z5outerv"}};
static const struct made_image twin = {.name = "libapp.so",
                                       .id = "fedcba9876543210fedcba9876543210fedcba98",
                                       .arch = "x86_64",
                                       .functions = {"_Z5otherv"}};
static struct folder folder;

static int set_up(void **state)
{
    (void)state;
    folder_make(&folder);
    put_index(&folder, "arm/libapp.so.fmx", &app);
    put_index(&folder, "intel/libapp.so.fmx", &twin);
    put_file(&folder, "notes.txt", FM_STR("nothing\n"));
    put_file(&folder, "empty", FM_STR(""));
    assert_int_equal(symlink("..", in_folder(&folder, "arm/loop")), 0);
    assert_int_equal(symlink("nowhere", in_folder(&folder, "dangling")), 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove_tree(folder.path);
    return 0;
}

static framemap_session *open_paths(const char *const *paths, size_t count, struct warnings *warnings,
                                    framemap_status wanted, framemap_error *error)
{
    framemap_session *session = NULL;
    const framemap_session_options options = {.size = sizeof options,
                                              .symbol_paths = paths,
                                              .symbol_path_count = count,
                                              .cache_path = "",
                                              .warning = keep_warning,
                                              .context = warnings};
    framemap_status status = framemap_session_open(&options, &session, error);
    if (status != wanted) fail_msg("status %d: %s", (int)status, error->message);
    return session;
}

static framemap_status find(framemap_session *session, const char *path, const char *name, const char *id,
                            const char *arch, char *function, framemap_error *error)
{
    const framemap_image_query want = {.path = framemap_str_of(path),
                                       .name = framemap_str_of(name),
                                       .id = framemap_str_of(id),
                                       .arch = framemap_str_of(arch)};
    const framemap_index *index = NULL;
    framemap_status status = framemap_session_index(session, &want, &index, error);
    if (status != FRAMEMAP_OK) return status;
    framemap_index_info info;
    framemap_index_describe(index, &info);
    snprintf(function, 8, "%.*s", 7, info.id.data);
    framemap_session_release(session, index);
    return status;
}

static void one_index(void **state)
{
    (void)state;
    static const struct {
        const char *why, *path, *name, *id, *arch;
        framemap_status status;
        const char *got;
    } rows[] = {
        {"by id", NULL, NULL, "0123456789abcdef0123456789abcdef01234567", NULL, FRAMEMAP_OK, "0123456"},
        {"by name and CPU", NULL, "libapp.so", NULL, "x86-64", FRAMEMAP_OK, "fedcba9"},
        {"by name alone: two fit", NULL, "libapp.so", NULL, NULL, FRAMEMAP_E_MISMATCH, NULL},
        {"by name, for a CPU that is not there", NULL, "libapp.so", NULL, "ppc64", FRAMEMAP_E_MISMATCH, NULL},
        {"by name, with a third id", NULL, "libapp.so", "00000000000000000000000000000000", NULL, FRAMEMAP_E_MISMATCH,
         NULL},
        {"a name that is not there", NULL, "libnone.so", NULL, NULL, FRAMEMAP_E_EMPTY, NULL},
        {"nothing to go by", NULL, NULL, NULL, NULL, FRAMEMAP_E_EMPTY, NULL},
        {"by path", "arm/libapp.so.fmx", NULL, NULL, NULL, FRAMEMAP_OK, "0123456"},
        {"by path, a folder", "intel", NULL, NULL, NULL, FRAMEMAP_OK, "fedcba9"},
        {"by path and the wrong id", "arm/libapp.so.fmx", NULL, "fedcba9876543210fedcba9876543210fedcba98", NULL,
         FRAMEMAP_E_MISMATCH, NULL},
        {"by path and the wrong CPU", "arm/libapp.so.fmx", NULL, NULL, "x86", FRAMEMAP_E_MISMATCH, NULL},
        {"a file that is not a symbol file", "notes.txt", NULL, NULL, NULL, FRAMEMAP_E_FORMAT, NULL},
        {"an empty file", "empty", NULL, NULL, NULL, FRAMEMAP_E_FORMAT, NULL},
        {"a file that is not there", "gone.so", NULL, NULL, NULL, FRAMEMAP_E_IO, NULL},
        {"a link to nowhere", "dangling", NULL, NULL, NULL, FRAMEMAP_E_IO, NULL},
    };
    struct warnings warnings = {0};
    framemap_error error = {0};
    const char *path = folder.path;
    framemap_session *session = open_paths(&path, 1, &warnings, FRAMEMAP_OK, &error);
    assert_int_equal(warnings.count, 0); /* files of other kinds and cyclic links cause no warning */
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char got[8] = "";
        memset(&error, 0, sizeof error);
        const char *whole = rows[i].path ? in_folder(&folder, rows[i].path) : NULL;
        framemap_status status = find(session, whole, rows[i].name, rows[i].id, rows[i].arch, got, &error);
        if (status != rows[i].status) fail_msg("%s: %d %s", rows[i].why, (int)status, error.message);
        if (rows[i].got)
            assert_string_equal(got, rows[i].got);
        else
            assert_true(error.code == status && error.message[0] && (error.where[0] || i == 6));
        if (whole && !rows[i].got) assert_string_equal(error.where, whole);
    }
    framemap_session_close(session);
}

/* If a symbol file cannot be compiled, the error names the file, since a session may have many files. */
static void faults_of_a_compilation_name_the_file(void **state)
{
    static const char map[] = "{\"version\":3,\"sources\":[\"a.js\"],\"mappings\":\"AAAA,A=\"}";
    struct folder own;
    struct warnings warnings = {0};
    framemap_error error = {0};
    char got[8] = "", whole[600];
    (void)state;
    folder_make(&own);
    put_file(&own, "dist/good.js.map", FM_STR("{\"version\":3,\"sources\":[\"a.js\"],\"mappings\":\"AAAA\"}"));
    put_file(&own, "dist/main.js.map", framemap_str_of(map));
    snprintf(whole, sizeof whole, "%s", in_folder(&own, "dist/main.js.map"));
    const char *path = own.path;
    framemap_session *session = open_paths(&path, 1, &warnings, FRAMEMAP_OK, &error);
    must_ok(find(session, in_folder(&own, "dist/good.js.map"), NULL, NULL, NULL, got, &error), &error);
    assert_int_equal(warnings.count, 0);
    must_ok(find(session, whole, NULL, NULL, NULL, got, &error), &error);
    assert_int_equal(warnings.count, 1);
    assert_string_equal(warnings.last.where, whole);
    assert_non_null(strstr(warnings.last.message, "not a base64 digit"));
    framemap_session_close(session);
    remove_tree(own.path);
}

/* an index that was prepared is open, so it can be used after its file was removed */
static void indexes_are_prepared(void **state)
{
    (void)state;
    struct folder own;
    struct warnings warnings = {0};
    framemap_error error = {0};
    char got[8] = "";
    size_t found = 9;
    folder_make(&own);
    put_index(&own, "libapp.so.fmx", &app);
    put_index(&own, "twin/libapp.so.fmx", &twin);
    const char *path = own.path;
    framemap_session *session = open_paths(&path, 1, &warnings, FRAMEMAP_OK, &error);
    const framemap_image_query wants[] = {{.id = framemap_str_of(app.id)},
                                          {.name = FM_STR_INIT("libapp.so"), .arch = FM_STR_INIT("x86-64")},
                                          /* two files have this name, so neither of them is chosen */
                                          {.name = FM_STR_INIT("libapp.so")},
                                          {.id = FM_STR_INIT("00")},
                                          {.name = FM_STR_INIT("a.js")}};
    const framemap_image_query with_path = {.path = FM_STR_INIT("a.so")};
    must_ok(framemap_session_prepare(session, NULL, wants, COUNT_OF(wants), &found, &error), &error);
    assert_int_equal(found, 2);
    must_ok(framemap_session_prepare(session, NULL, NULL, 0, &found, &error), &error);
    assert_int_equal(found, 0);
    remove_tree(own.path);
    assert_int_equal(find(session, NULL, NULL, app.id, NULL, got, &error), FRAMEMAP_OK);
    assert_int_equal(find(session, NULL, NULL, twin.id, NULL, got, &error), FRAMEMAP_OK);
    assert_int_equal(framemap_session_prepare(NULL, NULL, wants, 1, &found, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_session_prepare(session, NULL, NULL, 1, &found, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_session_prepare(session, NULL, &with_path, 1, &found, &error), FRAMEMAP_E_ARGUMENT);
    framemap_session_close(session);
}

static void a_folder_without_symbols(void **state)
{
    (void)state;
    struct warnings warnings = {0};
    framemap_error error = {0};
    put_file(&folder, "notes/todo.txt", FM_STR("nothing\n"));
    const char *path = in_folder(&folder, "notes");
    framemap_session *session = open_paths(&path, 1, &warnings, FRAMEMAP_OK, &error);
    assert_int_equal(warnings.count, 1);
    assert_int_equal(warnings.last.code, FRAMEMAP_E_EMPTY);
    assert_string_equal(warnings.last.where, path);
    assert_string_equal(warnings.last.message, "there is no symbol file in this folder");
    path = folder.path;
    must_ok(framemap_session_add(session, path, &error), &error);
    /* the second call adds no file, but causes no warning, since the folder has a symbol file */
    must_ok(framemap_session_add(session, path, &error), &error);
    assert_int_equal(warnings.count, 1);
    framemap_session_close(session);
}

/* Tests a folder with symbol files of Windows. The warning names their kind, and states which files to
 * give instead. */
static void a_folder_of_other_symbols(void **state)
{
    struct folder own;
    struct warnings warnings = {0};
    framemap_error error = {0};
    (void)state;
    folder_make(&own);
    put_file(&own, "libapp.so/Info.plist", FM_STR("<?xml version=\"1.0\"?>\n"));
    put_file(&own, "libapp.so/0123/z.pdb", FM_STR("Microsoft C/C++ MSF 7.00\r\n"));
    const char *path = own.path;
    framemap_session *session = open_paths(&path, 1, &warnings, FRAMEMAP_OK, &error);
    assert_int_equal(warnings.count, 1);
    assert_string_equal(warnings.last.where, path);
    assert_non_null(strstr(warnings.last.message, "in this folder; z.pdb: this is a PDB file"));
    /* once a folder has a symbol file, its other files cause no warning */
    put_index(&own, "libapp.so.fmx", &app);
    must_ok(framemap_session_add(session, path, &error), &error);
    assert_int_equal(warnings.count, 1);
    framemap_session_close(session);
    remove_tree(own.path);
}

/* The error for a file of another build contains the path and both ids. */
static void says_which_build(void **state)
{
    (void)state;
    static const char third[] = "00000000000000000000000000000000";
    struct warnings warnings = {0};
    framemap_error error = {0};
    char got[8], wanted[256];
    const char *path = folder.path, *file = in_folder(&folder, "arm/libapp.so.fmx");
    framemap_session *session = open_paths(&path, 1, &warnings, FRAMEMAP_OK, &error);
    snprintf(wanted, sizeof wanted, "the file has another build id than the requested one: %s, not %s", app.id, third);
    assert_int_equal(find(session, file, NULL, third, NULL, got, &error), FRAMEMAP_E_MISMATCH);
    assert_string_equal(error.message, wanted);
    assert_string_equal(error.where, file);
    assert_int_equal(find(session, NULL, "libapp.so", third, NULL, got, &error), FRAMEMAP_E_MISMATCH);
    assert_non_null(strstr(error.message, third));
    assert_true(strstr(error.message, app.id) != NULL || strstr(error.message, twin.id) != NULL);
    assert_true(strstr(error.where, "libapp.so.fmx") != NULL);
    framemap_session_close(session);
}

static void paths(void **state)
{
    (void)state;
    struct warnings warnings = {0};
    framemap_error error = {0};
    char got[8];
    const char *gone = in_folder(&folder, "gone");
    open_paths(&gone, 1, &warnings, FRAMEMAP_E_IO, &error);
    assert_string_equal(error.where, gone);

    const char *text = in_folder(&folder, "notes.txt");
    framemap_session *session = open_paths(&text, 1, &warnings, FRAMEMAP_OK, &error);
    /* a file that is named as a symbol path, but is not a symbol file, causes a warning */
    assert_int_equal(warnings.count, 1);
    assert_int_equal(warnings.last.code, FRAMEMAP_E_FORMAT);
    assert_string_equal(warnings.last.where, text);
    assert_int_equal(find(session, NULL, "libapp.so", NULL, NULL, got, &error), FRAMEMAP_E_EMPTY);
    must_ok(framemap_session_add(session, in_folder(&folder, "arm/libapp.so.fmx"), &error), &error);
    /* this call adds a file that the session already has */
    must_ok(framemap_session_add(session, in_folder(&folder, "arm"), &error), &error);
    must_ok(find(session, NULL, "libapp.so", NULL, "arm64", got, &error), &error);
    assert_string_equal(got, "0123456");
    framemap_session_close(session);
}

static void a_build_id_tree(void **state)
{
    (void)state;
    struct warnings warnings = {0};
    framemap_error error = {0};
    char got[8];
    static const struct made_image nameless = {.name = "x", .id = "", .arch = "arm64", .functions = {"_Z1xv"}};
    put_index(&folder, "tree/.build-id/ab/cdef0123456789.debug", &nameless);
    const char *path = in_folder(&folder, "tree");
    framemap_session *session = open_paths(&path, 1, &warnings, FRAMEMAP_OK, &error);
    must_ok(find(session, NULL, NULL, "abcdef0123456789", NULL, got, &error), &error);
    framemap_session_close(session);
}

static void folders_without_permission(void **state)
{
    (void)state;
    struct warnings warnings = {0};
    framemap_error error = {0};
    put_file(&folder, "shut/closed/inside", FM_STR("x"));
    put_file(&folder, "shut/secret", FM_STR("x"));
    assert_int_equal(chmod(folder.path, 0755), 0);
    assert_int_equal(chmod(in_folder(&folder, "shut/closed"), 0), 0);
    assert_int_equal(chmod(in_folder(&folder, "shut/secret"), 0), 0);
    const uid_t me = geteuid();
    /* root may read every file, so the test continues as another user */
    if (me == 0) assert_int_equal(seteuid(65534), 0);
    const char *path = in_folder(&folder, "shut"), *secret = in_folder(&folder, "shut/secret");
    framemap_session *session = open_paths(&path, 1, &warnings, FRAMEMAP_OK, &error);
    framemap_session_close(session);
    open_paths(&secret, 1, &warnings, FRAMEMAP_E_IO, &error); /* a file that the caller names must be readable */
    assert_int_equal(seteuid(me), 0);
    assert_int_equal(warnings.count, 2);
    assert_non_null(strstr(warnings.last.message, "permission"));
    assert_string_equal(error.where, secret);
    assert_non_null(strstr(error.message, "permission"));
}

static void options_of_other_versions(void **state)
{
    (void)state;
    framemap_session *session = NULL;
    framemap_error error = {0};
    struct {
        framemap_session_options known;
        uint64_t later;
    } newer = {.known = {.cache_path = ""}};
    newer.known.size = sizeof newer;
    must_ok(framemap_session_open(&newer.known, &session, &error), &error);
    framemap_session_close(session);
    newer.later = 1;
    assert_int_equal(framemap_session_open(&newer.known, &session, &error), FRAMEMAP_E_ARGUMENT);
    newer.known.size = 0;
    assert_int_equal(framemap_session_open(&newer.known, &session, &error), FRAMEMAP_E_ARGUMENT);
    /* an options struct of an older program is shorter; members that it does not have are 0 */
    newer.known.size = offsetof(framemap_session_options, cache_path);
    must_ok(framemap_session_open(&newer.known, &session, &error), &error);
    framemap_session_close(session);
    must_ok(framemap_session_open(NULL, &session, &error), &error);
    framemap_session_close(session);
    framemap_session_close(NULL);
}

/* --- threads --- */

#define THREADS 8

struct worker {
    framemap_session *session;
    unsigned number;
    bool failed;
};

static void *restore_often(void *context)
{
    struct worker *worker = context;
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    static const char text[] =
        "#00 pc 0000000000010104  /data/libapp.so (BuildId: 0123456789abcdef0123456789abcdef01234567)\n"
        "#01 pc 0000000000010104  /data/libapp.so (BuildId: fedcba9876543210fedcba9876543210fedcba98)\n"
        "#02 pc 0000000000010104  /data/libnone.so (BuildId: 00dcba9876543210fedcba9876543210fedcba98)\n";
    for (unsigned i = 0; i < 50 && !worker->failed; i++) {
        framemap_restore_summary summary;
        fm_buf_clear(&out);
        if (framemap_session_restore(worker->session, framemap_str_of(text), NULL, gather, &out, &summary, NULL) !=
                FRAMEMAP_OK ||
            summary.restored != 2 || fm_str_find(fm_buf_view(&out), FM_STR("other()")) == FM_NOT_FOUND)
            worker->failed = true;
        if (worker->number == 0 && i % 10 == 0) framemap_session_add(worker->session, folder.path, NULL);
    }
    fm_buf_free(&out);
    return NULL;
}

static void add_up(void *context, const framemap_missing *missing) { *(uint64_t *)context += missing->frames; }

static void many_threads(void **state)
{
    (void)state;
    skip_without_threads();
    struct warnings warnings = {0};
    framemap_error error = {0};
    const char *path = folder.path;
    struct worker workers[THREADS];
    pthread_t threads[THREADS];
    framemap_session *session = NULL;
    const framemap_session_options options = {.size = sizeof options,
                                              .symbol_paths = &path,
                                              .symbol_path_count = 1,
                                              .cache_path = "",
                                              .max_index_bytes = 1,
                                              .warning = keep_warning,
                                              .context = &warnings};
    must_ok(framemap_session_open(&options, &session, &error), &error);
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){session, i, false};
        assert_int_equal(pthread_create(&threads[i], NULL, restore_often, &workers[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_false(workers[i].failed);
    }
    uint64_t frames = 0;
    framemap_session_missing(session, add_up, &frames);
    assert_true(frames == THREADS * 50);
    framemap_session_close(session);
}

/* --- memory --- */

static bool open_and_find(const framemap_allocator *allocator, void *context)
{
    (void)context;
    framemap_session *session = NULL;
    framemap_error error = {0};
    const char *path = folder.path;
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = allocator,
                                              .symbol_paths = &path,
                                              .symbol_path_count = 1,
                                              .cache_path = in_folder(&folder, "cache")};
    framemap_status status = framemap_session_open(&options, &session, &error);
    if (status == FRAMEMAP_OK) {
        char got[8];
        status = find(session, in_folder(&folder, "arm/libapp.so.fmx"), NULL, NULL, NULL, got, &error);
        framemap_session_close(session);
    }
    if (status != FRAMEMAP_OK) assert_int_equal(error.code, FRAMEMAP_E_MEMORY);
    return status == FRAMEMAP_OK;
}

static void out_of_memory(void **state)
{
    (void)state;
    sweep_allocations(open_and_find, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_index),
        cmocka_unit_test(paths),
        cmocka_unit_test(a_build_id_tree),
        cmocka_unit_test(folders_without_permission),
        cmocka_unit_test(faults_of_a_compilation_name_the_file),
        cmocka_unit_test(indexes_are_prepared),
        cmocka_unit_test(a_folder_without_symbols),
        cmocka_unit_test(a_folder_of_other_symbols),
        cmocka_unit_test(says_which_build),
        cmocka_unit_test(options_of_other_versions),
        cmocka_unit_test(many_threads),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
