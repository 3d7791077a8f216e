/* Random debug info out of a string of choices: units of DWARF 2 to 5, of both offset sizes, address sizes and byte
 * orders, partial units, skeletons and types; entries of all forms, nested, with references within units and across;
 * line programs, range lists, tables of addresses and strings of every kind. Mutating choices gets much deeper into
 * readers than mutating bytes does.
 *
 * What is made is sound debug info, or, where the choices say so, broken in places. The same choices make the same
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
    bool broken; /* something may not be as the standard says */
};

/* First byte: flags (1 big-endian, 2 addresses of 4 bytes, 4 and 8 how much is broken, 16 bytes are damaged at the end,
 * 32 choices go on at random when they run out, and not as zeros). Memory is malloc's. */
void dwarf_make(const uint8_t *choices, size_t size, struct made_dwarf *out);
void dwarf_made_free(struct made_dwarf *made);

/* As dwarf_image_of. */
bool dwarf_image_made(const struct made_dwarf *made, struct fm_arena *arena, struct dwarf_image *out);

#endif
