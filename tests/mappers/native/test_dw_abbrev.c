/* Tests of mappers/native/dwarf/dw_abbrev.h. */
#include "mappers/native/dwarf/dw_abbrev.h"
#include "tests/mappers/native/dw_bytes.h"

static const struct {
    const char *name, *broken; /* broken: the fault; NULL: the table is sound */
    uint16_t bytes[16];
} tables[] = {
    {"empty", NULL, {0, END_OF_BYTES}},
    {"one", NULL, {1, 0x11, 1, 0x03, 0x08, 0, 0, 0, END_OF_BYTES}},
    {"implicit constant", NULL, {1, 0x2e, 0, 0x3a, 0x21, 0x7f, 0, 0, 0, END_OF_BYTES}},
    {"no end", "abbreviation table ends early", {1, 0x11, 1, 0x03, 0x08, 0, 0, END_OF_BYTES}},
    {"no end in the attributes", "abbreviation table ends early", {1, 0x11, 1, 0x03, END_OF_BYTES}},
    {"attribute zero", "abbreviation with an impossible attribute", {1, 0x11, 1, 0, 0x08, 0, 0, 0, END_OF_BYTES}},
    {"attribute too big",
     "abbreviation with an impossible attribute",
     {1, 0x11, 1, 0x80, 0x80, 0x01, 0x08, 0, 0, 0, END_OF_BYTES}},
    {"form zero", "abbreviation with an impossible form", {1, 0x11, 1, 0x03, 0, 0, 0, 0, END_OF_BYTES}},
    {"tag too big", "abbreviation with an impossible tag", {1, 0x80, 0x80, 0x04, 1, 0, 0, 0, END_OF_BYTES}},
    {"scattered", "abbreviation codes are scattered", {0x80, 0x80, 0x40, 0x11, 1, 0, 0, 0, END_OF_BYTES}},
};

static const struct fm_dw_encoding encoding = {.version = 4, .address_size = 8, .offset_size = 4};

static void tables_sound_and_broken(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        struct bytes bytes = {.size = 0};
        struct fm_heap heap;
        struct fm_dw_abbrevs abbrevs;
        put_all(&bytes, tables[i].bytes);
        const struct fm_dw_sections sections = {.abbrev = view_of(&bytes)};
        fm_heap_init(&heap, NULL, 0);
        fm_dw_abbrevs_init(&abbrevs, &heap, &sections);
        const struct fm_dw_abbrev_table *table = fm_dw_abbrevs_at(&abbrevs, 0, &encoding);
        assert_non_null(table);
        if (tables[i].broken == NULL ? table->broken != NULL
                                     : table->broken == NULL || strcmp(table->broken, tables[i].broken) != 0)
            fail_msg("%s: %s", tables[i].name, table->broken ? table->broken : "sound");
        if (table->broken == NULL) assert_int_equal(table->size, bytes.size);
        assert_ptr_equal(fm_dw_abbrevs_at(&abbrevs, 0, &encoding), table);
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
    const struct fm_dw_sections sections = {.abbrev = view_of(&bytes)};
    fm_heap_init(&heap, NULL, 0);
    fm_dw_abbrevs_init(&abbrevs, &heap, &sections);
    const struct fm_dw_abbrev_table *table = fm_dw_abbrevs_at(&abbrevs, 0, &encoding);
    const struct fm_dw_shape *second = fm_dw_shape_find(table, 2);
    assert_non_null(second);
    assert_int_equal(second->tag, 0x2e); /* if two abbreviations have the same code, the first one counts */
    assert_true(second->flags & FM_DW_SHAPE_CHILDREN);
    assert_true(table->has_functions);
    assert_null(fm_dw_shape_find(table, 0));
    assert_null(fm_dw_shape_find(table, 3));
    assert_null(fm_dw_shape_find(table, UINT64_MAX));
    assert_non_null(fm_dw_abbrevs_at(&abbrevs, bytes.size, &encoding)->broken);
    fm_dw_abbrevs_free(&abbrevs);
}

static void one_is_found_alone(void **state)
{
    (void)state;
    struct bytes bytes = {.size = 0};
    struct fm_dw_abbrev abbrev;
    struct fm_dw_spec spec;
    uint64_t scanned;
    PUT(&bytes, 1, 0x11, 0, 0, 0, 2, 0x2e, 1, 0x03, 0x08, 0x3a, 0x21, 0x7e, 0, 0, 3, 0x34, 0, 0, 0, 9);
    const struct fm_dw_sections sections = {.abbrev = view_of(&bytes)};
    assert_null(fm_dw_abbrev_find(&sections, 0, 2, &abbrev, &scanned));
    assert_int_equal(scanned, 15);
    assert_int_equal(abbrev.tag, 0x2e);
    assert_true(abbrev.children);
    assert_true(fm_dw_spec_next(&abbrev.specs, &spec));
    assert_int_equal(spec.attribute, 0x03);
    assert_true(fm_dw_spec_next(&abbrev.specs, &spec));
    assert_int_equal(spec.implicit, -2);
    assert_false(fm_dw_spec_next(&abbrev.specs, &spec));
    assert_null(fm_dw_abbrev_find(&sections, 5, 2, &abbrev, &scanned));
    /* Damage in the table prevents finding an abbreviation only if it is before the abbreviation. */
    assert_string_equal(fm_dw_abbrev_find(&sections, 0, 7, &abbrev, &scanned), "abbreviation table ends early");
    assert_string_equal(fm_dw_abbrev_find(&sections, bytes.size, 1, &abbrev, &scanned),
                        "abbreviation table outside its section");
    bytes.data[3] = 1; /* damages the table: attribute 1 now has the form 0 */
    assert_string_equal(fm_dw_abbrev_find(&sections, 0, 2, &abbrev, &scanned), "abbreviation with an impossible form");
}

/* Checks the compiled form of abbreviations: its kind depends on the attributes that an abbreviation has. */
static void shapes(void **state)
{
    (void)state;
    enum {
        KNOWN = FM_DW_SHAPE_KNOWN,
        FIXED = FM_DW_SHAPE_FIXED,
        CHILDREN = FM_DW_SHAPE_CHILDREN,
        FUNCTION = FM_DW_SHAPE_FUNCTION,
        CODE = FM_DW_SHAPE_CODE,
        JUMP = FM_DW_SHAPE_JUMP,
        JUMP_C = FM_DW_SHAPE_JUMP_C,
        PLAIN = FM_DW_SHAPE_PLAIN
    };
    static const struct {
        const char *name;
        uint16_t bytes[24];
        unsigned flags, sibling;
    } rows[] = {
        {"base type", {0x24, 0, 0x0b, 0x0b, 0x03, 0x0e, 0, 0, END_OF_BYTES}, KNOWN | FIXED | PLAIN, FM_DW_NO_PLACE},
        {"inline name", {0x24, 0, 0x03, 0x08, 0, 0, END_OF_BYTES}, KNOWN, FM_DW_NO_PLACE},
        {"declared function", {0x2e, 0, 0x3c, 0x19, 0, 0, END_OF_BYTES}, KNOWN | FIXED | PLAIN, FM_DW_NO_PLACE},
        {"function with code",
         {0x2e, 1, 0x11, 0x01, 0x01, 0x13, 0, 0, END_OF_BYTES},
         KNOWN | FIXED | CHILDREN | FUNCTION | CODE,
         8},
        {"abstract function",
         {0x2e, 1, 0x20, 0x0b, 0x01, 0x13, 0, 0, END_OF_BYTES},
         KNOWN | FIXED | CHILDREN | FUNCTION,
         1},
        {"declared function with parameters",
         {0x2e, 1, 0x3c, 0x19, 0x01, 0x13, 0, 0, END_OF_BYTES},
         KNOWN | FIXED | CHILDREN | FUNCTION | JUMP_C,
         0},
        {"array", {0x01, 1, 0x01, 0x13, 0, 0, END_OF_BYTES}, KNOWN | FIXED | CHILDREN | JUMP | JUMP_C, 0},
        {"abstract function without sibling",
         {0x2e, 1, 0x20, 0x0b, 0, 0, END_OF_BYTES},
         KNOWN | FIXED | CHILDREN | FUNCTION,
         FM_DW_NO_PLACE},
        {"function of which nothing is known",
         {0x2e, 1, 0x01, 0x13, 0, 0, END_OF_BYTES},
         KNOWN | FIXED | CHILDREN | FUNCTION,
         0},
        {"abstract function with code",
         {0x2e, 1, 0x20, 0x0b, 0x55, 0x17, 0x01, 0x13, 0, 0, END_OF_BYTES},
         KNOWN | FIXED | CHILDREN | FUNCTION | CODE,
         5},
        {"enumeration",
         {0x04, 1, 0x03, 0x08, 0x01, 0x13, 0, 0, END_OF_BYTES},
         KNOWN | CHILDREN | JUMP_C,
         FM_DW_NO_PLACE},
        {"structure", {0x13, 1, 0x0b, 0x0b, 0x01, 0x13, 0, 0, END_OF_BYTES}, KNOWN | FIXED | CHILDREN | JUMP_C, 1},
        {"structure with its sibling by udata",
         {0x13, 1, 0x01, 0x15, 0, 0, END_OF_BYTES},
         KNOWN | CHILDREN,
         FM_DW_NO_PLACE},
        {"class", {0x02, 1, 0x0b, 0x0b, 0x01, 0x13, 0, 0, END_OF_BYTES}, KNOWN | FIXED | CHILDREN, 1},
        {"lexical block", {0x0b, 1, 0x01, 0x13, 0, 0, END_OF_BYTES}, KNOWN | FIXED | CHILDREN, 0},
        {"inlined subroutine",
         {0x1d, 0, 0x55, 0x17, 0, 0, END_OF_BYTES},
         KNOWN | FIXED | FUNCTION | CODE,
         FM_DW_NO_PLACE},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bytes bytes = {.size = 0};
        struct fm_heap heap;
        struct fm_dw_abbrevs abbrevs;
        PUT(&bytes, 1);
        put_all(&bytes, rows[i].bytes);
        PUT(&bytes, 0);
        const struct fm_dw_sections sections = {.abbrev = view_of(&bytes)};
        fm_heap_init(&heap, NULL, 0);
        fm_dw_abbrevs_init(&abbrevs, &heap, &sections);
        const struct fm_dw_shape *shape = fm_dw_shape_find(fm_dw_abbrevs_at(&abbrevs, 0, &encoding), 1);
        assert_non_null(shape);
        if (shape->flags != rows[i].flags || shape->sibling != rows[i].sibling)
            fail_msg("%s: flags %x, sibling at %u", rows[i].name, (unsigned)shape->flags, (unsigned)shape->sibling);
        fm_dw_abbrevs_free(&abbrevs);
    }
}

static void sizes_are_of_the_encoding(void **state)
{
    (void)state;
    static const struct {
        struct fm_dw_encoding encoding;
        uint32_t size;
    } rows[] = {
        {{.version = 4, .address_size = 8, .offset_size = 4}, 8 + 4 + 4 + 4},
        {{.version = 4, .address_size = 4, .offset_size = 4}, 4 + 4 + 4 + 4},
        {{.version = 4, .address_size = 8, .offset_size = 8}, 8 + 8 + 8 + 8},
        {{.version = 2, .address_size = 8, .offset_size = 4}, 8 + 4 + 8 + 4},
    };
    struct bytes bytes = {.size = 0};
    struct fm_heap heap;
    struct fm_dw_abbrevs abbrevs;
    PUT(&bytes, 1, 0x24, 0, 0x11, 0x01, 0x03, 0x0e, 0x31, 0x10, 0x6e, 0xa1, 0x3e, 0, 0,
        0); /* the last attribute is a string in another file, in GNU's form */
    const struct fm_dw_sections sections = {.abbrev = view_of(&bytes)};
    fm_heap_init(&heap, NULL, 0);
    fm_dw_abbrevs_init(&abbrevs, &heap, &sections);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct fm_dw_abbrev_table *table = fm_dw_abbrevs_at(&abbrevs, 0, &rows[i].encoding);
        assert_int_equal(fm_dw_shape_find(table, 1)->size, rows[i].size);
        assert_ptr_equal(fm_dw_abbrevs_at(&abbrevs, 0, &rows[i].encoding), table);
    }
    assert_int_equal(abbrevs.count, COUNT_OF(rows));
    fm_dw_abbrevs_free(&abbrevs);
    assert_int_equal(heap.used, 0);
}

/* Checks 1000 tables that start inside one table of 5000 bytes, one or a few bytes apart. */
static void work_is_bounded(void **state)
{
    (void)state;
    static unsigned char data[5001];
    static uint64_t begins[1000];
    struct fm_heap heap;
    struct fm_dw_abbrevs abbrevs;
    for (int i = 0; i < 1000; i++) memcpy(data + 5 * i, "\1\x11\0\0\0", 5), begins[i] = 5 * (uint64_t)i;
    const struct fm_dw_sections sections = {.abbrev = fm_str(data, sizeof data)};
    fm_heap_init(&heap, NULL, 0);
    fm_dw_abbrevs_init(&abbrevs, &heap, &sections);
    abbrevs.begins = begins;
    abbrevs.begin_count = COUNT_OF(begins);
    uint64_t work = 0;
    for (size_t i = 0; i < COUNT_OF(begins); i++) {
        const struct fm_dw_abbrev_table *table = fm_dw_abbrevs_at(&abbrevs, begins[i], &encoding);
        if (table->broken != NULL)
            assert_string_equal(table->broken, "too much work: abbreviation tables overlap");
        else
            work += table->size;
    }
    assert_between(work, 1, 1000 * 1344);
    assert_non_null(fm_dw_abbrevs_at(&abbrevs, 0, &encoding)->broken);
    assert_null(fm_dw_abbrevs_at(&abbrevs, begins[999], &encoding)->broken);
    fm_dw_abbrevs_free(&abbrevs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_sound_and_broken),   cmocka_unit_test(entries_are_found_by_code),
        cmocka_unit_test(one_is_found_alone),        cmocka_unit_test(shapes),
        cmocka_unit_test(sizes_are_of_the_encoding), cmocka_unit_test(work_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
