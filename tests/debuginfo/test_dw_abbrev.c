#include "mappers/debuginfo/dw_abbrev.h"
#include "tests/debuginfo/dw_bytes.h"

static const struct {
    const char *name, *broken; /* NULL: sound */
    uint16_t bytes[16];
} tables[] = {
    {"empty", NULL, {0, END_OF_BYTES}},
    {"one", NULL, {1, 0x11, 1, 0x03, 0x08, 0, 0, 0, END_OF_BYTES}},
    {"implicit constant", NULL, {1, 0x2e, 0, 0x3a, 0x21, 0x7f, 0, 0, 0, END_OF_BYTES}},
    {"no end", "abbreviation table ends early", {1, 0x11, 1, 0x03, 0x08, 0, 0, END_OF_BYTES}},
    {"no end in the attributes", "abbreviation table ends early", {1, 0x11, 1, 0x03, END_OF_BYTES}},
    {"attribute zero", "abbreviation with an impossible attribute", {1, 0x11, 1, 0, 0x08, 0, 0, 0, END_OF_BYTES}},
    {"attribute too big", "abbreviation with an impossible attribute", {1, 0x11, 1, 0x80, 0x80, 0x01, 0x08, 0, 0, 0, END_OF_BYTES}},
    {"form zero", "abbreviation with an impossible form", {1, 0x11, 1, 0x03, 0, 0, 0, 0, END_OF_BYTES}},
    {"tag too big", "abbreviation with an impossible tag", {1, 0x80, 0x80, 0x04, 1, 0, 0, 0, END_OF_BYTES}},
    {"scattered", "abbreviation codes are scattered", {0x80, 0x80, 0x40, 0x11, 1, 0, 0, 0, END_OF_BYTES}},
};

static void tables_sound_and_broken(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        struct bytes bytes = {.size = 0};
        struct fm_heap heap;
        struct fm_dw_abbrevs abbrevs;
        put_all(&bytes, tables[i].bytes);
        struct fm_dw_sections sections = {.abbrev = view_of(&bytes), .work_left = 1000};
        fm_heap_init(&heap, NULL, 0);
        fm_dw_abbrevs_init(&abbrevs, &heap);
        const struct fm_dw_abbrev_table *table = fm_dw_abbrevs_at(&abbrevs, &sections, 0);
        assert_non_null(table);
        if (tables[i].broken == NULL ? table->broken != NULL : table->broken == NULL || strcmp(table->broken, tables[i].broken) != 0)
            fail_msg("%s: %s", tables[i].name, table->broken ? table->broken : "sound");
        if (table->broken == NULL) assert_int_equal(table->size, bytes.size);
        assert_ptr_equal(fm_dw_abbrevs_at(&abbrevs, &sections, 0), table);
        fm_dw_abbrevs_free(&abbrevs);
        assert_int_equal(heap.used, 0);
    }
}

static void entries_are_found_by_code(void **state)
{
    (void)state;
    struct bytes bytes = {.size = 0};
    struct fm_heap heap;
    struct fm_dw_abbrevs abbrevs;
    PUT(&bytes, 2, 0x2e, 1, 0x03, 0x08, 0x3a, 0x21, 0x7e, 0, 0, 1, 0x11, 0, 0, 0, 2, 0x34, 0, 0, 0, 0);
    struct fm_dw_sections sections = {.abbrev = view_of(&bytes), .work_left = 1000};
    fm_heap_init(&heap, NULL, 0);
    fm_dw_abbrevs_init(&abbrevs, &heap);
    const struct fm_dw_abbrev_table *table = fm_dw_abbrevs_at(&abbrevs, &sections, 0);
    const struct fm_dw_abbrev *second = fm_dw_abbrev_find(table, 2);
    assert_non_null(second);
    assert_int_equal(second->tag, 0x2e); /* the first of two with one code */
    assert_true(second->children);
    assert_int_equal(second->spec_count, 2);
    assert_int_equal(second->specs[1].implicit, -2);
    assert_null(fm_dw_abbrev_find(table, 0));
    assert_null(fm_dw_abbrev_find(table, 3));
    assert_null(fm_dw_abbrev_find(table, UINT64_MAX));
    assert_non_null(fm_dw_abbrevs_at(&abbrevs, &sections, bytes.size)->broken);
    fm_dw_abbrevs_free(&abbrevs);
}

static void work_is_bounded(void **state)
{
    (void)state;
    struct bytes bytes = {.size = 0};
    struct fm_heap heap;
    struct fm_dw_abbrevs abbrevs;
    for (int i = 0; i < 30; i++) PUT(&bytes, 1, 0x11, 0, 0, 0);
    PUT(&bytes, 0);
    struct fm_dw_sections sections = {.abbrev = view_of(&bytes), .work_left = 400};
    fm_heap_init(&heap, NULL, 0);
    fm_dw_abbrevs_init(&abbrevs, &heap);
    size_t sound = 0;
    for (uint64_t at = 0; at < 30; at++) sound += fm_dw_abbrevs_at(&abbrevs, &sections, at * 5)->broken == NULL;
    assert_int_equal(sound, 2); /* 151 and 146 bytes; 141 more would pass 400 */
    fm_dw_abbrevs_free(&abbrevs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_sound_and_broken),
        cmocka_unit_test(entries_are_found_by_code),
        cmocka_unit_test(work_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
