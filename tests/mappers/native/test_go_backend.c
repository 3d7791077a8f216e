/* Tests of mappers/native/go, which reads the table of functions of a Go program: tables of all versions, with both
 * byte orders and both sizes of addresses, which are sound, cut, changed at each byte, or made to be slow or large. */
#include "core/limits.h"
#include "fuzz/support/go_make.h"
#include "mappers/native/compile/dwarf_compile.h"
#include "mappers/native/image/image_values.h"
#include "tests/testing.h"

struct variant {
    enum fm_go_version version;
    bool is64, big_endian;
    bool relocated; /* addresses in moduledata are in relocations */
};

enum { VARIANTS = 16 };

static struct variant variant_of(unsigned number)
{
    return (struct variant){(enum fm_go_version)(number >> 2 & 3), (number & 1) != 0, (number & 2) != 0, number >= 16};
}

static char last_fault[FRAMEMAP_ERROR_MESSAGE_SIZE];
static unsigned fault_count;

static void note_fault(void *context, const framemap_error *fault)
{
    (void)context;
    fault_count++;
    snprintf(last_fault, sizeof last_fault, "%s", fault->message);
}

/* Compiles an image that has this table of functions. positions: the only addresses to compile; NULL: all of the
 * image. */
static framemap_status compile_for(struct fm_heap *heap, framemap_str table, struct variant variant,
                                   const uint64_t *positions, size_t position_count, struct fm_built *out)
{
    struct go_image made;
    struct fm_builder *builder = NULL;
    struct fm_arena arena;
    const struct fm_builder_about about = {.kind = FM_STR("elf"), .base = GO_TEXT, .address_bits = 64};
    const struct fm_mapper_host host = {
        .heap = heap, .warning = note_fault, .threads = 2, .positions = positions, .position_count = position_count};
    framemap_error error = {0};

    fm_arena_init(&arena, heap);
    fault_count = 0;
    last_fault[0] = '\0';
    framemap_status status =
        go_image_of(table, variant.is64, variant.big_endian, &arena, &made) ? FRAMEMAP_OK : FRAMEMAP_E_MEMORY;
    if (status == FRAMEMAP_OK && variant.relocated && !go_image_relocate(&made)) status = FRAMEMAP_E_MEMORY;
    if (status == FRAMEMAP_OK) status = fm_builder_create(heap, &builder, &error);
    if (status == FRAMEMAP_OK) status = fm_builder_about(builder, &about, &error);
    if (status == FRAMEMAP_OK) status = fm_debuginfo_compile(&made.image, 0, &host, builder, &error);
    if (status == FRAMEMAP_OK) status = fm_builder_finish(builder, out, &error);
    fm_builder_free(builder);
    fm_arena_free(&arena);
    return status;
}

static framemap_status compile(struct fm_heap *heap, framemap_str table, struct variant variant, struct fm_built *out)
{
    return compile_for(heap, table, variant, NULL, 0, out);
}

static framemap_str table_of(const struct go_made *made) { return fm_str(made->bytes, made->size); }

/* --- testing answers --- */

/* Writes the chain at an offset in the code: "function file:line", innermost first. */
static void chain_at(const struct fm_built *built, uint64_t offset, char *out, size_t size)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_index *index = NULL;
    framemap_scratch *scratch = NULL;
    framemap_frame frame;
    size_t used = 0;

    query.position = GO_TEXT + offset;
    query.address_kind = FRAMEMAP_ADDRESS_LINKED;
    out[0] = '\0';
    assert_int_equal(framemap_index_open(fm_str(built->data, built->size), NULL, &index, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_index_verify(index, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_scratch_create(NULL, &scratch, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_resolve(index, &query, scratch, &frame, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < frame.restored.count && used < size; i++) {
        const framemap_frame *at = &frame.restored.frames[i];
        used += (size_t)snprintf(out + used, size - used, "%s%.*s %.*s:%u", i > 0 ? ", " : "", (int)at->function.size,
                                 at->function.data, (int)at->file.size, at->file.size > 0 ? at->file.data : "",
                                 (unsigned)at->line);
    }
    framemap_scratch_free(scratch);
    framemap_index_close(index);
}

static const struct {
    uint64_t offset;
    const char *chain, *why;
} answers[] = {
    {0x00, "main.main /src/main.go:10", "the first byte"},
    {0x07, "main.main /src/main.go:10", "the last byte of a run"},
    {0x08, "main.main /src/main.go:12", "the next run"},
    {0x10, "main.inner /src/inner.go:5, main.middle /src/main.go:21, main.main /src/main.go:12", "two calls inlined"},
    {0x18, "main.middle /src/main.go:21, main.main /src/main.go:12", "the code of the outer inlined call"},
    {0x20, "main.main /src/main.go:13", "after the inlined calls"},
    {0x28, "", "padding"},
    {0x30, "main.asm :0", "a function without lines"},
    {0x40, "main.last /src/inner.go:31", "another file"},
    {0x5f, "main.last /src/inner.go:31", "the last byte"},
    {0x60, "", "after the code"},
};

static void functions_files_lines_and_inlined_calls(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * VARIANTS; i++) {
        struct go_made made;
        struct fm_heap heap;
        struct fm_built built = {NULL, 0};
        const struct variant variant = variant_of(i);
        if (variant.relocated && variant.version < FM_GO_1_18) continue;
        go_table_make(variant.version, variant.is64, variant.big_endian, &made);
        fm_heap_init(&heap, NULL, 0);
        const framemap_status status = compile(&heap, table_of(&made), variant, &built);
        if (status != FRAMEMAP_OK || fault_count > 0) fail_msg("variant %u: %s", i, last_fault);
        for (size_t at = 0; at < COUNT_OF(answers); at++) {
            char chain[256];
            chain_at(&built, answers[at].offset, chain, sizeof chain);
            if (strcmp(chain, answers[at].chain) != 0) fail_msg("variant %u, %s: %s", i, answers[at].why, chain);
        }
        fm_heap_free(&heap, built.data, built.size);
        assert_int_equal(heap.used, 0);
    }
}

/* Checks that an index made for some addresses only has the same answers at these addresses. */
static void requested_addresses(void **state)
{
    (void)state;
    for (size_t at = 0; at < COUNT_OF(answers); at++) {
        struct go_made made;
        struct fm_heap heap;
        struct fm_built built = {NULL, 0};
        const struct variant variant = variant_of(VARIANTS - 1);
        const uint64_t address = GO_TEXT + answers[at].offset;
        char chain[256];
        if (answers[at].chain[0] == '\0') continue;
        go_table_make(variant.version, variant.is64, variant.big_endian, &made);
        fm_heap_init(&heap, NULL, 0);
        assert_int_equal(compile_for(&heap, table_of(&made), variant, &address, 1, &built), FRAMEMAP_OK);
        chain_at(&built, answers[at].offset, chain, sizeof chain);
        assert_string_equal(chain, answers[at].chain);
        fm_heap_free(&heap, built.data, built.size);
    }
}

/* --- testing damaged tables --- */

static void compile_damaged(framemap_str table, struct variant variant)
{
    struct fm_heap heap;
    struct fm_built built = {NULL, 0};

    fm_heap_init(&heap, NULL, (uint64_t)16 << 20);
    const framemap_status status = compile(&heap, table, variant, &built);
    if (status == FRAMEMAP_OK)
        fm_heap_free(&heap, built.data, built.size);
    else
        assert_int_equal(status, FRAMEMAP_E_EMPTY);
    assert_int_equal(heap.used, 0);
}

static void each_prefix(void **state)
{
    (void)state;
    for (unsigned i = 0; i < VARIANTS; i++) {
        const struct variant variant = variant_of(i);
        struct go_made made;
        go_table_make(variant.version, variant.is64, variant.big_endian, &made);
        for (size_t size = 0; size < made.size; size += TEST_STEP) {
            unsigned char *copy = malloc(size + 1);
            assert_non_null(copy);
            memcpy(copy, made.bytes, size);
            compile_damaged(fm_str(copy, size), variant);
            free(copy);
        }
    }
}

static void each_byte_changed(void **state)
{
    static const unsigned char changes[] = {0xff, 0x80, 0x01};
    (void)state;
    for (unsigned i = 0; i < VARIANTS; i++) {
        const struct variant variant = variant_of(i);
        struct go_made made;
        go_table_make(variant.version, variant.is64, variant.big_endian, &made);
        for (size_t at = 0; at < made.size; at += TEST_STEP) {
            for (size_t c = 0; c < COUNT_OF(changes); c++) {
                made.bytes[at] ^= changes[c];
                compile_damaged(table_of(&made), variant);
                made.bytes[at] ^= changes[c];
            }
        }
    }
}

static void set_byte(struct go_made *made, size_t at, unsigned char value) { made->bytes[at] = value; }

/* Checks the fault that is reported for each of several changes to a table of the newest version with 64-bit
 * addresses. */
static void damage_is_reported(void **state)
{
    enum { COUNT_WORD = 8, NAMES_WORD = 8 + 3 * 8, LIST_WORD = 8 + 7 * 8 };
    const struct variant variant = {.version = FM_GO_1_20, .is64 = true};
    static const struct {
        const char *why, *message;
    } rows[] = {{"unknown version", "unknown version"},
                {"more functions than fit", "outside of its section"},
                {"a part outside of the section", "outside of its section"},
                {"a function before the one before it", "do not ascend"},
                {"an inlined call whose parent is itself", "the inlined calls of some functions"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct go_made made;
        struct fm_heap heap;
        struct fm_built built = {NULL, 0};
        go_table_make(variant.version, variant.is64, variant.big_endian, &made);
        const size_t list = (size_t)fm_bytes_get(made.bytes + LIST_WORD, 8, false);
        if (i == 0) set_byte(&made, 0, 0x77);
        if (i == 1) set_byte(&made, COUNT_WORD + 2, 1);
        if (i == 2) set_byte(&made, NAMES_WORD + 3, 1);
        if (i == 3) set_byte(&made, list + 2 * 8, 0x10);         /* main.last starts within main.main */
        if (i == 4) set_byte(&made, made.inline_tree + 8, 0x18); /* main.middle is called by main.middle */
        fm_heap_init(&heap, NULL, 0);
        const framemap_status status = compile(&heap, table_of(&made), variant, &built);
        if (status == FRAMEMAP_OK) fm_heap_free(&heap, built.data, built.size);
        if (fault_count != 1 || strstr(last_fault, rows[i].message) == NULL)
            fail_msg("%s: %u faults, \"%s\"", rows[i].why, fault_count, last_fault);
        assert_int_equal(heap.used, 0);
    }
}

/* Checks that a function whose inline tree is damaged keeps its lines. */
static void a_damaged_inline_tree_costs_only_the_inlined_calls(void **state)
{
    const struct variant variant = {.version = FM_GO_1_18, .is64 = true};
    struct go_made made;
    struct fm_heap heap;
    struct fm_built built = {NULL, 0};
    char chain[256];
    (void)state;
    go_table_make(variant.version, variant.is64, variant.big_endian, &made);
    set_byte(&made, made.inline_tree, 1); /* main.middle is inlined into main.inner */
    fm_heap_init(&heap, NULL, 0);
    assert_int_equal(compile(&heap, table_of(&made), variant, &built), FRAMEMAP_OK);
    chain_at(&built, 0x10, chain, sizeof chain);
    assert_string_equal(chain, "main.main /src/inner.go:5");
    assert_int_equal(fault_count, 1);
    fm_heap_free(&heap, built.data, built.size);
}

static bool compile_once(const framemap_allocator *allocator, void *context)
{
    const struct go_made *made = context;
    struct fm_heap heap;
    struct fm_built built = {NULL, 0};

    fm_heap_init(&heap, allocator, 0);
    const framemap_status status =
        compile(&heap, table_of(made), (struct variant){.version = FM_GO_1_20, .is64 = true}, &built);
    if (status == FRAMEMAP_OK)
        fm_heap_free(&heap, built.data, built.size);
    else
        assert_int_equal(status, FRAMEMAP_E_MEMORY);
    return status == FRAMEMAP_OK;
}

static void memory_that_runs_out_is_reported(void **state)
{
    struct go_made made;
    (void)state;
    go_table_make(FM_GO_1_20, true, false, &made);
    assert_true(sweep_allocations(compile_once, &made) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_files_lines_and_inlined_calls),
        cmocka_unit_test(requested_addresses),
        cmocka_unit_test(each_prefix),
        cmocka_unit_test(each_byte_changed),
        cmocka_unit_test(damage_is_reported),
        cmocka_unit_test(a_damaged_inline_tree_costs_only_the_inlined_calls),
        cmocka_unit_test(memory_that_runs_out_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
