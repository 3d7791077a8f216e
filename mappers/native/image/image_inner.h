/* The part of an image that only the files of this folder use. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_IMAGE_INNER_H
#define FM_MAPPERS_NATIVE_IMAGE_IMAGE_INNER_H

#include "core/byte_reader.h"
#include "mappers/native/image/image_types.h"
#include "mappers/native/image/sorted_keys.h"

/* Relocatable files have no addresses of their own. Their sections are laid out from here on: never near 0, which debug
 * info uses to say "this code was thrown away". */
#define FM_LAYOUT_START UINT64_C(0x10000)

struct fm_elf;
struct fm_macho;

struct fm_image_inner {
    uint64_t file_offset;     /* of image->bytes in the file that was given: for messages */
    const struct fm_elf *elf; /* one of the two */
    const struct fm_macho *macho;
    struct fm_key *by_address; /* where each stretch of addresses begins, and the section it is of; UINT32_MAX: none */
    struct fm_key *by_name;    /* all sections, by the hash of the name */
    uint32_t by_address_count;
    uint64_t inflated_bytes; /* of all sections so far, each time that one was inflated */
    framemap_str *inflated;  /* by section: what fm_image_inflate_ahead made; absent where it made nothing. NULL: it was
                                not called */
};

/* Slices of a fat file (macho_fat.c). */
struct fm_image_slice {
    framemap_str bytes;
    uint64_t offset;
    char arch[16];
};

#endif
