/* What a relocation type does to the bytes of a debug section, independent of the machine. S, A, P and V are the
 * symbols of the psABI documents: symbol value, addend, place, value at the place. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_RELOCATION_KINDS_H
#define FM_MAPPERS_NATIVE_IMAGE_RELOCATION_KINDS_H

#include <stdbool.h>
#include <stdint.h>

enum fm_relocation_action {
    FM_RELOCATE_UNKNOWN = 0,
    FM_RELOCATE_NOTHING,      /* nothing: R_*_NONE, and hints for the linker */
    FM_RELOCATE_SET,          /* stores S + A: symbol value plus addend */
    FM_RELOCATE_SET_RELATIVE, /* stores S + A - P: symbol value plus addend, relative to the place */
    FM_RELOCATE_ADD,          /* adds S + A (symbol value plus addend) to the value at the place */
    FM_RELOCATE_SUB,          /* subtracts S + A (symbol value plus addend) from the value at the place */
    FM_RELOCATE_SET6,         /* stores S + A (symbol value plus addend) in the low six bits of a byte */
    FM_RELOCATE_ADD6,
    FM_RELOCATE_SUB6,
    FM_RELOCATE_SET_ULEB, /* stores S + A (symbol value plus addend) as a LEB128 number whose length does not change */
    FM_RELOCATE_ADD_ULEB,
    FM_RELOCATE_SUB_ULEB
};

struct fm_relocation_kind {
    uint8_t action; /* enum fm_relocation_action */
    uint8_t width;  /* width in bytes; 0 for LEB128 */
};

/* Returns what a relocation type does; FM_RELOCATE_UNKNOWN for types that debug sections do not use. */
struct fm_relocation_kind fm_relocation_kind(uint32_t elf_machine, uint32_t type);

#endif
