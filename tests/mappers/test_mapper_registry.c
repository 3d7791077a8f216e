/* Tests of the table of mappers and of the choice among them (mappers/mapper.h). */
#include "mappers/mapper.h"
#include "tests/mappers/native/image/image_build.h"

static void every_row_is_complete(void **state)
{
    size_t rows;
    const framemap_mapper_info *const *table = fm_mapper_table(&rows);
    (void)state;
    assert_true(rows > 0);
    for (size_t i = 0; i < rows; i++) {
        const struct fm_mapper *mapper = fm_mapper_named(table[i]->name);
        assert_non_null(mapper);
        assert_ptr_equal(&mapper->info, table[i]);
        assert_true(strlen(table[i]->summary) > 0);
        assert_non_null(mapper->probe);
        assert_non_null(mapper->inspect);
        assert_non_null(mapper->build);
        for (size_t k = 0; k < i; k++) assert_string_not_equal(table[i]->name, table[k]->name);
    }
    assert_null(fm_mapper_named("unknown"));
}

/* The mapper for each kind of file. `says` is part of the error message if no mapper reads the file. */
static const struct {
    const char *bytes;
    size_t size;
    const char *mapper, *says;
} files[] = {
    {"\177ELF", 4, "dwarf", NULL},
    {"\xfe\xed\xfa\xce", 4, "dwarf", NULL},
    {"\xcf\xfa\xed\xfe", 4, "dwarf", NULL},
    {"\xca\xfe\xba\xbe\0\0\0\2", 8, "dwarf", NULL},
    {"\xca\xfe\xba\xbf\0\0\0\2", 8, "dwarf", NULL},
    {"\xca\xfe\xba\xbe\0\0\0\x34", 8, NULL, "Java class file"},
    {"\xca\xfe\xba\xbe\0\3\0\x2d", 8, NULL, "Java class file"},
    {"\xca\xfe\xba\xbe", 4, NULL, "Java class file"},
    {"!<arch>\nmember", 14, NULL, "name one of them, as in lib.a!member.o"},
    {"!<thin>\nmember", 14, NULL, "thin archive"},
    {"MZ\x90\0", 4, NULL, "Windows PE file"},
    {"\0asm\1\0\0\0", 8, "dwarf", NULL},
    {"dex\n035", 7, NULL, "dex file"},
    {"PK\3\4\0", 5, NULL, "zip archive"},
    {"\x1f\x8b\x08", 3, NULL, "gunzip"},
    {"\xfd"
     "7zXZ",
     6, NULL, "unxz"},
    {"\x28\xb5\x2f\xfd\0", 5, NULL, "unzstd"},
    {"bplist00", 8, NULL, ".dSYM folder"},
    {"<?xml version", 13, NULL, ".dSYM folder"},
    {"BC\xc0\xde", 4, NULL, "bitcode"},
    {"hello, world\n", 13, NULL, "text file"},
    {"", 0, NULL, "empty"},
    {"\0\1\2\3", 4, NULL, "not a symbol file of a known kind"},
    {"\177EL", 3, NULL, "not a symbol file of a known kind"},
};

/* A script that contains only the maps of its modules is refused. The error names a module, whose map can be given
 * instead. */
static void a_script_names_its_modules(void **state)
{
#define MODULE "eval(\"f();\\n//# sourceMappingURL=data:,{}\\n//# sourceURL=webpack-internal:///./a.js\\n\");\n"
    static const struct {
        const char *bytes;
        bool has_modules;
    } rows[] = {{"(() => {\n" MODULE "})();\n", true},
                {"eval(\"f();\\n//# sourceURL=webpack-internal:///./a.js\\n\");\n", false},
                {"dyld_v1 " MODULE, false}}; /* known by its first bytes */
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_error error = {0};
        assert_int_equal(fm_mapper_refuse(framemap_str_of(rows[i].bytes), &error), FRAMEMAP_E_FORMAT);
        const bool named = strstr(error.message, "'FILE!webpack-internal:///./a.js'") != NULL;
        if (named != rows[i].has_modules) fail_msg("%zu: %s", i, error.message);
    }
}

static void files_find_their_mapper(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        const framemap_str bytes = {files[i].bytes, files[i].size};
        const struct fm_mapper *mapper = fm_mapper_for(bytes, FM_STR("file"), NULL);
        framemap_error error = {0};
        if (files[i].mapper != NULL) {
            assert_non_null(mapper);
            assert_string_equal(mapper->info.name, files[i].mapper);
            assert_null(fm_mapper_for(bytes, FM_STR("file"), "nobody"));
            assert_ptr_equal(fm_mapper_for(bytes, FM_STR("file"), files[i].mapper), mapper);
            continue;
        }
        assert_null(mapper);
        assert_int_equal(fm_mapper_refuse(bytes, &error), FRAMEMAP_E_FORMAT);
        if (strstr(error.message, files[i].says) == NULL) fail_msg("%s: %s", files[i].says, error.message);
    }
}

static void kernels_are_known_by_their_headers(void **state)
{
    static const struct {
        size_t at;
        const char *magic;
    } rows[] = {{0x38, "ARM\x64"}, {4, "zimg"}, {0x24, "\x18\x28\x6f\x01"}, {0, "\x27\x05\x19\x56"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char image[512] = "MZ";
        framemap_error error;
        memcpy(image + rows[i].at, rows[i].magic, 4);
        assert_int_equal(fm_mapper_refuse(fm_str(image, sizeof image), &error), FRAMEMAP_E_FORMAT);
        assert_non_null(strstr(error.message, "image of a Linux kernel"));
    }
}

static void a_tar_is_known_by_its_middle(void **state)
{
    char tar[512] = "name";
    framemap_error error;
    (void)state;
    memcpy(tar + 257, "ustar", 5);
    assert_int_equal(fm_mapper_refuse(fm_str(tar, sizeof tar), &error), FRAMEMAP_E_FORMAT);
    assert_non_null(strstr(error.message, "tar archive"));
}

/* --- testing the mapper of native programs --- */

static framemap_status build(const struct elf_spec *spec, framemap_str name, framemap_error *error)
{
    static struct file file;
    struct fm_heap heap;
    struct fm_builder *builder;
    const struct fm_mapper_host host = {.heap = &heap, .threads = 1};
    elf_build(&file, spec);
    fm_heap_init(&heap, NULL, 0);
    assert_int_equal(fm_builder_create(&heap, &builder, error), FRAMEMAP_OK);
    const framemap_status status =
        fm_mapper_for(file_view(&file), name, NULL)->build(file_view(&file), name, &host, builder, error);
    fm_builder_free(builder);
    assert_int_equal(heap.used, 0);
    return status;
}

static void stripped_files_say_what_to_give(void **state)
{
    static const char note[] = "\4\0\0\0\4\0\0\0\3\0\0\0GNU\0\xde\xad\xbe\xef";
    const struct elf_section sections[] = {
        {".text", S_PROGBITS, F_ALLOC | F_EXEC, 0x1000, "code", 4, 0, 0, 1},
        {".note.gnu.build-id", S_NOTE, F_ALLOC, 0x2000, note, sizeof note - 1, 0, 0, 4},
        {".gnu_debuglink", S_PROGBITS, 0, 0, "x.debug\0\4\3\2\1", 12, 0, 0, 4}};
    static const char *const says[] = {
        "is stripped: give the unstripped file of the same build; it names no debug file and has no build id",
        "is stripped: give its debug file or the unstripped file, with the build id deadbeef",
        "is stripped: give its debug file x.debug (build id deadbeef)"};
    (void)state;
    for (size_t count = 1; count <= 3; count++) {
        const struct elf_spec spec = {
            .is64 = true, .type = E_DYN, .machine = M_X86_64, .sections = sections, .section_count = count};
        framemap_error error = {0};
        assert_int_equal(build(&spec, FM_STR("libx.so"), &error), FRAMEMAP_E_EMPTY);
        if (strstr(error.message, says[count - 1]) == NULL) fail_msg("%s", error.message);
    }
}

/* Checks that a file with a symbol table without names, and debug info without entries, is not called stripped. */
static void empty_tables_are_not_called_stripped(void **state)
{
    struct file symbols = {.is64 = true};
    framemap_error error = {0};
    (void)state;
    put_symbol(&symbols, 0, 0, 0, 0, 0, 0);
    put_symbol(&symbols, 0, 0, 0, 0, 0, 0);
    const struct elf_section sections[] = {{".text", S_PROGBITS, F_ALLOC | F_EXEC, 0x1000, "code", 4, 0, 0, 1},
                                           {".symtab", S_SYMTAB, 0, 0, symbols.data, symbols.size, 0, 0, 8},
                                           {".debug_info", S_PROGBITS, 0, 0, "x", 1, 0, 0, 1}};
    for (size_t count = 2; count <= 3; count++) {
        const struct elf_spec spec = {
            .is64 = true, .type = E_DYN, .machine = M_X86_64, .sections = sections, .section_count = count};
        assert_int_equal(build(&spec, FM_STR("libx.so"), &error), FRAMEMAP_E_EMPTY);
        if (strstr(error.message, "empty or damaged") == NULL) fail_msg("%s", error.message);
    }
}

static void symbols_alone_are_enough(void **state)
{
    struct file symbols = {.is64 = true};
    framemap_error error = {0};
    (void)state;
    put_symbol(&symbols, 0, 0, 0, 0, 0, 0);
    put_symbol(&symbols, 1, 2, 1, 1, 0x1000, 4);
    const struct elf_section sections[] = {{".text", S_PROGBITS, F_ALLOC | F_EXEC, 0x1000, "code", 4, 0, 0, 1},
                                           {".symtab", S_SYMTAB, 0, 0, symbols.data, symbols.size, 3, 0, 8},
                                           {".strtab", S_STRTAB, 0, 0, "\0f", 3, 0, 0, 1}};
    const struct elf_spec spec = {
        .is64 = true, .type = E_DYN, .machine = M_X86_64, .sections = sections, .section_count = 3};
    if (build(&spec, FM_STR("libx.so"), &error) != FRAMEMAP_OK) fail_msg("%s", error.message);
}

static void remember(void *context, const framemap_error *warning) { *(framemap_error *)context = *warning; }

static void warnings_reach_the_host(void **state)
{
    framemap_error got = {0};
    const framemap_error sent = {.code = FRAMEMAP_E_CORRUPT, .message = "bad"};
    const struct fm_mapper_host host = {.warning = remember, .context = &got}, deaf = {.warning = NULL};
    (void)state;
    fm_mapper_warn(&deaf, &sent);
    fm_mapper_warn(&host, &sent);
    assert_int_equal(got.code, FRAMEMAP_E_CORRUPT);
    assert_string_equal(got.message, "bad");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(files_find_their_mapper),
        cmocka_unit_test(a_script_names_its_modules),
        cmocka_unit_test(kernels_are_known_by_their_headers),
        cmocka_unit_test(a_tar_is_known_by_its_middle),
        cmocka_unit_test(stripped_files_say_what_to_give),
        cmocka_unit_test(empty_tables_are_not_called_stripped),
        cmocka_unit_test(symbols_alone_are_enough),
        cmocka_unit_test(warnings_reach_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
