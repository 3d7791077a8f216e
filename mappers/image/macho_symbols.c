/* The symbol table of a Mach-O file. */
#include "mappers/image/macho_format.h"

#include "core/fault.h"

/* false: undefined, absolute, or a stab (debug info of an older day). */
static bool take(const struct fm_image *image, const struct fm_macho_symbol *raw, struct fm_symbol *out)
{
    if ((raw->type & MACHO_N_STAB) || (raw->type & MACHO_N_TYPE) != MACHO_N_SECT) return false;
    if (raw->section == 0 || raw->section > image->section_count) return false;
    const struct fm_section *section = &image->sections[raw->section - 1];
    if (!(section->flags & FM_SECTION_ALLOC)) return false;
    *out = (struct fm_symbol){
        .address = raw->value,
        .section = raw->section - 1u,
        .kind = section->flags & FM_SECTION_EXEC ? FM_SYMBOL_FUNCTION : FM_SYMBOL_OBJECT,
        .global = (raw->type & MACHO_N_EXT) != 0,
        .weak = (raw->description & MACHO_N_WEAK_DEF) != 0,
    };
    if (raw->description & MACHO_N_THUMB) out->address &= ~UINT64_C(1);
    if (image->relocatable) out->address += FM_LAYOUT_START;
    return true;
}

framemap_status fm_macho_symbols(struct fm_image *image, framemap_error *error)
{
    const struct fm_macho *macho = image->inner->macho;
    const size_t count = macho->symbols.size / fm_macho_symbol_bytes(image->is64);
    struct fm_names names = fm_names_of(macho->names, macho->symbols.size);
    struct fm_reader r = fm_reader_of(macho->symbols, image->big_endian);

    image->symbols = FM_ARENA_ARRAY(image->arena, struct fm_symbol, count);
    if (image->symbols == NULL) return fm_fault_memory(error);
    for (size_t i = 0; i < count; i++) {
        struct fm_macho_symbol raw;
        struct fm_symbol symbol;
        fm_macho_read_symbol(&r, image->is64, &raw);
        if (!take(image, &raw, &symbol)) continue;
        symbol.name = fm_names_at(&names, raw.name);
        /* C's names carry an underscore that its source does not. */
        const bool plain = image->whole_names || symbol.name.size == 0 || symbol.name.data[0] != '_';
        if (!plain) symbol.name = (framemap_str){symbol.name.data + 1, symbol.name.size - 1};
        if (symbol.name.size > 0) image->symbols[image->symbol_count++] = symbol;
    }
    return FRAMEMAP_OK;
}

framemap_str fm_macho_names(const struct fm_image *image) { return image->inner->macho->names; }
