/* Tests of mappers/native/compile/symbol_fallback.h. */
#include "mappers/native/compile/symbol_fallback.h"
#include "mappers/native/image/macho/macho_format.h"
#include "tests/mappers/native/dw_bytes.h"

#define FUNCTION(text, at, bytes) {FM_STR(text), at, bytes, 0, FM_SYMBOL_FUNCTION, true, false, false}
#define OBJECT(text, at, bytes) {FM_STR(text), at, bytes, 0, FM_SYMBOL_OBJECT, true, false, false}
#define DYNAMIC_OBJECT(text, at, bytes) {FM_STR(text), at, bytes, 0, FM_SYMBOL_OBJECT, true, false, true}

/* A fallback that was built for an image with some symbols. */
struct built {
    struct fm_section sections[2];
    struct fm_image image;
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_symbol_fallback symbols;
};

static void build(struct built *built, struct fm_symbol *symbols, size_t count)
{
    fm_heap_init(&built->heap, NULL, 0);
    fm_arena_init(&built->arena, &built->heap);
    make_image(&built->image, built->sections, &built->arena);
    built->image.symbols = symbols;
    built->image.symbol_count = count;
    assert_true(fm_symbol_fallback_build(&built->image, &built->heap, &built->symbols));
}

static void built_free(struct built *built)
{
    fm_symbol_fallback_free(&built->symbols);
    fm_arena_free(&built->arena);
    assert_int_equal(built->heap.used, 0);
}

static void which_symbol_names_an_address(void **state)
{
    (void)state;
    const struct {
        const char *name;
        struct fm_symbol symbols[4];
        size_t count;
        uint64_t address;
        const char *want; /* name of the symbol at the address; NULL: no symbol covers the address */
    } rows[] = {
        {"inside its size", {FUNCTION("a", 0x1000, 16)}, 1, 0x100f, "a"},
        {"past its size", {FUNCTION("a", 0x1000, 16)}, 1, 0x1010, NULL},
        {"no size: to the next", {FUNCTION("a", 0x1000, 0), FUNCTION("b", 0x1100, 1)}, 2, 0x10ff, "a"},
        {"no size: to the end of the section", {FUNCTION("a", 0x1000, 0)}, 1, 0x1fff, "a"},
        {"a size that leaves its section", {FUNCTION("a", 0x1000, 0x5000)}, 1, 0x1fff, "a"},
        {"the nearest below", {FUNCTION("a", 0x1000, 0x100), FUNCTION("b", 0x1010, 1)}, 2, 0x1010, "b"},
        {"the nearest below is too small", {FUNCTION("a", 0x1000, 0x100), FUNCTION("b", 0x1010, 1)}, 2, 0x1011, NULL},
        {"the biggest of equals", {FUNCTION("a", 0x1000, 16), FUNCTION("b", 0x1000, 8)}, 2, 0x1000, "a"},
        {"the last of equals", {FUNCTION("a", 0x1000, 16), FUNCTION("b", 0x1000, 16)}, 2, 0x1000, "b"},
        {".symtab before .dynsym",
         {FUNCTION("a", 0x1000, 16), {FM_STR("b"), 0x1000, 16, 0, FM_SYMBOL_FUNCTION, true, false, true}},
         2,
         0x1000,
         "a"},
        {"a function before longer data", {FUNCTION("a", 0x1000, 16), OBJECT("b", 0x1000, 64)}, 2, 0x1000, "a"},
        {"in the other order, too", {OBJECT("b", 0x1000, 64), FUNCTION("a", 0x1000, 16)}, 2, 0x1000, "a"},
        {"data of known size before a label", {FUNCTION("a", 0x1000, 0), OBJECT("b", 0x1000, 64)}, 2, 0x1000, "b"},
        {"a mark of .dynsym inside a function",
         {FUNCTION("a", 0x1000, 64), DYNAMIC_OBJECT("b", 0x1010, 4)},
         2,
         0x1010,
         "a"},
        {"and what follows it", {FUNCTION("a", 0x1000, 64), DYNAMIC_OBJECT("b", 0x1010, 4)}, 2, 0x1020, "a"},
        {"such a mark after the function", {FUNCTION("a", 0x1000, 16), DYNAMIC_OBJECT("b", 0x1010, 4)}, 2, 0x1010, "b"},
        {"data of .symtab inside a function", {FUNCTION("a", 0x1000, 64), OBJECT("b", 0x1010, 4)}, 2, 0x1010, "b"},
        {"nothing below", {FUNCTION("a", 0x1100, 16)}, 1, 0x10ff, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct built built;
        struct fm_symbol copy[4];
        const char *got = NULL;
        memcpy(copy, rows[i].symbols, sizeof copy);
        build(&built, copy, rows[i].count);
        for (size_t j = 0; j < built.symbols.code.count; j++) {
            const struct fm_address_segment *segment = &built.symbols.code.items[j];
            assert_true(segment->low < segment->high);
            if (segment->low <= rows[i].address && rows[i].address < segment->high) got = copy[segment->id].name.data;
        }
        if ((got == NULL) != (rows[i].want == NULL) || (got != NULL && strcmp(got, rows[i].want) != 0))
            fail_msg("%s: %s", rows[i].name, got ? got : "none");
        built_free(&built);
    }
}

static void symbols_outside_of_their_section_are_left_out(void **state)
{
    (void)state;
    struct fm_symbol list[] = {{FM_STR("no section"), 0x1000, 4, UINT32_MAX, FM_SYMBOL_FUNCTION, true, false, false},
                               {FM_STR("before"), 0xfff, 4, 0, FM_SYMBOL_FUNCTION, true, false, false},
                               {FM_STR("at the end"), 0x2000, 0, 0, FM_SYMBOL_FUNCTION, true, false, false},
                               {FM_STR("object"), 0x2000, 8, 1, FM_SYMBOL_OBJECT, true, false, false}};
    struct built built;
    build(&built, list, COUNT_OF(list));
    assert_int_equal(built.symbols.code.count, 0);
    assert_int_equal(built.symbols.data.count, 1);
    assert_int_equal(built.symbols.data.items[0].id, 3);
    assert_int_equal(built.symbols.data.items[0].high, 0x2008);
    built_free(&built);
}

static void data_among_code_ends_where_a_function_begins(void **state)
{
    (void)state;
    struct fm_symbol list[] = {FUNCTION("f", 0x1000, 4),
                               {FM_STR("table"), 0x1004, 0, 0, FM_SYMBOL_OBJECT, false, false, false},
                               FUNCTION("g", 0x1040, 16),
                               {FM_STR("sized"), 0x1100, 64, 0, FM_SYMBOL_OBJECT, false, false, false},
                               FUNCTION("h", 0x1200, 16)};
    struct built built;
    build(&built, list, COUNT_OF(list));
    assert_int_equal(built.symbols.data.count, 2);
    assert_int_equal(built.symbols.data.items[0].low, 0x1004);
    assert_int_equal(built.symbols.data.items[0].high, 0x1040);
    assert_int_equal(built.symbols.data.items[1].low, 0x1100);
    assert_int_equal(built.symbols.data.items[1].high, 0x1140);
    built_free(&built);
}

/* Checks several symbols at one address: as in LLVM, the longest symbol counts, and after its end no shorter symbol
 * counts. */
static void a_label_of_data_at_a_function_ends_with_it(void **state)
{
    (void)state;
    const struct fm_symbol label = {FM_STR("DEBUGSTART_A"), 0x1000, 0, 0, FM_SYMBOL_OBJECT, false, false, false};
    const struct fm_symbol function = FUNCTION("f", 0x1000, 13), next = FUNCTION("g", 0x1010, 16);
    struct fm_symbol orders[][3] = {{label, function, next}, {function, label, next}};
    for (size_t i = 0; i < COUNT_OF(orders); i++) {
        struct built built;
        build(&built, orders[i], 3);
        assert_int_equal(built.symbols.data.count, 1);
        assert_int_equal(built.symbols.data.items[0].low, 0x1000);
        assert_int_equal(built.symbols.data.items[0].high, 0x100d);
        built_free(&built);
    }
}

/* A Mach-O image lists the starts of all its functions, even of functions whose symbols were stripped. So a function
 * with a symbol ends where the next function starts. Without a list, the base of the image is not such a start:
 * WebAssembly counts addresses from the code section, and the base is where that section is in the file. */
static void functions_without_a_symbol(void **state)
{
    (void)state;
    static const struct {
        const char *why, *starts;
        uint64_t low[3], high[3]; /* the expected segments; 0: there are no more */
        uint64_t base;
    } rows[] = {
        {"no list", "", {0x1000, 0x1100}, {0x1100, 0x2000}, 0},
        {"no list, and a base inside of a function", "", {0x1000, 0x1100}, {0x1100, 0x2000}, 0x1080},
        {"each function has a symbol", "\x80\x20\x80\x02", {0x1000, 0x1100}, {0x1100, 0x2000}, 0},
        {"functions between and after them", "\x80\x20\x20\x10\xd0\x01\x40", {0x1000, 0x1100}, {0x1020, 0x1140}, 0},
        {"a list that ends early", "\x80\x20\x20", {0x1000, 0x1100}, {0x1020, 0x2000}, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_symbol symbols[] = {FUNCTION("a", 0x1000, 0), FUNCTION("b", 0x1100, 0)};
        struct built built;
        const struct fm_macho macho = {.starts = framemap_str_of(rows[i].starts)};
        struct fm_image_inner inner = {.macho = &macho};
        fm_heap_init(&built.heap, NULL, 0);
        fm_arena_init(&built.arena, &built.heap);
        make_image(&built.image, built.sections, &built.arena);
        built.image.format = FM_IMAGE_MACHO;
        built.image.inner = &inner;
        built.image.base = rows[i].base;
        built.image.symbols = symbols;
        built.image.symbol_count = COUNT_OF(symbols);
        assert_true(fm_symbol_fallback_build(&built.image, &built.heap, &built.symbols));
        for (size_t k = 0; k < built.symbols.code.count; k++)
            if (built.symbols.code.items[k].low != rows[i].low[k] ||
                built.symbols.code.items[k].high != rows[i].high[k])
                fail_msg("%s: 0x%llx to 0x%llx", rows[i].why, (unsigned long long)built.symbols.code.items[k].low,
                         (unsigned long long)built.symbols.code.items[k].high);
        assert_int_equal(built.symbols.code.count, 2);
        built_free(&built);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(which_symbol_names_an_address),
        cmocka_unit_test(symbols_outside_of_their_section_are_left_out),
        cmocka_unit_test(data_among_code_ends_where_a_function_begins),
        cmocka_unit_test(a_label_of_data_at_a_function_ends_with_it),
        cmocka_unit_test(functions_without_a_symbol),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
