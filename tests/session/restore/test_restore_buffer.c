/* Tests the call that returns a restored text as one block of memory, the call for several texts, and memory that is
 * kept between calls. */
#include "tests/session/restore/restore_help.h"

#define MAPPING "com.example.Cart -> a.b:\n    3:3:void pay():30:30 -> c\n"
#define OTHER "org.other.Bill -> a.b:\n    3:3:void sum():70:70 -> c\n"
#define STACK "before\njava.lang.Error: x\n\tat a.b.c(SourceFile:3)\nafter\n"
#define RESTORED "before\njava.lang.Error: x\n\tat com.example.Cart.pay(Cart.java:30)\nafter\n"

static framemap_scope scope_of(const char *app)
{
    return (framemap_scope){.size = sizeof(framemap_scope), .app = framemap_str_of(app)};
}

static framemap_session *open_with(const struct folder *folder, const framemap_allocator *allocator,
                                   uint64_t max_memory, unsigned threads)
{
    framemap_session *session = NULL;
    framemap_error error = {0};
    const char *paths[] = {in_folder(folder, "one.txt"), in_folder(folder, "two.txt")};
    const framemap_scope one = scope_of("one"), two = scope_of("two");
    const framemap_scope *const labels[] = {&one, &two};
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = allocator,
                                              .symbol_paths = paths,
                                              .symbol_labels = labels,
                                              .symbol_path_count = 2,
                                              .max_memory = max_memory,
                                              .threads = threads,
                                              .cache_path = ""};
    const framemap_status status = framemap_session_open(&options, &session, &error);
    if (status != FRAMEMAP_OK && allocator == NULL) must_ok(status, &error);
    return session;
}

static void make_files(struct folder *folder)
{
    folder_make(folder);
    put_file(folder, "one.txt", FM_STR(MAPPING));
    put_file(folder, "two.txt", FM_STR(OTHER));
}

/* --- one text --- */

static void equal_to_the_pieces(void **state)
{
    (void)state;
    static const char *const outputs[] = {NULL, "json", "markdown", "sentry", "otlp"};
    static const char *const texts[] = {"", STACK, "plain\n", "\n"};
    struct folder folder;
    make_files(&folder);
    framemap_session *session = open_with(&folder, NULL, 0, 1);
    const framemap_scope scope = scope_of("one");
    for (size_t o = 0; o < COUNT_OF(outputs); o++)
        for (size_t t = 0; t < COUNT_OF(texts); t++) {
            const framemap_restore_options options = {.size = sizeof options, .output = outputs[o], .scope = &scope};
            const framemap_str text = framemap_str_of(texts[t]);
            struct fm_heap heap;
            struct fm_buf pieces;
            framemap_error error = {0};
            framemap_bytes out = {0};
            framemap_restore_summary first, second;
            fm_heap_init(&heap, NULL, 0);
            fm_buf_init(&pieces, &heap);
            must_ok(framemap_session_restore(session, text, &options, gather, &pieces, &first, &error), &error);
            must_ok(framemap_session_restore_buffer(session, text, &options, &out, &second, &error), &error);
            assert_true(fm_str_equal(framemap_bytes_str(&out), fm_buf_view(&pieces)));
            assert_memory_equal(&first, &second, sizeof first);
            framemap_bytes_free(&out);
            fm_buf_free(&pieces);
        }
    framemap_session_close(session);
    remove_tree(folder.path);
}

static void refused(void **state)
{
    (void)state;
    struct folder folder;
    make_files(&folder);
    framemap_session *session = open_with(&folder, NULL, 0, 1);
    const framemap_restore_options bad = {.size = sizeof bad, .output = "nosuch"};
    framemap_bytes out = {0}, used = {.size = 3};
    framemap_text texts[2] = {{.text = FM_STR_INIT(STACK)}, {.text = FM_STR_INIT("x"), .out = {.size = 1}}};
    const framemap_str text = FM_STR(STACK);
    const framemap_status wanted = FRAMEMAP_E_ARGUMENT;
    assert_int_equal(framemap_session_restore_buffer(NULL, text, NULL, &out, NULL, NULL), wanted);
    assert_int_equal(framemap_session_restore_buffer(session, text, NULL, NULL, NULL, NULL), wanted);
    assert_int_equal(framemap_session_restore_buffer(session, text, &bad, &out, NULL, NULL), wanted);
    assert_int_equal(framemap_session_restore_buffer(session, text, NULL, &used, NULL, NULL), wanted);
    assert_int_equal(framemap_session_restore_many(NULL, texts, 1, NULL, NULL), wanted);
    assert_int_equal(framemap_session_restore_many(session, NULL, 1, NULL, NULL), wanted);
    assert_int_equal(framemap_session_restore_many(session, texts, 1, &bad, NULL), wanted);
    assert_int_equal(framemap_session_restore_many(session, texts, 2, NULL, NULL), wanted);
    assert_null(texts[0].out.data); /* no frame was restored, so there is no output */
    assert_int_equal(framemap_session_restore_many(session, NULL, 0, NULL, NULL), FRAMEMAP_OK);
    framemap_session_close(session);
    remove_tree(folder.path);
}

/* A restored text can be used after the session is closed, even if the session had a memory ceiling. */
static void answers_outlive_the_session(void **state)
{
    (void)state;
    struct folder folder;
    make_files(&folder);
    framemap_session *session = open_with(&folder, NULL, (uint64_t)64 << 20, 1);
    const framemap_scope scope = scope_of("one");
    const framemap_restore_options options = {.size = sizeof options, .scope = &scope};
    framemap_error error = {0};
    framemap_bytes out = {0};
    must_ok(framemap_session_restore_buffer(session, FM_STR(STACK), &options, &out, NULL, &error), &error);
    framemap_session_close(session);
    assert_str(framemap_bytes_str(&out), RESTORED);
    framemap_bytes_free(&out);
    remove_tree(folder.path);
}

/* --- testing many texts in one call --- */

static const unsigned char damaged[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff, 0xff};

static void every_text_has_its_answer(void **state)
{
    (void)state;
    struct folder folder;
    make_files(&folder);
    framemap_session *session = open_with(&folder, NULL, 0, 1);
    const framemap_scope one = scope_of("one"), two = scope_of("two"), three = scope_of("three");
    const framemap_restore_options options = {.size = sizeof options, .scope = &one};
    framemap_text texts[] = {{.text = FM_STR_INIT(STACK)},
                             {.text = FM_STR_INIT(STACK), .scope = &two},
                             {.text = {(const char *)damaged, sizeof damaged}},
                             {.text = FM_STR_INIT(STACK), .scope = &three},
                             {.text = {NULL, 4}},
                             {.text = FM_STR_INIT("")}};
    framemap_error error = {0};
    const framemap_status status = framemap_session_restore_many(session, texts, COUNT_OF(texts), &options, &error);
    assert_true(status == FRAMEMAP_E_CORRUPT || status == FRAMEMAP_E_TRUNCATED);
    assert_int_equal(status, texts[2].status);
    assert_int_equal(error.code, status);
    assert_str(framemap_bytes_str(&texts[0].out), RESTORED);
    assert_non_null(strstr((const char *)texts[1].out.data, "org.other.Bill.sum(Bill.java:70)"));
    assert_str(framemap_bytes_str(&texts[3].out), STACK);
    assert_int_equal(texts[4].status, FRAMEMAP_E_ARGUMENT);
    assert_int_equal(texts[5].status, FRAMEMAP_OK);
    assert_int_equal(texts[0].summary.restored, 1);
    assert_int_equal(texts[3].summary.unmapped, 1);
    for (size_t i = 0; i < COUNT_OF(texts); i++) framemap_bytes_free(&texts[i].out);
    framemap_session_close(session);
    remove_tree(folder.path);
}

/* Restores texts of different lengths and scopes, with several threads and with one thread. */
static void with_threads(void **state)
{
    (void)state;
    enum { TEXTS = 300, ROWS = 40 };
    static framemap_text texts[TEXTS];
    static char rows[TEXTS][ROWS * 48];
    struct folder folder;
    make_files(&folder);
    framemap_session *session = open_with(&folder, NULL, 0, 4);
    const framemap_scope one = scope_of("one"), two = scope_of("two");
    for (size_t i = 0; i < TEXTS; i++) {
        size_t size = (size_t)sprintf(rows[i], "java.lang.Error: text %zu\n", i);
        for (size_t k = 0; k < 1 + i * 7 % ROWS; k++)
            size += (size_t)sprintf(rows[i] + size, "\tat a.b.c(SourceFile:3)\n");
        texts[i] = (framemap_text){.text = {rows[i], size}, .scope = i % 3 ? &one : &two};
    }
    framemap_error error = {0};
    must_ok(framemap_session_restore_many(session, texts, TEXTS, NULL, &error), &error);
    for (size_t i = 0; i < TEXTS; i++) {
        const framemap_restore_options options = {.size = sizeof options, .scope = texts[i].scope};
        framemap_bytes alone = {0};
        must_ok(framemap_session_restore_buffer(session, texts[i].text, &options, &alone, NULL, &error), &error);
        assert_true(fm_str_equal(framemap_bytes_str(&alone), framemap_bytes_str(&texts[i].out)));
        assert_int_equal(texts[i].summary.restored, 1 + i * 7 % ROWS);
        framemap_bytes_free(&alone);
        framemap_bytes_free(&texts[i].out);
    }
    framemap_session_close(session);
    remove_tree(folder.path);
}

/* --- memory --- */

static bool restore_two(const framemap_allocator *allocator, void *context)
{
    framemap_session *session = open_with(context, allocator, 0, 1);
    const framemap_scope one = scope_of("one"), two = scope_of("two");
    framemap_text texts[] = {{.text = FM_STR_INIT(STACK), .scope = &one}, {.text = FM_STR_INIT(STACK), .scope = &two}};
    framemap_error error = {0};
    if (session == NULL) return false;
    const framemap_status status = framemap_session_restore_many(session, texts, 2, NULL, &error);
    if (status != FRAMEMAP_OK) assert_int_equal(status, FRAMEMAP_E_MEMORY);
    bool restored = true;
    for (size_t i = 0; i < 2; i++) {
        if (texts[i].status == FRAMEMAP_OK) restored = restored && texts[i].summary.restored == 1;
        if (texts[i].status != FRAMEMAP_OK) assert_null(texts[i].out.data);
        framemap_bytes_free(&texts[i].out);
    }
    framemap_session_close(session);
    return status == FRAMEMAP_OK && restored;
}

static void out_of_memory(void **state)
{
    (void)state;
    struct folder folder;
    make_files(&folder);
    /* if the memory for the whole output cannot be reserved, restoring must still succeed */
    sweep_keeping_allocations(restore_two, &folder);
    remove_tree(folder.path);
}

static bool drop(void *context, const char *data, size_t size)
{
    (void)data;
    *(size_t *)context += size;
    return true;
}

/* When a text is restored a second time, no memory is allocated, except for the block of the output. */
static void hot_texts_allocate_nothing(void **state)
{
    (void)state;
    static const char script[] = "Error: x\n    at f (https://x.example/app.js:1:1)\n    at g (app.js:1:3)\n\n";
    static const char tombstone[] = "*** ***\npid: 1, tid: 2, name: a  >>> b <<<\nbacktrace:\n"
                                    "    #00 pc 0000000000010100  /data/libone.so\n\n";
    static const char *const outputs[] = {NULL, "json"};
    static const char *const texts[] = {STACK, tombstone, script};
    struct folder folder;
    struct failing failing = {.fail_at = SIZE_MAX};
    const framemap_allocator allocator = failing_allocator(&failing);
    make_files(&folder);
    put_file(&folder, "web/app.js.map",
             FM_STR("{\"version\":3,\"sources\":[\"a.ts\"],\"names\":[],\"mappings\":\"AAAA,EAAE\"}"));
    const struct made_image image = {.name = "libone.so", .arch = "arm64", .id = "", .functions = {"_Z1fv"}};
    put_index(&folder, "web/libone.so.fmx", &image);
    framemap_session *session = open_with(&folder, &allocator, 0, 1);
    framemap_error error = {0};
    must_ok(framemap_session_add(session, in_folder(&folder, "web"), &error), &error);
    const framemap_scope scope = scope_of("one");
    for (size_t o = 0; o < COUNT_OF(outputs); o++)
        for (size_t t = 0; t < COUNT_OF(texts); t++) {
            const framemap_restore_options options = {.size = sizeof options, .output = outputs[o], .scope = &scope};
            const framemap_str text = framemap_str_of(texts[t]);
            framemap_restore_summary summary;
            size_t bytes = 0, before;
            for (unsigned i = 0; i < 3; i++) {
                before = failing.requests;
                must_ok(framemap_session_restore(session, text, &options, drop, &bytes, &summary, &error), &error);
            }
            if (summary.restored == 0) fail_msg("text %zu: nothing is restored", t);
            if (failing.requests != before)
                fail_msg("text %zu, output %zu: %zu requests", t, o, failing.requests - before);
            framemap_bytes out = {0};
            must_ok(framemap_session_restore_buffer(session, text, &options, &out, NULL, &error), &error);
            assert_true(failing.requests - before <= 3);
            framemap_bytes_free(&out);
        }
    framemap_session_close(session);
    assert_int_equal(failing.blocks, 0);
    remove_tree(folder.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_to_the_pieces),
        cmocka_unit_test(refused),
        cmocka_unit_test(answers_outlive_the_session),
        cmocka_unit_test(every_text_has_its_answer),
        cmocka_unit_test(with_threads),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(hot_texts_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
