/* The functions on WebAssembly modules that are called across files: by the wasm_ files, and by image.c and
 * same_code.c.
 *
 * Debug info of a module counts addresses from the content of the code section ("DWARF for WebAssembly", code
 * addresses). Engines and this library's callers count from the start of the file. So the base of an image is the file
 * offset of that content, and its origin is 0. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_WASM_WASM_IMAGE_H
#define FM_MAPPERS_NATIVE_IMAGE_WASM_WASM_IMAGE_H

#include "mappers/native/image/image_inner.h"

/* The contents of the sections that describe the module's functions; absent sections are empty. */
struct fm_wasm {
    framemap_str imports, exports, code;
    framemap_str names;      /* names of the functions: subsection 1 of the section "name" */
    framemap_str debug_file; /* path or URL of the module with the debug info (section "external_debug_info") */
    framemap_str map_url;    /* URL of the source map (section "sourceMappingURL") */
    uint32_t code_section;   /* index in image->sections, or UINT32_MAX */
};

bool fm_wasm_is_module(framemap_str bytes);

/* Open a module, and read the names of its functions (wasm_open.c, wasm_symbols.c). */
framemap_status fm_wasm_open(struct fm_image *out, framemap_error *error);
framemap_status fm_wasm_symbols(struct fm_image *image, framemap_error *error);

/* Reads a vector of bytes: its size, then the bytes. Sets r->bad if the bytes do not fit. The result is borrowed. */
framemap_str fm_wasm_read_name(struct fm_byte_reader *r);

#endif
