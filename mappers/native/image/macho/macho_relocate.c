/* Applies relocations to sections of Mach-O object files. In the file, the addresses of sections start at 0; struct
 * fm_image has them FM_LAYOUT_START higher. So FM_LAYOUT_START is added to each relocated address, and for an external
 * relocation also the value of its symbol (mach-o/reloc.h). */
#include "mappers/native/image/image_values.h"

#include "core/checked.h"
#include "mappers/native/image/macho/macho_image.h"

struct macho_relocation {
    uint64_t offset;
    uint32_t symbol; /* a symbol, or the ordinal of a section */
    uint8_t width, type;
    bool external, scattered;
};

static framemap_str table_of(const struct fm_image *image, uint32_t section)
{
    const struct fm_macho_section *raw = &image->inner->macho->sections[section];
    const uint64_t size = (uint64_t)raw->relocation_count * 8;

    if (!fm_range_fits(raw->relocations_offset, size, image->bytes.size)) return (framemap_str){NULL, 0};
    return (framemap_str){image->bytes.data + raw->relocations_offset, (size_t)size};
}

bool fm_macho_has_relocations(const struct fm_image *image, uint32_t section)
{
    return table_of(image, section).size > 0;
}

static void read_relocation(struct fm_byte_reader *r, struct macho_relocation *out)
{
    const uint32_t address = fm_read_u32(r), word = fm_read_u32(r);

    *out = (struct macho_relocation){.offset = address, .scattered = (address >> 31) != 0};
    if (out->scattered) {
        out->offset = address & 0xffffff;
        out->type = (address >> 24) & 15;
        out->width = (uint8_t)(1u << ((address >> 28) & 3));
    } else if (r->big_endian) {
        out->symbol = word >> 8;
        out->width = (uint8_t)(1u << ((word >> 5) & 3));
        out->external = (word >> 4) & 1;
        out->type = word & 15;
    } else {
        out->symbol = word & 0xffffff;
        out->width = (uint8_t)(1u << ((word >> 25) & 3));
        out->external = (word >> 27) & 1;
        out->type = (uint8_t)(word >> 28);
    }
}

enum action { UNKNOWN, PLAIN, SUBTRACT, NOTHING };

/* Returns what a relocation does. Type 0 is a plain address on every machine. */
static enum action action_of(uint32_t cputype, const struct macho_relocation *relocation)
{
    if (relocation->type == 0) return PLAIN;
    if (cputype == (MACHO_X86 | MACHO_ABI64)) return relocation->type == 5 ? SUBTRACT : UNKNOWN;
    if (cputype == (MACHO_ARM | MACHO_ABI64) || cputype == (MACHO_ARM | MACHO_ABI64_32))
        return relocation->type == 1 ? SUBTRACT : UNKNOWN;
    return relocation->scattered || relocation->type == 1
               ? NOTHING
               : UNKNOWN; /* all other types are differences of symbols, or the second relocations of such pairs */
}

/* Gets the value to add for a relocation: that of the symbol or section to which the relocation refers. */
static bool value_of(const struct fm_image *image, const struct macho_relocation *relocation, uint64_t *out)
{
    const struct fm_macho *macho = image->inner->macho;
    struct fm_byte_reader r = fm_byte_reader_of(macho->symbols, image->big_endian);
    struct fm_macho_symbol symbol;
    uint32_t ordinal = relocation->symbol;

    *out = 0;
    if (relocation->scattered) {
        *out = FM_LAYOUT_START;
        return true;
    }
    if (relocation->external) {
        fm_byte_reader_seek(&r, (uint64_t)relocation->symbol * fm_macho_symbol_bytes(image->is64));
        fm_macho_read_symbol(&r, image->is64, &symbol);
        if (r.bad) return false;
        ordinal = (symbol.type & MACHO_N_TYPE) == MACHO_N_SECT ? symbol.section : 0;
        *out = symbol.value;
    }
    if (ordinal > 0 && ordinal <= image->section_count && (image->sections[ordinal - 1].flags & FM_SECTION_ALLOC))
        *out += FM_LAYOUT_START;
    return true;
}

static bool apply_macho_relocation(const struct fm_image *image, const struct macho_relocation *relocation,
                                   unsigned char *contents, size_t size)
{
    const enum action action = action_of(image->machine, relocation);
    uint64_t value;

    if (action == NOTHING) return true;
    if (action == UNKNOWN || !fm_range_fits(relocation->offset, relocation->width, size) ||
        !value_of(image, relocation, &value))
        return false;
    unsigned char *at = contents + relocation->offset;
    const uint64_t old = fm_bytes_get(at, relocation->width, image->big_endian);
    fm_bytes_put(at, relocation->width, image->big_endian, action == PLAIN ? old + value : old - value);
    return true;
}

void fm_macho_relocate(const struct fm_image *image, uint32_t section, unsigned char *contents, size_t size)
{
    struct fm_byte_reader r = fm_byte_reader_of(table_of(image, section), image->big_endian);

    image->sections[section].unapplied = 0;
    while (fm_byte_reader_left(&r) >= 8) {
        struct macho_relocation relocation;
        read_relocation(&r, &relocation);
        if (!apply_macho_relocation(image, &relocation, contents, size)) image->sections[section].unapplied++;
    }
}
