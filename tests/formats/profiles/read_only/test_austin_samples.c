/* Tests the reader of Austin's text format: threads, frames, the metrics of each mode, and lines that are not
 * samples. */
#include "tests/formats/profiles/read_only/reader_checks.h"

static const struct profile_case texts[] = {
    {"the wall's time: frames with their files, a garbage collection, a sample without frames, an interpreter",
     "# austin: 3.4.1\n# interval: 100\n# mode: wall\n\nP8374;T8375;/a/b.py:<module>:25;C:\\b.py:A.run:7;:GC: 12\n"
     "P8374;T0:8375 3\n# duration: 5\n",
     " 8374/ 8375 <module>@/a/b.py:25;A.run@C:\\b.py:7;GC 1 count, 12000 nanoseconds\n"
     " 8374/ 8375  1 count, 3000 nanoseconds\n"},
    {"memory that is freed, a thread that is not a number, functions of the kernel and invalid frames",
     "# mode: memory\nP7;Tx87;a.py:f:1;kernel:read:0;:INVALID: -512\n",
     " 7/x87 f@a.py:1;read;INVALID 1 count, -512 bytes\n"},
    {"time, idleness and memory", "# mode: full\nP7;T9;a.py:f:1 5,1,-6\nP7;T9;a.py:f:1 7,0,6\n",
     " 7/ 9 f@a.py:1 2 count, 12000 nanoseconds, 0 bytes\n"},
    {"lines that are not samples, or cut, and a frame without a position",
     "P7;T9;a 1\nnothing\nP7\nP7;T9;a.py:f:1\nP7;T9;b x\nP;T1 4\nP7;T9;;b:c 2\n",
     " 7/ 9 a 1 count, 1000 nanoseconds\n 7/ 9 b:c 1 count, 2000 nanoseconds\n"},
};

static void test_texts(void **state)
{
    (void)state;
    assert_cases(texts, sizeof texts / sizeof *texts, "austin", "pprof");
}

static void test_damaged(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_prefixes(framemap_str_of(texts[i].text), "austin");
        assert_allocations(framemap_str_of(texts[i].text), "austin");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_damaged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
