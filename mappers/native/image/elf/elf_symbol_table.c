/* Symbol tables of an ELF file: finds their records, and the section of a symbol. Called by elf_open.c, elf_symbols.c
 * and elf_relocate.c. */
#include "mappers/native/image/elf/elf_image.h"

/* Finds the section with the section numbers above 65279, which do not fit in a symbol (gABI, SHT_SYMTAB_SHNDX). */
static void find_wide_numbers(const struct fm_image *image, uint32_t number, struct fm_elf_symbol_table *table)
{
    const struct fm_elf *elf = image->inner->elf;

    for (uint32_t i = 0; i < image->section_count; i++) {
        if (image->sections[i].type == ELF_SYMTAB_SHNDX && elf->sections[i].link == number)
            table->wide = image->sections[i].stored;
    }
}

bool fm_elf_find_symbol_table(const struct fm_image *image, uint32_t number, struct fm_elf_symbol_table *out)
{
    const struct fm_elf *elf = image->inner->elf;

    if (elf->made_of_segments || number >= image->section_count) return false;
    const struct fm_section *section = &image->sections[number];
    if (section->type != ELF_SYMTAB && section->type != ELF_DYNSYM) return false;
    const uint32_t names = elf->sections[number].link;
    *out = (struct fm_elf_symbol_table){
        .rows = section->stored, .first_global = elf->sections[number].info, .dynamic = section->type == ELF_DYNSYM};
    if (names < image->section_count) out->names = image->sections[names].stored;
    find_wide_numbers(image, number, out);
    return true;
}

uint32_t fm_elf_symbol_section(const struct fm_image *image, const struct fm_elf_symbol_table *table, uint64_t index,
                               uint16_t narrow)
{
    uint32_t number = narrow;

    if (narrow == ELF_SHN_XINDEX) {
        struct fm_byte_reader r = fm_byte_reader_of(table->wide, image->big_endian);
        fm_byte_reader_seek(&r, index * 4);
        number = fm_read_u32(&r);
        if (r.bad) return UINT32_MAX;
    } else if (narrow >= ELF_SHN_LORESERVE)
        return UINT32_MAX;
    return number == 0 || number >= image->section_count ? UINT32_MAX : number;
}
