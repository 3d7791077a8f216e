/* Tests rows: which bytes of a row are changed, which status is added, and what is written for block headers, wherever
 * the input is divided. The symbols are those of corpus/demo. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/text/buffer.h"
#include <framemap/framemap.h>

#define RAW "at c (https://shop.example/js/shop.js:1:185)"
#define RESTORED "at take (../web/orders.ts:18:25)"

static framemap_session *session;
static struct fm_heap heap;

static int open_session(void **state)
{
    static const char *const paths[] = {FM_SOURCE_DIR "/corpus/demo/symbols"};
    const framemap_session_options options = {
        .size = sizeof options, .symbol_paths = paths, .symbol_path_count = 1, .cache_path = ""};
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    return framemap_session_open(&options, &session, NULL) != FRAMEMAP_OK;
}

static int close_session(void **state)
{
    (void)state;
    framemap_session_close(session);
    return 0;
}

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

static framemap_status run(const framemap_rows_options *options, framemap_str input, size_t piece, struct fm_buf *out,
                           framemap_rows_summary *summary, framemap_error *error)
{
    framemap_rows *rows;
    framemap_error closing;
    fm_buf_init(out, &heap);
    framemap_status status = framemap_rows_open(session, options, gather, out, &rows, error);
    if (status != FRAMEMAP_OK) return status;
    for (size_t at = 0; at < input.size && status == FRAMEMAP_OK; at += piece)
        status = framemap_rows_feed(rows, fm_str_slice(input, at, at + piece), error);
    const framemap_status end = framemap_rows_close(rows, summary, &closing);
    if (status == FRAMEMAP_OK && end != FRAMEMAP_OK) *error = closing;
    return end;
}

struct row_case {
    const char *what;
    framemap_rows_options options;
    const char *in, *out;
    unsigned unreadable;
};

#define TSV .size = sizeof(framemap_rows_options), .format = "tsv"
#define NDJSON .size = sizeof(framemap_rows_options), .format = "ndjson"

static const struct row_case cases[] = {
    {"a column, the first by default", {TSV}, "Error: x\\n    " RAW "\tb\n", "Error: x\\n    " RESTORED "\tb\n", 0},
    {"another column; the first stays", {TSV, .field = "2"}, RAW "\t" RAW "\n", RAW "\t" RESTORED "\n", 0},
    {"the last row without a line end", {TSV}, RAW, RESTORED, 0},
    {"CR before the line end is no part of the column", {TSV, .status = ""}, RAW "\r\n", RESTORED "\trestored\r\n", 0},
    {"rows do not mix: a stack begins in one, frames follow in the next",
     {TSV, .status = ""},
     "Error: x\n" RAW "\n\n",
     "Error: x\tnone\n" RESTORED "\trestored\n\tnone\n",
     0},
    {"what is not restored keeps its escapes", {TSV}, "a\\x41\\q\\'\\\\\\\tb\\", "a\\x41\\q\\'\\\\\\\tb\\", 0},
    {"what is restored gets those of the format",
     {TSV},
     "\\x41\\q\\'\\/\\0\\N\\n    " RAW "\n",
     "A\\\\q'/\\0\\\\N\\n    " RESTORED "\n",
     0},
    {"NULL and a missing column",
     {TSV, .field = "2", .status = ""},
     "a\t\\N\nb\n",
     "a\t\\N\tno-field\nb\tno-field\n",
     1},
    {"no symbols for it",
     {TSV, .status = ""},
     "at c (https://x.example/a.js:1:2)\n",
     "at c (https://x.example/a.js:1:2)\tunmapped\n",
     0},
    {"some of it",
     {TSV, .status = ""},
     RAW "\\n    at d (https://x.example/a.js:1:2)\n",
     RESTORED "\\n    at d (https://x.example/a.js:1:2)\tpartial\n",
     0},
    {"the column alone", {TSV, .field = "2", .only_field = true}, "a\t" RAW "\tb\na\tb\na\n", RESTORED "\nb\n\n", 1},
    {"the column alone, with its status",
     {TSV, .field = "2", .only_field = true, .status = ""},
     "a\t" RAW "\tb\na\n",
     RESTORED "\trestored\n\tno-field\n",
     1},
    {"headers of blocks are not rows",
     {TSV, .chunk_header = true},
     "2\na\n" RAW "\n0\n1\nb\n",
     "a\n" RESTORED "\nb\n",
     0},
    {"headers of blocks are answered",
     {TSV, .chunk_header = true, .answer_header = true},
     "2\r\na\n" RAW "\n0\n1\nb",
     "2\r\na\n" RESTORED "\n0\n1\nb",
     0},
    {"a large row",
     {TSV, .max_row_bytes = 64, .status = ""},
     "0123456789012345678901234567890123456789012345678901234567890123456789\na\n",
     "0123456789012345678901234567890123456789012345678901234567890123456789\ttoo-large\na\tnone\n",
     1},
    {"a member",
     {NDJSON, .field = "a"},
     "{\"b\":1.50, \"a\" : \"x\\n    " RAW "\"}\n",
     "{\"b\":1.50, \"a\" : \"x\\n    " RESTORED "\"}\n",
     0},
    {"members below members, and elements",
     {NDJSON, .field = "a.1.b"},
     "{\"a\":[\"" RAW "\",{\"b\":\"" RAW "\"}]}\n",
     "{\"a\":[\"" RAW "\",{\"b\":\"" RESTORED "\"}]}\n",
     0},
    {"a pointer, to a key with a dot, a slash and a tilde",
     {NDJSON, .field = "/a.b/c~1d~0"},
     "{\"a.b\":{\"c/d~\":\"" RAW "\"}}\n",
     "{\"a.b\":{\"c/d~\":\"" RESTORED "\"}}\n",
     0},
    {"of members of one name the last",
     {NDJSON, .field = "a"},
     "{\"a\":\"" RAW "\",\"a\":\"" RAW "\"}\n",
     "{\"a\":\"" RAW "\",\"a\":\"" RESTORED "\"}\n",
     0},
    {"a key with an escape",
     {NDJSON, .field = "ab"},
     "{\"a\\u0062\":\"" RAW "\"}\n",
     "{\"a\\u0062\":\"" RESTORED "\"}\n",
     0},
    {"the whole row", {NDJSON}, "\"" RAW "\"\n", "\"" RESTORED "\"\n", 0},
    {"an event in the row",
     {NDJSON, .field = "event", .status = "s"},
     "{\"event\":{\"stack\":[{\"methodName\":\"c\",\"file\":\"https://shop.example/js/shop.js\",\"lineNumber\":1,"
     "\"column\":185}]}}\n",
     "{\"event\":{\"stack\":[{\"methodName\":\"take\",\"file\":\"../web/orders.ts\","
     "\"lineNumber\":18,\"column\":25}]},\"s\":\"restored\"}\n",
     0},
    {"a status is added",
     {NDJSON, .field = "a", .status = "s"},
     "{\"a\":\"x\" }\n{ }\n",
     "{\"a\":\"x\",\"s\":\"none\" }\n"
     "{\"s\":\"no-field\" }\n",
     1},
    {"a status is replaced",
     {NDJSON, .field = "a", .status = "s"},
     "{\"s\":[1],\"a\":\"x\"}\n",
     "{\"s\":\"none\",\"a\":\"x\"}\n",
     0},
    {"rows that are no JSON pass",
     {NDJSON, .field = "a", .status = "s"},
     "{\"a\":\"" RAW "\"} x\n\n{\"a\":\"" RAW "\n[1]\n",
     "{\"a\":\"" RAW "\"} x\n\n{\"a\":\"" RAW "\n[1]\n",
     4},
};

static void rows_come_out_as_they_should(void **state)
{
    static const size_t pieces[] = {SIZE_MAX / 2, 1, 7};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
            struct fm_buf out;
            framemap_rows_summary summary;
            framemap_error error = {0};
            const framemap_status status =
                run(&cases[i].options, framemap_str_of(cases[i].in), pieces[p], &out, &summary, &error);
            if (status != FRAMEMAP_OK) fail_msg("%s: %s", cases[i].what, error.message);
            if (!fm_str_equal(fm_buf_view(&out), framemap_str_of(cases[i].out)))
                fail_msg("%s:\n%.*s", cases[i].what, (int)out.size, out.data);
            if (summary.unreadable != cases[i].unreadable)
                fail_msg("%s: %u unreadable", cases[i].what, (unsigned)summary.unreadable);
            fm_buf_free(&out);
        }
    }
}

struct fault_case {
    framemap_rows_options options;
    const char *in;
    framemap_status status;
    const char *message;
};

static const struct fault_case faults[] = {
    {{.size = sizeof(framemap_rows_options), .format = "csv"}, "", FRAMEMAP_E_ARGUMENT, "tsv or ndjson"},
    {{.size = sizeof(framemap_rows_options)}, "", FRAMEMAP_E_ARGUMENT, "tsv or ndjson"},
    {{TSV, .field = "0"}, "", FRAMEMAP_E_ARGUMENT, "the number of a column"},
    {{TSV, .build = "build"}, "", FRAMEMAP_E_ARGUMENT, "the number of a column"},
    {{NDJSON, .field = "a..b"}, "", FRAMEMAP_E_ARGUMENT, "JSON Pointer"},
    {{NDJSON, .field = "/a~2"}, "", FRAMEMAP_E_ARGUMENT, "JSON Pointer"},
    {{NDJSON, .field = "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a"}, "", FRAMEMAP_E_ARGUMENT, "at most 16"},
    {{TSV, .restore = {.size = sizeof(framemap_restore_options), .output = "json"}},
     "",
     FRAMEMAP_E_ARGUMENT,
     "as text"},
    {{TSV, .chunk_header = true}, "1\na\nx\n", FRAMEMAP_E_CORRUPT, "a number of rows"},
    {{TSV, .chunk_header = true}, "\n", FRAMEMAP_E_CORRUPT, "a number of rows"},
    {{TSV, .chunk_header = true}, "99999999999999999999\n", FRAMEMAP_E_CORRUPT, "a number of rows"},
    {{TSV, .chunk_header = true, .max_row_bytes = 4}, "1234567\n", FRAMEMAP_E_CORRUPT, "a number of rows"},
    {{TSV, .chunk_header = true}, "3\na\n", FRAMEMAP_E_TRUNCATED, "2 rows"},
};

static void faults_are_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct fm_buf out;
        framemap_error error = {0};
        const framemap_status status =
            run(&faults[i].options, framemap_str_of(faults[i].in), SIZE_MAX / 2, &out, NULL, &error);
        if (status != faults[i].status || !strstr(error.message, faults[i].message))
            fail_msg("%zu: status %d: %s", i, (int)status, error.message);
        fm_buf_free(&out);
    }
}

/* Each row is written before the next one is passed, since database engines wait for the result of a row. */
static void a_row_is_written_at_once(void **state)
{
    const framemap_rows_options options = {TSV};
    struct fm_buf out;
    framemap_rows *rows;
    (void)state;
    fm_buf_init(&out, &heap);
    assert_int_equal(framemap_rows_open(session, &options, gather, &out, &rows, NULL), FRAMEMAP_OK);
    for (unsigned i = 1; i <= 3; i++) {
        assert_int_equal(framemap_rows_feed(rows, FM_STR(RAW "\n"), NULL), FRAMEMAP_OK);
        assert_int_equal(out.size, i * (sizeof RESTORED));
    }
    assert_int_equal(framemap_rows_close(rows, NULL, NULL), FRAMEMAP_OK);
    fm_buf_free(&out);
}

static bool refuse(void *context, const char *data, size_t size)
{
    (void)context;
    (void)data;
    (void)size;
    return false;
}

static void a_refused_write_ends_the_rows(void **state)
{
    const framemap_rows_options options = {TSV};
    framemap_rows *rows;
    framemap_error error;
    (void)state;
    assert_int_equal(framemap_rows_open(session, &options, refuse, NULL, &rows, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_rows_feed(rows, FM_STR("a\n"), &error), FRAMEMAP_E_IO);
    assert_int_equal(framemap_rows_feed(rows, FM_STR("a\n"), &error), FRAMEMAP_E_IO);
    assert_int_equal(framemap_rows_close(rows, NULL, &error), FRAMEMAP_E_IO);
}

/* Fails each allocation once. There must be an error and no crash, and no row may be written twice. */
static void allocations_may_fail(void **state)
{
    (void)state;
    for (uint64_t most = 100000; most < 6000000; most += 97003) {
        static const char *const paths[] = {FM_SOURCE_DIR "/corpus/demo/symbols"};
        const framemap_session_options about = {
            .size = sizeof about, .symbol_paths = paths, .symbol_path_count = 1, .cache_path = "", .max_memory = most};
        const framemap_rows_options options = {NDJSON, .field = "a", .status = "s"};
        struct fm_buf out;
        framemap_session *limited, *before = session;
        if (framemap_session_open(&about, &limited, NULL) != FRAMEMAP_OK) continue;
        session = limited;
        const framemap_status status = run(&options, FM_STR("{\"a\":\"" RAW "\"}\n{\"a\":\"" RAW "\"}\n"), SIZE_MAX / 2,
                                           &out, NULL, &(framemap_error){0});
        assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
        size_t lines = 0;
        for (size_t i = 0; i < out.size; i++) lines += out.data[i] == '\n';
        assert_true(status == FRAMEMAP_OK ? lines == 2 : lines <= 2);
        fm_buf_free(&out);
        framemap_session_close(limited);
        session = before;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_out_as_they_should), cmocka_unit_test(faults_are_reported),
        cmocka_unit_test(a_row_is_written_at_once),     cmocka_unit_test(a_refused_write_ends_the_rows),
        cmocka_unit_test(allocations_may_fail),
    };
    return cmocka_run_group_tests(tests, open_session, close_session);
}
