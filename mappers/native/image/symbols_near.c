/* Selects the symbols nearest to requested addresses. See symbols_near.h. */
#include "mappers/native/image/symbols_near.h"

#include <string.h>

bool fm_nearest_init(struct fm_nearest_symbols *nearest, struct fm_heap *heap, const uint64_t *addresses, size_t count)
{
    *nearest = (struct fm_nearest_symbols){.addresses = addresses, .count = count, .heap = heap};
    nearest->below = fm_heap_zalloc(heap, count, sizeof *nearest->below);
    nearest->ends = fm_heap_zalloc(heap, count, sizeof *nearest->ends);
    if (nearest->below == NULL || nearest->ends == NULL) {
        fm_nearest_free(nearest);
        return false;
    }
    for (size_t i = 0; i < count; i++) nearest->below[i] = FM_NONE_BELOW;
    return true;
}

void fm_nearest_free(struct fm_nearest_symbols *nearest)
{
    fm_heap_free(nearest->heap, nearest->below, nearest->below != NULL ? nearest->count * sizeof *nearest->below : 0);
    fm_heap_free(nearest->heap, nearest->ends, nearest->ends != NULL ? nearest->count * sizeof *nearest->ends : 0);
}

size_t fm_nearest_lower_bound(const struct fm_nearest_symbols *nearest, uint64_t address)
{
    size_t low = 0, high = nearest->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (nearest->addresses[middle] < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void fm_nearest_propagate(struct fm_nearest_symbols *nearest)
{
    for (size_t i = 1; i < nearest->count; i++) {
        const uint64_t before = nearest->below[i - 1];
        if (before == FM_NONE_BELOW || (nearest->below[i] != FM_NONE_BELOW && nearest->below[i] >= before)) continue;
        nearest->below[i] = before;
        nearest->ends[i] = nearest->ends[i - 1];
    }
}

bool fm_nearest_is_selected(const struct fm_nearest_symbols *nearest, uint64_t address)
{
    const size_t at = fm_nearest_lower_bound(nearest, address);
    return at < nearest->count && nearest->below[at] == address;
}

bool fm_symbol_is_in_its_section(const struct fm_image *image, const struct fm_symbol *symbol)
{
    if (symbol->section >= image->section_count) return false;
    const struct fm_section *section = &image->sections[symbol->section];
    return symbol->address >= section->address && symbol->address - section->address < section->size;
}

bool fm_symbols_reserve(struct fm_image *image, size_t *capacity, size_t count)
{
    if (count <= *capacity) return true;
    struct fm_symbol *grown = FM_ARENA_ARRAY(image->arena, struct fm_symbol, count);
    if (grown == NULL) return false;
    if (image->symbol_count > 0) memcpy(grown, image->symbols, image->symbol_count * sizeof *grown);
    image->symbols = grown;
    *capacity = count;
    return true;
}

bool fm_symbols_add(struct fm_image *image, size_t *capacity, const struct fm_symbol *symbol)
{
    if (image->symbol_count == *capacity && !fm_symbols_reserve(image, capacity, 2 * *capacity + 16)) return false;
    image->symbols[image->symbol_count++] = *symbol;
    return true;
}
