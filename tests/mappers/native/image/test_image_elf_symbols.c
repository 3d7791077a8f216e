/* Tests the symbols of ELF files: which are kept, and their kinds and addresses. */
#include "tests/mappers/native/image/image_build.h"

struct symbol_row {
    const char *name;
    unsigned type, binding;
    uint16_t section;
    uint64_t value, size;
};

/* Builds the names and records of a table; the first record is the null symbol. */
static void build_symbols(struct file *rows, struct file *names, const struct symbol_row *from, size_t count)
{
    put(names, 1, 0);
    put_symbol(rows, 0, 0, 0, 0, 0, 0);
    for (size_t i = 0; i < count; i++) {
        put_symbol(rows, (uint32_t)names->size, from[i].type, from[i].binding, from[i].section, from[i].value,
                   from[i].size);
        put_bytes(names, from[i].name, strlen(from[i].name) + 1);
    }
}

static void which_symbols_count(void **state)
{
    static const struct symbol_row rows[] = {{"function", SYM_FUNC, 1, 1, 0x1010, 16},
                                             {"indirect", SYM_IFUNC, 1, 1, 0x1020, 8},
                                             {"label", SYM_NOTYPE, 0, 1, 0x1030, 0},
                                             {"object", SYM_OBJECT, 2, 2, 0x2000, 4},
                                             {"data_label", SYM_NOTYPE, 1, 2, 0x2010, 0},
                                             {"in_text", SYM_OBJECT, 0, 1, 0x1040, 4},
                                             {"undefined", SYM_FUNC, 1, 0, 0x1000, 0},
                                             {"absolute", SYM_NOTYPE, 1, 0xfff1, 0x1000, 0},
                                             {"common", SYM_OBJECT, 1, 0xfff2, 8, 4},
                                             {"section", SYM_SECTION, 0, 1, 0x1000, 0},
                                             {"file.c", SYM_FILE, 0, 0xfff1, 0, 0},
                                             {"thread", SYM_TLS, 0, 2, 0x10, 4},
                                             {"", SYM_FUNC, 0, 1, 0x1050, 4},
                                             {"nowhere", SYM_FUNC, 0, 99, 0x1000, 4},
                                             {"in_debug", SYM_NOTYPE, 0, 3, 0, 0},
                                             {"memcpy@@GLIBC_2.14", SYM_FUNC, 1, 1, 0x1060, 4},
                                             {"$x", SYM_NOTYPE, 0, 1, 0x1070, 0}};
    static const struct {
        const char *name;
        uint64_t address, size;
        enum fm_symbol_kind kind;
        bool global, weak;
    } wanted[] = {{"function", 0x1010, 16, FM_SYMBOL_FUNCTION, true, false},
                  {"indirect", 0x1020, 8, FM_SYMBOL_FUNCTION, true, false},
                  {"label", 0x1030, 0, FM_SYMBOL_FUNCTION, false, false},
                  {"in_text", 0x1040, 4, FM_SYMBOL_OBJECT, false, false},
                  {"memcpy@@GLIBC_2.14", 0x1060, 4, FM_SYMBOL_FUNCTION, true, false},
                  {"$x", 0x1070, 0, FM_SYMBOL_FUNCTION, false, false},
                  {"object", 0x2000, 4, FM_SYMBOL_OBJECT, true, true},
                  {"data_label", 0x2010, 0, FM_SYMBOL_OBJECT, true, false}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        struct file table = {.big = layouts[i].big, .is64 = layouts[i].is64}, names = table, file;
        struct opened opened;
        build_symbols(&table, &names, rows, COUNT_OF(rows));
        const struct elf_section sections[] = {{".text", S_PROGBITS, F_ALLOC | F_EXEC, 0x1000, NULL, 0x100, 0, 0, 1},
                                               {".data", S_PROGBITS, F_ALLOC | F_WRITE, 0x2000, NULL, 0x100, 0, 0, 1},
                                               {".debug_str", S_PROGBITS, 0, 0, "x", 1, 0, 0, 1},
                                               {".symtab", S_SYMTAB, 0, 0, table.data, table.size, 5, 1, 8},
                                               {".strtab", S_STRTAB, 0, 0, names.data, names.size, 0, 0, 1}};
        const struct elf_spec spec = {.is64 = layouts[i].is64,
                                      .big = layouts[i].big,
                                      .type = E_EXEC,
                                      .machine = M_X86_64,
                                      .sections = sections,
                                      .section_count = 5};
        elf_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        assert_true(opened.image.has_symbols);
        assert_int_equal(fm_image_symbols(&opened.image, NULL), FRAMEMAP_OK);
        assert_int_equal(opened.image.symbol_count, COUNT_OF(wanted));
        for (size_t k = 0; k < COUNT_OF(wanted); k++) {
            const struct fm_symbol *got = &opened.image.symbols[k];
            assert_str(got->name, wanted[k].name);
            assert_int_equal(got->address, wanted[k].address);
            assert_int_equal(got->size, wanted[k].size);
            assert_int_equal(got->kind, wanted[k].kind);
            assert_int_equal(got->global, wanted[k].global);
            assert_int_equal(got->weak, wanted[k].weak);
        }
        close_file(&opened);
    }
}

static void marks_and_mode_bits(void **state)
{
    static const struct {
        const char *why;
        uint16_t machine;
        struct symbol_row row;
        uint64_t wanted; /* address that the symbol must have; 0: the symbol is left out */
    } rows[] = {{"thumb", M_ARM, {"f", SYM_FUNC, 1, 1, 0x1011, 4}, 0x1010},
                {"data keeps its lowest bit", M_ARM, {"d", SYM_OBJECT, 1, 1, 0x1011, 1}, 0x1011},
                {"microMIPS", M_MIPS, {"f", SYM_FUNC, 1, 1, 0x1011, 4}, 0x1010},
                {"odd elsewhere", M_X86_64, {"f", SYM_FUNC, 1, 1, 0x1011, 4}, 0x1011},
                {"ARM code", M_ARM, {"$a", SYM_NOTYPE, 0, 1, 0x1000, 0}, 0},
                {"thumb code", M_ARM, {"$t.7", SYM_NOTYPE, 0, 1, 0x1000, 0}, 0},
                {"data", M_ARM, {"$d", SYM_NOTYPE, 0, 1, 0x1000, 0}, 0},
                {"a name that only begins so", M_ARM, {"$data", SYM_FUNC, 0, 1, 0x1000, 0}, 0x1000},
                {"arm64 code", M_AARCH64, {"$x", SYM_NOTYPE, 0, 1, 0x1000, 0}, 0},
                {"arm64 data", M_AARCH64, {"$d.1", SYM_NOTYPE, 0, 1, 0x1000, 0}, 0},
                {"RISC-V code with its extensions", M_RISCV, {"$xrv64i2p1", SYM_NOTYPE, 0, 1, 0x1000, 0}, 0},
                {"RISC-V data", M_RISCV, {"$d", SYM_NOTYPE, 0, 1, 0x1000, 0}, 0},
                {"C-SKY code", M_CSKY, {"$t", SYM_NOTYPE, 0, 1, 0x1000, 0}, 0},
                {"C-SKY data", M_CSKY, {"$d", SYM_NOTYPE, 0, 1, 0x1000, 0}, 0},
                {"C-SKY has no $x", M_CSKY, {"$x", SYM_NOTYPE, 0, 1, 0x1000, 0}, 0x1000},
                {"RISC-V label", M_RISCV, {".L1", SYM_NOTYPE, 0, 1, 0x1000, 0}, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct file table = {.is64 = true}, names = table, file;
        struct opened opened;
        build_symbols(&table, &names, &rows[i].row, 1);
        const struct elf_section sections[] = {{".text", S_PROGBITS, F_ALLOC | F_EXEC, 0x1000, NULL, 0x100, 0, 0, 1},
                                               {".symtab", S_SYMTAB, 0, 0, table.data, table.size, 3, 1, 8},
                                               {".strtab", S_STRTAB, 0, 0, names.data, names.size, 0, 0, 1}};
        const struct elf_spec spec = {
            .is64 = true, .type = E_EXEC, .machine = rows[i].machine, .sections = sections, .section_count = 3};
        elf_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        assert_int_equal(fm_image_symbols(&opened.image, NULL), FRAMEMAP_OK);
        if (opened.image.symbol_count != (rows[i].wanted != 0))
            fail_msg("%s: %zu symbols", rows[i].why, opened.image.symbol_count);
        if (rows[i].wanted != 0) assert_int_equal(opened.image.symbols[0].address, rows[i].wanted);
        close_file(&opened);
    }
}

/* Checks the tables .symtab and .dynsym together: if both have a symbol at an address, that of .symtab comes first.
 * Section numbers are the extended ones, and symbols of an object file are relative to their sections. */
static void tables_together(void **state)
{
    static const struct symbol_row full[] = {
        {"z_first", SYM_FUNC, 1, 1, 0, 4}, {"wide", SYM_FUNC, 1, 0xffff, 2, 4}, {"too_far", SYM_FUNC, 1, 1, 0x1000, 4}};
    static const struct symbol_row dynamic[] = {{"a_dynamic", SYM_FUNC, 1, 1, 0, 4}};
    static const unsigned char wide[] = {0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
    struct file table = {.is64 = true}, names = table, dynamic_table = table, dynamic_names = table, file;
    struct opened opened;
    (void)state;
    build_symbols(&table, &names, full, COUNT_OF(full));
    build_symbols(&dynamic_table, &dynamic_names, dynamic, COUNT_OF(dynamic));
    const struct elf_section sections[] = {
        {".text", S_PROGBITS, F_ALLOC | F_EXEC, 0, "aaaa", 4, 0, 0, 1},
        {".text.b", S_PROGBITS, F_ALLOC | F_EXEC, 0, "bbbb", 4, 0, 0, 1},
        {".dynsym", S_DYNSYM, F_ALLOC, 0, dynamic_table.data, dynamic_table.size, 4, 1, 8},
        {".dynstr", S_STRTAB, F_ALLOC, 0, dynamic_names.data, dynamic_names.size, 0, 0, 1},
        {".symtab", S_SYMTAB, 0, 0, table.data, table.size, 6, 1, 8},
        {".strtab", S_STRTAB, 0, 0, names.data, names.size, 0, 0, 1},
        {".symtab_shndx", S_XINDEX, 0, 0, wide, sizeof wide, 5, 0, 4}};
    const struct elf_spec spec = {
        .is64 = true, .type = E_REL, .machine = M_X86_64, .sections = sections, .section_count = 7};
    elf_build(&file, &spec);
    open_file(&opened, file_view(&file), NULL);
    assert_int_equal(fm_image_symbols(&opened.image, NULL), FRAMEMAP_OK);
    assert_int_equal(opened.image.symbol_count, 3);
    assert_str(opened.image.symbols[0].name, "z_first");
    assert_false(opened.image.symbols[0].dynamic);
    assert_str(opened.image.symbols[1].name, "a_dynamic");
    assert_true(opened.image.symbols[1].dynamic);
    assert_int_equal(opened.image.symbols[2].address, opened.image.sections[2].address + 2);
    assert_int_equal(opened.image.symbols[2].section, 2);
    close_file(&opened);
}

/* Checks a linked file from which a section before .text was removed: the section numbers in .symtab were updated,
 * those in .dynsym were not and are wrong. */
static void stale_section_numbers(void **state)
{
    static const struct symbol_row dynamic[] = {
        {"stale", SYM_FUNC, 1, 2, 0x1010, 4},        {"past_the_table", SYM_FUNC, 1, 60, 0x1020, 4},
        {"label", SYM_NOTYPE, 1, 2, 0x1030, 0},      {"datum", SYM_OBJECT, 1, 3, 0x2010, 4},
        {"right", SYM_FUNC, 1, 1, 0x1040, 4},        {"_etext", SYM_NOTYPE, 1, 1, 0x1100, 0},
        {"imported", SYM_FUNC, 1, 0, 0x1050, 0},     {"absolute", SYM_NOTYPE, 1, 0xfff1, 0x1060, 0},
        {"in_no_section", SYM_FUNC, 1, 2, 0x5000, 4}};
    static const struct symbol_row full[] = {{"kept_as_stated", SYM_FUNC, 1, 3, 0x1070, 4}};
    static const struct {
        const char *name;
        uint32_t section;
        enum fm_symbol_kind kind;
    } wanted[] = {{"stale", 1, FM_SYMBOL_FUNCTION},         {"past_the_table", 1, FM_SYMBOL_FUNCTION},
                  {"label", 1, FM_SYMBOL_FUNCTION},         {"datum", 2, FM_SYMBOL_OBJECT},
                  {"right", 1, FM_SYMBOL_FUNCTION},         {"_etext", 1, FM_SYMBOL_FUNCTION},
                  {"in_no_section", 2, FM_SYMBOL_FUNCTION}, {"kept_as_stated", 3, FM_SYMBOL_FUNCTION}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        struct file table = {.big = layouts[i].big, .is64 = layouts[i].is64}, names = table, full_table = table,
                    full_names = table, file;
        struct opened opened;
        build_symbols(&table, &names, dynamic, COUNT_OF(dynamic));
        build_symbols(&full_table, &full_names, full, COUNT_OF(full));
        const struct elf_section sections[] = {{".text", S_PROGBITS, F_ALLOC | F_EXEC, 0x1000, NULL, 0x100, 0, 0, 1},
                                               {".data", S_PROGBITS, F_ALLOC | F_WRITE, 0x2000, NULL, 0x100, 0, 0, 1},
                                               {".bss", S_NOBITS, F_ALLOC | F_WRITE, 0x2100, NULL, 0x100, 0, 0, 1},
                                               {".dynsym", S_DYNSYM, F_ALLOC, 0x100, table.data, table.size, 5, 1, 8},
                                               {".dynstr", S_STRTAB, F_ALLOC, 0x800, names.data, names.size, 0, 0, 1},
                                               {".symtab", S_SYMTAB, 0, 0, full_table.data, full_table.size, 7, 1, 8},
                                               {".strtab", S_STRTAB, 0, 0, full_names.data, full_names.size, 0, 0, 1}};
        const struct elf_spec spec = {.is64 = layouts[i].is64,
                                      .big = layouts[i].big,
                                      .type = E_DYN,
                                      .machine = M_X86_64,
                                      .sections = sections,
                                      .section_count = 7};
        elf_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        assert_int_equal(fm_image_symbols(&opened.image, NULL), FRAMEMAP_OK);
        assert_int_equal(opened.image.symbol_count, COUNT_OF(wanted));
        for (size_t k = 0; k < COUNT_OF(wanted); k++) {
            const struct fm_symbol *got = symbol_named(&opened.image, wanted[k].name);
            if (got == NULL || got->section != wanted[k].section || got->kind != wanted[k].kind)
                fail_msg("%s, %s: section %u", layouts[i].name, wanted[k].name,
                         got != NULL ? (unsigned)got->section : 0);
        }
        close_file(&opened);
    }
}

/* Checks a call that reads only the symbols near some addresses: a symbol of .dynsym that is inside a function of
 * .symtab does not replace that function. */
static void symbols_near_addresses(void **state)
{
    static const struct symbol_row full[] = {{"inner_label", SYM_NOTYPE, 0, 1, 0x1048, 0},
                                             {"function", SYM_FUNC, 1, 1, 0x1010, 0x30},
                                             {"short_one", SYM_FUNC, 1, 1, 0x1044, 2}};
    static const struct symbol_row dynamic[] = {{"inside", SYM_OBJECT, 1, 1, 0x1020, 4},
                                                {"outside", SYM_OBJECT, 1, 1, 0x1050, 4}};
    static const struct {
        const char *why;
        uint64_t addresses[2];
        size_t count;
        const char *wanted[2];
        size_t wanted_count;
    } rows[] = {{"in the mark", {0x1022}, 1, {"function"}, 1},
                {"on both sides of the mark", {0x1018, 0x1030}, 2, {"function"}, 1},
                {"in the second of two functions", {0x1018, 0x1045}, 2, {"function", "short_one"}, 2},
                {"after a label", {0x104a}, 1, {"inner_label"}, 1},
                {"in a mark outside of functions", {0x1052}, 1, {"outside"}, 1}};
    struct file table = {.is64 = true}, names = table, dynamic_table = table, dynamic_names = table, file;
    (void)state;
    build_symbols(&table, &names, full, COUNT_OF(full));
    build_symbols(&dynamic_table, &dynamic_names, dynamic, COUNT_OF(dynamic));
    const struct elf_section sections[] = {
        {".text", S_PROGBITS, F_ALLOC | F_EXEC, 0x1000, NULL, 0x100, 0, 0, 1},
        {".dynsym", S_DYNSYM, F_ALLOC, 0x200, dynamic_table.data, dynamic_table.size, 3, 1, 8},
        {".dynstr", S_STRTAB, F_ALLOC, 0x400, dynamic_names.data, dynamic_names.size, 0, 0, 1},
        {".symtab", S_SYMTAB, 0, 0, table.data, table.size, 5, 1, 8},
        {".strtab", S_STRTAB, 0, 0, names.data, names.size, 0, 0, 1}};
    const struct elf_spec spec = {
        .is64 = true, .type = E_DYN, .machine = M_X86_64, .sections = sections, .section_count = 5};
    elf_build(&file, &spec);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct opened opened;
        open_file(&opened, file_view(&file), NULL);
        assert_int_equal(fm_image_symbols_near(&opened.image, rows[i].addresses, rows[i].count, NULL), FRAMEMAP_OK);
        if (opened.image.symbol_count != rows[i].wanted_count)
            fail_msg("%s: %zu symbols", rows[i].why, opened.image.symbol_count);
        for (size_t k = 0; k < rows[i].wanted_count; k++) assert_str(opened.image.symbols[k].name, rows[i].wanted[k]);
        close_file(&opened);
    }
}

/* Checks 64-bit PowerPC with ABI version 1, where "f" names a descriptor, which contains the address of the code. */
static void function_descriptors(void **state)
{
    static const struct symbol_row rows[] = {
        {"f", SYM_FUNC, 1, 2, 0x2018, 0x40}, {".f", SYM_FUNC, 1, 1, 0x1020, 0x40}, {"cut", SYM_FUNC, 1, 2, 0x202c, 0}};
    struct file table = {.is64 = true, .big = true}, names = table, descriptors = table, file;
    struct opened opened;
    (void)state;
    build_symbols(&table, &names, rows, COUNT_OF(rows));
    for (uint64_t i = 0; i < 6; i++) put(&descriptors, 8, i == 3 ? 0x1020 : 0x9999);
    const struct elf_section sections[] = {
        {".text", S_PROGBITS, F_ALLOC | F_EXEC, 0x1000, NULL, 0x100, 0, 0, 1},
        {".opd", S_PROGBITS, F_ALLOC | F_WRITE, 0x2000, descriptors.data, descriptors.size, 0, 0, 8},
        {".symtab", S_SYMTAB, 0, 0, table.data, table.size, 4, 1, 8},
        {".strtab", S_STRTAB, 0, 0, names.data, names.size, 0, 0, 1}};
    const struct elf_spec spec = {
        .is64 = true, .big = true, .type = E_EXEC, .machine = M_PPC64, .sections = sections, .section_count = 4};
    elf_build(&file, &spec);
    open_file(&opened, file_view(&file), NULL);
    assert_int_equal(fm_image_symbols(&opened.image, NULL), FRAMEMAP_OK);
    assert_int_equal(symbol_named(&opened.image, "f")->address, 0x1020);
    assert_int_equal(symbol_named(&opened.image, "f")->section, 1);
    assert_int_equal(symbol_named(&opened.image, "f")->size, 0x40);
    assert_int_equal(symbol_named(&opened.image, ".f")->address, 0x1020);
    assert_int_equal(symbol_named(&opened.image, "cut")->address, 0x202c); /* the descriptor of "cut" is truncated */
    close_file(&opened);
}

/* --- testing files without a section table --- */

enum { AT_DYNAMIC = 0x200, AT_HASH = 0x300, AT_SYMBOLS = 0x400, AT_NAMES = 0x500, FILE_END = 0x600 };

static void build_without_sections(struct file *file, const struct layout *layout, bool gnu_hash)
{
    static const struct symbol_row rows[] = {{"imported", SYM_FUNC, 1, 0, 0, 0},
                                             {"exported", SYM_FUNC, 1, 7, 0x8010, 8},
                                             {"datum", SYM_OBJECT, 1, 9, 0x9000, 8}};
    const struct elf_segment segments[] = {{1, 5, 0, 0x8000, FILE_END, FILE_END, 0x1000},
                                           {1, 6, 0, 0x9000, 0, 0x100, 0x1000},
                                           {2, 6, AT_DYNAMIC, 0x8000 + AT_DYNAMIC, 0x60, 0x60, 8}};
    const struct elf_spec spec = {.is64 = layout->is64,
                                  .big = layout->big,
                                  .type = E_DYN,
                                  .machine = M_AARCH64,
                                  .segments = segments,
                                  .segment_count = 3,
                                  .no_section_table = true};
    struct file table = {.big = layout->big, .is64 = layout->is64}, names = table;
    const uint64_t dynamic[] = {
        gnu_hash ? 0x6ffffef5 : 4, 0x8000 + AT_HASH, 5, 0x8000 + AT_NAMES, 6, 0x8000 + AT_SYMBOLS, 10, 0, 0, 0};

    build_symbols(&table, &names, rows, COUNT_OF(rows));
    elf_build(file, &spec);
    file->size = AT_DYNAMIC;
    for (size_t i = 0; i < COUNT_OF(dynamic); i++) put_word(file, i == 7 ? names.size : dynamic[i]);
    file->size = AT_HASH;
    if (gnu_hash) {
        /* the hash table has 2 buckets, first hashed symbol 2, one bloom word, shift 0; bucket 0 contains symbols 2 and
         * 3 */
        for (size_t i = 0; i < 4; i++) put(file, 4, (uint64_t[]){2, 2, 1, 0}[i]);
        put_word(file, 0);
        for (size_t i = 0; i < 4; i++) put(file, 4, (uint64_t[]){2, 0, 0x10, 0x11}[i]);
    } else {
        put(file, 4, 1);
        put(file, 4, 4);
    }
    file->size = AT_SYMBOLS;
    put_bytes(file, table.data, table.size);
    put_symbol(file, 1, SYM_FUNC, 1, 7, 0x8020, 8); /* this symbol is after the end of the table */
    file->size = AT_NAMES;
    put_bytes(file, names.data, names.size);
    file->size = FILE_END;
}

static void symbols_as_the_loader_finds_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(layouts) * 2; i++) {
        struct file file;
        struct opened opened;
        build_without_sections(&file, &layouts[i / 2], i % 2 != 0);
        open_file(&opened, file_view(&file), NULL);
        assert_int_equal(opened.status, FRAMEMAP_OK);
        assert_true(opened.image.has_symbols);
        assert_int_equal(opened.image.base, 0x8000);
        assert_int_equal(opened.image.section_count, 2);
        assert_true(fm_image_is_code(&opened.image, 0x8010));
        assert_false(fm_image_is_code(&opened.image, 0x9000));
        assert_int_equal(fm_image_symbols(&opened.image, NULL), FRAMEMAP_OK);
        assert_int_equal(opened.image.symbol_count, 2);
        assert_int_equal(symbol_named(&opened.image, "exported")->kind, FM_SYMBOL_FUNCTION);
        assert_int_equal(symbol_named(&opened.image, "datum")->kind, FM_SYMBOL_OBJECT);
        close_file(&opened);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(which_symbols_count),
        cmocka_unit_test(marks_and_mode_bits),
        cmocka_unit_test(tables_together),
        cmocka_unit_test(stale_section_numbers),
        cmocka_unit_test(symbols_near_addresses),
        cmocka_unit_test(function_descriptors),
        cmocka_unit_test(symbols_as_the_loader_finds_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
