/* Windows PE files: they are not read; the message reports where their debug info is (PE Format, learn.microsoft.com;
 * long section names are in the COFF string table, as MinGW's linkers write them). */
#include "mappers/native/image/foreign_pe.h"

#include "core/byte_reader.h"

#include "core/error.h"
#include "core/text/text.h"

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
    struct fm_byte_reader r; /* over the whole file */
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

/* ".text", or "/4": the name at offset 4 of the string table. */
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

/* File offset of a section's bytes; 0 if there is no section of that name. */
static uint64_t section_at(const struct pe *pe, framemap_str name)
{
    for (uint32_t i = 0; i < pe->section_count; i++) {
        struct fm_byte_reader r = reader_at(pe, pe->sections + (uint64_t)i * SECTION_ROW + 20);
        if (fm_str_equal(section_name(pe, i), name)) return fm_read_u32(&r);
    }
    return 0;
}

/* File offset of an address relative to the image base; 0 if there is none. */
static uint64_t offset_of(const struct pe *pe, uint64_t address)
{
    for (uint32_t i = 0; i < pe->section_count; i++) {
        struct fm_byte_reader r = reader_at(pe, pe->sections + (uint64_t)i * SECTION_ROW + 12);
        const uint64_t start = fm_read_u32(&r), size = fm_read_u32(&r), stored = fm_read_u32(&r);
        if (!r.bad && address >= start && address - start < size) return stored + (address - start);
    }
    return 0;
}

/* The path of the PDB in the CodeView record of the debug directory, or absent. */
static framemap_str pdb_of(const struct pe *pe)
{
    const framemap_str none = {NULL, 0};
    struct fm_byte_reader r = reader_at(pe, pe->optional);
    const bool wide = fm_read_u16(&r) == 0x20b;
    r = reader_at(pe, pe->optional + (wide ? 112 : 96) + DEBUG_DIRECTORY * 8);
    const uint64_t address = fm_read_u32(&r), size = fm_read_u32(&r), table = offset_of(pe, address);
    if (r.bad || address == 0 || table == 0) return none;
    for (uint64_t done = 0; done + DEBUG_ROW <= size && done < (uint64_t)MOST_SECTIONS * DEBUG_ROW; done += DEBUG_ROW) {
        r = reader_at(pe, table + done + 12);
        const uint32_t type = fm_read_u32(&r);
        fm_byte_reader_skip(&r, 8);
        const uint32_t record = fm_read_u32(&r);
        if (r.bad || type != CODEVIEW) continue;
        r = reader_at(pe, record);
        if (!fm_str_equal(fm_read_bytes(&r, 4), FM_STR("RSDS"))) continue; /* followed by a GUID and an age */
        fm_byte_reader_skip(&r, 20);
        return fm_str_basename(fm_read_cstr(&r));
    }
    return none;
}

static int shown(framemap_str name) { return name.size < 80 ? (int)name.size : 80; }

framemap_status fm_pe_refuse(framemap_str bytes, framemap_error *error)
{
    struct pe pe;
    if (!open_pe(bytes, &pe))
        return fm_error_set(error, FRAMEMAP_E_FORMAT,
                            "this is an MS-DOS program, or a Windows PE file that is cut short: neither is read");
    if (section_at(&pe, FM_STR(".debug_info")) || section_at(&pe, FM_STR(".zdebug_info")))
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
        return fm_error_set(error, FRAMEMAP_E_FORMAT,
                            "this is a Windows PE file: its debug info is in %.*s; neither is read", shown(pdb),
                            pdb.data);
    return fm_error_set(
        error, FRAMEMAP_E_FORMAT,
        "this is a Windows PE file without debug info: it names no PDB and has no DWARF; PE files are not read");
}
