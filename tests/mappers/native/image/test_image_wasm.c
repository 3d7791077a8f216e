/* Tests of opening WebAssembly modules. */
#include "tests/mappers/native/image/image_build.h"

/* The sections of a module. Strings may contain NUL bytes, so sizes are given. */
#define IMPORTS "\2\3env\4host\0\0\3env\3mem\2\1\1\2" /* function 0, and a memory of 1 to 2 pages */
/* bodies of the functions 1 to 3, which are at offsets 2, 5 and 10 */
#define CODE "\3\2\0\x0b\4\0\1\1\x0b\2\0\x0b"
#define NAMES "\0\4\3app\1\x17\4\0\4host\1\3one\2\3two\3\4last"
#define EXPORTS "\2\3run\0\2\3mem\2\0"

enum { CUSTOM = 0, IMPORT = 2, EXPORT = 7, BODIES = 10 };

struct part {
    unsigned id;
    const char *name; /* name of a custom section; NULL: the section is not custom */
    framemap_str content;
};

static void wasm_build(struct file *file, const struct part *parts, size_t count)
{
    *file = (struct file){.size = 0};
    put_bytes(file, "\0asm\1\0\0\0", 8);
    for (size_t i = 0; i < count; i++) {
        const size_t name = parts[i].name ? strlen(parts[i].name) : 0;
        const size_t size = parts[i].content.size + (parts[i].name ? name + 1 : 0);
        assert_true(size < 128);
        put(file, 1, parts[i].id);
        put(file, 1, size);
        if (parts[i].name) put(file, 1, name);
        put_bytes(file, parts[i].name, name);
        put_bytes(file, parts[i].content.data, parts[i].content.size);
    }
}

static const struct part whole[] = {
    {IMPORT, NULL, FM_STR_INIT(IMPORTS)}, {EXPORT, NULL, FM_STR_INIT(EXPORTS)},
    {BODIES, NULL, FM_STR_INIT(CODE)},    {CUSTOM, ".debug_info", FM_STR_INIT("info")},
    {CUSTOM, "name", FM_STR_INIT(NAMES)}, {CUSTOM, "build_id", FM_STR_INIT("\4\xab\xcd\x01\x02")},
};

static void a_module(void **state)
{
    struct file file;
    struct opened opened;
    framemap_str contents;
    (void)state;
    wasm_build(&file, whole, COUNT_OF(whole));
    open_file(&opened, file_view(&file), "wasm32");
    assert_int_equal(opened.status, FRAMEMAP_OK);
    const struct fm_image *image = &opened.image;
    assert_string_equal(fm_image_kind(image), "wasm");
    assert_string_equal(image->type, "module");
    assert_string_equal(image->id, "abcd0102");
    assert_true(image->has_debug_info && image->has_symbols);
    assert_false(image->has_debug_line || image->is_stripped || image->is64 || image->big_endian);
    assert_int_equal(image->origin, 0);
    assert_memory_equal(file.data + image->base, CODE, sizeof CODE - 1);
    assert_int_equal(image->code_start, 1); /* the code starts after the number of functions */
    assert_true(fm_image_is_code(image, 2));
    assert_false(fm_image_is_code(image, sizeof CODE - 1));
    assert_int_equal(fm_image_contents(image, fm_image_section(image, FM_STR(".debug_info")), &contents, NULL),
                     FRAMEMAP_OK);
    assert_str(contents, "info");
    struct fm_function_starts starts = fm_function_starts_of(image); /* empty: modules do not list them */
    assert_true(fm_function_starts_after(&starts, 0) == UINT64_MAX);
    close_file(&opened);
}

static void names_of_functions(void **state)
{
    static const struct {
        const char *why;
        size_t without; /* index of the part of `whole` that is left out of the module */
        const char *wanted;
    } rows[] = {
        {"the section of names; an imported function has no code", SIZE_MAX, "one 2+2 two 5+4 last 10+2 "},
        {"without it, the exported functions", 4, "run 5+4 "},
        {"without imports, functions count from 0", 0, "host 2+2 one 5+4 two 10+2 "},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct part parts[COUNT_OF(whole)];
        struct file file;
        struct opened opened;
        char got[256] = "";
        size_t count = 0, used = 0;
        for (size_t k = 0; k < COUNT_OF(whole); k++)
            if (k != rows[i].without) parts[count++] = whole[k];
        wasm_build(&file, parts, count);
        open_file(&opened, file_view(&file), NULL);
        assert_int_equal(opened.status, FRAMEMAP_OK);
        assert_int_equal(fm_image_symbols(&opened.image, NULL), FRAMEMAP_OK);
        for (size_t k = 0; k < opened.image.symbol_count; k++) {
            const struct fm_symbol *symbol = &opened.image.symbols[k];
            used += (size_t)snprintf(got + used, sizeof got - used, "%.*s %u+%u ", (int)symbol->name.size,
                                     symbol->name.data, (unsigned)symbol->address, (unsigned)symbol->size);
        }
        if (strcmp(got, rows[i].wanted) != 0) fail_msg("%s: %s", rows[i].why, got);
        close_file(&opened);
    }
}

static void refused_files(void **state)
{
    static const struct {
        const char *why;
        framemap_str bytes;
        framemap_status status;
        const char *says; /* part of the message */
    } rows[] = {
        {"the magic number alone", FM_STR_INIT("\0asm"), FRAMEMAP_E_TRUNCATED, "ends inside its header"},
        {"another version", FM_STR_INIT("\0asm\2\0\0\0"), FRAMEMAP_E_UNSUPPORTED, "version 2"},
        {"a component", FM_STR_INIT("\0asm\x0d\0\1\0"), FRAMEMAP_E_FORMAT, "wasm-tools component unbundle"},
        {"a section without its end", FM_STR_INIT("\0asm\1\0\0\0\1\5ab"), FRAMEMAP_E_TRUNCATED, "cut short"},
        {"a size of more than 64 bits", FM_STR_INIT("\0asm\1\0\0\0\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"),
         FRAMEMAP_E_TRUNCATED, "cut short"},
        {"a name that does not fit", FM_STR_INIT("\0asm\1\0\0\0\0\2\5a"), FRAMEMAP_E_CORRUPT, "name of a section"},
        {"two code sections", FM_STR_INIT("\0asm\1\0\0\0\x0a\1\0\x0a\1\0"), FRAMEMAP_E_CORRUPT, "two code sections"},
        {"debug info without code, as llvm-objcopy --only-keep-debug leaves it",
         FM_STR_INIT("\0asm\1\0\0\0\0\x0c\x0b.debug_info"), FRAMEMAP_E_FORMAT, "debug info and no code"},
        {"an object file", FM_STR_INIT("\0asm\1\0\0\0\0\x09\7linking\2"), FRAMEMAP_E_FORMAT, "that was linked from it"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct opened opened;
        open_file(&opened, rows[i].bytes, NULL);
        if (opened.status != rows[i].status || !strstr(opened.error.message, rows[i].says))
            fail_msg("%s: %d, %s", rows[i].why, (int)opened.status, opened.error.message);
        close_file(&opened);
    }
}

/* llvm-dwp marks its packages as object files. A file with code is not a package. */
static void split_debug_info(void **state)
{
    static const struct {
        const char *why;
        struct part parts[3];
        uint32_t count;
        const char *type; /* NULL: the file is refused as an object file */
    } rows[] = {
        {"a .dwo file", {{CUSTOM, ".debug_info.dwo", FM_STR_INIT("info")}}, 1, FM_TYPE_DWO},
        {"a package",
         {{CUSTOM, ".debug_info.dwo", FM_STR_INIT("info")},
          {CUSTOM, ".debug_cu_index", FM_STR_INIT("index")},
          {CUSTOM, "linking", FM_STR_INIT("\2")}},
         3,
         FM_TYPE_DWP},
        {"a package whose first section is the mark of object files",
         {{CUSTOM, "linking", FM_STR_INIT("\2")},
          {CUSTOM, ".debug_info.dwo", FM_STR_INIT("info")},
          {CUSTOM, ".debug_cu_index", FM_STR_INIT("index")}},
         3,
         FM_TYPE_DWP},
        {"an object file with its split part",
         {{CUSTOM, ".debug_info", FM_STR_INIT("info")},
          {CUSTOM, ".debug_info.dwo", FM_STR_INIT("info")},
          {CUSTOM, "linking", FM_STR_INIT("\2")}},
         3,
         NULL},
        {"split debug info in an object file that has code",
         {{BODIES, NULL, FM_STR_INIT(CODE)},
          {CUSTOM, ".debug_info.dwo", FM_STR_INIT("info")},
          {CUSTOM, "linking", FM_STR_INIT("\2")}},
         3,
         NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct file file;
        struct opened opened;
        wasm_build(&file, rows[i].parts, rows[i].count);
        open_file(&opened, file_view(&file), NULL);
        const bool refused = opened.status == FRAMEMAP_E_FORMAT && strstr(opened.error.message, "object file") != NULL;
        const bool typed =
            opened.status == FRAMEMAP_OK && rows[i].type != NULL && strcmp(opened.image.type, rows[i].type) == 0;
        if (rows[i].type == NULL ? !refused : !typed)
            fail_msg("%s: %d, %s", rows[i].why, (int)opened.status, opened.error.message);
        close_file(&opened);
    }
}

static void where_debug_info_is(void **state)
{
    static const struct {
        const char *why;
        struct part parts[2];
        uint32_t count;
        const char *says;
    } rows[] = {
        {"a debug file",
         {{CUSTOM, "external_debug_info", FM_STR_INIT("\12app.d.wasm")}},
         1,
         "give its debug file app.d.wasm"},
        {"a source map",
         {{CUSTOM, "sourceMappingURL", FM_STR_INIT("\14app.wasm.map")}},
         1,
         "give its source map app.wasm.map, or the same build with debug info (-g)"},
        {"both",
         {{CUSTOM, "sourceMappingURL", FM_STR_INIT("\14app.wasm.map")},
          {CUSTOM, "external_debug_info", FM_STR_INIT("\12app.d.wasm")}},
         2,
         "give its debug file app.d.wasm"},
        {"a map inside", {{CUSTOM, "sourceMappingURL", FM_STR_INIT("\5data:")}}, 1, NULL},
        {"a URL that does not fit", {{CUSTOM, "sourceMappingURL", FM_STR_INIT("\15app.wasm.map")}}, 1, NULL},
        {"nothing", {{0}}, 0, NULL},
    };
    const char *unnamed = "give its source map, or the same build with debug info (-g); it names no debug file";
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct file file;
        struct opened opened;
        char words[160];
        wasm_build(&file, rows[i].parts, rows[i].count);
        open_file(&opened, file_view(&file), NULL);
        assert_int_equal(opened.status, FRAMEMAP_OK);
        assert_true(opened.image.is_stripped);
        fm_image_describe_debug_file(&opened.image, words, sizeof words);
        if (strcmp(words, rows[i].says ? rows[i].says : unnamed) != 0) fail_msg("%s: %s", rows[i].why, words);
        close_file(&opened);
    }
}

/* --- testing every prefix of a module, and lack of memory --- */

/* Checks that each prefix of a module is refused with a message, or has only symbols that are inside its code. */
static void every_prefix(void **state)
{
    struct file file;
    (void)state;
    wasm_build(&file, whole, COUNT_OF(whole));
    for (size_t size = 0; size < file.size; size++) {
        struct opened opened;
        unsigned char *copy = malloc(size ? size : 1);
        assert_non_null(copy);
        memcpy(copy, file.data, size);
        open_file(&opened, (framemap_str){(const char *)copy, size}, NULL);
        if (opened.status != FRAMEMAP_OK)
            assert_true(opened.error.message[0] != '\0');
        else
            assert_int_equal(fm_image_symbols(&opened.image, NULL), FRAMEMAP_OK);
        for (size_t i = 0; i < opened.image.symbol_count && opened.status == FRAMEMAP_OK; i++)
            assert_true(opened.image.symbols[i].address + opened.image.symbols[i].size <= sizeof CODE - 1);
        close_file(&opened);
        free(copy);
    }
}

static bool read_all(const framemap_allocator *allocator, void *context)
{
    struct fm_arena arena;
    struct fm_heap heap;
    struct fm_image image;
    fm_heap_init(&heap, allocator, 0);
    fm_arena_init(&arena, &heap);
    framemap_status status = fm_image_open(file_view(context), NULL, &arena, &image, NULL);
    if (status == FRAMEMAP_OK) status = fm_image_symbols(&image, NULL);
    const bool done = status == FRAMEMAP_OK && image.symbol_count == 3;
    fm_arena_free(&arena);
    return done;
}

static void lack_of_memory(void **state)
{
    struct file file;
    (void)state;
    wasm_build(&file, whole, COUNT_OF(whole));
    assert_true(sweep_allocations(read_all, &file) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_module),         cmocka_unit_test(names_of_functions),  cmocka_unit_test(refused_files),
        cmocka_unit_test(split_debug_info), cmocka_unit_test(where_debug_info_is), cmocka_unit_test(every_prefix),
        cmocka_unit_test(lack_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
