/* The symbol table as segments of code, each with the one symbol that names it. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_SYMBOL_FALLBACK_H
#define FM_MAPPERS_NATIVE_COMPILE_SYMBOL_FALLBACK_H

#include "mappers/native/dwarf/dw_address_spans.h"
#include "mappers/native/image/image.h"

/* Segments whose id is an index of image->symbols: the symbol that LLVM's tools would name there. */
struct fm_symbol_fallback {
    const struct fm_image *image;
    struct fm_address_segments code, data;
};

/* The symbol nearest below an address names it, if the address is inside its size; a symbol without a size reaches to
 * the next one, or to the end of its section. Of several at one address: one of .symtab before one of .dynsym only,
 * then the biggest, then the last of the table. */
bool fm_symbol_fallback_build(const struct fm_image *image, struct fm_heap *heap, struct fm_symbol_fallback *out);
void fm_symbol_fallback_free(struct fm_symbol_fallback *symbols);

#endif
