/* Small values of object files: integers in either byte order, and names and ids in arrays of fixed size. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_IMAGE_VALUES_H
#define FM_MAPPERS_NATIVE_IMAGE_IMAGE_VALUES_H

#include <framemap/base.h>

/* n bytes of an integer in memory of ours, in a byte order of the file. */
uint64_t fm_bytes_get(const unsigned char *at, unsigned width, bool big_endian);
void fm_bytes_put(unsigned char *at, unsigned width, bool big_endian, uint64_t value);

/* Copies as much as fits, with a NUL. */
void fm_copy_name(char *out, size_t capacity, const char *text);
/* Lower-case hex of up to 32 bytes, with a NUL; more gives "". */
void fm_hex_id(char out[65], framemap_str id);

#endif
