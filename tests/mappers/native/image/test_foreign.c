/* Tests of mappers/native/image/foreign.h: which file to use in place of a file that is not a symbol file.
 * test_foreign_pe.c tests PE files. */
#include "tests/testing.h"

#include "core/text/text.h"
#include "mappers/native/image/foreign.h"

static void what_a_file_is(void **state)
{
    (void)state;
    static const struct {
        const char *why;
        framemap_str bytes;
        const char *says; /* part of the message */
    } rows[] = {
        {"nothing", FM_STR_INIT(""), "this file is empty"},
        {"a module of Fortran", FM_STR_INIT("MODULE shapes\n  REAL :: area\nEND MODULE\n"), "this is a text file"},
        {"a text of four words", FM_STR_INIT("MODULE of the app\n"), "this is a text file"},
        {"one word", FM_STR_INIT("MODULE"), "this is a text file"},
        {"a package", FM_STR_INIT("!<arch>\ndebian-binary   0           0     0     100644  4         `\n2.0\n"),
         "dpkg-deb -x"},
        {"an archive", FM_STR_INIT("!<arch>\na.o/            0           0     0     100644  4         `\n2.0\n"),
         "an archive of object files"},
        {"a minidump", FM_STR_INIT("MDMP\x93\xa7\0\0"), "minidump_stackwalk"},
        {"perf.data", FM_STR_INIT("PERFILE2h\0\0\0"), "perf script"},
        {"generated code, little-endian", FM_STR_INIT("DTiJ\1\0\0\0"), "jitdump"},
        {"generated code, big-endian", FM_STR_INIT("JiTD\0\0\0\1"), "jitdump"},
        {"a RAM bundle", FM_STR_INIT("\xe5\xd1\x0b\xfb\"\4\0\0"), "give the source map of the bundle"},
        {"a program of AIX", FM_STR_INIT("\x01\xf7\0\5\0\0\0\0"), "addr2line of binutils for AIX"},
        {"one of 32 bits", FM_STR_INIT("\x01\xdf\0\3\0\0\0\0"), "addr2line of binutils for AIX"},
        {"bytecode of Hermes", FM_STR_INIT("\xc6\x1f\xbc\x03\xc1\x03\x19\x1f`\0\0\0"), "source map that was composed"},
        {"a mapping as PowerShell writes it",
         FM_STR_INIT("\xff\xfe"
                     "a\0 \0-\0>\0"),
         "iconv -f UTF-16"},
        {"big-endian",
         FM_STR_INIT("\xfe\xff"
                     "\0a\0 \0-\0>"),
         "iconv -f UTF-16"},
        {"a PDB", FM_STR_INIT("Microsoft C/C++ MSF 7.00\r\n\x1a\x44S\0\0\0"), "with llvm-symbolizer or a debugger"},
        {"a PDB of Visual C++ 6", FM_STR_INIT("Microsoft C/C++ program database 2.00\r\n\x1aJG\0\0"),
         "a PDB file of an old Visual C++"},
        {"a cabinet", FM_STR_INIT("MSCF\0\0\0\0\x22\x18\x12\0"), "a cabinet of Windows"},
        {"a portable PDB", FM_STR_INIT("BSJB\1\0\1\0\0\0\0\0\x0c\0\0\0PDB v1.0"), "next to its assembly"},
        {"GSYM", FM_STR_INIT("MYSG\1\0\4\0"), "a GSYM file of LLVM"},
        {"GSYM, big-endian", FM_STR_INIT("GSYM\0\1\4\0"), "a GSYM file of LLVM"},
        {"types of the kernel", FM_STR_INIT("\x9f\xeb\1\0\x18\0\0\0"), "give its vmlinux"},
        {"types of the kernel, big-endian", FM_STR_INIT("\xeb\x9f\1\0\0\0\0\x18"), "give its vmlinux"},
        {"a cache of symbolic", FM_STR_INIT("SYMC\7\0\0\0"), "cache of Sentry's symbolic"},
        {"a symbol map of Emscripten", FM_STR_INIT("0:emscripten_memcpy_js\n1:main\n2:f\\28int\\29\n"),
         "--profiling-funcs"},
        {"a list of numbers", FM_STR_INIT("0:12 apples\n1:main\n"), "this is a text file"},
        {"a list of one", FM_STR_INIT("0:main\n"), "this is a text file"},
        {"names of a bitcode build", FM_STR_INIT("BCSymbolMap Version: 2.0\n_foo\n_bar\n"), "dsymutil --symbol-map"},
        {"a map of Apple's linker", FM_STR_INIT("# Path: App\n# Arch: arm64\n"), "give the program"},
        {"an object file of Windows",
         FM_STR_INIT("\x64\x86\1\0\0\0\0\0\x3c\0\0\0\1\0\0\0\0\0\0\0"
                     ".text\0\0\0"),
         "object file of Windows"},
        {"a member of an import library", FM_STR_INIT("\0\0\xff\xff\0\0\x64\xaa\0\0\0\0"), "object file of Windows"},
        {"an optional header", FM_STR_INIT("\x64\x86\1\0\0\0\0\0\0\0\0\0\0\0\0\0\xf0\0\0\0.text\0\0\0"),
         "not a symbol file of a known kind"},
        {"symbols among the sections", FM_STR_INIT("\x64\x86\1\0\0\0\0\0\x14\0\0\0\1\0\0\0\0\0\0\0.text\0\0\0"),
         "not a symbol file of a known kind"},
        {"a page in place of a file", FM_STR_INIT("<!doctype html>\n<html><head><title>404 Not Found</title>"),
         "an HTML page"},
        {"a page after blank lines", FM_STR_INIT("\r\n \t\n<HTML>\n<body>"), "an HTML page"},
        {"an element with a name of its own", FM_STR_INIT("<htmlx>\n"), "this is a text file"},
        {"an element alone", FM_STR_INIT("\n<"), "this is a text file"},
        {"a pointer of Git LFS", FM_STR_INIT("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"),
         "git lfs pull"},
        {"Breakpad's symbols with an id that is not hexadecimal, as a made-up one",
         FM_STR_INIT("MODULE Linux x86_64 3F2A77944DB22F6H3S0000000000000000 shop\nFUNC 10 8 0 add\n"), "(line 1)"},
        {"of an unknown system, or a module of Fortran", FM_STR_INIT("MODULE shop\nend module\n"),
         "this is a text file"},
        {"a report", FM_STR_INIT("*** *** ***\npid: 1\n"), "this is a text file"},
        {"unknown", FM_STR_INIT("\1\2\3\4"), "not a symbol file of a known kind"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_error error = {0};
        assert_int_equal(fm_image_refuse(rows[i].bytes, &error), FRAMEMAP_E_FORMAT);
        if (!strstr(error.message, rows[i].says)) fail_msg("%s: %s", rows[i].why, error.message);
        for (size_t size = 0; size < rows[i].bytes.size; size++)
            assert_int_equal(fm_image_refuse(fm_str_slice(rows[i].bytes, 0, size), NULL), FRAMEMAP_E_FORMAT);
    }
}

/* Checks which files in a folder without symbol files give a hint to the user. Files that are common in any folder do
 * not. */
static void what_a_folder_has(void **state)
{
    static const struct {
        framemap_str bytes;
        bool known;
    } rows[] = {
        {FM_STR_INIT("MODULE of the app\n"), false},
        {FM_STR_INIT("Microsoft C/C++ MSF 7.00\r\n"), true},
        {FM_STR_INIT("MZ"), true},
        {FM_STR_INIT("dex\n035"), true},
        {FM_STR_INIT("version https://git-lfs.github.com/spec/v1\noid sha256:00\n"), true},
        {FM_STR_INIT("<!DOCTYPE html>\n"), false},
        {FM_STR_INIT("bplist00"), false},
        {FM_STR_INIT("<?xml version='1.0'?>"), false},
        {FM_STR_INIT("notes\n"), false},
        {FM_STR_INIT("\1\2\3\4"), false},
        {FM_STR_INIT(""), false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_error error = {0}, refused = {0};
        assert_int_equal(fm_image_recognise(rows[i].bytes, &error), rows[i].known);
        fm_image_refuse(rows[i].bytes, &refused);
        assert_string_equal(error.message, rows[i].known ? refused.message : "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_file_is), cmocka_unit_test(what_a_folder_has)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
