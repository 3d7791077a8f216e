#include "core/text/buffer.h"
#include "tests/formats/formats_help.h"

#include <stdlib.h>

/* A text with a stack of every format. It is short enough to parse each of its prefixes. */
static const char every_format[] =
    "wasm backtrace:\n    0: 0x6b2e - a.wasm!f\n"
    "*** *** *** *** ***\nABI: 'arm64'\nsignal 6 (SIGABRT)\nAbort message: 'ouch'\n"
    "    #00 pc 0001  /d/base.apk!l.so (offset 0x1000) (f+4) (BuildId: 00112233AA)\n"
    "pc 0x10 a.so [x86::0011223344]\n"
    "Process: A [1]\nThread 0 name: main\nThread 0 Crashed:\n0   A   0x0000000100000010 f+ 16 (b:) + 1\n1   ???   "
    "0x0000000100000020 ???\n"
    "Last Exception Backtrace:\n(0x100000010\n0x20)\n"
    "App  0x0000000100000030 0x100000000 + 48 [8C17697F-2e84-39e5-b491-fcf5169106ff]\n"
    "Binary Images:\n0x100000000 - 0x100000fff A arm64 <8C17697F-2e84-39e5-b491-fcf5169106ff> /A\n\n"
    "*** First throw call stack:\n0   B   0x0000000200000010 B + 16\n1   B   0x0000000200000020 g + 1\n"
    "==1==ERROR: AddressSanitizer: x\n    #1 0x55 in f(int) (/l/b.so+0x10) (BuildId: 00112233AA)\n"
    "./a(+0x1) [0x11]\r\n./a(f+0x1)[0x21]\n"
    "a.b: a.c\n\tat a.b.c(SourceFile:1)\n"
    "Error: x\n    at Error (native)\n    at f (a.js:1:2)\n    at g (address at a.hbc:1:2)\nError: "
    "x\nD@\nf/<@a.js:1:2\ng@[native code]\n"
    "{\"s\":\"Caused by: a.b: x\\n\\tat a.b.d(SourceFile:2)\\n#00 pc 0001  /l.so\"}\n";

static void test_table(void **state)
{
    size_t count = 0;
    const framemap_format_info *const *infos = fm_format_infos(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        const struct fm_format *format = fm_format_at(i);
        assert_ptr_equal(&format->info, infos[i]);
        assert_true(infos[i]->summary[0] != '\0');
        assert_int_equal(infos[i]->reads, format->offer != NULL);
        assert_int_equal(infos[i]->writes, format->output != NULL);
        if (format->print_frame) assert_non_null(format->offer);
        assert_ptr_equal(fm_format_named(infos[i]->name), format);
    }
    assert_null(fm_format_at(count));
    assert_null(fm_format_named("no such"));
    assert_null(fm_format_named(""));
}

static void test_errors(void **state)
{
    struct parsed parsed;
    struct fm_buf out;
    (void)state;
    parse_as(&parsed, FM_STR("x"), "no such", NULL);
    assert_int_equal(parsed.status, FRAMEMAP_E_ARGUMENT);
    assert_non_null(strstr(parsed.error.message, "no such"));
    parsed_free(&parsed);
    parse_as(&parsed, FM_STR("x"), "plain", NULL);
    assert_int_equal(parsed.status, FRAMEMAP_E_ARGUMENT);
    parsed_free(&parsed);
    parse(&parsed, FM_STR("x"));
    assert_int_equal(parsed.status, FRAMEMAP_OK);
    assert_int_equal(parsed.count, 0);
    assert_int_equal(print_as(&parsed, FM_STR("x"), "no such", &out), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(print_as(&parsed, FM_STR("x"), "glibc", &out), FRAMEMAP_E_UNSUPPORTED);
    parsed_free(&parsed);
}

static bool refuse(void *context, const char *data, size_t size)
{
    (void)context, (void)data, (void)size;
    return false;
}

static void test_refused_output(void **state)
{
    static const char *const outputs[] = {"text", "json", NULL};
    struct parsed parsed;
    (void)state;
    framemap_str text = text_of(every_format);
    parse(&parsed, text);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(
            fm_formats_print(text, parsed.traces, parsed.count, outputs[i], &parsed.heap, refuse, NULL, NULL),
            FRAMEMAP_E_IO);
    parsed_free(&parsed);
}

static void test_one_format(void **state)
{
    static const char *const names[] = {"android-tombstone", "android-short", "apple-crash", "apple-short",
                                        "apple-symbols",     "sanitizer",     "glibc",       "java"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct parsed parsed;
        parse_as(&parsed, text_of(every_format), names[i], NULL);
        assert_int_equal(parsed.status, FRAMEMAP_OK);
        if (parsed.count == 0) fail_msg("%s finds nothing", names[i]);
        for (size_t t = 0; t < parsed.count; t++)
            same_text(names[i], "format", parsed.traces[t].format, text_of(names[i]));
        parsed_free(&parsed);
    }
}

/* Each prefix is printed unchanged. It is parsed in a memory block of its size, so that sanitizers detect a read past
 * its end. */
static void test_every_prefix(void **state)
{
    (void)state;
    for (size_t size = 0; size < sizeof every_format; size++) {
        struct parsed parsed;
        struct fm_buf out;
        char *copy = malloc(size ? size : 1);
        memcpy(copy, every_format, size);
        framemap_str text = fm_str(copy, size);
        parse(&parsed, text);
        assert_int_equal(parsed.status, FRAMEMAP_OK);
        assert_int_equal(print_as(&parsed, text, "text", &out), FRAMEMAP_OK);
        if (!fm_str_equal(fm_buf_view(&out), text)) fail_msg("cut at %zu", size);
        fm_buf_free(&out);
        parsed_free(&parsed);
        free(copy);
    }
}

struct nth {
    size_t calls, fail_at;
};

static void *resize_nth(void *context, void *ptr, size_t old_size, size_t new_size)
{
    struct nth *nth = context;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return nth->calls++ == nth->fail_at ? NULL : realloc(ptr, new_size);
}

/* Fails each allocation once. The error must be reported, no trace may be incomplete, and nothing may leak. */
static void test_memory_failures(void **state)
{
    (void)state;
    static const framemap_frame quoted[] = {
        {.class_name = {"x.Y", 3}, .function = {"operator\"\"_s", 12}, .file = {"a.cc", 4}, .line = 7}};
    size_t fail_at = 0;
    bool failed = true;
    for (; failed; fail_at++) {
        struct nth nth = {0, fail_at};
        framemap_allocator hook = {resize_nth, &nth};
        struct parsed parsed;
        struct fm_buf out;
        parse_as(&parsed, text_of(every_format), NULL, &hook);
        if (parsed.status == FRAMEMAP_OK) {
            for (size_t t = 0; t < parsed.count; t++) {
                restore(&parsed.traces[t].frames[0], quoted, 1);
                for (size_t m = 0; m < parsed.traces[t].mention_count; m++)
                    parsed.traces[t].mentions[m].restored = FM_STR("x.Y");
            }
            framemap_status text = print_as(&parsed, text_of(every_format), "text", &out);
            fm_buf_free(&out);
            framemap_status json = print_as(&parsed, text_of(every_format), "json", &out);
            fm_buf_free(&out);
            /* if the allocation that failed was one by the receiver of the output, the receiver refuses the output, and
             * the result is IO */
            assert_true(text == FRAMEMAP_OK || text == FRAMEMAP_E_MEMORY || text == FRAMEMAP_E_IO);
            assert_true(json == FRAMEMAP_OK || json == FRAMEMAP_E_MEMORY || json == FRAMEMAP_E_IO);
        } else {
            assert_int_equal(parsed.status, FRAMEMAP_E_MEMORY);
        }
        failed = nth.calls > fail_at;
        parsed_free(&parsed);
        assert_int_equal(atomic_load(&parsed.heap.used), 0);
    }
    assert_true(fail_at > 5);
}

/* Parsing a text without frames allocates no memory for its lines. */
static void test_no_memory_per_line(void **state)
{
    struct fm_heap heap;
    struct fm_buf text;
    struct nth nth = {0, SIZE_MAX};
    framemap_allocator hook = {resize_nth, &nth};
    struct parsed parsed;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    for (int i = 0; i < 20000; i++)
        fm_buf_str(&text, FM_STR("11-21 10:00:00.000   715  8655 D Codec   : [12] work #4 at 0x10 (a.c:3)\n"));
    parse_as(&parsed, fm_buf_view(&text), NULL, &hook);
    assert_int_equal(parsed.count, 0);
    /* allocations for the table of parsers, the object that passes lines to them, the state of the parsers, and the
     * list of traces */
    assert_true(nth.calls <= 5);
    parsed_free(&parsed);
    fm_buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table),
                                       cmocka_unit_test(test_errors),
                                       cmocka_unit_test(test_refused_output),
                                       cmocka_unit_test(test_one_format),
                                       cmocka_unit_test(test_every_prefix),
                                       cmocka_unit_test(test_memory_failures),
                                       cmocka_unit_test(test_no_memory_per_line)};
    return cmocka_run_group_tests_name("formats registry", tests, NULL, NULL);
}
