/* Tests of the mapper of Breakpad's symbol files with texts that are cut off or made to be slow, and with failing
 * allocations. */
#include "mappers/mapper.h"
#include "tests/mappers/native/breakpad/breakpad_build.h"

#include "core/text/buffer.h"

static const char sample[] =
    MODULE "INFO CODE_ID 10FAA6BBAAB83DB3\nFILE 0 a.c\nFILE 70000 b.c\nINLINE_ORIGIN 0 inner\nINLINE_ORIGIN 9 outer\n"
           "FUNC 2000 40 0 late\n2010 30 5 0\n2000 10 4 70000\nFUNC 1000 100 0 main\nINLINE 0 7 0 9 1010 40 1080 10\n"
           "INLINE 1 8 70000 0 1020 10 1084 4\n1000 100 9 0\nFUNC 1008 8 0 overlaps\nFUNC 1000 100 0 twin\n"
           "PUBLIC 3000 0 p\nPUBLIC 3000 0 q\nSTACK CFI INIT 1000 10 .cfa: $rsp 8 +\nbroken line\n";

static void each_prefix(void **state)
{
    (void)state;
    for (size_t size = 0; size < sizeof sample; size += TEST_STEP) {
        struct said said;
        framemap_bytes built = {0};
        framemap_error error = {0};
        const framemap_status status = build_text(fm_str(sample, size), false, &said, &built, &error);
        if (status != FRAMEMAP_OK && status != FRAMEMAP_E_FORMAT && status != FRAMEMAP_E_EMPTY)
            fail_msg("%zu bytes: %d: %s", size, status, error.message);
        framemap_bytes_free(&built);
    }
}

static framemap_status build_failing(size_t fail_at, struct failing *failing)
{
    *failing = (struct failing){.fail_at = fail_at};
    const framemap_allocator allocator = failing_allocator(failing);
    const framemap_build_options options = {.size = sizeof options, .allocator = &allocator};
    framemap_bytes built = {0};
    const framemap_status status =
        framemap_index_build(fm_str(sample, sizeof sample - 1), framemap_str_of("app.sym"), &options, &built, NULL);
    framemap_bytes_free(&built);
    return status;
}

static void each_allocation_fails(void **state)
{
    struct failing failing;
    (void)state;
    assert_int_equal(build_failing(SIZE_MAX, &failing), FRAMEMAP_OK);
    assert_int_equal(failing.blocks, 0);
    for (size_t i = 0, count = failing.requests; i < count; i += TEST_STEP) {
        assert_int_equal(build_failing(i, &failing), FRAMEMAP_E_MEMORY);
        assert_int_equal(failing.blocks, 0);
    }
}

static void must_build(struct fm_buf *text, size_t warnings)
{
    struct said said;
    framemap_bytes built = {0};
    framemap_error error = {0};
    assert_false(text->failed);
    if (build_text(fm_buf_view(text), false, &said, &built, &error) != FRAMEMAP_OK) fail_msg("%s", error.message);
    assert_int_equal(said.count, warnings);
    framemap_bytes_free(&built);
    fm_buf_free(text);
}

/* Outer calls that change often, around a thousand inner calls that last: the whole chain changes each time. */
static void chains_that_change(void **state)
{
    enum { LEVELS = 1000, CHANGES = 20000 };
    struct fm_heap heap;
    struct fm_buf text;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_str(&text, FM_STR(MODULE "FILE 0 a.c\nINLINE_ORIGIN 0 f\nFUNC 0 100000 0 main\n"));
    for (unsigned i = 1; i < LEVELS; i++) fm_buf_printf(&text, "INLINE %u 1 0 0 0 100000\n", i);
    for (unsigned i = 0; i < CHANGES; i++) fm_buf_printf(&text, "INLINE 0 %u 0 0 %x 2\n", i, i * 4);
    must_build(&text, 0);
}

/* Many functions, rows and calls in descending order, and numbers of files that are far apart. */
static void descending(void **state)
{
    enum { COUNT = 50000 };
    struct fm_heap heap;
    struct fm_buf text;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_str(&text, FM_STR(MODULE "FUNC 1000000 100000 0 one\n"));
    for (unsigned i = COUNT; i-- > 0;)
        fm_buf_printf(&text, "%x 2 %u %u\nINLINE 0 1 %u %u %x 1\n", 0x1000000 + 2 * i, i, i * 80001, i * 3, i * 70001,
                      0x1000000 + 2 * i);
    for (unsigned i = COUNT; i-- > 1;) fm_buf_printf(&text, "FUNC %x 4 0 f\nPUBLIC %x 0 p\n", 8 * i, 8 * i + 4);
    must_build(&text, 2); /* for files and for functions that have no names */
}

/* Lines that are not records are reported one by one, but only some of them. */
static void many_faults(void **state)
{
    struct fm_heap heap;
    struct fm_buf text;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_str(&text, FM_STR(MODULE "FUNC 1000 10 0 f\n"));
    for (unsigned i = 0; i < 1000; i++) fm_buf_str(&text, FM_STR("x\n"));
    must_build(&text, 21);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_prefix), cmocka_unit_test(each_allocation_fails),
                                       cmocka_unit_test(chains_that_change), cmocka_unit_test(descending),
                                       cmocka_unit_test(many_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
