/* Tests the prefilter on strings of JSON with escaped line ends, each line of which is offered to the parsers that its
 * needles name: parsing must give the same traces with and without it. */
#include "tests/formats/formats_help.h"

#include "core/mapfile.h"
#include "formats/format_registry.h"
#include "tests/formats/same_traces.h"
#include "tests/testing.h"
#include <dirent.h>
#include <sys/stat.h>

/* Compares parsing with and without the prefilter, for all formats together. */
static void check_parsing(const char *name, framemap_str text)
{
    struct parsed all = {.traces = NULL}, passed = {.traces = NULL};
    fm_heap_init(&all.heap, NULL, 0);
    fm_heap_init(&passed.heap, NULL, 0);
    fm_arena_init(&all.arena, &all.heap);
    fm_arena_init(&passed.arena, &passed.heap);
    assert_int_equal(
        fm_formats_parse_prefiltered(text, NULL, FM_PREFILTER_NEVER, &all.arena, &all.traces, &all.count, NULL),
        FRAMEMAP_OK);
    assert_int_equal(fm_formats_parse_prefiltered(text, NULL, FM_PREFILTER_ALWAYS, &passed.arena, &passed.traces,
                                                  &passed.count, NULL),
                     FRAMEMAP_OK);
    if (!same_traces(all.traces, all.count, passed.traces, passed.count))
        fail_msg("%s is read otherwise as a string: %.*s", name, (int)text.size, text.data);
    parsed_free(&all);
    parsed_free(&passed);
}

/* Appends a line as JSON writes it in a string. */
static void put_escaped(framemap_str line, struct fm_buf *out)
{
    for (size_t i = 0; i < line.size; i++) {
        if (line.data[i] == '"' || line.data[i] == '\\') fm_buf_byte(out, '\\');
        if (line.data[i] == '\t')
            fm_buf_str(out, FM_STR("\\t"));
        else if (line.data[i] != '\r')
            fm_buf_byte(out, line.data[i]);
    }
}

/* Parses some lines of a text as a record of a log in JSON: as one string with escaped line ends, or as a list of
 * strings. The record is not among the first lines. */
static void check_record(const char *name, framemap_str text, bool list)
{
    enum { LINES = 14 };
    struct fm_scan s = fm_scan_of(text);
    struct fm_buf out;
    struct fm_heap heap;
    framemap_str line;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    fm_buf_str(&out, FM_STR("a\nb\nc\nd\ne\nf\n"));
    fm_buf_str(&out, list ? FM_STR("{\"stack\":[\"") : FM_STR("{\"stack\":\""));
    for (size_t i = 0; i < LINES && fm_scan_line(&s, &line); i++) {
        if (i) fm_buf_str(&out, list ? FM_STR("\",\"") : FM_STR("\\n"));
        put_escaped(line, &out);
    }
    fm_buf_str(&out, list ? FM_STR("\"]}\nx\n") : FM_STR("\"}\nx\n"));
    check_parsing(name, fm_buf_view(&out));
    fm_buf_free(&out);
}

/* Parses records that begin at each `step`-th line of a text. lists: every third record is a list of strings. A list
 * has no escape that the prefilter searches for, so one of its lines must have a needle. */
static void check_records(const char *name, framemap_str text, size_t step, bool lists)
{
    enum { MOST = 24 };
    struct fm_scan s = fm_scan_of(text);
    framemap_str line;
    for (size_t i = 0; i < MOST * step; i++) {
        if (i % step == 0) check_record(name, fm_scan_rest(&s), lists && i / step % 3 == 2);
        if (!fm_scan_line(&s, &line)) return;
    }
}

/* Tests texts with lines that a parser must know even in a string: titles without a frame, frame lines that are
 * recognised alone, and lines that change how the next ones are read. */
static void known_texts(void **state)
{
    static const char *const texts[] = {
        "\n\"hwuiTask0\" prio=10 (not attached)\n  | sysTid=9 nice=-2\n  native: #00 pc 00085e64  /l/libc.so\n",
        "\ncoroutine 0:\n\t/l/b.lua:3: in function 'load'\n\t/l/a.lua:7: in function </l/a.lua:1>\n",
        "#FailureMessage Object: 00000018871E93D0\n 1: 00007FF64B93AB0F v8::A<B,1>::~A+74383\n 2: 00007FFA9244BFA9 "
        "FFI::f<_g>+137 [D:\\a b\\ffi.h]:L37\n 3: 000001D1FB939000 \n",
        "----- Native stack trace -----\n\n 1: 00007FF64B93AB0F node::f+3\n 2: 00007FF64B93AB0E node::g+4\n",
        "  File \"b.py\", line 1\n    def f(:\n          ^\nSyntaxError: invalid syntax\n",
        "    #00 pc 0000000000010105  /data/app/libapp.so (main+5)\njava.lang.Error: x\n\tat "
        "a.b.a(SourceFile:5)\nError: x\n",
        "x.A.f(A.java:1)\n<OR> x.B.g(B.java:2)\nx.A.o(A.java:9)\n",
        "f@src/a.ts:7:3\n      6 | at h (x.js:1:2)\n    > 7 |   me@there.js:1:2\ng@src/a.ts:9:1\n"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        check_record("a text", framemap_str_of(texts[i]), true);
        check_records("a text", framemap_str_of(texts[i]), 1, false);
    }
}

/* The files of a folder of the corpus: their first lines, and some of their later ones. */
static void files_of_the_corpus(void **state)
{
    static const char folder[] = FM_SOURCE_DIR "/corpus/fuzz/formats";
    struct dirent **entries;
    struct stat about;
    const int count = scandir(folder, &entries, NULL, alphasort);
    size_t files = 0;
    (void)state;
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        char path[2048];
        struct fm_mapfile file;
        framemap_error error;
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        free(entries[i]);
        if (i % TEST_STEP != 0 || stat(path, &about) != 0 || !S_ISREG(about.st_mode)) continue;
        if (fm_mapfile_open(path, &file, &error) != FRAMEMAP_OK) fail_msg("%s: %s", path, error.message);
        check_records(path, file.bytes, 1 + files++ % 3, true);
        fm_mapfile_close(&file);
    }
    free(entries);
    assert_true(files > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_texts), cmocka_unit_test(files_of_the_corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
