/* Tests the reader of xctrace's exports: elements that refer to other elements, the members of frames and threads, and
 * errors in documents. */
#include "tests/formats/profiles/read_only/reader_checks.h"

#define EXPORT(rows)                                                                                               \
    "<?xml version=\"1.0\"?>\n<trace-query-result>\n<node xpath='//trace-toc[1]/run[1]/data[1]/table[2]'><schema " \
    "name="                                                                                                        \
    "\"time-profile\"><col><mnemonic>time</mnemonic></col></schema>" rows "</node></trace-query-result>\n"
#define FIRST                                                                                                          \
    "<row><sample-time id=\"1\" fmt=\"00:00\">57</sample-time><thread id=\"2\" fmt=\"main  0x8480c1 (app, pid: 7)\">"  \
    "<tid id=\"3\" fmt=\"0x8480c1\">8683713</tid><process id=\"4\" fmt=\"app (7)\"><pid id=\"5\" fmt=\"7\">7</pid>"    \
    "</process></thread><process ref=\"4\"/><weight id=\"6\" fmt=\"1.00 ms\">1000000</weight><backtrace id=\"7\">"     \
    "<frame id=\"8\" name=\"f&lt;int&gt;&#x21;\" addr=\"0x1049d\"><binary id=\"9\" name=\"app\" UUID=\"C144ED77-219A-" \
    "3695-845E-CA110204F8DB\" arch=\"arm64\" load-addr=\"0x10000\" path=\"/a/app\"/><source line=\"7\"><path "         \
    "id=\"10\">"                                                                                                       \
    "/a/b.c</path></source></frame><frame id=\"11\" name=\"0x10500\" addr=\"0x10500\"><binary ref=\"9\"/></frame>"     \
    "</backtrace></row>"

static const struct profile_case exports[] = {
    {"a row, and one whose elements refer to those of the first",
     EXPORT(FIRST
            "<!-- a > comment --><row><sample-time id=\"12\">58</sample-time><thread ref=\"2\"/><process ref=\"4\"/>"
            "<weight ref=\"6\"/><backtrace id=\"13\"><frame ref=\"11\"/><frame ref=\"8\"/></backtrace></row>\n"
            "<row><sample-time ref=\"1\"/><thread ref=\"2\"/><weight ref=\"6\"/><backtrace ref=\"7\"/></row>"),
     "57 app 7/main 8683713 +104ff!/a/app;f<int>!+1049c!/a/app@/a/b.c:7 1 count, 1000000 nanoseconds\n"
     "58 app 7/main 8683713 f<int>!+1049c!/a/app@/a/b.c:7;+104ff!/a/app 1 count, 1000000 nanoseconds\n"
     "57 app 7/main 8683713 +104ff!/a/app;f<int>!+1049c!/a/app@/a/b.c:7 1 count, 1000000 nanoseconds\n"},
    {"the form of newer versions: a tagged backtrace, a name with the number in parentheses, no ids, a null",
     EXPORT("<row><sample-time>5</sample-time><thread fmt=\"Main Thread (0x1) (My App (2), pid: 9)\"/><process "
            "fmt=\"My App (2) (9)\"/>"
            "<core><sentinel/></core><weight>3</weight><tagged-backtrace id=\"1\" fmt=\"a\"><backtrace id=\"2\"><frame "
            "name=\"a\"/>"
            "<frame name=\"b\"/></backtrace></tagged-backtrace></row><row><weight>4</weight><tagged-backtrace "
            "ref=\"1\"/></row>"
            "<row><weight>5</weight><tagged-backtrace><frame name=\"c\"/></tagged-backtrace></row>"),
     "5 My App (2) 9/Main Thread b;a 1 count, 3 nanoseconds\nb;a 1 count, 4 nanoseconds\nc 1 count, 5 nanoseconds\n"},
    {"cycles, and a row without a backtrace; rows of other tables are not samples",
     EXPORT("<row><cycle-weight id=\"1\">77</cycle-weight><backtrace><frame name=\"a\"/></backtrace></row>"
            "<row><cycle-weight ref=\"1\"/><sentinel/></row><row><string>x</string></row>"),
     "a 1 count, 77 count\n 1 count, 77 count\n"},
};

static void test_exports(void **state)
{
    (void)state;
    assert_cases(exports, sizeof exports / sizeof *exports, "xctrace", "pprof");
}

static void test_images(void **state)
{
    (void)state;
    framemap_sample_set *set = read_samples(framemap_str_of(EXPORT(FIRST)), NULL);
    framemap_sample_frame frame;
    assert_true(framemap_sample_set_frame(set, 0, &frame));
    assert_true(fm_str_equal(frame.build_id, FM_STR("c144ed77219a3695845eca110204f8db")));
    assert_true(frame.has_load_address && frame.return_address);
    assert_int_equal(frame.load_address, 0x10000);
    framemap_sample_set_close(set);
}

/* Tests a stack that is deeper than the limit; its innermost frames are omitted. */
static void test_deep(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_buf text;
    framemap_sample_counts counts;
    framemap_sample_frame frame;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_str(&text, FM_STR("<trace-query-result><node><row><backtrace>"));
    for (unsigned i = 0; i < 20000; i++) fm_buf_printf(&text, "<frame name=\"f%u\"/>", i);
    fm_buf_str(&text, FM_STR("</backtrace></row></node></trace-query-result>"));
    framemap_sample_set *set = read_samples(fm_buf_view(&text), NULL);
    framemap_sample_set_counts(set, &counts);
    assert_int_equal(counts.nodes, 16384);
    uint32_t number;
    assert_true(framemap_sample_set_node(set, 0, NULL, &number) && framemap_sample_set_frame(set, number, &frame));
    assert_true(fm_str_equal(frame.function, FM_STR("f19999")));
    framemap_sample_set_close(set);
    fm_buf_free(&text);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct refused_case cases[] = {
        {"another document", "<plist><dict/></plist>", 0, FRAMEMAP_E_FORMAT, NULL},
        {"no document", "x", 0, FRAMEMAP_E_FORMAT, NULL},
        {"an element that is not above", EXPORT("<row><backtrace ref=\"7\"/></row>"), 0, FRAMEMAP_E_CORRUPT,
         "<backtrace ref=\"7\"/>"},
        {"an element of another kind", EXPORT("<row><weight id=\"1\">1</weight><backtrace ref=\"1\"/></row>"), 0,
         FRAMEMAP_E_CORRUPT, "<backtrace ref"},
        {"a reference with contents", EXPORT("<row><weight id=\"1\">1</weight><weight ref=\"1\">2</weight></row>"), 0,
         FRAMEMAP_E_CORRUPT, "<weight ref=\"1\">2"},
        {"ends that do not match", "<trace-query-result><node></row>", 0, FRAMEMAP_E_CORRUPT, "</row>"},
        {"a tag that is cut", "<trace-query-result><node", 0, FRAMEMAP_E_CORRUPT, "<node"},
        {"an element that is cut", "<trace-query-result><node>", 0, FRAMEMAP_E_CORRUPT, ""}};
    assert_refused(cases, sizeof cases / sizeof *cases, "xctrace");
}

static void test_damaged(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof exports / sizeof *exports; i++) {
        assert_prefixes(framemap_str_of(exports[i].text), "xctrace");
        assert_allocations(framemap_str_of(exports[i].text), "xctrace");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exports), cmocka_unit_test(test_images),
                                       cmocka_unit_test(test_deep), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_damaged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
