/* What a relocation does to the bytes of a debug section, whatever the machine calls it. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_RELOCATION_KINDS_H
#define FM_MAPPERS_NATIVE_IMAGE_RELOCATION_KINDS_H

#include <stdbool.h>
#include <stdint.h>

enum fm_relocation_action {
    FM_RELOCATE_UNKNOWN = 0,
    FM_RELOCATE_NOTHING,      /* R_*_NONE, hints to the linker */
    FM_RELOCATE_SET,          /* S + A */
    FM_RELOCATE_SET_RELATIVE, /* S + A - P */
    FM_RELOCATE_ADD,          /* V + S + A, where V is what stands there */
    FM_RELOCATE_SUB,          /* V - S - A */
    FM_RELOCATE_SET6,         /* as SET, in the low six bits of a byte */
    FM_RELOCATE_ADD6,
    FM_RELOCATE_SUB6,
    FM_RELOCATE_SET_ULEB, /* as SET, in a LEB128 that keeps its length */
    FM_RELOCATE_ADD_ULEB,
    FM_RELOCATE_SUB_ULEB
};

struct fm_relocation_kind {
    uint8_t action; /* enum fm_relocation_action */
    uint8_t width;  /* bytes; 0 for LEB128 */
};

/* UNKNOWN for types that debug sections do not use. */
struct fm_relocation_kind fm_relocation_kind(uint32_t elf_machine, uint32_t type);

#endif
