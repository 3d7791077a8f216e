/* Compiles many units of an artificial backend. Index bytes and faults must not depend on the number of threads, even
 * if units turn out to be damaged. */
#include "mappers/native/compile/batch_queue.h"
#include "mappers/native/compile/dwarf_compile.h"
#include "mappers/native/dwarf/dw_visitor.h"
#include "tests/mappers/native/dw_bytes.h"

#include <stdatomic.h>

#define UNITS 200u
/* Bytes of code that each unit claims. The next unit also claims the second half of them, but owns that half only if
 * the first of the two units is dropped. */
#define UNIT_BYTES 16u

/* How a unit turns out when it is walked. */
enum turn_out { SOUND = 0, DAMAGED, FAULTY };

static struct {
    unsigned char units[UNITS]; /* values of enum turn_out */
    bool leave_out;             /* units that are not sound make no claims, as if they did not exist */
    bool one_by_one;            /* only one thread may walk units */
    atomic_int walking;
    struct fm_symbol *symbols;
    size_t symbol_count;
} script;

struct fm_dw_debug {
    struct fm_heap *heap;
};
struct fm_dw_worker {
    struct fm_heap *heap;
    char names[UNITS][16];
};

static framemap_status open_script(const struct fm_image *image, const struct fm_mapper_host *host,
                                   const struct fm_dw_open_callbacks *survey, struct fm_dw_debug **out,
                                   framemap_error *error)
{
    (void)image, (void)error;
    *out = NULL;
    for (uint32_t i = 0; i < UNITS; i++) {
        /* Claims are in reverse order, so that addresses descend while unit numbers ascend. */
        const uint64_t low = 0x1000 + (uint64_t)(UNITS - 1 - i) * (UNIT_BYTES / 2);
        const struct fm_dw_range range = {low, low + UNIT_BYTES};
        const struct fm_dw_claim claim = {
            .number = i, .offset = 100 * i, .end = 100 * i + 100, .ranges = &range, .range_count = 1};
        const struct fm_dw_claim none = {.number = i, .offset = 100 * i, .end = 100 * i + 100};
        if (!survey->claim(survey->context, script.leave_out && script.units[i] != SOUND ? &none : &claim))
            return FRAMEMAP_E_MEMORY;
    }
    *out = fm_heap_zalloc(host->heap, 1, sizeof **out);
    if (*out == NULL) return FRAMEMAP_E_MEMORY;
    (*out)->heap = host->heap;
    return FRAMEMAP_OK;
}

static void close_script(struct fm_dw_debug *debug)
{
    if (debug != NULL) fm_heap_free(debug->heap, debug, sizeof *debug);
}

static framemap_status make_worker(struct fm_dw_debug *debug, struct fm_dw_worker **out, framemap_error *error)
{
    (void)error;
    *out = fm_heap_zalloc(debug->heap, 1, sizeof **out);
    if (*out == NULL) return FRAMEMAP_E_MEMORY;
    (*out)->heap = debug->heap;
    return FRAMEMAP_OK;
}

static void free_worker(struct fm_dw_worker *worker)
{
    if (worker != NULL) fm_heap_free(worker->heap, worker, sizeof *worker);
}

static bool tell_functions(struct fm_dw_worker *worker, uint32_t number, const struct fm_dw_visitor *visitor)
{
    const uint64_t low = 0x1000 + (uint64_t)(UNITS - 1 - number) * (UNIT_BYTES / 2);
    const struct fm_dw_range whole = {low, low + UNIT_BYTES}, part = {low + 2, low + 6};
    snprintf(worker->names[number], sizeof *worker->names, "f%u", (unsigned)number);
    struct fm_dw_function function = {
        .name = framemap_str_of(worker->names[number]), .ranges = &whole, .range_count = 1, .call_file = FM_NONE};
    struct fm_dw_function inlined = {
        .name = FM_STR("shared"), .ranges = &part, .range_count = 1, .call_line1 = number, .depth = 1};
    return visitor->enter(visitor->context, &function) && visitor->enter(visitor->context, &inlined) &&
           visitor->leave(visitor->context) && visitor->leave(visitor->context);
}

static bool tell_unit(struct fm_dw_worker *worker, uint32_t number, const struct fm_dw_visitor *visitor)
{
    const uint64_t low = 0x1000 + (uint64_t)(UNITS - 1 - number) * (UNIT_BYTES / 2);
    const struct fm_dw_unit unit = {.number = number,
                                    .producer = number > 3 ? FM_STR("a later one") : FM_STR("the first")};
    const struct fm_dw_row rows[] = {{.address = low, .line1 = number + 1},
                                     {.address = low + 3, .line1 = 5, .file = 1},
                                     {.address = low + UNIT_BYTES / 2 + 1, .line1 = 9},
                                     {.address = low + UNIT_BYTES, .end_sequence = true}};
    char path[32];
    snprintf(path, sizeof path, "/src/%u.c", (unsigned)number);
    if (!visitor->unit(visitor->context, &unit) || !visitor->file(visitor->context, 0, framemap_str_of(path)) ||
        !visitor->file(visitor->context, 1, FM_STR("/src/shared.h")))
        return false;
    if (visitor->rows != NULL &&
        (!visitor->rows(visitor->context, rows, 1) || !visitor->rows(visitor->context, rows + 1, 3)))
        return false;
    return (visitor->enter == NULL || tell_functions(worker, number, visitor)) && visitor->unit_end(visitor->context);
}

static void tell_fault(const struct fm_dw_visitor *visitor, uint32_t number)
{
    framemap_error fault = {.code = FRAMEMAP_E_CORRUPT, .line = number};
    snprintf(fault.message, sizeof fault.message, "fault of %u", (unsigned)number);
    visitor->fault(visitor->context, &fault);
}

static framemap_status walk_script(struct fm_dw_worker *worker, uint32_t number, const struct fm_dw_visitor *visitor,
                                   framemap_error *error)
{
    const int others = atomic_fetch_add(&script.walking, 1);
    if (script.one_by_one) assert_int_equal(others, 0);
    const enum turn_out how = script.units[number];
    framemap_status status = tell_unit(worker, number, visitor) ? FRAMEMAP_OK : FRAMEMAP_E_MEMORY;
    /* a unit that turns out to be damaged reported only a part of its contents */
    if (how != SOUND) tell_fault(visitor, number);
    if (status == FRAMEMAP_OK && how == DAMAGED) {
        *error = (framemap_error){.code = FRAMEMAP_E_CORRUPT};
        snprintf(error->message, sizeof error->message, "unit %u is lost", (unsigned)number);
        status = FRAMEMAP_E_CORRUPT;
    }
    atomic_fetch_sub(&script.walking, 1);
    return status;
}

static const struct fm_dw_backend scripted = {.name = "scripted",
                                              .threads = true,
                                              .open = open_script,
                                              .close = close_script,
                                              .worker = make_worker,
                                              .worker_free = free_worker,
                                              .walk = walk_script};
static const struct fm_dw_backend scripted_alone = {.name = "alone",
                                                    .threads = false,
                                                    .open = open_script,
                                                    .close = close_script,
                                                    .worker = make_worker,
                                                    .worker_free = free_worker,
                                                    .walk = walk_script};

/* --- compiling images of made-up units --- */

struct reported {
    char faults[8192];
    size_t size;
    uint64_t steps, stop_at;
};

static void note_fault(void *context, const framemap_error *fault)
{
    struct reported *reported = context;
    reported->size += (size_t)snprintf(reported->faults + reported->size, sizeof reported->faults - reported->size,
                                       "%s\n", fault->message);
    assert_true(reported->size < sizeof reported->faults);
}

static bool note_step(void *context, uint64_t done, uint64_t total)
{
    struct reported *reported = context;
    assert_true(done < total);
    return reported->steps++ != reported->stop_at;
}

static framemap_status compile(const struct fm_dw_backend *reader, unsigned threads, struct fm_heap *heap,
                               struct reported *reported, struct fm_built *out, framemap_error *error)
{
    struct fm_section sections[2];
    struct fm_image image;
    struct fm_builder *builder = NULL;
    struct fm_arena arena;
    const struct fm_mapper_host host = {
        .heap = heap, .warning = note_fault, .progress = note_step, .context = reported, .threads = threads};
    fm_arena_init(&arena, heap);
    *out = (struct fm_built){NULL, 0};
    image = (struct fm_image){.format = FM_IMAGE_ELF,
                              .is64 = true,
                              .sections = sections,
                              .section_count = 2,
                              .symbols = script.symbols,
                              .symbol_count = script.symbol_count};
    sections[1] = (struct fm_section){.name = FM_STR(".data"),
                                      .address = 0x100000,
                                      .size = 0x100000,
                                      .number = 2,
                                      .flags = FM_SECTION_ALLOC | FM_SECTION_NOBITS};
    sections[0] = (struct fm_section){.name = FM_STR(".text"),
                                      .address = 0x1000,
                                      .size = 0x1000,
                                      .number = 1,
                                      .flags = FM_SECTION_ALLOC | FM_SECTION_EXEC | FM_SECTION_NOBITS};
    framemap_status status = index_image(&image, &arena) ? FRAMEMAP_OK : FRAMEMAP_E_MEMORY;
    if (status == FRAMEMAP_OK) status = fm_builder_create(heap, &builder, error);
    if (status == FRAMEMAP_OK) status = fm_debuginfo_compile_by(reader, &image, 0, &host, builder, error);
    if (status == FRAMEMAP_OK) status = fm_builder_finish(builder, out, error);
    fm_builder_free(builder);
    fm_arena_free(&arena);
    return status;
}

static void good_compile(const struct fm_dw_backend *reader, unsigned threads, struct fm_heap *heap,
                         struct reported *reported, struct fm_built *out)
{
    framemap_error error = {0};
    *reported = (struct reported){.stop_at = UINT64_MAX};
    if (compile(reader, threads, heap, reported, out, &error) != FRAMEMAP_OK) fail_msg("%s", error.message);
}

static void assert_same(const struct fm_built *a, const struct fm_built *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}

static const unsigned thread_counts[] = {2, 3, 8, 64};

static void any_number_of_threads(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_built one, many;
    struct reported reported, first;
    memset(script.units, SOUND, sizeof script.units);
    script.units[7] = script.units[150] = FAULTY;
    fm_heap_init(&heap, NULL, 0);
    good_compile(&scripted, 1, &heap, &first, &one);
    assert_string_equal(first.faults, "fault of 7\nfault of 150\n");
    assert_int_equal(first.steps, UNITS);
    for (size_t i = 0; i < COUNT_OF(thread_counts); i++) {
        good_compile(&scripted, thread_counts[i], &heap, &reported, &many);
        assert_same(&one, &many);
        assert_string_equal(reported.faults, first.faults);
        fm_heap_free(&heap, many.data, many.size);
    }
    script.one_by_one = true;
    good_compile(&scripted_alone, 8, &heap, &reported, &many);
    script.one_by_one = false;
    assert_same(&one, &many);
    fm_heap_free(&heap, many.data, many.size);
    fm_heap_free(&heap, one.data, one.size);
    assert_int_equal(heap.used, 0);
}

/* Checks a number of symbols that is so large that they are written in several parts: symbols of code between the
 * units and outside of them, and of data. */
static void symbols_in_parts(void **state)
{
    (void)state;
    enum { CODE = 1000, DATA = 10000 };
    static struct fm_symbol symbols[CODE + DATA];
    struct fm_heap heap;
    struct fm_built one, many;
    struct reported reported;
    for (uint64_t i = 0; i < CODE; i++)
        symbols[i] = (struct fm_symbol){
            i % 2 ? FM_STR("odd") : FM_STR("even"), 0x1000 + 4 * i, 3, 0, FM_SYMBOL_FUNCTION, true, false, false};
    for (uint64_t i = 0; i < DATA; i++)
        symbols[CODE + i] =
            (struct fm_symbol){FM_STR("object"), 0x100000 + 8 * i, 8, 1, FM_SYMBOL_OBJECT, true, false, false};
    memset(script.units, SOUND, sizeof script.units);
    script.symbols = symbols;
    script.symbol_count = COUNT_OF(symbols);
    fm_heap_init(&heap, NULL, 0);
    good_compile(&scripted, 1, &heap, &reported, &one);
    for (size_t i = 0; i < COUNT_OF(thread_counts); i++) {
        good_compile(&scripted, thread_counts[i], &heap, &reported, &many);
        assert_same(&one, &many);
        fm_heap_free(&heap, many.data, many.size);
    }
    fm_heap_free(&heap, one.data, one.size);
    assert_int_equal(heap.used, 0);
    script.symbols = NULL;
    script.symbol_count = 0;
}

/* Checks that a unit has the same effect whether it is found to be damaged only when it is walked, or makes no claim at
 * all. */
static void damaged_units(void **state)
{
    (void)state;
    static const unsigned char turns[][UNITS] = {{DAMAGED},
                                                 {SOUND, DAMAGED, DAMAGED, SOUND, DAMAGED},
                                                 {[10] = DAMAGED, [12] = DAMAGED},
                                                 {[UNITS - 1] = DAMAGED}};
    struct fm_heap heap;
    struct reported reported, unused;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(turns); i++) {
        struct fm_built without, with;
        char want[8192] = "";
        memcpy(script.units, turns[i], UNITS);
        for (unsigned j = 0; j < UNITS; j++)
            if (turns[i][j] != SOUND) snprintf(want + strlen(want), sizeof want - strlen(want), "unit %u is lost\n", j);
        script.leave_out = true;
        good_compile(&scripted, 1, &heap, &unused, &without);
        script.leave_out = false;
        for (unsigned threads = 1; threads <= 8; threads += 7) {
            good_compile(&scripted, threads, &heap, &reported, &with);
            assert_same(&without, &with);
            assert_string_equal(reported.faults, want);
            fm_heap_free(&heap, with.data, with.size);
        }
        fm_heap_free(&heap, without.data, without.size);
    }
    assert_int_equal(heap.used, 0);
}

static void all_are_damaged(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_built built;
    struct reported reported = {.stop_at = UINT64_MAX};
    framemap_error error = {0};
    memset(script.units, DAMAGED, sizeof script.units);
    fm_heap_init(&heap, NULL, 0);
    assert_int_equal(compile(&scripted, 3, &heap, &reported, &built, &error), FRAMEMAP_E_EMPTY);
    assert_int_equal(heap.used, 0);
}

static void the_caller_stops_it(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    memset(script.units, SOUND, sizeof script.units);
    for (unsigned threads = 1; threads <= 8; threads += 7) {
        struct fm_built built;
        struct reported reported = {.stop_at = 50};
        framemap_error error = {0};
        assert_int_equal(compile(&scripted, threads, &heap, &reported, &built, &error), FRAMEMAP_E_LIMIT);
        assert_string_equal(error.message, "stopped by the caller");
        assert_int_equal(reported.steps, 51);
    }
    assert_int_equal(heap.used, 0);
}

/* Checks that under a memory ceiling compiling succeeds or fails cleanly, with any number of threads. */
static void ceilings(void **state)
{
    (void)state;
    memset(script.units, SOUND, sizeof script.units);
    for (uint64_t ceiling = 4 << 10; ceiling <= 4 << 20; ceiling += ceiling / 3) {
        for (unsigned threads = 1; threads <= 8; threads += 7) {
            struct fm_heap heap;
            struct fm_built built;
            struct reported reported = {.stop_at = UINT64_MAX};
            framemap_error error = {0};
            fm_heap_init(&heap, NULL, ceiling);
            const framemap_status status = compile(&scripted, threads, &heap, &reported, &built, &error);
            if (status == FRAMEMAP_OK)
                fm_heap_free(&heap, built.data, built.size);
            else
                assert_int_equal(status, FRAMEMAP_E_MEMORY);
            if (ceiling >= 3 << 20) assert_int_equal(status, FRAMEMAP_OK);
            assert_int_equal(heap.used, 0);
        }
    }
}

static bool compile_once(const framemap_allocator *allocator, void *context)
{
    struct fm_heap heap;
    struct fm_built built;
    struct reported reported = {.stop_at = UINT64_MAX};
    framemap_error error = {0};
    (void)context;
    fm_heap_init(&heap, allocator, 0);
    const framemap_status status = compile(&scripted, 1, &heap, &reported, &built, &error);
    if (status == FRAMEMAP_OK)
        fm_heap_free(&heap, built.data, built.size);
    else
        assert_int_equal(status, FRAMEMAP_E_MEMORY);
    return status == FRAMEMAP_OK;
}

static void want_of_memory_is_said(void **state)
{
    (void)state;
    memset(script.units, SOUND, sizeof script.units);
    script.units[3] = DAMAGED;
    script.units[5] = DAMAGED;
    assert_true(sweep_allocations(compile_once, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads),  cmocka_unit_test(symbols_in_parts),
        cmocka_unit_test(damaged_units),          cmocka_unit_test(all_are_damaged),
        cmocka_unit_test(the_caller_stops_it),    cmocka_unit_test(ceilings),
        cmocka_unit_test(want_of_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
