/* Tests native frames whose index is closed (session/restore/recall.c, native_recall.c). The sessions keep no index
 * open, so when a text is restored the second time, cached answers are used. The result must be the same as with all
 * indexes open. */
#include "tests/session/restore/recall_help.h"

#include <pthread.h>

#define APP_ID "0123456789abcdef0123456789abcdef01234567"
#define LIB_ID "fedcba9876543210fedcba9876543210fedcba98"
#define APP_FILE "libapp.so.fmx"

static const struct made_image images[] = {
    {.name = "libapp.so", .id = APP_ID, .arch = "arm64", .functions = {"_Z5outerv", "_Z4mainiPPc", "_ZN1a1bEv"}},
    {.name = "liblib.so", .id = LIB_ID, .arch = "arm64", .functions = {"_Z3libv", "plain"}},
    {.name = "[kernel.kallsyms]", .kind = "kallsyms", .id = "", .arch = "x86_64", .functions = {"start_kernel"}},
    {.name = "libarm.so", .id = "", .arch = "arm", .functions = {"_Z3armv", "thumb"}},
    {.name = "trap.wasm", .kind = "wasm", .id = "", .arch = "wasm32", .functions = {"_Z4trapv"}}};
static const struct made_image renamed = {
    .name = "libapp.so", .id = APP_ID, .arch = "arm64", .functions = {"_Z6newestv", "_Z4mainiPPc", "_ZN1a1bEv"}};

#define HEAD "backtrace:\n"
#define APP_ROW(number, address) \
    "      #" number " pc 00000000000" address "  /data/app/libapp.so (BuildId: " APP_ID ")\n"
#define LIB_ROW(number, address) \
    "      #" number " pc 00000000000" address "  /data/app/liblib.so (BuildId: " LIB_ID ")\n"
#define WASM_HEAD "Error: x\n"
#define WASM_ROW(name, address) "    at " name " (wasm://wasm/trap.wasm:wasm-function[1]:0x" address ")\n"

/* Texts with every kind of query: by symbol and distance, by linked address, by return address, by name only; with an
 * address outside of code, an address below the image, several images, the same address twice, frames of a kernel, the
 * Thumb bit, and WebAssembly. */
static const char *const texts[] = {
    HEAD APP_ROW("00", "10104") APP_ROW("01", "10204") APP_ROW("02", "10304") APP_ROW("03", "10124"),
    HEAD APP_ROW("00", "10124") APP_ROW("01", "10124") APP_ROW("02", "19999"),
    HEAD APP_ROW("00", "19999") APP_ROW("01", "00004"),
    HEAD APP_ROW("00", "10104") LIB_ROW("01", "10108") LIB_ROW("02", "10218"),
    "/data/libapp.so(_Z5outerv+0x4) [0x10104]\n/data/libapp.so(+0x110) [0x7f0010110]\n/data/liblib.so() [0x10104]\n",
    "0   libapp.so   0x0000000100000110 0x100000000 + 272\n1   libapp.so   0x0000000100000124 0x100000000 + 292\n",
    "[   12.3] Call Trace:\n[   12.3]  [<0000000000010104>] start_kernel+0x4/0x40\n",
    "/data/libarm.so(+0x111) [0x7f0010111]\n/data/libarm.so(+0x201) [0x7f0010201]\n",
    WASM_HEAD WASM_ROW("f", "10104") WASM_ROW("g", "19999"),
};

static int set_up(void **state)
{
    static struct folder folder;
    char name[64];
    folder_make(&folder);
    for (size_t i = 0; i < COUNT_OF(images); i++) {
        snprintf(name, sizeof name, "%s.fmx", images[i].name);
        put_index(&folder, name, &images[i]);
    }
    *state = &folder;
    return 0;
}

static int tear_down(void **state)
{
    const struct folder *folder = *state;
    remove_tree(folder->path);
    return 0;
}

static void answers_outlive_their_index(void **state)
{
    const struct folder *folder = *state;
    static const framemap_demangle styles[] = {FRAMEMAP_DEMANGLE_DEFAULT, FRAMEMAP_DEMANGLE_NONE};
    check_recalled(folder->path, HEAD APP_ROW("00", "10104"), texts, COUNT_OF(texts), styles, COUNT_OF(styles));
}

/* The answers for some frames of a stack are cached; the index is opened only for the other frames. */
static void a_stack_may_be_known_in_part(void **state)
{
    const struct folder *folder = *state;
    check_in_turn(folder->path, texts, COUNT_OF(texts));
}

/* The answers of an index of a few KiB are not cached, since opening the index takes no longer than searching the
 * cache. */
static void small_indexes_are_not_remembered(void **state)
{
    const struct folder *folder = *state;
    framemap_session *session = open_on(folder->path, NULL);
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    session->cache.budget = 1;
    for (size_t round = 0; round < 2; round++) restore(session, texts[0], &out);
    assert_int_equal(fm_answer_cache_used(&session->cache.answers), 0);
    framemap_session_close(session);
    fm_buf_free(&out);
}

static void small_budgets_have_no_answers(void **state)
{
    const struct folder *folder = *state;
    static const struct {
        uint64_t budget;
        bool has_answers;
    } rows[] = {{(uint64_t)11 << 20, false}, {(uint64_t)12 << 20, true}, {0, true}};
    const char *path = folder->path;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const framemap_session_options options = {.size = sizeof options,
                                                  .symbol_paths = &path,
                                                  .symbol_path_count = 1,
                                                  .cache_path = "",
                                                  .max_index_bytes = rows[i].budget};
        framemap_session *session = NULL;
        framemap_error error = {0};
        must_ok(framemap_session_open(&options, &session, &error), &error);
        assert_int_equal(session->cache.answers.most > 0, rows[i].has_answers);
        framemap_session_close(session);
    }
}

/* An answer that is requested again and again stays in the cache, while other answers are added and evicted. */
static void what_is_asked_for_stays_known(void **state)
{
    enum { TEXTS = 100, ROWS = 100, ROW = 128 };
    const struct folder *folder = *state;
    framemap_session *session = forgetful_on(folder->path, NULL);
    static char other[ROWS * ROW];
    struct fm_heap heap;
    struct fm_buf out;
    unsigned address = 0x20000;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    session->cache.answers.most = FM_ANSWER_LEAST;
    for (size_t round = 0; round < 2; round++) restore(session, texts[0], &out);
    for (size_t t = 0; t < TEXTS; t++) {
        size_t size = (size_t)snprintf(other, sizeof other, "%s", HEAD);
        for (unsigned row = 0; row < ROWS; row++)
            size += (size_t)snprintf(other + size, sizeof other - size,
                                     "      #%02u pc 00000000000%05x  /data/app/liblib.so (BuildId: " LIB_ID ")\n", row,
                                     address++);
        restore(session, other, &out);
        const unsigned before = held(session);
        restore(session, texts[0], &out);
        if (held(session) != before) fail_msg("opened again after %zu other texts", t + 1);
        assert_true(fm_answer_cache_used(&session->cache.answers) <= FM_ANSWER_LEAST);
    }
    framemap_session_close(session);
    fm_buf_free(&out);
}

static void another_file_has_other_answers(void **state)
{
    const struct folder *folder = *state;
    framemap_session *session = forgetful_on(folder->path, NULL);
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    for (size_t round = 0; round < 2; round++) restore(session, texts[0], &out);
    assert_true(fm_str_find(fm_buf_view(&out), FM_STR("outer()")) != FM_NOT_FOUND);
    put_index(folder, "new", &renamed);
    assert_int_equal(rename(in_folder(folder, "new"), in_folder(folder, APP_FILE)), 0);
    for (size_t round = 0; round < 2; round++) {
        restore(session, texts[0], &out);
        assert_true(fm_str_find(fm_buf_view(&out), FM_STR("outer()")) == FM_NOT_FOUND);
        assert_true(fm_str_find(fm_buf_view(&out), FM_STR("newest()")) != FM_NOT_FOUND);
    }
    assert_int_equal(unlink(in_folder(folder, APP_FILE)), 0);
    restore(session, texts[0], &out);
    assert_true(fm_str_find(fm_buf_view(&out), FM_STR("newest()")) == FM_NOT_FOUND);
    assert_true(fm_str_find(fm_buf_view(&out), FM_STR("can't be read")) != FM_NOT_FOUND);
    framemap_session_close(session);
    fm_buf_free(&out);
    put_index(folder, APP_FILE, &images[0]);
}

/* If a folder is renamed, its files have the same stamps as before, but the cached answers are not used for the new
 * paths. */
static void a_file_is_not_known_at_another_path(void **state)
{
    (void)state;
    static const char stack[] = HEAD APP_ROW("00", "10104");
    struct made_image other = renamed;
    struct folder folder;
    struct fm_heap heap;
    struct fm_buf out;
    folder_make(&folder);
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    other.id = LIB_ID;
    assert_int_equal(mkdir(in_folder(&folder, "a"), 0700), 0);
    assert_int_equal(mkdir(in_folder(&folder, "b"), 0700), 0);
    put_index(&folder, "a/" APP_FILE, &images[0]);
    put_index(&folder, "b/" APP_FILE, &other);
    framemap_session *session = forgetful_on(folder.path, NULL);
    for (size_t round = 0; round < 2; round++) {
        restore(session, HEAD "      #00 pc 0000000000010104  /data/app/libapp.so (BuildId: " LIB_ID ")\n", &out);
        assert_true(fm_str_find(fm_buf_view(&out), FM_STR("newest()")) != FM_NOT_FOUND);
    }
    assert_int_equal(rename(in_folder(&folder, "a"), in_folder(&folder, "c")), 0);
    assert_int_equal(rename(in_folder(&folder, "b"), in_folder(&folder, "a")), 0);
    restore(session, stack, &out);
    if (fm_str_find(fm_buf_view(&out), FM_STR("newest()")) != FM_NOT_FOUND)
        fail_msg("of another build:\n%.*s", (int)out.size, out.data);
    assert_true(fm_str_find(fm_buf_view(&out), FM_STR("changed-while-read")) != FM_NOT_FOUND);
    framemap_session_close(session);
    remove_tree(folder.path);
    fm_buf_free(&out);
}

/* A path is in the catalog twice, with the file before and the file after it was replaced. Both entries lead to the new
 * file. */
static void a_replaced_file_is_listed_again(void **state)
{
    (void)state;
    static const char known[] = HEAD APP_ROW("00", "10104"),
                      both[] = HEAD APP_ROW("00", "10104") "      #01 pc 0000000000010104  /data/lib.so\n";
    static const struct made_image old = {.name = "lib.so", .id = "", .arch = "arm64", .functions = {"_Z3oldv"}};
    const framemap_scope labels = {.size = sizeof labels, .app = FM_STR("shop")};
    struct folder folder;
    struct fm_heap heap;
    struct fm_buf got, want;
    framemap_error error = {0};
    folder_make(&folder);
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&got, &heap);
    fm_buf_init(&want, &heap);
    put_index(&folder, "lib.so.fmx", &old);
    put_index(&folder, "other.fmx", &images[1]);
    framemap_session *session = forgetful_on(folder.path, NULL), *plain = session_on(folder.path);
    put_index(&folder, "new", &renamed);
    assert_int_equal(rename(in_folder(&folder, "new"), in_folder(&folder, "lib.so.fmx")), 0);
    must_ok(framemap_session_add_labeled(session, in_folder(&folder, "lib.so.fmx"), &labels, &error), &error);
    must_ok(framemap_session_add_labeled(plain, in_folder(&folder, "lib.so.fmx"), &labels, &error), &error);
    restore(session, HEAD LIB_ROW("00", "10104"), &got);
    for (size_t round = 0; round < 2; round++) restore(session, known, &got);
    assert_true(fm_str_find(fm_buf_view(&got), FM_STR("newest()")) != FM_NOT_FOUND);
    restore(session, both, &got);
    restore(plain, both, &want);
    assert_same(&got, &want, both);
    framemap_session_close(session);
    framemap_session_close(plain);
    remove_tree(folder.path);
    fm_buf_free(&got);
    fm_buf_free(&want);
}

/* If the symbol file of a module is deleted, the only Dart program is used in its place, provided that the module has a
 * name that all Flutter programs have. */
static void dart_programs_stand_in_for_a_file_that_is_gone(void **state)
{
    (void)state;
    static const char stack[] = "0   App   0x0000000100000104 0x100000000 + 260\n";
    static const struct made_image app = {.name = "App", .id = LIB_ID, .arch = "arm64", .functions = {"_Z3appv"}},
                                   dart = {.kind = "dart", .name = "x", .id = APP_ID, .functions = {"dart_main"}};
    struct folder folder;
    struct fm_heap heap;
    struct fm_buf got, want;
    folder_make(&folder);
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&got, &heap);
    fm_buf_init(&want, &heap);
    put_index(&folder, "App.fmx", &app);
    put_index(&folder, "x.fmx", &dart);
    framemap_session *session = forgetful_on(folder.path, NULL), *plain = session_on(folder.path);
    for (size_t round = 0; round < 2; round++) restore(session, stack, &got);
    assert_true(fm_str_find(fm_buf_view(&got), FM_STR("app()")) != FM_NOT_FOUND);
    assert_int_equal(unlink(in_folder(&folder, "App.fmx")), 0);
    restore(session, stack, &got);
    restore(plain, stack, &want);
    assert_true(fm_str_find(fm_buf_view(&want), FM_STR("dart_main")) != FM_NOT_FOUND);
    assert_same(&got, &want, stack);
    framemap_session_close(session);
    framemap_session_close(plain);
    remove_tree(folder.path);
    fm_buf_free(&got);
    fm_buf_free(&want);
}

/* --- testing a file that is replaced during a call --- */

/* Restores a text with two frames. The file is replaced at the first request for memory, then, in the next run, at the
 * second one, and so on. Both frames must be restored from the same file. both: the frames are in one function, and the
 * answer for the first is cached. */
static void check_two_rows(const struct folder *folder, const char *both)
{
    struct folder other;
    struct fm_heap heap;
    struct fm_buf out;
    size_t of_new = 0, of_old = 0;
    folder_make(&other);
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    for (size_t at = 0, last = 1; at < last; at++) {
        struct replacing replacing = {SIZE_MAX, 0, in_folder(folder, APP_FILE), in_folder(&other, "new")};
        const framemap_allocator allocator = {replacing_resize, &replacing};
        put_index(folder, APP_FILE, &images[0]);
        put_index(&other, "new", &renamed);
        framemap_session *session = forgetful_on(folder->path, &allocator);
        for (size_t round = 0; round < 2; round++) restore(session, HEAD APP_ROW("00", "10104"), &out);
        replacing.requests = 0;
        replacing.at = at;
        restore(session, both, &out);
        last = replacing.requests;
        const bool has_old = fm_str_find(fm_buf_view(&out), FM_STR("outer()")) != FM_NOT_FOUND;
        const bool has_new = fm_str_find(fm_buf_view(&out), FM_STR("newest()")) != FM_NOT_FOUND;
        if (has_old == has_new)
            fail_msg("replaced at request %zu: %s\n%.*s", at, has_old ? "mixed" : "neither", (int)out.size, out.data);
        of_old += has_old;
        of_new += has_new;
        framemap_session_close(session);
    }
    assert_true(of_old > 0 && of_new > 0);
    remove_tree(other.path);
    fm_buf_free(&out);
    put_index(folder, APP_FILE, &images[0]);
}

static void answers_of_two_files_never_mix(void **state)
{
    check_two_rows(*state, HEAD APP_ROW("00", "10104") APP_ROW("01", "10108"));
    /* The text names the file in two ways, and another file is opened between the two frames. */
    check_two_rows(
        *state,
        HEAD APP_ROW("00", "10104") "      #01 pc 0000000000010108  /data/app/liblib.so (BuildId: " LIB_ID ")\n"
                                    "      #02 pc 0000000000010108  /data/app/other.so (BuildId: " APP_ID ")\n");
}

static void memory_may_be_short(void **state)
{
    const struct folder *folder = *state;
    check_short_memory(&(struct recalled_text){folder->path, texts[3], "outer()"});
}

/* --- threads --- */

struct shared {
    framemap_session *session;
    const struct fm_buf *wants;
    bool differs;
};

static void *restore_all(void *context)
{
    struct shared *shared = context;
    struct fm_heap heap;
    struct fm_buf out;
    framemap_error error = {0};
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    for (size_t i = 0; i < 200; i++) {
        const size_t t = i % COUNT_OF(texts);
        if (restore_as(shared->session, texts[t], FRAMEMAP_DEMANGLE_DEFAULT, &out, &error) != FRAMEMAP_OK ||
            !fm_str_equal(fm_buf_view(&out), fm_buf_view(&shared->wants[t])))
            shared->differs = true;
    }
    fm_buf_free(&out);
    return NULL;
}

static void threads_share_answers(void **state)
{
    const struct folder *folder = *state;
    enum { THREADS = 4 };
    struct shared shared[THREADS];
    pthread_t threads[THREADS];
    struct fm_heap heap;
    struct fm_buf wants[COUNT_OF(texts)];
    skip_without_threads();
    framemap_session *plain = session_on(folder->path), *session = forgetful_on(folder->path, NULL);
    fm_heap_init(&heap, NULL, 0);
    for (size_t t = 0; t < COUNT_OF(texts); t++) {
        fm_buf_init(&wants[t], &heap);
        restore(plain, texts[t], &wants[t]);
    }
    for (size_t i = 0; i < THREADS; i++) {
        shared[i] = (struct shared){session, wants, false};
        assert_int_equal(pthread_create(&threads[i], NULL, restore_all, &shared[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_false(shared[i].differs);
    }
    for (size_t t = 0; t < COUNT_OF(texts); t++) fm_buf_free(&wants[t]);
    framemap_session_close(session);
    framemap_session_close(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_outlive_their_index),
        cmocka_unit_test(a_stack_may_be_known_in_part),
        cmocka_unit_test(small_indexes_are_not_remembered),
        cmocka_unit_test(small_budgets_have_no_answers),
        cmocka_unit_test(what_is_asked_for_stays_known),
        cmocka_unit_test(another_file_has_other_answers),
        cmocka_unit_test(a_file_is_not_known_at_another_path),
        cmocka_unit_test(a_replaced_file_is_listed_again),
        cmocka_unit_test(dart_programs_stand_in_for_a_file_that_is_gone),
        cmocka_unit_test(answers_of_two_files_never_mix),
        cmocka_unit_test(memory_may_be_short),
        cmocka_unit_test(threads_share_answers),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
