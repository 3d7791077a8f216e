/* Builds Mach-O files in memory, for tests of opening them. */
#ifndef FM_TESTS_MAPPERS_NATIVE_IMAGE_MACHO_BUILD_H
#define FM_TESTS_MAPPERS_NATIVE_IMAGE_MACHO_BUILD_H

#include "tests/mappers/native/image/image_build.h"

enum {
    CPU_X86_64 = 0x01000007,
    CPU_ARM64 = 0x0100000c,
    CPU_ARM64_32 = 0x0200000c,
    CPU_ARM = 12,
    CPU_386 = 7,
    CPU_PPC = 18,
    CPU_PPC64 = 0x01000012
};
enum { T_OBJECT = 1, T_EXECUTE, T_CORE = 4, T_DYLIB = 6, T_BUNDLE = 8, T_DSYM = 10, T_KEXT = 11 };
#define CODE 0x80000400u
#define DEBUG 0x02000000u

struct macho_section {
    const char *name, *segment;
    uint64_t address, size;
    const void *data; /* bytes of the section; NULL: the file has no bytes of it */
    uint32_t flags;
    const void *relocations;
    uint32_t relocation_count;
};
struct macho_symbol {
    const char *name;
    uint8_t type, section;
    uint16_t description;
    uint64_t value;
};
struct macho_spec {
    bool is64, big;
    uint32_t cpu, subtype, type;
    uint64_t text_address;
    const char *segment; /* name of the segment of all sections; NULL: the segment of object files, which has no name */
    const struct macho_section *sections;
    uint32_t section_count;
    const struct macho_symbol *symbols;
    uint32_t symbol_count;
    bool without_bytes; /* whether the segment has no bytes in the file, as in a dSYM */
    const char *starts; /* the list of functions; NULL: there is none */
    size_t starts_size;
    uint64_t starts_moved; /* amount added to the position of the list in the file */
};

static inline void put_name(struct file *file, const char *name)
{
    char field[16] = "";
    memcpy(field, name, strnlen(name, 16));
    put_bytes(file, field, 16);
}

static inline void put_segment_head(struct file *file, const char *name, uint64_t address, uint64_t size,
                                    uint64_t file_size, uint32_t sections)
{
    put(file, 4, file->is64 ? 0x19 : 1);
    put(file, 4, (file->is64 ? 72u : 56u) + sections * (file->is64 ? 80u : 68u));
    put_name(file, name);
    put_word(file, address);
    put_word(file, size);
    put_word(file, 0);
    put_word(file, file_size);
    put(file, 4, 7);
    put(file, 4, 7);
    put(file, 4, sections);
    put(file, 4, 0);
}

/* Writes the sections of a segment, and collects where their offset fields are, to set these when the bytes are
 * written. */
static inline void put_sections(struct file *file, const struct macho_spec *spec, size_t *fields)
{
    for (uint32_t i = 0; i < spec->section_count; i++) {
        const struct macho_section *section = &spec->sections[i];
        put_name(file, section->name);
        put_name(file, section->segment);
        put_word(file, section->address);
        put_word(file, section->size);
        fields[i] = file->size;
        put(file, 4, 0);
        put(file, 4, 0);
        put(file, 4, 0);
        put(file, 4, section->relocation_count);
        put(file, 4, section->flags);
        put(file, 4, 0);
        put(file, 4, 0);
        if (file->is64) put(file, 4, 0);
    }
}

static inline void put_symbols(struct file *file, const struct macho_spec *spec, size_t command)
{
    char names[512] = "";
    size_t names_size = 1;
    set_at(file, command + 8, 4, file->size);
    set_at(file, command + 12, 4, spec->symbol_count);
    for (uint32_t i = 0; i < spec->symbol_count; i++) {
        const struct macho_symbol *symbol = &spec->symbols[i];
        put(file, 4, names_size);
        put(file, 1, symbol->type);
        put(file, 1, symbol->section);
        put(file, 2, symbol->description);
        put_word(file, symbol->value);
        memcpy(names + names_size, symbol->name, strlen(symbol->name) + 1);
        names_size += strlen(symbol->name) + 1;
    }
    set_at(file, command + 16, 4, file->size);
    set_at(file, command + 20, 4, names_size);
    put_bytes(file, names, names_size);
}

static inline void macho_build(struct file *file, const struct macho_spec *spec)
{
    size_t fields[16];
    const bool text = spec->segment != NULL && strcmp(spec->segment, "__TEXT") != 0;
    *file = (struct file){.big = spec->big, .is64 = spec->is64};
    put(file, 4, spec->is64 ? 0xfeedfacf : 0xfeedface);
    put(file, 4, spec->cpu);
    put(file, 4, spec->subtype);
    put(file, 4, spec->type);
    put(file, 4, (text ? 4 : 3) + (spec->starts ? 1u : 0u));
    put(file, 4, 0);
    put(file, 4, 0);
    if (spec->is64) put(file, 4, 0);
    const size_t commands = file->size;
    put(file, 4, 0x1b);
    put(file, 4, 24);
    for (unsigned i = 0; i < 16; i++) put(file, 1, 0xa0 + i);
    if (text) put_segment_head(file, "__TEXT", spec->text_address, 0x1000, 0x1000, 0);
    put_segment_head(file, spec->segment ? spec->segment : "", text ? 0x9000 : spec->text_address, 0x1000,
                     spec->without_bytes ? 0 : 0x1000, spec->section_count);
    put_sections(file, spec, fields);
    const size_t symtab = file->size;
    put(file, 4, 2);
    put(file, 4, 24);
    for (unsigned i = 0; i < 4; i++) put(file, 4, 0);
    const size_t starts = file->size;
    if (spec->starts) {
        put(file, 4, 0x26);
        put(file, 4, 16);
        put(file, 4, 0);
        put(file, 4, spec->starts_size);
    }
    set_at(file, 20, 4, file->size - commands);
    if (spec->starts) {
        set_at(file, starts + 8, 4, file->size + spec->starts_moved);
        put_bytes(file, spec->starts, spec->starts_size);
    }
    for (uint32_t i = 0; i < spec->section_count; i++) {
        const struct macho_section *section = &spec->sections[i];
        if (section->data != NULL) {
            set_at(file, fields[i], 4, file->size);
            put_bytes(file, section->data, (size_t)section->size);
        }
        if (section->relocations != NULL) {
            set_at(file, fields[i] + 8, 4, file->size);
            put_bytes(file, section->relocations, section->relocation_count * 8u);
        }
    }
    put_symbols(file, spec, symtab);
}

/* The sections of a small program. */
static const struct macho_section code[] = {{"__text", "__TEXT", 0x100001000, 0x40,
                                             "0123456789012345678901234567890123456789012345678901234567890123", CODE,
                                             NULL, 0},
                                            {"__const", "__TEXT", 0x100001040, 0x10, "0123456789abcdef", 0, NULL, 0},
                                            {"__bss", "__DATA", 0x100002000, 0x100, NULL, 1, NULL, 0}};

#endif
