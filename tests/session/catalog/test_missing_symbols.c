/* Tests the list of images without symbols: which images have a common entry, and when the list is full. */
#include "core/limits.h"
#include "session/catalog/missing_symbols.h"
#include "tests/testing.h"

struct seen {
    size_t rows;
    uint64_t frames, others;
};

static void see(void *context, const framemap_missing *missing)
{
    struct seen *seen = context;
    if (missing->name.size == 0 && missing->id.size == 0) {
        assert_int_equal(seen->others, 0);
        assert_non_null(missing->reason);
        seen->others = missing->frames;
        return;
    }
    assert_int_equal(seen->others, 0); /* the entry for all further images is the last one */
    seen->rows++;
    seen->frames += missing->frames;
}

static struct seen tell(struct fm_missing_list *list)
{
    struct seen seen = {0};
    fm_missing_visit(list, see, &seen);
    return seen;
}

static bool add(struct fm_missing_list *list, const char *prefix, unsigned number, uint64_t frames)
{
    char name[64];
    snprintf(name, sizeof name, "%s%u.js", prefix, number);
    const framemap_missing row = {.name = framemap_str_of(name), .frames = frames, .reason = "none given"};
    return fm_missing_add(list, &row);
}

static void counts_the_same_image_once(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_missing_list list;
    fm_heap_init(&heap, NULL, 0);
    fm_missing_init(&list, &heap);
    for (unsigned i = 0; i < 30; i++) assert_true(add(&list, "lib", i % 3, 2));
    struct seen seen = tell(&list);
    assert_int_equal(seen.rows, 3);
    assert_int_equal(seen.frames, 60);
    assert_int_equal(seen.others, 0);
    seen = tell(&list);
    assert_int_equal(seen.rows, 0); /* reading the list clears it, so it has no entries the second time */
    fm_missing_free(&list);
    assert_int_equal(heap.used, 0);
}

static void ends_at_its_limit(void **state)
{
    (void)state;
    enum { MORE = 50000 };
    struct fm_heap heap;
    struct fm_missing_list list;
    fm_heap_init(&heap, NULL, 0);
    fm_missing_init(&list, &heap);
    for (unsigned i = 0; i < FM_LIMIT_MISSING; i++) assert_true(add(&list, "https://shop.example/", i, 1));
    const uint64_t full = heap.used;
    for (unsigned i = 0; i < MORE; i++) assert_true(add(&list, "https://other.example/", i, 1));
    /* any number of further names needs no more memory */
    assert_int_equal(heap.used, full);
    /* frames of images that are already in the list are still counted */
    assert_true(add(&list, "https://shop.example/", 7, 5));
    struct seen seen = tell(&list);
    assert_int_equal(seen.rows, FM_LIMIT_MISSING);
    assert_int_equal(seen.frames, FM_LIMIT_MISSING + 5);
    assert_int_equal(seen.others, MORE);
    fm_missing_free(&list);
}

static void ends_at_its_bytes(void **state)
{
    (void)state;
    enum { NAME = 60000 };
    static char text[NAME];
    struct fm_heap heap;
    struct fm_missing_list list;
    fm_heap_init(&heap, NULL, 0);
    fm_missing_init(&list, &heap);
    memset(text, 'n', sizeof text);
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(text, 16, "%u", i);
        const framemap_missing row = {.name = {text, sizeof text}, .frames = 1};
        assert_true(fm_missing_add(&list, &row));
    }
    assert_true(heap.used < FM_LIMIT_MISSING_BYTES + FM_LIMIT_MISSING_BYTES / 2);
    struct seen seen = tell(&list);
    assert_int_equal(seen.rows + seen.others, 1000);
    assert_true(seen.rows * NAME <= FM_LIMIT_MISSING_BYTES);
    fm_missing_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_the_same_image_once),
        cmocka_unit_test(ends_at_its_limit),
        cmocka_unit_test(ends_at_its_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
