/* Chunk bounds, chunk scans, and parsing by chunks and threads. */
#include "tests/testing.h"

#include "formats/format_registry.h"
#include "formats/parsers.h"
#include "formats/scan/chunk_scan.h"
#include "tests/corpus.h"
#include "tests/formats/same_traces.h"

static const char shop[] = "2026-11-21 10:00:00,001 INFO  started\n"
                           "java.lang.IllegalStateException: closed\n"
                           "\tat a.b.c(SourceFile:12)\n"
                           "\tat a.b.d(SourceFile:7)\r\n"
                           "one\ntwo\nthree\n"
                           "{\"error\":\"Error: x\\n    at f (main.js:1:2)\\n    at g (main.js:3:4)\"}\n"
                           "\n\n\n\n\n\n\n\n\n\n"
                           "TypeError: y\n    at h (main.js:5:6)\n"
                           "last";

/* --- bounds --- */

static void check_cut(const struct fm_chunks *cut)
{
    const size_t count = fm_chunk_count(cut);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        size_t from, to;
        fm_chunk_bounds(cut, i, &from, &to);
        if (from == to) continue;
        assert_int_equal(from, at);
        assert_true(to > from && from / cut->size == i);
        if (from > 0) assert_int_equal(cut->text.data[from - 1], '\n');
        at = to;
    }
    assert_int_equal(at, cut->text.size);
}

static void pieces_are_all_of_a_text(void **state)
{
    (void)state;
    const framemap_str text = fm_str(shop, sizeof shop - 1);
    for (size_t size = 1; size <= text.size + 1; size++)
        for (size_t end = 0; end <= text.size; end++) check_cut(&(struct fm_chunks){fm_str(text.data, end), size});
}

static void a_long_line_fills_pieces(void **state)
{
    (void)state;
    char text[100];
    memset(text, 'x', sizeof text);
    text[3] = text[80] = '\n';
    const struct fm_chunks cut = {fm_str(text, sizeof text), 10};
    size_t from, to;
    fm_chunk_bounds(&cut, 0, &from, &to);
    assert_true(from == 0 && to == 81);
    for (size_t i = 1; i < 8; i++) {
        fm_chunk_bounds(&cut, i, &from, &to);
        assert_int_equal(from, to);
    }
    fm_chunk_bounds(&cut, 8, &from, &to);
    assert_true(from == 81 && to == sizeof text);
}

/* --- scans --- */

static bool says_much(const void *context, const struct fm_line *line)
{
    (void)context;
    return fm_str_find(line->body, FM_STR("at ")) != FM_NOT_FOUND;
}

static bool same_line(const struct fm_line *a, const struct fm_line *b)
{
    return a->text.data == b->text.data && a->text.size == b->text.size && a->body.data == b->body.data &&
           a->body.size == b->body.size && a->offset == b->offset && a->first == b->first && a->last == b->last &&
           a->has == b->has && a->begins == b->begins;
}

/* Each line of the scan is one of the text, and each significant line is in it. */
static void check_scan(const struct fm_chunk_scan *scan, framemap_str text)
{
    struct fm_lines lines = {.text = text, .at = scan->from};
    struct fm_line line;
    size_t row = 0;
    while (lines.at < scan->to) {
        const size_t at = lines.at;
        assert_true(fm_lines_next(&lines, &line));
        const bool parts = lines.pieces.at != NULL;
        lines.pieces.at = NULL;
        const bool has = row < scan->count && scan->lines[row].line.offset == at;
        if (parts || says_much(NULL, &line)) assert_true(has && scan->lines[row].has_hit);
        if (!has) continue;
        assert_int_equal(scan->lines[row].has_pieces, parts);
        assert_int_equal(scan->lines[row].after, lines.at);
        assert_int_equal(scan->lines[row].line.number1, lines.number1);
        if (!parts) assert_true(same_line(&scan->lines[row].line, &line));
        row++;
    }
    assert_int_equal(row, scan->count);
    assert_int_equal(scan->line_count, lines.number1);
}

static void scans_are_of_lines(void **state)
{
    (void)state;
    const struct fm_chunks cut = {fm_str(shop, sizeof shop - 1), 50};
    struct fm_chunk_scan scan = {.lines = NULL};
    struct fm_heap heap;
    struct fm_prefilter prefilter;
    size_t rows = 0;
    fm_heap_init(&heap, NULL, 0);
    fm_prefilter_init(&prefilter);
    fm_prefilter_add(&prefilter, &fm_java);
    fm_prefilter_add(&prefilter, &fm_js_v8);
    fm_prefilter_finish(&prefilter);
    for (size_t i = 0; i < fm_chunk_count(&cut); i++) {
        size_t from, to;
        fm_chunk_bounds(&cut, i, &from, &to);
        if (from == to) continue;
        assert_true(fm_chunk_scan_make(&scan, &heap, &prefilter, cut.text, from, to, says_much, NULL));
        check_scan(&scan, cut.text);
        rows += scan.count;
    }
    assert_between(rows, 5, 20);
    fm_chunk_scan_free(&scan, &heap);
    assert_int_equal(atomic_load(&heap.used), 0);
}

/* --- parsing --- */

static bool read_by_pieces(const framemap_allocator *allocator, void *context)
{
    struct fm_heap heap;
    struct fm_arena arena;
    framemap_trace *traces;
    size_t count = 0;
    (void)context;
    fm_heap_init(&heap, allocator, 0);
    fm_arena_init(&arena, &heap);
    const framemap_status status =
        fm_formats_parse_chunks(fm_str(shop, sizeof shop - 1), NULL, 1, 64, &arena, &traces, &count, NULL);
    assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
    if (status == FRAMEMAP_OK) assert_int_equal(count, 3);
    fm_arena_free(&arena);
    return status == FRAMEMAP_OK;
}

static void want_of_memory_is_told(void **state)
{
    (void)state;
    assert_true(sweep_allocations(read_by_pieces, NULL) >= 3);
}

/* A text of some megabytes. */
static void put_demo(struct fm_buf *out)
{
    static const char *const paths[] = {CORPUS "demo/logcat.txt", CORPUS "demo/web.log", CORPUS "demo/tombstone.txt",
                                        CORPUS "demo/ios.crash", CORPUS "dart/x64-3.13.trace.txt"};
    for (size_t i = 0; out->size < (size_t)3 << 20; i = (i + 1) % COUNT_OF(paths)) {
        const framemap_str text = corpus_read(paths[i]);
        fm_buf_str(out, text);
        fm_buf_str(out, fm_str(shop, sizeof shop - 1));
        corpus_free(text);
    }
}

static void any_number_of_threads_reads_the_same(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_arena one, many;
    struct fm_buf text;
    framemap_trace *wanted, *got;
    size_t wanted_count, count;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_arena_init(&one, &heap);
    fm_arena_init(&many, &heap);
    put_demo(&text);
    assert_int_equal(fm_formats_parse(fm_buf_view(&text), NULL, 0, &one, &wanted, &wanted_count, NULL), FRAMEMAP_OK);
    assert_true(wanted_count > 100);
    for (unsigned threads = 2; threads <= 8; threads *= 2) {
        fm_arena_reset(&many);
        assert_int_equal(fm_formats_parse(fm_buf_view(&text), NULL, threads, &many, &got, &count, NULL), FRAMEMAP_OK);
        assert_true(same_traces(wanted, wanted_count, got, count));
    }
    fm_arena_free(&many);
    fm_arena_free(&one);
    fm_buf_free(&text);
    assert_int_equal(atomic_load(&heap.used), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_all_of_a_text),
        cmocka_unit_test(a_long_line_fills_pieces),
        cmocka_unit_test(scans_are_of_lines),
        cmocka_unit_test(want_of_memory_is_told),
        cmocka_unit_test(any_number_of_threads_reads_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
