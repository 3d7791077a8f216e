/* The records of ELF (System V gABI, chapters 4 and 5), decoded into one struct for 32 and 64 bit. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_ELF_ELF_FORMAT_H
#define FM_MAPPERS_NATIVE_IMAGE_ELF_ELF_FORMAT_H

#include "mappers/native/image/image_inner.h"

enum fm_elf_type { ELF_TYPE_REL = 1, ELF_TYPE_EXEC = 2, ELF_TYPE_DYN = 3, ELF_TYPE_CORE = 4 };

enum fm_elf_machine {
    ELF_SPARC = 2,
    ELF_386 = 3,
    ELF_68K = 4,
    ELF_MIPS = 8,
    ELF_PARISC = 15,
    ELF_PPC = 20,
    ELF_PPC64 = 21,
    ELF_S390 = 22,
    ELF_ARM = 40,
    ELF_SH = 42,
    ELF_SPARCV9 = 43,
    ELF_X86_64 = 62,
    ELF_AVR = 83,
    ELF_OR1K = 92,
    ELF_XTENSA = 94,
    ELF_MSP430 = 105,
    ELF_HEXAGON = 164,
    ELF_AARCH64 = 183,
    ELF_ARC = 195,
    ELF_AMDGPU = 224,
    ELF_RISCV = 243,
    ELF_BPF = 247,
    ELF_CSKY = 252,
    ELF_LOONGARCH = 258,
    ELF_ALPHA = 0x9026 /* this number was never registered, but all tools use it */
};

enum fm_elf_section_type {
    ELF_PROGBITS = 1,
    ELF_SYMTAB = 2,
    ELF_STRTAB = 3,
    ELF_RELA = 4,
    ELF_NOTE = 7,
    ELF_NOBITS = 8,
    ELF_REL = 9,
    ELF_DYNSYM = 11,
    ELF_SYMTAB_SHNDX = 18
};
enum fm_elf_section_flag { ELF_SHF_ALLOC = 2, ELF_SHF_EXEC = 4, ELF_SHF_TLS = 0x400, ELF_SHF_COMPRESSED = 0x800 };
enum fm_elf_section_index { ELF_SHN_LORESERVE = 0xff00, ELF_SHN_ABS = 0xfff1, ELF_SHN_XINDEX = 0xffff };

enum fm_elf_segment_type { ELF_PT_LOAD = 1, ELF_PT_DYNAMIC = 2, ELF_PT_INTERP = 3, ELF_PT_NOTE = 4 };
enum fm_elf_segment_flag { ELF_PF_X = 1, ELF_PF_W = 2 };

enum fm_elf_symbol_type {
    ELF_STT_NOTYPE = 0,
    ELF_STT_OBJECT = 1,
    ELF_STT_FUNC = 2,
    ELF_STT_SECTION = 3,
    ELF_STT_FILE = 4,
    ELF_STT_COMMON = 5,
    ELF_STT_IFUNC = 10,
    ELF_STT_ARM_TFUNC = 13
};
enum fm_elf_binding { ELF_STB_LOCAL = 0, ELF_STB_WEAK = 2 };

struct fm_elf_header {
    uint16_t type, machine;
    uint64_t segments_offset, sections_offset;
    uint16_t segment_size, section_size; /* size of one record of the table, in bytes */
    uint32_t segment_count, section_count, names_section;
};

struct fm_elf_section {
    uint32_t name, type;
    uint64_t flags, address, offset, size;
    uint32_t link, info;
    uint64_t align, entry_size;
};

struct fm_elf_segment {
    uint32_t type, flags;
    uint64_t offset, address, file_size, memory_size, align;
};

struct fm_elf_symbol {
    uint32_t name;
    uint64_t value, size;
    uint8_t type, binding;
    uint16_t section;
};

/* A symbol table: the bytes of its records, of its names, and of its extended section numbers (SHT_SYMTAB_SHNDX). */
struct fm_elf_symbol_table {
    framemap_str rows, names, wide;
    uint64_t first_global; /* index of the first symbol that is not local */
    bool dynamic;
    /* the section numbers in the symbols are those of the file in .gnu_debugdata, not of the image */
    bool is_of_other_file;
};

/* The contents of .gnu_debugdata, or of the other file that the symbols were taken from. */
struct fm_elf_debugdata {
    struct fm_elf_symbol_table table;
    bool found;
    framemap_error fault; /* what is wrong with .gnu_debugdata; code FRAMEMAP_OK: nothing */
};

struct fm_elf {
    struct fm_elf_header header;
    struct fm_elf_section *sections; /* parallel to image->sections, unless made_of_segments */
    struct fm_elf_segment *segments;
    bool made_of_segments; /* the file has no section table: image->sections were made from its loaded segments */
};

/* Return the size of one record in bytes. */
static inline unsigned fm_elf_section_bytes(bool is64) { return is64 ? 64 : 40; }
static inline unsigned fm_elf_segment_bytes(bool is64) { return is64 ? 56 : 32; }
static inline unsigned fm_elf_symbol_bytes(bool is64) { return is64 ? 24 : 16; }

/* Each of these functions decodes one record at the reader's position. */
void fm_elf_read_header(struct fm_byte_reader *r, bool is64, struct fm_elf_header *out);
void fm_elf_read_section(struct fm_byte_reader *r, bool is64, struct fm_elf_section *out);
void fm_elf_read_segment(struct fm_byte_reader *r, bool is64, struct fm_elf_segment *out);
void fm_elf_read_symbol(struct fm_byte_reader *r, bool is64, struct fm_elf_symbol *out);

/* Returns bytes of the file; absent if the range is not inside the file. */
framemap_str fm_elf_bytes(const struct fm_image *image, uint64_t offset, uint64_t size);

/* Writes the name of the image's architecture, "arm64"; "elf-" and the number if it is unknown. */
void fm_elf_arch(const struct fm_image *image, char out[16]);

#endif
