#include "core/text/buffer.h"
#include "tests/formats/formats_help.h"

#include "core/limits.h"
#include "formats/stream_ready.h"

#define STARS "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n"

static const struct {
    const char *name, *why, *ready, *held;
} rows[] = {
    {"nothing", "", "", ""},
    {"unfinished", "a line that may go on", "", "#00 pc 0"},
    {"log", "up to the last whole line", "a\nb\r\n", "c"},
    {"tombstone", "its frames need nothing that follows", "#00 pc 00000001  /l/a.so\n", "#01 pc"},
    {"report", "its images have not come", "before\n",
     "Process:  App [7]\nThread 0 Crashed:\n0   App   0x0000000100000010 a + 1\n"},
    {"images begun", "there may be more of them", "before\n",
     "Thread 0 Crashed:\n0   App   0x0000000100000010 a + 1\nBinary Images:\n0x1000 - 0x1fff App\n"},
    {"images over", "a line that is none ends them", "Thread 0 Crashed:\nBinary Images:\n0x1000 - 0x1fff App\n\n", ""},
    {"second report", "only that one is held", "Thread 0 Crashed:\n0x1000 - 0x1fff App\n\nx\n",
     "Last Exception Backtrace:\n(0x10)\n"},
    {"logged", "a prefix does not hide it", "", "[    1.000000] Incident Identifier: 1\n"},
    {"Dart's header", "its rows count from what it says", "a\n", STARS "pid: 1, tid: 2, name main\n"},
    {"Dart's rows, cut", "there are more of them", "a\n", STARS "    #00 abs 1 _kDartSnapshotText+0x1\n    #01 a"},
    {"Dart's rows", "nothing more may come", STARS "    #00 abs 1 _kDartSnapshotText+0x1\n", ""},
    {"a second trace of Dart's", "only that one is held", STARS "    #00 abs 1 _kDartSnapshotText+0x1\n", STARS "os"},
    {"after Dart's rows", "many lines of other text end them",
     STARS "    #00 abs 1 _kDartSnapshotText+0x1\n1\n2\n3\n4\n5\n6\n7\n8\n9\na\nb\nc\nd\n", "e"},
    {"in a string", "a report with escaped line ends is held from the begin of its line", "x\n",
     "{\"s\":\"a\\nProcess:  App [7]\\nx\"}\n"},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s", rows[i].ready, rows[i].held);
        same_number(rows[i].name, "ready", fm_formats_ready(text_of(text)), strlen(rows[i].ready));
    }
}

/* A report without images is released after a megabyte, so the memory of a filter is bounded. */
static void test_endless_report(void **state)
{
    struct fm_heap heap;
    struct fm_buf text;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_str(&text, FM_STR("Incident Identifier: 1\n"));
    for (size_t i = 0; i < 1000; i++) fm_buf_str(&text, FM_STR("a line of other text that goes on and on\n"));
    assert_int_equal(fm_formats_ready(fm_buf_view(&text)), 0);
    for (size_t i = 0; i < 30000; i++) fm_buf_str(&text, FM_STR("a line of other text that goes on and on\n"));
    assert_int_equal(fm_formats_ready(fm_buf_view(&text)), text.size);
    fm_buf_free(&text);
}

/* A line without end is released with all that is held before it. */
static void test_endless_line(void **state)
{
    static const char *const before[] = {"", "a\n", "Incident Identifier: 1\n", STARS "pid: 1, tid: 2, name main\n"};
    (void)state;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        struct fm_heap heap;
        struct fm_buf text;
        fm_heap_init(&heap, NULL, 0);
        fm_buf_init(&text, &heap);
        fm_buf_str(&text, framemap_str_of(before[i]));
        const size_t held = fm_formats_ready(fm_buf_view(&text));
        while (text.size < strlen(before[i]) + FM_LIMIT_UNENDED) fm_buf_byte(&text, 'y');
        assert_int_equal(fm_formats_ready(fm_buf_view(&text)), i < 2 ? held : 0);
        fm_buf_byte(&text, 'y');
        assert_int_equal(fm_formats_ready(fm_buf_view(&text)), text.size);
        fm_buf_free(&text);
    }
}

/* Skipping lines does not change how much is ready, wherever a text ends. */
static void test_passing(void **state)
{
    static const char other[] = "11-21 10:00:00.123  1234  5678 I Tag: a line of other text, at 5 * 3 *\n";
    struct fm_heap heap;
    struct fm_buf text;
    size_t held = 0, asked = 0;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    for (size_t i = 0; i < 3 * sizeof rows / sizeof *rows; i++) {
        const size_t row = i * 7 % (sizeof rows / sizeof *rows);
        for (size_t k = 0; k < i % 5 * 13; k++) fm_buf_str(&text, FM_STR(other));
        fm_buf_str(&text, text_of(rows[row].ready));
        fm_buf_str(&text, text_of(rows[row].held));
        if (i % 3) fm_buf_byte(&text, '\n');
    }
    assert_false(text.failed);
    for (size_t size = 0; size <= text.size; size += 1 + size % 89) {
        const framemap_str some = fm_str(text.data, size);
        const size_t ready = fm_formats_ready_prefiltered(some, FM_PREFILTER_NEVER);
        assert_int_equal(fm_formats_ready_prefiltered(some, FM_PREFILTER_ALWAYS), ready);
        held += size - ready > sizeof other;
        asked++;
    }
    assert_true(asked > 100 && held > asked / 8 && held < asked / 8 * 7);
    fm_buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_endless_report),
                                       cmocka_unit_test(test_endless_line), cmocka_unit_test(test_passing)};
    return cmocka_run_group_tests_name("formats ready", tests, NULL, NULL);
}
