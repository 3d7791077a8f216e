/* The unit index of a .dwp file (DWARF 5 section 7.3.5.3; version 2 is GNU's, for DWARF 4): where the tables of each
 * split unit are in the sections of the package. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_PACKAGE_H
#define FM_MAPPERS_NATIVE_DWARF_DW_PACKAGE_H

#include "mappers/native/dwarf/dw_units.h"
#include "mappers/native/image/sorted_keys.h"

struct fm_dw_package {
    struct fm_heap *heap;
    framemap_str index; /* .debug_cu_index; borrowed */
    bool big_endian;
    uint32_t columns, units;
    uint64_t offsets, sizes;                      /* of the two tables in the index */
    uint32_t info, abbrev, str_offsets, rnglists; /* columns; UINT32_MAX: absent */
    struct fm_key *rows; /* rows of the index by the offsets of their units in .debug_info.dwo */
};

/* Reads the index. Returns why it is damaged, or NULL; *memory is false when out of memory. */
const char *fm_dw_package_open(struct fm_dw_package *package, struct fm_heap *heap, framemap_str index, bool big_endian,
                               bool *memory);
void fm_dw_package_free(struct fm_dw_package *package);

/* Adds where the tables of the unit at an offset of .debug_info.dwo start to *starts. Returns false if the index does
 * not list the unit. */
bool fm_dw_package_starts(const struct fm_dw_package *package, uint64_t offset, struct fm_dw_place *starts);

#endif
