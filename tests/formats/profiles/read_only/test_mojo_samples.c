/* Tests the reader of recordings in Austin's binary format: events of each kind and version, truncated recordings, and
 * errors. */
#include "tests/formats/profiles/read_only/reader_checks.h"

/* The bytes of events. A number below 64 is one byte. */
#define MODE \
    "\x01"   \
    "mode\0" \
    "wall\0"
#define SAMPLE \
    "\x02"     \
    "\x07"     \
    "\x00"     \
    "ff\0" /* process 7, interpreter 0, thread 0xff */
#define STRINGS \
    "\x0B"      \
    "\x02"      \
    "a.py\0"    \
    "\x0B"      \
    "\x03"      \
    "main\0"    \
    "\x0B"      \
    "\x04"      \
    "/bin/x\0"
#define FRAMES                                         \
    "\x03"                                             \
    "\x05"                                             \
    "\x02"                                             \
    "\x03"                                             \
    "\x09"                                             \
    "\x00"                                             \
    "\x04"                                             \
    "\x00" /* frame 5: a.py, main, line 9, column 4 */ \
    "\x03"                                             \
    "\x06"                                             \
    "\x04"                                             \
    "\x01"                                             \
    "\x00"                                             \
    "\x00"                                             \
    "\x00"                                             \
    "\x00" /* frame 6: /bin/x, function unknown */
#define TIME \
    "\x09"   \
    "\x81\x01" /* 65 microseconds */

struct recording {
    const char *name;
    const char *text;
    size_t size;
    const char *samples;
};
#define TEXT(text) (text), sizeof(text) - 1

static const struct recording recordings[] = {
    {"a sample, and one that refers to its frames",
     TEXT("MOJ\x03" MODE SAMPLE STRINGS FRAMES "\x05\x05\x05\x06" TIME SAMPLE "\x05\x05" TIME),
     " 7/ 255 main@a.py:9:4;<unknown>@/bin/x 1 count, 65000 nanoseconds\n 7/ 255 main@a.py:9:4 1 count, 65000 "
     "nanoseconds\n"},
    {"memory that is freed, a garbage collection, frames of the kernel and invalid ones",
     TEXT("MOJ\x03" SAMPLE "\x04\x06read\0\x07\x09\x01\x08\x0A\x43"),
     " 7/ 255 INVALID;read;GC 1 count, 1000 nanoseconds, -3 bytes\n"},
    {"version 1: frames without columns, stacks without an interpreter",
     TEXT("MOJ\x01\x02\x07"
          "0:main\0"
          "\x0B\x02"
          "f\0"
          "\x03\x05\x02\x02\x09\x05\x05\x09\x02"),
     " 7/0:main f@f:9 1 count, 2000 nanoseconds\n"},
    {"a stack that repeats the last one of its thread, without its native end",
     TEXT("MOJ\x03" SAMPLE STRINGS FRAMES "\x05\x05\x05\x06" TIME SAMPLE "\x05\x05\x0D" TIME),
     " 7/ 255 main@a.py:9:4;<unknown>@/bin/x 1 count, 65000 nanoseconds\n 7/ 255 main@a.py:9:4;main@a.py:9:4 1 count, "
     "65000 nanoseconds\n"},
    {"strings before the first sample", TEXT("MOJ\x03" STRINGS SAMPLE FRAMES "\x05\x05" TIME),
     " 7/ 255 main@a.py:9:4 1 count, 65000 nanoseconds\n"},
    {"a sample that is cut is left out",
     TEXT("MOJ\x03" SAMPLE STRINGS FRAMES "\x05\x05" TIME SAMPLE "\x05\x06\x09\x81"),
     " 7/ 255 main@a.py:9:4 1 count, 65000 nanoseconds\n"},
};

static void test_recordings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof recordings / sizeof *recordings; i++) {
        const framemap_str text = {recordings[i].text, recordings[i].size};
        print_message("%s\n", recordings[i].name);
        framemap_sample_set *set = read_samples(text, NULL);
        assert_samples(set, recordings[i].samples);
        framemap_sample_set_close(set);
        assert_prefixes(text, "mojo");
        assert_allocations(text, "mojo");
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct refused_case cases[] = {
        {"a text", "MOJO", 0, FRAMEMAP_E_FORMAT, NULL},
        {"a version that is not known", TEXT("MOJ\x09"), FRAMEMAP_E_FORMAT, NULL},
        {"an event that is not known",
         TEXT("MOJ\x03\x02\x07\x00"
              "1\0"
              "\x1F"
              "x"),
         FRAMEMAP_E_CORRUPT, "\x1Fx"},
        {"a frame that is not above", TEXT("MOJ\x03" SAMPLE "\x05\x05" TIME), FRAMEMAP_E_CORRUPT, "\x05\x05"},
        {"a string that is not above", TEXT("MOJ\x03" SAMPLE FRAMES), FRAMEMAP_E_CORRUPT, "\x03\x05\x02"},
        {"a frame of another process",
         TEXT("MOJ\x03" SAMPLE STRINGS FRAMES TIME "\x02\x08\x00"
              "1\0"
              "\x05\x06"),
         FRAMEMAP_E_CORRUPT, "\x05\x06"},
        {"a number with too many bytes", TEXT("MOJ\x03\x02\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"),
         FRAMEMAP_E_CORRUPT, "\xFF\xFF"}};
    assert_refused(cases, sizeof cases / sizeof *cases, "mojo");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_recordings), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
