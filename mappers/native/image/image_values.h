/* Helpers for small values of object files: integers in either byte order, names and ids in arrays of fixed size, and
 * the names of debug sections. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_IMAGE_VALUES_H
#define FM_MAPPERS_NATIVE_IMAGE_IMAGE_VALUES_H

#include <framemap/base.h>

/* Returns an unsigned integer of `width` bytes in the given byte order. */
uint64_t fm_bytes_get(const unsigned char *at, unsigned width, bool big_endian);
void fm_bytes_put(unsigned char *at, unsigned width, bool big_endian, uint64_t value);

/* Copies a string into an array, truncated if necessary, with a NUL. */
void fm_copy_name(char *out, size_t capacity, const char *text);
/* Writes lower-case hex of up to 32 bytes, with a NUL; "" if there are more. */
void fm_hex_id(char out[65], framemap_str id);

/* Returns the canonical name of a debug section, a static string: ".debug_info" for the stem "debug_info". If `cut` is
 * set, the stem may be only the start of the name (Mach-O truncates names to 16 bytes). Absent if there is no such
 * section. */
framemap_str fm_debug_name(framemap_str stem, bool cut);

#endif
