/* Which symbols count for some addresses: those at the greatest address at or below one of them where a symbol stands
 * inside its section. A table is passed over twice: all rows are shown to fm_nearest_note, then those are kept of which
 * fm_nearest_is_selected. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_SYMBOLS_NEAR_H
#define FM_MAPPERS_NATIVE_IMAGE_SYMBOLS_NEAR_H

#include "mappers/native/image/image_inner.h"

#define FM_NONE_BELOW UINT64_MAX

/* By address that is asked for: the greatest one at or below it where a symbol stands, FM_NONE_BELOW: none so far.
 * While the tables are passed over, one that is below the address before counts for that one only. */
struct fm_nearest_symbols {
    const uint64_t *addresses; /* rising; borrowed */
    uint64_t *below;
    uint64_t *ends; /* of the longest function of .symtab that starts at `below`; 0: none does */
    size_t count;
    struct fm_heap *heap;
};

/* false: out of memory. */
bool fm_nearest_init(struct fm_nearest_symbols *nearest, struct fm_heap *heap, const uint64_t *addresses, size_t count);
void fm_nearest_free(struct fm_nearest_symbols *nearest);

/* The first of the addresses that is not below this one; count: none. */
size_t fm_nearest_lower_bound(const struct fm_nearest_symbols *nearest, uint64_t address);
/* Whether a symbol there would be nearer to an address than all before, or as near. */
static inline bool fm_nearest_improves(const struct fm_nearest_symbols *nearest, uint64_t address)
{
    const size_t at = fm_nearest_lower_bound(nearest, address);
    return at < nearest->count && (nearest->below[at] == FM_NONE_BELOW || nearest->below[at] <= address);
}
/* Notes a symbol; end: of a function of .symtab that starts there, else 0. */
static inline void fm_nearest_note(struct fm_nearest_symbols *nearest, uint64_t address, uint64_t end)
{
    const size_t at = fm_nearest_lower_bound(nearest, address);
    if (at == nearest->count) return;
    if (nearest->below[at] == FM_NONE_BELOW || nearest->below[at] < address) {
        nearest->below[at] = address;
        nearest->ends[at] = end;
    } else if (nearest->below[at] == address && nearest->ends[at] < end)
        nearest->ends[at] = end;
}
/* Whether an address is inside a function of .symtab that starts before it. After fm_nearest_propagate. */
static inline bool fm_nearest_is_inside(const struct fm_nearest_symbols *nearest, uint64_t address)
{
    const size_t at = fm_nearest_lower_bound(nearest, address);
    return at < nearest->count && nearest->below[at] < address && address < nearest->ends[at];
}
/* After each table: what counts for one address counts for those above it, unless something nearer does. */
void fm_nearest_propagate(struct fm_nearest_symbols *nearest);
bool fm_nearest_is_selected(const struct fm_nearest_symbols *nearest, uint64_t address);

bool fm_symbol_is_in_its_section(const struct fm_image *image, const struct fm_symbol *symbol);
/* Makes room for `count` symbols in all in the image's list. false: out of memory. */
bool fm_symbols_reserve(struct fm_image *image, size_t *capacity, size_t count);
/* Puts one more behind them. */
bool fm_symbols_add(struct fm_image *image, size_t *capacity, const struct fm_symbol *symbol);

#endif
