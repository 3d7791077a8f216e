#include "tests/formats/formats_help.h"

static const struct text_case texts[] = {
    {"tree", "each path to a leaf is a stack, callers first",
     "Weight\tSelf Weight\t\tSymbol Name\n96.08 Gc  100.0%\t-\t \tShop (40414)\n96.08 Gc  100.0%\t-\t \t start\n"
     "47.82 Gc   49.7%\t404.75 Mc\t \t  main\n1.00 Gc    1.0%\t-\t \t  -[A b: c]\n\nother\n",
     "instruments 3\n- f:start not-needed\n- f:main not-needed\n"
     "instruments 3\n- f:start not-needed\n- f:-[A b: c] not-needed\n"},
    {"threads", "no process; a thread begins a tree",
     "Running Time\tSelf (ms)\t\tSymbol Name\n42.0ms   99.9%\t0\t \tstart\n42.0ms   99.9%\t0\t \t main\n"
     "2.0ms    0.1%\t0\t \tworker  0x12ab\n2.0ms    0.1%\t0\t \t f\n",
     "instruments 2\n- f:start not-needed\n- f:main not-needed\ninstruments 5 thread:worker  0x12ab\n- f:f "
     "not-needed\n"},
    {"Xcode 16", "a title in the plural, and blanks before the first column of names",
     "Weight\tSelf Weight\tSymbol Names\n4.93 s  100.0%\t0 s\t   start\n4.93 s  99.9%\t0 s\t    main\n"
     "4.00 ms   0.1%\t0 s\t   end\n",
     "instruments 2\n- f:start not-needed\n- f:main not-needed\ninstruments 4\n- f:end not-needed\n"},
    {"allocations", "rows begin with blanks",
     "Bytes Used\tCount\t\tSymbol Name\n 429.93 MB     100.0%\t84671\t \tstart\n  73.35 MB      17.0%\t14337\t \t f\n",
     "instruments 2\n- f:start not-needed\n- f:f not-needed\n"},
    {"near misses", "tables without the title", "1.0ms 1%\t0\t \tf\nWeight\tName\n1\t2\t3\n", ""},
};

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts)};
    return cmocka_run_group_tests_name("formats instruments", tests, NULL, NULL);
}
