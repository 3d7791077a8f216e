/* The records of Mach-O (mach-o/loader.h, mach-o/nlist.h, mach-o/reloc.h, mach-o/fat.h), decoded into one struct for
 * 32 and 64 bit. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_MACHO_MACHO_FORMAT_H
#define FM_MAPPERS_NATIVE_IMAGE_MACHO_MACHO_FORMAT_H

#include "mappers/native/image/image_inner.h"

enum fm_macho_cpu {
    MACHO_ABI64 = 0x01000000,
    MACHO_ABI64_32 = 0x02000000,
    MACHO_X86 = 7,
    MACHO_ARM = 12,
    MACHO_SPARC = 14,
    MACHO_PPC = 18
};

enum fm_macho_filetype {
    MACHO_OBJECT = 1,
    MACHO_EXECUTE = 2,
    MACHO_FVMLIB = 3,
    MACHO_CORE = 4,
    MACHO_PRELOAD = 5,
    MACHO_DYLIB = 6,
    MACHO_DYLINKER = 7,
    MACHO_BUNDLE = 8,
    MACHO_DYLIB_STUB = 9,
    MACHO_DSYM = 10,
    MACHO_KEXT = 11,
    MACHO_FILESET = 12
};

enum fm_macho_command {
    MACHO_SEGMENT = 1,
    MACHO_SYMTAB = 2,
    MACHO_SEGMENT_64 = 0x19,
    MACHO_UUID = 0x1b,
    MACHO_FUNCTION_STARTS = 0x26
};

enum fm_macho_section_flags {
    MACHO_SECTION_TYPE = 0xff,
    MACHO_ZEROFILL = 1,
    MACHO_GB_ZEROFILL = 0xc,
    MACHO_THREAD_ZEROFILL = 0x12,
    MACHO_SOME_INSTRUCTIONS = 0x400,
    MACHO_DEBUG = 0x02000000
};
#define MACHO_PURE_INSTRUCTIONS 0x80000000u

enum fm_macho_nlist {
    MACHO_N_STAB = 0xe0,
    MACHO_N_TYPE = 0x0e,
    MACHO_N_SECT = 0x0e,
    MACHO_N_EXT = 1,
    MACHO_N_FUN = 0x24, /* stabs, whose types take the whole byte */
    MACHO_N_OPT = 0x3c, /* the stab "radr://5614542", which Apple's strip leaves in the files that it strips */
    MACHO_N_SO = 0x64,
    MACHO_N_OSO = 0x66,
    MACHO_N_THUMB = 8,
    MACHO_N_WEAK_DEF = 0x80
};

struct fm_macho_header {
    uint32_t cputype, cpusubtype, filetype, command_count, command_bytes;
};

struct fm_macho_segment {
    framemap_str name; /* name, borrowed from the file, like all names here */
    uint64_t address, memory_size, offset, file_size;
    uint32_t section_count;
};

struct fm_macho_section {
    framemap_str name, segment;
    uint64_t address, size;
    uint32_t offset, relocations_offset, relocation_count, flags;
};

struct fm_macho_symbol {
    uint32_t name;
    uint8_t type, section;
    uint16_t description;
    uint64_t value;
};

struct fm_macho {
    struct fm_macho_header header;
    struct fm_macho_section *sections; /* parallel to image->sections */
    framemap_str symbols, names;
    /* starts of functions: distances in LEB128, the first one from the base (LC_FUNCTION_STARTS) */
    framemap_str starts;
};

static inline unsigned fm_macho_header_bytes(bool is64) { return is64 ? 32 : 28; }
static inline unsigned fm_macho_section_bytes(bool is64) { return is64 ? 80 : 68; }
static inline unsigned fm_macho_symbol_bytes(bool is64) { return is64 ? 16 : 12; }

void fm_macho_read_segment(struct fm_byte_reader *r, bool is64,
                           struct fm_macho_segment *out); /* starts to read after the fields cmd and cmdsize */
void fm_macho_read_section(struct fm_byte_reader *r, bool is64, struct fm_macho_section *out);
void fm_macho_read_symbol(struct fm_byte_reader *r, bool is64, struct fm_macho_symbol *out);

/* Returns the name of a section as the rest of the project spells it (".debug_info"), borrowed from the file, or
 * static. */
framemap_str fm_macho_section_name(const struct fm_macho_section *section);
/* Whether a section belongs to a segment with debug info, which is not loaded. */
bool fm_macho_is_debug(const struct fm_macho_section *section);

/* Writes the name of a CPU, such as "arm64e". The name of an unknown CPU is made of its two numbers. */
void fm_macho_arch(uint32_t cputype, uint32_t cpusubtype, char out[16]);

#endif
