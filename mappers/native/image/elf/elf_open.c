/* Opens an ELF file: header, segments, sections, and the kind of file. */

#include "core/archive/inflate_xz.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "mappers/native/image/elf/elf_image.h"
#include "mappers/native/image/image_lookup.h"
#include "mappers/native/image/image_string_table.h"
#include "mappers/native/image/image_values.h"

#define PAGE UINT64_C(4096)
/* Greatest alignment that is respected when sections are laid out. No result depends on the alignment. */
#define MOST_ALIGN UINT64_C(65536)

static framemap_status read_ident(struct fm_image *image, struct fm_elf *elf, framemap_error *error)
{
    struct fm_byte_reader r = fm_byte_reader_of(image->bytes, false);
    fm_byte_reader_seek(&r, 4);
    const uint8_t wide = fm_read_u8(&r), order = fm_read_u8(&r);

    if (r.bad)
        return fm_error_set(error, FRAMEMAP_E_TRUNCATED,
                            "this ELF file ends inside its header: it is cut short, fetch it again");
    if (wide != 1 && wide != 2)
        return fm_error_at(error, FRAMEMAP_E_CORRUPT, 4, "this ELF file has class %u, which is neither 32 nor 64 bit",
                           wide);
    if (order != 1 && order != 2)
        return fm_error_at(error, FRAMEMAP_E_CORRUPT, 5,
                           "this ELF file has byte order %u, which is neither little nor big endian", order);
    image->is64 = wide == 2;
    image->big_endian = order == 2;
    r.big_endian = image->big_endian;
    fm_elf_read_header(&r, image->is64, &elf->header);
    if (r.bad)
        return fm_error_set(error, FRAMEMAP_E_TRUNCATED,
                            "this ELF file ends inside its header: it is cut short, fetch it again");
    if (elf->header.type == ELF_TYPE_CORE)
        return fm_error_set(error, FRAMEMAP_E_FORMAT,
                            "a core dump, which holds no symbols: give the program that dumped it and its libraries");
    image->machine = elf->header.machine;
    image->relocatable = elf->header.type == ELF_TYPE_REL;
    fm_elf_arch(image, image->arch);
    return FRAMEMAP_OK;
}

/* Reads counts that do not fit in the header from the first section header (gABI, "Extended numbering"). */
static framemap_status read_extended_counts(struct fm_image *image, struct fm_elf *elf, framemap_error *error)
{
    struct fm_elf_header *header = &elf->header;
    struct fm_elf_section first = {0};

    if (header->sections_offset == 0) {
        header->section_count = 0;
        return FRAMEMAP_OK;
    }
    if (header->section_count != 0 && header->names_section != ELF_SHN_XINDEX && header->segment_count != 0xffff)
        return FRAMEMAP_OK;

    struct fm_byte_reader r = fm_byte_reader_of(image->bytes, image->big_endian);
    fm_byte_reader_seek(&r, header->sections_offset);
    fm_elf_read_section(&r, image->is64, &first);
    if (r.bad) {
        return fm_error_at(error, FRAMEMAP_E_TRUNCATED, image->inner->file_offset + header->sections_offset,
                           "the section table is past the end of the file: it is cut short, fetch it again");
    }
    if (header->section_count == 0) {
        if (first.size > FM_LIMIT_SECTIONS)
            return fm_error_set(error, FRAMEMAP_E_LIMIT, "more than %u sections", (unsigned)FM_LIMIT_SECTIONS);
        header->section_count = (uint32_t)first.size;
    }
    if (header->names_section == ELF_SHN_XINDEX) header->names_section = first.link;
    if (header->segment_count == 0xffff && first.info != 0) header->segment_count = first.info;
    return FRAMEMAP_OK;
}

/* Checks that a table of `count` records of `row` bytes is inside the file. */
static framemap_status check_table(const struct fm_image *image, const char *what, uint64_t offset, uint64_t count,
                                   uint64_t row, uint64_t least, framemap_error *error)
{
    const uint64_t at = image->inner->file_offset + offset;

    if (count > FM_LIMIT_SECTIONS)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "more than %u %ss", (unsigned)FM_LIMIT_SECTIONS, what);
    if (row < least)
        return fm_error_set(error, FRAMEMAP_E_CORRUPT,
                            "entries of the %s table have %u bytes, fewer than the required %u", what, (unsigned)row,
                            (unsigned)least);
    if (fm_range_fits(offset, count * row, image->bytes.size)) return FRAMEMAP_OK;
    return fm_error_at(error, FRAMEMAP_E_TRUNCATED, at,
                       "the %s table is past the end of the file: it is cut short, fetch it again", what);
}

static framemap_status read_segments(struct fm_image *image, struct fm_elf *elf, framemap_error *error)
{
    const struct fm_elf_header *header = &elf->header;
    struct fm_byte_reader r = fm_byte_reader_of(image->bytes, image->big_endian);

    if (header->segments_offset == 0) elf->header.segment_count = 0;
    if (header->segment_count == 0) return FRAMEMAP_OK;
    framemap_status status = check_table(image, "program header", header->segments_offset, header->segment_count,
                                         header->segment_size, fm_elf_segment_bytes(image->is64), error);
    if (status != FRAMEMAP_OK) return status;
    elf->segments = FM_ARENA_ARRAY(image->arena, struct fm_elf_segment, header->segment_count);
    if (elf->segments == NULL) return fm_error_memory(error);
    for (uint32_t i = 0; i < header->segment_count; i++) {
        fm_byte_reader_seek(&r, header->segments_offset + (uint64_t)i * header->segment_size);
        fm_elf_read_segment(&r, image->is64, &elf->segments[i]);
    }
    return FRAMEMAP_OK;
}

/* Names a section: ".zdebug_info" is a compressed ".debug_info", in GNU's form before SHF_COMPRESSED. */
static void name_section(struct fm_section *section, framemap_str name)
{
    framemap_str plain = {NULL, 0};

    section->name = name;
    if (fm_str_starts(name, FM_STR(".zdebug_"))) plain = fm_debug_name(fm_str_from(name, 2), false);
    if (plain.size == 0) return;
    section->name = plain;
    section->flags |= FM_SECTION_COMPRESSED;
}

static void describe_section(const struct fm_image *image, const struct fm_elf_section *raw, struct fm_section *out)
{
    out->address = raw->address;
    out->size = raw->size;
    out->type = raw->type;
    if (raw->flags & ELF_SHF_ALLOC) out->flags |= FM_SECTION_ALLOC;
    if (raw->flags & ELF_SHF_EXEC) out->flags |= FM_SECTION_EXEC;
    if (raw->flags & ELF_SHF_COMPRESSED) out->flags |= FM_SECTION_COMPRESSED;
    if (raw->type == ELF_NOBITS && (raw->flags & ELF_SHF_TLS)) out->flags |= FM_SECTION_THREAD;
    if (raw->type == ELF_NOBITS) {
        out->flags |= FM_SECTION_NOBITS;
        return;
    }
    if (raw->type == 0) return; /* SHT_NULL: the other members of the header are undefined */
    out->damaged = !fm_range_fits(raw->offset, raw->size, image->bytes.size);
    out->stored = fm_elf_bytes(image, raw->offset, raw->size);
}

static framemap_status read_sections(struct fm_image *image, struct fm_elf *elf, framemap_error *error)
{
    const struct fm_elf_header *header = &elf->header;
    const uint32_t count = header->section_count;
    struct fm_byte_reader r = fm_byte_reader_of(image->bytes, image->big_endian);

    framemap_status status = check_table(image, "section", header->sections_offset, count, header->section_size,
                                         fm_elf_section_bytes(image->is64), error);
    if (status != FRAMEMAP_OK) return status;
    elf->sections = FM_ARENA_ARRAY(image->arena, struct fm_elf_section, count);
    image->sections = FM_ARENA_ARRAY(image->arena, struct fm_section, count);
    if (elf->sections == NULL || image->sections == NULL) return fm_error_memory(error);
    image->section_count = count;
    for (uint32_t i = 0; i < count; i++) {
        fm_byte_reader_seek(&r, header->sections_offset + (uint64_t)i * header->section_size);
        fm_elf_read_section(&r, image->is64, &elf->sections[i]);
        image->sections[i].number = i;
        describe_section(image, &elf->sections[i], &image->sections[i]);
    }

    if (header->names_section >= count) return FRAMEMAP_OK; /* the file has no table of section names */
    struct fm_image_string_table names =
        fm_image_string_table_of(image->sections[header->names_section].stored, (uint64_t)count * header->section_size);
    for (uint32_t i = 1; i < count; i++) {
        name_section(&image->sections[i], fm_image_string_at(&names, elf->sections[i].name));
    }
    return FRAMEMAP_OK;
}

/* Makes sections from the loaded segments of a file that has no section table but program headers. */
static framemap_status make_sections_of_segments(struct fm_image *image, struct fm_elf *elf, framemap_error *error)
{
    uint32_t count = 0;

    elf->made_of_segments = true;
    image->sections = FM_ARENA_ARRAY(image->arena, struct fm_section, elf->header.segment_count);
    if (image->sections == NULL) return fm_error_memory(error);
    for (uint32_t i = 0; i < elf->header.segment_count; i++) {
        const struct fm_elf_segment *segment = &elf->segments[i];
        if (segment->type != ELF_PT_LOAD) continue;
        image->sections[count++] = (struct fm_section){
            .name = FM_STR("LOAD"),
            .stored = fm_elf_bytes(image, segment->offset, segment->file_size),
            .address = segment->address,
            .size = segment->memory_size,
            .number = i,
            .flags = FM_SECTION_ALLOC | (segment->flags & ELF_PF_X ? (uint32_t)FM_SECTION_EXEC : 0u),
            .type = ELF_PROGBITS,
            .damaged = !fm_range_fits(segment->offset, segment->file_size, image->bytes.size),
        };
    }
    image->section_count = count;
    return FRAMEMAP_OK;
}

/* Assigns distinct addresses to the sections of a relocatable file, which all start at 0 in the file. There is a gap
 * after each section, so that the end of one is not the start of the next. */
static void lay_out(struct fm_image *image, const struct fm_elf *elf)
{
    const uint64_t most = image->is64 ? UINT64_MAX >> 1 : UINT32_MAX;
    uint64_t at = FM_LAYOUT_START;

    for (uint32_t i = 0; i < image->section_count; i++) {
        struct fm_section *section = &image->sections[i];
        const uint64_t align = elf->sections[i].align;
        section->address = 0;
        if (!(section->flags & FM_SECTION_ALLOC)) continue;
        if (align > 1 && align <= MOST_ALIGN && (align & (align - 1)) == 0) at = (at + align - 1) & ~(align - 1);
        if (at > most || section->size >= most - at) {
            section->damaged = true;
            section->flags &= ~(uint32_t)(FM_SECTION_ALLOC | FM_SECTION_EXEC);
            continue;
        }
        section->address = at;
        at += section->size + 1;
    }
}

/* Returns the start of the page of the lowest loaded segment; UINT64_MAX if no segment is loaded. */
static uint64_t lowest_page(const struct fm_elf *elf)
{
    uint64_t lowest = UINT64_MAX;

    for (uint32_t i = 0; i < elf->header.segment_count; i++) {
        const struct fm_elf_segment *segment = &elf->segments[i];
        uint64_t page = segment->align;
        if (segment->type != ELF_PT_LOAD) continue;
        if (page < PAGE || (page & (page - 1)) != 0) page = PAGE;
        if ((segment->address & ~(page - 1)) < lowest) lowest = segment->address & ~(page - 1);
    }
    return lowest;
}

/* Returns the address of the image's first byte. A debug file may lack program headers, but its sections have the
 * program's addresses. */
static uint64_t base_of(const struct fm_image *image, const struct fm_elf *elf)
{
    uint64_t lowest = lowest_page(elf);

    if (lowest != UINT64_MAX) return lowest;
    for (uint32_t i = 0; i < image->section_count; i++) {
        const struct fm_section *section = &image->sections[i];
        if ((section->flags & FM_SECTION_ALLOC) && section->address < lowest) lowest = section->address;
    }
    return lowest == UINT64_MAX ? 0 : lowest & ~(PAGE - 1);
}

static bool has_segment(const struct fm_elf *elf, uint32_t type)
{
    for (uint32_t i = 0; i < elf->header.segment_count; i++) {
        if (elf->segments[i].type == type) return true;
    }
    return false;
}

/* Whether the file was split off a program: its code has no bytes in the file. */
static bool is_split_off(const struct fm_image *image)
{
    for (uint32_t i = 0; i < image->section_count; i++) {
        const uint32_t flags = image->sections[i].flags;
        if ((flags & FM_SECTION_EXEC) && (flags & FM_SECTION_ALLOC) && image->sections[i].size > 0)
            return (flags & FM_SECTION_NOBITS) != 0;
    }
    return false;
}

/* Whether the file is one that `dwz -m` made: it has debug info, and neither code nor data. */
static bool is_shared_debug(const struct fm_image *image)
{
    if (image->altlink.size > 0 || fm_image_section(image, FM_STR(".debug_info")) == UINT32_MAX) return false;
    for (uint32_t i = 0; i < image->section_count; i++) {
        const struct fm_section *section = &image->sections[i];
        if ((section->flags & FM_SECTION_ALLOC) && section->type != ELF_NOTE) return false;
    }
    return true;
}

static const char *type_of(const struct fm_image *image, const struct fm_elf *elf)
{
    const char *split = fm_image_split_type(image);

    if (split != NULL) return split;
    switch (elf->header.type) {
    case ELF_TYPE_REL:
        if (is_shared_debug(image)) return FM_TYPE_DWZ;
        return fm_image_section(image, FM_STR(".modinfo")) != UINT32_MAX ? "kernel module" : "object";
    case ELF_TYPE_EXEC: return is_split_off(image) ? "debug file" : "executable";
    case ELF_TYPE_DYN:
        if (is_split_off(image)) return "debug file";
        return has_segment(elf, ELF_PT_INTERP) ? "executable" : "shared library";
    default: return "ELF file";
    }
}

/* Whether the table has a symbol that this file defines. Imported symbols come first. */
static bool has_own_symbol(const struct fm_image *image, const struct fm_elf_symbol_table *table)
{
    struct fm_byte_reader r = fm_byte_reader_of(table->rows, image->big_endian);
    struct fm_elf_symbol row;
    while (fm_byte_reader_left(&r) >= fm_elf_symbol_bytes(image->is64)) {
        fm_elf_read_symbol(&r, image->is64, &row);
        if (row.section != 0 && row.type != ELF_STT_SECTION && row.type != ELF_STT_FILE) return true;
    }
    return false;
}

static void note_what_is_there(struct fm_image *image, const struct fm_elf *elf)
{
    bool has_table = false;
    for (uint32_t i = 0; i < image->section_count; i++) {
        struct fm_elf_symbol_table table;
        if (elf->made_of_segments || !fm_elf_find_symbol_table(image, i, &table)) continue;
        /* the table has symbols besides the first one, which is always empty */
        const bool has_rows = table.rows.size > fm_elf_symbol_bytes(image->is64);
        has_table = has_table || (!table.dynamic && (has_rows || image->sections[i].damaged));
        image->has_symbols = image->has_symbols || has_own_symbol(image, &table);
    }
    struct fm_elf_symbol_table dynamic;
    if (elf->made_of_segments && fm_elf_dynamic_table(image, &dynamic) && has_own_symbol(image, &dynamic))
        image->has_symbols = true;
    image->is_stripped = !has_table;
    fm_copy_name(image->type, sizeof image->type, type_of(image, elf));
}

framemap_status fm_elf_open(struct fm_image *image, framemap_error *error)
{
    struct fm_elf *elf = FM_ARENA_NEW(image->arena, struct fm_elf);
    framemap_status status;

    if (elf == NULL) return fm_error_memory(error);
    image->format = FM_IMAGE_ELF;
    image->inner->elf = elf;
    if ((status = read_ident(image, elf, error)) != FRAMEMAP_OK) return status;
    if ((status = read_extended_counts(image, elf, error)) != FRAMEMAP_OK) return status;
    if ((status = read_segments(image, elf, error)) != FRAMEMAP_OK) return status;
    if (elf->header.section_count > 0)
        status = read_sections(image, elf, error);
    else if (image->relocatable)
        status = fm_error_set(error, FRAMEMAP_E_CORRUPT,
                              "this object file has no section table, so it contains nothing to read");
    else
        status = make_sections_of_segments(image, elf, error);
    if (status == FRAMEMAP_OK && !elf->made_of_segments) status = fm_elf_complete_sizes(image, elf, error);
    if (status != FRAMEMAP_OK) return status;

    if (image->relocatable)
        lay_out(image, elf);
    else
        image->base = base_of(image, elf);
    if (!fm_image_index_sections(image)) return fm_error_memory(error);
    note_what_is_there(image, elf);
    fm_elf_identify(image);
    if (image->has_debugdata && fm_xz_is_read()) {
        image->has_symbols = true;
        image->is_stripped = false;
    }
    return FRAMEMAP_OK;
}
