/* Tests of iterating over entries and decoding their attributes (dw_entries.h, dw_attributes.h). */
#include "mappers/native/dwarf/dw_attributes.h"
#include "tests/mappers/native/dw_bytes.h"

/* The abbreviations. 1: unit, children. 2: function with an address, children. 3: array with a sibling, children. 4:
 * lexical block, children. 5: base type with an inline name. 6: structure with a sibling, children. 7: declared
 * function with a sibling after an inline name, children. 8: inlined subroutine with an address. 9: a block of each
 * kind, an indirect form. 10: an unknown form. 11: lexical block without anything. 13: a unit with a producer. 14:
 * abstract function with a sibling. */
#define TABLE                                                                                                          \
    1, 0x11, 1, 0x13, 0x0b, 0, 0, 2, 0x2e, 1, 0x11, 0x01, 0, 0, 3, 0x01, 1, 0x01, 0x11, 0, 0, 4, 0x0b, 1, 0, 0, 5,     \
        0x24, 0, 0x03, 0x08, 0, 0, 6, 0x13, 1, 0x01, 0x13, 0, 0, 7, 0x2e, 1, 0x3c, 0x0b, 0x03, 0x08, 0x01, 0x12, 0, 0, \
        8, 0x1d, 0, 0x11, 0x01, 0, 0, 9, 0x34, 0, 0x02, 0x0a, 0x02, 0x03, 0x02, 0x04, 0x02, 0x09, 0x02, 0x16, 0x02,    \
        0x0f, 0, 0, 10, 0x34, 0, 0x02, 0x2d, 0, 0, 11, 0x0b, 0, 0, 0, 13, 0x11, 1, 0x13, 0x0b, 0x25, 0x08, 0, 0, 14,   \
        0x2e, 1, 0x20, 0x0b, 0x01, 0x11, 0, 0, 0
#define C 0x0c
#define CXX 0x04
#define GNU 0x100 /* a flag: the unit also has the attribute DW_AT_producer, which takes 5 bytes */
#define ADDRESS 0x00, 0x10, 0, 0, 0, 0, 0, 0

/* The entries of the unit, from byte 13 on: before them are a header of 11 bytes, and the abbreviation code and the
 * language of the unit's own entry. */
static const struct {
    const char *name;
    uint16_t language;
    uint16_t entries[64];
    const char *reported; /* "offset/depth/lowest" of each entry that is reported */
    const char *fault;
} rows[] = {
    {"nothing", C, {END_OF_BYTES}, "", NULL},
    {"one function", C, {2, ADDRESS, 0, 0, END_OF_BYTES}, "13/1/1 ", NULL},
    {"function in a function", C, {2, ADDRESS, 2, ADDRESS, 0, 0, 0, END_OF_BYTES}, "13/1/1 22/2/2 ", NULL},
    {"two functions", C, {2, ADDRESS, 0, 2, ADDRESS, 0, 0, END_OF_BYTES}, "13/1/1 23/1/1 ", NULL},
    {"a block is between them", C, {2, ADDRESS, 0, 4, 2, ADDRESS, 0, 0, END_OF_BYTES}, "13/1/1 24/2/1 ", NULL},
    {"after one without children, in a block beside it",
     C,
     {8, ADDRESS, 4, 8, ADDRESS, 0, 0, END_OF_BYTES},
     "13/1/1 23/2/1 ",
     NULL},
    {"a jump over what can't be read", C, {3, 16, 0xff, 2, ADDRESS, 0, 0, END_OF_BYTES}, "16/1/1 ", NULL},
    {"a jump to the unit's end", C, {3, 16, 0xff, END_OF_BYTES}, "", NULL},
    {"a jump to itself", C, {3, 13, 0xff, END_OF_BYTES}, "", "entry whose sibling is before it or outside its unit"},
    {"a jump into its own attributes",
     C,
     {3, 14, 0xff, END_OF_BYTES},
     "",
     "entry whose sibling is before it or outside its unit"},
    {"a jump out of the unit",
     C,
     {3, 17, 0xff, END_OF_BYTES},
     "",
     "entry whose sibling is before it or outside its unit"},
    {"a sibling that is cut",
     C,
     {6, 18, 0, 0, END_OF_BYTES},
     "",
     "entry with a form that is unknown or leaves its unit"},
    {"a structure of C is jumped over",
     C | GNU,
     {6, 24, 0, 0, 0, 0xff, 2, ADDRESS, 0, 0, END_OF_BYTES},
     "24/1/1 ",
     NULL},
    {"not of what others than GCC call C", C, {6, 99, 0, 0, 0, 2, ADDRESS, 0, 0, END_OF_BYTES}, "18/2/1 ", NULL},
    {"one of C++ may hold code", CXX | GNU, {6, 99, 0, 0, 0, 2, ADDRESS, 0, 0, 0, END_OF_BYTES}, "23/2/1 ", NULL},
    {"a declared function",
     C | GNU,
     {7, 1, 'f', 0, 26, 0, 0xff, 0xff, 2, ADDRESS, 0, 0, END_OF_BYTES},
     "26/1/1 ",
     NULL},
    {"one of C++", CXX | GNU, {7, 1, 'f', 0, 99, 0, 0, 2, ADDRESS, 0, 0, END_OF_BYTES}, "18/1/1 25/1/1 ", NULL},
    {"an abstract function may hold code",
     C | GNU,
     {14, 1, 99, 2, ADDRESS, 0, 0, 0, END_OF_BYTES},
     "18/1/1 21/2/2 ",
     NULL},
    {"forms of many sizes",
     C,
     {9, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0x0b, 7, 0x80, 1, 8, ADDRESS, 0, END_OF_BYTES},
     "30/1/1 ",
     NULL},
    {"a form that nobody knows", C, {10, END_OF_BYTES}, "", "entry with a form that is unknown or leaves its unit"},
    {"an unknown code", C, {12, END_OF_BYTES}, "", "entry with an abbreviation that its table does not have"},
    {"a code of two bytes", C, {0x82, 0x00, ADDRESS, 0, 0, END_OF_BYTES}, "13/1/1 ", NULL},
    {"the end of a list in two bytes", C, {4, 0x80, 0x00, 2, ADDRESS, 0, 0, END_OF_BYTES}, "16/1/1 ", NULL},
    {"a code that is cut", C, {2, ADDRESS, 0, 0x82, END_OF_BYTES}, "13/1/1 ", "entry code leaves its unit"},
    {"a function cut in its attributes",
     C,
     {2, 0, END_OF_BYTES},
     "13/1/1 ",
     "entry with a form that is unknown or leaves its unit"},
};

/* Puts a unit of version 4, with addresses of 8 bytes. */
static void put_unit(struct bytes *info, unsigned language, const uint16_t *entries)
{
    const size_t from = reserve_length(info);
    PUT(info, 4, 0, 0, 0, 0, 0, 8, (uint16_t)(language & GNU ? 13 : 1), (uint16_t)(language & 0xff));
    if (language & GNU) put_text(info, "GNU ");
    put_all(info, entries);
    settle_length(info, from);
}

struct walked {
    struct fm_heap heap;
    struct fm_dw_sections sections;
    struct fm_dw_units units;
    struct fm_dw_abbrevs abbrevs;
    struct fm_dw_entries entries;
};

static void ignore(void *context, const framemap_error *fault) { (void)context, (void)fault; }

static void begin(struct walked *walked, const struct bytes *info, const struct bytes *abbrev)
{
    walked->sections = (struct fm_dw_sections){.info = view_of(info), .abbrev = view_of(abbrev), .work_left = 10000};
    fm_heap_init(&walked->heap, NULL, 0);
    fm_dw_units_init(&walked->units, &walked->heap, &walked->sections);
    assert_int_equal(fm_dw_units_scan(&walked->units, ignore, NULL, NULL), FRAMEMAP_OK);
    assert_int_equal(walked->units.count, 1);
    fm_dw_abbrevs_init(&walked->abbrevs, &walked->heap, &walked->sections);
    const struct fm_dw_unit_data *unit = walked->units.units;
    const struct fm_dw_abbrev_table *table = fm_dw_abbrevs_at(&walked->abbrevs, unit->abbrevs, &unit->encoding);
    assert_non_null(table);
    assert_null(table->broken);
    walked->entries = fm_dw_entries_of(&walked->sections, unit, table);
}

static void end(struct walked *walked)
{
    fm_dw_abbrevs_free(&walked->abbrevs);
    fm_dw_units_free(&walked->units);
    assert_int_equal(walked->heap.used, 0);
}

static void functions_are_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bytes info = {.size = 0}, abbrev = {.size = 0};
        struct walked walked;
        struct fm_dw_entry entry;
        char reported[128] = "";
        PUT(&abbrev, TABLE);
        put_unit(&info, rows[i].language, rows[i].entries);
        begin(&walked, &info, &abbrev);
        while (fm_dw_entries_next(&walked.entries, &entry)) {
            const size_t used = strlen(reported);
            snprintf(reported + used, sizeof reported - used, "%u/%u/%u ", (unsigned)entry.offset,
                     (unsigned)entry.depth, (unsigned)entry.lowest);
        }
        const char *fault = walked.entries.broken;
        if (strcmp(reported, rows[i].reported) != 0 || (fault == NULL) != (rows[i].fault == NULL) ||
            (fault != NULL && strcmp(fault, rows[i].fault) != 0))
            fail_msg("%s: \"%s\", %s", rows[i].name, reported, fault ? fault : "sound");
        end(&walked);
    }
}

/* Checks a unit that is cut at each of its bytes: the iteration ends with the unit or a fault, and reads only bytes
 * that are left. */
static void every_prefix(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bytes whole = {.size = 0}, abbrev = {.size = 0};
        PUT(&abbrev, TABLE);
        put_unit(&whole, rows[i].language, rows[i].entries);
        for (size_t size = rows[i].language & GNU ? 18 : 13; size < whole.size; size++) {
            struct bytes info = whole;
            struct walked walked;
            struct fm_dw_entry entry;
            struct fm_dw_attributes own;
            info.size = size;
            settle_length(&info, 4);
            /* A copy of the exact size, so that a sanitizer detects reads past its end. */
            void *copy = malloc(size);
            assert_non_null(copy);
            memcpy(copy, info.data, size);
            begin(&walked, &info, &abbrev);
            walked.sections.info.data = copy;
            walked.entries = fm_dw_entries_of(&walked.sections, walked.entries.unit, walked.entries.table);
            while (fm_dw_entries_next(&walked.entries, &entry)) {
                const unsigned char *past = fm_dw_attributes_read(
                    &walked.sections, walked.entries.unit, walked.entries.table, entry.shape, entry.attributes, &own);
                if (past == NULL) continue;
                assert_true(past <= walked.entries.end);
                fm_dw_entries_passed(&walked.entries, past);
            }
            end(&walked);
            free(copy);
        }
    }
}

static bool same_value(const struct fm_dw_value *a, const struct fm_dw_value *b)
{
    return a->class == b->class && a->form == b->form && a->number == b->number && fm_str_equal(a->text, b->text);
}

static bool same_attributes(const struct fm_dw_attributes *a, const struct fm_dw_attributes *b)
{
    if (!fm_str_equal(a->name.text, b->name.text) || !fm_str_equal(a->linkage_name, b->linkage_name)) return false;
    if (a->has_decl_file != b->has_decl_file || (a->has_decl_file && a->decl_file != b->decl_file)) return false;
    if (a->has_call_file != b->has_call_file || (a->has_call_file && a->call_file != b->call_file)) return false;
    if (a->has_origin != b->has_origin || (a->has_origin && a->origin != b->origin)) return false;
    if (!same_value(&a->bounds.low, &b->bounds.low) || !same_value(&a->bounds.high, &b->bounds.high) ||
        !same_value(&a->bounds.ranges, &b->bounds.ranges))
        return false;
    return a->decl_line1 == b->decl_line1 && a->call_line1 == b->call_line1 && a->call_col1 == b->call_col1 &&
           a->artificial == b->artificial && a->three_bytes == b->three_bytes;
}

#define FUNCTION 0x2e
#define INLINED 0x1d

/* Decodes one entry of a unit; padding for the fast paths follows the unit. Checks the result, and that decoding by the
 * abbreviation in the section gives the same result as decoding by the compiled abbreviation. */
static void read_each_way(const char *name, uint16_t tag, const uint16_t *specs, const uint16_t *bytes, unsigned tail,
                          const struct fm_dw_attributes *want)
{
    struct bytes info = {.size = 0}, abbrev = {.size = 0};
    struct walked walked;
    struct fm_dw_attributes got;

    PUT(&abbrev, 1, 0x11, 1, 0x13, 0x0b, 0, 0, 2, tag, 0);
    put_all(&abbrev, specs);
    PUT(&abbrev, 0);
    const size_t from = reserve_length(&info);
    PUT(&info, 4, 0, 0, 0, 0, 0, 8, 1, C, 2);
    put_all(&info, bytes);
    for (unsigned i = 0; i < tail; i++) PUT(&info, 0);
    settle_length(&info, from);
    begin(&walked, &info, &abbrev);
    const unsigned char *const entry = (const unsigned char *)info.data + 14, *const past = walked.entries.end - tail;
    const struct fm_dw_unit_data *unit = walked.entries.unit;
    const struct fm_dw_abbrev_table *table = walked.entries.table;
    const struct fm_dw_shape *shape = fm_dw_shape_find(table, 2);
    if (fm_dw_attributes_read(&walked.sections, unit, table, shape, entry, &got) != past ||
        !same_attributes(&got, want))
        fail_msg("%s, tag %x, %u bytes after: read wrongly", name, tag, tail);
    struct fm_dw_shape slow = *shape;
    slow.reads = FM_DW_NO_READS;
    if (fm_dw_attributes_read(&walked.sections, unit, table, &slow, entry, &got) != past ||
        !same_attributes(&got, want))
        fail_msg("%s, tag %x, %u bytes after: read wrongly the slow way", name, tag, tail);
    assert_true(fm_dw_attributes_at(&walked.sections, unit, table, 13, &got));
    assert_true(same_attributes(&got, want));
    assert_false(fm_dw_attributes_at(&walked.sections, unit, table, 12, &got)); /* there is no abbreviation 0x0c */
    end(&walked);
}

/* Checks attributes in each form: which values are used, and which are ignored because their form is of another kind
 * than expected. */
static void attributes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint16_t specs[24], bytes[32];
        struct fm_dw_attributes want;
    } cases[] = {
        {"name, line, column",
         {0x03, 0x08, 0x3b, 0x05, 0x57, 0x0b, 0, 0, END_OF_BYTES},
         {'f', 0, 0x34, 0x12, 9, END_OF_BYTES},
         {.name = {.text = {"f", 1}}, .decl_line1 = 0x1234, .call_col1 = 9}},
        {"a line that does not fit",
         {0x3b, 0x07, 0x59, 0x0f, 0, 0, END_OF_BYTES},
         {1, 0, 0, 0, 1, 0, 0, 0, 5, END_OF_BYTES},
         {.call_line1 = 5}},
        {"a line that is not a number", {0x3b, 0x08, 0, 0, END_OF_BYTES}, {'7', 0, END_OF_BYTES}, {.decl_line1 = 0}},
        {"files",
         {0x3a, 0x0b, 0x58, 0x21, 3, 0, 0, END_OF_BYTES},
         {2, END_OF_BYTES},
         {.has_decl_file = true, .decl_file = 2, .has_call_file = true, .call_file = 3}},
        {"a reference", {0x31, 0x11, 0, 0, END_OF_BYTES}, {12, END_OF_BYTES}, {.has_origin = true, .origin = 12}},
        {"a reference out of the unit", {0x31, 0x11, 0, 0, END_OF_BYTES}, {200, END_OF_BYTES}, {.has_origin = false}},
        {"a reference into the section",
         {0x31, 0x10, 0, 0, END_OF_BYTES},
         {200, 0, 0, 0, END_OF_BYTES},
         {.has_origin = true, .origin = 200}},
        {"a reference by signature",
         {0x31, 0x20, 0, 0, END_OF_BYTES},
         {1, 2, 3, 4, 5, 6, 7, 8, END_OF_BYTES},
         {.has_origin = false}},
        {"specification after an origin",
         {0x31, 0x11, 0x47, 0x11, 0, 0, END_OF_BYTES},
         {12, 13, END_OF_BYTES},
         {.has_origin = true, .origin = 12}},
        {"the last of two names",
         {0x03, 0x08, 0x03, 0x08, 0, 0, END_OF_BYTES},
         {'f', 0, 'g', 0, END_OF_BYTES},
         {.name = {.text = {"g", 1}}}},
        {"two names, the last one none",
         {0x03, 0x08, 0x03, 0x1e, 0, 0, END_OF_BYTES},
         {'f', 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, END_OF_BYTES},
         {.artificial = false}},
        {"what nobody wants, around a line",
         {0x02, 0x0a, 0x13, 0x05, 0x14, 0x0b, 0x05, 0x0f, 0x15, 0x03,        0x16,
          0x04, 0x40, 0x18, 0x17, 0x08, 0x3b, 0x0d, 0,    0,    END_OF_BYTES},
         {2, 9, 9, 1, 1, 1, 0x80, 1, 1, 0, 9, 1, 0, 0, 0, 9, 1, 9, 'x', 0, 0xff, 0, END_OF_BYTES},
         {.decl_line1 = 127}},
        {"three bytes",
         {0x03, 0x27, 0x3b, 0x0b, 0, 0, END_OF_BYTES},
         {1, 2, 3, 4, END_OF_BYTES},
         {.decl_line1 = 4, .three_bytes = true}},
        {"a constant of five bytes",
         {0x3b, 0x21, 0x80, 0x80, 0x80, 0x80, 0x10, 0x59, 0x0b, 0, 0, END_OF_BYTES},
         {6, END_OF_BYTES},
         {.call_line1 = 6}},
        {"artificial, by being there", {0x34, 0x19, 0, 0, END_OF_BYTES}, {END_OF_BYTES}, {.artificial = true}},
        {"not artificial", {0x34, 0x0c, 0, 0, END_OF_BYTES}, {0, END_OF_BYTES}, {.artificial = false}},
        {"what is inlined, as clang says it",
         {0x31, 0x13, 0x11, 0x1b, 0x12, 0x06, 0x58, 0x0b, 0x59, 0x05, 0x57, 0x0b, 0, 0, END_OF_BYTES},
         {12, 0, 0, 0, 0x85, 0x01, 9, 1, 0, 0, 3, 0x34, 0x12, 7, END_OF_BYTES},
         {.has_origin = true,
          .origin = 12,
          .bounds = {.low = {FM_DW_ADDRESS_INDEX, 0x1b, 0x85, {NULL, 0}},
                     .high = {FM_DW_NUMBER, 0x06, 0x109, {NULL, 0}}},
          .has_call_file = true,
          .call_file = 3,
          .call_line1 = 0x1234,
          .call_col1 = 7}},
        {"the same with ranges",
         {0x31, 0x10, 0x55, 0x23, 0x58, 0x0b, 0x59, 0x06, 0x57, 0x0b, 0, 0, END_OF_BYTES},
         {200, 0, 0, 0, 5, 3, 1, 0, 0, 0x80, 7, END_OF_BYTES},
         {.has_origin = true,
          .origin = 200,
          .bounds = {.ranges = {FM_DW_LIST_INDEX, 0x23, 5, {NULL, 0}}},
          .has_call_file = true,
          .call_file = 3,
          .call_line1 = 0x80000001,
          .call_col1 = 7}},
        {"as GCC says it",
         {0x31, 0x13, 0x52, 0x01, 0xb8, 0x42, 0x05, 0x55, 0x17, 0x58,        0x21,
          2,    0x59, 0x0b, 0x57, 0x0b, 0x01, 0x13, 0,    0,    END_OF_BYTES},
         {99, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 0, 0x10, 0, 0, 0, 4, 5, 9, 9, 9, 9, END_OF_BYTES},
         {.bounds = {.ranges = {FM_DW_NUMBER, 0x17, 0x10, {NULL, 0}}},
          .has_call_file = true,
          .call_file = 2,
          .call_line1 = 4,
          .call_col1 = 5}},
        {"addresses",
         {0x11, 0x01, 0x12, 0x01, 0x59, 0x0b, 0, 0, END_OF_BYTES},
         {1, 2, 3, 4, 5, 6, 7, 8, 8, 7, 6, 5, 4, 3, 2, 0xf1, 6, END_OF_BYTES},
         {.bounds = {.low = {FM_DW_ADDRESS, 0x01, UINT64_C(0x0807060504030201), {NULL, 0}},
                     .high = {FM_DW_ADDRESS, 0x01, UINT64_C(0xf102030405060708), {NULL, 0}}},
          .call_line1 = 6}},
        {"an address in ten bytes",
         {0x11, 0x1b, 0x59, 0x0b, 0, 0, END_OF_BYTES},
         {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 6, END_OF_BYTES},
         {.bounds = {.low = {FM_DW_ADDRESS_INDEX, 0x1b, UINT64_MAX, {NULL, 0}}}, .call_line1 = 6}},
        {"an address in more bytes than it needs",
         {0x11, 0x1b, 0x59, 0x0b, 0, 0, END_OF_BYTES},
         {0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, 6,
          END_OF_BYTES},
         {.bounds = {.low = {FM_DW_ADDRESS_INDEX, 0x1b, 1, {NULL, 0}}}, .call_line1 = 6}},
        {"numbers of no fixed size",
         {0x11, 0x1b, 0x12, 0x0f, 0x59, 0x0f, 0x31, 0x15, 0, 0, END_OF_BYTES},
         {0x81, 0x01, 0x82, 0x02, 0x83, 0x03, 0x0d, END_OF_BYTES},
         {.has_origin = true,
          .origin = 13,
          .call_line1 = 0x183,
          .bounds = {.low = {FM_DW_ADDRESS_INDEX, 0x1b, 0x81, {NULL, 0}},
                     .high = {FM_DW_NUMBER, 0x0f, 0x102, {NULL, 0}}}}},
        {"two addresses",
         {0x11, 0x1b, 0x11, 0x29, 0, 0, END_OF_BYTES},
         {1, 2, END_OF_BYTES},
         {.bounds = {.low = {FM_DW_ADDRESS_INDEX, 0x29, 2, {NULL, 0}}}}},
        {"an address that is none",
         {0x11, 0x20, 0x12, 0x1f, 0, 0, END_OF_BYTES},
         {1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 9, END_OF_BYTES},
         {.call_line1 = 0}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (unsigned tail = 0; tail <= 24; tail += 24) {
            read_each_way(cases[i].name, FUNCTION, cases[i].specs, cases[i].bytes, tail, &cases[i].want);
            read_each_way(cases[i].name, INLINED, cases[i].specs, cases[i].bytes, tail, &cases[i].want);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_reported),
        cmocka_unit_test(every_prefix),
        cmocka_unit_test(attributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
