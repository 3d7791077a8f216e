/* Tests of elf_debugdata.c: the symbols in .gnu_debugdata, together with the symbols that a stripped program kept, are
 * all symbols that the program had before. */
#include "core/archive/inflate_xz.h"
#include "mappers/native/image/image.h"
#include "tests/corpus.h"

#define STRIPPED FM_SOURCE_DIR "/corpus/archives/debugdata.elf"
#define DEBUG FM_SOURCE_DIR "/corpus/native/gcc-x86_64-O2.elf"
#define OTHER FM_SOURCE_DIR "/corpus/native/gcc-x86_64-O3.elf"
#define WHOLE FM_SOURCE_DIR "/corpus/native/gcc-x86_64-O2-symtab.elf"

static const struct fm_symbol *function_at(const struct fm_image *image, uint64_t address)
{
    for (size_t i = 0; i < image->symbol_count; i++)
        if (image->symbols[i].address == address && image->symbols[i].kind == FM_SYMBOL_FUNCTION)
            return &image->symbols[i];
    return NULL;
}

static void symbols_are_read(void **state)
{
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_image whole, stripped;
    size_t functions = 0;
    (void)state;
    if (!fm_xz_is_read()) return;
    const framemap_str a = corpus_read(WHOLE), b = corpus_read(STRIPPED);
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    assert_int_equal(fm_image_open(a, NULL, &arena, &whole, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_image_open(b, NULL, &arena, &stripped, NULL), FRAMEMAP_OK);
    assert_true(stripped.has_debugdata && stripped.has_symbols && !stripped.is_stripped);
    assert_int_equal(fm_image_symbols(&whole, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_image_symbols(&stripped, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < whole.symbol_count; i++) {
        const struct fm_symbol *wanted = &whole.symbols[i];
        if (wanted->kind != FM_SYMBOL_FUNCTION || wanted->size == 0) continue;
        const struct fm_symbol *got = function_at(&stripped, wanted->address);
        if (got == NULL || got->size != wanted->size || !fm_str_equal(got->name, wanted->name))
            fail_msg("%.*s", (int)wanted->name.size, wanted->name.data);
        assert_true(fm_str_equal(stripped.sections[got->section].name, whole.sections[wanted->section].name));
        functions++;
    }
    assert_true(functions > 5);
    assert_null(fm_image_debugdata_fault(&stripped));
    fm_arena_free(&arena);
    assert_int_equal(heap.used, 0);
    corpus_free(a);
    corpus_free(b);
}

/* Checks that damage in .gnu_debugdata loses only the symbols in that section. */
static void damage_is_reported(void **state)
{
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_image image;
    (void)state;
    if (!fm_xz_is_read()) return;
    const framemap_str file = corpus_read(STRIPPED);
    char *bytes = malloc(file.size);
    assert_non_null(bytes);
    memcpy(bytes, file.data, file.size);
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    const framemap_str copy = fm_str(bytes, file.size);
    assert_int_equal(fm_image_open(copy, NULL, &arena, &image, NULL), FRAMEMAP_OK);
    const uint32_t number = fm_image_section(&image, FM_STR(FM_DEBUGDATA));
    assert_true(number != UINT32_MAX);
    const size_t at = (size_t)(image.sections[number].stored.data - bytes);
    for (size_t i = 0; i < image.sections[number].stored.size; i += 37) {
        struct fm_image damaged;
        bytes[at + i] ^= 0x55;
        assert_int_equal(fm_image_open(copy, NULL, &arena, &damaged, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_image_symbols(&damaged, NULL), FRAMEMAP_OK);
        const framemap_error *fault = fm_image_debugdata_fault(&damaged);
        assert_non_null(fault);
        assert_string_equal(fault->where, FM_DEBUGDATA);
        assert_true(fault->message[0] != '\0' && fault->code != FRAMEMAP_OK);
        bytes[at + i] ^= 0x55;
    }
    fm_arena_free(&arena);
    free(bytes);
    corpus_free(file);
}

/* Returns a copy of a program in which the section .symtab has no bytes, as in the debug files of eu-strip -g. */
static framemap_str without_symbols(framemap_str file)
{
    enum { SECTION_TYPE_NOBITS = 8, HEADER_SIZE = 64, TYPE_AT = 4, TABLE_AT = 0x28 };
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_image image;
    uint64_t table = 0;
    char *bytes = malloc(file.size);
    assert_non_null(bytes);
    memcpy(bytes, file.data, file.size);
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    assert_int_equal(fm_image_open(file, NULL, &arena, &image, NULL), FRAMEMAP_OK);
    const uint32_t number = fm_image_section(&image, FM_STR(".symtab"));
    assert_true(number != UINT32_MAX);
    for (size_t i = 8; i-- > 0;) table = table << 8 | (unsigned char)bytes[TABLE_AT + i];
    bytes[table + (uint64_t)number * HEADER_SIZE + TYPE_AT] = SECTION_TYPE_NOBITS;
    fm_arena_free(&arena);
    return fm_str(bytes, file.size);
}

/* Checks that a debug file gets the symbols that were left in its program, and no symbols of another program. */
static void symbols_are_taken_from_the_program(void **state)
{
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_image whole, debug;
    bool taken = true;
    (void)state;
    const framemap_str file = corpus_read(DEBUG), program = corpus_read(WHOLE), other = corpus_read(OTHER),
                       stripped = corpus_read(STRIPPED), split = without_symbols(file);
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    assert_int_equal(fm_image_open(file, NULL, &arena, &whole, NULL), FRAMEMAP_OK);
    assert_false(fm_image_lacks_symbols(&whole));
    assert_int_equal(fm_image_open(split, NULL, &arena, &debug, NULL), FRAMEMAP_OK);
    assert_true(fm_image_lacks_symbols(&debug));
    const framemap_str wrong[] = {other, stripped, split, fm_str(program.data, 100)};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(fm_image_take_symbols(&debug, wrong[i], &taken, NULL), FRAMEMAP_OK);
        assert_false(taken);
    }
    char id[sizeof debug.id];
    memcpy(id, debug.id, sizeof id);
    debug.id[0] = '\0'; /* without an id, the debug file does not belong to a program that has one */
    assert_true(fm_image_lacks_symbols(&debug));
    assert_int_equal(fm_image_take_symbols(&debug, program, &taken, NULL), FRAMEMAP_OK);
    assert_false(taken);
    memcpy(debug.id, id, sizeof id);
    assert_int_equal(fm_image_take_symbols(&debug, program, &taken, NULL), FRAMEMAP_OK);
    assert_true(taken);
    assert_int_equal(fm_image_symbols(&whole, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_image_symbols(&debug, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < whole.symbol_count; i++) {
        const struct fm_symbol *wanted = &whole.symbols[i], *got = function_at(&debug, wanted->address);
        if (wanted->kind == FM_SYMBOL_FUNCTION && (got == NULL || got->size != wanted->size))
            fail_msg("%.*s", (int)wanted->name.size, wanted->name.data);
    }
    fm_arena_free(&arena);
    assert_int_equal(heap.used, 0);
    free((void *)(uintptr_t)split.data);
    corpus_free(file);
    corpus_free(program);
    corpus_free(other);
    corpus_free(stripped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(symbols_are_read),
        cmocka_unit_test(damage_is_reported),
        cmocka_unit_test(symbols_are_taken_from_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
