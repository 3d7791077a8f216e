/* Reads the symbols of a Mach-O file. */
#include "mappers/native/image/image_string_table.h"

#include "core/error.h"
#include "mappers/native/image/macho/macho_image.h"
#include "mappers/native/image/symbols_near.h"

/* Decodes one symbol without its name. Returns false if it is undefined, absolute or a stab (obsolete debug info). */
static bool decode_macho_symbol(const struct fm_image *image, const struct fm_macho_symbol *raw, struct fm_symbol *out)
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

/* A cursor over the symbol table. */
struct macho_symbol_cursor {
    struct fm_byte_reader r;
    struct fm_image_string_table names;
    size_t count;
};

static struct macho_symbol_cursor rows_of(const struct fm_image *image)
{
    const struct fm_macho *macho = image->inner->macho;
    return (struct macho_symbol_cursor){fm_byte_reader_of(macho->symbols, image->big_endian),
                                        fm_image_string_table_of(macho->names, macho->symbols.size),
                                        macho->symbols.size / fm_macho_symbol_bytes(image->is64)};
}

/* Decodes one symbol with its name. Returns false if the symbol is left out. */
static bool decode_named_macho_symbol(const struct fm_image *image, struct macho_symbol_cursor *rows,
                                      const struct fm_macho_symbol *raw, struct fm_symbol *out)
{
    if (!decode_macho_symbol(image, raw, out)) return false;
    out->name = fm_image_string_at(&rows->names, raw->name);
    /* C compilers prepend an underscore to names. */
    const bool plain = image->whole_names || out->name.size == 0 || out->name.data[0] != '_';
    if (!plain) out->name = (framemap_str){out->name.data + 1, out->name.size - 1};
    return out->name.size > 0;
}

void fm_macho_note_symbols(struct fm_image *image)
{
    struct macho_symbol_cursor rows = rows_of(image);
    image->has_symbols = false;
    image->is_stripped = !image->relocatable;
    for (size_t i = 0; i < rows.count && (!image->has_symbols || image->is_stripped); i++) {
        struct fm_macho_symbol raw;
        fm_macho_read_symbol(&rows.r, image->is64, &raw);
        const bool stab = (raw.type & MACHO_N_STAB) != 0, own = !stab && (raw.type & MACHO_N_TYPE) == MACHO_N_SECT;
        image->has_symbols = image->has_symbols || own;
        if ((stab && raw.type != MACHO_N_OPT) || (own && !(raw.type & MACHO_N_EXT))) image->is_stripped = false;
    }
}

bool fm_macho_has_debug_map(const struct fm_image *image)
{
    struct macho_symbol_cursor rows = rows_of(image);
    struct fm_macho_symbol raw = {0};

    for (size_t i = 0; i < rows.count && raw.type != MACHO_N_OSO; i++) fm_macho_read_symbol(&rows.r, image->is64, &raw);
    return raw.type == MACHO_N_OSO && !image->relocatable;
}

framemap_status fm_macho_symbols(struct fm_image *image, framemap_error *error)
{
    struct macho_symbol_cursor rows = rows_of(image);

    image->symbols = FM_ARENA_ARRAY(image->arena, struct fm_symbol, rows.count);
    if (image->symbols == NULL) return fm_error_memory(error);
    for (size_t i = 0; i < rows.count; i++) {
        struct fm_macho_symbol raw;
        fm_macho_read_symbol(&rows.r, image->is64, &raw);
        if (decode_named_macho_symbol(image, &rows, &raw, &image->symbols[image->symbol_count])) image->symbol_count++;
    }
    return FRAMEMAP_OK;
}

/* --- reading only the symbols nearest to given addresses --- */

/* Whether the values of symbols are their addresses: then most symbols can be rejected by value, before they are
 * decoded. */
static bool is_plain(const struct fm_image *image, const struct fm_macho_symbol *raw)
{
    return (raw->description & MACHO_N_THUMB) == 0 && !image->relocatable;
}

static void find_nearest(const struct fm_image *image, struct fm_nearest_symbols *nearest)
{
    struct macho_symbol_cursor rows = rows_of(image);

    for (size_t i = 0; i < rows.count; i++) {
        struct fm_macho_symbol raw;
        struct fm_symbol symbol;
        fm_macho_read_symbol(&rows.r, image->is64, &raw);
        if (is_plain(image, &raw) && !fm_nearest_improves(nearest, raw.value)) continue;
        if (decode_named_macho_symbol(image, &rows, &raw, &symbol) && fm_symbol_is_in_its_section(image, &symbol))
            fm_nearest_note(nearest, symbol.address, 0);
    }
}

framemap_status fm_macho_symbols_near(struct fm_image *image, const uint64_t *addresses, size_t count,
                                      framemap_error *error)
{
    struct macho_symbol_cursor rows = rows_of(image);
    struct fm_nearest_symbols nearest;
    size_t capacity = 0;
    bool good = fm_nearest_init(&nearest, image->arena->heap, addresses, count);

    if (!good) return fm_error_memory(error);
    find_nearest(image, &nearest);
    fm_nearest_propagate(&nearest);
    for (size_t i = 0; i < rows.count && good; i++) {
        struct fm_macho_symbol raw;
        struct fm_symbol symbol;
        fm_macho_read_symbol(&rows.r, image->is64, &raw);
        if (is_plain(image, &raw) && !fm_nearest_is_selected(&nearest, raw.value)) continue;
        if (!decode_named_macho_symbol(image, &rows, &raw, &symbol)) continue;
        if (fm_symbol_is_in_its_section(image, &symbol) && fm_nearest_is_selected(&nearest, symbol.address))
            good = fm_symbols_add(image, &capacity, &symbol);
    }
    fm_nearest_free(&nearest);
    return good ? FRAMEMAP_OK : fm_error_memory(error);
}

framemap_str fm_macho_names(const struct fm_image *image) { return image->inner->macho->names; }

framemap_str fm_macho_starts(const struct fm_image *image) { return image->inner->macho->starts; }
