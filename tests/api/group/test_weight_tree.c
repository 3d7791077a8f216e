/* Tests trees of profiles: weights of functions and nodes, their order, rules, the output, and failures. */
#include "tests/testing.h"

#include "core/text/buffer.h"
#include <framemap/framemap.h>
#include <string.h>

#define STR framemap_str_of

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }
static bool gather_nothing(void *context, const char *data, size_t size)
{
    (void)context, (void)data, (void)size;
    return true;
}
static bool refuse(void *context, const char *data, size_t size)
{
    (void)context, (void)data, (void)size;
    return false;
}

static framemap_sample_set *read_set(const char *text, const char *format)
{
    framemap_sample_set *set = NULL;
    assert_int_equal(framemap_sample_set_open(NULL, &set, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_sample_set_read(set, STR(text), format, NULL), FRAMEMAP_OK);
    return set;
}

static framemap_sample_tree *tree_of(const char *text, const char *format, const framemap_rules *rules, uint32_t type)
{
    const framemap_sample_tree_options options = {.size = sizeof options, .rules = rules, .type = type};
    framemap_sample_tree *tree = NULL;
    framemap_sample_set *set = read_set(text, format);
    assert_int_equal(framemap_sample_tree_make(set, &options, &tree, NULL), FRAMEMAP_OK);
    framemap_sample_set_close(set); /* the tree has its own copies of texts, so the set can be closed */
    return tree;
}

static void assert_printed(const framemap_sample_tree *tree, const char *format, framemap_tree_part part, uint32_t most,
                           const char *expected)
{
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    assert_int_equal(framemap_sample_tree_print(tree, format, part, most, gather, &out, NULL), FRAMEMAP_OK);
    const bool equal = fm_str_equal(fm_buf_view(&out), STR(expected));
    if (!equal) print_message("%.*s\n", (int)out.size, out.data);
    assert_true(equal);
    fm_buf_free(&out);
}

/* --- testing weights of functions and nodes --- */

static void assert_function(const framemap_sample_tree *tree, uint32_t at, const char *name, int64_t self,
                            int64_t total)
{
    framemap_sample_function function;
    assert_true(framemap_sample_tree_function(tree, at, &function));
    assert_true(fm_str_equal(function.name, STR(name)));
    assert_int_equal(function.self, self);
    assert_int_equal(function.total, total);
}

/* A function that calls itself counts once for each sample. */
static void test_recursion(void **state)
{
    (void)state;
    framemap_sample_tree *tree = tree_of("a;b;a;b 1\na;b 2\na;b;c 3\nb;a 4\n", "folded", NULL, 0);
    const framemap_sample_tree_totals totals = framemap_sample_tree_count(tree);
    framemap_sample_function none;
    assert_int_equal(totals.total, 10);
    assert_int_equal(totals.functions, 3);
    assert_int_equal(totals.nodes, 7);
    assert_true(fm_str_equal(totals.type, STR("samples")));
    assert_function(tree, 0, "a", 4, 10);
    assert_function(tree, 1, "b", 3, 10);
    assert_function(tree, 2, "c", 3, 3);
    assert_false(framemap_sample_tree_function(tree, 3, &none));
    framemap_sample_tree_close(tree);
}

static void test_walk(void **state)
{
    (void)state;
    static const struct {
        uint32_t parent, depth;
        const char *name;
        int64_t self, total;
    } rows[] = {{FRAMEMAP_NO_NODE, 0, "a", 0, 6},
                {0, 1, "b", 1, 6},
                {1, 2, "c", 3, 3},
                {1, 2, "d", 2, 2},
                {FRAMEMAP_NO_NODE, 0, "b", 4, 4}};
    framemap_sample_tree *tree = tree_of("a;b;d 2\na;b 1\nb 4\na;b;c 3\n", "folded", NULL, 0);
    framemap_sample_tree_node node;
    framemap_sample_function function;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(framemap_sample_tree_node_at(tree, i, &node));
        assert_true(framemap_sample_tree_function(tree, node.function, &function));
        assert_true(fm_str_equal(function.name, STR(rows[i].name)));
        assert_int_equal(node.parent, rows[i].parent);
        assert_int_equal(node.depth, rows[i].depth);
        assert_int_equal(node.self, rows[i].self);
        assert_int_equal(node.total, rows[i].total);
    }
    assert_false(framemap_sample_tree_node_at(tree, 5, &node));
    framemap_sample_tree_close(tree);
}

/* Inlined functions are frames of their own. A function that occurs in several images under one name is one
 * function. */
#define PERF                                                 \
    "app 1/1 1.0: 5 cycles:\n\t7001 f+0x1 (/usr/lib/a.so)\n" \
    "\t7009 main (/usr/bin/app)\n\n"                         \
    "app 1/2 1.1: 7 cycles:\n\t8001 f+0x1 (/usr/lib/b.so)\n" \
    "\t7009 main (/usr/bin/app)\n\n"                         \
    "app 1/2 1.2: 8 cycles:\n\t9001 [unknown] (/usr/lib/libc.so.6)\n\n"

static void test_kinds_of_weights(void **state)
{
    (void)state;
    framemap_sample_tree *samples = tree_of(PERF, NULL, NULL, 0), *periods = tree_of(PERF, NULL, NULL, 1);
    assert_function(samples, 0, "f", 2, 2);
    assert_function(samples, 1, "[libc.so.6]", 1, 1);
    assert_function(samples, 2, "main", 0, 2);
    assert_function(periods, 0, "f", 12, 12);
    assert_function(periods, 1, "[libc.so.6]", 8, 8);
    assert_int_equal(framemap_sample_tree_count(periods).total, 20);
    framemap_sample_tree_close(samples);
    framemap_sample_tree_close(periods);
}

/* perf 6.1 prints offsets in files; if the list of mapped files is known, they are converted to addresses. */
static void test_offsets_of_perf(void **state)
{
    (void)state;
    static const char text[] =
        "app 1/1 0.5: PERF_RECORD_MMAP2 1/1: [0x55a22fed1000(0x1000) @ 0x1000 fe:00 1 2]: r-xp /usr/bin/app\n"
        "app 1/1 1.0: 5 cycles:\n\t1141 f+0x1 (/usr/bin/app)\n\t55a22fed1215 main (/usr/bin/app)\n"
        "\t2724a start (/usr/lib/libc.so.6)\n\n";
    static const struct {
        uint64_t address;
        bool has_load_address;
    } rows[] = {{0x55a22fed1141, true}, {0x55a22fed1215, true}, {0x2724a, false}};
    framemap_sample_set *set = read_set(text, NULL);
    framemap_sample_frame frame;
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(framemap_sample_set_frame(set, i, &frame));
        assert_int_equal(frame.address, rows[i].address);
        assert_int_equal(frame.has_load_address, rows[i].has_load_address);
        if (frame.has_load_address) assert_int_equal(frame.load_address, 0x55a22fed0000);
    }
    framemap_sample_set_close(set);
}

/* --- testing rules that mark functions --- */

static void test_rules(void **state)
{
    (void)state;
    const framemap_rules_options options = {
        .size = sizeof options, .in_app = STR("-module:b.so\n"), .owners = STR("*.java @j\n/src/ @src\n")};
    framemap_rules *rules;
    framemap_sample_function function;
    assert_int_equal(framemap_rules_open(&options, &rules, NULL), FRAMEMAP_OK);
    framemap_sample_tree *perf = tree_of(PERF, NULL, rules, 0);
    framemap_sample_tree *java = tree_of("java.lang.Error\n\tat com.x.Shop.pay(Shop.java:3)\n", NULL, rules, 0);
    assert_true(framemap_sample_tree_function(perf, 1, &function) && function.has_in_app && !function.in_app);
    assert_true(framemap_sample_tree_function(perf, 2, &function) && function.has_in_app && function.in_app);
    assert_true(framemap_sample_tree_function(java, 0, &function) && function.in_app);
    assert_true(fm_str_equal(function.name, STR("com.x.Shop.pay")) && fm_str_equal(function.owner, STR("@j")));
    framemap_sample_tree_close(perf);
    framemap_sample_tree_close(java);
    framemap_rules_close(rules);
}

/* --- testing the printed tree --- */

static void test_text(void **state)
{
    (void)state;
    framemap_sample_tree *tree = tree_of("a;b;c 3\na;b 1999\na\x1b[1m;d 5\n", "folded", NULL, 0);
    assert_printed(tree, "text", FRAMEMAP_TREE_FUNCTIONS, 2,
                   "  self       %   total       %  function\n"
                   "  1999   99.6%    2002   99.8%  b\n"
                   "     5    0.2%       5    0.2%  d\n"
                   "2007 of samples, 5 functions, of which 2 are shown\n");
    assert_printed(tree, "text", FRAMEMAP_TREE_NODES, 0,
                   " total       %    self       %  function\n"
                   "  2002   99.8%       0    0.0%  a\n"
                   "  2002   99.8%    1999   99.6%    b\n"
                   "     3    0.1%       3    0.1%      c\n"
                   "     5    0.2%       0    0.0%  a\\x1b[1m\n"
                   "     5    0.2%       5    0.2%    d\n"
                   "2007 of samples, 5 nodes\n");
    framemap_sample_tree_close(tree);
}

static void test_json(void **state)
{
    (void)state;
    framemap_sample_tree *tree = tree_of("a;\"b\" 3\na 1\n", "folded", NULL, 0);
    framemap_sample_tree *none = tree_of("", "folded", NULL, 0);
#define JSON_HEAD "{\"t\":\"head\",\"schema\":\"framemap-top/1\",\"framemap\":\"" FRAMEMAP_VERSION_STRING "\"}\n"
    assert_printed(tree, "json", FRAMEMAP_TREE_NODES, 1,
                   JSON_HEAD "{\"t\":\"node\",\"n\":0,\"function\":\"a\",\"self\":1,\"total\":4}\n"
                             "{\"t\":\"end\",\"type\":\"samples\",\"unit\":\"count\",\"total\":4,\"functions\":2,"
                             "\"nodes\":2,\"shown\":1}\n");
    assert_printed(tree, "json", FRAMEMAP_TREE_FUNCTIONS, 0,
                   JSON_HEAD "{\"t\":\"function\",\"n\":0,\"function\":\"\\\"b\\\"\",\"self\":3,\"total\":3}\n"
                             "{\"t\":\"function\",\"n\":1,\"function\":\"a\",\"self\":1,\"total\":4}\n"
                             "{\"t\":\"end\",\"type\":\"samples\",\"unit\":\"count\",\"total\":4,\"functions\":2,"
                             "\"nodes\":2,\"shown\":2}\n");
    assert_printed(none, "json", FRAMEMAP_TREE_NODES, 0,
                   JSON_HEAD "{\"t\":\"end\",\"total\":0,\"functions\":0,\"nodes\":0,\"shown\":0}\n");
    framemap_sample_tree_close(tree);
    framemap_sample_tree_close(none);
}

/* Times and bytes are printed in the largest unit in which their sum is at least one. */
static void test_units(void **state)
{
    (void)state;
    static const struct {
        const char *unit;
        int64_t value;
        const char *expected, *why;
    } rows[] = {{"nanoseconds", 1234567890, "1.23s of cpu, 1 function\n", "seconds"},
                {"nanoseconds", 999999, "1000.00us of cpu, 1 function\n", "rounded up within its unit"},
                {"nanoseconds", 999, "999ns of cpu, 1 function\n", "the least"},
                {"milliseconds", 1996, "2.00s of cpu, 1 function\n", "a carry"},
                {"bytes", 1536, "1.50KiB of cpu, 1 function\n", "bytes"},
                {"events", 7, "7 of cpu in events, 1 function\n", "no scale is known"},
                {"bytes", INT64_MIN, "-8589934592.00GiB of cpu, 1 function\n", "the least number"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const framemap_sample_frame frame = {.function = STR("f")};
        const framemap_sample_type type = {STR("cpu"), STR(rows[i].unit)};
        const framemap_sample sample = {.frames = &frame, .frame_count = 1, .values = &rows[i].value, .value_count = 1};
        framemap_sample_set *set;
        framemap_sample_tree *tree;
        struct fm_heap heap;
        struct fm_buf out;
        fm_heap_init(&heap, NULL, 0);
        fm_buf_init(&out, &heap);
        assert_int_equal(framemap_sample_set_open(NULL, &set, NULL), FRAMEMAP_OK);
        assert_int_equal(framemap_sample_set_add(set, &type, &sample, NULL), FRAMEMAP_OK);
        assert_int_equal(framemap_sample_tree_make(set, NULL, &tree, NULL), FRAMEMAP_OK);
        assert_int_equal(framemap_sample_tree_print(tree, "text", FRAMEMAP_TREE_FUNCTIONS, 0, gather, &out, NULL),
                         FRAMEMAP_OK);
        const bool equal = fm_str_ends(fm_buf_view(&out), STR(rows[i].expected));
        if (!equal) print_message("%s: %.*s", rows[i].why, (int)out.size, out.data);
        assert_true(equal);
        fm_buf_free(&out);
        framemap_sample_tree_close(tree);
        framemap_sample_set_close(set);
    }
}

/* --- testing how the format of a text is recognised --- */

static void test_format_of(void **state)
{
    (void)state;
    static const struct {
        const char *head, *name;
    } rows[] = {{"a;b 3\n", "folded"},
                {PERF, "perf-script"},
                {"*** *** *** *** ***\nBuild fingerprint: 'x'\n", "traces"},
                {"java.lang.Error\n\tat a.b(C.java:1)\n", "traces"},
                {"\xEF\xBB\xBF{\"stackTable\":1}", "firefox-profile"},
                {"--- contentionz 1 ---\n", ""},
                {"", "traces"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(framemap_sample_format_of(STR(rows[i].head)), rows[i].name);
    assert_string_equal(framemap_sample_format_of(fm_str("FLR\0\0\2", 6)), "");
}

/* The format of a JSON document may be decided by a member far from its start. Other texts are not searched that
 * far. */
static void test_late_format(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (unsigned is_document = 0; is_document < 2; is_document++) {
        struct fm_buf text;
        fm_buf_init(&text, &heap);
        fm_buf_str(&text, is_document ? STR("{\"a\":\"") : STR("log \""));
        for (unsigned i = 0; i < 70000; i++) fm_buf_byte(&text, 'x');
        fm_buf_str(&text, STR("\",\"stackTable\":1}"));
        assert_string_equal(framemap_sample_format_of(fm_buf_view(&text)), is_document ? "firefox-profile" : "traces");
        fm_buf_free(&text);
    }
}

/* A pprof profile, which is a compressed file, is recognized too. */
static void test_compressed_format(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_buf out;
    framemap_sample_set *set = read_set("a;b 3\n", "folded");
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    assert_int_equal(framemap_sample_set_write(set, "pprof", gather, &out, NULL, NULL), FRAMEMAP_OK);
    assert_string_equal(framemap_sample_format_of(fm_buf_view(&out)), "pprof");
    for (size_t size = 0; size < out.size; size++)
        assert_non_null(framemap_sample_format_of(fm_str_slice(fm_buf_view(&out), 0, size)));
    fm_buf_free(&out);
    framemap_sample_set_close(set);
}

/* --- testing calls that fail --- */

static void test_arguments(void **state)
{
    (void)state;
    framemap_sample_set *set = read_set("a 1\nb;c 1\n", "folded");
    framemap_sample_tree *tree = NULL;
    const framemap_sample_tree_options other = {.size = sizeof other, .type = 1};
    assert_int_equal(framemap_sample_tree_make(NULL, NULL, &tree, NULL), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_sample_tree_make(set, NULL, NULL, NULL), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_sample_tree_make(set, &other, &tree, NULL), FRAMEMAP_E_ARGUMENT);
    assert_null(tree);
    assert_int_equal(framemap_sample_tree_make(set, NULL, &tree, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_sample_tree_print(tree, "xml", FRAMEMAP_TREE_NODES, 0, refuse, NULL, NULL),
                     FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_sample_tree_print(tree, "json", (framemap_tree_part)2, 0, refuse, NULL, NULL),
                     FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_sample_tree_print(tree, "json", FRAMEMAP_TREE_NODES, 0, refuse, NULL, NULL),
                     FRAMEMAP_E_IO);
    assert_int_equal(framemap_sample_set_add_traces(NULL, NULL, 0, NULL), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_sample_set_add_traces(set, NULL, 1, NULL), FRAMEMAP_E_ARGUMENT);
    assert_false(framemap_sample_tree_function(NULL, 0, NULL));
    assert_false(framemap_sample_tree_node_at(tree, 0, NULL));
    assert_int_equal(framemap_sample_tree_count(NULL).nodes, 0);
    framemap_sample_tree_close(tree);
    framemap_sample_tree_close(NULL);
    framemap_sample_set_close(set);
}

static bool make_within(const framemap_allocator *allocator, void *context)
{
    framemap_sample_tree *tree = NULL;
    const framemap_sample_tree_options options = {.size = sizeof options, .allocator = allocator};
    framemap_status status = framemap_sample_tree_make(context, &options, &tree, NULL);
    if (status == FRAMEMAP_OK)
        status = framemap_sample_tree_print(tree, "json", FRAMEMAP_TREE_NODES, 0, gather_nothing, NULL, NULL);
    assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
    framemap_sample_tree_close(tree);
    return status == FRAMEMAP_OK;
}

static void test_memory(void **state)
{
    (void)state;
    framemap_sample_set *set = read_set("a;b;c 3\na;b 2\nd 1\n", "folded");
    assert_between(sweep_allocations(make_within, set), 5, 100);
    framemap_sample_set_close(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_recursion),
                                       cmocka_unit_test(test_walk),
                                       cmocka_unit_test(test_kinds_of_weights),
                                       cmocka_unit_test(test_rules),
                                       cmocka_unit_test(test_text),
                                       cmocka_unit_test(test_json),
                                       cmocka_unit_test(test_units),
                                       cmocka_unit_test(test_format_of),
                                       cmocka_unit_test(test_late_format),
                                       cmocka_unit_test(test_compressed_format),
                                       cmocka_unit_test(test_arguments),
                                       cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_offsets_of_perf)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
