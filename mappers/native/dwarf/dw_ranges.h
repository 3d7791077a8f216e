/* Address ranges of entries: low and high pc, .debug_ranges (DWARF 3 and 4), .debug_rnglists (DWARF 5). */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_RANGES_H
#define FM_MAPPERS_NATIVE_DWARF_DW_RANGES_H

#include "mappers/native/dwarf/dw_form.h"
#include "mappers/native/dwarf/dw_visitor.h"

/* An interval of addresses that are all in the same section, or all in no section, around an address; a cache for
 * consecutive ranges. */
struct fm_dw_around {
    uint64_t low, high;
    uint64_t code_end; /* end of the section if it contains code; else 0 */
};

/* A growing list of ranges, reused from entry to entry. */
struct fm_dw_range_list {
    const struct fm_image *image;
    struct fm_heap *heap;
    struct fm_dw_range *ranges;
    size_t count, capacity;
    uint64_t work_left;         /* bytes of range lists that may still be decoded */
    struct fm_dw_around around; /* code around the previous range; zero at first */
};

void fm_dw_range_list_free(struct fm_dw_range_list *list);

/* The attributes of an entry that give its addresses; form 0: absent. */
struct fm_dw_bounds {
    struct fm_dw_value low, high, ranges;
};

/* Replaces *list by the live ranges of an entry. Ranges that are empty, reversed or dead are left out (dead ranges do
 * not start in code; linkers set the ranges of discarded functions to 0, 1, -1 or -2), and a range is cut at the end of
 * its section. Errors: MEMORY; CORRUPT and LIMIT for a list that cannot be read, with the ranges before the fault
 * kept. */
framemap_status fm_dw_ranges_read(const struct fm_dw_sections *sections, const struct fm_dw_encoding *encoding,
                                  const struct fm_dw_bounds *bounds, struct fm_dw_range_list *list,
                                  framemap_error *error);

/* Adds [low, high) to a list as fm_dw_ranges_read adds its ranges. Returns false when out of memory. */
bool fm_dw_range_add(struct fm_dw_range_list *list, uint64_t low, uint64_t high);

#endif
