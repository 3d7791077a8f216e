/* Names of functions, through abstract origins and specifications, across units. */
#ifndef FM_DW_NAMES_H
#define FM_DW_NAMES_H

#include "mappers/debuginfo/dw_libdwarf.h"

/* What the chain of an entry says. Strings are borrowed from the sections. */
struct fm_dw_naming {
    uint64_t offset; /* of the entry where the chain starts */
    framemap_str linkage_name, name;
    const struct fm_dw_unit_data *decl_unit; /* whose line table decl_file counts in; NULL: no file known */
    uint64_t decl_file;
    uint32_t decl_line1;
    bool artificial;
};

/* Chains that were followed, by where they start: those of a few thousand places, of which each newcomer takes the place of an earlier one. One thread. */
struct fm_dw_names {
    struct fm_heap *heap;
    const struct fm_dw_sections *sections;
    const struct fm_dw_units *units;
    struct fm_dw_abbrevs *abbrevs;
    struct fm_dw_library *library; /* asked for what entries say; NULL: they are read here */
    struct fm_dw_naming *kept;
};

/* false: out of memory. */
bool fm_dw_names_init(struct fm_dw_names *names, struct fm_heap *heap, const struct fm_dw_units *units, struct fm_dw_abbrevs *abbrevs,
                      struct fm_dw_library *library);
void fm_dw_names_free(struct fm_dw_names *names);

/* Completes what an entry says itself by what its chain says. A link that leads nowhere ends the chain, which is no error. Errors: MEMORY. */
framemap_status fm_dw_names_resolve(struct fm_dw_names *names, const struct fm_dw_unit_data *unit, const struct fm_dw_attributes *own,
                                    struct fm_dw_naming *out, framemap_error *error);

#endif
