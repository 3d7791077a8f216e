/* Tests of opening Mach-O files. */
#include "tests/mappers/native/image/macho_build.h"

static void every_width_and_order(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        const bool is64 = i & 1;
        struct macho_section sections[3] = {code[0], code[1], code[2]};
        struct file file;
        struct opened opened;
        for (unsigned k = 0; k < 3 && !is64; k++) sections[k].address &= 0xffffffff;
        const struct macho_spec spec = {.is64 = is64,
                                        .big = i & 2,
                                        .cpu = is64 ? CPU_PPC64 : CPU_PPC,
                                        .type = T_EXECUTE,
                                        .segment = "__TEXT",
                                        .text_address = is64 ? 0x100000000 : 0x1000,
                                        .sections = sections,
                                        .section_count = 3};
        macho_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        if (opened.status != FRAMEMAP_OK) fail_msg("%u: %s", i, opened.error.message);
        assert_int_equal(opened.image.is64, is64);
        assert_int_equal(opened.image.big_endian, spec.big);
        assert_string_equal(opened.image.arch, is64 ? "ppc64" : "ppc");
        assert_string_equal(opened.image.id, "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf");
        assert_string_equal(opened.image.type, "executable");
        assert_int_equal(opened.image.base, spec.text_address);
        assert_int_equal(opened.image.section_count, 3);
        assert_int_equal(opened.image.sections[0].number, 1);
        assert_int_equal(opened.image.sections[0].flags, FM_SECTION_ALLOC | FM_SECTION_EXEC);
        assert_int_equal(opened.image.sections[1].flags, FM_SECTION_ALLOC);
        assert_int_equal(opened.image.sections[2].flags, FM_SECTION_ALLOC | FM_SECTION_NOBITS);
        assert_str(opened.image.sections[1].stored, "0123456789abcdef");
        assert_int_equal(fm_image_section_at(&opened.image, sections[1].address), 1);
        assert_true(fm_image_is_code(&opened.image, sections[0].address));
        close_file(&opened);
    }
}

static void architectures(void **state)
{
    static const struct {
        uint32_t cpu, subtype;
        const char *arch;
    } rows[] = {{CPU_ARM64, 0, "arm64"},       {CPU_ARM64, 2, "arm64e"},  {CPU_ARM64, 0x80000002, "arm64e"},
                {CPU_ARM64_32, 1, "arm64_32"}, {CPU_X86_64, 3, "x86_64"}, {CPU_X86_64, 8, "x86_64h"},
                {CPU_386, 3, "i386"},          {CPU_ARM, 9, "armv7"},     {CPU_ARM, 11, "armv7s"},
                {CPU_ARM, 12, "armv7k"},       {CPU_ARM, 6, "armv6"},     {CPU_ARM, 99, "arm"},
                {0x1234, 0, "cpu-1234"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct macho_spec spec = {
            .is64 = true, .cpu = rows[i].cpu, .subtype = rows[i].subtype, .type = T_DYLIB, .segment = "__TEXT"};
        struct file file;
        struct opened opened;
        macho_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        assert_string_equal(opened.image.arch, rows[i].arch);
        close_file(&opened);
    }
}

static void kinds_of_files(void **state)
{
    static const struct {
        uint32_t type;
        const char *wanted;
    } rows[] = {{T_OBJECT, "object"},   {T_EXECUTE, "executable"},    {T_DYLIB, "shared library"}, {T_BUNDLE, "bundle"},
                {T_DSYM, "debug file"}, {T_KEXT, "kernel extension"}, {77, "Mach-O file"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct macho_spec spec = {
            .is64 = true, .cpu = CPU_ARM64, .type = rows[i].type, .segment = "__TEXT", .text_address = 0x4000};
        struct file file;
        struct opened opened;
        macho_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        assert_string_equal(opened.image.type, rows[i].wanted);
        assert_int_equal(opened.image.base, rows[i].type == T_OBJECT ? 0 : 0x4000);
        close_file(&opened);
    }
}

/* Checks a dSYM: truncated names of sections are completed; code sections keep their addresses and have no bytes. */
static void debug_sections(void **state)
{
    static const char *const names[][2] = {{"__debug_info", ".debug_info"},
                                           {"__debug_line", ".debug_line"},
                                           {"__debug_str_offs", ".debug_str_offsets"},
                                           {"__debug_line_str", ".debug_line_str"},
                                           {"__debug_rnglists", ".debug_rnglists"},
                                           {"__apple_namespac", ".apple_namespaces"},
                                           {"__debug_gnu_pubn", ".debug_gnu_pubnames"},
                                           {"__zdebug_abbrev", ".debug_abbrev"},
                                           {"__unknown", "__unknown"}};
    struct macho_section sections[COUNT_OF(names)];
    struct file file;
    struct opened opened;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        sections[i] = (struct macho_section){
            .name = names[i][0], .segment = "__DWARF", .address = 0x9000 + i, .size = 1, .data = "x", .flags = DEBUG};
    const struct macho_spec spec = {.is64 = true,
                                    .cpu = CPU_ARM64,
                                    .type = T_DSYM,
                                    .segment = "__DWARF",
                                    .text_address = 0x100000000,
                                    .sections = sections,
                                    .section_count = COUNT_OF(names)};
    macho_build(&file, &spec);
    open_file(&opened, file_view(&file), NULL);
    assert_int_equal(opened.status, FRAMEMAP_OK);
    for (uint32_t i = 0; i < COUNT_OF(names); i++) {
        assert_str(opened.image.sections[i].name, names[i][1]);
        assert_int_equal(opened.image.sections[i].flags & (FM_SECTION_ALLOC | FM_SECTION_EXEC), 0);
    }
    assert_true(opened.image.has_debug_info && opened.image.has_debug_line);
    assert_int_equal(fm_image_section_at(&opened.image, 0x9000), UINT32_MAX);
    close_file(&opened);

    const struct macho_spec without = {.is64 = true,
                                       .cpu = CPU_ARM64,
                                       .type = T_DSYM,
                                       .segment = "__TEXT",
                                       .text_address = 0x100000000,
                                       .sections = code,
                                       .section_count = 2,
                                       .without_bytes = true};
    framemap_str got;
    macho_build(&file, &without);
    open_file(&opened, file_view(&file), NULL);
    assert_int_equal(opened.image.sections[0].flags, FM_SECTION_ALLOC | FM_SECTION_EXEC | FM_SECTION_NOBITS);
    assert_int_equal(opened.image.sections[0].stored.size, 0);
    assert_true(fm_image_is_code(&opened.image, 0x100001000));
    assert_int_equal(fm_image_contents(&opened.image, 0, &got, &opened.error), FRAMEMAP_OK);
    assert_int_equal(got.size, 0);
    close_file(&opened);
}

/* Checks that sections without sizes end where the next one starts, as in dSYMs of Xcode 3. */
static void sections_without_sizes(void **state)
{
    static const struct {
        const char *why;
        uint32_t type;
        uint64_t sizes[2];
        bool has_bytes;
        uint64_t wanted[2];
    } rows[] = {
        {"a dSYM of Xcode 3", T_DSYM, {0, 0}, false, {0x200, 0xe00 - 0x200}},
        {"one that has a size", T_DSYM, {0, 0x10}, false, {0, 0x10}},
        {"a program", T_EXECUTE, {0, 0}, false, {0, 0}},
        {"bytes in the file", T_DSYM, {0, 0}, true, {0, 0}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct macho_section sections[] = {
            {.name = "__text", .segment = "__TEXT", .address = 0x4200, .size = rows[i].sizes[0], .flags = CODE},
            {.name = "__cstring", .segment = "__TEXT", .address = 0x4400, .size = rows[i].sizes[1]},
        };
        const struct macho_spec spec = {.cpu = CPU_386,
                                        .type = rows[i].type,
                                        .segment = "__TEXT",
                                        .text_address = 0x4000,
                                        .sections = sections,
                                        .section_count = 2,
                                        .without_bytes = !rows[i].has_bytes};
        struct file file;
        struct opened opened;
        macho_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        for (uint32_t k = 0; k < 2; k++)
            if (opened.image.sections[k].size != rows[i].wanted[k])
                fail_msg("%s: section %u has the size 0x%llx", rows[i].why, (unsigned)k,
                         (unsigned long long)opened.image.sections[k].size);
        close_file(&opened);
    }
}

/* Checks the walk over the list of functions. */
static void function_starts(void **state)
{
    static const struct {
        const char *why;
        uint32_t cpu, type;
        const char *list;
        size_t size;
        uint64_t moved;
        uint64_t wanted[4]; /* distances from the base; 0: the end */
    } rows[] = {
        {"distances, then a zero", CPU_X86_64, T_EXECUTE, "\x80\x20\x10\x05\0\x07", 6, 0, {0x1000, 0x1010, 0x1015}},
        {"an end without a zero", CPU_ARM64, T_DYLIB, "\x80\x20\x10", 3, 0, {0x1000, 0x1010}},
        {"an end inside of a number", CPU_ARM64, T_DYLIB, "\x80\x20\x80", 3, 0, {0x1000}},
        {"a number of too many bits",
         CPU_ARM64,
         T_DYLIB,
         "\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
         12,
         0,
         {0x10}},
        {"a sum beyond all addresses",
         CPU_ARM64,
         T_DYLIB,
         "\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
         11,
         0,
         {0x10}},
        {"the bit of Thumb", CPU_ARM, T_DYLIB, "\x81\x20\x10", 3, 0, {0x1000, 0x1010}},
        {"nothing", CPU_ARM64, T_DYLIB, "", 0, 0, {0}},
        {"outside of the file", CPU_ARM64, T_DYLIB, "\x10", 1, 0x10000, {0}},
        {"a debug file, whose list is that of another file", CPU_ARM64, T_DSYM, "\x10", 1, 0, {0}},
        {"an object, whose addresses are moved", CPU_ARM64, T_OBJECT, "\x10", 1, 0, {0}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const bool is64 = rows[i].cpu != CPU_ARM;
        const uint64_t base = is64 ? 0x100000000 : 0x4000;
        const struct macho_spec spec = {.is64 = is64,
                                        .cpu = rows[i].cpu,
                                        .type = rows[i].type,
                                        .segment = "__TEXT",
                                        .text_address = base,
                                        .starts = rows[i].list,
                                        .starts_size = rows[i].size,
                                        .starts_moved = rows[i].moved};
        struct file file;
        struct opened opened;
        macho_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        if (opened.status != FRAMEMAP_OK) fail_msg("%s: %s", rows[i].why, opened.error.message);
        struct fm_function_starts starts = fm_function_starts_of(&opened.image);
        uint64_t at = base;
        for (size_t k = 0; k < COUNT_OF(rows[i].wanted); k++) {
            const uint64_t wanted = rows[i].wanted[k] ? base + rows[i].wanted[k] : UINT64_MAX;
            const uint64_t got = fm_function_starts_after(&starts, at);
            if (got != wanted) fail_msg("%s: number %zu is 0x%llx", rows[i].why, k, (unsigned long long)got);
            if (got == UINT64_MAX) break;
            if (fm_function_starts_after(&starts, got - 1) != got) fail_msg("%s: it is passed early", rows[i].why);
            at = got;
        }
        close_file(&opened);
    }
}

static void symbols(void **state)
{
    static const struct macho_symbol rows[] = {{"_main", 0x0f, 1, 0, 0x100001010},
                                               {"__Z3fooi", 0x0e, 1, 0x80, 0x100001008},
                                               {"-[View draw]", 0x0e, 1, 0, 0x100001020},
                                               {"_table", 0x0f, 2, 0, 0x100001040},
                                               {"_undefined", 0x01, 0, 0, 0},
                                               {"_absolute", 0x03, 0, 0, 0x10},
                                               {"_main", 0x24, 1, 0, 0x100001010 /* N_FUN, a debugging symbol
                                                                                    (stab) */},
                                               {"_nowhere", 0x0f, 9, 0, 0x100001000},
                                               {"_", 0x0f, 1, 0, 0x100001030}};
    const struct macho_spec spec = {.is64 = true,
                                    .cpu = CPU_X86_64,
                                    .type = T_EXECUTE,
                                    .segment = "__TEXT",
                                    .text_address = 0x100000000,
                                    .sections = code,
                                    .section_count = 2,
                                    .symbols = rows,
                                    .symbol_count = COUNT_OF(rows)};
    struct file file;
    struct opened opened;
    (void)state;
    macho_build(&file, &spec);
    open_file(&opened, file_view(&file), NULL);
    assert_true(opened.image.has_symbols);
    assert_int_equal(fm_image_symbols(&opened.image, NULL), FRAMEMAP_OK);
    assert_int_equal(opened.image.symbol_count, 4);
    assert_str(opened.image.symbols[0].name, "_Z3fooi");
    assert_true(opened.image.symbols[0].weak && !opened.image.symbols[0].global);
    assert_str(opened.image.symbols[1].name, "main");
    assert_true(opened.image.symbols[1].global);
    assert_int_equal(opened.image.symbols[1].address, 0x100001010);
    assert_str(opened.image.symbols[2].name, "-[View draw]");
    assert_int_equal(opened.image.symbols[2].kind, FM_SYMBOL_FUNCTION);
    assert_int_equal(opened.image.symbols[3].kind, FM_SYMBOL_OBJECT);
    assert_int_equal(opened.image.symbols[3].section, 1);
    close_file(&opened);
}

/* Returns a program for arm64 with one section. */
static struct macho_spec small_program(const struct macho_section *section, const struct macho_symbol *symbols,
                                       uint32_t count)
{
    return (struct macho_spec){.is64 = true,
                               .cpu = CPU_ARM64,
                               .type = T_EXECUTE,
                               .segment = "__TEXT",
                               .sections = section,
                               .section_count = 1,
                               .symbols = symbols,
                               .symbol_count = count};
}

/* Checks a symbol table whose end is lost. Symbols in Mach-O have no sizes, so the code of the lost symbols would get
 * the names of others; therefore no symbol is used. */
static void no_symbols_of_a_table_that_is_cut(void **state)
{
    static const struct macho_symbol rows[] = {{"_first", 0x0f, 1, 0, 0x1010}, {"_second", 0x0f, 1, 0, 0x1020}};
    const struct macho_section sections[] = {{"__text", "__TEXT", 0x1000, 0x40, code[0].data, CODE, NULL, 0}};
    const struct macho_spec spec = small_program(sections, rows, COUNT_OF(rows));
    const size_t table = 2 * 16 + sizeof "\0_first\0_second"; /* the table: two symbols of 16 bytes, then their names */
    (void)state;
    for (size_t cut = 0; cut < table; cut++) {
        struct file file;
        struct opened opened;
        macho_build(&file, &spec);
        file.size -= cut;
        open_file(&opened, file_view(&file), NULL);
        assert_int_equal(opened.status, FRAMEMAP_OK);
        assert_int_equal(fm_image_symbols(&opened.image, NULL), FRAMEMAP_OK);
        assert_int_equal(opened.image.symbol_count, cut == 0 ? COUNT_OF(rows) : 0);
        close_file(&opened);
    }
}

static void what_is_stripped(void **state)
{
    static const struct {
        const char *why;
        struct macho_symbol symbols[2];
        uint32_t count;
        bool is_stripped;
    } rows[] = {
        {"nothing", {{0}}, 0, true},
        {"the mark of Apple's strip, and the header",
         {{"radr://5614542", 0x3c, 0, 0, 0x5614542}, {"__mh_execute_header", 0x0f, 1, 0x10, 0x1000}},
         2,
         true},
        {"another stab", {{"_main", 0x24, 1, 0, 0x1010}, {"_main", 0x0f, 1, 0, 0x1010}}, 2, false},
        {"a local symbol", {{"_helper", 0x0e, 1, 0, 0x1010}, {"_main", 0x0f, 1, 0, 0x1010}}, 2, false},
    };
    const struct macho_section sections[] = {{"__text", "__TEXT", 0x1000, 0x40, code[0].data, CODE, NULL, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct macho_spec spec = small_program(sections, rows[i].symbols, rows[i].count);
        struct file file;
        struct opened opened;
        macho_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        assert_int_equal(opened.status, FRAMEMAP_OK);
        if (opened.image.is_stripped != rows[i].is_stripped) fail_msg("%s", rows[i].why);
        close_file(&opened);
    }
}

static void thumb_symbols(void **state)
{
    static const struct macho_symbol rows[] = {{"_thumb", 0x0f, 1, 8, 0x1011}, {"_arm", 0x0f, 1, 0, 0x1020}};
    const struct macho_section sections[] = {{"__text", "__TEXT", 0x1000, 0x40, code[0].data, CODE, NULL, 0}};
    const struct macho_spec spec = {.cpu = CPU_ARM,
                                    .subtype = 9,
                                    .type = T_EXECUTE,
                                    .segment = "__TEXT",
                                    .sections = sections,
                                    .section_count = 1,
                                    .symbols = rows,
                                    .symbol_count = 2};
    struct file file;
    struct opened opened;
    (void)state;
    macho_build(&file, &spec);
    open_file(&opened, file_view(&file), NULL);
    assert_int_equal(fm_image_symbols(&opened.image, NULL), FRAMEMAP_OK);
    assert_int_equal(symbol_named(&opened.image, "thumb")->address, 0x1010);
    assert_int_equal(symbol_named(&opened.image, "arm")->address, 0x1020);
    close_file(&opened);
}

/* Checks relocations of an object file. The reader raises the addresses of all sections by the address that it gives
 * to the first one. */
static void object_relocations(void **state)
{
    static const struct {
        const char *why;
        bool big, is64;
        uint32_t cpu, address, word; /* word: the second word of the relocation, as read in the file's byte order */
        uint64_t before;
        /* the expected value is `wanted`, plus `raised` times the number of bytes by which section addresses are
         * raised */
        int64_t wanted;
        int raised;
        unsigned unapplied;
    } rows[] = {
        {"x86-64, of a symbol", false, true, CPU_X86_64, 0, 0 | 3u << 25 | 1u << 27 | 0u << 28, 5, 0x15, 1, 0},
        {"x86-64, of a section", false, true, CPU_X86_64, 0, 1 | 3u << 25, 0x20, 0x20, 1, 0},
        {"x86-64, of debug info", false, true, CPU_X86_64, 0, 2 | 3u << 25, 0x20, 0x20, 0, 0},
        {"x86-64, a difference", false, true, CPU_X86_64, 0, 0 | 3u << 25 | 1u << 27 | 5u << 28, 0, -0x10, -1, 0},
        {"x86-64, of code", false, true, CPU_X86_64, 0, 1u << 24 | 2u << 25 | 1u << 27 | 2u << 28, 7, 7, 0, 1},
        {"arm64, of a symbol", false, true, CPU_ARM64, 0, 0 | 3u << 25 | 1u << 27, 0, 0x10, 1, 0},
        {"arm64, a difference", false, true, CPU_ARM64, 0, 0 | 3u << 25 | 1u << 27 | 1u << 28, 0, -0x10, -1, 0},
        {"32 bit, big-endian", true, false, CPU_PPC, 0, 1u << 8 | 2u << 5, 0x20, 0x20, 1, 0},
        {"scattered", false, false, CPU_386, 0x80000000u | 2u << 28, 0x20, 0x20, 0x20, 1, 0},
        {"half of a difference", false, false, CPU_386, 0x80000000u | 2u << 28 | 4u << 24, 0x20, 0x20, 0x20, 0, 0},
        {"past the end", false, true, CPU_ARM64, 1, 0 | 3u << 25 | 1u << 27, 0, 0, 0, 1},
        {"no such symbol", false, true, CPU_ARM64, 0, 77 | 3u << 25 | 1u << 27, 0, 0, 0, 1}};
    static const struct macho_symbol symbol[] = {{"_f", 0x0f, 1, 0, 0x10}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct file data = {.big = rows[i].big, .is64 = rows[i].is64}, relocation = data, file;
        struct opened opened;
        framemap_str got;
        put_word(&data, rows[i].before);
        put(&relocation, 4, rows[i].address);
        put(&relocation, 4, rows[i].word);
        const struct macho_section sections[] = {
            {"__text", "__TEXT", 0, 0x40, code[0].data, CODE, NULL, 0},
            {"__debug_info", "__DWARF", 0x40, data.size, data.data, DEBUG, relocation.data, 1}};
        const struct macho_spec spec = {.is64 = rows[i].is64,
                                        .big = rows[i].big,
                                        .cpu = rows[i].cpu,
                                        .type = T_OBJECT,
                                        .sections = sections,
                                        .section_count = 2,
                                        .symbols = symbol,
                                        .symbol_count = 1};
        macho_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        assert_int_equal(opened.status, FRAMEMAP_OK);
        const uint64_t distance = opened.image.sections[0].address;
        assert_true(distance >= 4096);
        assert_int_equal(fm_image_contents(&opened.image, 1, &got, &opened.error), FRAMEMAP_OK);
        uint64_t value = 0;
        for (size_t k = 0; k < got.size; k++)
            value = value << 8 | (unsigned char)got.data[rows[i].big ? k : got.size - 1 - k];
        uint64_t wanted = (uint64_t)rows[i].wanted + (uint64_t)(int64_t)rows[i].raised * distance;
        if (!rows[i].is64) wanted &= 0xffffffff;
        if (value != wanted || opened.image.sections[1].unapplied != rows[i].unapplied)
            fail_msg("%s: 0x%llx, wanted 0x%llx", rows[i].why, (unsigned long long)value, (unsigned long long)wanted);
        assert_int_equal(fm_image_symbols(&opened.image, NULL), FRAMEMAP_OK);
        assert_int_equal(opened.image.symbols[0].address, distance + 0x10);
        close_file(&opened);
    }
}

/* --- testing bad files --- */

static void bad_commands(void **state)
{
    enum { FIRST = 32, SEGMENT = 32 + 24 };
    static const struct {
        const char *why;
        size_t at;
        uint64_t value;
        framemap_status status;
        const char *says;
    } rows[] = {
        {"core dump", 12, T_CORE, FRAMEMAP_E_FORMAT, "core dump"},
        {"more commands than bytes", 16, 4000000000u, FRAMEMAP_E_CORRUPT, "load command 3 of 4000000000"},
        {"more bytes than the file", 20, 100000, FRAMEMAP_E_TRUNCATED, "ends inside its load commands"},
        {"a command of no size", FIRST + 4, 0, FRAMEMAP_E_CORRUPT, "load command 0 of 3"},
        {"a command longer than all", FIRST + 4, 100000, FRAMEMAP_E_CORRUPT, "load command 0 of 3"},
        {"more sections than the segment has room for", SEGMENT + 64, 4, FRAMEMAP_E_CORRUPT, "claims more sections"},
        {"as many as can be written", SEGMENT + 64, UINT32_MAX, FRAMEMAP_E_CORRUPT, "claims more sections"}};
    const struct macho_spec spec = {
        .is64 = true, .cpu = CPU_ARM64, .type = T_DYLIB, .segment = "__TEXT", .sections = code, .section_count = 3};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct file file;
        struct opened opened;
        macho_build(&file, &spec);
        set_at(&file, rows[i].at, 4, rows[i].value);
        open_file(&opened, file_view(&file), NULL);
        if (opened.status != rows[i].status || strstr(opened.error.message, rows[i].says) == NULL)
            fail_msg("%s: %d, %s", rows[i].why, (int)opened.status, opened.error.message);
        close_file(&opened);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_width_and_order),
        cmocka_unit_test(architectures),
        cmocka_unit_test(kinds_of_files),
        cmocka_unit_test(debug_sections),
        cmocka_unit_test(sections_without_sizes),
        cmocka_unit_test(function_starts),
        cmocka_unit_test(symbols),
        cmocka_unit_test(no_symbols_of_a_table_that_is_cut),
        cmocka_unit_test(what_is_stripped),
        cmocka_unit_test(thumb_symbols),
        cmocka_unit_test(object_relocations),
        cmocka_unit_test(bad_commands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
