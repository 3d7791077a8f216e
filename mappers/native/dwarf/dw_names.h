/* Names of functions, through abstract origins and specifications, across units. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_NAMES_H
#define FM_MAPPERS_NATIVE_DWARF_DW_NAMES_H

#include "mappers/native/dwarf/dw_libdwarf.h"

/* What the chain of an entry says. Strings are borrowed from the sections. */
struct fm_dw_naming {
    uint64_t offset; /* of the entry where the chain starts */
    uint64_t last;   /* of the entry where it ends, which stands where the function was declared */
    framemap_str linkage_name, name;
    const struct fm_dw_unit_data *decl_unit; /* whose line table decl_file counts in; NULL: no file known */
    uint64_t decl_file;
    uint32_t decl_line1;
    uint32_t identity; /* of the chain alone, told to entries that add nothing to it: counts up from 1 in each unit; 0:
                          not told yet, or none */
    bool artificial;
};

/* Chains that entries of one unit lead to, each followed once, by where they start. One thread. */
struct fm_dw_names {
    struct fm_heap *heap;
    const struct fm_dw_sections *sections;
    const struct fm_dw_units *units;
    struct fm_dw_abbrevs *abbrevs;
    struct fm_dw_library *library; /* asked for what entries say; NULL: they are read here */
    /* Of the unit. */
    const struct fm_dw_unit_data *unit;
    const struct fm_dw_abbrev_table *table;
    bool one_name;
    uint64_t key;                 /* of hashes */
    uint64_t hinted, hinted_hash; /* the last origin that was told ahead, and its hash */
    struct fm_table found;
    struct fm_dw_naming *chains;
    size_t count, capacity;
    uint32_t identities;        /* told so far */
    struct fm_dw_naming merged; /* of the entry that was asked for last */
};

void fm_dw_names_init(struct fm_dw_names *names, struct fm_heap *heap, const struct fm_dw_units *units,
                      struct fm_dw_abbrevs *abbrevs, struct fm_dw_library *library);
void fm_dw_names_free(struct fm_dw_names *names);

/* The entries that follow are of this unit. table: sound, and compiled for it. one_name: as of the visitor. */
void fm_dw_names_begin(struct fm_dw_names *names, const struct fm_dw_unit_data *unit,
                       const struct fm_dw_abbrev_table *table, bool one_name);

/* What an entry says will be completed soon: has its chain's place brought near. */
void fm_dw_names_hint(struct fm_dw_names *names, const struct fm_dw_attributes *own);

/* Completes what an entry of the unit says itself by what its chain says; *out: good until the next call. A link that
 * leads nowhere ends the chain, which is no error. Errors: MEMORY. */
framemap_status fm_dw_names_resolve(struct fm_dw_names *names, const struct fm_dw_attributes *own,
                                    const struct fm_dw_naming **out, framemap_error *error);

#endif
