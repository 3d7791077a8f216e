/* Tests of mappers/native/compile/unit_model.h. */
#include "mappers/native/compile/unit_model.h"
#include "tests/mappers/native/dw_bytes.h"

struct fixture {
    struct fm_heap heap;
    struct fm_section sections[2];
    struct fm_image image;
    struct fm_arena arena;
    struct fm_unit_model model;
};

static void set_up(struct fixture *f)
{
    fm_heap_init(&f->heap, NULL, 0);
    fm_arena_init(&f->arena, &f->heap);
    make_image(&f->image, f->sections, &f->arena);
    fm_unit_model_init(&f->model, &f->heap, &f->image);
    fm_unit_model_begin(&f->model, 0);
    assert_true(fm_unit_model_file(&f->model, 7));
}

static void tear_down(struct fixture *f)
{
    fm_unit_model_free(&f->model);
    fm_arena_free(&f->arena);
    assert_int_equal(f->heap.used, 0);
}

static void row(struct fixture *f, uint64_t address, uint32_t line, bool end)
{
    assert_true(
        fm_unit_model_rows(&f->model, &(struct fm_dw_row){.address = address, .line1 = line, .end_sequence = end}, 1));
}

/* Returns the line at an address; 0: not found. If several sequences contain the address, the one that ends
 * first counts. */
static uint32_t line_at(const struct fixture *f, uint64_t address)
{
    const struct fm_address_spans *sequences = &f->model.sequences;
    uint32_t line = 0;
    size_t at = 0;
    while (at < sequences->count && sequences->items[at].low <= address) at++;
    if (at == sequences->count) return 0;
    const struct fm_dw_model_row *first = &f->model.rows[sequences->items[at].id],
                                 *end = &f->model.rows[sequences->items[at].high];
    assert_true(end->address == sequences->items[at].low);
    for (const struct fm_dw_model_row *row = first; row < end && row->address <= address; row++) {
        assert_true(row == first || row[-1].address <= row->address);
        line = row->file == FM_NONE ? 0 : row->line1;
        assert_true(row->file == FM_NONE || row->file == 7);
    }
    return line;
}

/* Returns the parts of instances that are visible, by ascending address. Checks that they neither overlap nor have
 * gaps inside. */
static struct fm_address_segments shown_of(struct fixture *f)
{
    struct fm_address_segments shown = {.heap = &f->heap};
    const struct fm_address_spans *stretches = &f->model.stretches;
    for (size_t i = 0; i < stretches->count; i++) {
        const struct fm_address_span *stretch = &stretches->items[i];
        const struct fm_dw_part *part = &f->model.parts[stretch->id], *end = &f->model.parts[stretch->rank];
        assert_true(part < end && part->low == stretch->low && end->low == stretch->high);
        assert_true(i == 0 || stretch[-1].high <= stretch->low);
        for (; part < end; part++) {
            assert_true(part[0].low < part[1].low);
            assert_true(fm_address_segments_add(&shown, part[0].low, part[1].low, part->instance));
        }
    }
    return shown;
}

static void assert_shown(struct fixture *f, const struct fm_address_segment *want, size_t count)
{
    struct fm_address_segments shown = shown_of(f);
    assert_int_equal(shown.count, count);
    for (size_t i = 0; i < count; i++) {
        const struct fm_address_segment *got = &shown.items[i];
        if (got->low != want[i].low || got->high != want[i].high || got->id != want[i].id) fail_msg("segment %zu", i);
    }
    fm_address_segments_free(&shown);
}

static void rows_to_lines(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    /* Two rows at one address: the last one counts. */
    row(&f, 0x1000, 1, false), row(&f, 0x1000, 2, false), row(&f, 0x1008, 3, false), row(&f, 0x1010, 0, true);
    /* Discarded code: sequences that start at addresses where the program has no code. */
    row(&f, 0, 9, false), row(&f, 0x1800, 9, true);
    row(&f, 0x2000, 9, false), row(&f, 0x2010, 9, true);
    /* An empty sequence, and one that ends before it starts. */
    row(&f, 0x1100, 9, false), row(&f, 0x1100, 9, true);
    row(&f, 0x1110, 9, false), row(&f, 0x1100, 9, true);
    /* Rows with descending addresses are sorted. */
    row(&f, 0x1200, 4, false), row(&f, 0x1208, 6, false), row(&f, 0x1204, 5, false), row(&f, 0x1210, 0, true);
    /* A row whose file is not in the table gives no location. */
    const struct fm_dw_row of_no_file[] = {{.address = 0x1280, .file = 1, .line1 = 8},
                                           {.address = 0x1290, .end_sequence = true}};
    assert_true(fm_unit_model_rows(&f.model, of_no_file, 2));
    /* A sequence that has no end mark is ignored. */
    row(&f, 0x1300, 7, false);
    assert_true(fm_unit_model_sort(&f.model));
    static const struct {
        uint64_t address;
        uint32_t line;
    } rows[] = {{0xfff, 0},  {0x1000, 2}, {0x1007, 2}, {0x1008, 3}, {0x100f, 3}, {0x1010, 0}, {0x1100, 0}, {0x1200, 4},
                {0x1203, 4}, {0x1204, 5}, {0x1208, 6}, {0x120f, 6}, {0x1210, 0}, {0x1280, 0}, {0x1300, 0}, {0x2000, 0}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (line_at(&f, rows[i].address) != rows[i].line)
            fail_msg("0x%llx: line %u", (unsigned long long)rows[i].address, (unsigned)line_at(&f, rows[i].address));
    }
    tear_down(&f);
}

static void sequences_that_overlap(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    row(&f, 0x1000, 1, false), row(&f, 0x1100, 0, true);
    row(&f, 0x1020, 2, false), row(&f, 0x1040, 0, true);
    assert_true(fm_unit_model_sort(&f.model));
    /* LLVM searches only one sequence: the one that ends first after the address. If this sequence has no row at the
     * address, the address has no line. */
    assert_int_equal(line_at(&f, 0x1000), 0);
    assert_int_equal(line_at(&f, 0x1020), 2);
    assert_int_equal(line_at(&f, 0x1040), 1);
    tear_down(&f);
}

static void enter(struct fixture *f, bool inlined, uint64_t low, uint64_t high)
{
    const struct fm_dw_function function = {.name = FM_STR("f")};
    const struct fm_dw_range range = {low, high};
    struct fm_dw_instance instance = {.identity = 0};
    assert_true(fm_unit_model_identity(&f->model, &function, &instance.identity));
    assert_true(fm_unit_model_enter(&f->model, &instance, inlined, &range, low < high ? 1 : 0));
}

static void instances_nest(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    enter(&f, false, 0x1000, 0x1100);
    enter(&f, true, 0x1010, 0x1020);
    enter(&f, true, 0x1010, 0x1018); /* the instance starts at the same address as its parent: the inner one counts */
    fm_unit_model_leave(&f.model);
    fm_unit_model_leave(&f.model);
    enter(&f, false, 0x1040, 0x1050); /* a nested function */
    enter(&f, true, 0, 0);            /* this function has no code */
    fm_unit_model_leave(&f.model);
    fm_unit_model_leave(&f.model);
    enter(&f, true, 0x1060, 0x1070);
    fm_unit_model_leave(&f.model);
    fm_unit_model_leave(&f.model);
    fm_unit_model_leave(&f.model); /* a call of leave that has no matching enter has no effect */
    assert_true(fm_unit_model_sort(&f.model));
    static const struct fm_address_segment want[] = {{0x1000, 0x1010, 0}, {0x1010, 0x1018, 2}, {0x1018, 0x1020, 1},
                                                     {0x1020, 0x1040, 0}, {0x1040, 0x1050, 3}, {0x1050, 0x1060, 0},
                                                     {0x1060, 0x1070, 5}, {0x1070, 0x1100, 0}};
    static const uint32_t parents[] = {FM_NONE, 0, 1, FM_NONE, 3, 0};
    assert_shown(&f, want, COUNT_OF(want));
    for (size_t i = 0; i < COUNT_OF(parents); i++) assert_int_equal(f.model.instances[i].parent, parents[i]);
    tear_down(&f);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

#define SPANS_MOST 400

/* Checks functions in any order and in several ranges. Inlined subroutines need not be inside their functions. At each
 * address, the instance that starts last counts; if several start at one address, the last of these entries. */
static void instances_in_any_order(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        struct fm_dw_range spans[SPANS_MOST];
        uint32_t owners[SPANS_MOST], random = seed;
        size_t count = 0;
        struct fixture f;
        set_up(&f);
        const uint32_t trees = 1 + next_random(&random) % 40;
        for (uint32_t tree = 0, number = 0; tree < trees; tree++) {
            const uint32_t inlined = next_random(&random) % 5;
            for (uint32_t i = 0; i <= inlined; i++, number++) {
                const struct fm_dw_function function = {.name = FM_STR("f")};
                struct fm_dw_instance instance = {.identity = 0};
                struct fm_dw_range ranges[2];
                const size_t parts = next_random(&random) % 3; /* the instance may have no range */
                for (size_t part = 0; part < parts; part++, count++) {
                    ranges[part].low = 0x1000 + next_random(&random) % 64 * 4;
                    ranges[part].high = ranges[part].low + 4 + next_random(&random) % 30;
                    spans[count] = ranges[part];
                    owners[count] = number;
                }
                assert_true(fm_unit_model_identity(&f.model, &function, &instance.identity));
                assert_true(fm_unit_model_enter(&f.model, &instance, i > 0, ranges, parts));
            }
            for (uint32_t i = 0; i <= inlined; i++) fm_unit_model_leave(&f.model);
        }
        assert_true(fm_unit_model_sort(&f.model));
        struct fm_address_segments shown = shown_of(&f);
        for (uint64_t address = 0xff0, at = 0; address < 0x1200; address++) {
            uint32_t want = FM_NONE;
            uint64_t low = 0;
            for (size_t i = 0; i < count; i++) {
                if (spans[i].low > address || spans[i].high <= address || (want != FM_NONE && spans[i].low < low))
                    continue;
                low = spans[i].low;
                want = owners[i];
            }
            while (at < shown.count && shown.items[at].high <= address) at++;
            const uint32_t got = at < shown.count && shown.items[at].low <= address ? shown.items[at].id : FM_NONE;
            if (got != want)
                fail_msg("seed %u, 0x%llx: %u, not %u", (unsigned)seed, (unsigned long long)address, (unsigned)got,
                         (unsigned)want);
        }
        fm_address_segments_free(&shown);
        tear_down(&f);
    }
}

static void identities_are_shared(void **state)
{
    (void)state;
    static const struct {
        const char *name, *linkage_name;
        uint32_t identity, want;
    } rows[] = {{"f", "", 2, 0},   {"g", "", 0, 1}, {"g", "", 0, 2},  {"f", "", 2, 0},
                {"h", "_h", 1, 3}, {"i", "", 7, 4}, {"h", "_h", 1, 3}};
    struct fixture f;
    set_up(&f);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct fm_dw_function function = {.name = framemap_str_of(rows[i].name),
                                                .linkage_name = framemap_str_of(rows[i].linkage_name),
                                                .identity = rows[i].identity,
                                                .decl_line1 = 5};
        uint32_t got = 0;
        assert_true(fm_unit_model_identity(&f.model, &function, &got));
        assert_int_equal(got, rows[i].want);
        const struct fm_dw_identity *identity = &f.model.identities[got];
        assert_true(fm_str_equal(identity->name,
                                 framemap_str_of(rows[i].linkage_name[0] != 0 ? rows[i].linkage_name : rows[i].name)));
        assert_int_equal(identity->decl_file, 7);
        assert_int_equal(identity->decl_line1, 5);
        assert_int_equal(identity->function, FM_NONE);
    }
    fm_unit_model_begin(&f.model, 0); /* file numbers start again in each unit */
    uint32_t got = 9;
    assert_true(fm_unit_model_identity(&f.model, &(struct fm_dw_function){.name = FM_STR("k"), .identity = 2}, &got));
    assert_int_equal(got, 0);
    tear_down(&f);
}

/* Checks an inlined subroutine that is a byte longer than its function, which Dart's compiler sometimes makes. */
static void inlined_beyond_its_function(void **state)
{
    (void)state;
    static const struct fm_address_segment open[] = {{0x1000, 0x10f0, 0}, {0x10f0, 0x1102, 2}};
    static const struct fm_address_segment clipped[] = {{0x1000, 0x10f0, 0}, {0x10f0, 0x1100, 2}};
    for (int inside = 0; inside < 2; inside++) {
        const struct fm_address_segment *want = inside ? clipped : open;
        struct fixture f;
        set_up(&f);
        f.model.inlined_inside = inside;
        enter(&f, false, 0x1000, 0x1100);
        enter(&f, true, 0x10f0, 0x1101);
        enter(&f, true, 0x10f0, 0x1102);
        assert_true(fm_unit_model_sort(&f.model));
        assert_shown(&f, want, 2);
        tear_down(&f);
    }
}

/* Checks that a large unit's memory is freed and a small unit's memory is kept, and that the next unit sees no data of
 * the previous one. */
static void big_units_give_back(void **state)
{
    (void)state;
    enum { MANY = 50000 };
    struct fixture f;
    set_up(&f);
    for (uint32_t i = 0; i < MANY; i++) row(&f, 0x1000 + i, i + 1, false);
    row(&f, 0x1000 + MANY, 0, true);
    for (uint32_t i = 0; i < MANY; i++) {
        enter(&f, false, 0x1000 + i, 0x1000 + i + 1);
        fm_unit_model_leave(&f.model);
    }
    assert_true(fm_unit_model_sort(&f.model));
    assert_int_equal(f.model.row_count, MANY + 1);
    assert_int_equal(f.model.part_count, MANY + 1);
    assert_int_equal(f.model.stretches.count, 1); /* the two intervals touch, so they were merged into one */
    assert_int_equal(f.model.rows[MANY - 1].line1, MANY);
    fm_unit_model_end(&f.model);
    assert_null(f.model.instances);
    assert_null(f.model.rows);
    assert_null(f.model.parts);
    for (unsigned round = 0; round < 2; round++) {
        const struct fm_dw_model_row *kept = f.model.rows;
        fm_unit_model_begin(&f.model, 0);
        assert_true(fm_unit_model_file(&f.model, 7));
        row(&f, 0x1000, 5, false), row(&f, 0x1010, 0, true);
        enter(&f, false, 0x1000, 0x1010);
        assert_true(fm_unit_model_sort(&f.model));
        assert_int_equal(line_at(&f, 0x1000), 5);
        assert_int_equal(f.model.part_count, 2);
        fm_unit_model_end(&f.model);
        assert_int_equal(f.model.instance_count, 1);
        assert_true(round == 0 || f.model.rows == kept);
    }
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_to_lines),
        cmocka_unit_test(sequences_that_overlap),
        cmocka_unit_test(inlined_beyond_its_function),
        cmocka_unit_test(instances_nest),
        cmocka_unit_test(instances_in_any_order),
        cmocka_unit_test(identities_are_shared),
        cmocka_unit_test(big_units_give_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
