/* Compares the records of a sorted unit with a search through all ranges and rows for each address. */
#include "mappers/native/compile/unit_output.h"
#include "tests/mappers/native/dw_bytes.h"

#define BEGIN UINT64_C(0x1000)
#define END UINT64_C(0x1140)
enum { SEQUENCES = 8, ROWS = 10, SPANS = 120 };

struct sequence {
    struct fm_dw_row rows[ROWS];
    size_t count;
    uint64_t end;
};
struct given {
    struct sequence sequences[SEQUENCES];
    struct fm_dw_range spans[SPANS];
    uint32_t owners[SPANS];
    size_t sequence_count, span_count;
};

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Adds rows with descending addresses, rows after the end of their sequence, and overlapping sequences. */
static void give_rows(struct given *given, struct fm_unit_model *model, uint32_t *random)
{
    given->sequence_count = 1 + next_random(random) % SEQUENCES;
    for (size_t i = 0; i < given->sequence_count; i++) {
        struct sequence *sequence = &given->sequences[i];
        const bool falls = next_random(random) % 4 == 0;
        uint64_t address = BEGIN + next_random(random) % 200;
        sequence->count = 1 + next_random(random) % ROWS;
        for (size_t j = 0; j < sequence->count; j++) {
            sequence->rows[j] = (struct fm_dw_row){.address = address, .line1 = (uint32_t)(100 * i + j + 1)};
            address += falls && next_random(random) % 2 == 0 ? (uint64_t)-3 : next_random(random) % 9;
        }
        sequence->end = next_random(random) % 3 == 0 ? address - 4 : address + next_random(random) % 30;
        const struct fm_dw_row end = {.address = sequence->end, .end_sequence = true};
        assert_true(fm_unit_model_rows(model, sequence->rows, sequence->count) && fm_unit_model_rows(model, &end, 1));
    }
}

static void give_functions(struct given *given, struct fm_unit_model *model, char (*names)[8], uint32_t *random)
{
    const uint32_t trees = 1 + next_random(random) % 10;
    given->span_count = 0;
    for (uint32_t tree = 0, number = 0; tree < trees; tree++) {
        const uint32_t inlined = next_random(random) % 5;
        for (uint32_t i = 0; i <= inlined; i++, number++) {
            struct fm_dw_instance instance = {.call_file = FM_NONE};
            struct fm_dw_range ranges[2];
            const size_t parts = next_random(random) % 3;
            snprintf(names[number], sizeof names[number], "%u", (unsigned)number);
            const struct fm_dw_function function = {.name = framemap_str_of(names[number])};
            for (size_t part = 0; part < parts; part++) {
                ranges[part].low = BEGIN + next_random(random) % 60 * 4;
                ranges[part].high = ranges[part].low + 4 + next_random(random) % 30;
                given->owners[given->span_count] = number;
                given->spans[given->span_count++] = ranges[part];
            }
            assert_true(fm_unit_model_identity(model, &function, &instance.identity));
            assert_true(fm_unit_model_enter(model, &instance, i > 0, ranges, parts));
        }
        for (uint32_t i = 0; i <= inlined; i++) assert_true(fm_unit_model_leave(model));
    }
}

/* Returns the line at an address, as the sequence gives it that ends first after the address; 0: that sequence has no
 * line there. */
static uint32_t wanted_line(const struct given *given, uint64_t address)
{
    const struct sequence *first = NULL;
    const struct fm_dw_row *row = NULL;
    for (size_t i = 0; i < given->sequence_count; i++) {
        const struct sequence *sequence = &given->sequences[i];
        if (sequence->end <= address || sequence->end <= sequence->rows[0].address) continue;
        if (first == NULL || sequence->end < first->end) first = sequence;
    }
    for (size_t i = 0; first != NULL && i < first->count; i++)
        if (first->rows[i].address <= address && (row == NULL || first->rows[i].address >= row->address))
            row = &first->rows[i];
    return row != NULL ? row->line1 : 0;
}

/* Returns the function at an address. If several functions have a range that contains the address, the function whose
 * range starts last counts; if several of these ranges start at one address, the last function in the list. */
static uint32_t wanted_function(const struct given *given, uint64_t address)
{
    uint32_t want = FM_NONE;
    uint64_t low = 0;
    for (size_t i = 0; i < given->span_count; i++) {
        if (given->spans[i].low > address || given->spans[i].high <= address ||
            (want != FM_NONE && given->spans[i].low < low))
            continue;
        low = given->spans[i].low;
        want = given->owners[i];
    }
    return want;
}

static void compare(const struct given *given, const struct fm_unit_batch *batch, unsigned seed)
{
    size_t at = 0;
    assert_int_equal(batch->run_count, 1);
    for (uint64_t address = BEGIN; address < END; address++) {
        while (at + 1 < batch->row_count && batch->rows[at + 1].position <= address) at++;
        const struct fm_batch_row *row = &batch->rows[at];
        const uint32_t function = row->node == FM_NONE ? FM_NONE : batch->nodes[row->node].function, line = row->line1;
        const uint32_t got = function == FM_NONE
                                 ? FM_NONE
                                 : (uint32_t)strtoul(batch->strings[batch->functions[function].name].data, NULL, 10);
        if (row->position > address || got != wanted_function(given, address) || line != wanted_line(given, address))
            fail_msg("seed %u, 0x%llx: function %u and line %u, not %u and %u", seed, (unsigned long long)address,
                     (unsigned)got, (unsigned)line, (unsigned)wanted_function(given, address),
                     (unsigned)wanted_line(given, address));
    }
}

static void what_shows_at_each_address(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 300; seed++) {
        static struct given given;
        static char names[SPANS][8];
        struct fm_heap heap;
        struct fm_arena arena;
        struct fm_section sections[2];
        struct fm_image image;
        struct fm_unit_model model;
        struct fm_unit_batch batch;
        uint32_t random = seed, file = FM_NONE;
        fm_heap_init(&heap, NULL, 0);
        fm_arena_init(&arena, &heap);
        make_image(&image, sections, &arena);
        fm_unit_batch_init(&batch, &heap, 5);
        fm_unit_model_init(&model, &heap, &image);
        model.key = batch.key;
        fm_unit_model_begin(&model, 0);
        assert_true(fm_unit_batch_file(&batch, FM_STR("/a.rs"), &file) && fm_unit_model_file(&model, file));
        give_rows(&given, &model, &random);
        give_functions(&given, &model, names, &random);
        assert_true(fm_unit_model_sort(&model));
        const struct fm_symbol_fallback symbols = {.image = &image};
        struct fm_unit_output output = {.image = &image, .symbols = &symbols};
        fm_unit_output_begin(&output, &batch);
        /* The addresses of the unit are passed in intervals, since a unit need not own all addresses that it claims. */
        for (uint64_t low = BEGIN, high; low < END; low = high) {
            high = low + 1 + next_random(&random) % 100;
            assert_int_equal(fm_unit_output_interval(&output, &model, low, high < END ? high : END, NULL), FRAMEMAP_OK);
        }
        compare(&given, &batch, (unsigned)seed);
        fm_unit_model_free(&model);
        fm_unit_batch_free(&batch);
        fm_arena_free(&arena);
        assert_int_equal(heap.used, 0);
    }
}

/* Enters a function, inlined or not. */
static void enter(struct fm_unit_model *model, const char *name, uint64_t low, uint64_t high, uint32_t call_line1)
{
    struct fm_dw_instance instance = {.call_file = FM_NONE, .call_line1 = call_line1};
    const struct fm_dw_function function = {.name = framemap_str_of(name)};
    const struct fm_dw_range range = {.low = low, .high = high};
    assert_true(fm_unit_model_identity(model, &function, &instance.identity));
    assert_true(fm_unit_model_enter(model, &instance, call_line1 != 0, &range, 1));
}

/* Checks calls that have a line but no file, as Zig's compiler writes them. They get the file of the calling function,
 * if that function is not inlined itself. */
static void calls_without_a_file(void **state)
{
    static const struct {
        /* name: the inlined function; file: the expected file of its call; "": unknown */
        const char *why, *name, *file;
    } rows[] = {{"the function itself is not called", "outer", ""},
                {"called by a function of the row's file", "inner", "/outer.zig"},
                {"called by an inlined function, whose file is not known", "deepest", ""}};
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_section sections[2];
    struct fm_image image;
    struct fm_unit_model model;
    struct fm_unit_batch batch;
    uint32_t outer = FM_NONE, inner = FM_NONE;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    make_image(&image, sections, &arena);
    fm_unit_batch_init(&batch, &heap, 5);
    fm_unit_model_init(&model, &heap, &image);
    model.key = batch.key;
    fm_unit_model_begin(&model, 0);
    assert_true(fm_unit_batch_file(&batch, FM_STR("/outer.zig"), &outer) && fm_unit_model_file(&model, outer));
    assert_true(fm_unit_batch_file(&batch, FM_STR("/inner.zig"), &inner) && fm_unit_model_file(&model, inner));
    const struct fm_dw_row lines[] = {{.address = BEGIN, .file = 0, .line1 = 5},
                                      {.address = BEGIN + 8, .file = 1, .line1 = 50},
                                      {.address = BEGIN + 32, .end_sequence = true}};
    assert_true(fm_unit_model_rows(&model, lines, COUNT_OF(lines)));
    enter(&model, "outer", BEGIN, BEGIN + 32, 0);
    enter(&model, "inner", BEGIN + 8, BEGIN + 24, 7);
    enter(&model, "deepest", BEGIN + 12, BEGIN + 16, 9);
    for (size_t i = 0; i < COUNT_OF(rows); i++) assert_true(fm_unit_model_leave(&model));
    assert_true(fm_unit_model_sort(&model));
    const struct fm_symbol_fallback symbols = {.image = &image};
    struct fm_unit_output output = {.image = &image, .symbols = &symbols};
    fm_unit_output_begin(&output, &batch);
    assert_int_equal(fm_unit_output_interval(&output, &model, BEGIN, BEGIN + 32, NULL), FRAMEMAP_OK);
    assert_int_equal(batch.node_count, COUNT_OF(rows));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct fm_batch_node *node = &batch.nodes[i];
        assert_str(batch.strings[batch.functions[node->function].name], rows[i].name);
        /* a root (a function that is not inlined) has no call site */
        const bool known = node->parent != FM_NONE && node->call_file != FM_NONE;
        const framemap_str file = known ? batch.files[node->call_file] : FM_STR("");
        if (!fm_str_equal(file, framemap_str_of(rows[i].file)))
            fail_msg("%s: %.*s", rows[i].why, (int)file.size, file.data);
    }
    fm_unit_model_free(&model);
    fm_unit_batch_free(&batch);
    fm_arena_free(&arena);
    assert_int_equal(heap.used, 0);
}

/* Checks inlined functions whose ends are lost, as binaryen writes them: 0, so that they reach to the end of the code
 * section. Then the rows decide. */
static void lost_ends(void **state)
{
    enum { MAIN_C, LIST_H }; /* the files */
    static const struct {
        const char *why;
        uint32_t file, line1;
        const char *function; /* the innermost function at this row; each row has four bytes */
    } rows[] = {
        {"before the first inlined function", MAIN_C, 21, "main"},
        {"in the first range of a function of two ranges", LIST_H, 31, "append"},
        {"between its ranges", MAIN_C, 22, "main"},
        {"in the second range", LIST_H, 32, "append"},
        {"at the start of one without an end inside of that", LIST_H, 6, "grow"},
        {"the function around it is declared later in the same file", LIST_H, 33, "append"},
        {"in neither's file: the range around it is known", MAIN_C, 23, "append"},
        {"the line is not known", LIST_H, 0, "append"},
        {"after the second range, which ends what is inside of it, too", LIST_H, 7, "main"},
        {"at the start of one without an end in the function itself", MAIN_C, 3, "count"},
        {"the function itself", MAIN_C, 25, "main"},
        {"another one without an end: the one before has ended", LIST_H, 11, "last"},
        {"its code goes on", LIST_H, 12, "last"},
        {"of the one that has ended there is no more", MAIN_C, 4, "main"},
        {"the function itself again", MAIN_C, 26, "main"},
    };
    static const struct {
        const char *name;
        uint32_t decl_file, decl_line1;
        bool leaves;                  /* the function before it is left first */
        struct fm_dw_range ranges[2]; /* in rows; high 0: none, high 99: lost */
    } functions[] = {{"main", MAIN_C, 20, false, {{0, 15}}},
                     {"append", LIST_H, 30, false, {{1, 2}, {3, 8}}},
                     {"grow", LIST_H, 5, false, {{4, 99}}},
                     {"count", MAIN_C, 2, true, {{9, 99}}},
                     {"last", LIST_H, 10, true, {{11, 99}}}};
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_section sections[2];
    struct fm_image image;
    struct fm_unit_model model;
    struct fm_unit_batch batch;
    uint32_t file = FM_NONE;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    make_image(&image, sections, &arena);
    fm_unit_batch_init(&batch, &heap, 5);
    fm_unit_model_init(&model, &heap, &image);
    model.key = batch.key;
    model.inlined_inside = model.ends_lost = true;
    fm_unit_model_begin(&model, 0);
    assert_true(fm_unit_batch_file(&batch, FM_STR("/main.c"), &file) && fm_unit_model_file(&model, file));
    assert_true(fm_unit_batch_file(&batch, FM_STR("/list.h"), &file) && fm_unit_model_file(&model, file));
    for (size_t i = 0; i <= COUNT_OF(rows); i++) {
        const bool ends = i == COUNT_OF(rows);
        const struct fm_dw_row row = {.address = BEGIN + 4 * i,
                                      .file = ends ? 0 : rows[i].file,
                                      .line1 = ends ? 0 : rows[i].line1,
                                      .end_sequence = ends};
        assert_true(fm_unit_model_rows(&model, &row, 1));
    }
    for (size_t i = 0; i < COUNT_OF(functions); i++) {
        struct fm_dw_instance instance = {.call_file = FM_NONE, .call_line1 = 1};
        const struct fm_dw_function function = {.name = framemap_str_of(functions[i].name),
                                                .decl_file = functions[i].decl_file,
                                                .decl_line1 = functions[i].decl_line1};
        struct fm_dw_range ranges[2];
        size_t count = 0;
        for (; count < 2 && functions[i].ranges[count].high != 0; count++) {
            const uint64_t high = functions[i].ranges[count].high;
            ranges[count].low = BEGIN + 4 * functions[i].ranges[count].low;
            ranges[count].high = high == 99 ? 0x2000 : BEGIN + 4 * high;
        }
        if (functions[i].leaves)
            while (model.open_count > 1) assert_true(fm_unit_model_leave(&model));
        assert_true(fm_unit_model_identity(&model, &function, &instance.identity));
        assert_true(fm_unit_model_enter(&model, &instance, i > 0, ranges, count));
    }
    while (model.open_count > 0) assert_true(fm_unit_model_leave(&model));
    assert_true(fm_unit_model_sort(&model));
    const struct fm_symbol_fallback symbols = {.image = &image};
    struct fm_unit_output output = {.image = &image, .symbols = &symbols};
    fm_unit_output_begin(&output, &batch);
    assert_int_equal(fm_unit_output_interval(&output, &model, BEGIN, END, NULL), FRAMEMAP_OK);
    for (uint64_t at = 0, k = 0; at < 4 * COUNT_OF(rows); at++) {
        while (k + 1 < batch.row_count && batch.rows[k + 1].position <= BEGIN + at) k++;
        const uint32_t node = batch.rows[k].node;
        const framemap_str got =
            node == FM_NONE ? FM_STR("none") : batch.strings[batch.functions[batch.nodes[node].function].name];
        if (!fm_str_equal(got, framemap_str_of(rows[at / 4].function)))
            fail_msg("%s: %.*s", rows[at / 4].why, (int)got.size, got.data);
        assert_int_equal(batch.rows[k].line1, rows[at / 4].line1);
    }
    fm_unit_model_free(&model);
    fm_unit_batch_free(&batch);
    fm_arena_free(&arena);
    assert_int_equal(heap.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_shows_at_each_address),
                                       cmocka_unit_test(calls_without_a_file), cmocka_unit_test(lost_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
