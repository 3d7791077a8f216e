/* String tables of object files. Called by the elf_ and macho_ files. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_IMAGE_STRING_TABLE_H
#define FM_MAPPERS_NATIVE_IMAGE_IMAGE_STRING_TABLE_H

#include <framemap/base.h>

/* A string table. Many entries may share bytes (suffixes are merged), so reading names is bounded by a budget that no
 * honest file comes near: without it a table without NUL would be read once for every entry. */
struct fm_image_string_table {
    framemap_str table;
    uint64_t budget;
};
/* entries: bytes of the table whose entries point here. */
struct fm_image_string_table fm_image_string_table_of(framemap_str table, uint64_t entries);
/* Borrowed; absent when it lies outside, has no end, or is longer than FM_LIMIT_NAME. */
framemap_str fm_image_string_at(struct fm_image_string_table *names, uint64_t offset);

#endif
