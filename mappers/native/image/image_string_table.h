/* String tables of object files. Called by the elf_ and macho_ files. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_IMAGE_STRING_TABLE_H
#define FM_MAPPERS_NATIVE_IMAGE_IMAGE_STRING_TABLE_H

#include <framemap/base.h>

/* A string table with a budget. Entries may share bytes, because linkers merge strings with common ends. So the limit
 * for the bytes that are read is greater than any real file needs; without a limit, a table without NUL would be read
 * once for every entry. */
struct fm_image_string_table {
    framemap_str table;
    uint64_t budget;
};
/* Makes a string table. entries: size in bytes of the table whose entries refer to it. */
struct fm_image_string_table fm_image_string_table_of(framemap_str table, uint64_t entries);
/* Returns the string at an offset, borrowed; absent if the offset is outside, or the string has no NUL or is longer
 * than FM_LIMIT_NAME. */
framemap_str fm_image_string_at(struct fm_image_string_table *names, uint64_t offset);

#endif
