/* Makes an image that has only debug sections, some code and some symbols. Harnesses for debug info compile it
 * directly, so that the checks of the object file readers do not reject it. */
#ifndef FM_FUZZ_SUPPORT_DWARF_SECTIONS_H
#define FM_FUZZ_SUPPORT_DWARF_SECTIONS_H

#include "mappers/native/image/image.h"

enum {
    DWARF_INFO,
    DWARF_ABBREV,
    DWARF_STR,
    DWARF_LINE_STR,
    DWARF_LINE,
    DWARF_RANGES,
    DWARF_RNGLISTS,
    DWARF_ADDR,
    DWARF_STR_OFFSETS,
    DWARF_ARANGES,
    DWARF_SECTIONS
};

#define DWARF_TEXT_BASE 0x1000
#define DWARF_TEXT_SIZE 0x10000

/* An image together with the data that it points to. It must not be moved, because the image points into this
 * struct. */
struct dwarf_image {
    struct fm_section sections[DWARF_SECTIONS + 2];
    struct fm_symbol symbols[4];
    struct fm_image image;
};

extern const char *const dwarf_section_names[DWARF_SECTIONS];

/* Makes an image with these section contents; the image points to them and does not copy them. Returns false if out
 * of memory. */
bool dwarf_image_of(const framemap_str contents[DWARF_SECTIONS], bool is64, bool big_endian, struct fm_arena *arena,
                    struct dwarf_image *out);

/* Makes an image from a string of bytes: a byte of flags (1: big-endian); a 16-bit size for each section, and two
 * unused ones; then the contents in the same order. Returns false if there are too few bytes, or if out of memory. */
bool dwarf_image_from(const uint8_t *data, size_t size, struct fm_arena *arena, struct dwarf_image *out);

#endif
