/* What the elf_ files share, and what image.c and section_contents.c call to read an ELF image. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_ELF_IMAGE_H
#define FM_MAPPERS_NATIVE_IMAGE_ELF_IMAGE_H

#include "mappers/native/image/elf_format.h"

/* ELF (elf_open.c, elf_notes.c, elf_symbols.c, elf_relocate.c). `out` has bytes, arena and inner set. */
framemap_status fm_elf_open(struct fm_image *out, framemap_error *error);
framemap_status fm_elf_symbols(struct fm_image *image, framemap_error *error);
framemap_status fm_elf_symbols_near(struct fm_image *image, const uint64_t *addresses, size_t count,
                                    framemap_error *error);
/* Whether the name of a symbol that the image exports holds the word. */
bool fm_elf_names_hold(const struct fm_image *image, framemap_str word);
/* Applies the relocations of a section of a relocatable file to its contents, which are in memory of ours. */
void fm_elf_relocate(const struct fm_image *image, uint32_t section, unsigned char *contents, size_t size);
bool fm_elf_has_relocations(const struct fm_image *image, uint32_t section);

/* Build id, debug link and alternate debug link (elf_notes.c). */
void fm_elf_identify(struct fm_image *image);

/* The symbol table of section `number`; false: it is none. */
bool fm_elf_find_symbol_table(const struct fm_image *image, uint32_t number, struct fm_elf_symbol_table *out);
/* The dynamic symbol table as the program's loader finds it (elf_dynamic.c). */
bool fm_elf_dynamic_table(const struct fm_image *image, struct fm_elf_symbol_table *out);
/* By section, which has room for each: how many bytes from its address the symbols with a size reach, 0 without any. */
void fm_elf_symbols_reach(const struct fm_image *image, uint64_t *reach);
/* Gives sections that take no bytes of the file the size that their headers do not record (elf_extents.c). Before
 * relocatable files are laid out. */
framemap_status fm_elf_complete_sizes(struct fm_image *image, const struct fm_elf *elf, framemap_error *error);
/* Section number of row `index` of the table, which says `narrow` itself; UINT32_MAX: none that could hold a symbol. */
uint32_t fm_elf_symbol_section(const struct fm_image *image, const struct fm_elf_symbol_table *table, uint64_t index,
                               uint16_t narrow);

#endif
