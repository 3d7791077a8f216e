/* What questions of addresses have in common, whether they are asked one by one or many at once. */
#ifndef FM_RESOLVE_NATIVE_H
#define FM_RESOLVE_NATIVE_H

#include "index/view.h"
#include <framemap/index.h>

framemap_kind fm_kind_of(const struct fm_view_identity *about);
bool fm_find_scope(const struct fm_view *view, const struct fm_view_identity *about, const framemap_query *query, uint64_t *scope);

/* From positions as they are given to those of a scope. */
struct fm_placing {
    uint64_t base; /* taken off */
    uint64_t mask; /* of bits that are part of an address */
    bool step_back;
};
struct fm_placing fm_placing_of(const struct fm_view_identity *about, const framemap_query *query);

enum fm_placed { FM_PLACED, FM_BEFORE_IMAGE, FM_NOTHING_BEFORE /* a step back from the first position */ };
/* *out: the position in its scope, before any step back. */
static inline enum fm_placed fm_place(const struct fm_placing *placing, uint64_t position, uint64_t *out)
{
    if (position < placing->base) return FM_BEFORE_IMAGE;
    *out = (position - placing->base) & placing->mask;
    return placing->step_back && *out == 0 ? FM_NOTHING_BEFORE : FM_PLACED;
}

#endif
