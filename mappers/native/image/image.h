/* Object files in memory: ELF, 32 and 64 bit, of both byte orders, Mach-O, thin and fat, and WebAssembly. Provides
 * sections, symbols and ids; debug info is not read here. All offsets of the file are checked. Used by the mappers of
 * native and Dart programs; includes the headers of this folder that other folders use. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_IMAGE_H
#define FM_MAPPERS_NATIVE_IMAGE_IMAGE_H

#include "core/byte_reader.h"
#include "mappers/native/image/foreign.h"
#include "mappers/native/image/image_lookup.h"
#include "mappers/native/image/image_types.h"
#include "mappers/native/image/same_code.h"
#include "mappers/native/image/section_contents.h"

struct fm_buf;

/* Whether these bytes are an object file of a supported format: returns 100 or 0, as a probe of struct fm_mapper. */
int fm_image_probe(framemap_str bytes);

/* Returns the kind of index that the image gives: "elf", "macho", "wasm". */
const char *fm_image_kind(const struct fm_image *image);

/* Whether an image is a linked Mach-O image that names the object files with its debug info (debug_map/debug_map.h). */
bool fm_image_has_debug_map(const struct fm_image *image);

/* Whether the name of some exported symbol, in any slice, contains the word. For Mach-O, all symbols are searched; for
 * WebAssembly the result is always false. Reads only names. */
bool fm_image_names_hold(framemap_str bytes, framemap_str word);

/* Implements framemap_file_inspect: one record for each slice; a file that is not fat has one. */
framemap_status fm_image_inspect(framemap_str bytes, struct fm_heap *heap, framemap_image_info *images, size_t capacity,
                                 size_t *count, framemap_error *error);

/* Opens one slice of a file. arch NULL: the only slice; if there are several, MISMATCH with their names. All memory
 * comes from the arena. Accepts the names that other tools use for an architecture ("aarch64" for "arm64"), and "arm"
 * for any 32-bit ARM. */
framemap_status fm_image_open(framemap_str bytes, const char *arch, struct fm_arena *arena, struct fm_image *out,
                              framemap_error *error);

/* Reads the symbol tables into image->symbols: .symtab, the one in .gnu_debugdata and .dynsym, or those of Mach-O. Left
 * out are ARM mapping symbols ($a $t $d $x), section symbols, file symbols, and damaged entries. */
framemap_status fm_image_symbols(struct fm_image *image, framemap_error *error);
/* Reads the symbol table in .gnu_debugdata into the image's arena; later calls do nothing. If it is not called,
 * fm_image_symbols reads that table; then it must be called with the image itself, not with a copy that has another
 * arena. Errors: MEMORY. */
framemap_status fm_image_read_debugdata(struct fm_image *image, framemap_error *error);
/* Whether an image is an ELF debug file whose symbol table was left in the program that the file was split from. */
bool fm_image_lacks_symbols(const struct fm_image *image);
/* Takes the symbol table of the program that a debug file was split from. Call it before the symbols are read. bytes: a
 * file that may be the program; they must stay valid until the symbols are read. *taken: whether the file is the
 * program: it has the image's build id (or, without one, a debug link with the checksum of the image's file), code at
 * the same addresses, and a symbol table. Errors: MEMORY. */
framemap_status fm_image_take_symbols(struct fm_image *image, framemap_str bytes, bool *taken, framemap_error *error);
/* A walk over the starts of all functions, with names or without, that a linked Mach-O image lists, ascending. For
 * other images the walk is empty. */
struct fm_function_starts {
    struct fm_byte_reader r;
    uint64_t address, mask; /* address: the current start */
};
struct fm_function_starts fm_function_starts_of(const struct fm_image *image);
/* Moves to the first start above an address, and returns this start; UINT64_MAX: no start is left. Addresses must
 * ascend from call to call. */
uint64_t fm_function_starts_after(struct fm_function_starts *starts, uint64_t address);
/* Returns what was wrong with .gnu_debugdata when it was read; NULL: nothing. */
const framemap_error *fm_image_debugdata_fault(const struct fm_image *image);
/* Reads the symbols nearest to some addresses, instead of all symbols as fm_image_symbols does. For each of `addresses`
 * (ascending) these are the symbols at the greatest address at or below it; only symbols inside their sections count.
 * Other symbols may be read, too. */
framemap_status fm_image_symbols_near(struct fm_image *image, const uint64_t *addresses, size_t count,
                                      framemap_error *error);

/* Appends where the file has its code, in the form of FM_ATTRIBUTE_CODE_OFFSETS; nothing if offsets in the file are
 * positions in the image, or if that is not known. */
void fm_image_code_offsets(const struct fm_image *image, struct fm_buf *out);

#endif
