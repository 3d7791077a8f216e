/* Reads the symbols of an ELF file. Symbols are chosen as LLVM's symbolizer chooses them, so that both report the same
 * names. */
#include "mappers/native/image/elf/elf_image.h"

#include "core/checked.h"
#include "core/error.h"
#include "core/text/text.h"
#include "mappers/native/image/image_lookup.h"
#include "mappers/native/image/image_string_table.h"
#include "mappers/native/image/section_contents.h"
#include "mappers/native/image/symbols_near.h"

enum { MOST_TABLES = 3 };

/* Function descriptors of the 64-bit PowerPC ABI, version 1: a function's symbol has the address of a descriptor in
 * .opd, which starts with the address of the code. */
struct descriptors {
    uint64_t address, size;
    framemap_str bytes; /* bytes of the section with function descriptors; empty in a debug file */
};

/* Whether an address is inside a section or at its end. The end is included, because linkers define symbols such as
 * _etext there. */
static bool contains_or_ends_at(const struct fm_section *section, uint64_t address)
{
    return address >= section->address && address - section->address <= section->size;
}

/* Returns the section of a symbol in a linked file. Tools that remove sections leave the section numbers in .dynsym as
 * they were, because .dynsym is loaded and loaders only distinguish 0 from other numbers. So if the section of that
 * number does not contain the symbol's address, the section is determined by the address. */
static uint32_t section_of_linked(const struct fm_image *image, const struct fm_elf_symbol_table *table, uint64_t index,
                                  const struct fm_elf_symbol *raw, uint64_t address)
{
    const bool has_table = !image->inner->elf->made_of_segments;
    const uint32_t number = has_table ? fm_elf_symbol_section(image, table, index, raw->section) : UINT32_MAX;

    if (!table->is_of_other_file &&
        (!table->dynamic || (number != UINT32_MAX && contains_or_ends_at(&image->sections[number], address))))
        return number;
    const bool is_defined = raw->section != 0 && (raw->section < ELF_SHN_LORESERVE || raw->section == ELF_SHN_XINDEX);
    const uint32_t holder = is_defined ? fm_image_section_at(image, address) : UINT32_MAX;
    return holder != UINT32_MAX || table->is_of_other_file ? holder : number;
}

/* Whether a symbol is a mapping symbol of the assembler, which marks the start of code or data (AAELF32 and AAELF64
 * "Mapping symbols", RISC-V psABI; for C-SKY as in binutils). */
static bool is_mapping_symbol(const struct fm_image *image, framemap_str name)
{
    const bool dollar = name.size >= 2 && name.data[0] == '$';
    const char sort = dollar ? name.data[1] : '\0';
    const bool ends = dollar && (name.size == 2 || name.data[2] == '.');

    if (image->machine == ELF_ARM) return ends && (sort == 'a' || sort == 't' || sort == 'd');
    if (image->machine == ELF_AARCH64) return ends && (sort == 'x' || sort == 'd');
    if (image->machine == ELF_CSKY) return ends && (sort == 't' || sort == 'd');
    if (image->machine == ELF_RISCV) return sort == 'x' || sort == 'd' || fm_str_starts(name, FM_STR(".L"));
    return false;
}

static enum fm_symbol_kind kind_of(const struct fm_image *image, uint8_t type, uint32_t section)
{
    switch (type) {
    case ELF_STT_FUNC:
    case ELF_STT_IFUNC: return FM_SYMBOL_FUNCTION;
    case ELF_STT_OBJECT:
    case ELF_STT_COMMON: return FM_SYMBOL_OBJECT;
    case ELF_STT_NOTYPE:
        return image->sections[section].flags & FM_SECTION_EXEC ? FM_SYMBOL_FUNCTION : FM_SYMBOL_OBJECT;
    case ELF_STT_ARM_TFUNC: return image->machine == ELF_ARM ? FM_SYMBOL_FUNCTION : FM_SYMBOL_NONE;
    default:
        /* symbols of sections, files and thread-local data are left out, because their value is not an address */
        return FM_SYMBOL_NONE;
    }
}

/* Whether the lowest bit of a symbol's address is not part of the address, but selects the instruction set (Thumb,
 * microMIPS). */
static bool has_mode_bit(const struct fm_image *image, uint8_t type)
{
    return (image->machine == ELF_ARM || image->machine == ELF_MIPS) &&
           (type == ELF_STT_FUNC || type == ELF_STT_IFUNC || type == ELF_STT_ARM_TFUNC);
}

static void follow_descriptor(const struct fm_image *image, const struct descriptors *descriptors,
                              struct fm_symbol *symbol)
{
    struct fm_byte_reader r = fm_byte_reader_of(descriptors->bytes, image->big_endian);

    fm_byte_reader_seek(&r, symbol->address - descriptors->address);
    const uint64_t code = fm_read_u64(&r);
    if (r.bad) return;
    symbol->address = code;
    symbol->section = fm_image_section_at(image, code);
}

/* Decodes one symbol without its name. Returns false if the symbol cannot be used for lookups. */
static bool decode_elf_symbol(const struct fm_image *image, const struct fm_elf_symbol_table *table,
                              const struct fm_elf_symbol *raw, uint64_t index, struct fm_symbol *out)
{
    const uint64_t address = has_mode_bit(image, raw->type) ? raw->value & ~UINT64_C(1) : raw->value;
    const uint32_t section = image->relocatable ? fm_elf_symbol_section(image, table, index, raw->section)
                                                : section_of_linked(image, table, index, raw, address);

    if (section == UINT32_MAX || !(image->sections[section].flags & FM_SECTION_ALLOC)) return false;
    const enum fm_symbol_kind kind = kind_of(image, raw->type, section);
    if (kind == FM_SYMBOL_NONE) return false;
    *out = (struct fm_symbol){
        .address = address,
        .size = raw->size,
        .section = section,
        .kind = (uint8_t)kind,
        .global = raw->binding != ELF_STB_LOCAL,
        .weak = raw->binding == ELF_STB_WEAK,
        .dynamic = table->dynamic,
    };
    if (image->relocatable) {
        if (raw->value > image->sections[section].size) return false;
        out->address += image->sections[section].address;
    }
    return true;
}

/* Decodes one symbol with its name. Returns false if the symbol is left out. */
static bool decode_named_elf_symbol(const struct fm_image *image, const struct fm_elf_symbol_table *table,
                                    const struct descriptors *descriptors, struct fm_image_string_table *names,
                                    const struct fm_elf_symbol *raw, uint64_t index, struct fm_symbol *out)
{
    if (raw->name == 0 || !decode_elf_symbol(image, table, raw, index, out)) return false;
    out->name = fm_image_string_at(names, raw->name);
    if (out->name.size == 0 || is_mapping_symbol(image, out->name)) return false;
    if (out->address - descriptors->address >= descriptors->size) return true;
    if (descriptors->bytes.size == 0)
        return false; /* this function descriptor is not in the file, and so neither is the address of the code */
    if (out->address - descriptors->address < descriptors->bytes.size) follow_descriptor(image, descriptors, out);
    return true;
}

/* --- reading only the symbols nearest to given addresses --- */

static uint64_t end_of_function(const struct fm_symbol *symbol)
{
    uint64_t end = 0;

    if (symbol->dynamic || symbol->kind != FM_SYMBOL_FUNCTION) return 0;
    return fm_add_u64(symbol->address, symbol->size, &end) ? end : UINT64_MAX;
}

static void find_nearest(const struct fm_image *image, const struct fm_elf_symbol_table *table,
                         const struct descriptors *descriptors, bool plain, struct fm_nearest_symbols *nearest)
{
    const size_t count = table->rows.size / fm_elf_symbol_bytes(image->is64);
    struct fm_image_string_table names = fm_image_string_table_of(table->names, table->rows.size);
    struct fm_byte_reader r = fm_byte_reader_of(table->rows, image->big_endian);

    for (uint64_t i = 0; i < count; i++) {
        struct fm_elf_symbol raw = {0};
        struct fm_symbol symbol;
        fm_elf_read_symbol(&r, image->is64, &raw);
        if (plain && !fm_nearest_improves(nearest, raw.value)) continue;
        if (!decode_named_elf_symbol(image, table, descriptors, &names, &raw, i, &symbol) ||
            !fm_symbol_is_in_its_section(image, &symbol))
            continue;
        if (symbol.dynamic && fm_nearest_is_inside(nearest, symbol.address)) continue;
        fm_nearest_note(nearest, symbol.address, end_of_function(&symbol));
    }
    fm_nearest_propagate(nearest);
}

static framemap_status read_wanted(struct fm_image *image, const struct fm_elf_symbol_table *table,
                                   const struct descriptors *descriptors, bool plain,
                                   const struct fm_nearest_symbols *nearest, size_t *capacity, framemap_error *error)
{
    const size_t count = table->rows.size / fm_elf_symbol_bytes(image->is64);
    struct fm_image_string_table names = fm_image_string_table_of(table->names, table->rows.size);
    struct fm_byte_reader r = fm_byte_reader_of(table->rows, image->big_endian);

    for (uint64_t i = 0; i < count; i++) {
        struct fm_elf_symbol raw = {0};
        struct fm_symbol symbol;
        fm_elf_read_symbol(&r, image->is64, &raw);
        if (plain && !fm_nearest_is_selected(nearest, raw.value)) continue;
        if (!decode_named_elf_symbol(image, table, descriptors, &names, &raw, i, &symbol)) continue;
        if (!fm_symbol_is_in_its_section(image, &symbol) || !fm_nearest_is_selected(nearest, symbol.address)) continue;
        if (!fm_symbols_add(image, capacity, &symbol)) return fm_error_memory(error);
    }
    return FRAMEMAP_OK;
}

/* --- reading whole tables --- */

static framemap_status read_table(struct fm_image *image, const struct fm_elf_symbol_table *table,
                                  const struct descriptors *descriptors, framemap_error *error)
{
    const size_t count = table->rows.size / fm_elf_symbol_bytes(image->is64);
    struct fm_image_string_table names = fm_image_string_table_of(table->names, table->rows.size);
    struct fm_byte_reader r = fm_byte_reader_of(table->rows, image->big_endian);
    size_t capacity = 0;

    if (!fm_symbols_reserve(image, &capacity, image->symbol_count + count)) return fm_error_memory(error);
    for (uint64_t i = 0; i < count; i++) {
        struct fm_elf_symbol raw = {0};
        fm_elf_read_symbol(&r, image->is64, &raw);
        if (decode_named_elf_symbol(image, table, descriptors, &names, &raw, i, &image->symbols[image->symbol_count]))
            image->symbol_count++;
    }
    return FRAMEMAP_OK;
}

static void find_descriptors(const struct fm_image *image, struct descriptors *out)
{
    const uint32_t number = fm_image_section(image, FM_STR(".opd"));

    *out = (struct descriptors){0};
    if (image->machine != ELF_PPC64 || !image->is64 || number == UINT32_MAX) return;
    out->address = image->sections[number].address;
    out->size = image->sections[number].size;
    if (fm_image_contents(image, number, &out->bytes, NULL) != FRAMEMAP_OK) out->bytes = (framemap_str){NULL, 0};
}

/* Finds .symtab, then .dynsym: the first table of each type, since the standard allows only one of each. In a file
 * without a section table it finds the dynamic table that loaders use. */
static size_t find_own_tables(const struct fm_image *image, struct fm_elf_symbol_table out[2])
{
    static const uint32_t types[] = {ELF_SYMTAB, ELF_DYNSYM};
    size_t count = 0;

    if (image->inner->elf->made_of_segments) return fm_elf_dynamic_table(image, &out[0]) ? 1 : 0;
    for (size_t type = 0; type < sizeof types / sizeof *types; type++) {
        bool found = false;
        for (uint32_t i = 0; i < image->section_count && !found; i++)
            found = image->sections[i].type == types[type] && fm_elf_find_symbol_table(image, i, &out[count]);
        if (found) count++;
    }
    return count;
}

/* Finds all symbol tables: first that in .gnu_debugdata, which counts as a .symtab, then those of find_own_tables. */
static size_t find_tables(const struct fm_image *image, struct fm_elf_symbol_table out[MOST_TABLES])
{
    const struct fm_elf_debugdata *data = image->inner->debugdata;
    const size_t first = data != NULL && data->found ? 1 : 0;
    if (first > 0) out[0] = data->table;
    return first + find_own_tables(image, out + first);
}

framemap_status fm_elf_symbols(struct fm_image *image, framemap_error *error)
{
    struct descriptors descriptors;
    struct fm_elf_symbol_table tables[MOST_TABLES];
    const size_t count = find_tables(image, tables);
    framemap_status status = FRAMEMAP_OK;

    find_descriptors(image, &descriptors);
    for (size_t i = 0; i < count && status == FRAMEMAP_OK; i++)
        status = read_table(image, &tables[i], &descriptors, error);
    return status;
}

framemap_status fm_elf_symbols_near(struct fm_image *image, const uint64_t *addresses, size_t count,
                                    framemap_error *error)
{
    struct descriptors descriptors;
    struct fm_elf_symbol_table tables[MOST_TABLES];
    const size_t table_count = find_tables(image, tables);
    struct fm_nearest_symbols nearest;
    framemap_status status = FRAMEMAP_OK;
    size_t capacity = 0;

    if (!fm_nearest_init(&nearest, image->arena->heap, addresses, count)) return fm_error_memory(error);
    find_descriptors(image, &descriptors);
    /* If values are the symbols' addresses, most symbols are rejected by value, before they are decoded. */
    const bool plain =
        descriptors.size == 0 && image->machine != ELF_ARM && image->machine != ELF_MIPS && !image->relocatable;
    for (size_t i = 0; i < table_count; i++) find_nearest(image, &tables[i], &descriptors, plain, &nearest);
    for (size_t i = 0; i < table_count && status == FRAMEMAP_OK; i++)
        status = read_wanted(image, &tables[i], &descriptors, plain, &nearest, &capacity, error);
    fm_nearest_free(&nearest);
    return status;
}

/* Whether the value of a symbol of this type is an address in its section. For symbols of sections, files, thread-local
 * data and common data it is not. */
static bool is_at_an_address(uint8_t type)
{
    return type == ELF_STT_NOTYPE || type == ELF_STT_OBJECT || type == ELF_STT_FUNC || type == ELF_STT_IFUNC ||
           type == ELF_STT_ARM_TFUNC;
}

static void note_reach(const struct fm_image *image, const struct fm_elf_symbol_table *table, uint64_t *reach)
{
    const size_t count = table->rows.size / fm_elf_symbol_bytes(image->is64);
    struct fm_byte_reader r = fm_byte_reader_of(table->rows, image->big_endian);

    for (uint64_t i = 0; i < count; i++) {
        struct fm_elf_symbol raw = {0};
        uint64_t end;
        fm_elf_read_symbol(&r, image->is64, &raw);
        if (raw.size == 0 || !is_at_an_address(raw.type)) continue;
        const uint32_t section = fm_elf_symbol_section(image, table, i, raw.section);
        if (section == UINT32_MAX) continue;
        const uint64_t value = has_mode_bit(image, raw.type) ? raw.value & ~UINT64_C(1) : raw.value;
        const uint64_t start = image->relocatable ? 0 : image->sections[section].address;
        if (value < start || !fm_add_u64(value - start, raw.size, &end)) continue;
        if (end > reach[section]) reach[section] = end;
    }
}

void fm_elf_symbols_reach(const struct fm_image *image, uint64_t *reach)
{
    struct fm_elf_symbol_table tables[2];
    const size_t count = find_own_tables(image, tables);

    for (size_t i = 0; i < count; i++) note_reach(image, &tables[i], reach);
}

static framemap_str dynamic_names(const struct fm_image *image)
{
    struct fm_elf_symbol_table table;

    if (image->inner->elf->made_of_segments)
        return fm_elf_dynamic_table(image, &table) ? table.names : (framemap_str){NULL, 0};
    for (uint32_t i = 0; i < image->section_count; i++) {
        if (image->sections[i].type == ELF_DYNSYM && fm_elf_find_symbol_table(image, i, &table)) return table.names;
    }
    return (framemap_str){NULL, 0};
}

/* Most global symbols that are searched if there is no dynamic symbol table. */
#define EXPORTED_MOST 16

/* Whether an exported symbol contains the word, in a file without dynamic symbols: objcopy removes the bytes of .dynsym
 * when it removes the code. The exported symbols are also in .symtab: its global symbols, which follow the local ones
 * (gABI, "Symbol Table": sh_info). If there are many, they are not searched, since all their names would have to be
 * read. */
static bool few_exported_hold(const struct fm_image *image, framemap_str word)
{
    const unsigned bytes = fm_elf_symbol_bytes(image->is64);
    struct fm_elf_symbol_table tables[2];

    if (image->inner->elf->made_of_segments || find_own_tables(image, tables) == 0 || tables[0].dynamic) return false;
    const uint64_t first = tables[0].first_global, count = tables[0].rows.size / bytes;
    if (first >= count || count - first > EXPORTED_MOST) return false;
    struct fm_image_string_table names = fm_image_string_table_of(tables[0].names, tables[0].rows.size);
    struct fm_byte_reader r = fm_byte_reader_of(tables[0].rows, image->big_endian);
    fm_byte_reader_seek(&r, first * bytes);
    for (uint64_t i = first; i < count; i++) {
        struct fm_elf_symbol raw = {0};
        fm_elf_read_symbol(&r, image->is64, &raw);
        if (fm_str_find(fm_image_string_at(&names, raw.name), word) != FM_NOT_FOUND) return true;
    }
    return false;
}

bool fm_elf_names_hold(const struct fm_image *image, framemap_str word)
{
    const framemap_str names = dynamic_names(image);
    return names.size > 0 ? fm_str_find(names, word) != FM_NOT_FOUND : few_exported_hold(image, word);
}
