/* Generates pseudo-random debug info from a string of choices. Mutating the choices reaches much deeper into readers
 * than mutating the bytes of debug info. The output has:
 * - units of DWARF 2 to 5 with both offset sizes, both address sizes and byte orders, partial units, skeletons and type
 *   units;
 * - nested entries with all forms, and references inside and across units;
 * - line programs, range lists, tables of addresses, and strings of every kind.
 *
 * The output is valid debug info, or invalid in some places if the choices say so. The same choices give the same
 * bytes. */
#ifndef FM_FUZZ_SUPPORT_DWARF_MAKE_H
#define FM_FUZZ_SUPPORT_DWARF_MAKE_H

#include "fuzz/support/dwarf_sections.h"

struct made_section {
    unsigned char *data;
    size_t size, capacity;
};

struct made_dwarf {
    struct made_section sections[DWARF_SECTIONS];
    bool is64, big_endian;
    bool broken; /* the output may violate the standard in places */
};

/* Makes debug info. The first byte of the choices has flags: 1, big-endian; 2, addresses of 4 bytes; 4 and 8, how much
 * is invalid; 16, bytes are damaged at the end; 32, after the last choice, pseudo-random choices are used instead of
 * zeros. The result is allocated with malloc. */
void dwarf_make(const uint8_t *choices, size_t size, struct made_dwarf *out);
void dwarf_made_free(struct made_dwarf *made);

/* Makes an image with the generated sections; the image points to them and does not copy them. Returns false if out
 * of memory. */
bool dwarf_image_made(const struct made_dwarf *made, struct fm_arena *arena, struct dwarf_image *out);

#endif
