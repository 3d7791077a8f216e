/* The symbol table as disjoint address segments, each with the symbol that names it. Used where the debug info has no
 * function. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_SYMBOL_FALLBACK_H
#define FM_MAPPERS_NATIVE_COMPILE_SYMBOL_FALLBACK_H

#include "mappers/native/dwarf/dw_address_spans.h"
#include "mappers/native/image/image.h"

/* The id of a segment is an index in image->symbols: the symbol that LLVM's tools print for these addresses. */
struct fm_symbol_fallback {
    const struct fm_image *image;
    struct fm_address_segments code, data;
};

/* Builds the segments. An address belongs to the nearest symbol at or below it, if it is within the symbol's size. A
 * symbol without a size extends to the next symbol, to the next function that the image lists, or to the end of its
 * section. Of several symbols at one address, those in .symtab take precedence over those only in .dynsym, then the
 * largest counts, then the last one in the table. Returns false when out of memory. */
bool fm_symbol_fallback_build(const struct fm_image *image, struct fm_heap *heap, struct fm_symbol_fallback *out);
void fm_symbol_fallback_free(struct fm_symbol_fallback *symbols);

#endif
