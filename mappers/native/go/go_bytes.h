/* Bytes and strings of a Go program, by address or offset. */
#ifndef FM_MAPPERS_NATIVE_GO_GO_BYTES_H
#define FM_MAPPERS_NATIVE_GO_GO_BYTES_H

#include "mappers/native/image/image.h"

/* Returns the bytes at an address of the image, up to the end of their section; empty: the file has no bytes for the
 * address. */
framemap_str fm_go_bytes_at(const struct fm_image *image, uint64_t address);

/* Returns the string at an offset; empty if not found or it is longer than `most` bytes. */
framemap_str fm_go_string(framemap_str strings, uint64_t offset, size_t most);

#endif
