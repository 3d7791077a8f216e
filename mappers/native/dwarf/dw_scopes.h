/* The namespaces, classes and functions that enclose an entry, for functions without a linkage name. The walk over a
 * unit (dw_walk.c) does not record them: few functions need them, and sibling attributes make a second pass fast. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_SCOPES_H
#define FM_MAPPERS_NATIVE_DWARF_DW_SCOPES_H

#include "mappers/native/dwarf/dw_libdwarf.h"
#include "mappers/native/image/sorted_keys.h"

struct fm_dw_scope_node;
struct fm_dw_scope_level;

/* Working memory of one worker, which one thread uses. */
struct fm_dw_scopes {
    struct fm_heap *heap;
    const struct fm_dw_sections *sections;
    const struct fm_dw_units *units;
    struct fm_dw_abbrevs *abbrevs;
    struct fm_dw_library *library; /* decodes attributes instead of dw_attributes.c if not NULL */
    /* offsets of entries, each with the index of the entry's parent. Parents are searched in rounds; the targets of
     * one round are adjacent and ascending */
    struct fm_key *targets;
    size_t target_count, target_capacity;
    struct fm_dw_scope_node *nodes; /* the nodes found so far: parents of `targets`, and parents of these parents */
    size_t node_count, node_capacity;
    struct fm_dw_scope_level *levels; /* open entries of the current pass, outermost first */
    size_t level_count, level_capacity;
    uint64_t work_left; /* bytes of units that may still be passed over */
};

void fm_dw_scopes_init(struct fm_dw_scopes *scopes, struct fm_heap *heap, const struct fm_dw_units *units,
                       struct fm_dw_abbrevs *abbrevs, struct fm_dw_library *library);
void fm_dw_scopes_free(struct fm_dw_scopes *scopes);

/* Implements `scopes` of struct fm_dw_backend. work: bytes of units that may be passed over; entries that are not
 * reached within this budget get no scopes. */
framemap_status fm_dw_scopes_read(struct fm_dw_scopes *scopes, uint64_t work, const uint64_t *entries, size_t count,
                                  struct fm_arena *arena, framemap_str *out, framemap_error *error);

#endif
