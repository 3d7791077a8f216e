/* The bytes of a section as its reader needs them: taken from the file, decompressed, relocated. Called by the DWARF
 * readers and by elf_symbols.c. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_SECTION_CONTENTS_H
#define FM_MAPPERS_NATIVE_IMAGE_SECTION_CONTENTS_H

#include "mappers/native/image/image_types.h"

/* Where in the file the stored bytes of a section begin; 0: there are none. */
uint64_t fm_image_stored_at(const struct fm_image *image, uint32_t section);

/* Contents, inflated (zlib, zstd, .zdebug) and relocated where needed: borrowed from the file, or made in the arena
 * (anew at each call). A section without bytes in the file gives none. Errors: TRUNCATED, CORRUPT (bad compressed
 * data), LIMIT (claims more than core/limits.h allows), UNSUPPORTED. */
framemap_status fm_image_contents(const struct fm_image *image, uint32_t section, framemap_str *out,
                                  framemap_error *error);

/* Inflates compressed sections of these names that are big, each by one of up to so many threads, into memory of the
 * arena: fm_image_contents gives it then, instead of inflating at each call. What fails here fails there again, and is
 * told by it. Once for an image. */
void fm_image_inflate_ahead(struct fm_image *image, const framemap_str *names, size_t count, unsigned threads);

#endif
