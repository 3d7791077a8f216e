/* What questions of addresses have in common, whether they are asked one by one or many at once. */
#ifndef FM_RESOLVE_NATIVE_ADDRESS_H
#define FM_RESOLVE_NATIVE_ADDRESS_H

#include "core/text/text.h"
#include "index/read/view.h"
#include <framemap/index.h>

/* Whether functions may have no name because that is in a file that was not read. */
bool fm_lacks_names(const struct fm_view *view);

static inline bool fm_find_scope(const struct fm_view *view, const framemap_query *query, uint64_t *scope)
{
    const struct fm_view_identity *about = fm_view_identity(view);
    if (about->has_image && query->scope.size == 0) { /* then scopes are not numbered */
        *scope = about->image;
        return true;
    }
    return about->numbered_scopes ? fm_view_scope_number(view, query->scope_number, scope)
                                  : fm_view_scope(view, query->scope, scope);
}

/* From positions as they are given to those of a scope. */
struct fm_placing {
    uint64_t base; /* taken off */
    uint64_t mask; /* of bits that are part of an address */
    bool step_back;
};
/* The bits that are part of the addresses that a query gives. */
uint64_t fm_address_mask(const struct fm_view_identity *about, const framemap_query *query);
static inline struct fm_placing fm_placing_of(const struct fm_view_identity *about, const framemap_query *query)
{
    /* The mark of thumb code goes before the step back: stepping back from an odd return address would only take off
     * the mark. */
    return (struct fm_placing){.base = query->address_kind == FRAMEMAP_ADDRESS_LINKED ? about->base : 0,
                               .mask = about->arch_is_arm ? fm_address_mask(about, query) : UINT64_MAX,
                               .step_back = query->return_address};
}

enum fm_image_placed { FM_PLACED, FM_BEFORE_IMAGE, FM_NOTHING_BEFORE /* a step back from the first position */ };
/* *out: the position in its scope, before any step back. */
static inline enum fm_image_placed fm_place(const struct fm_placing *placing, uint64_t position, uint64_t *out)
{
    if (position < placing->base) return FM_BEFORE_IMAGE;
    *out = (position - placing->base) & placing->mask;
    return placing->step_back && *out == 0 ? FM_NOTHING_BEFORE : FM_PLACED;
}

#endif
