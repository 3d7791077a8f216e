/* Converts the scope and address of a query to a scope and position of the index. Single and batch lookups use it.
 */
#ifndef FM_RESOLVE_NATIVE_ADDRESS_H
#define FM_RESOLVE_NATIVE_ADDRESS_H

#include "core/text/text.h"
#include "index/read/view.h"
#include <framemap/index.h>

static inline bool fm_find_scope(const struct fm_view *view, const framemap_query *query, uint64_t *scope)
{
    const struct fm_view_identity *about = fm_view_identity(view);
    if (about->has_image && query->scope.size == 0) { /* an index of an image does not number its scopes */
        *scope = about->image;
        return true;
    }
    return about->numbered_scopes ? fm_view_scope_number(view, query->scope_number, scope)
                                  : fm_view_scope(view, query->scope, scope);
}

/* The reason that an answer has if the index has nothing at the position. */
extern const char fm_nothing_there[];

/* Removes bits that CPUs or tools add to a code address: the Thumb bit of 32-bit ARM, and the pointer-authentication
 * bits and tags of arm64. arch: any name of the architecture. */
uint64_t fm_address_clean(framemap_str arch, uint64_t address);

/* How to convert the position of a query to a position in a scope; it is the same for all positions of a batch. */
struct fm_address_conversion {
    uint64_t base;  /* subtracted from the position */
    uint64_t mask;  /* bits that are part of an address */
    bool step_back; /* look up the byte before the position; set for return addresses */
};
/* Returns the mask of the bits that are part of a query's addresses. */
uint64_t fm_address_mask(const struct fm_view_identity *about, const framemap_query *query);
static inline struct fm_address_conversion fm_address_conversion_of(const struct fm_view_identity *about,
                                                                    const framemap_query *query)
{
    /* The Thumb bit is masked before the step back: stepping back from an odd return address would only remove that
     * bit. */
    return (struct fm_address_conversion){.base = query->address_kind == FRAMEMAP_ADDRESS_LINKED ? about->base : 0,
                                          .mask = about->arch_is_arm ? fm_address_mask(about, query) : UINT64_MAX,
                                          .step_back = query->return_address};
}

enum fm_address_result {
    FM_ADDRESS_IN_IMAGE,
    FM_ADDRESS_BELOW_IMAGE,
    FM_ADDRESS_NOTHING_BEFORE /* a return address is at the first position, which has no byte before */
};
/* Converts a position. *out: the position in its scope, before any step back; written unless the address is below the
 * image. */
static inline enum fm_address_result fm_address_to_position(const struct fm_address_conversion *conversion,
                                                            uint64_t address, uint64_t *out)
{
    if (address < conversion->base) return FM_ADDRESS_BELOW_IMAGE;
    *out = (address - conversion->base) & conversion->mask;
    return conversion->step_back && *out == 0 ? FM_ADDRESS_NOTHING_BEFORE : FM_ADDRESS_IN_IMAGE;
}

#endif
