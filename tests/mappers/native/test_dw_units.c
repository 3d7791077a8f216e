/* Tests of mappers/native/dwarf/dw_units.h. */
#include "mappers/native/dwarf/dw_constants.h"
#include "mappers/native/dwarf/dw_entries.h"
#include "tests/mappers/native/dw_bytes.h"

/* The abbreviations. 1: compile unit with children and a name; 2: subprogram with a name; 3: partial unit without
 * children. */
#define TABLE 1, 0x11, 1, 0x03, 0x08, 0, 0, 2, 0x2e, 0, 0x03, 0x08, 0, 0, 3, 0x3c, 0, 0, 0, 0

struct faults {
    size_t count;
    framemap_error last;
};

static void note(void *context, const framemap_error *fault)
{
    struct faults *faults = context;
    faults->count++;
    faults->last = *fault;
}

static void put_unit(struct bytes *to, unsigned version, unsigned address_size, uint64_t abbrevs,
                     const uint16_t *entries)
{
    const size_t from = reserve_length(to);
    put(to, version, 2);
    if (version >= 5) put(to, DW_UT_compile, 1), put(to, address_size, 1);
    put(to, abbrevs, 4);
    if (version < 5) put(to, address_size, 1);
    put_all(to, entries);
    settle_length(to, from);
}

#define ENTRIES(...) ((const uint16_t[]){__VA_ARGS__, END_OF_BYTES})
#define GOOD ENTRIES(1, 'u', 0, 2, 'f', 0, 0)

/* Walks the entries of all units; returns how many faults are reported for damaged ones. */
static size_t walk_all(const struct fm_dw_units *units, struct fm_heap *heap, struct faults *faults)
{
    struct fm_dw_abbrevs abbrevs;
    size_t sound = 0;
    fm_dw_abbrevs_init(&abbrevs, heap, units->sections);
    for (size_t i = 0; i < units->count; i++) {
        const struct fm_dw_unit_data *unit = &units->units[i];
        const struct fm_dw_abbrev_table *table = fm_dw_abbrevs_at(&abbrevs, unit->abbrevs, &unit->encoding);
        struct fm_dw_entry entry;
        assert_non_null(table);
        struct fm_dw_entries entries = {.broken = table->broken};
        if (table->broken == NULL) {
            entries = fm_dw_entries_of(units->sections, unit, table);
            while (fm_dw_entries_next(&entries, &entry)) continue;
        }
        if (entries.broken == NULL) {
            sound++;
            continue;
        }
        faults->count++;
        faults->last.offset = unit->offset;
        snprintf(faults->last.message, sizeof faults->last.message, "%s", entries.broken);
    }
    fm_dw_abbrevs_free(&abbrevs);
    return sound;
}

static void units_sound_and_broken(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned version, address_size;
        uint64_t abbrevs;
        uint16_t entries[12];
        const char *fault; /* the fault; NULL: the unit is sound */
    } rows[] = {
        {"version 2", 2, 8, 0, {1, 'u', 0, 2, 'f', 0, 0, END_OF_BYTES}, NULL},
        {"version 5", 5, 4, 0, {1, 'u', 0, 2, 'f', 0, 0, END_OF_BYTES}, NULL},
        {"children without an end mark", 4, 8, 0, {1, 'u', 0, 2, 'f', 0, END_OF_BYTES}, NULL},
        {"padding after the end", 4, 8, 0, {1, 'u', 0, 0, 0xff, 0xff, END_OF_BYTES}, NULL},
        {"padding after an entry without children", 4, 8, 0, {3, 0xff, 0xff, END_OF_BYTES}, NULL},
        {"version 1", 1, 8, 0, {1, 'u', 0, 0, END_OF_BYTES}, "unit of a DWARF version that is not 2 to 5"},
        {"version 6", 6, 8, 0, {1, 'u', 0, 0, END_OF_BYTES}, "unit of a DWARF version that is not 2 to 5"},
        {"addresses of 3 bytes",
         4,
         3,
         0,
         {1, 'u', 0, 0, END_OF_BYTES},
         "unit whose addresses are neither 4 nor 8 bytes"},
        {"table outside", 4, 8, 999, {1, 'u', 0, 0, END_OF_BYTES}, "abbreviation table outside its section"},
        {"an entry whose code does not end", 4, 8, 0, {0x80, END_OF_BYTES}, "unit without an entry"},
        {"null entry first",
         4,
         8,
         0,
         {0, END_OF_BYTES},
         "unit entry with an abbreviation that its table does not have"},
        {"unknown code",
         4,
         8,
         0,
         {1, 'u', 0, 9, 0, END_OF_BYTES},
         "entry with an abbreviation that its table does not have"},
        {"string leaves the unit",
         4,
         8,
         0,
         {1, 'u', 0, 2, 'f', END_OF_BYTES},
         "entry with a form that is unknown or leaves its unit"},
        {"the unit's own string leaves it", 4, 8, 0, {1, 'u', END_OF_BYTES}, "unit entry leaves its unit"},
        {"code leaves the unit", 4, 8, 0, {1, 'u', 0, 0x80, END_OF_BYTES}, "entry code leaves its unit"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bytes info = {.size = 0}, abbrev = {.size = 0};
        struct fm_heap heap;
        struct fm_dw_units units;
        struct faults faults = {0};
        PUT(&abbrev, TABLE);
        /* The sound units before and after the damaged unit must not be lost. */
        put_unit(&info, 4, 8, 0, GOOD);
        const size_t offset = info.size;
        put_unit(&info, rows[i].version, rows[i].address_size, rows[i].abbrevs, rows[i].entries);
        put_unit(&info, 4, 8, 0, GOOD);
        struct fm_dw_sections sections = {.info = view_of(&info), .abbrev = view_of(&abbrev), .work_left = 100000};
        fm_heap_init(&heap, NULL, 0);
        fm_dw_units_init(&units, &heap, &sections);
        assert_int_equal(fm_dw_units_scan(&units, note, &faults, NULL), FRAMEMAP_OK);
        const size_t sound = walk_all(&units, &heap, &faults);
        if (rows[i].fault == NULL) {
            if (faults.count != 0 || sound != 3) fail_msg("%s: %s", rows[i].name, faults.last.message);
        } else if (faults.count != 1 || sound != 2 || strcmp(faults.last.message, rows[i].fault) != 0 ||
                   faults.last.offset != offset) {
            fail_msg("%s: %zu faults, %zu units, \"%s\" at %llu", rows[i].name, faults.count, sound,
                     faults.last.message, (unsigned long long)faults.last.offset);
        }
        assert_str(units.units[0].name, "u");
        fm_dw_units_free(&units);
        assert_int_equal(heap.used, 0);
    }
}

/* Checks that units without entries are skipped: dsymutil of Xcode 8 wrote them after the units of Swift. */
static void units_without_entries_are_passed_over(void **state)
{
    (void)state;
    for (unsigned version = 2; version <= 5; version++) {
        struct bytes info = {.size = 0}, abbrev = {.size = 0};
        struct fm_heap heap;
        struct fm_dw_units units;
        struct faults faults = {0};
        PUT(&abbrev, TABLE);
        for (int i = 0; i < 3; i++) {
            put_unit(&info, version, 8, 0, GOOD);
            put_unit(&info, version, 8, 0, ENTRIES(END_OF_BYTES));
        }
        struct fm_dw_sections sections = {.info = view_of(&info), .abbrev = view_of(&abbrev), .work_left = 100000};
        fm_heap_init(&heap, NULL, 0);
        fm_dw_units_init(&units, &heap, &sections);
        assert_int_equal(fm_dw_units_scan(&units, note, &faults, NULL), FRAMEMAP_OK);
        assert_int_equal(units.count, 3);
        assert_int_equal(faults.count, 0);
        fm_dw_units_free(&units);
        assert_int_equal(heap.used, 0);
    }
}

static void a_length_that_lies_costs_the_rest(void **state)
{
    (void)state;
    struct bytes info = {.size = 0}, abbrev = {.size = 0};
    struct fm_heap heap;
    struct fm_dw_units units;
    struct faults faults = {0};
    PUT(&abbrev, TABLE);
    put_unit(&info, 4, 8, 0, GOOD);
    put(&info, 0x7fffffff, 4);
    put_unit(&info, 4, 8, 0, GOOD);
    struct fm_dw_sections sections = {.info = view_of(&info), .abbrev = view_of(&abbrev), .work_left = 100000};
    fm_heap_init(&heap, NULL, 0);
    fm_dw_units_init(&units, &heap, &sections);
    assert_int_equal(fm_dw_units_scan(&units, note, &faults, NULL), FRAMEMAP_OK);
    assert_int_equal(units.count, 1);
    assert_int_equal(faults.count, 1);
    assert_int_equal(faults.last.code, FRAMEMAP_E_TRUNCATED);
    /* the offset is in the header of a unit, where no entry starts */
    assert_null(fm_dw_units_find(&units, units.units[0].offset));
    assert_ptr_equal(fm_dw_units_find(&units, units.units[0].first), &units.units[0]);
    assert_null(fm_dw_units_find(&units, units.units[0].end));
    fm_dw_units_free(&units);
}

/* Checks zeros, and many units of an unknown version. The first few of these units are reported one by one, and all
 * further units in one message. */
static void many_damaged_units_are_counted(void **state)
{
    static const struct {
        const char *name;
        size_t units;
        bool empty;
        size_t faults;
        const char *last;
    } rows[] = {{"a few zeros", 3, true, 3, "unit header ends early"},
                {"as many as are reported", 16, true, 16, "unit header ends early"},
                {"one more", 17, true, 17, "1 more units from here on are damaged, too, and are left out"},
                {"a section of them", 100, true, 17, "84 more units from here on are damaged, too, and are left out"},
                {"others", 100, false, 17, "84 more units from here on are damaged, too, and are left out"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bytes info = {.size = 0}, abbrev = {.size = 0};
        struct fm_heap heap;
        struct fm_dw_units units;
        struct faults faults = {0};
        PUT(&abbrev, TABLE);
        put_unit(&info, 4, 8, 0, GOOD);
        const size_t first = info.size, each = rows[i].empty ? 4 : 6;
        for (size_t k = 0; k < rows[i].units; k++) {
            put(&info, rows[i].empty ? 0 : 2, 4);
            if (!rows[i].empty) put(&info, 77, 2);
        }
        put_unit(&info, 4, 8, 0, GOOD);
        struct fm_dw_sections sections = {.info = view_of(&info), .abbrev = view_of(&abbrev), .work_left = 100000};
        fm_heap_init(&heap, NULL, 0);
        fm_dw_units_init(&units, &heap, &sections);
        assert_int_equal(fm_dw_units_scan(&units, note, &faults, NULL), FRAMEMAP_OK);
        const size_t reported = rows[i].units < 17 ? rows[i].units - 1 : 16;
        if (units.count != 2 || faults.count != rows[i].faults || strcmp(faults.last.message, rows[i].last) != 0 ||
            faults.last.offset != first + reported * each)
            fail_msg("%s: %zu units, %zu faults, \"%s\" at %llu", rows[i].name, units.count, faults.count,
                     faults.last.message, (unsigned long long)faults.last.offset);
        fm_dw_units_free(&units);
        assert_int_equal(heap.used, 0);
    }
}

/* Returns the fault that `depth` nested entries cause. */
static const char *depth_fault(size_t depth)
{
    static unsigned char data[9000];
    struct bytes abbrev = {.size = 0};
    struct fm_heap heap;
    struct fm_dw_units units;
    struct faults faults = {0};
    static char message[FRAMEMAP_ERROR_MESSAGE_SIZE];
    PUT(&abbrev, 1, 0x11, 1, 0, 0, 0);
    memset(data, 1, sizeof data);
    const uint64_t length = 7 + depth;
    for (unsigned i = 0; i < 4; i++) data[i] = (unsigned char)(length >> (8 * i));
    memcpy(data + 4, "\4\0\0\0\0\0\10", 7);
    struct fm_dw_sections sections = {
        .info = fm_str(data, (size_t)length + 4), .abbrev = view_of(&abbrev), .work_left = 100000};
    fm_heap_init(&heap, NULL, 0);
    fm_dw_units_init(&units, &heap, &sections);
    assert_int_equal(fm_dw_units_scan(&units, note, &faults, NULL), FRAMEMAP_OK);
    walk_all(&units, &heap, &faults);
    fm_dw_units_free(&units);
    if (faults.count == 0) return NULL;
    memcpy(message, faults.last.message, sizeof message);
    return message;
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    assert_null(depth_fault(4096));
    assert_string_equal(depth_fault(4097), "entries are nested too deep");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_sound_and_broken),
        cmocka_unit_test(units_without_entries_are_passed_over),
        cmocka_unit_test(a_length_that_lies_costs_the_rest),
        cmocka_unit_test(many_damaged_units_are_counted),
        cmocka_unit_test(nesting_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
