/* Sections by name and by address, and the order of symbols. Called by all of mappers/native/ and by mappers/dart. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_IMAGE_LOOKUP_H
#define FM_MAPPERS_NATIVE_IMAGE_IMAGE_LOOKUP_H

#include "mappers/native/image/image_types.h"

/* Index of the first section of that name, UINT32_MAX: none. */
uint32_t fm_image_section(const struct fm_image *image, framemap_str name);
/* Section of the address among alloc ones, UINT32_MAX: none. Of overlapping ones the one that begins last. */
uint32_t fm_image_section_at(const struct fm_image *image, uint64_t address);
/* The same, and the addresses [*low, *high) around it that have the same answer. */
uint32_t fm_image_section_around(const struct fm_image *image, uint64_t address, uint64_t *low, uint64_t *high);
bool fm_image_is_code(const struct fm_image *image, uint64_t address); /* in an executable section */

/* Finishes what both formats need: the lookups by address and by name, and the flags of what there is. false: out of
 * memory. */
bool fm_image_index_sections(struct fm_image *image);
/* Sorts by address; at one address the order of the tables stays. false: out of memory. */
bool fm_symbols_sort(struct fm_image *image);

#endif
