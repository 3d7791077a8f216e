/* Tests that V8's CPU and heap profiles are read as samples. */
#include "tests/formats/profiles/sample_text.h"

static const struct profile_case profiles[] = {
    {"a sample lasts until the next one; lines and columns count from 0",
     "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\",\"url\":\"\",\"lineNumber\":-1,"
     "\"columnNumber\":-1},\"children\":[2]},{\"id\":2,\"callFrame\":{\"functionName\":\"run\",\"url\":\"a.js\","
     "\"lineNumber\":4,\"columnNumber\":0},\"children\":[3]},{\"id\":3,\"callFrame\":{\"functionName\":\"\","
     "\"url\":\"a.js\",\"lineNumber\":7,\"columnNumber\":2}}],\"startTime\":1000,\"endTime\":1060,"
     "\"samples\":[2,3,3,1],\"timeDeltas\":[5,10,20,20]}",
     "1005000 run@a.js:5:1 1 count, 10000 nanoseconds\n1015000 run@a.js:5:1;(anonymous)@a.js:8:3 1 count, 20000 "
     "nanoseconds\n1035000 run@a.js:5:1;(anonymous)@a.js:8:3 1 count, 20000 nanoseconds\n"
     "1055000 (root) 1 count, 5000 nanoseconds\n"},
    {"parents that come after their children, and a circle of parents",
     "{\"nodes\":[{\"id\":3,\"parent\":2,\"callFrame\":{\"functionName\":\"c\"}},{\"id\":2,\"parent\":1,\"callFrame\":"
     "{\"functionName\":\"b\"}},{\"id\":1,\"callFrame\":{\"functionName\":\"a\"}},{\"id\":7,\"parent\":8,\"callFrame\":"
     "{\"functionName\":\"x\"}},{\"id\":8,\"parent\":7,\"callFrame\":{\"functionName\":\"y\"}}],\"samples\":[3,7]}",
     "a;b;c 1 count\ny;x 1 count\n"},
    {"time does not go back",
     "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"a\"}}],\"startTime\":0,\"endTime\":20,\"samples\":[1,1,1]"
     ","
     "\"timeDeltas\":[10,-5,6]}",
     "10000 a 1 count, 0 nanoseconds\n10000 a 1 count, 1000 nanoseconds\n11000 a 1 count, 9000 nanoseconds\n"},
    {"hits, without samples",
     "{\"nodes\":[{\"id\":1,\"hitCount\":0,\"callFrame\":{\"functionName\":\"a\"},\"children\":[2]},{\"id\":2,"
     "\"hitCount\":7,\"callFrame\":{\"functionName\":\"b\"}}]}",
     "a;b 7 count\n"},
    {"the tree of older versions, with a list of times",
     "{\"head\":{\"functionName\":\"(root)\",\"url\":\"\",\"lineNumber\":0,\"bailoutReason\":\"\",\"id\":1,"
     "\"hitCount\":0,\"children\":[{\"functionName\":\"a\",\"url\":\"a.js\",\"lineNumber\":3,\"columnNumber\":9,"
     "\"id\":2,\"hitCount\":1,\"children\":[]}]},\"samples\":[2,2],\"timestamps\":[100,103]}",
     "100000 a@a.js:3:9 1 count, 3000 nanoseconds\n103000 a@a.js:3:9 1 count, 0 nanoseconds\n"},
    {"a heap profile",
     "{\"head\":{\"callFrame\":{\"functionName\":\"(root)\"},\"selfSize\":0,\"children\":[{\"callFrame\":"
     "{\"functionName\":\"a\",\"url\":\"a.js\",\"lineNumber\":0,\"columnNumber\":0},\"selfSize\":32,\"children\":["
     "{\"callFrame\":{\"functionName\":\"b\"},\"selfSize\":8,\"children\":[]}]}]}}",
     "a@a.js:1:1 32 bytes\na@a.js:1:1;b 8 bytes\n"},
    {"hostile names",
     "{\"nodes\":[{\"id\":\"x\\u0000\",\"callFrame\":{\"functionName\":\"<b>\\\"&\\u001b;\\ud800\"}}],"
     "\"samples\":[\"x\\u0000\"]}",
     "<b>\"&\x1b;\xEF\xBF\xBD 1 count\n"},
};

static void test_profiles(void **state)
{
    (void)state;
    assert_cases(profiles, sizeof profiles / sizeof *profiles, "v8-cpuprofile", "pprof");
}

/* Tests stacks that are too deep for the formats that are written, and documents that are nested deeper than the
 * limit. */
static void test_deep(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_buf text;
    framemap_sample_counts counts;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_str(&text, FM_STR("{\"nodes\":["));
    for (unsigned i = 1; i <= 40000; i++)
        fm_buf_printf(&text, "%s{\"id\":%u,\"parent\":%u,\"callFrame\":{\"functionName\":\"f\"}}", i > 1 ? "," : "", i,
                      i - 1);
    fm_buf_str(&text, FM_STR("],\"samples\":[40000,1]}"));
    framemap_sample_set *set = read_samples(fm_buf_view(&text), NULL);
    framemap_sample_set_counts(set, &counts);
    assert_int_equal(counts.nodes, 40000);
    assert_int_equal(counts.samples, 2);
    fm_buf_clear(&text);
    assert_int_equal(framemap_sample_set_write(set, "folded", gather_text, &text, NULL, NULL), FRAMEMAP_OK);
    framemap_sample_set_close(set);
    fm_buf_free(&text);
}

static void test_refused(void **state)
{
    (void)state;
    framemap_sample_set *set = NULL;
    framemap_error error = {0};
    assert_int_equal(framemap_sample_set_open(NULL, &set, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_sample_set_read(set, FM_STR("{\"nodes\":[{}]}"), "v8-cpuprofile", &error),
                     FRAMEMAP_E_FORMAT);
    assert_int_equal(framemap_sample_set_read(set, FM_STR("{\"nodes\":["), "v8-cpuprofile", &error),
                     FRAMEMAP_E_CORRUPT);
    assert_int_equal(framemap_sample_set_read(set, FM_STR("[]"), "v8-cpuprofile", &error), FRAMEMAP_E_FORMAT);
    framemap_sample_set_close(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_profiles), cmocka_unit_test(test_deep),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
