/* Tests names of signals that have different numbers on different systems, or do not exist on all of them. */
#include "formats/signal_names.h"
#include "tests/testing.h"

static void test_names(void **state)
{
    static const struct {
        uint64_t number;
        const char *any, *on_linux, *on_apple;
    } rows[] = {{0, "", "", ""},
                {6, "SIGABRT", "SIGABRT", "SIGABRT"},
                {7, "", "SIGBUS", "SIGEMT"},
                {10, "", "SIGUSR1", "SIGBUS"},
                {11, "SIGSEGV", "SIGSEGV", "SIGSEGV"},
                {12, "", "SIGUSR2", "SIGSYS"},
                {16, "", "SIGSTKFLT", ""},
                {31, "", "SIGSYS", "SIGUSR2"},
                {64, "", "", ""},
                /* 267 is 256 + 11, so its lowest byte is the number of SIGSEGV; but no signal has the number
                 * 267 */
                {267, "", "", ""},
                {UINT64_MAX, "", "", ""}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const wanted[] = {rows[i].any, rows[i].on_linux, rows[i].on_apple};
        for (int system = FM_SIGNALS_OF_ANY; system <= FM_SIGNALS_OF_APPLE; system++) {
            const framemap_str got = fm_signal_name(rows[i].number, (enum fm_signal_system)system);
            if (!fm_str_equal(got, framemap_str_of(wanted[system])))
                fail_msg("%d on system %d: %.*s", (int)rows[i].number, system, (int)got.size, got.data);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
