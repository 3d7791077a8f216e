/* The private part of an image: struct members that only the files of this folder use. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_IMAGE_INNER_H
#define FM_MAPPERS_NATIVE_IMAGE_IMAGE_INNER_H

#include "core/byte_reader.h"
#include "mappers/native/image/image_types.h"
#include "mappers/native/image/sorted_keys.h"

/* Sections of relocatable files have no addresses and are laid out from this address on. The address is not near 0,
 * because debug info uses addresses near 0 for discarded code. */
#define FM_LAYOUT_START UINT64_C(0x10000)

struct fm_elf;
struct fm_macho;
struct fm_wasm;
struct fm_elf_debugdata;

struct fm_image_inner {
    uint64_t file_offset;     /* offset of image->bytes in the whole file; for messages */
    const struct fm_elf *elf; /* one of elf, macho and wasm is set */
    const struct fm_macho *macho;
    const struct fm_wasm *wasm;
    struct fm_elf_debugdata *debugdata; /* symbols of .gnu_debugdata; NULL: not read yet */
    /* start addresses of intervals, each with the number of the section that contains the interval; UINT32_MAX: no
     * section contains it */
    struct fm_key *by_address;
    struct fm_key *by_name; /* all sections, by the hash of the name */
    uint32_t by_address_count;
    uint64_t inflated_bytes; /* total bytes of all decompressions so far; a section counts each time it is
                                decompressed */
    /* By section: the bytes that fm_image_inflate_ahead decompressed; absent for a section that it did not decompress.
     * NULL: fm_image_inflate_ahead was not called. */
    framemap_str *inflated;
};

/* A slice of a fat file (macho_fat.c), or a whole file. */
struct fm_image_slice {
    framemap_str bytes;
    uint64_t offset;
    char arch[16];
};

#endif
