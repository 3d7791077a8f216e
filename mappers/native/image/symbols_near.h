/* Selects the nearest symbols for a list of addresses: for each address, the symbols at the greatest address at or
 * below it. Only symbols inside their sections count. A table is read twice: all rows are passed to fm_nearest_note,
 * then the rows for which fm_nearest_is_selected returns true are kept. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_SYMBOLS_NEAR_H
#define FM_MAPPERS_NATIVE_IMAGE_SYMBOLS_NEAR_H

#include "mappers/native/image/image_inner.h"

#define FM_NONE_BELOW UINT64_MAX

/* below[i] is the greatest address of a symbol at or below addresses[i]; FM_NONE_BELOW: no such symbol was noted yet.
 * Before fm_nearest_propagate is called, a symbol is recorded only for the first requested address at or above it. */
struct fm_nearest_symbols {
    const uint64_t *addresses; /* the requested addresses, ascending; borrowed */
    uint64_t *below;
    /* ends[i]: end of the longest function of .symtab that starts at below[i]; 0: no function starts there */
    uint64_t *ends;
    size_t count;
    struct fm_heap *heap;
};

/* Initialises the search. Returns false when out of memory. */
bool fm_nearest_init(struct fm_nearest_symbols *nearest, struct fm_heap *heap, const uint64_t *addresses, size_t count);
void fm_nearest_free(struct fm_nearest_symbols *nearest);

/* Returns the index of the first requested address that is not below `address`; if all are below, the number of
 * requested addresses. */
size_t fm_nearest_lower_bound(const struct fm_nearest_symbols *nearest, uint64_t address);
/* Whether a symbol at this address is at least as near to one of the requested addresses as all symbols that were noted
 * before. */
static inline bool fm_nearest_improves(const struct fm_nearest_symbols *nearest, uint64_t address)
{
    const size_t at = fm_nearest_lower_bound(nearest, address);
    return at < nearest->count && (nearest->below[at] == FM_NONE_BELOW || nearest->below[at] <= address);
}
/* Adds a symbol. end: the end of the function if the symbol is a function of .symtab, else 0. */
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
/* Whether an address is inside a function of .symtab that starts before it. Call it only after fm_nearest_propagate. */
static inline bool fm_nearest_is_inside(const struct fm_nearest_symbols *nearest, uint64_t address)
{
    const size_t at = fm_nearest_lower_bound(nearest, address);
    return at < nearest->count && nearest->below[at] < address && address < nearest->ends[at];
}
/* Records each symbol also for the following requested addresses that have no nearer symbol. Call it after each
 * table. */
void fm_nearest_propagate(struct fm_nearest_symbols *nearest);
bool fm_nearest_is_selected(const struct fm_nearest_symbols *nearest, uint64_t address);

bool fm_symbol_is_in_its_section(const struct fm_image *image, const struct fm_symbol *symbol);
/* Makes room in the image's list for `count` symbols altogether. Returns false when out of memory. */
bool fm_symbols_reserve(struct fm_image *image, size_t *capacity, size_t count);
/* Appends a symbol. Returns false when out of memory. */
bool fm_symbols_add(struct fm_image *image, size_t *capacity, const struct fm_symbol *symbol);

#endif
