/* Writes debug sections as an ELF file. See dwarf_file.h. */
#include "tests/mappers/native/dwarf_file.h"

#include <stdlib.h>
#include <string.h>

/* The file under construction; its capacity is known in advance. */
struct file {
    unsigned char *data;
    size_t size;
    bool is64, big_endian;
};

static void put(struct file *file, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        file->data[file->size++] = (unsigned char)(value >> 8 * (file->big_endian ? width - 1 - i : i));
}

static void put_bytes(struct file *file, const void *bytes, size_t size)
{
    if (size > 0) memcpy(file->data + file->size, bytes, size);
    file->size += size;
}

/* Writes an address or a size, in the width of the file. */
static void put_word(struct file *file, uint64_t value) { put(file, value, file->is64 ? 8 : 4); }

static unsigned header_size(bool is64) { return is64 ? 64 : 52; }
static unsigned row_size(bool is64) { return is64 ? 64 : 40; }

static void put_header(struct file *file, uint64_t table_at, unsigned sections)
{
    const unsigned char ident[16] = {0x7f, 'E', 'L', 'F', file->is64 ? 2 : 1, file->big_endian ? 2 : 1, 1};

    put_bytes(file, ident, sizeof ident);
    put(file, 2, 2); /* the file's type: ET_EXEC */
    /* The machine: PowerPC or x86, of the file's width. */
    put(file, file->is64 ? (file->big_endian ? 21 : 62) : (file->big_endian ? 20 : 3), 2);
    put(file, 1, 4);
    put_word(file, DWARF_TEXT_BASE);
    put_word(file, 0);
    put_word(file, table_at);
    put(file, 0, 4);
    put(file, header_size(file->is64), 2);
    put(file, 0, 2), put(file, 0, 2);
    put(file, row_size(file->is64), 2);
    put(file, sections, 2);
    put(file, sections - 1, 2);
}

struct row {
    uint64_t name, type, flags, address, offset, size;
};

static void put_row(struct file *file, const struct row *row)
{
    put(file, row->name, 4);
    put(file, row->type, 4);
    put_word(file, row->flags);
    put_word(file, row->address);
    put_word(file, row->offset);
    put_word(file, row->size);
    put(file, 0, 4), put(file, 0, 4);
    put_word(file, 1), put_word(file, 0);
}

/* Writes the section table: null, .text, the debug sections, the names. */
static void put_table(struct file *file, const struct made_dwarf *made, uint64_t names_at, size_t names_size)
{
    enum { PROGBITS = 1, STRTAB = 3, NOBITS = 8, ALLOC_EXEC = 6 };
    struct row row = {0};
    uint64_t at = header_size(made->is64), name = 7;

    put_row(file, &row);
    row = (struct row){1, NOBITS, ALLOC_EXEC, DWARF_TEXT_BASE, 0, DWARF_TEXT_SIZE};
    put_row(file, &row);
    for (unsigned i = 0; i < DWARF_SECTIONS; i++) {
        row = (struct row){name, PROGBITS, 0, 0, at, made->sections[i].size};
        put_row(file, &row);
        at += made->sections[i].size;
        name += strlen(dwarf_section_names[i]) + 1;
    }
    row = (struct row){name, STRTAB, 0, 0, names_at, names_size};
    put_row(file, &row);
}

unsigned char *dwarf_file_of(const struct made_dwarf *made, size_t *size)
{
    static const char names[] = "\0.text\0.debug_info\0.debug_abbrev\0.debug_str\0.debug_line_str\0.debug_line\0.debug_"
                                "ranges\0.debug_rnglists\0.debug_addr\0"
                                ".debug_str_offsets\0.debug_aranges\0.shstrtab";
    enum { ROWS = DWARF_SECTIONS + 3 };
    struct file file = {.is64 = made->is64, .big_endian = made->big_endian};
    uint64_t names_at = header_size(made->is64);

    for (unsigned i = 0; i < DWARF_SECTIONS; i++) names_at += made->sections[i].size;
    file.data = malloc((size_t)names_at + sizeof names + (size_t)ROWS * row_size(made->is64));
    if (file.data == NULL) abort();
    put_header(&file, names_at + sizeof names, ROWS);
    for (unsigned i = 0; i < DWARF_SECTIONS; i++) put_bytes(&file, made->sections[i].data, made->sections[i].size);
    put_bytes(&file, names, sizeof names);
    put_table(&file, made, names_at, sizeof names);
    *size = file.size;
    return file.data;
}
