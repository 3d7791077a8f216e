/* Names of functions: follows abstract origins and specifications from entry to entry, also across units. Used by
 * both backends. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_NAMES_H
#define FM_MAPPERS_NATIVE_DWARF_DW_NAMES_H

#include "mappers/native/dwarf/dw_libdwarf.h"

/* The combined values of the entries of a chain. Strings are borrowed from the sections. */
struct fm_dw_naming {
    uint64_t offset; /* offset of the first entry of the chain */
    uint64_t last;   /* offset of the last entry of the chain, which is where the function was declared */
    framemap_str linkage_name, name;
    /* the unit whose line table decl_file refers to; NULL: the file is not known */
    const struct fm_dw_unit_data *decl_unit;
    uint64_t decl_file;
    uint32_t decl_line1;
    /* number of the chain, counted from 1 in each unit; 0: not assigned yet. It is assigned when an entry is resolved
     * that adds nothing to the chain */
    uint32_t identity;
    bool artificial;
};

/* The chains to which entries of one unit refer; a chain is found by the offset of its first entry, and followed only
 * once. The struct is used by one thread. */
struct fm_dw_names {
    struct fm_heap *heap;
    const struct fm_dw_sections *sections;
    const struct fm_dw_units *units;
    struct fm_dw_abbrevs *abbrevs;
    struct fm_dw_library *library; /* decodes attributes instead of dw_attributes.c if not NULL */
    /* Members for the current unit: */
    const struct fm_dw_unit_data *unit;
    const struct fm_dw_abbrev_table *table;
    bool one_name;
    uint64_t key;                 /* key for hashes */
    uint64_t hinted, hinted_hash; /* the origin passed to fm_dw_names_hint last, and its hash */
    struct fm_table found;
    struct fm_dw_naming *chains;
    size_t count, capacity;
    uint32_t identities;        /* how many chains of this unit have got a number so far */
    struct fm_dw_naming merged; /* result for the entry resolved last */
};

void fm_dw_names_init(struct fm_dw_names *names, struct fm_heap *heap, const struct fm_dw_units *units,
                      struct fm_dw_abbrevs *abbrevs, struct fm_dw_library *library);
void fm_dw_names_free(struct fm_dw_names *names);

/* Starts a unit. table: free of faults and compiled for the unit. one_name: as in struct fm_dw_visitor. */
void fm_dw_names_begin(struct fm_dw_names *names, const struct fm_dw_unit_data *unit,
                       const struct fm_dw_abbrev_table *table, bool one_name);

/* Prefetches the hash table slot that fm_dw_names_resolve will need for this entry. */
void fm_dw_names_hint(struct fm_dw_names *names, const struct fm_dw_attributes *own);

/* Completes an entry of the unit with the values of its chain. *out is valid until the next call. A link to a damaged
 * or missing entry ends the chain without an error. Errors: MEMORY. */
framemap_status fm_dw_names_resolve(struct fm_dw_names *names, const struct fm_dw_attributes *own,
                                    const struct fm_dw_naming **out, framemap_error *error);

#endif
