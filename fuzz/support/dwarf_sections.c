#include "fuzz/support/dwarf_sections.h"

#include "mappers/native/image/image_inner.h"

#define SIZES (DWARF_SECTIONS + 2)

const char *const dwarf_section_names[DWARF_SECTIONS] = {
    ".debug_info",   ".debug_abbrev",   ".debug_str",  ".debug_line_str",    ".debug_line",
    ".debug_ranges", ".debug_rnglists", ".debug_addr", ".debug_str_offsets", ".debug_aranges"};

static void add_code(struct dwarf_image *to)
{
    const uint32_t text = DWARF_SECTIONS;

    to->sections[text] = (struct fm_section){.name = framemap_str_of(".text"),
                                             .address = DWARF_TEXT_BASE,
                                             .size = DWARF_TEXT_SIZE,
                                             .number = text + 1,
                                             .flags = FM_SECTION_ALLOC | FM_SECTION_EXEC | FM_SECTION_NOBITS};
    to->sections[text + 1] = (struct fm_section){.name = framemap_str_of(".data"),
                                                 .address = DWARF_TEXT_BASE + DWARF_TEXT_SIZE,
                                                 .size = DWARF_TEXT_SIZE,
                                                 .number = text + 2,
                                                 .flags = FM_SECTION_ALLOC | FM_SECTION_NOBITS};
    to->symbols[0] = (struct fm_symbol){
        framemap_str_of("sized"), DWARF_TEXT_BASE + 0x10, 0x20, text, FM_SYMBOL_FUNCTION, true, false, false};
    to->symbols[1] = (struct fm_symbol){
        framemap_str_of("alias"), DWARF_TEXT_BASE + 0x10, 0x10, text, FM_SYMBOL_FUNCTION, true, true, false};
    to->symbols[2] = (struct fm_symbol){
        framemap_str_of("open"), DWARF_TEXT_BASE + 0x80, 0, text, FM_SYMBOL_FUNCTION, false, false, false};
    to->symbols[3] = (struct fm_symbol){framemap_str_of("object"),
                                        DWARF_TEXT_BASE + DWARF_TEXT_SIZE,
                                        8,
                                        text + 1,
                                        FM_SYMBOL_OBJECT,
                                        true,
                                        false,
                                        false};
}

bool dwarf_image_of(const framemap_str contents[DWARF_SECTIONS], bool is64, bool big_endian, struct fm_arena *arena,
                    struct dwarf_image *out)
{
    struct fm_image *image = &out->image;

    *image = (struct fm_image){.format = FM_IMAGE_ELF,
                               .is64 = is64,
                               .big_endian = big_endian,
                               .arena = arena,
                               .base = DWARF_TEXT_BASE,
                               .origin = DWARF_TEXT_BASE};
    for (uint32_t i = 0; i < DWARF_SECTIONS; i++) {
        out->sections[i] = (struct fm_section){.name = framemap_str_of(dwarf_section_names[i]),
                                               .stored = contents[i],
                                               .size = contents[i].size,
                                               .number = i + 1};
    }
    add_code(out);
    image->sections = out->sections;
    image->section_count = DWARF_SECTIONS + 2;
    image->symbols = out->symbols;
    image->symbol_count = 4;
    image->inner = FM_ARENA_NEW(arena, struct fm_image_inner);
    return image->inner != NULL && fm_image_index_sections(image);
}

bool dwarf_image_from(const uint8_t *data, size_t size, struct fm_arena *arena, struct dwarf_image *out)
{
    framemap_str contents[DWARF_SECTIONS];
    size_t at = 1 + 2 * SIZES;

    if (size < at) return false;
    for (unsigned i = 0; i < DWARF_SECTIONS; i++) {
        size_t want = (size_t)data[1 + 2 * i] | (size_t)data[2 + 2 * i] << 8;
        if (want > size - at) want = size - at;
        contents[i] = (framemap_str){(const char *)data + at, want};
        at += want;
    }
    return dwarf_image_of(contents, true, (data[0] & 1) != 0, arena, out);
}
