/* Tests of opening ELF files: headers, ids, addresses, bad files. */
#include "tests/mappers/native/image/image_build.h"

/* Writes a "GNU" note, padded to four bytes; all bytes of the id are `fill`. */
static void put_note(struct file *file, uint32_t type, const char *name, size_t name_size, unsigned char fill,
                     uint32_t size)
{
    put(file, 4, name_size);
    put(file, 4, size);
    put(file, 4, type);
    put_bytes(file, name, name_size);
    pad_to(file, 4);
    for (uint32_t i = 0; i < size; i++) put(file, 1, fill);
    pad_to(file, 4);
}

/* --- testing headers --- */

static void every_class_and_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        struct file note = {.big = layouts[i].big}, file;
        struct opened opened;
        put_note(&note, 1, "GNU", 4, 0x11, 16); /* in real files, the note with the ABI tag precedes the id */
        put_note(&note, 3, "GNU", 4, 0xab, 20);
        const struct elf_section sections[] = {
            {".text", S_PROGBITS, F_ALLOC | F_EXEC, 0x10100, "code", 4, 0, 0, 16},
            {".note.gnu.build-id", S_NOTE, F_ALLOC, 0x10200, note.data, note.size, 0, 0, 4},
            {".bss", S_NOBITS, F_ALLOC | F_WRITE, 0x20000, NULL, 0x1000, 0, 0, 16},
        };
        const struct elf_segment segments[] = {{1, 5, 0, 0x10040, 0x1000, 0x1000, 0x10000},
                                               {1, 6, 0, 0x20000, 0, 0x1000, 0x10000}};
        const struct elf_spec spec = {.is64 = layouts[i].is64,
                                      .big = layouts[i].big,
                                      .type = E_DYN,
                                      .machine = M_PPC64,
                                      .sections = sections,
                                      .section_count = 3,
                                      .segments = segments,
                                      .segment_count = 2};
        elf_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        if (opened.status != FRAMEMAP_OK) fail_msg("%s: %s", layouts[i].name, opened.error.message);
        assert_int_equal(opened.image.is64, layouts[i].is64);
        assert_int_equal(opened.image.big_endian, layouts[i].big);
        assert_string_equal(opened.image.arch, layouts[i].big ? "ppc64" : "ppc64le");
        assert_string_equal(opened.image.id, "abababababababababababababababababababab");
        assert_string_equal(opened.image.type, "shared library");
        assert_int_equal(opened.image.base, 0x10000); /* 0x10040 is at the start of its 64 KiB page */
        assert_int_equal(opened.image.section_count, 5);
        const uint32_t text = fm_image_section(&opened.image, FM_STR(".text"));
        assert_int_equal(text, 1);
        assert_str(opened.image.sections[text].stored, "code");
        assert_int_equal(opened.image.sections[text].flags, FM_SECTION_ALLOC | FM_SECTION_EXEC);
        assert_int_equal(opened.image.sections[3].flags, FM_SECTION_ALLOC | FM_SECTION_NOBITS);
        assert_int_equal(opened.image.sections[3].size, 0x1000);
        assert_int_equal(fm_image_section(&opened.image, FM_STR(".data")), UINT32_MAX);
        close_file(&opened);
    }
}

static void machines_by_name(void **state)
{
    static const struct {
        uint16_t machine;
        bool is64, big;
        const char *arch;
    } rows[] = {
        {M_X86_64, true, false, "x86_64"}, {M_386, false, false, "i386"},      {M_AARCH64, true, false, "arm64"},
        {M_ARM, false, false, "arm"},      {M_MIPS, true, false, "mips64el"},  {M_MIPS, false, true, "mips"},
        {M_RISCV, true, false, "riscv64"}, {M_RISCV, false, false, "riscv32"}, {M_S390, true, true, "s390x"},
        {20, false, true, "ppc"},          {43, true, true, "sparc64"},        {258, true, false, "loongarch64"},
        {4, false, true, "m68k"},          {15, false, true, "hppa"},          {42, false, false, "sh"},
        {83, false, false, "avr"},         {92, false, true, "or1k"},          {94, false, false, "xtensa"},
        {105, false, false, "msp430"},     {164, false, false, "hexagon"},     {195, false, false, "arc"},
        {224, true, false, "amdgpu"},      {247, true, false, "bpf"},          {247, true, true, "bpfeb"},
        {252, false, false, "csky"},       {0x9026, true, false, "alpha"},     {9999, true, false, "elf-9999"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct elf_spec spec = {
            .is64 = rows[i].is64, .big = rows[i].big, .type = E_EXEC, .machine = rows[i].machine};
        struct file file;
        struct opened opened;
        elf_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        assert_int_equal(opened.status, FRAMEMAP_OK);
        assert_string_equal(opened.image.arch, rows[i].arch);
        close_file(&opened);
    }
}

static void counts_that_do_not_fit_the_header(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(layouts); i++) {
        const struct elf_section sections[] = {{".text", S_PROGBITS, F_ALLOC | F_EXEC, 0x401000, "x", 1, 0, 0, 1}};
        const struct elf_segment segments[] = {{1, 5, 0, 0x401000, 1, 1, 0x1000}};
        const struct elf_spec spec = {.is64 = layouts[i].is64,
                                      .big = layouts[i].big,
                                      .type = E_EXEC,
                                      .machine = M_ARM,
                                      .sections = sections,
                                      .section_count = 1,
                                      .segments = segments,
                                      .segment_count = 1,
                                      .extended = true};
        struct file file;
        struct opened opened;
        elf_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        assert_int_equal(opened.status, FRAMEMAP_OK);
        assert_int_equal(opened.image.section_count, 3);
        assert_int_equal(fm_image_section(&opened.image, FM_STR(".text")), 1);
        assert_int_equal(opened.image.base, 0x401000);
        close_file(&opened);
    }
}

static void kinds_of_files(void **state)
{
    static const struct {
        const char *name;
        uint16_t type;
        const char *section;
        uint32_t section_type, segment;
        const char *wanted;
    } rows[] = {{"object", E_REL, ".text", S_PROGBITS, 0, "object"},
                {"module", E_REL, ".modinfo", S_PROGBITS, 0, "kernel module"},
                {"program", E_EXEC, ".text", S_PROGBITS, 0, "executable"},
                {"position-independent program", E_DYN, ".text", S_PROGBITS, 3, "executable"},
                {"library", E_DYN, ".text", S_PROGBITS, 2, "shared library"},
                {"split off", E_DYN, ".text", S_NOBITS, 0, "debug file"},
                {"split off, not relocatable", E_EXEC, ".text", S_NOBITS, 0, "debug file"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct elf_section sections[] = {{rows[i].section, rows[i].section_type, F_ALLOC | F_EXEC, 0x1000,
                                                rows[i].section_type == S_NOBITS ? NULL : "x", 1, 0, 0, 1}};
        const struct elf_segment segments[] = {{rows[i].segment, 4, 0, 0, 0, 0, 1}};
        const struct elf_spec spec = {.is64 = true,
                                      .type = rows[i].type,
                                      .machine = M_X86_64,
                                      .sections = sections,
                                      .section_count = 1,
                                      .segments = segments,
                                      .segment_count = rows[i].segment ? 1 : 0};
        struct file file;
        struct opened opened;
        elf_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        if (strcmp(opened.image.type, rows[i].wanted) != 0) fail_msg("%s: \"%s\"", rows[i].name, opened.image.type);
        close_file(&opened);
    }
}

/* --- testing ids and links to debug files --- */

static void build_ids(void **state)
{
    static const struct {
        const char *why;
        uint32_t type, size;
        const char *name, *wanted;
    } rows[] = {{"MD5", 3, 16, "GNU", "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"},
                {"one byte", 3, 1, "GNU", "cd"},
                {"not a multiple of four", 3, 3, "GNU", "cdcdcd"},
                {"the most there is room for", 3, 32, "GNU",
                 "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd"},
                {"longer than any", 3, 33, "GNU", ""},
                {"empty", 3, 0, "GNU", ""},
                {"of somebody else", 3, 4, "XYZ", ""},
                {"another note", 2, 4, "GNU", ""}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (int through_segment = 0; through_segment < 2; through_segment++) {
            struct file note = {.size = 0}, file;
            struct opened opened;
            put_note(&note, rows[i].type, rows[i].name, 4, 0xcd, rows[i].size);
            const struct elf_section sections[] = {{".note", S_NOTE, F_ALLOC, 0, note.data, note.size, 0, 0, 4}};
            const struct elf_segment segments[] = {{4, 4, 64 + 56, 0, note.size, note.size, 4}};
            struct elf_spec spec = {
                .is64 = true, .type = E_DYN, .machine = M_X86_64, .sections = sections, .section_count = 1};
            if (through_segment)
                spec = (struct elf_spec){.is64 = true,
                                         .type = E_DYN,
                                         .machine = M_X86_64,
                                         .segments = segments,
                                         .segment_count = 1,
                                         .no_section_table = true};
            elf_build(&file, &spec);
            if (through_segment) put_bytes(&file, note.data, note.size);
            open_file(&opened, file_view(&file), NULL);
            assert_int_equal(opened.status, FRAMEMAP_OK);
            if (strcmp(opened.image.id, rows[i].wanted) != 0) fail_msg("%s: \"%s\"", rows[i].why, opened.image.id);
            close_file(&opened);
        }
    }
}

static void links_to_debug_files(void **state)
{
    (void)state;
    const struct elf_section sections[] = {
        {".gnu_debuglink", S_PROGBITS, 0, 0, "libx.so.debug\0\0\0\1\2\3\4", 20, 0, 0, 4},
        {".gnu_debugaltlink", S_PROGBITS, 0, 0, "/usr/lib/debug/.dwz/x\0\xde\xad", 24, 0, 0, 1}};
    const struct elf_spec spec = {
        .is64 = true, .type = E_DYN, .machine = M_X86_64, .sections = sections, .section_count = 2};
    struct file file;
    struct opened opened;
    elf_build(&file, &spec);
    open_file(&opened, file_view(&file), NULL);
    assert_str(opened.image.debuglink, "libx.so.debug");
    assert_str(opened.image.altlink, "/usr/lib/debug/.dwz/x");
    assert_string_equal(opened.image.altlink_id, "dead");
    close_file(&opened);
}

static void links_that_a_linker_joined(void **state)
{
    (void)state;
    const struct elf_section section = {
        ".gnu_debuglink", S_PROGBITS, 0, 0, "start.o\0\1\2\3\4end.o\0\0\0\5\6\7\x8", 24, 0, 0, 4};
    const struct elf_spec spec = {
        .is64 = true, .type = E_DYN, .machine = M_X86_64, .sections = &section, .section_count = 1};
    struct file file;
    struct opened opened;
    elf_build(&file, &spec);
    open_file(&opened, file_view(&file), NULL);
    /* the links of several parts were joined, and none of them belongs to the image */
    assert_int_equal(opened.image.debuglink.size, 0);
    close_file(&opened);
}

/* --- testing addresses of sections and images --- */

static void sections_of_addresses(void **state)
{
    static const struct {
        const char *why;
        uint64_t address;
        uint32_t wanted;
        bool code;
    } rows[] = {{"before all", 0xfff, UINT32_MAX, false},
                {"first byte", 0x1000, 1, true},
                {"last byte", 0x10ff, 1, true},
                {"end, where data begins", 0x1100, 2, false},
                {"thread-local room hides nothing", 0x1210, 4, false},
                {"inside of another: the one that begins last", 0x2080, 6, true},
                {"after the inner one: the outer again", 0x2100, 5, false},
                {"end of both", 0x2200, UINT32_MAX, false},
                {"debug info has no address", 0, UINT32_MAX, false},
                {"the very last", UINT64_MAX, UINT32_MAX, false}};
    const struct elf_section sections[] = {{".text", S_PROGBITS, F_ALLOC | F_EXEC, 0x1000, NULL, 0x100, 0, 0, 1},
                                           {".data", S_PROGBITS, F_ALLOC | F_WRITE, 0x1100, NULL, 0x100, 0, 0, 1},
                                           {".tbss", S_NOBITS, F_ALLOC | F_WRITE | F_TLS, 0x1200, NULL, 0x100, 0, 0, 1},
                                           {".bss", S_NOBITS, F_ALLOC | F_WRITE, 0x1200, NULL, 0x100, 0, 0, 1},
                                           {"outer", S_NOBITS, F_ALLOC, 0x2000, NULL, 0x200, 0, 0, 1},
                                           {"inner", S_NOBITS, F_ALLOC | F_EXEC, 0x2080, NULL, 0x80, 0, 0, 1},
                                           {".debug_info", S_PROGBITS, 0, 0, "x", 1, 0, 0, 1}};
    const struct elf_spec spec = {
        .is64 = true, .type = E_EXEC, .machine = M_X86_64, .sections = sections, .section_count = COUNT_OF(sections)};
    struct file file;
    struct opened opened;
    (void)state;
    elf_build(&file, &spec);
    open_file(&opened, file_view(&file), NULL);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (fm_image_section_at(&opened.image, rows[i].address) != rows[i].wanted ||
            fm_image_is_code(&opened.image, rows[i].address) != rows[i].code)
            fail_msg("%s: section %u", rows[i].why, (unsigned)fm_image_section_at(&opened.image, rows[i].address));
    }
    close_file(&opened);
}

static void objects_are_laid_out(void **state)
{
    (void)state;
    const struct elf_section sections[] = {
        {".text", S_PROGBITS, F_ALLOC | F_EXEC, 0, "aaaa", 4, 0, 0, 16},
        {".debug_info", S_PROGBITS, 0, 0, "x", 1, 0, 0, 1},
        {".text.b", S_PROGBITS, F_ALLOC | F_EXEC, 0, "bbbbb", 5, 0, 0, 16},
        {".text", S_PROGBITS, F_ALLOC | F_EXEC, 0, "c", 1, 0, 0, 3 /* this alignment is not a power of two */},
        {".bss", S_NOBITS, F_ALLOC, 0, NULL, UINT64_MAX - 5, 0, 0, 1},
        {".last", S_PROGBITS, F_ALLOC, 0, "d", 1, 0, 0, UINT64_C(1) << 63}};
    const struct elf_spec spec = {
        .is64 = true, .type = E_REL, .machine = M_X86_64, .sections = sections, .section_count = COUNT_OF(sections)};
    struct file file;
    struct opened opened;
    elf_build(&file, &spec);
    open_file(&opened, file_view(&file), NULL);
    const struct fm_section *laid = opened.image.sections;
    assert_int_equal(opened.image.base, 0);
    assert_true(opened.image.relocatable);
    assert_true(laid[1].address >= 4096); /* a section at address 0 would count as discarded */
    assert_int_equal(laid[1].address % 16, 0);
    assert_int_equal(laid[2].address, 0);
    assert_int_equal(laid[3].address % 16, 0);
    assert_true(laid[3].address > laid[1].address + 4); /* the end of a section must not be the start of the next one */
    assert_true(laid[4].address > laid[3].address + 5);
    assert_true(laid[5].damaged);
    assert_int_equal(laid[5].flags & FM_SECTION_ALLOC, 0);
    assert_true(laid[6].address > laid[4].address + 1);
    assert_int_equal(fm_image_section_at(&opened.image, laid[4].address), 4);
    assert_int_equal(fm_image_section(&opened.image, FM_STR(".text")), 1);
    close_file(&opened);
}

/* --- testing bad files --- */

static void refusals(void **state)
{
    static const struct {
        const char *why;
        size_t at; /* offset of a header field of a 64-bit file */
        unsigned width;
        uint64_t value;
        framemap_status status;
        const char *says;
    } rows[] = {
        {"class", 4, 1, 3, FRAMEMAP_E_CORRUPT, "class 3"},
        {"byte order", 5, 1, 0, FRAMEMAP_E_CORRUPT, "byte order 0"},
        {"core dump", 16, 2, E_CORE, FRAMEMAP_E_FORMAT, "core dump"},
        {"table past the end", 40, 8, 1000000, FRAMEMAP_E_TRUNCATED, "section table is past the end"},
        {"table that wraps", 40, 8, UINT64_MAX - 8, FRAMEMAP_E_TRUNCATED, "section table is past the end"},
        {"rows too small", 58, 2, 8, FRAMEMAP_E_CORRUPT, "entries of the section table have 8 bytes"},
        {"more rows than bytes", 60, 2, 60000, FRAMEMAP_E_TRUNCATED, "section table is past the end"},
        {"segments past the end", 32, 8, 1000000, FRAMEMAP_E_TRUNCATED, "program header table is past the end"}};
    const struct elf_section sections[] = {{".text", S_PROGBITS, F_ALLOC | F_EXEC, 0x1000, "x", 1, 0, 0, 1}};
    const struct elf_segment segments[] = {{1, 5, 0, 0x1000, 1, 1, 0x1000}};
    const struct elf_spec spec = {.is64 = true,
                                  .type = E_EXEC,
                                  .machine = M_X86_64,
                                  .sections = sections,
                                  .section_count = 1,
                                  .segments = segments,
                                  .segment_count = 1};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct file file;
        struct opened opened;
        elf_build(&file, &spec);
        set_at(&file, rows[i].at, rows[i].width, rows[i].value);
        open_file(&opened, file_view(&file), NULL);
        if (opened.status != rows[i].status || strstr(opened.error.message, rows[i].says) == NULL)
            fail_msg("%s: %d, %s", rows[i].why, (int)opened.status, opened.error.message);
        close_file(&opened);
    }
}

static void an_object_without_sections(void **state)
{
    const struct elf_spec spec = {.is64 = true, .type = E_REL, .machine = M_X86_64, .no_section_table = true};
    struct file file;
    struct opened opened;
    (void)state;
    elf_build(&file, &spec);
    open_file(&opened, file_view(&file), NULL);
    assert_int_equal(opened.status, FRAMEMAP_E_CORRUPT);
    assert_non_null(strstr(opened.error.message, "has no section table"));
    close_file(&opened);
}

static void a_section_past_the_end_spoils_itself_alone(void **state)
{
    const struct elf_section sections[] = {{".text", S_PROGBITS, F_ALLOC | F_EXEC, 0x1000, "x", 1, 0, 0, 1},
                                           {".debug_info", S_PROGBITS, 0, 0, NULL, UINT32_MAX, 0, 0, 1}};
    const struct elf_spec spec = {
        .is64 = true, .type = E_EXEC, .machine = M_X86_64, .sections = sections, .section_count = 2};
    struct file file;
    struct opened opened;
    framemap_str contents;
    (void)state;
    elf_build(&file, &spec);
    open_file(&opened, file_view(&file), NULL);
    assert_int_equal(opened.status, FRAMEMAP_OK);
    assert_int_equal(fm_image_contents(&opened.image, 1, &contents, &opened.error), FRAMEMAP_OK);
    assert_str(contents, "x");
    assert_true(opened.image.sections[2].damaged);
    assert_int_equal(fm_image_contents(&opened.image, 2, &contents, &opened.error), FRAMEMAP_E_TRUNCATED);
    assert_string_equal(opened.error.where, ".debug_info");
    assert_int_equal(fm_image_contents(&opened.image, 99, &contents, &opened.error), FRAMEMAP_E_ARGUMENT);
    close_file(&opened);
}

/* Checks a million symbols that all have the same name of a megabyte. Without a limit on the bytes that are read as
 * names, this would take hours. */
static void names_are_read_within_bounds(void **state)
{
    enum { SYMBOLS = 200000, NAME = 1000000 };
    struct file head;
    struct opened opened;
    const struct elf_section sections[] = {{".text", S_NOBITS, F_ALLOC | F_EXEC, 0x1000, NULL, 0x1000, 0, 0, 1},
                                           {".symtab", S_SYMTAB, 0, 0, NULL, SYMBOLS * 24, 3, 1, 8},
                                           {".strtab", S_STRTAB, 0, 0, NULL, NAME, 0, 0, 1}};
    const struct elf_spec spec = {
        .is64 = true, .type = E_EXEC, .machine = M_X86_64, .sections = sections, .section_count = 3};
    (void)state;
    const size_t table = elf_build(&head, &spec), symbols = head.size, names = symbols + SYMBOLS * 24,
                 size = names + NAME;
    unsigned char *bytes = calloc(1, size);
    assert_non_null(bytes);
    set_at(&head, table + 2 * 64 + 24, 8, symbols);
    set_at(&head, table + 3 * 64 + 24, 8, names);
    memcpy(bytes, head.data, head.size);
    for (size_t i = 1; i < SYMBOLS; i++) {
        struct file row = {.is64 = true};
        put_symbol(&row, 1, SYM_FUNC, 1, 1, 0x1000, 0);
        memcpy(bytes + symbols + i * 24, row.data, 24);
    }
    memset(bytes + names, 'n', NAME - 1);
    open_file(&opened, (framemap_str){(const char *)bytes, size}, NULL);
    assert_int_equal(opened.status, FRAMEMAP_OK);
    assert_int_equal(fm_image_symbols(&opened.image, NULL), FRAMEMAP_OK);
    assert_true(opened.image.symbol_count > 0 && opened.image.symbol_count < 1000);
    close_file(&opened);
    free(bytes);
}

static void architectures_asked_for(void **state)
{
    static const struct {
        uint16_t machine;
        const char *arch;
        framemap_status status;
    } rows[] = {{M_AARCH64, "arm64", FRAMEMAP_OK},       {M_AARCH64, "aarch64", FRAMEMAP_OK},
                {M_AARCH64, "arm64-v8a", FRAMEMAP_OK},   {M_AARCH64, "arm64e", FRAMEMAP_E_MISMATCH},
                {M_AARCH64, "arm", FRAMEMAP_E_MISMATCH}, {M_ARM, "armv7", FRAMEMAP_OK},
                {M_ARM, "armeabi-v7a", FRAMEMAP_OK},     {M_ARM, "arm64", FRAMEMAP_E_MISMATCH},
                {M_X86_64, "x86-64", FRAMEMAP_OK},       {M_X86_64, "i386", FRAMEMAP_E_MISMATCH},
                {M_X86_64, "", FRAMEMAP_E_MISMATCH}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct elf_spec spec = {.is64 = true, .type = E_EXEC, .machine = rows[i].machine};
        struct file file;
        struct opened opened;
        elf_build(&file, &spec);
        open_file(&opened, file_view(&file), rows[i].arch);
        if (opened.status != rows[i].status) fail_msg("%s: %s", rows[i].arch, opened.error.message);
        close_file(&opened);
    }
}

static void advice_for_stabs(void **state)
{
    const struct elf_section sections[] = {{".stab", S_PROGBITS, 0, 0, "rows", 4, 0, 0, 4}};
    (void)state;
    for (size_t count = 0; count < 2; count++) {
        const struct elf_spec spec = {
            .is64 = true, .type = E_EXEC, .machine = M_X86_64, .sections = sections, .section_count = count};
        struct file file;
        struct opened opened;
        char words[160];
        elf_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        assert_int_equal(opened.status, FRAMEMAP_OK);
        fm_image_describe_debug_file(&opened.image, words, sizeof words);
        assert_int_equal(strstr(words, "compile it with DWARF") != NULL, count);
        close_file(&opened);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_class_and_order),
        cmocka_unit_test(machines_by_name),
        cmocka_unit_test(counts_that_do_not_fit_the_header),
        cmocka_unit_test(kinds_of_files),
        cmocka_unit_test(build_ids),
        cmocka_unit_test(links_to_debug_files),
        cmocka_unit_test(links_that_a_linker_joined),
        cmocka_unit_test(sections_of_addresses),
        cmocka_unit_test(objects_are_laid_out),
        cmocka_unit_test(refusals),
        cmocka_unit_test(an_object_without_sections),
        cmocka_unit_test(a_section_past_the_end_spoils_itself_alone),
        cmocka_unit_test(names_are_read_within_bounds),
        cmocka_unit_test(architectures_asked_for),
        cmocka_unit_test(advice_for_stabs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
