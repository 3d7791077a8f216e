/* Object files in memory: ELF 32/64 of both byte orders, Mach-O thin and fat. Sections, symbols and ids; no debug info
 * is read here. Every offset is checked; nothing is trusted. Shared by the mappers of DWARF and Dart. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_IMAGE_H
#define FM_MAPPERS_NATIVE_IMAGE_IMAGE_H

#include "mappers/native/image/foreign.h"
#include "mappers/native/image/image_lookup.h"
#include "mappers/native/image/image_types.h"
#include "mappers/native/image/same_code.h"
#include "mappers/native/image/section_contents.h"

/* How sure these bytes are an object file this can read: 0 or 100. */
int fm_image_probe(framemap_str bytes);

/* Whether the names of the symbols that some slice exports (Mach-O: of all symbols) hold the word. Reads names alone.
 */
bool fm_image_names_hold(framemap_str bytes, framemap_str word);

/* Slices of a file: one for thin files. As framemap_file_inspect. */
framemap_status fm_image_inspect(framemap_str bytes, struct fm_heap *heap, framemap_image_info *images, size_t capacity,
                                 size_t *count, framemap_error *error);

/* Opens one slice; arch NULL: the only one (MISMATCH naming them all when there are several). All memory is of the
 * arena. Names that other tools give an architecture are understood ("aarch64" for "arm64", "arm" for any 32-bit ARM).
 */
framemap_status fm_image_open(framemap_str bytes, const char *arch, struct fm_arena *arena, struct fm_image *out,
                              framemap_error *error);

/* Reads the symbol tables into image->symbols: .symtab and .dynsym, Mach-O nlist; ARM mapping symbols ($a $t $d $x),
 * section and file symbols left out. Bad single entries are passed over. */
framemap_status fm_image_symbols(struct fm_image *image, framemap_error *error);
/* The same, but of the symbols that stand inside their sections only those at the greatest address at or below one of
 * these, which rise, are sure to be there, each with its equals. Nothing is sorted that is not kept. */
framemap_status fm_image_symbols_near(struct fm_image *image, const uint64_t *addresses, size_t count,
                                      framemap_error *error);

#endif
