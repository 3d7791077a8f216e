/* Recognizes files that are not object files, to report what they are and which file to use instead. */
#include "mappers/native/image/foreign.h"

#include "core/archive/archive.h"
#include "core/error.h"
#include "core/text/scan.h"
#include "mappers/native/image/foreign_pe.h"

/* Messages for formats that have both byte orders, and so two rows in the table below. */
#define NOT_GSYM "a GSYM file of LLVM, which is not read: give the program that it was made from, with its debug info"
#define NOT_XCOFF "a file of AIX (XCOFF), which is not read: use dbx, or addr2line of binutils for AIX"
#define NOT_BTF "BTF, which has types of the Linux kernel and no addresses: give its vmlinux or its System.map"
/* Symbol files of Breakpad that their mapper does not recognise. */
#define BAD_BREAKPAD                                                                                                  \
    "a symbol file of Breakpad with a damaged first line: it has to be MODULE, system, processor, an id of 32 to 40 " \
    "hexadecimal digits, and name (line 1)"

static const struct {
    const char *magic;
    uint16_t size, offset;
    const char *what;
} foreign[] = {
    {"!<arch>\n", 8, 0,
     "an archive of object files: name one of them, as in lib.a!member.o (framemap info lists them)"},
    {"!<thin>\n", 8, 0,
     "a thin archive, which only names object files: give it with -s, or name one of them, as in lib.a!member.o"},
    {"\xca\xfe\xba\xbe", 4, 0, "a Java class file: give the mapping.txt of the build"},
    {"dex\n", 4, 0, "an Android dex file: give the mapping.txt of the build"},
    {"PK\3\4", 4, 0,
     "a zip archive (zip, apk, aab, jar, ipa): name a file in it, as in app.apk!lib/arm64-v8a/libapp.so (framemap info "
     "lists the symbol files)"},
    {"PK\5\6", 4, 0, "an empty zip archive"},
    {"\x1f\x8b", 2, 0, "gzip data: unpack it first (gunzip)"},
    {"\xfd"
     "7zXZ\0",
     6, 0, "xz data: unpack it first (unxz)"},
    {"BZh", 3, 0, "bzip2 data: unpack it first (bunzip2)"},
    {"\x28\xb5\x2f\xfd", 4, 0, "zstd data: unpack it first (unzstd)"},
    {"7z\xbc\xaf\x27\x1c", 6, 0, "a 7z archive: unpack it and give the files inside"},
    {"MSCF", 4, 0, "a cabinet of Windows (cab; pd_ and dl_ of symbol servers): unpack it and give the files inside"},
    {"ffffffffffffffff B The real System.map", 38, 0,
     "a stub: the System.map with the kernel's symbols is in the package linux-image-VERSION-dbg"},
    {"ustar", 5, 257, "a tar archive: unpack it and give the files inside"},
    {"Microsoft C/C++ MSF", 19, 0,
     "a PDB file, which is not read: restore stacks of Windows programs with llvm-symbolizer or a debugger"},
    {"Microsoft C/C++ program database", 32, 0,
     "a PDB file of an old Visual C++, which is not read: restore stacks of Windows programs with a debugger"},
    {"BSJB", 4, 0,
     "a portable PDB of .NET, which is not read: put it next to its assembly, and .NET prints files and lines itself"},
    {"MYSG", 4, 0, NOT_GSYM},
    {"GSYM", 4, 0, NOT_GSYM},
    {"\x9f\xeb\x01", 3, 0, NOT_BTF},
    {"\xeb\x9f\x01", 3, 0, NOT_BTF},
    {"SYMC", 4, 0, "a cache of Sentry's symbolic, which is not read: give the file that it was made from"},
    {"BCSymbolMap Version", 19, 0,
     "a BCSymbolMap, which has the names that a dSYM of a bitcode build hides: apply it with Xcode's dsymutil "
     "--symbol-map, and give the dSYM"},
    {"# Path: ", 8, 0, "a map of Apple's linker, which is not read: give the program that it describes, or its dSYM"},
    {"MDMP", 4, 0,
     "a minidump, which holds no symbols: give the programs that it names, and what minidump_stackwalk prints of it as "
     "the report"},
    {"PERFILE2", 8, 0,
     "a recording of perf, which holds no symbols: give the programs in it, and what 'perf script' prints as the "
     "report"},
    {"\xff\xfe", 2, 0, "text in UTF-16, which is not read as a symbol file: convert it (iconv -f UTF-16 -t UTF-8)"},
    {"\xfe\xff", 2, 0, "text in UTF-16, which is not read as a symbol file: convert it (iconv -f UTF-16 -t UTF-8)"},
    {"version https://git-lfs.", 24, 0,
     "a pointer of Git LFS, not the file itself: fetch the file with 'git lfs pull'"},
    {"MODULE Linux ", 13, 0, BAD_BREAKPAD},
    {"MODULE Android ", 15, 0, BAD_BREAKPAD},
    {"MODULE windows ", 15, 0, BAD_BREAKPAD},
    {"MODULE mac ", 11, 0, BAD_BREAKPAD},
    {"MODULE ios ", 11, 0, BAD_BREAKPAD},
    {"JiTD", 4, 0, "a dump of generated code (jitdump), which is not read"},
    {"DTiJ", 4, 0, "a dump of generated code (jitdump), which is not read"},
    {"\xc6\x1f\xbc\x03\xc1\x03\x19\x1f", 8, 0,
     "bytecode of Hermes, which has no names: give the source map that was composed for it"},
    {"\xe5\xd1\x0b\xfb", 4, 0, "a RAM bundle of React Native, which has no names: give the source map of the bundle"},
    {"\x01\xf7\0", 3, 0, NOT_XCOFF},
    {"\x01\xdf\0", 3, 0, NOT_XCOFF},
    {"dyld_v1", 7, 0, "a dyld shared cache: take the library out of it and give that"},
    {"BC\xc0\xde", 4, 0, "LLVM bitcode, which has no machine code yet: give the file that was linked from it"},
    {"\xde\xc0\x17\x0b", 4, 0, "LLVM bitcode, which has no machine code yet: give the file that was linked from it"},
};

/* Kinds of files that are common in any folder, so they are reported only for a file that the user named. */
static const struct {
    const char *magic;
    uint16_t size;
    const char *what;
} common[] = {
    {"bplist00", 8, "a property list, not a symbol file: for a dSYM, give the whole .dSYM folder"},
    {"FMX", 3, "an index already: open it with framemap_index_open, or give it to the command as it is"},
    {"<?xml", 5, "an XML file, not a symbol file: for a dSYM, give the whole .dSYM folder"},
};

/* Kernel images that are copies of memory. They may begin like PE files. */
static const struct {
    const char *magic;
    uint16_t size, offset;
} kernels[] = {{"ARM\x64", 4, 0x38},          /* kernel image of arm64 (the file Image) */
               {"RISCV\0\0\0", 8, 0x30},      /* kernel image of riscv (the file Image) */
               {"zimg", 4, 4},                /* kernel image for EFI (the file vmlinuz.efi) */
               {"\x18\x28\x6f\x01", 4, 0x24}, /* kernel image of 32-bit arm (the file zImage) */
               {"\x27\x05\x19\x56", 4, 0}};   /* kernel image in U-Boot's container (the file uImage) */

#define GIVE "give an ELF or Mach-O file, a dSYM, a mapping, a source map, a symbol file of Breakpad or an index"

static bool is_text(framemap_str bytes)
{
    const size_t look = bytes.size < 512 ? bytes.size : 512;

    for (size_t i = 0; i < look; i++) {
        const unsigned char byte = (unsigned char)bytes.data[i];
        if (byte == 0x7f ||
            (byte < ' ' && byte != '\n' && byte != '\r' && byte != '\t' && byte != '\f' && byte != 0x1b))
            return false;
    }
    return true;
}

static bool is_numbered_name(struct fm_scan *s, framemap_str number)
{
    framemap_str name = {NULL, 0};
    return fm_scan_text(s, number) && fm_scan_line(s, &name) && name.size > 0 &&
           fm_str_find_byte(name, ' ') == FM_NOT_FOUND;
}

/* Whether the bytes are a map of Emscripten (--emit-symbol-map), which numbers all functions of a module: "0:memcpy",
 * "1:main". */
static bool is_emscripten(framemap_str bytes)
{
    struct fm_scan s = fm_scan_of(bytes);
    return is_numbered_name(&s, FM_STR("0:")) && is_numbered_name(&s, FM_STR("1:"));
}

/* Whether the bytes are an HTML page. Servers answer with a page if a file is missing, and a download saves the page
 * under the name of the file. */
static bool is_html(framemap_str bytes)
{
    static const framemap_str begins[] = {FM_STR_INIT("<!doctype html"), FM_STR_INIT("<html>"), FM_STR_INIT("<html ")};
    while (bytes.size > 0 && (fm_is_blank(bytes.data[0]) || bytes.data[0] == '\n' || bytes.data[0] == '\r'))
        bytes = fm_str_from(bytes, 1);
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (fm_str_equal_nocase(fm_str_slice(bytes, 0, begins[i].size), begins[i])) return true;
    return false;
}

static bool is_kernel(framemap_str bytes)
{
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (fm_str_starts(fm_str_from(bytes, kernels[i].offset), fm_str(kernels[i].magic, kernels[i].size)))
            return true;
    return false;
}

/* Returns what the file is, judged by its first bytes; NULL: unknown. */
static const char *foreign_kind(framemap_str bytes)
{
    const char *archive = fm_archive_foreign(bytes);
    if (archive != NULL) return archive;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (fm_str_starts(fm_str_from(bytes, foreign[i].offset), fm_str(foreign[i].magic, foreign[i].size)))
            return foreign[i].what;
    if (fm_pe_is_object(bytes))
        return "an object file of Windows (COFF), which is not read: give the program or library that was linked from "
               "it to llvm-symbolizer or a debugger";
    if (is_emscripten(bytes))
        return "a symbol map of Emscripten, which has no addresses: give the WebAssembly module with its names "
               "(--profiling-funcs) or its debug info (-g)";
    return NULL;
}

bool fm_image_recognise(framemap_str bytes, framemap_error *error)
{
    if (is_kernel(bytes)) {
        fm_error_set(error, FRAMEMAP_E_FORMAT,
                     "this is an image of a Linux kernel, which has no symbols: give its vmlinux, its "
                     "System.map or /proc/kallsyms");
        return true;
    }
    if (fm_str_starts(bytes, FM_STR("MZ"))) {
        fm_pe_refuse(bytes, error);
        return true;
    }
    const char *kind = foreign_kind(bytes);
    if (kind != NULL) fm_error_set(error, FRAMEMAP_E_FORMAT, "this is %s", kind);
    return kind != NULL;
}

framemap_status fm_image_refuse(framemap_str bytes, framemap_error *error)
{
    if (bytes.size == 0) return fm_error_set(error, FRAMEMAP_E_FORMAT, "this file is empty");
    if (fm_image_recognise(bytes, error)) return FRAMEMAP_E_FORMAT;
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        if (fm_str_starts(bytes, fm_str(common[i].magic, common[i].size)))
            return fm_error_set(error, FRAMEMAP_E_FORMAT, "this is %s", common[i].what);
    if (is_html(bytes))
        return fm_error_set(
            error, FRAMEMAP_E_FORMAT,
            "this is an HTML page, as servers send in place of a missing file: download the file again");
    if (is_text(bytes))
        return fm_error_set(error, FRAMEMAP_E_FORMAT,
                            "this is a text file, but neither a mapping nor a source map: " GIVE);
    return fm_error_set(error, FRAMEMAP_E_FORMAT, "this is not a symbol file of a known kind: " GIVE);
}
