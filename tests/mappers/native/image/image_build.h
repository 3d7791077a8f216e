/* Builds object files in memory, byte by byte, for tests of mappers/native/image. */
#ifndef FM_TESTS_MAPPERS_NATIVE_IMAGE_IMAGE_BUILD_H
#define FM_TESTS_MAPPERS_NATIVE_IMAGE_IMAGE_BUILD_H

#include "mappers/native/image/image.h"
#include "tests/testing.h"

/* A file under construction; its capacity fits what the tests need. */
struct file {
    unsigned char data[16384];
    size_t size;
    bool big, is64;
};

static inline framemap_str file_view(const struct file *file)
{
    return (framemap_str){(const char *)file->data, file->size};
}

static inline void set_at(struct file *file, size_t at, unsigned width, uint64_t value)
{
    assert_true(at + width <= sizeof file->data);
    for (unsigned i = 0; i < width; i++, value >>= 8)
        file->data[at + (file->big ? width - 1 - i : i)] = (unsigned char)value;
    if (at + width > file->size) file->size = at + width;
}

static inline void put(struct file *file, unsigned width, uint64_t value) { set_at(file, file->size, width, value); }
static inline void put_word(struct file *file, uint64_t value) { put(file, file->is64 ? 8 : 4, value); }

static inline void put_bytes(struct file *file, const void *data, size_t size)
{
    assert_true(file->size + size <= sizeof file->data);
    if (size > 0) memcpy(file->data + file->size, data, size);
    file->size += size;
}

static inline void pad_to(struct file *file, size_t align)
{
    while (file->size % align != 0) put(file, 1, 0);
}

/* --- building ELF files --- */

#define MAX_SECTIONS 24
struct elf_section {
    const char *name;
    uint32_t type;
    uint64_t flags, address;
    const void *data; /* bytes of the section; NULL: it has a size, but no bytes */
    uint64_t size;
    uint32_t link, info;
    uint64_t align;
};
struct elf_segment {
    uint32_t type, flags;
    uint64_t offset, address, file_size, memory_size, align;
};
struct elf_spec {
    bool is64, big;
    uint16_t type, machine;
    const struct elf_section *sections; /* numbered from 1; .shstrtab is added after the last */
    size_t section_count;
    const struct elf_segment *segments;
    size_t segment_count;
    bool no_section_table;
    /* counts that do not fit into the header are in section 0, as is the number of the section with names */
    bool extended;
};

enum { E_REL = 1, E_EXEC, E_DYN, E_CORE };
enum {
    M_386 = 3,
    M_MIPS = 8,
    M_PPC64 = 21,
    M_S390 = 22,
    M_ARM = 40,
    M_X86_64 = 62,
    M_AARCH64 = 183,
    M_RISCV = 243,
    M_CSKY = 252
};
enum { S_PROGBITS = 1, S_SYMTAB, S_STRTAB, S_RELA, S_NOTE = 7, S_NOBITS, S_REL, S_DYNSYM = 11, S_XINDEX = 18 };
enum { F_WRITE = 1, F_ALLOC = 2, F_EXEC = 4, F_TLS = 0x400, F_COMPRESSED = 0x800 };

/* All combinations of width and byte order. */
static const struct layout {
    const char *name;
    bool is64, big;
} layouts[] = {{"64 bit, little-endian", true, false},
               {"64 bit, big-endian", true, true},
               {"32 bit, little-endian", false, false},
               {"32 bit, big-endian", false, true}};

/* The types of ELF symbols. */
enum { SYM_NOTYPE, SYM_OBJECT, SYM_FUNC, SYM_SECTION, SYM_FILE, SYM_COMMON, SYM_TLS, SYM_IFUNC = 10 };

static inline void put_segment(struct file *file, const struct elf_segment *segment)
{
    put(file, 4, segment->type);
    if (file->is64) put(file, 4, segment->flags);
    put_word(file, segment->offset);
    put_word(file, segment->address);
    put_word(file, segment->address);
    put_word(file, segment->file_size);
    put_word(file, segment->memory_size);
    if (!file->is64) put(file, 4, segment->flags);
    put_word(file, segment->align);
}

static inline void put_section(struct file *file, uint32_t name, const struct elf_section *section, uint64_t offset)
{
    put(file, 4, name);
    put(file, 4, section->type);
    put_word(file, section->flags);
    put_word(file, section->address);
    put_word(file, offset);
    put_word(file, section->size);
    put(file, 4, section->link);
    put(file, 4, section->info);
    put_word(file, section->align);
    put_word(file, 0);
}

static inline void elf_header(struct file *file, const struct elf_spec *spec)
{
    *file = (struct file){.big = spec->big, .is64 = spec->is64};
    put_bytes(file, "\177ELF", 4);
    put(file, 1, spec->is64 ? 2 : 1);
    put(file, 1, spec->big ? 2 : 1);
    put(file, 1, 1);
    while (file->size < 16) put(file, 1, 0);
    put(file, 2, spec->type);
    put(file, 2, spec->machine);
    put(file, 4, 1);
    put_word(file, 0);
    put_word(file, spec->segment_count ? (spec->is64 ? 64u : 52u) : 0);
    put_word(file, 0); /* e_shoff; it is filled in when the file is complete */
    put(file, 4, 0);
    put(file, 2, spec->is64 ? 64 : 52);
    put(file, 2, spec->is64 ? 56 : 32);
    put(file, 2, spec->extended ? 0xffff : spec->segment_count);
    put(file, 2, spec->is64 ? 64 : 40);
    put(file, 2, 0);
    put(file, 2, 0);
}

/* Builds the file. Returns the offset of the section table, for tests that damage it. */
static inline size_t elf_build(struct file *file, const struct elf_spec *spec)
{
    uint64_t offsets[MAX_SECTIONS] = {0};
    uint32_t names[MAX_SECTIONS] = {0};
    char strings[1024] = "";
    size_t strings_size = 1;
    const size_t count = spec->section_count + 2;

    elf_header(file, spec);
    for (size_t i = 0; i < spec->segment_count; i++) put_segment(file, &spec->segments[i]);
    if (spec->no_section_table) return 0;
    for (size_t i = 0; i < spec->section_count; i++) {
        pad_to(file, 8);
        offsets[i] = file->size;
        if (spec->sections[i].data != NULL) put_bytes(file, spec->sections[i].data, (size_t)spec->sections[i].size);
        names[i] = (uint32_t)strings_size;
        memcpy(strings + strings_size, spec->sections[i].name, strlen(spec->sections[i].name) + 1);
        strings_size += strlen(spec->sections[i].name) + 1;
    }
    const struct elf_section own = {".shstrtab", S_STRTAB, 0, 0, strings, strings_size, 0, 0, 1};
    const uint64_t own_offset = file->size;
    put_bytes(file, strings, strings_size);
    pad_to(file, 8);
    const size_t table = file->size;
    const struct elf_section first = {"",
                                      0,
                                      0,
                                      0,
                                      NULL,
                                      spec->extended ? count : 0,
                                      spec->extended ? (uint32_t)count - 1 : 0,
                                      spec->extended ? (uint32_t)spec->segment_count : 0,
                                      0};
    put_section(file, 0, &first, 0);
    for (size_t i = 0; i < spec->section_count; i++) put_section(file, names[i], &spec->sections[i], offsets[i]);
    put_section(file, 0, &own, own_offset);
    set_at(file, spec->is64 ? 40 : 32, spec->is64 ? 8 : 4, table);
    set_at(file, spec->is64 ? 60 : 48, 2, spec->extended ? 0 : count);
    set_at(file, spec->is64 ? 62 : 50, 2, spec->extended ? 0xffff : count - 1);
    return table;
}

/* Appends a symbol. */
static inline void put_symbol(struct file *file, uint32_t name, unsigned type, unsigned binding, uint16_t section,
                              uint64_t value, uint64_t size)
{
    put(file, 4, name);
    if (!file->is64) {
        put(file, 4, value);
        put(file, 4, size);
    }
    put(file, 1, binding << 4 | type);
    put(file, 1, 0);
    put(file, 2, section);
    if (file->is64) {
        put(file, 8, value);
        put(file, 8, size);
    }
}

/* --- opening an image, with memory of its own --- */

struct opened {
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_image image;
    framemap_error error;
    framemap_status status;
};

static inline void open_file(struct opened *opened, framemap_str bytes, const char *arch)
{
    *opened = (struct opened){.status = FRAMEMAP_OK};
    fm_heap_init(&opened->heap, NULL, 0);
    fm_arena_init(&opened->arena, &opened->heap);
    opened->status = fm_image_open(bytes, arch, &opened->arena, &opened->image, &opened->error);
}

static inline void close_file(struct opened *opened)
{
    fm_arena_free(&opened->arena);
    assert_int_equal(opened->heap.used, 0);
}

/* Returns the symbol with this name, which must exist. */
static inline const struct fm_symbol *symbol_named(const struct fm_image *image, const char *name)
{
    for (size_t i = 0; i < image->symbol_count; i++) {
        if (fm_str_equal(image->symbols[i].name, framemap_str_of(name))) return &image->symbols[i];
    }
    fail_msg("there is no symbol %s", name);
    return NULL;
}

static inline bool has_symbol(const struct fm_image *image, const char *name)
{
    for (size_t i = 0; i < image->symbol_count; i++) {
        if (fm_str_equal(image->symbols[i].name, framemap_str_of(name))) return true;
    }
    return false;
}

#endif
