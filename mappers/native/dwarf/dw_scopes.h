/* The namespaces, classes and functions that surround an entry, for functions that have no linkage name. The walk over
 * a unit (dw_walk.c) does not record them: few functions need them, and GCC's sibling links make a second pass short.
 */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_SCOPES_H
#define FM_MAPPERS_NATIVE_DWARF_DW_SCOPES_H

#include "mappers/native/dwarf/dw_libdwarf.h"
#include "mappers/native/image/sorted_keys.h"

struct fm_dw_scope_node;
struct fm_dw_scope_level;

/* Scratch memory of one worker. One thread. */
struct fm_dw_scopes {
    struct fm_heap *heap;
    const struct fm_dw_sections *sections;
    const struct fm_dw_units *units;
    struct fm_dw_abbrevs *abbrevs;
    struct fm_dw_library *library; /* NULL: entries are read here */
    struct fm_key
        *targets; /* offsets of entries with the numbers of their parents; those of a round are neighbours, and rise */
    size_t target_count, target_capacity;
    struct fm_dw_scope_node *nodes; /* parents that were found */
    size_t node_count, node_capacity;
    struct fm_dw_scope_level *levels; /* open entries of the pass, outermost first */
    size_t level_count, level_capacity;
    uint64_t work_left; /* bytes of units that may still be passed over */
};

void fm_dw_scopes_init(struct fm_dw_scopes *scopes, struct fm_heap *heap, const struct fm_dw_units *units,
                       struct fm_dw_abbrevs *abbrevs, struct fm_dw_library *library);
void fm_dw_scopes_free(struct fm_dw_scopes *scopes);

/* As `scopes` of struct fm_dw_backend. work: bytes of units that may be passed over; what is not reached then has no
 * scopes. */
framemap_status fm_dw_scopes_read(struct fm_dw_scopes *scopes, uint64_t work, const uint64_t *entries, size_t count,
                                  struct fm_arena *arena, framemap_str *out, framemap_error *error);

#endif
