/* Finds sections by name and by address, and sorts symbols. Called by all of mappers/native/ and by mappers/dart. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_IMAGE_LOOKUP_H
#define FM_MAPPERS_NATIVE_IMAGE_IMAGE_LOOKUP_H

#include "mappers/native/image/image_types.h"

/* Returns the index of the first section with that name, or UINT32_MAX. */
uint32_t fm_image_section(const struct fm_image *image, framemap_str name);
/* Returns the type of a file with debug info that the compiler split off (DWARF 5 section 7.3.2): a .dwo file or a
 * package (.dwp). NULL for other files, also for an object file that has both parts. */
const char *fm_image_split_type(const struct fm_image *image);
/* Returns the index of the section that contains the address, among those with FM_SECTION_ALLOC, or UINT32_MAX. If
 * several do, it is the one that starts last. */
uint32_t fm_image_section_at(const struct fm_image *image, uint64_t address);
/* Finds the section as fm_image_section_at does. For all addresses in [*low, *high), which include `address`, the
 * result is the same. */
uint32_t fm_image_section_around(const struct fm_image *image, uint64_t address, uint64_t *low, uint64_t *high);
/* Whether an address is in an executable section. */
bool fm_image_is_code(const struct fm_image *image, uint64_t address);

/* Builds the lookups by name and by address. Called when an image is opened. Returns false when out of memory. */
bool fm_image_index_sections(struct fm_image *image);
/* Sorts the symbols by address; stable. Returns false when out of memory. */
bool fm_symbols_sort(struct fm_image *image);

#endif
