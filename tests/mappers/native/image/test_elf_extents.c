/* Tests of the sizes of ELF sections that do not record them (elf_extents.c). */
#include "tests/mappers/native/image/image_build.h"

/* The sizes that up to five sections in memory must have once the file is opened. */
struct wanted {
    const char *name;
    uint32_t type;
    uint64_t flags, address, size, wanted;
};
struct load {
    uint64_t address, memory_size;
};
struct sized {
    uint16_t section; /* number of a section, from 1 */
    uint64_t value, size;
    unsigned type;
};

enum { CODE = F_ALLOC | F_EXEC, DATA = F_ALLOC | F_WRITE, CONSTANT = F_ALLOC };
#define TO_THE_END UINT64_MAX

static const struct row {
    const char *why;
    uint16_t type;
    struct wanted sections[5];
    struct load loads[3];
    struct sized symbols[3];
    const char *kind;
} rows[] = {
    {"as Dart's compiler writes it: code and constants end with their segments, or where the next section starts",
     E_DYN,
     {{".rodata", S_NOBITS, CONSTANT, 0x200, 0, 0xd00},
      {".eh_frame", S_NOBITS, CONSTANT, 0xf00, 0, 0x80},
      {".text", S_NOBITS, CODE, 0x4000, 0, 0x1230},
      {".bss", S_NOBITS, DATA, 0x8000, 0, 0x10},
      {".dynamic", 6, DATA, 0x8010, 0x30, 0x30}},
     {{0, 0xf80}, {0x4000, 0x1230}, {0x8000, 0x40}},
     {{0}},
     "debug file"},
    {"no segments: up to the next section, the last one as far as its symbols reach",
     E_EXEC,
     {{".text", S_NOBITS, CODE, 0x401000, 0, 0x1000}, {".rodata", S_NOBITS, CONSTANT, 0x402000, 0, 0x24}},
     {{0}},
     {{2, 0x402000, 8, SYM_OBJECT}, {2, 0x402020, 4, SYM_OBJECT}},
     "debug file"},
    {"neither segments nor symbols: the debug info alone limits the last one",
     E_EXEC,
     {{".text", S_NOBITS, CODE, 0x401000, 0, TO_THE_END}},
     {{0}},
     {{0}},
     "debug file"},
    {"a segment that loads none of it: symbols limit it",
     E_EXEC,
     {{".text", S_NOBITS, CODE, 0x401000, 0, 0x18}, {".rodata", S_NOBITS, CONSTANT, 0x402000, 0, 0}},
     {{0x401000, 0}},
     {{1, 0x401010, 8, SYM_FUNC}},
     "debug file"},
    {"sizes that are recorded stay, and so do sections that are empty",
     E_EXEC,
     {{".text", S_NOBITS, CODE, 0x401000, 0x80, 0x80},
      {".init_array", S_NOBITS, DATA, 0x402000, 0, 0},
      {".bss", S_NOBITS, DATA, 0x402010, 0x10, 0x10}},
     {{0x401000, 0x80}, {0x402000, 0x20}},
     {{0}},
     "debug file"},
    {"one section alone lost its size: data that is empty without it stays empty, unless a symbol is in it",
     E_EXEC,
     {{".init", S_NOBITS, CODE, 0x401000, 0x10, 0x10},
      {".text", S_NOBITS, CODE, 0x401010, 0, 0xff0},
      {".rodata", S_NOBITS, CONSTANT, 0x402000, 0, 0x100},
      {".data", S_NOBITS, DATA, 0x403000, 0, 0}},
     {{0x401000, 0x1000}, {0x402000, 0x100}, {0x403000, 0x10}},
     {{3, 0x402010, 4, SYM_OBJECT}},
     "debug file"},
    {"two at one address: the first is the empty one",
     E_EXEC,
     {{".empty", S_NOBITS, CODE, 0x401000, 0, 0}, {".text", S_NOBITS, CODE, 0x401000, 0, 0x80}},
     {{0x401000, 0x80}},
     {{0}},
     "debug file"},
    {"two at one address, symbols in the first",
     E_EXEC,
     {{".text", S_NOBITS, CODE, 0x401000, 0, 0x80}, {".empty", S_NOBITS, CODE, 0x401000, 0, 0}},
     {{0x401000, 0x80}},
     {{1, 0x401000, 8, SYM_FUNC}},
     "debug file"},
    {"empty code where a section with a size starts",
     E_EXEC,
     {{".text", S_NOBITS, CODE, 0x401000, 0, 0}, {".text.hot", S_NOBITS, CODE, 0x401000, 0x40, 0x40}},
     {{0x401000, 0x80}},
     {{0}},
     "debug file"},
    {"a program: its empty .bss is empty",
     E_EXEC,
     {{".text", S_PROGBITS, CODE, 0x401000, 4, 4}, {".bss", S_NOBITS, DATA, 0x402000, 0, 0}},
     {{0x401000, 4}, {0x402000, 0x10}},
     {{1, 0x402000, 8, SYM_OBJECT}},
     "executable"},
    {"thread-local room has no addresses of its own",
     E_EXEC,
     {{".text", S_NOBITS, CODE, 0x401000, 0, 0x80}, {".tbss", S_NOBITS, DATA | F_TLS, 0x401010, 0, 0}},
     {{0x401000, 0x80}},
     {{2, 0x401010, 8, SYM_OBJECT}},
     "debug file"},
    {"an object: each section as far as its symbols reach; sections and files are not among them",
     E_REL,
     {{".text", S_NOBITS, CODE, 0, 0, 0x30}, {".text.b", S_NOBITS, CODE, 0, 0, 8}, {".data", S_NOBITS, DATA, 0, 0, 0}},
     {{0}},
     {{1, 0x20, 0x10, SYM_FUNC}, {2, 0, 8, SYM_NOTYPE}, {3, 0, 8, SYM_SECTION}},
     "object"},
    {"a symbol that wraps around, and one below its section",
     E_EXEC,
     {{".text", S_NOBITS, CODE, 0x401000, 0, 0x10}},
     {{0}},
     {{1, 0x401000, 0x10, SYM_FUNC}, {1, 0x401010, UINT64_MAX, SYM_FUNC}, {1, 0x1000, 8, SYM_FUNC}},
     "debug file"},
};

static size_t list_sections(const struct row *row, struct elf_section *out, const struct file *symbols)
{
    size_t count = 0;
    for (; count < COUNT_OF(row->sections) && row->sections[count].name != NULL; count++) {
        const struct wanted *section = &row->sections[count];
        out[count] = (struct elf_section){
            section->name, section->type, section->flags, section->address, NULL, section->size, 0, 0, 1};
    }
    out[count] = (struct elf_section){".symtab", S_SYMTAB, 0, 0, symbols->data, symbols->size, 0, 1, 8};
    return count + 1;
}

static void build_row(struct file *file, const struct row *row, const struct layout *layout)
{
    struct elf_section sections[6];
    struct elf_segment loads[3];
    struct file symbols = {.big = layout->big, .is64 = layout->is64};
    size_t load_count = 0;

    put_symbol(&symbols, 0, 0, 0, 0, 0, 0);
    for (size_t i = 0; i < COUNT_OF(row->symbols) && row->symbols[i].section != 0; i++)
        put_symbol(&symbols, 0, row->symbols[i].type, 1, row->symbols[i].section, row->symbols[i].value,
                   row->symbols[i].size);
    for (; load_count < COUNT_OF(row->loads) &&
           (row->loads[load_count].address != 0 || row->loads[load_count].memory_size != 0);
         load_count++)
        loads[load_count] = (struct elf_segment){
            1, 5, 0, row->loads[load_count].address, 0, row->loads[load_count].memory_size, 0x1000};
    const size_t count = list_sections(row, sections, &symbols);
    const struct elf_spec spec = {.is64 = layout->is64,
                                  .big = layout->big,
                                  .type = row->type,
                                  .machine = M_PPC64,
                                  .sections = sections,
                                  .section_count = count,
                                  .segments = loads,
                                  .segment_count = load_count};
    elf_build(file, &spec);
}

static uint64_t size_of(const struct wanted *wanted, bool is64)
{
    if (wanted->wanted != TO_THE_END) return wanted->wanted;
    return (is64 ? UINT64_MAX : UINT64_C(1) << 32) - wanted->address;
}

static void sizes_that_headers_do_not_record(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows) * COUNT_OF(layouts); i++) {
        const struct row *row = &rows[i / COUNT_OF(layouts)];
        const struct layout *layout = &layouts[i % COUNT_OF(layouts)];
        struct file file;
        struct opened opened;
        if (!layout->is64 && row->symbols[1].size == UINT64_MAX)
            continue; /* in a 32-bit file, this row has no sum that wraps around */
        build_row(&file, row, layout);
        open_file(&opened, file_view(&file), NULL);
        if (opened.status != FRAMEMAP_OK) fail_msg("%s, %s: %s", row->why, layout->name, opened.error.message);
        for (size_t s = 0; s < COUNT_OF(row->sections) && row->sections[s].name != NULL; s++) {
            const uint64_t size = opened.image.sections[s + 1].size;
            if (size != size_of(&row->sections[s], layout->is64))
                fail_msg("%s, %s: %s has 0x%llx", row->why, layout->name, row->sections[s].name,
                         (unsigned long long)size);
        }
        if (strcmp(opened.image.type, row->kind) != 0) fail_msg("%s: %s", row->why, opened.image.type);
        close_file(&opened);
    }
}

/* Checks that the base is the page of the lowest section if there are no segments. */
static void base_without_segments(void **state)
{
    static const struct {
        const char *why;
        uint64_t flags, address, wanted;
    } bases[] = {{"a program that is linked to one place", CODE, 0x400230, 0x400000},
                 {"a library", CODE, 0x230, 0},
                 {"what is not loaded has no place", 0, 0x400230, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(bases); i++) {
        const struct elf_section sections[] = {
            {".text", S_NOBITS, bases[i].flags, bases[i].address, NULL, 0x10, 0, 0, 1}};
        const struct elf_spec spec = {
            .is64 = true, .type = E_DYN, .machine = M_X86_64, .sections = sections, .section_count = 1};
        struct file file;
        struct opened opened;
        elf_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        if (opened.image.base != bases[i].wanted)
            fail_msg("%s: 0x%llx", bases[i].why, (unsigned long long)opened.image.base);
        close_file(&opened);
    }
}

/* Checks the names of exported symbols, which identify Dart programs. */
static void exported_names(void **state)
{
    static const char strings[] = "\0inner\0outer";
    static const struct {
        const char *why;
        uint32_t dynamic_type; /* section type of .dynsym */
        uint32_t first_global, globals;
        const char *word;
        bool wanted;
    } cases[] = {{"a dynamic symbol", S_DYNSYM, 1, 0, "oute", true},
                 {"any text of the dynamic names", S_DYNSYM, 1, 0, "inne", true},
                 {"dynamic symbols went with the code: a global one", S_NOBITS, 2, 1, "oute", true},
                 {"a local one is not exported", S_NOBITS, 2, 1, "inne", false},
                 {"so many are not searched", S_NOBITS, 2, 17, "oute", false},
                 {"none is global", S_NOBITS, 3, 1, "oute", false}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct file symbols = {.is64 = true}, file;
        put_symbol(&symbols, 0, 0, 0, 0, 0, 0);
        put_symbol(&symbols, 1, SYM_FUNC, 0, 1, 0x1000, 4);
        for (uint32_t global = 0; global < cases[i].globals; global++)
            put_symbol(&symbols, 7, SYM_FUNC, 1, 1, 0x1000, 4);
        const bool dynamic = cases[i].dynamic_type == S_DYNSYM;
        const struct elf_section sections[] = {
            {".text", S_NOBITS, CODE, 0x1000, NULL, 4, 0, 0, 1},
            {".dynsym", cases[i].dynamic_type, F_ALLOC, 0, dynamic ? symbols.data : NULL, dynamic ? symbols.size : 0, 4,
             1, 8},
            {".symtab", S_SYMTAB, 0, 0, symbols.data, symbols.size, 4, cases[i].first_global, 8},
            {".strtab", S_STRTAB, 0, 0, strings, sizeof strings, 0, 0, 1}};
        const struct elf_spec spec = {
            .is64 = true, .type = E_DYN, .machine = M_X86_64, .sections = sections, .section_count = 4};
        elf_build(&file, &spec);
        if (fm_image_names_hold(file_view(&file), framemap_str_of(cases[i].word)) != cases[i].wanted)
            fail_msg("%s", cases[i].why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_that_headers_do_not_record),
                                       cmocka_unit_test(base_without_segments), cmocka_unit_test(exported_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
