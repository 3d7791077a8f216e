/* The unit index of a .dwp file (DWARF 5 section 7.3.5.3; version 2 is GNU's, for DWARF 4): where the tables of each
 * split unit are in the sections of the package. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_PACKAGE_H
#define FM_MAPPERS_NATIVE_DWARF_DW_PACKAGE_H

#include "mappers/native/image/sorted_keys.h"

/* Debug info of several files is joined into one set of sections (dw_join.h). struct fm_dw_place has the offsets at
 * which the sections of one file start in that set. They are 0 for an image without companions. */
struct fm_dw_package;
struct fm_dw_place {
    uint64_t info, info_end; /* start and end of the file's
                                .debug_info */
    /* Offset of the file's section with that name (.debug_abbrev …) in the joined section. */
    uint64_t abbrev, str, line_str, str_offsets, addr, line, ranges, rnglists;
    bool split;                          /* the file has split units: a .dwo or .dwp file */
    bool has_foreign;                    /* several files were joined, so libdwarf cannot read these units */
    const struct fm_dw_package *package; /* package of a .dwp file; else NULL */
    /* the file's supplementary file was joined, too; then the next two members are where its .debug_info and .debug_str
     * start */
    bool has_alternate;
    uint64_t alternate_info, alternate_str;
};

struct fm_dw_package {
    struct fm_heap *heap;
    framemap_str index; /* .debug_cu_index; borrowed */
    bool big_endian;
    uint32_t columns, units;
    uint64_t offsets, sizes; /* offsets of the two tables in the index */
    /* columns of the index for these sections; UINT32_MAX: the column is absent */
    uint32_t info, abbrev, str_offsets, rnglists;
    struct fm_key *rows; /* rows of the index by the offsets of their units in .debug_info.dwo */
};

/* Reads the index of a package, which states where the sections of each unit are. Returns NULL, or the reason if the
 * index is damaged. *memory: false if the call ran out of memory. */
const char *fm_dw_package_open(struct fm_dw_package *package, struct fm_heap *heap, framemap_str index, bool big_endian,
                               bool *memory);
void fm_dw_package_free(struct fm_dw_package *package);

/* Adds to *starts the offsets at which the tables of a unit start. The unit is given by its offset in .debug_info.dwo.
 * Returns false if the index does not list the unit. */
bool fm_dw_package_starts(const struct fm_dw_package *package, uint64_t offset, struct fm_dw_place *starts);

#endif
