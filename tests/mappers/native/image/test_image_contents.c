/* Tests of section contents: decompression, relocations, limits. */
#include "tests/mappers/native/image/image_build.h"

#include "core/limits.h"
#include <zlib.h>
#include <zstd.h>

enum { BIG = 70000, PLAIN = 1000 };

/* Fills a buffer with data that is compressible, but not extremely. */
static void fill(unsigned char *out, size_t size)
{
    for (size_t i = 0; i < size; i++) out[i] = (unsigned char)((i * i >> 7) & 0x3f);
}

static void pack_zlib(struct file *out, const unsigned char *data, size_t size)
{
    uLongf room = (uLongf)(sizeof out->data - out->size);
    assert_int_equal(compress2(out->data + out->size, &room, data, size, 9), Z_OK);
    out->size += room;
}

static void pack_zstd(struct file *out, const unsigned char *data, size_t size)
{
    const size_t packed = ZSTD_compress(out->data + out->size, sizeof out->data - out->size, data, size, 3);
    assert_false(ZSTD_isError(packed));
    out->size += packed;
}

static void put_head(struct file *file, uint32_t method, uint64_t size)
{
    put(file, 4, method);
    if (file->is64) put(file, 4, 0);
    put_word(file, size);
    put_word(file, 1);
}

static void put_old_head(struct file *file, uint64_t size)
{
    put_bytes(file, "ZLIB", 4);
    for (unsigned i = 0; i < 8; i++) put(file, 1, size >> (56 - 8 * i) & 0xff);
}

/* Opens a file with one section and reads its contents. */
static framemap_status contents_of(struct opened *opened, const struct file *stored, const char *name, uint64_t flags,
                                   framemap_str *out)
{
    static struct file file;
    const struct elf_section sections[] = {{name, S_PROGBITS, flags, 0, stored->data, stored->size, 0, 0, 1}};
    const struct elf_spec spec = {.is64 = stored->is64,
                                  .big = stored->big,
                                  .type = E_DYN,
                                  .machine = M_PPC64,
                                  .sections = sections,
                                  .section_count = 1};
    elf_build(&file, &spec);
    open_file(opened, file_view(&file), NULL);
    assert_int_equal(opened->status, FRAMEMAP_OK);
    return fm_image_contents(&opened->image, 1, out, &opened->error);
}

static void every_compression(void **state)
{
    static unsigned char plain[BIG];
    static struct file stored;
    struct opened opened;
    framemap_str got;
    (void)state;
    fill(plain, BIG);
    for (unsigned i = 0; i < 24; i++) {
        const bool is64 = i & 1, big = i & 2;
        stored = (struct file){.is64 = is64, .big = big};
        switch (i / 4) {
        case 0: put_head(&stored, 1, BIG), pack_zlib(&stored, plain, BIG); break;
        case 1: put_head(&stored, 2, BIG), pack_zstd(&stored, plain, BIG); break;
        case 2: put_old_head(&stored, BIG), pack_zlib(&stored, plain, BIG); break;
        case 3:
            put_head(&stored, 1, BIG), pack_zlib(&stored, plain, 1000), pack_zlib(&stored, plain + 1000, BIG - 1000);
            break; /* two compressed streams, one after the other */
        case 4:
            put_head(&stored, 2, BIG), pack_zstd(&stored, plain, 1000), pack_zstd(&stored, plain + 1000, BIG - 1000);
            break;
        default: put_head(&stored, 1, 0), pack_zlib(&stored, plain, 0); break;
        }
        const size_t wanted = i / 4 == 5 ? 0 : BIG;
        const framemap_status status = contents_of(&opened, &stored, i / 4 == 2 ? ".zdebug_info" : ".debug_info",
                                                   i / 4 == 2 ? 0 : F_COMPRESSED, &got);
        if (status != FRAMEMAP_OK) fail_msg("%u: %s", i, opened.error.message);
        assert_int_equal(fm_image_section(&opened.image, FM_STR(".debug_info")), 1);
        assert_true(opened.image.has_debug_info);
        assert_true(opened.image.sections[1].flags & FM_SECTION_COMPRESSED);
        assert_int_equal(got.size, wanted);
        assert_memory_equal(got.data, plain, wanted);
        close_file(&opened);
    }
}

/* Checks that decompressing sections in advance with several threads gives the same bytes and faults as
 * decompressing them on demand. */
static void inflated_ahead(void **state)
{
    static unsigned char plain[BIG];
    static struct file zlib, zstd, bad, file;
    static const framemap_str names[] = {
        {".debug_info", 11}, {".debug_line", 11}, {".debug_str", 10}, {".debug_none", 11}, {".debug_abbrev", 13}};
    (void)state;
    fill(plain, BIG);
    zlib = zstd = bad = (struct file){.is64 = true};
    put_head(&zlib, 1, BIG), pack_zlib(&zlib, plain, BIG);
    put_head(&zstd, 2, BIG), pack_zstd(&zstd, plain, BIG);
    put_head(&bad, 1, BIG + 1), pack_zlib(&bad, plain, BIG);
    const struct elf_section sections[] = {{".debug_info", S_PROGBITS, F_COMPRESSED, 0, zlib.data, zlib.size, 0, 0, 1},
                                           {".debug_line", S_PROGBITS, F_COMPRESSED, 0, zstd.data, zstd.size, 0, 0, 1},
                                           {".debug_str", S_PROGBITS, F_COMPRESSED, 0, bad.data, bad.size, 0, 0, 1},
                                           {".debug_abbrev", S_PROGBITS, 0, 0, plain, PLAIN, 0, 0, 1}};
    const struct elf_spec spec = {
        .is64 = true, .type = E_DYN, .machine = M_PPC64, .sections = sections, .section_count = COUNT_OF(sections)};
    elf_build(&file, &spec);
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct opened opened;
        framemap_str got[2];
        open_file(&opened, file_view(&file), NULL);
        assert_int_equal(opened.status, FRAMEMAP_OK);
        fm_image_inflate_ahead(&opened.image, names, COUNT_OF(names), threads);
        for (uint32_t i = 1; i <= 4; i++) {
            if (i == 3) {
                assert_int_equal(fm_image_contents(&opened.image, i, &got[0], &opened.error), FRAMEMAP_E_CORRUPT);
                continue;
            }
            for (size_t j = 0; j < 2; j++)
                assert_int_equal(fm_image_contents(&opened.image, i, &got[j], &opened.error), FRAMEMAP_OK);
            assert_int_equal(got[0].size, i == 4 ? PLAIN : BIG);
            assert_memory_equal(got[0].data, plain, got[0].size);
            /* If a call keeps the decompressed bytes, the next call returns the same memory. Otherwise each call
             * decompresses again, into other memory. */
            assert_int_equal(got[0].data == got[1].data, i == 4 || threads > 1);
        }
        close_file(&opened);
    }
}

static void bad_compression(void **state)
{
    static const struct {
        const char *why;
        uint32_t method;
        uint64_t size;
        int stream; /* kind of contents: 0 none, 1 zlib, 2 zstd, 3 garbage, 4 cut zlib, 5 cut zstd */
        framemap_status status;
        const char *says;
    } rows[] = {
        {"claims a GB", 1, UINT64_C(1) << 30, 1, FRAMEMAP_E_LIMIT, "which is implausible for debug info"},
        {"claims all there is", 1, UINT64_MAX, 1, FRAMEMAP_E_LIMIT, "the file is damaged"},
        {"claims a GB of zstd", 2, UINT64_C(1) << 30, 2, FRAMEMAP_E_LIMIT, "which is implausible for debug info"},
        {"unknown method", 3, BIG, 1, FRAMEMAP_E_UNSUPPORTED, "method 3"},
        {"shorter than said", 1, BIG + 1, 1, FRAMEMAP_E_CORRUPT, "zlib data is damaged"},
        {"longer than said", 1, BIG - 1, 1, FRAMEMAP_E_CORRUPT, "zlib data is damaged"},
        {"zstd shorter than said", 2, BIG + 1, 2, FRAMEMAP_E_CORRUPT, "instead of the stated"},
        {"zstd longer than said", 2, BIG - 1, 2, FRAMEMAP_E_CORRUPT, "zstd data is damaged"},
        {"garbage", 1, 100, 3, FRAMEMAP_E_CORRUPT, "zlib data is damaged"},
        {"garbage as zstd", 2, 100, 3, FRAMEMAP_E_CORRUPT, "zstd data is damaged"},
        {"cut", 1, BIG, 4, FRAMEMAP_E_CORRUPT, "zlib data is damaged"},
        {"cut zstd", 2, BIG, 5, FRAMEMAP_E_CORRUPT, "zstd data is damaged"},
        {"no stream", 1, 0, 0, FRAMEMAP_OK, NULL}};
    static unsigned char plain[BIG];
    static struct file stored;
    (void)state;
    fill(plain, BIG);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct opened opened;
        framemap_str got = {NULL, 0};
        stored = (struct file){.is64 = true};
        put_head(&stored, rows[i].method, rows[i].size);
        if (rows[i].stream == 1 || rows[i].stream == 4) pack_zlib(&stored, plain, BIG);
        if (rows[i].stream == 2 || rows[i].stream == 5) pack_zstd(&stored, plain, BIG);
        if (rows[i].stream == 3) put_bytes(&stored, "this was never compressed, by anything", 38);
        if (rows[i].stream >= 4) stored.size -= 20;
        const framemap_status status = contents_of(&opened, &stored, ".debug_info", F_COMPRESSED, &got);
        if (status != rows[i].status || (rows[i].says != NULL && strstr(opened.error.message, rows[i].says) == NULL))
            fail_msg("%s: %d, %s", rows[i].why, (int)status, opened.error.message);
        if (status != FRAMEMAP_OK) assert_string_equal(opened.error.where, ".debug_info");
        if (status != FRAMEMAP_OK) assert_true(opened.error.has_offset);
        assert_true(opened.arena.total < 4 * BIG); /* the claimed size is checked before memory is allocated */
        close_file(&opened);
    }
}

/* Checks valid streams that expand far more than any debug info: one section, and several. Nothing is allocated for
 * a stream that exceeds the limit. */
static void bombs(void **state)
{
    enum { MEGABYTE = 1 << 20, ALLOWED = 64 * MEGABYTE };
    static const struct {
        size_t sizes[2];
        framemap_status status[2];
    } rows[] = {{{ALLOWED, 0}, {FRAMEMAP_OK, FRAMEMAP_OK}},
                {{ALLOWED + 1, MEGABYTE}, {FRAMEMAP_E_LIMIT, FRAMEMAP_OK}},
                {{ALLOWED - MEGABYTE, MEGABYTE + 1}, {FRAMEMAP_OK, FRAMEMAP_E_LIMIT}}};
    static const framemap_str names[] = {FM_STR_INIT(".debug_info"), FM_STR_INIT(".debug_line")};
    static struct file file, packed[2];
    unsigned char *plain = calloc(1, ALLOWED + 1);
    (void)state;
    assert_non_null(plain);
    for (size_t i = 0; i < COUNT_OF(rows) * 2; i++) {
        /* 1: sections are decompressed on demand; 2: they are decompressed in advance */
        const unsigned threads = i % 2 ? 2 : 1;
        struct elf_section sections[2];
        struct opened opened;
        for (size_t j = 0; j < 2; j++) {
            packed[j] = (struct file){.is64 = true};
            put_head(&packed[j], 2, rows[i / 2].sizes[j]), pack_zstd(&packed[j], plain, rows[i / 2].sizes[j]);
            sections[j] = (struct elf_section){
                names[j].data, S_PROGBITS, F_COMPRESSED, 0, packed[j].data, packed[j].size, 0, 0, 1};
        }
        const struct elf_spec spec = {
            .is64 = true, .type = E_DYN, .machine = M_X86_64, .sections = sections, .section_count = 2};
        elf_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        fm_image_inflate_ahead(&opened.image, names, COUNT_OF(names), threads);
        for (uint32_t j = 0; j < 2; j++) {
            framemap_str got;
            assert_int_equal(fm_image_contents(&opened.image, j + 1, &got, &opened.error), rows[i / 2].status[j]);
            if (rows[i / 2].status[j] == FRAMEMAP_OK) assert_int_equal(got.size, rows[i / 2].sizes[j]);
        }
        assert_true(opened.arena.total < ALLOWED + MEGABYTE);
        close_file(&opened);
    }
    free(plain);
}

static void heads_that_are_cut(void **state)
{
    struct opened opened;
    framemap_str got;
    (void)state;
    for (size_t size = 1; size < 24; size++) {
        struct file stored = {.is64 = true};
        put_head(&stored, 1, 100);
        stored.size = size;
        assert_int_equal(contents_of(&opened, &stored, ".debug_info", F_COMPRESSED, &got), FRAMEMAP_E_CORRUPT);
        close_file(&opened);
    }
}

/* --- testing relocations --- */

enum { P = 8 }; /* P, the standard name for the place of a relocation: offset of the relocated bytes */

/* One relocation of an object file: a symbol at 0x20 of .text, an addend, and the expected result. S is the address
 * that the reader gives the symbol. */
struct relocation_row {
    const char *why;
    uint16_t machine;
    bool is64, big, rela;
    uint32_t type;
    int64_t addend; /* the addend: in the relocation, or in the contents of the section */
    unsigned width;
    uint64_t before;      /* the `width` bytes before relocation */
    int64_t times_symbol; /* the expected result is before*keep + times_symbol*S + plus */
    int64_t plus;
    bool keep;
    bool unapplied;
};

static const struct relocation_row relocations[] = {
    {"R_X86_64_64", M_X86_64, true, false, true, 1, 5, 8, 0x7777, 1, 5, false, false},
    {"R_X86_64_32", M_X86_64, true, false, true, 10, -5, 4, 0x7777, 1, -5, false, false},
    {"R_X86_64_PC32", M_X86_64, true, false, true, 2, -4, 4, 0, 1, -4 - P, false, false},
    {"R_X86_64_DTPOFF32", M_X86_64, true, false, true, 21, 1, 4, 0, 1, 1, false, false},
    {"R_X86_64_NONE", M_X86_64, true, false, true, 0, 9, 4, 0x1234, 0, 0, true, false},
    {"R_X86_64_GOTPCREL: not of debug info", M_X86_64, true, false, true, 9, 9, 4, 0x1234, 0, 0, true, true},
    {"R_386_32", M_386, false, false, false, 1, 0, 4, 0x30, 1, 0, true, false},
    {"R_386_PC32", M_386, false, false, false, 2, 0, 4, 0x30, 1, -P, true, false},
    {"R_AARCH64_ABS64", M_AARCH64, true, false, true, 257, 1, 8, 0, 1, 1, false, false},
    {"R_AARCH64_ABS32, big-endian", M_AARCH64, true, true, true, 258, 1, 4, 0, 1, 1, false, false},
    {"R_AARCH64_PREL32", M_AARCH64, true, false, true, 261, 1, 4, 0, 1, 1 - P, false, false},
    {"R_ARM_ABS32", M_ARM, false, false, false, 2, 0, 4, 0x100, 1, 0, true, false},
    {"R_ARM_ABS32, big-endian", M_ARM, false, true, false, 2, 0, 4, 0x100, 1, 0, true, false},
    {"R_PPC64_ADDR64", M_PPC64, true, true, true, 38, 2, 8, 0, 1, 2, false, false},
    {"R_PPC64_ADDR32", M_PPC64, true, true, true, 1, 2, 4, 0, 1, 2, false, false},
    {"R_PPC_ADDR32", 20, false, true, true, 1, 2, 4, 0, 1, 2, false, false},
    {"R_MIPS_32", M_MIPS, false, true, false, 2, 0, 4, 0x44, 1, 0, true, false},
    {"R_MIPS_64", M_MIPS, true, true, true, 18, 3, 8, 0, 1, 3, false, false},
    {"R_MIPS_64, whose info is laid out otherwise", M_MIPS, true, false, true, 18, 3, 8, 0, 1, 3, false, false},
    {"R_RISCV_64", M_RISCV, true, false, true, 2, 4, 8, 0, 1, 4, false, false},
    {"R_RISCV_ADD32", M_RISCV, true, false, true, 35, 4, 4, 0x1000, 1, 4, true, false},
    {"R_RISCV_SUB32", M_RISCV, true, false, true, 39, 4, 4, 0x100000, -1, -4, true, false},
    {"R_RISCV_ADD16", M_RISCV, true, false, true, 34, 0, 2, 0x100, 1, 0, true, false},
    {"R_RISCV_SUB8", M_RISCV, true, false, true, 37, 0, 1, 0x10, -1, 0, true, false},
    {"R_RISCV_SET16", M_RISCV, true, false, true, 55, 0, 2, 0xffff, 1, 0, false, false},
    {"R_RISCV_RELAX", M_RISCV, true, false, true, 51, 0, 4, 0x55, 0, 0, true, false},
    {"R_390_64", M_S390, true, true, true, 22, 1, 8, 0, 1, 1, false, false},
    {"R_390_PC32", M_S390, true, true, true, 5, 1, 4, 0, 1, 1 - P, false, false},
    {"R_LARCH_ADD64", 258, true, false, true, 51, 1, 8, 0x40, 1, 1, true, false},
    {"R_SPARC_UA64", 43, true, true, true, 54, 1, 8, 0, 1, 1, false, false},
    {"R_68K_32", 4, false, true, true, 1, 5, 4, 0x7777, 1, 5, false, false},
    {"R_PARISC_DIR32", 15, false, true, true, 1, 5, 4, 0x7777, 1, 5, false, false},
    {"R_SH_DIR32, which adds both addends", 42, false, false, true, 1, 5, 4, 0x70, 1, 5, true, false},
    {"R_AVR_16", 83, false, false, true, 4, 5, 2, 0, 1, 5, false, false},
    {"R_AVR_DIFF16: the contents are the difference", 83, false, false, true, 31, 5, 2, 0x70, 0, 0, true, false},
    {"R_OR1K_32", 92, false, true, true, 1, 5, 4, 0, 1, 5, false, false},
    {"R_XTENSA_32, which adds both addends", 94, false, false, true, 1, 5, 4, 0x70, 1, 5, true, false},
    {"R_XTENSA_PDIFF16: the contents are the difference", 94, false, false, true, 58, 5, 2, 0x70, 0, 0, true, false},
    {"R_MSP430_32", 105, false, false, true, 1, 5, 4, 0, 1, 5, false, false},
    {"R_HEX_32", 164, false, false, true, 6, 5, 4, 0, 1, 5, false, false},
    {"R_ARC_32", 195, false, false, true, 4, 5, 4, 0, 1, 5, false, false},
    {"R_AMDGPU_ABS64", 224, true, false, true, 3, 5, 8, 0, 1, 5, false, false},
    {"R_BPF_64_ABS64, REL", 247, true, false, false, 2, 0, 8, 0x70, 1, 0, true, false},
    {"R_BPF_64_ABS32, REL", 247, true, false, false, 3, 0, 4, 0x70, 1, 0, true, false},
    {"R_BPF_DATA_64 of old binutils", 247, true, false, false, 12, 0, 8, 0x70, 1, 0, true, false},
    {"R_CKCORE_ADDR32", 252, false, false, true, 1, 5, 4, 0, 1, 5, false, false},
    {"R_ALPHA_REFQUAD", 0x9026, true, false, true, 2, 5, 8, 0, 1, 5, false, false},
};

static uint64_t info_of(const struct relocation_row *row, uint32_t symbol)
{
    if (!row->is64) return (uint64_t)symbol << 8 | row->type;
    if (row->machine == M_MIPS && !row->big) return symbol | (uint64_t)row->type << 56;
    return (uint64_t)symbol << 32 | row->type;
}

static void build_object(struct file *file, const struct relocation_row *row, uint32_t symbol, uint64_t offset)
{
    struct file symbols = {.is64 = row->is64, .big = row->big}, rows = symbols, data = symbols;
    put_symbol(&symbols, 0, 0, 0, 0, 0, 0);
    put_symbol(&symbols, 0, 0, 0, 1, 0x20, 0);
    put_word(&rows, offset);
    put_word(&rows, info_of(row, symbol));
    if (row->rela) put_word(&rows, (uint64_t)row->addend);
    put(&data, 8, 0);
    put(&data, row->width, row->before);
    put(&data, 8, 0);
    const struct elf_section sections[] = {{".text", S_PROGBITS, F_ALLOC | F_EXEC, 0, "code", 4, 0, 0, 1},
                                           {".debug_info", S_PROGBITS, 0, 0, data.data, data.size, 0, 0, 1},
                                           {".rel", row->rela ? S_RELA : S_REL, 0, 0, rows.data, rows.size, 4, 2, 8},
                                           {".symtab", S_SYMTAB, 0, 0, symbols.data, symbols.size, 0, 0, 8}};
    const struct elf_spec spec = {.is64 = row->is64,
                                  .big = row->big,
                                  .type = E_REL,
                                  .machine = row->machine,
                                  .sections = sections,
                                  .section_count = 4};
    elf_build(file, &spec);
}

static uint64_t get_at(framemap_str bytes, size_t at, unsigned width, bool big)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < width; i++) value = value << 8 | (unsigned char)bytes.data[at + (big ? i : width - 1 - i)];
    return value;
}

static uint64_t low_bytes(uint64_t value, unsigned width)
{
    return width == 8 ? value : value & ((UINT64_C(1) << 8 * width) - 1);
}

static void every_relocation(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(relocations); i++) {
        const struct relocation_row *row = &relocations[i];
        static struct file file;
        struct opened opened;
        framemap_str got;
        build_object(&file, row, 1, P);
        open_file(&opened, file_view(&file), NULL);
        assert_int_equal(fm_image_contents(&opened.image, 2, &got, &opened.error), FRAMEMAP_OK);
        const uint64_t symbol = opened.image.sections[1].address + 0x20;
        const uint64_t wanted =
            (row->keep ? row->before : 0) + (uint64_t)row->times_symbol * symbol + (uint64_t)row->plus;
        if (get_at(got, P, row->width, row->big) != low_bytes(wanted, row->width) || get_at(got, 0, 8, row->big) != 0 ||
            get_at(got, P + row->width, 8, row->big) != 0)
            fail_msg("%s: 0x%llx, wanted 0x%llx", row->why, (unsigned long long)get_at(got, P, row->width, row->big),
                     (unsigned long long)low_bytes(wanted, row->width));
        assert_int_equal(opened.image.sections[2].unapplied, row->unapplied);
        close_file(&opened);
    }
}

/* Checks that relocations of bytes or symbols that do not exist change nothing, and are counted. */
static void relocations_out_of_bounds(void **state)
{
    static const struct {
        const char *why;
        uint32_t symbol;
        uint64_t offset;
        unsigned unapplied;
    } rows[] = {{"whole", 1, 16, 0},         {"half inside", 1, 17, 1},
                {"at the end", 1, 24, 1},    {"far away", 1, UINT64_MAX, 1},
                {"no such symbol", 2, 8, 1}, {"symbol zero", 0, 8, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        static struct file file;
        struct opened opened;
        framemap_str got;
        build_object(&file, &relocations[0], rows[i].symbol, rows[i].offset);
        open_file(&opened, file_view(&file), NULL);
        assert_int_equal(fm_image_contents(&opened.image, 2, &got, &opened.error), FRAMEMAP_OK);
        if (opened.image.sections[2].unapplied != rows[i].unapplied) fail_msg("%s", rows[i].why);
        close_file(&opened);
    }
}

/* Checks R_RISCV_SET_ULEB128 and R_RISCV_SUB_ULEB128, which together compute a difference. The result keeps the
 * number of bytes that the LEB128 number had. */
static void leb_differences(void **state)
{
    static struct file file;
    struct file symbols = {.is64 = true}, rows = symbols, data = symbols;
    struct opened opened;
    framemap_str got;
    (void)state;
    put_symbol(&symbols, 0, 0, 0, 0, 0, 0);
    put_symbol(&symbols, 0, 0, 0, 1, 0x100, 0);
    put_symbol(&symbols, 0, 0, 0, 1, 0x1c, 0);
    for (uint32_t i = 0; i < 2; i++) {
        put(&rows, 8, 1);
        put(&rows, 8, (uint64_t)(i + 1) << 32 | (60 + i));
        put(&rows, 8, 0);
    }
    put(&rows, 8, 4); /* the LEB128 number that is relocated goes on beyond the end of the section */
    put(&rows, 8, UINT64_C(1) << 32 | 60);
    put(&rows, 8, 0);
    put_bytes(&data, "\x7f\x80\x80\x00\xff", 5);
    const struct elf_section sections[] = {{".text", S_PROGBITS, F_ALLOC | F_EXEC, 0, NULL, 0, 0, 0, 1},
                                           {".debug_rnglists", S_PROGBITS, 0, 0, data.data, data.size, 0, 0, 1},
                                           {".rela", S_RELA, 0, 0, rows.data, rows.size, 4, 2, 8},
                                           {".symtab", S_SYMTAB, 0, 0, symbols.data, symbols.size, 0, 0, 8}};
    const struct elf_spec spec = {
        .is64 = true, .type = E_REL, .machine = M_RISCV, .sections = sections, .section_count = 4};
    elf_build(&file, &spec);
    open_file(&opened, file_view(&file), NULL);
    assert_int_equal(fm_image_contents(&opened.image, 2, &got, &opened.error), FRAMEMAP_OK);
    assert_memory_equal(got.data, "\x7f\xe4\x81\x00\xff", 5); /* 0xe4 as a LEB128 number of three bytes */
    assert_int_equal(opened.image.sections[2].unapplied, 1);
    close_file(&opened);
}

/* Checks a linked file that has kept its relocations (--emit-relocs): they are not applied again. */
static void linked_files_are_left_alone(void **state)
{
    static struct file file;
    struct opened opened;
    framemap_str got;
    (void)state;
    build_object(&file, &relocations[0], 1, P);
    set_at(&file, 16, 2, E_EXEC);
    open_file(&opened, file_view(&file), NULL);
    assert_int_equal(fm_image_contents(&opened.image, 2, &got, &opened.error), FRAMEMAP_OK);
    assert_ptr_equal(got.data, opened.image.sections[2].stored.data);
    assert_int_equal(get_at(got, P, 8, false), 0x7777);
    close_file(&opened);
}

/* --- testing lack of memory --- */

static bool open_and_inflate(const framemap_allocator *allocator, void *context)
{
    const framemap_str *bytes = context;
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_image image;
    framemap_str got;
    fm_heap_init(&heap, allocator, 0);
    fm_arena_init(&arena, &heap);
    framemap_status status = fm_image_open(*bytes, NULL, &arena, &image, NULL);
    if (status == FRAMEMAP_OK) status = fm_image_symbols(&image, NULL);
    for (uint32_t i = 0; status == FRAMEMAP_OK && i < image.section_count; i++)
        status = fm_image_contents(&image, i, &got, NULL);
    fm_arena_free(&arena);
    assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
    return status == FRAMEMAP_OK;
}

static void every_allocation_fails_once(void **state)
{
    static unsigned char plain[BIG];
    static struct file stored, file;
    (void)state;
    fill(plain, BIG);
    stored = (struct file){.is64 = true};
    put_head(&stored, 1, BIG);
    pack_zlib(&stored, plain, BIG);
    struct file symbols = {.is64 = true};
    for (uint64_t i = 0; i < 8; i++) put_symbol(&symbols, 1, 2, 1, 1, i ? 0x100 - i : 0, 0);
    const struct elf_section sections[] = {
        {".text", S_PROGBITS, F_ALLOC | F_EXEC, 0, NULL, 0x100, 0, 0, 1},
        {".debug_info", S_PROGBITS, F_COMPRESSED, 0, stored.data, stored.size, 0, 0, 1},
        {".symtab", S_SYMTAB, 0, 0, symbols.data, symbols.size, 4, 0, 8},
        {".strtab", S_STRTAB, 0, 0, "\0name", 6, 0, 0, 1}};
    const struct elf_spec spec = {
        .is64 = true, .type = E_DYN, .machine = M_X86_64, .sections = sections, .section_count = 4};
    elf_build(&file, &spec);
    framemap_str bytes = file_view(&file);
    assert_true(sweep_allocations(open_and_inflate, &bytes) <
                20); /* the number of allocations does not grow with the number of sections and symbols */
    build_object(&file, &relocations[0], 1, P);
    bytes = file_view(&file);
    sweep_allocations(open_and_inflate, &bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_compression),
        cmocka_unit_test(inflated_ahead),
        cmocka_unit_test(bad_compression),
        cmocka_unit_test(bombs),
        cmocka_unit_test(heads_that_are_cut),
        cmocka_unit_test(every_relocation),
        cmocka_unit_test(relocations_out_of_bounds),
        cmocka_unit_test(leb_differences),
        cmocka_unit_test(linked_files_are_left_alone),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
