/* Selects the nearest symbols for a list of addresses: those at the greatest address at or below one of them. Only
 * symbols inside their sections count. A table is read twice: all rows are passed to fm_nearest_note, then those for
 * which fm_nearest_is_selected returns true are kept. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_SYMBOLS_NEAR_H
#define FM_MAPPERS_NATIVE_IMAGE_SYMBOLS_NEAR_H

#include "mappers/native/image/image_inner.h"

#define FM_NONE_BELOW UINT64_MAX

/* By requested address: the greatest symbol address at or below it, FM_NONE_BELOW if none so far. Until
 * fm_nearest_propagate, a symbol below an earlier address counts for that one only. */
struct fm_nearest_symbols {
    const uint64_t *addresses; /* ascending; borrowed */
    uint64_t *below;
    uint64_t *ends; /* end of the longest function of .symtab that starts at `below`; 0: none */
    size_t count;
    struct fm_heap *heap;
};

/* Returns false when out of memory. */
bool fm_nearest_init(struct fm_nearest_symbols *nearest, struct fm_heap *heap, const uint64_t *addresses, size_t count);
void fm_nearest_free(struct fm_nearest_symbols *nearest);

/* Index of the first address that is not below this one, or count. */
size_t fm_nearest_lower_bound(const struct fm_nearest_symbols *nearest, uint64_t address);
/* Whether a symbol at this address would be at least as near below one of the addresses as all symbols noted before. */
static inline bool fm_nearest_improves(const struct fm_nearest_symbols *nearest, uint64_t address)
{
    const size_t at = fm_nearest_lower_bound(nearest, address);
    return at < nearest->count && (nearest->below[at] == FM_NONE_BELOW || nearest->below[at] <= address);
}
/* Adds a symbol. `end`: end of a function of .symtab that starts there, else 0. */
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
/* Whether an address is inside a function of .symtab that starts before it. Only after fm_nearest_propagate. */
static inline bool fm_nearest_is_inside(const struct fm_nearest_symbols *nearest, uint64_t address)
{
    const size_t at = fm_nearest_lower_bound(nearest, address);
    return at < nearest->count && nearest->below[at] < address && address < nearest->ends[at];
}
/* Call after each table: a symbol that counts for one address counts for the following ones too, unless a nearer one
 * does. */
void fm_nearest_propagate(struct fm_nearest_symbols *nearest);
bool fm_nearest_is_selected(const struct fm_nearest_symbols *nearest, uint64_t address);

bool fm_symbol_is_in_its_section(const struct fm_image *image, const struct fm_symbol *symbol);
/* Makes room for `count` symbols in all in the image's list. Returns false when out of memory. */
bool fm_symbols_reserve(struct fm_image *image, size_t *capacity, size_t count);
/* Appends a symbol. Returns false when out of memory. */
bool fm_symbols_add(struct fm_image *image, size_t *capacity, const struct fm_symbol *symbol);

#endif
