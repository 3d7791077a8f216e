/* Describes Windows PE files, which framemap does not read: a message says where their debug info is (PE Format,
 * learn.microsoft.com; long section names are in the COFF string table, as MinGW's linkers write them). */
#include "mappers/native/image/foreign_pe.h"

#include "core/byte_reader.h"

#include "core/error.h"
#include "core/text/guid.h"
#include "core/text/text.h"
#include "mappers/native/image/image_values.h"

#include <stdio.h>

enum {
    COFF_HEADER = 20,
    SECTION_ROW = 40,
    SYMBOL_ROW = 18,
    DEBUG_ROW = 28,
    MOST_SECTIONS = 96,
    DEBUG_DIRECTORY = 6,
    CODEVIEW = 2
};

struct pe {
    struct fm_byte_reader r; /* a reader over the whole file */
    uint64_t optional, sections, strings;
    uint32_t section_count;
};

static bool open_pe(framemap_str bytes, struct pe *out)
{
    struct fm_byte_reader r = fm_byte_reader_of(bytes, false);
    fm_byte_reader_seek(&r, 0x3c);
    const uint64_t at = fm_read_u32(&r);
    fm_byte_reader_seek(&r, at);
    if (!fm_str_equal(fm_read_bytes(&r, 4), FM_STR("PE\0\0")) || r.bad) return false;
    fm_byte_reader_skip(&r, 2);
    out->section_count = fm_read_u16(&r);
    fm_byte_reader_skip(&r, 4);
    const uint64_t symbols = fm_read_u32(&r), symbol_count = fm_read_u32(&r), optional_size = fm_read_u16(&r);
    if (r.bad) return false;
    out->r = fm_byte_reader_of(bytes, false);
    out->optional = at + 4 + COFF_HEADER;
    out->sections = out->optional + optional_size;
    out->strings = symbols ? symbols + symbol_count * SYMBOL_ROW : 0;
    if (out->section_count > MOST_SECTIONS) out->section_count = MOST_SECTIONS;
    return true;
}

static struct fm_byte_reader reader_at(const struct pe *pe, uint64_t offset)
{
    struct fm_byte_reader r = pe->r;
    fm_byte_reader_seek(&r, offset);
    return r;
}

/* Returns the name of a section: ".text", or for "/4" the name at offset 4 of the string table. */
static framemap_str section_name(const struct pe *pe, uint32_t number)
{
    struct fm_byte_reader r = reader_at(pe, pe->sections + (uint64_t)number * SECTION_ROW);
    const framemap_str field = fm_read_bytes(&r, 8), name = fm_str_slice(field, 0, fm_str_find_byte(field, '\0'));
    uint64_t offset = 0;
    if (name.size < 2 || name.data[0] != '/' || pe->strings == 0) return name;
    for (size_t i = 1; i < name.size; i++) {
        if (name.data[i] < '0' || name.data[i] > '9') return name;
        offset = offset * 10 + (uint64_t)(name.data[i] - '0');
    }
    r = reader_at(pe, pe->strings + offset);
    return fm_read_cstr(&r);
}

/* Returns the file offset of a section's bytes; 0 if there is no section of that name. */
static uint64_t section_at(const struct pe *pe, framemap_str name)
{
    for (uint32_t i = 0; i < pe->section_count; i++) {
        struct fm_byte_reader r = reader_at(pe, pe->sections + (uint64_t)i * SECTION_ROW + 20);
        if (fm_str_equal(section_name(pe, i), name)) return fm_read_u32(&r);
    }
    return 0;
}

/* Returns the file offset of an address that is relative to the image base; 0: the file does not have it. */
static uint64_t offset_of(const struct pe *pe, uint64_t address)
{
    for (uint32_t i = 0; i < pe->section_count; i++) {
        struct fm_byte_reader r = reader_at(pe, pe->sections + (uint64_t)i * SECTION_ROW + 12);
        const uint64_t start = fm_read_u32(&r), size = fm_read_u32(&r), stored = fm_read_u32(&r);
        if (!r.bad && address >= start && address - start < size) return stored + (address - start);
    }
    return 0;
}

/* A CodeView record that names a PDB. */
struct pdb {
    framemap_str guid; /* the 16 bytes of the GUID */
    uint32_t age;
    framemap_str path;
};

/* Finds the record in the debug directory. */
static bool find_pdb(const struct pe *pe, struct pdb *out)
{
    struct fm_byte_reader r = reader_at(pe, pe->optional);
    const bool wide = fm_read_u16(&r) == 0x20b;
    r = reader_at(pe, pe->optional + (wide ? 112 : 96) + DEBUG_DIRECTORY * 8);
    const uint64_t address = fm_read_u32(&r), size = fm_read_u32(&r), table = offset_of(pe, address);
    if (r.bad || address == 0 || table == 0) return false;
    for (uint64_t done = 0; done + DEBUG_ROW <= size && done < (uint64_t)MOST_SECTIONS * DEBUG_ROW; done += DEBUG_ROW) {
        r = reader_at(pe, table + done + 12);
        const uint32_t type = fm_read_u32(&r);
        fm_byte_reader_skip(&r, 8);
        const uint32_t record = fm_read_u32(&r);
        if (r.bad || type != CODEVIEW) continue;
        r = reader_at(pe, record);
        if (!fm_str_equal(fm_read_bytes(&r, 4), FM_STR("RSDS"))) continue;
        out->guid = fm_read_bytes(&r, FM_GUID_DIGITS / 2);
        out->age = fm_read_u32(&r);
        out->path = fm_read_cstr(&r);
        return !r.bad;
    }
    return false;
}

/* IMAGE_FILE_MACHINE_ values. ARM64EC and ARM64X are not distinguished from ARM64. */
static const struct pe_machine {
    uint16_t value;
    bool of_objects; /* a file that begins with this machine number is taken for an object file */
    const char *arch;
} machines[] = {{0x14c, true, "i386"}, {0x8664, true, "x86_64"}, {0xaa64, true, "arm64"}, {0x1c0, false, "arm"},
                {0x1c4, true, "arm"},  {0xa641, true, ""},       {0xa64e, true, ""}};

/* Returns the row of a machine; NULL: the machine is unknown. */
static const struct pe_machine *machine_of(uint32_t value)
{
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (machines[i].value == value) return &machines[i];
    return NULL;
}

static bool is_of_objects(uint32_t value)
{
    const struct pe_machine *machine = machine_of(value);
    return machine != NULL && machine->of_objects;
}

/* Whether the file begins with ANON_OBJECT_HEADER, as object files with very many sections (/bigobj) and import
 * libraries do. */
static bool is_anonymous_object(struct fm_byte_reader r)
{
    const uint32_t machine = fm_read_u16(&r), mark = fm_read_u16(&r);
    fm_byte_reader_skip(&r, 2); /* the version is skipped */
    const bool is_one = machine == 0 && mark == 0xffff && is_of_objects(fm_read_u16(&r));
    return is_one && !r.bad;
}

/* An object file is recognized by two facts: it has no optional header, and its first section has a name. */
bool fm_pe_is_object(framemap_str bytes)
{
    struct fm_byte_reader r = fm_byte_reader_of(bytes, false);
    if (is_anonymous_object(r)) return true;
    const bool known = is_of_objects(fm_read_u16(&r));
    const uint32_t sections = fm_read_u16(&r);
    fm_byte_reader_skip(&r, 4); /* the time is skipped */
    const uint64_t symbols = fm_read_u32(&r);
    fm_byte_reader_skip(&r, 4); /* the number of symbols is skipped */
    const uint32_t optional_size = fm_read_u16(&r);
    fm_byte_reader_skip(&r, 2); /* the flags are skipped */
    const framemap_str name = fm_read_bytes(&r, 8);
    if (!known || r.bad || sections == 0 || optional_size != 0) return false;
    if (symbols != 0 && symbols < COFF_HEADER + (uint64_t)sections * SECTION_ROW) return false;
    return name.data[0] == '.' || name.data[0] == '/';
}

static framemap_str pdb_of(const struct pe *pe)
{
    struct pdb pdb;
    return find_pdb(pe, &pdb) ? fm_str_basename(pdb.path) : (framemap_str){NULL, 0};
}

static int shown(framemap_str name) { return name.size < 80 ? (int)name.size : 80; }

/* Whether Go's linker wrote the file: it puts the build id of Go at the start of the code (cmd/internal/buildid). */
static bool is_go(const struct pe *pe)
{
    const framemap_str mark = FM_STR("\xff Go build ID: \"");
    const uint64_t code = section_at(pe, FM_STR(".text"));
    struct fm_byte_reader r = reader_at(pe, code);
    return code != 0 && fm_str_equal(fm_read_bytes(&r, mark.size), mark);
}

framemap_status fm_pe_refuse(framemap_str bytes, framemap_error *error)
{
    struct pe pe;
    if (!open_pe(bytes, &pe))
        return fm_error_set(error, FRAMEMAP_E_FORMAT,
                            "this is an MS-DOS program, or a Windows PE file that is cut short: neither is read");
    const bool has_dwarf = section_at(&pe, FM_STR(".debug_info")) || section_at(&pe, FM_STR(".zdebug_info"));
    if (is_go(&pe))
        return fm_error_set(error, FRAMEMAP_E_FORMAT,
                            has_dwarf
                                ? "this is a Windows PE file of Go: PE files are not read; use 'go tool addr2line'"
                                : "this is a Windows PE file of Go without debug info: PE files are not read; Go's "
                                  "own tracebacks have functions, files and lines");
    if (has_dwarf)
        return fm_error_set(error, FRAMEMAP_E_FORMAT,
                            "this is a Windows PE file with DWARF, as MinGW makes it: PE files are not read; use "
                            "llvm-symbolizer or MinGW's addr2line");
    const uint64_t link = section_at(&pe, FM_STR(".gnu_debuglink"));
    struct fm_byte_reader r = reader_at(&pe, link);
    const framemap_str debug_file = link ? fm_read_cstr(&r) : (framemap_str){NULL, 0}, pdb = pdb_of(&pe);
    if (debug_file.size)
        return fm_error_set(error, FRAMEMAP_E_FORMAT,
                            "this is a stripped Windows PE file: its debug info is in %.*s; PE files are not read",
                            shown(debug_file), debug_file.data);
    if (pdb.size)
        return fm_error_set(
            error, FRAMEMAP_E_FORMAT,
            "this is a Windows PE file: its debug info is in %.*s; neither is read: use llvm-symbolizer "
            "or a debugger",
            shown(pdb), pdb.data);
    return fm_error_set(
        error, FRAMEMAP_E_FORMAT,
        "this is a Windows PE file without debug info: it names no PDB and has no DWARF; PE files are not read");
}

/* --- describing a PE file --- */

/* Writes "8c17697f-2e84-39e5-b491-fcf5169106ff-1": the numbers of the GUID are little-endian; the age is hex. */
static void put_debug_id(const struct pdb *pdb, framemap_image_info *out)
{
    char digits[FM_GUID_DIGITS];
    fm_hex_put(pdb->guid.data, FM_GUID_DIGITS / 2, digits);
    fm_guid_swap(digits);
    const size_t size = fm_guid_put(digits, out->debug_id);
    if (pdb->age) snprintf(out->debug_id + size, sizeof out->debug_id - size, "-%x", (unsigned)pdb->age);
}

bool fm_pe_describe(framemap_str bytes, framemap_image_info *out)
{
    struct pe pe;
    struct pdb pdb;
    if (!fm_str_starts(bytes, FM_STR("MZ")) || !open_pe(bytes, &pe)) return false;
    struct fm_byte_reader r = reader_at(&pe, pe.optional - COFF_HEADER);
    const struct pe_machine *machine = machine_of(fm_read_u16(&r));
    fm_byte_reader_skip(&r, 2);
    const uint32_t time_stamp = fm_read_u32(&r);
    r = reader_at(&pe, pe.optional);
    const bool wide = fm_read_u16(&r) == 0x20b;
    r = reader_at(&pe, pe.optional + (wide ? 24 : 28));
    const uint64_t base = wide ? fm_read_u64(&r) : fm_read_u32(&r);
    r = reader_at(&pe, pe.optional + 56);
    const uint32_t image_size = fm_read_u32(&r);
    if (r.bad) return false;
    *out = (framemap_image_info){.address_bits = wide ? 64 : 32, .base = base, .size = bytes.size};
    fm_copy_name(out->kind, sizeof out->kind, "pe");
    fm_copy_name(out->arch, sizeof out->arch, machine ? machine->arch : "");
    snprintf(out->code_id, sizeof out->code_id, "%08x%x", (unsigned)time_stamp, (unsigned)image_size);
    if (!find_pdb(&pe, &pdb)) return true;
    put_debug_id(&pdb, out);
    out->debug_link = fm_str_basename(pdb.path);
    return true;
}
