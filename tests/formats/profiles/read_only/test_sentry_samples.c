/* Tests the reader of Sentry's profiles: samples of both versions, chunks (one on each line), events of Android, and
 * errors in profiles. */
#include "tests/formats/profiles/read_only/reader_checks.h"

#define V1(frames, stacks, samples, more)                                                                             \
    "{\"version\":\"1\",\"profile\":{\"frames\":[" frames "],\"stacks\":[" stacks "],\"samples\":[" samples "]," more \
    "}}"
#define AT(stack, thread, ns) \
    "{\"stack_id\":" stack ",\"thread_id\":\"" thread "\",\"elapsed_since_start_ns\":\"" ns "\"}"
#define TWO_FRAMES "{\"function\":\"main\"},{\"function\":\"f\",\"abs_path\":\"/a.js\",\"lineno\":7,\"colno\":3}"

static const struct profile_case profiles[] = {
    {"the innermost frame is first; a sample lasts until the next one of its thread",
     V1(TWO_FRAMES, "[1,0],[0]", AT("0", "1", "10") "," AT("1", "2", "15") "," AT("1", "1", "30"),
        "\"thread_metadata\":{\"1\":{\"name\":\"m\"}}"),
     "10 /m 1 main;f@/a.js:7:3 1 count, 20 nanoseconds\n30 /m 1 main 1 count, 0 nanoseconds\n"
     "15 / 2 main 1 count, 0 nanoseconds\n"},
    {"samples that are not in the order of time",
     V1(TWO_FRAMES, "[0]", AT("0", "1", "30") "," AT("0", "1", "10"), "\"thread_metadata\":null"),
     "10 / 1 main 1 count, 20 nanoseconds\n30 / 1 main 1 count, 0 nanoseconds\n"},
    {"numbers that are not texts, and the label of a queue of Apple's",
     "{\"profile\":{\"frames\":[{\"function\":\"a\"}],\"stacks\":[[0]],\"samples\":[{\"stack_id\":0,\"thread_id\":5,"
     "\"queue_address\":\"0x1\",\"elapsed_since_start_ns\":7}],\"queue_metadata\":{\"0x1\":{\"label\":\"q\"}}}}",
     "7 /q 5 a 1 count, 0 nanoseconds\n"},
    {"chunks of version 2, one a line: times are seconds, ids may be addresses or names",
     "{\"version\":\"2\",\"chunk_id\":\"1\",\"profile\":{\"frames\":[{\"function\":\"a\"}],\"stacks\":[[0]],"
     "\"samples\":"
     "[{\"stack_id\":0,\"thread_id\":\"0x10\",\"timestamp\":1700000000.5},{\"stack_id\":0,\"thread_id\":\"0x10\","
     "\"timestamp\":1700000000.75}]}}\n{\"version\":\"2\",\"chunk_id\":\"2\",\"profile\":{\"frames\":[{\"function\":"
     "\"b\"}],\"stacks\":[[0]],\"samples\":[{\"stack_id\":0,\"thread_id\":\"main\",\"timestamp\":1.7e9}]}}\n",
     "1700000000500000000 / 16 a 1 count, 250000000 nanoseconds\n"
     "1700000000750000000 / 16 a 1 count, 0 nanoseconds\n1700000000000000000 /main b 1 count, 0 nanoseconds\n"},
    {"an item of an envelope",
     "{\"event_id\":\"1\"}\n{\"type\":\"profile\",\"length\":9}\n" V1(
         "{\"function\":\"a\"}", "[0]", AT("0", "1", "1"), "\"x\":0") "\n{\"type\":\"attachment\"}\nbinary\n",
     "1 / 1 a 1 count, 0 nanoseconds\n"},
    {"addresses with images: ids of ELF files are build ids, and callers have return addresses",
     "{\"platform\":\"native\",\"debug_meta\":{\"images\":[{\"type\":\"elf\",\"code_file\":\"/l.so\",\"image_addr\":"
     "\"0x1000\",\"image_size\":256,\"debug_id\":\"04030201-0605-0807-090a-0b0c0d0e0f10\"}]},\"profile\":{\"frames\":["
     "{\"instruction_addr\":\"0x1010\"},{\"instruction_addr\":\"0x1100\",\"package\":\"/m\"}],\"stacks\":[[0,1]],"
     "\"samples\":[{\"stack_id\":0}]}}",
     "+10ff!/m;+1010!/l.so 1 count, 0 nanoseconds\n"},
    {"methods of Java, and a frame of another platform",
     "{\"platform\":\"java\",\"profile\":{\"frames\":[{\"function\":\"run\",\"module\":\"a.B\",\"filename\":\"B.java\","
     "\"lineno\":3},{\"function\":\"f\",\"module\":\"m\",\"platform\":\"python\"}],\"stacks\":[[1,0]],\"samples\":"
     "[{\"stack_id\":0}]}}",
     "a.B.run@B.java:3;f 1 count, 0 nanoseconds\n"},
    {"a sample with an empty stack", V1("", "[]", AT("0", "1", "1"), "\"x\":0"), "1 / 1  1 count, 0 nanoseconds\n"},
    {"hostile names", V1("{\"function\":\"<b>\\\"\\ud800;\"}", "[0]", AT("0", "\\n", "5"), "\"thread_metadata\":[]"),
     "5 /\n <b>\"\xEF\xBF\xBD; 1 count, 0 nanoseconds\n"},
};

#define ENTER(method, nanos)                                                                                        \
    "{\"action\":\"Enter\",\"thread_id\":1,\"method_id\":" method ",\"time\":{\"Monotonic\":{\"wall\":{\"secs\":1," \
    "\"nanos\":" nanos "},\"cpu\":{\"nanos\":1}}}}"
#define EXIT(method, nanos)                                                                                        \
    "{\"action\":\"Exit\",\"thread_id\":1,\"method_id\":" method ",\"time\":{\"Monotonic\":{\"wall\":{\"secs\":1," \
    "\"nanos\":" nanos "}}}}"
#define METHODS                                                                                                     \
    "\"methods\":[{\"id\":1,\"class_name\":\"a.B\",\"name\":\"run\",\"source_file\":\"B.java\",\"source_line\":7}," \
    "{\"id\":2,\"name\":\"js\"},{\"id\":3,\"inline_frames\":[{\"class_name\":\"C\",\"name\":\"outer\"},{\"class_"   \
    "name\":"                                                                                                       \
    "\"C\",\"name\":\"inner\"}]}]"

static const struct profile_case events[] = {
    {"methods begin and end",
     "{\"platform\":\"android\",\"profile\":{\"clock\":\"Dual\",\"threads\":[{\"id\":2,\"name\":\"x\"},{\"id\":1,"
     "\"name\":"
     "\"main\"}]," METHODS
     ",\"events\":[" ENTER("1", "10") "," ENTER("2", "12") "," EXIT("2", "15") "," EXIT("1", "16") "]}}",
     "1000000010 /main 1 a.B.run@B.java:7 2 nanoseconds\n1000000012 /main 1 a.B.run@B.java:7;js 3 nanoseconds\n"
     "1000000015 /main 1 a.B.run@B.java:7 1 nanoseconds\n"},
    {"an end without a begin, an end of an outer method, a method that is not listed, inlined methods, time that goes "
     "back",
     "{\"profile\":{" METHODS ",\"events\":[" EXIT("1", "1") "," ENTER("3", "2") "," ENTER("9", "4") "," ENTER(
         "1", "3") "," EXIT("3", "9") "," EXIT("3", "20") "]}}",
     "1000000002 / 1 C.outer;C.inner 2 nanoseconds\n1000000004 / 1 C.outer;C.inner;;a.B.run@B.java:7 5 nanoseconds\n"},
    {"the clock of the CPU, and React Native's samples of JavaScript",
     "{\"profile\":{\"clock\":\"Cpu\"," METHODS
     ",\"events\":[" ENTER("1", "10") ",{\"action\":\"Unwind\",\"thread_id\":1,"
                                      "\"method_id\":1,\"time\":{\"Monotonic\":{\"cpu\":{\"nanos\":6}}}}]},\"js_"
                                      "profile\":{\"profile\":{\"frames\":["
                                      "{\"function\":\"j\"}],\"stacks\":[[0]],\"samples\":[{\"stack_id\":0}]}}}",
     "1 / 1 a.B.run@B.java:7 5 nanoseconds, 0 count\nj 0 nanoseconds, 1 count\n"},
};

static void test_samples(void **state)
{
    (void)state;
    assert_cases(profiles, sizeof profiles / sizeof *profiles, "sentry-profile", "pprof");
}

static void test_events(void **state)
{
    (void)state;
    assert_cases(events, sizeof events / sizeof *events, "sentry-profile", "pprof");
}

static void test_refused(void **state)
{
    (void)state;
    static const struct refused_case cases[] = {
        {"no profile", "{\"profile\":{\"samples\":[]}}", 0, FRAMEMAP_E_FORMAT, NULL},
        {"not JSON", "{\"profile\":{]}}", 0, FRAMEMAP_E_CORRUPT, "]}}"},
        {"a stack that is not there", V1("", "", "{\"stack_id\":1}", "\"x\":0"), 0, FRAMEMAP_E_CORRUPT, "1}]"},
        {"a sample without a stack", V1("", "[]", "{}", "\"x\":0"), 0, FRAMEMAP_E_CORRUPT, "{}]"},
        {"a frame that is not there, in the second line", "{}\n" V1("", "[77]", AT("0", "1", "1"), "\"x\":0"), 0,
         FRAMEMAP_E_CORRUPT, "77]"},
        {"a line that is cut", V1("", "[]", AT("0", "1", "1"), "\"x\":0") "\n{\"profile\":\n", 0, FRAMEMAP_E_CORRUPT,
         NULL}};
    assert_refused(cases, sizeof cases / sizeof *cases, "sentry-profile");
}

static void test_damaged(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
        assert_prefixes(framemap_str_of(profiles[i].text), "sentry-profile");
        assert_allocations(framemap_str_of(profiles[i].text), "sentry-profile");
    }
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        assert_allocations(framemap_str_of(events[i].text), "sentry-profile");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_samples), cmocka_unit_test(test_events),
                                       cmocka_unit_test(test_refused), cmocka_unit_test(test_damaged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
