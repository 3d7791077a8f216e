/* The functions on Mach-O images that are called across files: by the macho_ files, and by image.c and
 * section_contents.c to read a Mach-O image. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_MACHO_MACHO_IMAGE_H
#define FM_MAPPERS_NATIVE_IMAGE_MACHO_MACHO_IMAGE_H

#include "mappers/native/image/macho/macho_format.h"

/* Open a thin image, read its symbols, relocate its sections (macho_open.c, macho_symbols.c, macho_relocate.c). */
framemap_status fm_macho_open(struct fm_image *out, framemap_error *error);
framemap_status fm_macho_symbols(struct fm_image *image, framemap_error *error);
framemap_status fm_macho_symbols_near(struct fm_image *image, const uint64_t *addresses, size_t count,
                                      framemap_error *error);
framemap_str fm_macho_names(const struct fm_image *image);
/* Sets has_symbols and is_stripped. `strip` removes stabs, and symbols to which no other image can link; an image that
 * has none of these is stripped. */
void fm_macho_note_symbols(struct fm_image *image);
/* Whether an image names the object files that it was linked from. The symbol table is read only up to the first symbol
 * that names an object file. */
bool fm_macho_has_debug_map(const struct fm_image *image);
void fm_macho_relocate(const struct fm_image *image, uint32_t section, unsigned char *contents, size_t size);
bool fm_macho_has_relocations(const struct fm_image *image, uint32_t section);

/* Returns the bytes of the list of functions; absent: the image has no such list. */
framemap_str fm_macho_starts(const struct fm_image *image);

bool fm_macho_is_fat(framemap_str bytes);
/* Lists the slices of a fat file (macho_fat.c). `slices` has room for FM_LIMIT_SLICES. Each slice is inside the file
 * and after the table, and they do not overlap. */
framemap_status fm_macho_slices(framemap_str bytes, struct fm_image_slice *slices, uint32_t *count,
                                framemap_error *error);

#endif
