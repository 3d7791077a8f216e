/* Object files in memory: ELF 32/64 of both byte orders, Mach-O thin and fat. Sections, symbols and ids; no debug info
 * is read here. Every offset is checked; nothing is trusted. Shared by the mappers of DWARF and Dart. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_IMAGE_H
#define FM_MAPPERS_NATIVE_IMAGE_IMAGE_H

#include "core/heap.h"
#include <framemap/index.h>

enum fm_image_format { FM_IMAGE_ELF, FM_IMAGE_MACHO };

enum fm_section_flags {
    FM_SECTION_ALLOC = 1u << 0,
    FM_SECTION_EXEC = 1u << 1,
    FM_SECTION_COMPRESSED = 1u << 2, /* bytes are stored compressed (SHF_COMPRESSED or .zdebug) */
    FM_SECTION_NOBITS = 1u << 3,     /* takes no bytes of the file */
    FM_SECTION_THREAD =
        1u << 4 /* room in every thread's own block (.tbss): its addresses are those of the sections after it */
};

struct fm_section {
    framemap_str name;   /* Borrowed from the file, or static. ELF: ".text"; Mach-O: canonical ELF-like for debug info
                          * (".debug_info" for __debug_info), else "__text".   Old-style compressed debug info goes by its
                          * plain name (".debug_info" for .zdebug_info). */
    framemap_str stored; /* bytes in the file, clipped to nothing when they lie outside (then `damaged`) */
    uint64_t address;    /* as linked; for relocatable files laid out by us: distinct for every alloc section */
    uint64_t size;       /* in memory */
    uint32_t number;     /* in the file's own table */
    uint32_t flags;
    uint32_t type;      /* sh_type; 0 for Mach-O */
    uint32_t unapplied; /* relocations that fm_image_contents did not understand and passed over */
    bool damaged;
};

/* Types of files of debug info without addresses. */
#define FM_TYPE_DWO "split debug info"
#define FM_TYPE_DWP "split debug package"

enum fm_symbol_kind { FM_SYMBOL_NONE, FM_SYMBOL_FUNCTION, FM_SYMBOL_OBJECT, FM_SYMBOL_OTHER };

struct fm_symbol {
    framemap_str name; /* borrowed; Mach-O: without the leading underscore, but see whole_names */
    uint64_t address;  /* thumb bit removed; relocatable files: section address as laid out + value */
    uint64_t size;     /* 0 unknown */
    uint32_t section;  /* index in image->sections, UINT32_MAX: none */
    uint8_t kind;      /* enum fm_symbol_kind */
    bool global, weak;
    bool dynamic; /* from .dynsym only */
};

struct fm_image {
    enum fm_image_format format;
    bool is64, big_endian, relocatable;
    bool whole_names;   /* the caller's to set before fm_image_symbols: Mach-O names keep the underscore that C's
                           compilers put in front */
    framemap_str bytes; /* this image's slice of the file */
    char arch[16];      /* "x86_64" "i386" "arm64" "arm64e" "armv7" "ppc64" … */
    uint32_t machine;   /* e_machine or cputype */
    char id[65];        /* build id or UUID, lower-case hex; "" */
    char type[24];      /* for people */
    uint64_t base;      /* preferred load address of the first byte; 0 for relocatable files */
    uint64_t origin;    /* where it is laid out: base, unless it is relocatable */
    bool by_section; /* it has no addresses: an ELF object file, whose sections each count from 0. Sections of a Mach-O
                        object have addresses */
    struct fm_section *sections;
    uint32_t section_count;
    struct fm_symbol *symbols; /* sorted by address, then as they stand in the table (.symtab before .dynsym); filled by
                                  fm_image_symbols */
    size_t symbol_count;
    framemap_str debuglink; /* .gnu_debuglink file name; "" */
    uint32_t debuglink_crc; /* of the file that it names, as fm_image_link_crc computes it */
    framemap_str altlink;   /* file name in .gnu_debugaltlink or .debug_sup; "" */
    char altlink_id[65];
    bool has_debug_info, has_debug_line;
    bool has_symbols;             /* some symbol of the image's own; imports alone do not count */
    bool is_stripped;             /* neither debug info nor local symbols: at most what other images link to is named */
    bool has_debugdata;           /* .gnu_debugdata: an xz-compressed symbol table, which is not read */
    struct fm_arena *arena;       /* holds all of it */
    struct fm_image_inner *inner; /* of image/ alone; NULL in images made by hand */
};

/* How sure these bytes are an object file this can read: 0 or 100. */
int fm_image_probe(framemap_str bytes);

/* Whether the names of the symbols that some slice exports (Mach-O: of all symbols) hold the word. Reads names alone.
 */
bool fm_image_names_hold(framemap_str bytes, framemap_str word);

/* FORMAT, saying what these bytes look like (a PE file, an archive, a text …) and what to give instead. */
framemap_status fm_image_refuse(framemap_str bytes, framemap_error *error);

/* Slices of a file: one for thin files. As framemap_file_inspect. */
framemap_status fm_image_inspect(framemap_str bytes, struct fm_heap *heap, framemap_image_info *images, size_t capacity,
                                 size_t *count, framemap_error *error);

/* Opens one slice; arch NULL: the only one (MISMATCH naming them all when there are several). All memory is of the
 * arena. Names that other tools give an architecture are understood ("aarch64" for "arm64", "arm" for any 32-bit ARM).
 */
framemap_status fm_image_open(framemap_str bytes, const char *arch, struct fm_arena *arena, struct fm_image *out,
                              framemap_error *error);

/* Index of the first section of that name, UINT32_MAX: none. */
uint32_t fm_image_section(const struct fm_image *image, framemap_str name);
/* Section of the address among alloc ones, UINT32_MAX: none. Of overlapping ones the one that begins last. */
uint32_t fm_image_section_at(const struct fm_image *image, uint64_t address);
/* The same, and the addresses [*low, *high) around it that have the same answer. */
uint32_t fm_image_section_around(const struct fm_image *image, uint64_t address, uint64_t *low, uint64_t *high);
bool fm_image_is_code(const struct fm_image *image, uint64_t address); /* in an executable section */

/* Where in the file the stored bytes of a section begin; 0: there are none. */
uint64_t fm_image_stored_at(const struct fm_image *image, uint32_t section);

/* Contents, inflated (zlib, zstd, .zdebug) and relocated where needed: borrowed from the file, or made in the arena
 * (anew at each call). A section without bytes in the file gives none. Errors: TRUNCATED, CORRUPT (bad compressed
 * data), LIMIT (claims more than core/limits.h allows), UNSUPPORTED. */
framemap_status fm_image_contents(const struct fm_image *image, uint32_t section, framemap_str *out,
                                  framemap_error *error);

/* Inflates compressed sections of these names that are big, each by one of up to so many threads, into memory of the
 * arena: fm_image_contents gives it then, instead of inflating at each call. What fails here fails there again, and is
 * told by it. Once for an image. */
void fm_image_inflate_ahead(struct fm_image *image, const framemap_str *names, size_t count, unsigned threads);

/* CRC-32 of a whole file, as .gnu_debuglink holds it (GDB manual, "Separate Debug Files"). */
uint32_t fm_image_link_crc(framemap_str bytes);

/* Whether two images are one program for all that can be seen: the same sections in memory at the same addresses, and
 * the same code where both hold it; debug files hold none. Notes are passed over: tools remove them. For images that no
 * build id tells apart. */
bool fm_image_same_code(const struct fm_image *a, const struct fm_image *b);
/* Whether both hold the same debug info, stored the same way. */
bool fm_image_same_debug_info(const struct fm_image *a, const struct fm_image *b);

/* "give its debug file app.debug (CRC-32 0x1a2b3c4d)": what a user has to add where this image lacks debug info. Cut
 * off to the room. */
void fm_image_say_wanted(const struct fm_image *image, char *out, size_t room);

/* Reads the symbol tables into image->symbols: .symtab and .dynsym, Mach-O nlist; ARM mapping symbols ($a $t $d $x),
 * section and file symbols left out. Bad single entries are passed over. */
framemap_status fm_image_symbols(struct fm_image *image, framemap_error *error);
/* The same, but of the symbols that stand inside their sections only those at the greatest address at or below one of
 * these, which rise, are sure to be there, each with its equals. Nothing is sorted that is not kept. */
framemap_status fm_image_symbols_near(struct fm_image *image, const uint64_t *addresses, size_t count,
                                      framemap_error *error);

#endif
