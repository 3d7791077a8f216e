/* An object file in memory, as the rest of mappers/ sees it: sections, symbols, ids. Types only; image.h has the calls.
 * The bytes of ELF and Mach-O are known to the elf_ and macho_ files alone. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_IMAGE_TYPES_H
#define FM_MAPPERS_NATIVE_IMAGE_IMAGE_TYPES_H

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

#endif
