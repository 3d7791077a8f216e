/* Tests that call trees of Instruments are read as samples. */
#include "tests/formats/profiles/sample_text.h"

enum { TIMES = 1 }; /* index of the table without threads, which can be written in speedscope's format, too */
static const struct profile_case tables[] = {
    {"cycles; a process; a blank that does not break",
     "Weight\tSelf Weight\t\tSymbol Name\n96.08 Gc  100.0%\t-\t \tShop (40414)\n96.08 Gc  100.0%\t-\t \t start\n"
     "47.82 Gc   49.7%\t404.75 Mc\t \t  main\n1.00\xC2\xA0Mc    0.0%\t1.00\xC2\xA0Mc\t \t\xC2\xA0\xC2\xA0 run\n"
     "600 Kc    0.0%\t600 Kc\t \t stop\n",
     "Shop 40414/ start;main;run 1000000 count\nShop 40414/ start;main 404750000 count\nShop 40414/ stop 600000 "
     "count\n"},
    {"times with units, Xcode 16",
     "Weight\tSelf Weight\tSymbol Names\n4.93 s  100.0%\t0 s\t   start\n4.93 s  99.9%\t2.40 s\t    main\n"
     "1.02 min   0.0%\t846.00 ms\t     delta()\n9.00 ms   0.0%\t30 \xC2\xB5s\t      leak()\n"
     "1.00 ms   0.0%\t5 parsecs\t    end\n",
     "start;main;delta();leak() 30000 nanoseconds\nstart;main;delta() 846000000 nanoseconds\n"
     "start;main 2400000000 nanoseconds\n"},
    {"times without units, Xcode 7, of two threads",
     "Running Time\tSelf (ms)\t\tSymbol Name\n42.0ms   99.9%\t0\t \tMain Thread  0x12ab\n42.0ms   99.9%\t40\t \t main\n"
     "2.0ms    0.1%\t2\t \t  f\n3.0ms    0.1%\t0\t \tworker  0x12ac\n3.0ms    0.1%\t3.0\t \t f\n",
     "/Main Thread  0x12ab main;f 2000000 nanoseconds\n/Main Thread  0x12ab main 40000000 nanoseconds\n"
     "/worker  0x12ac f 3000000 nanoseconds\n"},
    {"allocations: the second column is their number",
     "Bytes Used\tCount\t\tSymbol Name\n   4.00 KB     100.0%\t9\t \tstart\n   4.00 KB     100.0%\t9\t \t main\n"
     " 512 Bytes      50.4%\t4\t \t  delta()\n   1.50 KB      17.0%\t3\t \t   alpha()\n   1 KB      17.0%\t3\t \t  "
     "beta()\n",
     "start;main;delta();alpha() 1536 bytes\nstart;main;beta() 1024 bytes\nstart;main 2560 bytes\n"},
    {"a unit that is not known, in the first row", "Weight\tSelf Weight\tSymbol Names\n5 parsecs  100.0%\t3 ms\t a\n",
     ""},
    {"counts", "Weight\tSelf Weight\tSymbol Names\n12  100.0%\t2\t a\n10  80.0%\t10\t  b\nno row\n1 1%\t1\tc\n",
     "a;b 10 count\na 2 count\nc 1 count\n"},
};

static void test_tables(void **state)
{
    (void)state;
    assert_cases(tables, sizeof tables / sizeof *tables, "instruments", "pprof");
    assert_cases(&tables[TIMES], 1, "instruments", "speedscope");
}

/* Tests a stack deeper than the limit, and weights that do not fit into 64 bits. */
static void test_limits(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_buf text;
    framemap_sample_counts counts;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_str(&text, FM_STR("Weight\tSelf Weight\tSymbol Names\n"));
    for (int i = 0; i < 1000; i++) fm_buf_printf(&text, "9999999999 Tc\t9999999999 Tc\t%*sf\n", i, "");
    framemap_sample_set *set = read_samples(fm_buf_view(&text), NULL);
    framemap_sample sample;
    framemap_sample_set_counts(set, &counts);
    assert_between(counts.samples, 1, 1000);
    for (uint32_t i = 0; framemap_sample_set_sample(set, i, &sample); i++)
        assert_int_equal(sample.values[0], INT64_MAX);
    framemap_sample_set_close(set);
    fm_buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables), cmocka_unit_test(test_limits)};
    return cmocka_run_group_tests_name("Instruments' samples", tests, NULL, NULL);
}
