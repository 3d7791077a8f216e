/* Decodes Mach-O records, and names of sections and CPUs. See macho_format.h. */
#include "mappers/native/image/macho/macho_format.h"

#include "core/text/text.h"
#include "mappers/native/image/image_values.h"
#include <stdio.h>

#define NAME_BYTES 16 /* longer names are truncated */

static uint64_t read_word(struct fm_byte_reader *r, bool is64) { return fm_read_uint(r, is64 ? 8 : 4); }

static framemap_str read_name(struct fm_byte_reader *r)
{
    const framemap_str name = fm_read_bytes(r, NAME_BYTES);
    return fm_str(name.data, name.size > 0 ? strnlen(name.data, name.size) : 0);
}

void fm_macho_read_segment(struct fm_byte_reader *r, bool is64, struct fm_macho_segment *out)
{
    out->name = read_name(r);
    out->address = read_word(r, is64);
    out->memory_size = read_word(r, is64);
    out->offset = read_word(r, is64);
    out->file_size = read_word(r, is64);
    fm_byte_reader_skip(r, 8); /* maxprot and initprot are skipped */
    out->section_count = fm_read_u32(r);
    fm_read_u32(r); /* the flags are skipped */
}

void fm_macho_read_section(struct fm_byte_reader *r, bool is64, struct fm_macho_section *out)
{
    out->name = read_name(r);
    out->segment = read_name(r);
    out->address = read_word(r, is64);
    out->size = read_word(r, is64);
    out->offset = fm_read_u32(r);
    fm_read_u32(r); /* the field `align` is skipped */
    out->relocations_offset = fm_read_u32(r);
    out->relocation_count = fm_read_u32(r);
    out->flags = fm_read_u32(r);
    fm_byte_reader_skip(r, is64 ? 12 : 8); /* the reserved fields are skipped */
}

void fm_macho_read_symbol(struct fm_byte_reader *r, bool is64, struct fm_macho_symbol *out)
{
    out->name = fm_read_u32(r);
    out->type = fm_read_u8(r);
    out->section = fm_read_u8(r);
    out->description = fm_read_u16(r);
    out->value = read_word(r, is64);
}

bool fm_macho_is_debug(const struct fm_macho_section *section)
{
    return fm_str_equal(section->segment, FM_STR("__DWARF")) || (section->flags & MACHO_DEBUG);
}

/* Maps "__debug_info" to ".debug_info", and also Go's "__zdebug_info", which is compressed. */
framemap_str fm_macho_section_name(const struct fm_macho_section *section)
{
    framemap_str plain = {NULL, 0};

    if (fm_macho_is_debug(section) && fm_str_starts(section->name, FM_STR("__"))) {
        const size_t skip = fm_str_starts(section->name, FM_STR("__zdebug_")) ? 3 : 2;
        plain = fm_debug_name(fm_str_from(section->name, skip), section->name.size == NAME_BYTES);
    }
    return plain.size > 0 ? plain : section->name;
}

void fm_macho_arch(uint32_t cputype, uint32_t cpusubtype, char out[16])
{
    static const struct {
        uint32_t type, subtype; /* numbers of the CPU; UINT32_MAX: any subtype that has no row of its own */
        const char *name;
    } rows[] = {
        {MACHO_ARM | MACHO_ABI64, 2, "arm64e"},
        {MACHO_ARM | MACHO_ABI64, UINT32_MAX, "arm64"},
        {MACHO_ARM | MACHO_ABI64_32, UINT32_MAX, "arm64_32"},
        {MACHO_X86 | MACHO_ABI64, 8, "x86_64h"},
        {MACHO_X86 | MACHO_ABI64, UINT32_MAX, "x86_64"},
        {MACHO_X86, UINT32_MAX, "i386"},
        {MACHO_ARM, 5, "armv4t"},
        {MACHO_ARM, 6, "armv6"},
        {MACHO_ARM, 7, "armv5"},
        {MACHO_ARM, 9, "armv7"},
        {MACHO_ARM, 10, "armv7f"},
        {MACHO_ARM, 11, "armv7s"},
        {MACHO_ARM, 12, "armv7k"},
        {MACHO_ARM, 14, "armv6m"},
        {MACHO_ARM, 15, "armv7m"},
        {MACHO_ARM, 16, "armv7em"},
        {MACHO_ARM, UINT32_MAX, "arm"},
        {MACHO_PPC | MACHO_ABI64, UINT32_MAX, "ppc64"},
        {MACHO_PPC, UINT32_MAX, "ppc"},
        {MACHO_SPARC, UINT32_MAX, "sparc"},
    };
    const uint32_t plain = cpusubtype & 0x00ffffff; /* the upper byte has capability bits */

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].type != cputype || (rows[i].subtype != UINT32_MAX && rows[i].subtype != plain)) continue;
        fm_copy_name(out, 16, rows[i].name);
        return;
    }
    snprintf(out, 16, "cpu-%x", (unsigned)cputype);
}
