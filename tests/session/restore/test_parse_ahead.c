/* Tests formats/parse_ahead.h: a long text that is parsed on a thread of its own gives the same output, the same
 * counts and the same errors as with one thread. The texts are those of corpus/demo and some written here, and if
 * FRAMEMAP_CASES names a folder, all texts in it. */
#include "formats/parse_ahead.h"
#include "tests/corpus.h"
#include "tests/session/restore/restore_help.h"

#include <glob.h>
#include <stdatomic.h>

#define DEMO FM_SOURCE_DIR "/corpus/demo"

static struct fm_heap heap;

static framemap_session *session_of(unsigned threads, const framemap_allocator *allocator)
{
    static const char *const paths[] = {DEMO "/symbols"};
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = allocator,
                                              .symbol_paths = paths,
                                              .symbol_path_count = 1,
                                              .threads = threads,
                                              .cache_path = ""};
    framemap_session *session = NULL;
    framemap_error error;
    if (framemap_session_open(&options, &session, &error) != FRAMEMAP_OK)
        assert_int_equal(error.code, FRAMEMAP_E_MEMORY);
    return session;
}

/* --- texts --- */

/* Reports that list their images before their stacks, and after them: the stacks of one report share the images. */
static const char *const written[] = {
    "Process: shop [7]\nPath: /Applications/shop\nCode Type: ARM-64\n\nThread 0 Crashed:\n"
    "0   libdemo   0x0000000104f10105 0x104f00000 + 65797\n1   gone   0x0000000105f10105 0x105f00000 + 65797\n\n"
    "Thread 1:\n0   libdemo   0x0000000104f10125 0x104f00000 + 65829\n\nBinary Images:\n"
    "0x104f00000 - 0x104ffffff libdemo arm64 <11223344aabbccdd1122334455667788> /Applications/libdemo\n"
    "0x105f00000 - 0x105ffffff gone arm64 <21223344aabbccdd1122334455667788> /Applications/gone\n\n",
    "*** *** ***\npid: 7, tid: 8, name: main  >>> com.shop <<<\nsignal 11 (SIGSEGV)\nbacktrace:\n"
    "    #00 pc 0000000000010105  /data/app/libdemo.so\n    #01 pc 0000000000010125  /data/app/libgone.so\n\n",
    "java.lang.Error: x\n\tat a.b.c(SourceFile:1)\n\tat java.util.List.get(List.java:5)\nCaused by: a.x: y\n"
    "\tat a.b.d(SourceFile:2)\n\t... 1 more\n",
    "Error: a\n    at t (https://shop.example/shop.js:1:200)\n    at u (https://shop.example/gone.js:1:1)\n",
    "a line without a stack\n"};

static void add_file(struct fm_buf *text, const char *path)
{
    enum { LONGEST = 40000 };
    const framemap_str bytes = corpus_read(path);
    if (bytes.size <= LONGEST && fm_str_find_byte(bytes, '\0') == FM_NOT_FOUND) fm_buf_str(text, bytes);
    fm_buf_byte(text, '\n');
    corpus_free(bytes);
}

static void add_files(struct fm_buf *text, const char *pattern)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0) return;
    for (size_t i = 0; i < found.gl_pathc; i++) add_file(text, found.gl_pathv[i]);
    globfree(&found);
}

/* Returns all texts one after the other, repeated until they are long enough to be parsed ahead. */
static struct fm_buf long_text(bool with_cases)
{
    const char *cases = with_cases ? getenv("FRAMEMAP_CASES") : NULL;
    struct fm_buf text;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    text.limit = SIZE_MAX;
    fm_buf_str(&text, FM_STR("the first line\n"));
    while (text.size < FM_PARSE_AHEAD_LEAST) {
        for (size_t i = 0; i < COUNT_OF(written); i++) fm_buf_str(&text, framemap_str_of(written[i]));
        add_files(&text, DEMO "/*.txt");
        add_files(&text, DEMO "/*.log");
        add_files(&text, DEMO "/*.crash");
        if (cases) {
            char pattern[4096];
            snprintf(pattern, sizeof pattern, "%s/stacks/*/*.txt", cases);
            add_files(&text, pattern);
        }
    }
    assert_false(text.failed);
    return text;
}

/* --- equal results --- */

/* Receives the output, and checks that all callbacks are called on the thread that called the session. */
struct taken {
    struct fm_buf out;
    size_t room, pieces; /* room: bytes after which the output fails */
    uint64_t traces;
    bool elsewhere;
};
static _Thread_local bool is_caller;

static bool take(void *context, const char *data, size_t size)
{
    struct taken *taken = context;
    taken->elsewhere |= !is_caller;
    taken->pieces++;
    return taken->out.size + size <= taken->room && fm_buf_add(&taken->out, data, size);
}

static void visit(void *context, const framemap_trace *traces, size_t count)
{
    struct taken *taken = context;
    (void)traces;
    taken->elsewhere |= !is_caller;
    taken->traces += count;
}

static framemap_status run(framemap_session *session, framemap_str text, const char *output, size_t room,
                           struct taken *taken, framemap_restore_summary *summary, framemap_error *error)
{
    const framemap_restore_options options = {
        .size = sizeof options, .output = output, .visit = visit, .visit_context = taken};
    *taken = (struct taken){.room = room};
    fm_buf_init(&taken->out, &heap);
    taken->out.limit = SIZE_MAX;
    is_caller = true;
    const framemap_status status = framemap_session_restore(session, text, &options, take, taken, summary, error);
    assert_false(taken->elsewhere);
    return status;
}

static void check_equal(framemap_session *one, framemap_session *two, framemap_str text, const char *output)
{
    struct taken want, got;
    framemap_restore_summary first, second;
    framemap_error error = {0};
    must_ok(run(one, text, output, SIZE_MAX, &want, &first, &error), &error);
    must_ok(run(two, text, output, SIZE_MAX, &got, &second, &error), &error);
    if (!fm_str_equal(fm_buf_view(&got.out), fm_buf_view(&want.out))) fail_msg("%s differs", output);
    assert_true(want.traces > 0);
    assert_int_equal(got.traces, want.traces);
    assert_int_equal(second.traces, first.traces);
    assert_int_equal(second.frames, first.frames);
    assert_int_equal(second.restored, first.restored);
    assert_int_equal(second.malformed, first.malformed);
    assert_int_equal(second.first_malformed_line, first.first_malformed_line);
    fm_buf_free(&want.out);
    fm_buf_free(&got.out);
}

static void equal_to_one_thread(void **state)
{
    static const char *const outputs[] = {"text", "json", "sentry", "otlp", "markdown", "plain", "java"};
    (void)state;
    if (getenv("FRAMEMAP_CASES") == NULL)
        print_message("the conformance cases are skipped: FRAMEMAP_CASES is not set\n");
    struct fm_buf text = long_text(true);
    framemap_session *one = session_of(1, NULL), *two = session_of(2, NULL);
    for (size_t o = 0; o < COUNT_OF(outputs); o++) check_equal(one, two, fm_buf_view(&text), outputs[o]);
    framemap_session_close(two);
    framemap_session_close(one);
    fm_buf_free(&text);
}

/* One report that is too long to be held back is divided; its parts share images. */
static void one_long_report(void **state)
{
    enum { BYTES = 9 << 20 }; /* more than a report may hold back */
    (void)state;
    struct fm_buf text;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    text.limit = SIZE_MAX;
    fm_buf_str(&text, FM_STR("Binary Images:\n0x104f00000 - 0x104ffffff libdemo arm64 "
                             "<11223344aabbccdd1122334455667788> /Applications/libdemo\n\n"));
    for (unsigned i = 0; text.size < BYTES; i++) {
        char thread[200];
        snprintf(thread, sizeof thread, "Thread %u:\n0   libdemo   0x0000000104f%05x 0x104f00000 + %u\n\n", i,
                 i & 0xfffff, i & 0xfffff);
        fm_buf_str(&text, framemap_str_of(thread));
    }
    framemap_session *one = session_of(1, NULL), *two = session_of(2, NULL);
    check_equal(one, two, fm_buf_view(&text), "json");
    framemap_session_close(two);
    framemap_session_close(one);
    fm_buf_free(&text);
}

/* --- errors --- */

/* If the output cannot be written, the call ends at the same piece of output with the same error. */
static void output_fails(void **state)
{
    static const size_t rooms[] = {0, 1, 1000, 50000, 300000, 900000};
    (void)state;
    struct fm_buf text = long_text(false);
    framemap_session *one = session_of(1, NULL), *two = session_of(2, NULL);
    for (size_t i = 0; i < COUNT_OF(rooms); i++) {
        struct taken want, got;
        framemap_error first = {0}, second = {0};
        assert_int_equal(run(one, fm_buf_view(&text), "text", rooms[i], &want, NULL, &first), FRAMEMAP_E_IO);
        assert_int_equal(run(two, fm_buf_view(&text), "text", rooms[i], &got, NULL, &second), FRAMEMAP_E_IO);
        assert_true(fm_str_equal(fm_buf_view(&got.out), fm_buf_view(&want.out)));
        assert_int_equal(got.pieces, want.pieces);
        assert_string_equal(second.message, first.message);
        fm_buf_free(&want.out);
        fm_buf_free(&got.out);
    }
    framemap_session_close(two);
    framemap_session_close(one);
    fm_buf_free(&text);
}

/* An allocator for several threads, all of whose requests fail from number fail_from on. */
struct limited {
    atomic_size_t requests, blocks;
    size_t fail_from;
};

static void *limited_resize(void *context, void *ptr, size_t old_size, size_t new_size)
{
    struct limited *limited = context;
    (void)old_size;
    if (new_size == 0) {
        atomic_fetch_sub(&limited->blocks, 1);
        free(ptr);
        return NULL;
    }
    if (atomic_fetch_add(&limited->requests, 1) >= limited->fail_from) return NULL;
    void *moved = realloc(ptr, new_size);
    if (moved && ptr == NULL) atomic_fetch_add(&limited->blocks, 1);
    return moved;
}

/* Whichever thread is out of memory first, the call ends with that error and loses no memory. */
static void memory_fails(void **state)
{
    enum { SHARE = 6 / TEST_STEP };
    (void)state;
    struct fm_buf text = long_text(false);
    size_t failures = 0;
    for (size_t fail_from = 0;; fail_from += 1 + fail_from / SHARE) {
        struct limited limited = {.fail_from = fail_from};
        const framemap_allocator allocator = {limited_resize, &limited};
        framemap_status status = FRAMEMAP_E_MEMORY;
        framemap_session *session = session_of(2, &allocator);
        if (session) {
            struct taken taken;
            framemap_error error = {0};
            status = run(session, fm_buf_view(&text), "json", SIZE_MAX, &taken, NULL, &error);
            if (status != FRAMEMAP_OK) assert_int_equal(error.code, FRAMEMAP_E_MEMORY);
            fm_buf_free(&taken.out);
            framemap_session_close(session);
        }
        assert_int_equal(atomic_load(&limited.blocks), 0);
        if (atomic_load(&limited.requests) <= fail_from) {
            assert_int_equal(status, FRAMEMAP_OK);
            break;
        }
        failures += status != FRAMEMAP_OK;
    }
    assert_true(failures > 10);
    fm_buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_to_one_thread), cmocka_unit_test(one_long_report),
                                       cmocka_unit_test(output_fails), cmocka_unit_test(memory_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
