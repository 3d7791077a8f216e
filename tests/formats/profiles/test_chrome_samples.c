/* Tests that traces of Chrome are read as samples. */
#include "tests/formats/profiles/sample_text.h"

#define M(kind, tid, name) \
    "{\"ph\":\"M\",\"pid\":1,\"tid\":" tid ",\"name\":\"" kind "\",\"args\":{\"name\":\"" name "\"}},"
#define EV(phase, ts, name) "{\"ph\":\"" phase "\",\"pid\":1,\"tid\":2,\"ts\":" ts ",\"name\":\"" name "\"}"
#define X(ts, dur, name) "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":" ts ",\"dur\":" dur ",\"name\":\"" name "\"}"
#define NAMES M("process_name", "0", "app") M("thread_name", "2", "main")
#define TWO "app 1/main 2 "

static const struct profile_case traces[] = {
    {"events that begin and end, in an array",
     "[" NAMES EV("B", "0", "a") "," EV("B", "2", "b") "," EV("E", "5", "b") "," EV("E", "9", "a") "]",
     "0 " TWO "a 2000 nanoseconds\n2000 " TWO "a;b 3000 nanoseconds\n5000 " TWO "a 4000 nanoseconds\n"},
    {"the same in an object, out of order, with fractions",
     "{\"traceEvents\":[" EV("E", "9.5", "a") "," EV("B", "0.25", "a") "]}", "250  1/ 2 a 9250 nanoseconds\n"},
    {"an array that was cut within an event", "[" EV("B", "0", "a") "," EV("E", "4", "a") ",\n{\"ph\":\"B\",\"na",
     "0  1/ 2 a 4000 nanoseconds\n"},
    {"an array with a comma and no end", "[" EV("B", "0", "a") "," EV("E", "4", "a") ",\n",
     "0  1/ 2 a 4000 nanoseconds\n"},
    {"an object that was cut", "{\"traceEvents\":[" EV("B", "0", "a") "," EV("E", "4", "a") ",{",
     "0  1/ 2 a 4000 nanoseconds\n"},
    {"complete events, inner ones first", "[" X("0", "4", "b") "," X("0", "10", "a") "," X("6", "2", "c") "]",
     "0  1/ 2 a;b 4000 nanoseconds\n4000  1/ 2 a 2000 nanoseconds\n6000  1/ 2 a;c 2000 nanoseconds\n"
     "8000  1/ 2 a 2000 nanoseconds\n"},
    {"an event with a length of the thread's own time only",
     "[{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":0,\"tdur\":3,\"name\":\"a\"}]", "0  1/ 2 a 3000 nanoseconds\n"},
    {"an event ends with the one around it", "[" X("0", "4", "a") "," X("2", "9", "b") "]",
     "0  1/ 2 a 2000 nanoseconds\n2000  1/ 2 a;b 2000 nanoseconds\n"},
    {"ends without a begin, and a begin without an end",
     "[" EV("E", "0", "x") "," EV("B", "1", "a") "," EV("E", "2", "y") "," EV("B", "3", "b") "," EV("E", "4", "") "]",
     "1000  1/ 2 a 2000 nanoseconds\n3000  1/ 2 a;b 1000 nanoseconds\n"},
    {"the stack of an event, which is its innermost frame or above that",
     "{\"traceEvents\":[{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":0,\"dur\":2,\"name\":\"run\",\"sf\":5},"
     "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":3,\"dur\":2,\"name\":\"alloc\",\"sf\":\"5\"}],\"stackFrames\":{"
     "\"5\":{\"name\":\"run\",\"category\":\"lib.so\",\"parent\":4},\"4\":{\"name\":\"main\",\"category\":\"app\"}}}",
     "0  1/ 2 main;run!lib.so 2000 nanoseconds\n3000  1/ 2 main;run!lib.so;alloc 2000 nanoseconds\n"},
    {"samples of Hermes, whose numbers are strings; events that last are left out",
     "{\"traceEvents\":[" EV(
         "B", "0",
         "z") "],\"samples\":[{\"cpu\":\"-1\",\"ts\":\"7\",\"pid\":1,\"tid\":\"2\","
              "\"weight\":\"3\",\"sf\":2}],\"stackFrames\":{\"1\":{\"name\":\"[root]\",\"category\":\"root\"},\"2\":{"
              "\"name\":\"f\","
              "\"category\":\"JavaScript\",\"parent\":\"1\",\"url\":\"a.js\",\"line\":\"3\",\"column\":\"4\"}}}",
     "7000  1/ 2 [root];f@a.js:3:4 3 count\n"},
    {"files that Hermes has only in names; other names are kept",
     "{\"traceEvents\":[],\"samples\":[{\"ts\":\"7\",\"sf\":2},{\"ts\":\"8\",\"sf\":3}],\"stackFrames\":{"
     "\"2\":{\"name\":\"f(main.jsbundle:1:24)\",\"line\":\"1\",\"column\":\"24\"},"
     "\"3\":{\"name\":\"f(x:1:2)\",\"line\":\"5\",\"column\":\"6\",\"parent\":2}}}",
     "7000 f@main.jsbundle:1:24 1 count\n8000 f@main.jsbundle:1:24;f(x:1:2):5:6 1 count\n"},
    {"V8's profile in chunks, of another thread; events that last are left out",
     "[" M("thread_name", "2", "main")
         X("0", "9",
           "task") ",{\"ph\":\"P\",\"name\":\"Profile\",\"pid\":1,\"tid\":2,\"id\":\"0x1\",\"ts\":1,\"args\":{\"data\":"
                   "{\"startTime\":100}}},"
                   "{\"ph\":\"P\",\"name\":\"ProfileChunk\",\"pid\":1,\"tid\":9,\"id\":\"0x1\",\"ts\":2,\"args\":{"
                   "\"data\":{\"cpuProfile\":{"
                   "\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"}},{\"id\":2,\"parent\":1,"
                   "\"callFrame\":"
                   "{\"functionName\":\"a\",\"url\":\"a.js\",\"lineNumber\":0,\"columnNumber\":1}}],\"samples\":[2,2]},"
                   "\"timeDeltas\":[10,20]}}},"
                   "{\"ph\":\"P\",\"name\":\"ProfileChunk\",\"pid\":1,\"tid\":9,\"id\":\"0x1\",\"ts\":3,\"args\":{"
                   "\"data\":{\"cpuProfile\":{"
                   "\"nodes\":[{\"id\":3,\"parent\":2,\"callFrame\":{\"functionName\":\"b\"}}],\"samples\":[3]},"
                   "\"timeDeltas\":[5],"
                   "\"endTime\":140}}}]",
     "110000  1/main 2 a@a.js:1:2 1 count, 20000 nanoseconds\n130000  1/main 2 a@a.js:1:2 1 count, 5000 nanoseconds\n"
     "135000  1/main 2 a@a.js:1:2;b 1 count, 5000 nanoseconds\n"},
    {"the last chunk of a V8 profile that began before the trace: its end is not a time of its samples",
     "[{\"ph\":\"P\",\"name\":\"ProfileChunk\",\"pid\":1,\"tid\":2,\"id\":\"0x1\",\"ts\":900,\"args\":{\"data\":{"
     "\"cpuProfile\":{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"a\"}}],\"samples\":[1,1]},"
     "\"timeDeltas\":[10,20],\"endTime\":950}}}]",
     "10000  1/ 2 a 1 count, 20000 nanoseconds\n30000  1/ 2 a 1 count, 0 nanoseconds\n"},
    {"a whole profile of V8",
     "{\"traceEvents\":[{\"ph\":\"I\",\"name\":\"CpuProfile\",\"pid\":1,\"tid\":2,\"ts\":1,\"args\":{\"data\":{"
     "\"cpuProfile\":{"
     "\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"a\"},\"children\":[2]},{\"id\":2,\"callFrame\":{"
     "\"functionName\":"
     "\"b\"}}],\"samples\":[2],\"timeDeltas\":[3],\"startTime\":1,\"endTime\":9}}}}]}",
     "4000  1/ 2 a;b 1 count, 5000 nanoseconds\n"},
    {"other events with a stack are samples",
     "{\"traceEvents\":[{\"name\":\"alloc\",\"sf\":5}],\"stackFrames\":{\"5\":{\"name\":\"run\"}}}", "run 1 count\n"},
    {"a thread without a number", "[{\"ph\":\"X\",\"pid\":\"web\",\"tid\":\"io\",\"ts\":0,\"dur\":1,\"name\":\"a\"}]",
     "0 /io a 1000 nanoseconds\n"},
    {"hostile names", "[" X("0", "1", "<b>\\\"&\\u001b[31m;\\n") "]", "0  1/ 2 <b>\"&\x1b[31m;\n 1000 nanoseconds\n"},
};

static void test_traces(void **state)
{
    (void)state;
    assert_cases(traces, sizeof traces / sizeof *traces, "chrome-trace", "pprof");
    assert_cases(traces, sizeof traces / sizeof *traces, "chrome-trace", "chrome-trace");
}

/* Events that are nested deeper than the limit are omitted. A great number of end events without a start is skipped
 * quickly. */
static void test_many(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_buf text;
    framemap_sample_counts counts;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_str(&text, FM_STR("["));
    for (unsigned i = 0; i < 10000; i++) fm_buf_str(&text, FM_STR(EV("B", "0", "a") ","));
    for (unsigned i = 0; i < 20000; i++) fm_buf_str(&text, FM_STR(EV("E", "1", "b") ","));
    fm_buf_str(&text, FM_STR(EV("B", "2", "c") "]"));
    framemap_sample_set *set = read_samples(fm_buf_view(&text), NULL);
    framemap_sample_set_counts(set, &counts);
    assert_int_equal(counts.nodes, 4096);
    assert_true(counts.samples >= 1);
    framemap_sample_set_close(set);
    fm_buf_free(&text);
}

static void test_refused(void **state)
{
    (void)state;
    framemap_sample_set *set = NULL;
    framemap_error error = {0};
    assert_int_equal(framemap_sample_set_open(NULL, &set, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_sample_set_read(set, FM_STR("{\"a\":1}"), "chrome-trace", &error), FRAMEMAP_E_FORMAT);
    assert_int_equal(framemap_sample_set_read(set, FM_STR("[{\"ph\""), "chrome-trace", &error), FRAMEMAP_E_CORRUPT);
    framemap_sample_set_close(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_traces), cmocka_unit_test(test_many),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
