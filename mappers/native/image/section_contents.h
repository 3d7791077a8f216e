/* Gets the bytes of a section as readers need them: from the file, decompressed, and relocated. Called by dwarf/ and by
 * elf_symbols.c. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_SECTION_CONTENTS_H
#define FM_MAPPERS_NATIVE_IMAGE_SECTION_CONTENTS_H

#include "mappers/native/image/image_types.h"

/* Returns the offset, in the whole file, of the stored bytes of a section; 0: the section has no bytes in the file. */
uint64_t fm_image_stored_at(const struct fm_image *image, uint32_t section);

/* Gets the contents of a section, decompressed (zlib, zstd, .zdebug) and relocated if needed. Borrowed from the file,
 * or allocated in the arena at each call. Empty for a section without bytes in the file. Errors: TRUNCATED, CORRUPT
 * (bad compressed data), LIMIT (larger than core/limits.h allows), UNSUPPORTED. */
framemap_status fm_image_contents(const struct fm_image *image, uint32_t section, framemap_str *out,
                                  framemap_error *error);

/* Decompresses the large compressed sections among `names` into the arena, with up to `threads` threads, each of which
 * takes one section at a time. fm_image_contents then returns these bytes. Failures are not reported here:
 * fm_image_contents tries again and reports them. Call at most once for an image. */
void fm_image_inflate_ahead(struct fm_image *image, const framemap_str *names, size_t count, unsigned threads);

/* Returns how many bytes the image's sections were inflated to so far. */
uint64_t fm_image_inflated_bytes(const struct fm_image *image);

#endif
