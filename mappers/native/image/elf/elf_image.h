/* The functions on ELF images that are called across files: by the elf_ files, and by image.c and section_contents.c
 * to read an ELF image. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_ELF_ELF_IMAGE_H
#define FM_MAPPERS_NATIVE_IMAGE_ELF_ELF_IMAGE_H

#include "mappers/native/image/elf/elf_format.h"

struct fm_buf;

/* Open an image and read its symbols (elf_open.c, elf_symbols.c). fm_elf_open requires `bytes`, `arena` and `inner`
 * to be set. */
framemap_status fm_elf_open(struct fm_image *out, framemap_error *error);
framemap_status fm_elf_symbols(struct fm_image *image, framemap_error *error);
framemap_status fm_elf_symbols_near(struct fm_image *image, const uint64_t *addresses, size_t count,
                                    framemap_error *error);
/* Whether the name of some exported symbol contains a word. */
bool fm_elf_names_hold(const struct fm_image *image, framemap_str word);
/* Applies the relocations of a section of a relocatable file to `contents`, a copy of the section (elf_relocate.c). */
void fm_elf_relocate(const struct fm_image *image, uint32_t section, unsigned char *contents, size_t size);
bool fm_elf_has_relocations(const struct fm_image *image, uint32_t section);

/* Reads the build id, the debug link and the alternate debug link (elf_notes.c). */
void fm_elf_identify(struct fm_image *image);

/* Gets the symbol table in section `number` (elf_symbol_table.c). Returns false if the section is not a symbol
 * table. */
bool fm_elf_find_symbol_table(const struct fm_image *image, uint32_t number, struct fm_elf_symbol_table *out);
/* Finds the dynamic symbol table through the program headers, as a loader does (elf_dynamic.c). */
bool fm_elf_dynamic_table(const struct fm_image *image, struct fm_elf_symbol_table *out);
/* Decompresses .gnu_debugdata, if there is such a section and it was not decompressed before, and finds its symbol
 * table: image->inner->debugdata (elf_debugdata.c). Errors: MEMORY; damage is recorded in debugdata->fault. */
framemap_status fm_elf_read_debugdata(struct fm_image *image, framemap_error *error);
/* Whether an image is a debug file whose symbol table was left in the program (a .symtab without bytes). */
bool fm_elf_lacks_symbols(const struct fm_image *image);
/* Takes the symbol table of another file in place of that in .gnu_debugdata, if the file belongs to the image: it has
 * the image's build id, code at the same addresses, and a symbol table. If neither has a build id, the debug link of
 * the other file must have the checksum of the image's file. bytes: the other file, which must stay valid. Errors:
 * MEMORY. */
framemap_status fm_elf_take_symbols(struct fm_image *image, framemap_str bytes, bool *taken, framemap_error *error);
/* Sets reach[i], for each section, to the number of bytes from its address to the end of its last symbol that has a
 * size; 0 if there is no such symbol. */
void fm_elf_symbols_reach(const struct fm_image *image, uint64_t *reach);
/* Determines the sizes of sections without bytes whose headers do not record them (elf_extents.c). Called before the
 * sections of a relocatable file are laid out. */
framemap_status fm_elf_complete_sizes(struct fm_image *image, const struct fm_elf *elf, framemap_error *error);
/* Implements fm_image_code_offsets (elf_code_offsets.c). */
void fm_elf_code_offsets(const struct fm_image *image, struct fm_buf *out);
/* Returns the section index of symbol `index`. narrow: the section number in the symbol's record. UINT32_MAX: the
 * symbol is not in a section. */
uint32_t fm_elf_symbol_section(const struct fm_image *image, const struct fm_elf_symbol_table *table, uint64_t index,
                               uint16_t narrow);

#endif
