/* What the files of image/ share and nobody else sees. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_IMAGE_INNER_H
#define FM_MAPPERS_NATIVE_IMAGE_IMAGE_INNER_H

#include "core/byte_reader.h"
#include "mappers/native/image/image.h"
#include "mappers/native/image/sorted_keys.h"

/* Relocatable files have no addresses of their own. Their sections are laid out from here on: never near 0, which debug
 * info uses to say "this code was thrown away". */
#define FM_LAYOUT_START UINT64_C(0x10000)

struct fm_elf;
struct fm_macho;

struct fm_image_inner {
    uint64_t file_offset;     /* of image->bytes in the file that was given: for messages */
    const struct fm_elf *elf; /* one of the two */
    const struct fm_macho *macho;
    struct fm_key *by_address; /* where each stretch of addresses begins, and the section it is of; UINT32_MAX: none */
    struct fm_key *by_name;    /* all sections, by the hash of the name */
    uint32_t by_address_count;
    uint64_t inflated_bytes; /* of all sections so far, each time that one was inflated */
    framemap_str *inflated;  /* by section: what fm_image_inflate_ahead made; absent where it made nothing. NULL: it was
                                not called */
};

/* A string table. Many entries may share bytes (suffixes are merged), so reading names is bounded by a budget that no
 * honest file comes near: without it a table without NUL would be read once for every entry. */
struct fm_names {
    framemap_str table;
    uint64_t budget;
};
/* entries: bytes of the table whose entries point here. */
struct fm_names fm_names_of(framemap_str table, uint64_t entries);
/* Borrowed; absent when it lies outside, has no end, or is longer than FM_LIMIT_NAME. */
framemap_str fm_names_at(struct fm_names *names, uint64_t offset);

/* ELF (elf_open.c, elf_notes.c, elf_symbols.c, elf_relocate.c). `out` has bytes, arena and inner set. */
framemap_status fm_elf_open(struct fm_image *out, framemap_error *error);
framemap_status fm_elf_symbols(struct fm_image *image, framemap_error *error);
framemap_status fm_elf_symbols_near(struct fm_image *image, const uint64_t *addresses, size_t count,
                                    framemap_error *error);
/* Whether the name of a symbol that the image exports holds the word. */
bool fm_elf_names_hold(const struct fm_image *image, framemap_str word);
/* Applies the relocations of a section of a relocatable file to its contents, which are in memory of ours. */
void fm_elf_relocate(const struct fm_image *image, uint32_t section, unsigned char *contents, size_t size);
bool fm_elf_has_relocations(const struct fm_image *image, uint32_t section);

/* Mach-O, thin (macho_open.c, macho_symbols.c, macho_relocate.c). */
framemap_status fm_macho_open(struct fm_image *out, framemap_error *error);
framemap_status fm_macho_symbols(struct fm_image *image, framemap_error *error);
framemap_status fm_macho_symbols_near(struct fm_image *image, const uint64_t *addresses, size_t count,
                                      framemap_error *error);
framemap_str fm_macho_names(const struct fm_image *image);
/* has_symbols and is_stripped: `strip` takes off stabs, and symbols that no other image can link to. */
void fm_macho_note_symbols(struct fm_image *image);
void fm_macho_relocate(const struct fm_image *image, uint32_t section, unsigned char *contents, size_t size);
bool fm_macho_has_relocations(const struct fm_image *image, uint32_t section);
/* "arm64e"; a name made of the numbers where they are unknown. */
void fm_macho_arch(uint32_t cputype, uint32_t cpusubtype, char out[16]);

/* Slices of a fat file (macho_fat.c). */
struct fm_slice {
    framemap_str bytes;
    uint64_t offset;
    char arch[16];
};
bool fm_macho_is_fat(framemap_str bytes);
/* slices: room for FM_LIMIT_SLICES. Every slice lies inside the file, after the table, and none overlaps another. */
framemap_status fm_macho_slices(framemap_str bytes, struct fm_slice *slices, uint32_t *count, framemap_error *error);

/* FORMAT for a file that begins with "MZ" (foreign_pe.c): what it is, and where its debug info is. */
framemap_status fm_pe_refuse(framemap_str bytes, framemap_error *error);

/* Finishes what both formats need: the lookups by address and by name, and the flags of what there is. false: out of
 * memory. */
bool fm_image_index_sections(struct fm_image *image);
/* Sorts by address; at one address the order of the tables stays. false: out of memory. */
bool fm_symbols_sort(struct fm_image *image);

/* Inflates exactly `size` bytes into memory of the arena. Errors: CORRUPT, LIMIT, MEMORY. */
enum fm_compression { FM_COMPRESSION_ZLIB, FM_COMPRESSION_ZSTD };
framemap_status fm_inflate(enum fm_compression method, framemap_str stored, uint64_t size, struct fm_arena *arena,
                           unsigned char **out, framemap_error *error);
/* What that takes beside, at the most, of memory that is not ours: zstd 1.5 has 157 KB, libdeflate 12. */
#define FM_INFLATE_BYTES ((uint64_t)192 << 10)
/* The same into memory that is there. Its caller reserves FM_INFLATE_BYTES. */
framemap_status fm_inflate_into(enum fm_compression method, framemap_str stored, unsigned char *out, size_t size,
                                framemap_error *error);

/* n bytes of an integer in memory of ours, in a byte order of the file. */
uint64_t fm_bytes_get(const unsigned char *at, unsigned width, bool big_endian);
void fm_bytes_put(unsigned char *at, unsigned width, bool big_endian, uint64_t value);

/* ".debug_info" for the stem "debug_info"; cut: the stem is only as much of it as had room. Static; absent where there
 * is no such section. */
framemap_str fm_debug_name(framemap_str stem, bool cut);

/* Copies as much as fits, with a NUL. */
void fm_copy_name(char *out, size_t capacity, const char *text);
/* Lower-case hex of up to 32 bytes, with a NUL; more gives "". */
void fm_hex_id(char out[65], framemap_str id);

#endif
