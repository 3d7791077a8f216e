/* An object file in memory: its sections, symbols and ids. Types only; image.h has the functions. Only the elf_,
 * macho_ and wasm_ files depend on the bytes of ELF, Mach-O and WebAssembly. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_IMAGE_TYPES_H
#define FM_MAPPERS_NATIVE_IMAGE_IMAGE_TYPES_H

#include "core/heap.h"
#include <framemap/index.h>

#define FM_DEBUGDATA ".gnu_debugdata"

enum fm_image_format { FM_IMAGE_ELF, FM_IMAGE_MACHO, FM_IMAGE_WASM };

enum fm_section_flags {
    FM_SECTION_ALLOC = 1u << 0,
    FM_SECTION_EXEC = 1u << 1,
    FM_SECTION_COMPRESSED = 1u << 2, /* stored compressed (SHF_COMPRESSED or .zdebug) */
    FM_SECTION_NOBITS = 1u << 3,     /* the section takes no bytes in the file */
    FM_SECTION_THREAD =
        1u << 4 /* thread-local without bytes (.tbss): its addresses overlap those of the next sections */
};

struct fm_section {
    framemap_str name;   /* The name, borrowed from the file, or static. ELF: ".text". Mach-O: "__text", but debug
                            sections have their ELF names (".debug_info" for __debug_info). Old compressed debug
                            sections have their plain names (".debug_info" for .zdebug_info). */
    framemap_str stored; /* bytes in the file; empty if they are not inside the file (`damaged`) */
    uint64_t address; /* address as linked; in relocatable files framemap assigns one, distinct for all FM_SECTION_ALLOC
                         sections */
    uint64_t size;    /* size in memory, in bytes */
    uint32_t number;  /* index in the section table of the file */
    uint32_t flags;
    uint32_t type;      /* sh_type; 0 for Mach-O */
    uint32_t unapplied; /* number of relocations of unknown kinds, which fm_image_contents skipped */
    bool damaged;
};

/* Values of fm_image.type for files that have debug info without addresses (DWARF 5 section 7.3.2). */
#define FM_TYPE_DWO "split debug info"
#define FM_TYPE_DWP "split debug package"
#define FM_TYPE_DWZ "shared debug info" /* a file that `dwz -m` made */

enum fm_symbol_kind { FM_SYMBOL_NONE, FM_SYMBOL_FUNCTION, FM_SYMBOL_OBJECT, FM_SYMBOL_OTHER };

struct fm_symbol {
    framemap_str name; /* name, borrowed; Mach-O: without the leading underscore, unless whole_names is set */
    uint64_t address;  /* address without the Thumb bit; in relocatable files: assigned section address + value */
    uint64_t size;     /* size of the function or object; 0 if unknown */
    uint32_t section;  /* index in image->sections, or UINT32_MAX */
    uint8_t kind;      /* enum fm_symbol_kind */
    bool global, weak;
    bool dynamic; /* the symbol is only in .dynsym */
};

struct fm_image {
    enum fm_image_format format;
    bool is64, big_endian, relocatable;
    bool whole_names;   /* set by the caller before fm_image_symbols: Mach-O names keep the underscore that C compilers
                           prepend */
    framemap_str bytes; /* bytes of this image's slice of the file */
    char arch[16];      /* name of the architecture: "x86_64", "i386", "arm64", "arm64e", "armv7", "ppc64" … */
    uint32_t machine;   /* e_machine or cputype */
    char id[65];        /* build id or UUID, lower-case hex; may be "" */
    char type[24];      /* the kind of the file, as error messages print it */
    uint64_t base;      /* preferred load address of the first byte; 0 for relocatable files. WebAssembly: file offset
                           of the code, which debug info counts from 0 */
    /* Lowest address in use: usually that of the image's first byte (`base`); FM_LAYOUT_START for a Mach-O object file,
     * 0 for WebAssembly. */
    uint64_t origin;
    /* no code is below this address. For WebAssembly, whose code section starts with the number of functions, it is
     * the size of that number; else 0 */
    uint64_t code_start;
    bool by_section; /* the image is an ELF object file, which has no addresses and is looked up by section and
                        offset; Mach-O object files have addresses */
    struct fm_section *sections;
    uint32_t section_count;
    struct fm_symbol
        *symbols; /* sorted by address, then in table order (.symtab before .dynsym); filled by fm_image_symbols */
    size_t symbol_count;
    framemap_str debuglink; /* file name in .gnu_debuglink; may be "" */
    uint32_t debuglink_crc; /* checksum of the file that .gnu_debuglink names, as fm_image_link_crc computes it */
    framemap_str altlink;   /* file name in .gnu_debugaltlink or .debug_sup; may be "" */
    char altlink_id[65];
    struct fm_image *alternate; /* the file of the alternate link, if that was opened (dw_companion.h); else NULL */
    bool has_debug_info, has_debug_line;
    bool has_go_table;            /* the image has the table of functions and lines of a Go program (go_section.h) */
    bool has_symbols;             /* the image defines some symbol; imports do not count */
    bool is_stripped;             /* the image has neither debug info nor local symbols; exported symbols may remain */
    bool has_debugdata;           /* the image has .gnu_debugdata, an xz-compressed symbol table */
    struct fm_arena *arena;       /* owns all memory of the image */
    struct fm_image_inner *inner; /* state for image/ only; NULL in images that tests build by hand */
};

#endif
