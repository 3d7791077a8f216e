/* Converts a symbol table to disjoint segments. See symbol_fallback.h. */
#include "mappers/native/compile/symbol_fallback.h"

/* Whether a symbol belongs to the code segments (symbols in executable sections), or, if `data` is set, to the data
 * segments (symbols in other loaded sections, and objects in executable sections). */
static bool belongs(const struct fm_image *image, const struct fm_symbol *symbol, bool data)
{
    if (symbol->section >= image->section_count || symbol->name.size == 0) return false;
    const struct fm_section *section = &image->sections[symbol->section];
    uint32_t flags = section->flags;
    if (symbol->address < section->address || symbol->address - section->address >= section->size) return false;
    if ((flags & FM_SECTION_ALLOC) == 0) return false;
    if ((flags & FM_SECTION_EXEC) == 0) return data;
    return !data || symbol->kind == FM_SYMBOL_OBJECT;
}

/* Chooses between two symbols at one address. A function with a size is preferred to data of any size. */
static bool is_better(const struct fm_symbol *candidate, const struct fm_symbol *best)
{
    if (candidate->dynamic != best->dynamic) return best->dynamic;
    if (candidate->kind == FM_SYMBOL_FUNCTION && candidate->size > 0 && best->kind == FM_SYMBOL_OBJECT) return true;
    if (best->kind == FM_SYMBOL_FUNCTION && best->size > 0 && candidate->kind == FM_SYMBOL_OBJECT) return false;
    return candidate->size >= best->size;
}

/* Whether a symbol of .dynsym starts inside a function of .symtab. Such symbols do not name code: Android's oat files
 * have them as markers for their loader. */
static bool is_mark_inside(const struct fm_symbol *symbol, const struct fm_symbol *function)
{
    return symbol->dynamic && !function->dynamic && function->kind == FM_SYMBOL_FUNCTION &&
           symbol->address > function->address && symbol->address - function->address < function->size;
}

/* Returns the size of a symbol. A data label without a size at the start of functions, such as Free Pascal's
 * DEBUGSTART_, gets the size of the longest of these functions, so that it does not cover the padding after them.
 * Symbols at one address are read only once. */
static uint64_t size_of(const struct fm_image *image, size_t number)
{
    const struct fm_symbol *symbols = image->symbols;
    const uint64_t address = symbols[number].address;
    uint64_t size = symbols[number].size;

    if (size != 0 || symbols[number].kind != FM_SYMBOL_OBJECT) return size;
    while (number > 0 && symbols[number - 1].address == address) number--;
    for (; number < image->symbol_count && symbols[number].address == address; number++)
        if (symbols[number].kind == FM_SYMBOL_FUNCTION && symbols[number].size > size) size = symbols[number].size;
    return size;
}

/* Returns an upper bound for the end of a symbol. */
static uint64_t end_of(const struct fm_image *image, size_t number, uint64_t next)
{
    const struct fm_symbol *symbol = &image->symbols[number];
    const struct fm_section *section = &image->sections[symbol->section];
    const uint64_t size = size_of(image, number);
    uint64_t end = section->address + section->size;

    if (end < section->address) end = UINT64_MAX;
    if (size != 0 && size < end - symbol->address) end = symbol->address + size;
    return end < next ? end : next;
}

/* Returns the address at which a symbol must end: the start of the next symbol, or of an earlier function that has no
 * symbol. */
static uint64_t next_start(struct fm_function_starts *starts, uint64_t address, uint64_t next_symbol)
{
    const uint64_t start = fm_function_starts_after(starts, address);
    return start < next_symbol ? start : next_symbol;
}

/* Builds the segments of code or of data. A symbol ends at the start of the next symbol of either kind, so that data
 * without a size between functions is not named after a function. */
static bool build(const struct fm_image *image, struct fm_address_segments *out, bool data)
{
    struct fm_function_starts starts = fm_function_starts_of(image);
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < image->symbol_count; i++) {
        const struct fm_symbol *symbol = &image->symbols[i];
        bool ours = belongs(image, symbol, data);
        if (!ours && (best == SIZE_MAX || !belongs(image, symbol, !data))) continue;
        const struct fm_symbol *chosen = best != SIZE_MAX ? &image->symbols[best] : NULL;
        if (chosen != NULL && is_mark_inside(symbol, chosen)) continue;
        if (chosen != NULL && symbol->address != chosen->address) {
            const uint64_t next = next_start(&starts, chosen->address, symbol->address);
            if (!fm_address_segments_add(out, chosen->address, end_of(image, best, next), (uint32_t)best)) return false;
            chosen = NULL;
            best = SIZE_MAX;
        }
        if (ours && (chosen == NULL || is_better(symbol, chosen))) best = i;
    }
    if (best == SIZE_MAX) return true;
    const uint64_t next = next_start(&starts, image->symbols[best].address, UINT64_MAX);
    return fm_address_segments_add(out, image->symbols[best].address, end_of(image, best, next), (uint32_t)best);
}

bool fm_symbol_fallback_build(const struct fm_image *image, struct fm_heap *heap, struct fm_symbol_fallback *out)
{
    *out = (struct fm_symbol_fallback){.image = image};
    out->code.heap = out->data.heap = heap;
    if (image->symbol_count >= UINT32_MAX) return true;
    return build(image, &out->code, false) && build(image, &out->data, true);
}

void fm_symbol_fallback_free(struct fm_symbol_fallback *symbols)
{
    fm_address_segments_free(&symbols->code);
    fm_address_segments_free(&symbols->data);
}
