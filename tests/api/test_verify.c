/* Tests of framemap_index_verify_against: the files of all families equal their indexes; differences are described; the
 * call stops, fails and frees as its header says. test_verify_faults.c puts faults into indexes. */
#include "tests/api/verify_inputs.h"

/* --- testing what is reported to the caller --- */

struct seen {
    size_t count, most; /* most: number of differences after which the call is stopped; 0: never */
    char rows[3][400];  /* the first differences, as "what place field|source|index" */
};

static bool see(void *context, const framemap_verify_difference *difference)
{
    struct seen *seen = context;
    assert_int_equal(difference->size, sizeof *difference);
    if (seen->count < COUNT_OF(seen->rows))
        snprintf(seen->rows[seen->count], sizeof seen->rows[0], "%s %.*s %s|%.*s|%.*s", difference->what,
                 (int)difference->place.size, difference->place.size ? difference->place.data : "", difference->field,
                 (int)difference->source.size, difference->source.size ? difference->source.data : "",
                 (int)difference->index.size, difference->index.size ? difference->index.data : "");
    seen->count++;
    return seen->count != seen->most;
}

/* Compares the index of one text or file with another text or file. */
static framemap_verify_counts compare(framemap_str indexed, framemap_str source, struct seen *seen)
{
    framemap_bytes bytes = {0};
    framemap_index *index = NULL;
    framemap_verify_counts counts = {0};
    framemap_error error;
    if (framemap_index_build(indexed, framemap_str_of("a"), NULL, &bytes, &error) != FRAMEMAP_OK ||
        framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, &error) != FRAMEMAP_OK ||
        framemap_index_verify_against(index, source, framemap_str_of("a"), NULL, see, seen, &counts, &error) !=
            FRAMEMAP_OK)
        fail_msg("%s", error.message);
    framemap_index_close(index);
    framemap_bytes_free(&bytes);
    assert_int_equal(counts.differences, seen->count);
    return counts;
}

static void all_inputs_equal(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(verify_inputs); i++) {
        const struct verify_input *input = &verify_inputs[i];
        const framemap_build_options options = verify_options(input);
        const framemap_str file = verify_read(input);
        framemap_bytes bytes;
        framemap_index *index;
        framemap_verify_counts counts;
        struct seen seen = {0};
        framemap_error error;
        verify_build(input, file, &bytes);
        assert_int_equal(framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, NULL), FRAMEMAP_OK);
        if (framemap_index_verify_against(index, file, framemap_str_of(input->path), &options, see, &seen, &counts,
                                          &error) != FRAMEMAP_OK)
            fail_msg("%s: %s", input->path, error.message);
        if (seen.count > 0) fail_msg("%s: %s", input->path, seen.rows[0]);
        assert_true(counts.records > 5 && counts.questions > counts.records && !counts.other_build);
        framemap_index_close(index);
        framemap_bytes_free(&bytes);
        corpus_free(file);
    }
}

#ifdef FRAMEMAP_WITH_LIBDWARF
/* Compares an index that was made with one reader of debug info with the file, read by the other reader. */
static void the_readers_agree(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(verify_inputs); i++) {
        const struct verify_input *input = &verify_inputs[i];
        framemap_build_options options = verify_options(input);
        framemap_bytes bytes;
        framemap_index *index;
        framemap_verify_counts counts;
        struct seen seen = {0};
        if (strncmp(input->path, "native/", 7) != 0 && strncmp(input->path, "dart/app", 8) != 0) continue;
        const framemap_str file = verify_read(input);
        verify_build(input, file, &bytes);
        options.reader = "libdwarf";
        assert_int_equal(framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, NULL), FRAMEMAP_OK);
        assert_int_equal(framemap_index_verify_against(index, file, framemap_str_of(input->path), &options, see, &seen,
                                                       &counts, NULL),
                         FRAMEMAP_OK);
        if (seen.count > 0) fail_msg("%s: %s", input->path, seen.rows[0]);
        framemap_index_close(index);
        framemap_bytes_free(&bytes);
        corpus_free(file);
    }
}
#endif

/* --- testing differences between an index and a source --- */

#define MAPPING \
    "com.example.Main -> a.b:\n    int count -> a\n    1:3:void run(int):10:12 -> c\n    4:4:void stop():20:20 -> d\n"
#define EMPTY "{\"version\":3,\"sources\":[],\"names\":[],\"mappings\":\"\"}"
#define MAP "{\"version\":3,\"sources\":[\"a.js\"],\"names\":[\"f\"],\"mappings\":\"AAAAA,IACA,OAAO;EAEP\"}"

static const struct {
    const char *why, *indexed, *source;
    /* first: the first difference, not counting a difference of the ids; another: one of the first three differences */
    const char *first, *another;
} rows[] = {
    {"an original line", MAPPING,
     "com.example.Main -> a.b:\n    int count -> a\n    1:3:void run(int):30:32 -> c\n"
     "    4:4:void stop():20:20 -> d\n",
     "line a.b.c:1 original line|1:3 -> com.example.Main.run(int) 30:32|1:3 -> com.example.Main.run(int) 10:12", NULL},
    {"a class that is missing", MAPPING, MAPPING "com.example.Other -> a.c:\n", "class  number of classes|2|1",
     "class a.c answer|com.example.Other|"},
    {"a field", MAPPING,
     "com.example.Main -> a.b:\n    long count -> a\n    1:3:void run(int):10:12 -> c\n"
     "    4:4:void stop():20:20 -> d\n",
     "field a.b.a member|long com.example.Main.count|", NULL},
    {"an original class", MAPPING,
     "com.example.Win -> a.b:\n    int count -> a\n    1:3:void run(int):10:12 -> c\n"
     "    4:4:void stop():20:20 -> d\n",
     "class a.b original name|com.example.Win|com.example.Main", NULL},
    {"an original column", MAP,
     "{\"version\":3,\"sources\":[\"a.js\"],\"names\":[\"f\"],\"mappings\":\"AAAAA,IACC,OAAO;EAEP\"}",
     "segment 1:5 column|? at a.js:2:2|? at a.js:2:1", NULL},
    {"a source", MAP, "{\"version\":3,\"sources\":[\"b.js\"],\"names\":[\"f\"],\"mappings\":\"AAAAA,IACA,OAAO;EAEP\"}",
     "source b.js address|b.js|a.js", "source b.js spelling|b.js|a.js"},
    {"a name", MAP, "{\"version\":3,\"sources\":[\"a.js\"],\"names\":[\"g\"],\"mappings\":\"AAAAA,IACA,OAAO;EAEP\"}",
     "segment 1:1 name|? at a.js:1:1, name g|? at a.js:1:1, name f", NULL},
    {"segments in place of none", EMPTY, MAP, "segment  number of segments|4|0", "source  number of sources|1|0"},
    {"no segment in place of some", MAP, EMPTY, "segment  number of segments|0|4", "source  number of sources|0|1"},
    {"a segment that is missing", MAP,
     "{\"version\":3,\"sources\":[\"a.js\"],\"names\":[\"f\"],\"mappings\":\"AAAAA,IACA,OAAO;EAEP,CAAC\"}",
     "segment  number of segments|5|4", "segment 2:4 column|? at a.js:4:2|? at a.js:4:1"},
};

static void differences_are_described(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct seen seen = {0};
        const framemap_verify_counts counts =
            compare(framemap_str_of(rows[i].indexed), framemap_str_of(rows[i].source), &seen);
        const size_t first = counts.other_build ? 1 : 0;
        assert_true(seen.count > first);
        if (counts.other_build && strncmp(seen.rows[0], "id  id|", 7) != 0)
            fail_msg("%s: %s", rows[i].why, seen.rows[0]);
        if (strcmp(seen.rows[first], rows[i].first) != 0) fail_msg("%s: %s", rows[i].why, seen.rows[first]);
        if (rows[i].another && strcmp(seen.rows[first + 1], rows[i].another) != 0)
            fail_msg("%s: %s", rows[i].why, seen.rows[first + 1]);
    }
}

static void another_build_is_said_first(void **state)
{
    (void)state;
    const framemap_str one = corpus_read(CORPUS "native/gcc-x86_64-O1.elf"),
                       other = corpus_read(CORPUS "native/gcc-x86_64-O3.elf");
    struct seen seen = {0};
    const framemap_verify_counts counts = compare(one, other, &seen);
    assert_true(counts.other_build && counts.differences > 50);
    if (strncmp(seen.rows[0], "id  id|", 7) != 0) fail_msg("%s", seen.rows[0]);
    if (strncmp(seen.rows[1], "attribute producer value|GNU C17", 32) != 0) fail_msg("%s", seen.rows[1]);
    if (strncmp(seen.rows[2], "position 0x", 11) != 0) fail_msg("%s", seen.rows[2]);
    corpus_free(one);
    corpus_free(other);
}

static void an_index_of_another_kind(void **state)
{
    (void)state;
    struct seen seen = {0};
    const framemap_verify_counts counts = compare(framemap_str_of(MAPPING), framemap_str_of(MAP), &seen);
    /* an index of another form has only this difference: its records are not compared */
    assert_true(counts.other_build && counts.records == 0);
    if (strcmp(seen.rows[1], "attribute  kind|sourcemap|r8") != 0) fail_msg("%s", seen.rows[1]);
}

/* --- testing surprising inputs --- */

static void texts_equal_their_indexes(void **state)
{
    static const struct {
        const char *why, *text;
    } texts[] = {
        {"of two ranges of one method the first has the line",
         "a.B -> b:\n    1:4:void m():10:13 -> c\n    4:6:void m():20:22 -> c\n    7:7:void m():5:5 -> c\n"},
        {"two methods of one name share lines",
         "a.B -> b:\n    1:4:void m():10:13 -> c\n    3:6:void n(int):20:23 -> c\n    3:6:void m():50 -> c\n"},
        {"two chains with one innermost frame", "a.B -> b:\n    4:6:void m():50 -> c\n    void n():20:22 -> c\n"
                                                "    4:6:void m():50 -> c\n    4:6:void o():60:62 -> c\n"},
        {"a range that may be several lines, and one without lines",
         "a.B -> b:\n    1:1:void m():10:13 -> c\n    void m():3:4 -> c\n    void n() -> c\n    void n() -> d\n"},
        {"an inlined call, and a class that is not renamed",
         "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\na.B -> b:\n"
         "# {\"id\":\"sourceFile\",\"fileName\":\"B.kt\"}\n    1:3:int a.C.f(long):10:12 -> c\n    1:3:void m():4 -> "
         "c\n"
         "a.C -> a.C:\n# {\"id\":\"com.android.tools.r8.synthesized\"}\n    void x() -> x\n    int y -> y\n    long y "
         "-> y\n"},
        {"rules that depend on the stack",
         "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\na.B -> b:\n    4:4:void a.C.f():7:7 -> c\n"
         "    4:4:void m():9 -> c\n# {\"id\":\"com.android.tools.r8.rewriteFrame\",\"conditions\":"
         "[\"throws(Ljava/lang/NullPointerException;)\"],\"actions\":[\"removeInnerFrames(1)\"]}\n"},
        {"names that no query can have", "a.B -> b:\n    1:1:void m():2:2 -> .f\n    int q -> a.b\na.C -> int:\n"
                                         "    void n() -> a\na.D -> b.c:\n    void n() -> a\n"},
        {"a class twice: the last one counts", "a.B -> b:\n    void m() -> c\na.C -> b:\n    void n() -> d\n"},
        {"segments at one position, and nowhere", "{\"version\":3,\"sources\":[\"a\",\"b\"],\"names\":[\"n\"],"
                                                  "\"mappings\":\"IAAA,AACAA,AADA,I,IAAA;;;E;ACAA\"}"},
        {"ranges", "{\"version\":3,\"sources\":[\"a\"],\"names\":[],\"mappings\":\"AAAA,IAAI;;CACA,CACA;\","
                   "\"rangeMappings\":\"B;;B\"}"},
        {"functions of one source only",
         "{\"version\":3,\"sources\":[\"a\",\"b\"],\"names\":[],\"mappings\":\"AAAA,CCAA\",\"x_facebook_sources\":"
         "[[{\"names\":[\"<global>\",\"f\"],\"mappings\":\"AAA;ECC\"}],null],\"x_hermes_function_offsets\":{\"0\":[0,1]"
         "}}"},
        {"two maps in one", "{\"version\":3,\"sections\":[{\"offset\":{\"line\":0,\"column\":0},\"map\":" MAP
                            "},{\"offset\":{\"line\":5,\"column\":3},\"map\":" MAP "}]}"},
        {"symbols of a kernel", "ffffffff81000000 T _stext\nffffffff81000040 t do_one\nffffffff81000040 T alias_one\n"
                                "ffffffff81000100 T do_two\nffffffff82000000 D data_thing\n"
                                "ffffffffc0000000 t mod_fn\t[ext4]\nffffffffc0000040 t mod_two\t[ext4]\n"},
        {"an obfuscation map", "[\"MaterialApp\",\"ex\",\"Scaffold\",\"ey\",\"main\",\"main\"]"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct seen seen = {0};
        const framemap_verify_counts counts =
            compare(framemap_str_of(texts[i].text), framemap_str_of(texts[i].text), &seen);
        if (seen.count > 0) fail_msg("%s: %s", texts[i].why, seen.rows[0]);
        assert_true(counts.records > 0);
    }
}

/* --- testing how the call ends --- */

struct stopped {
    framemap_bytes bytes;
    framemap_index *index;
};

static void open_mapping(struct stopped *opened)
{
    memset(opened, 0, sizeof *opened);
    assert_int_equal(framemap_index_build(framemap_str_of(MAPPING), framemap_str_of("a"), NULL, &opened->bytes, NULL),
                     FRAMEMAP_OK);
    assert_int_equal(framemap_index_open(framemap_bytes_str(&opened->bytes), NULL, &opened->index, NULL), FRAMEMAP_OK);
}

static void close_mapping(struct stopped *opened)
{
    framemap_index_close(opened->index);
    framemap_bytes_free(&opened->bytes);
}

static void a_report_can_stop_it(void **state)
{
    (void)state;
    struct stopped opened;
    struct seen seen = {.most = 1};
    framemap_verify_counts counts = {0};
    framemap_error error;
    open_mapping(&opened);
    assert_int_equal(framemap_index_verify_against(opened.index, framemap_str_of("a -> b:\n"), framemap_str_of("a"),
                                                   NULL, see, &seen, &counts, &error),
                     FRAMEMAP_E_LIMIT);
    assert_int_equal(counts.differences, 1);
    assert_int_equal(seen.count, 1);
    assert_string_equal(error.message, "stopped");
    close_mapping(&opened);
}

static void wrong_arguments_are_refused(void **state)
{
    (void)state;
    struct stopped opened;
    framemap_verify_counts counts;
    const uint64_t position = 1;
    const framemap_build_options some = {.size = sizeof some, .positions = &position, .position_count = 1},
                                 unknown = {.size = sizeof unknown, .mapper = "no such"},
                                 little = {.size = sizeof little, .max_memory = 1000};
    const framemap_str file = framemap_str_of(MAPPING), name = framemap_str_of("a");
    framemap_error error;
    open_mapping(&opened);
    assert_int_equal(framemap_index_verify_against(NULL, file, name, NULL, NULL, NULL, &counts, NULL),
                     FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_index_verify_against(opened.index, file, name, NULL, NULL, NULL, NULL, NULL),
                     FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_index_verify_against(opened.index, file, name, &some, NULL, NULL, &counts, NULL),
                     FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_index_verify_against(opened.index, file, name, &unknown, NULL, NULL, &counts, NULL),
                     FRAMEMAP_E_ARGUMENT);
    assert_int_equal(
        framemap_index_verify_against(opened.index, framemap_str_of("text"), name, NULL, NULL, NULL, &counts, NULL),
        FRAMEMAP_E_FORMAT);
    assert_int_equal(framemap_index_verify_against(opened.index, file, name, &little, NULL, NULL, &counts, &error),
                     FRAMEMAP_E_MEMORY);
    assert_non_null(strstr(error.message, "over-memory"));
    close_mapping(&opened);
}

/* --- testing allocations that fail --- */

struct sweep {
    framemap_index *index;
    framemap_str file;
};

static bool compare_once(const framemap_allocator *allocator, void *context)
{
    const struct sweep *sweep = context;
    framemap_verify_counts counts;
    const framemap_build_options options = {.size = sizeof options, .allocator = allocator};
    const framemap_status status = framemap_index_verify_against(sweep->index, sweep->file, framemap_str_of("a"),
                                                                 &options, NULL, NULL, &counts, NULL);
    if (status == FRAMEMAP_OK)
        assert_int_equal(counts.differences, 0);
    else
        assert_int_equal(status, FRAMEMAP_E_MEMORY);
    return status == FRAMEMAP_OK;
}

static void every_allocation_may_fail(void **state)
{
    static const char *const files[] = {"native/groups.o", "java/r8/inline/mapping.txt",
                                        "javascript/bundles/swc/small.js.map"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        const struct verify_input input = {files[i], NULL};
        struct sweep sweep = {.file = verify_read(&input)};
        framemap_bytes bytes;
        verify_build(&input, sweep.file, &bytes);
        assert_int_equal(framemap_index_open(framemap_bytes_str(&bytes), NULL, &sweep.index, NULL), FRAMEMAP_OK);
        assert_true(sweep_allocations(compare_once, &sweep) > 10);
        framemap_index_close(sweep.index);
        framemap_bytes_free(&bytes);
        corpus_free(sweep.file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_inputs_equal),
#ifdef FRAMEMAP_WITH_LIBDWARF
        cmocka_unit_test(the_readers_agree),
#endif
        cmocka_unit_test(texts_equal_their_indexes),
        cmocka_unit_test(differences_are_described),
        cmocka_unit_test(another_build_is_said_first),
        cmocka_unit_test(an_index_of_another_kind),
        cmocka_unit_test(a_report_can_stop_it),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
