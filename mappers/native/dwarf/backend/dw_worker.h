/* An opened image with its units, and the state of one thread that reads them. Shared by the files that make up a
 * backend: dw_backend.c opens an image, dw_claims.c lists its units, dw_walk.c walks one. */
#ifndef FM_MAPPERS_NATIVE_DWARF_BACKEND_DW_WORKER_H
#define FM_MAPPERS_NATIVE_DWARF_BACKEND_DW_WORKER_H

#include "mappers/native/dwarf/dw_lines.h"
#include "mappers/native/dwarf/dw_names.h"
#include "mappers/native/dwarf/dw_scopes.h"
#include "mappers/native/dwarf/dw_visitor.h"

/* A function or inlined subroutine on the path from the unit entry to the current entry. */
struct fm_dw_level {
    uint64_t offset;
    uint32_t depth; /* depth of the entry in the tree */
    /* number of inlined subroutines between the function and this level, including this level; 0: the level is a
     * function */
    uint32_t inlined;
    /* the entry's attributes were decoded and its report was tried, because an entry below it has code */
    bool tried;
    bool reported; /* the entry was reported to the visitor, and its end will be reported */
    bool unwanted; /* the visitor needs neither the entry nor anything inlined in it */
};

/* An opened image with its sound units. Workers only read it. */
struct fm_dw_debug {
    const struct fm_image *image;
    struct fm_heap *heap;
    bool library; /* libdwarf decodes the attributes */
    struct fm_dw_sections sections;
    struct fm_dw_units units;
    struct fm_dw_unit_data **claimed; /* units that claim addresses, by number */
    size_t claimed_count, claimed_capacity;
};

struct fm_dw_worker {
    struct fm_dw_debug *debug;
    const struct fm_dw_visitor *visitor; /* visitor, unit and abbreviation table of the current walk */
    const struct fm_dw_unit_data *unit;
    const struct fm_dw_abbrev_table *table;
    struct fm_heap *heap;
    framemap_error *error;
    struct fm_dw_abbrevs abbrevs;
    struct fm_dw_library *library; /* state of libdwarf; NULL for the fast backend */
    struct fm_dw_names names;
    struct fm_dw_scopes scopes;
    struct fm_dw_lines lines;
    struct fm_dw_range_list ranges;
    struct fm_dw_level *levels;
    size_t level_count, level_capacity;
};

/* Returns the unit that has the entries of a unit: for a skeleton unit the split unit that belongs to it, if that was
 * found; otherwise the unit itself. */
static inline const struct fm_dw_unit_data *fm_dw_entries_unit(const struct fm_dw_debug *debug,
                                                               const struct fm_dw_unit_data *unit)
{
    return unit->split_number > 0 ? &debug->units.units[unit->split_number - 1] : unit;
}

/* Implement fm_dw_backend.worker and worker_free. *out is NULL on an error. */
framemap_status fm_dw_worker_make(struct fm_dw_debug *debug, struct fm_dw_worker **out, framemap_error *error);
void fm_dw_worker_free(struct fm_dw_worker *walk);

#endif
