/* Tests the messages for Windows PE files, which framemap does not read: each says where the debug info of the file
 * is. */
#include "tests/testing.h"

#include "mappers/native/image/foreign_pe.h"
#include "mappers/native/image/image.h"

enum { PE_AT = 0x40, SECTIONS_AT = PE_AT + 24 + 240, DATA_AT = 0x200, STRINGS_AT = 0x300, SIZE = 0x380 };

struct pe {
    unsigned char bytes[SIZE];
};

static void put(struct pe *pe, size_t at, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) pe->bytes[at + i] = (unsigned char)(value >> 8 * i);
}

/* Makes a 64-bit file with one section, whose bytes are at DATA_AT and whose address is 0x1000. The section's name
 * is in the section header or, if long_name is given, in the string table: the header then has "/4". */
static struct pe make(const char *row_name, const char *long_name)
{
    struct pe pe = {.bytes = "MZ"};
    put(&pe, 0x3c, PE_AT, 4);
    memcpy(pe.bytes + PE_AT, "PE\0\0", 4);
    put(&pe, PE_AT + 6, 1, 2);           /* the number of sections */
    put(&pe, PE_AT + 12, STRINGS_AT, 4); /* the symbol table is empty, so the string table is at its offset */
    put(&pe, PE_AT + 20, 240, 2);        /* the size of the optional header */
    put(&pe, PE_AT + 24, 0x20b, 2);
    memcpy(pe.bytes + SECTIONS_AT, row_name, strlen(row_name));
    put(&pe, SECTIONS_AT + 8, 0x100, 4);
    put(&pe, SECTIONS_AT + 12, 0x1000, 4);
    put(&pe, SECTIONS_AT + 16, 0x100, 4);
    put(&pe, SECTIONS_AT + 20, DATA_AT, 4);
    memcpy(pe.bytes + STRINGS_AT + 4, long_name, strlen(long_name));
    return pe;
}

/* Makes a file with a debug directory at the start of the section, followed by the CodeView record. */
static struct pe make_with_pdb(const char *path)
{
    struct pe pe = make(".rdata", "");
    put(&pe, PE_AT + 24 + 112 + 6 * 8, 0x1000, 4);
    put(&pe, PE_AT + 24 + 112 + 6 * 8 + 4, 28, 4);
    put(&pe, DATA_AT + 12, 2, 4);
    put(&pe, DATA_AT + 24, DATA_AT + 28, 4);
    memcpy(pe.bytes + DATA_AT + 28, "RSDS", 4);
    memcpy(pe.bytes + DATA_AT + 28 + 24, path, strlen(path));
    return pe;
}

static struct pe make_with_link(const char *name)
{
    struct pe pe = make("/4", ".gnu_debuglink");
    memcpy(pe.bytes + DATA_AT, name, strlen(name));
    return pe;
}

/* Makes a program of Go, with the build id at the start of the code and, if requested, a section of debug info. */
static struct pe make_go(bool has_dwarf)
{
    struct pe pe = make(".text", "");
    memcpy(pe.bytes + DATA_AT, "\xff Go build ID: \"", 16);
    if (!has_dwarf) return pe;
    put(&pe, PE_AT + 6, 2, 2);
    memcpy(pe.bytes + SECTIONS_AT + 40, "/4", 2);
    put(&pe, SECTIONS_AT + 40 + 20, DATA_AT, 4);
    memcpy(pe.bytes + STRINGS_AT + 4, ".zdebug_info", 12);
    return pe;
}

static void where_debug_info_is(void **state)
{
    (void)state;
    const struct {
        const char *why, *says;
        struct pe pe;
    } rows[] = {
        {"a long section name", "with DWARF", make("/4", ".debug_info")},
        {"a name that is cut to eight bytes is not a name of debug info", "without debug info", make(".debug_i", "")},
        {"a link", "stripped Windows PE file: its debug info is in app.debug", make_with_link("app.debug")},
        {"a PDB, by its file name", "in app.pdb; neither is read", make_with_pdb("C:\\build\\app.pdb")},
        {"nothing", "without debug info", make(".text", "")},
        {"Go's, which go tool addr2line reads", "of Go: PE files are not read; use 'go tool addr2line'", make_go(true)},
        {"Go's without debug info", "of Go without debug info: PE files are not read; Go's own", make_go(false)},
        {"a number past the string table", "without debug info", make("/9999999", ".debug_info")},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_error error = {0};
        assert_int_equal(fm_image_refuse(fm_str(rows[i].pe.bytes, SIZE), &error), FRAMEMAP_E_FORMAT);
        if (strstr(error.message, rows[i].says) == NULL) fail_msg("%s: %s", rows[i].why, error.message);
    }
}

static void each_prefix_and_each_byte(void **state)
{
    (void)state;
    const struct pe files[] = {make("/4", ".debug_info"), make_with_pdb("app.pdb"), make_with_link("app.debug")};
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        for (size_t size = 2; size <= SIZE; size++) {
            /* A copy of exactly this size, so that a sanitizer detects a read past the end. */
            unsigned char *copy = malloc(size);
            assert_non_null(copy);
            memcpy(copy, files[i].bytes, size);
            assert_int_equal(fm_image_refuse(fm_str(copy, size), NULL), FRAMEMAP_E_FORMAT);
            fm_pe_describe(fm_str(copy, size), &(framemap_image_info){.size = 0});
            free(copy);
        }
        for (size_t at = 2; at < SIZE; at++) {
            struct pe changed = files[i];
            changed.bytes[at] ^= 0xff;
            assert_int_equal(fm_image_refuse(fm_str(changed.bytes, SIZE), NULL), FRAMEMAP_E_FORMAT);
        }
    }
}

static void what_identifies_them(void **state)
{
    (void)state;
    struct pe pe = make_with_pdb("C:\\build\\app.pdb");
    framemap_image_info image;
    put(&pe, PE_AT + 4, 0x8664, 2);
    put(&pe, PE_AT + 8, 0x62ee0d01, 4);
    put(&pe, PE_AT + 24 + 24, 0x140000000, 8);
    put(&pe, PE_AT + 24 + 56, 0x21000, 4);
    put(&pe, DATA_AT + 32, 0xbd2b7c95, 4);
    put(&pe, DATA_AT + 36, 0x4547c8dd, 4);
    put(&pe, DATA_AT + 48, 0x1f, 4);
    assert_true(fm_pe_describe(fm_str(pe.bytes, SIZE), &image));
    assert_string_equal(image.kind, "pe");
    assert_string_equal(image.arch, "x86_64");
    assert_string_equal(image.debug_id, "bd2b7c95-c8dd-4547-0000-000000000000-1f");
    assert_string_equal(image.code_id, "62ee0d0121000");
    assert_true(fm_str_equal(image.debug_link, FM_STR("app.pdb")));
    assert_int_equal(image.base, 0x140000000);
    put(&pe, DATA_AT + 48, 0, 4); /* an age of 0 is left out of the id */
    assert_true(fm_pe_describe(fm_str(pe.bytes, SIZE), &image));
    assert_string_equal(image.debug_id, "bd2b7c95-c8dd-4547-0000-000000000000");
    pe = make(".text", "");
    assert_true(fm_pe_describe(fm_str(pe.bytes, SIZE), &image));
    assert_string_equal(image.debug_id, "");
    assert_false(fm_pe_describe(fm_str(pe.bytes, PE_AT + 40), &image));
    assert_false(fm_pe_describe(FM_STR("text"), &image));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(where_debug_info_is),
                                       cmocka_unit_test(each_prefix_and_each_byte),
                                       cmocka_unit_test(what_identifies_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
