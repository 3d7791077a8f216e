/* Converts the scope and address of a query to a scope and position of the index, for single and batch lookups. */
#ifndef FM_RESOLVE_NATIVE_ADDRESS_H
#define FM_RESOLVE_NATIVE_ADDRESS_H

#include "core/text/text.h"
#include "index/read/view.h"
#include <framemap/index.h>

static inline bool fm_find_scope(const struct fm_view *view, const framemap_query *query, uint64_t *scope)
{
    const struct fm_view_identity *about = fm_view_identity(view);
    /* an index of an image has one scope for addresses, whose name is empty */
    if (about->has_image && query->scope.size == 0) {
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
    uint64_t base;     /* subtracted from the position; UINT64_MAX if `code` converts the position */
    uint64_t mask;     /* bits that are part of an address */
    bool step_back;    /* look up the byte before the position; set for return addresses */
    framemap_str code; /* the value of FM_ATTRIBUTE_CODE_OFFSETS, if positions are offsets in the file; else absent */
};
/* Returns the mask of the bits that are part of a query's addresses. */
uint64_t fm_address_mask(const struct fm_view_identity *about, const framemap_query *query);
/* Sets `code` if the index has FM_ATTRIBUTE_CODE_OFFSETS, and then `base` to UINT64_MAX. Otherwise nothing is set, and
 * offsets in the file are used as positions. */
void fm_address_set_code(const struct fm_view *view, struct fm_address_conversion *conversion);
static inline struct fm_address_conversion fm_address_conversion_of(const struct fm_view *view,
                                                                    const framemap_query *query)
{
    const struct fm_view_identity *about = fm_view_identity(view);
    /* The Thumb bit is masked before the step back: stepping back from an odd return address would only remove that
     * bit. */
    struct fm_address_conversion conversion = {.base = query->address_kind == FRAMEMAP_ADDRESS_LINKED ? about->base : 0,
                                               .mask = about->arch_is_arm ? fm_address_mask(about, query) : UINT64_MAX,
                                               .step_back = query->return_address};
    if (query->address_kind == FRAMEMAP_ADDRESS_FILE) fm_address_set_code(view, &conversion);
    return conversion;
}

enum fm_address_result {
    FM_ADDRESS_IN_IMAGE,
    FM_ADDRESS_BELOW_IMAGE,
    FM_ADDRESS_NOTHING_BEFORE, /* a return address is at the first position, which has no byte before */
    FM_ADDRESS_NO_CODE         /* the file has no code at the offset */
};
/* Converts what fm_address_to_position does not convert itself: an address that is below the image, or an offset in the
 * file. */
enum fm_address_result fm_address_below_base(const struct fm_address_conversion *conversion, uint64_t address,
                                             uint64_t *out);
/* Converts a position of a query. *out: the position in its scope, before any step back; set only if the result is
 * IN_IMAGE or NOTHING_BEFORE. */
static inline enum fm_address_result fm_address_to_position(const struct fm_address_conversion *conversion,
                                                            uint64_t address, uint64_t *out)
{
    if (address < conversion->base) return fm_address_below_base(conversion, address, out);
    *out = (address - conversion->base) & conversion->mask;
    return conversion->step_back && *out == 0 ? FM_ADDRESS_NOTHING_BEFORE : FM_ADDRESS_IN_IMAGE;
}

#endif
