/* Tests the reader of stackprof's profiles: its modes, lists of times and lines, and errors in profiles. */
#include "tests/formats/profiles/read_only/reader_checks.h"

#define HEAD(mode) \
    "{\"version\":1.2,\"mode\":\"" mode "\",\"interval\":1000,\"samples\":4,\"gc_samples\":1,\"missed_samples\":0,"
#define FRAMES                                                                                                         \
    "\"frames\":{\"11\":{\"name\":\"<main>\",\"file\":\"a.rb\",\"line\":1,\"total_samples\":3,\"samples\":1},\"12\":{" \
    "\"name\":\"Object#f\",\"file\":\"a.rb\",\"line\":4,\"samples\":2},\"13\":{\"name\":\"(garbage collection)\","     \
    "\"file\":\"\",\"line\":null,\"samples\":1}}"
#define RAW ",\"raw\":[2,11,12,2,1,11,1,1,13,1]"

static const struct profile_case profiles[] = {
    {"the wall's time: a row for each sample with its time",
     HEAD("wall") FRAMES RAW ",\"raw_sample_timestamps\":[9,19,30,41],\"raw_timestamp_deltas\":[8,10,11,12]}",
     "9000 <main>@a.rb:1;Object#f@a.rb:4 1 count, 8000 nanoseconds\n"
     "19000 <main>@a.rb:1;Object#f@a.rb:4 1 count, 10000 nanoseconds\n30000 <main>@a.rb:1 1 count, 11000 nanoseconds\n"
     "41000 (garbage collection) 1 count, 12000 nanoseconds\n"},
    {"the wall's time without lists: the interval", HEAD("wall") FRAMES RAW "}",
     "<main>@a.rb:1;Object#f@a.rb:4 2 count, 2000000 nanoseconds\n<main>@a.rb:1 1 count, 1000000 nanoseconds\n"
     "(garbage collection) 1 count, 1000000 nanoseconds\n"},
    {"the CPU's time: the interval, whatever time passed, and lines of calls",
     HEAD("cpu") FRAMES RAW ",\"raw_lines\":[2,7,5,2,1,8,1,1,0,1],\"raw_timestamp_deltas\":[8,10,11,12]}",
     "<main>@a.rb:7;Object#f@a.rb:5 2 count, 2000000 nanoseconds\n<main>@a.rb:8 1 count, 1000000 nanoseconds\n"
     "(garbage collection) 1 count, 1000000 nanoseconds\n"},
    {"allocations", HEAD("object") FRAMES RAW "}",
     "<main>@a.rb:1;Object#f@a.rb:4 2 count\n<main>@a.rb:1 1 count\n(garbage collection) 1 count\n"},
    {"without stacks: functions with their own samples", HEAD("custom") FRAMES "}",
     "<main>@a.rb:1 1 count\nObject#f@a.rb:4 2 count\n(garbage collection) 1 count\n"},
};

static void test_profiles(void **state)
{
    (void)state;
    assert_cases(profiles, sizeof profiles / sizeof *profiles, "stackprof", "pprof");
}

static void test_refused(void **state)
{
    (void)state;
    static const struct refused_case cases[] = {
        {"another document", "{\"mode\":\"wall\"}", 0, FRAMEMAP_E_FORMAT, NULL},
        {"a frame that is not there", HEAD("wall") FRAMES ",\"raw\":[1,14,1]}", 0, FRAMEMAP_E_CORRUPT, "14,1]"},
        {"a stack that is cut", HEAD("wall") FRAMES ",\"raw\":[3,11]}", 0, FRAMEMAP_E_CORRUPT, "[3,11]"},
        {"a stack without a number of samples", HEAD("wall") FRAMES ",\"raw\":[1,11]}", 0, FRAMEMAP_E_CORRUPT, "1,11]"},
        {"a list of texts", HEAD("wall") FRAMES ",\"raw\":[\"a\"]}", 0, FRAMEMAP_E_CORRUPT, "a\"]"},
        {"a number of frames without an end", HEAD("wall") FRAMES ",\"raw\":[18446744073709551615,11,11]}", 0,
         FRAMEMAP_E_CORRUPT, "[1844"}};
    assert_refused(cases, sizeof cases / sizeof *cases, "stackprof");
}

/* Tests a profile with more samples than fit into a signed 64-bit number; only two of them have times. */
static void test_large(void **state)
{
    (void)state;
    framemap_sample_set *set = read_samples(
        framemap_str_of(HEAD("wall") FRAMES ",\"raw\":[1,11,18446744073709551615],"
                                            "\"raw_sample_timestamps\":[1,2],\"raw_timestamp_deltas\":[1]}"),
        NULL);
    assert_samples(set,
                   "1000 <main>@a.rb:1 1 count, 1000 nanoseconds\n2000 <main>@a.rb:1 1 count, 1000000 nanoseconds\n"
                   "<main>@a.rb:1 9223372036854775805 count, 9223372036854775807 nanoseconds\n");
    framemap_sample_set_close(set);
}

static void test_damaged(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; i++) {
        assert_prefixes(framemap_str_of(profiles[i].text), "stackprof");
        assert_allocations(framemap_str_of(profiles[i].text), "stackprof");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_profiles), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_large), cmocka_unit_test(test_damaged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
