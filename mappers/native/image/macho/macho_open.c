/* Opens a thin Mach-O file: header, segments, sections, UUID. */
#include "mappers/native/image/image_lookup.h"

#include "core/checked.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "mappers/native/image/image_values.h"
#include "mappers/native/image/macho/macho_image.h"

static framemap_status cut_short(const struct fm_image *image, const char *what, uint64_t offset, framemap_error *error)
{
    return fm_error_at(error, FRAMEMAP_E_TRUNCATED, image->inner->file_offset + offset,
                       "this Mach-O file ends inside its %s: it is cut short, fetch it again", what);
}

static framemap_status read_header(struct fm_image *image, struct fm_macho *macho, framemap_error *error)
{
    struct fm_byte_reader r = fm_byte_reader_of(image->bytes, true);
    struct fm_macho_header *header = &macho->header;

    const uint32_t magic = fm_read_u32(&r);
    image->big_endian = magic == 0xfeedface || magic == 0xfeedfacf;
    image->is64 = magic == 0xfeedfacf || magic == 0xcffaedfe;
    r.big_endian = image->big_endian;
    header->cputype = fm_read_u32(&r);
    header->cpusubtype = fm_read_u32(&r);
    header->filetype = fm_read_u32(&r);
    header->command_count = fm_read_u32(&r);
    header->command_bytes = fm_read_u32(&r);
    /* the flags are skipped, and in the 64-bit form also the field `reserved` */
    fm_byte_reader_skip(&r, image->is64 ? 8 : 4);
    if (r.bad) return cut_short(image, "header", 0, error);
    if (header->filetype == MACHO_CORE)
        return fm_error_set(error, FRAMEMAP_E_FORMAT,
                            "a core dump, which holds no symbols: give the program that dumped it and its libraries");
    if (header->command_bytes > image->bytes.size - r.at) return cut_short(image, "load commands", r.at, error);
    image->machine = header->cputype;
    image->relocatable = header->filetype == MACHO_OBJECT;
    fm_macho_arch(header->cputype, header->cpusubtype, image->arch);
    return FRAMEMAP_OK;
}

/* Calls `visit` for each load command, with a reader positioned after cmd and cmdsize. */
static framemap_status each_command(struct fm_image *image, struct fm_macho *macho,
                                    framemap_status (*visit)(struct fm_image *image, struct fm_macho *macho,
                                                             uint32_t command, struct fm_byte_reader *r,
                                                             framemap_error *error),
                                    framemap_error *error)
{
    const struct fm_macho_header *header = &macho->header;
    const uint64_t start = fm_macho_header_bytes(image->is64);
    struct fm_byte_reader all =
        fm_byte_reader_of(fm_str(image->bytes.data, (size_t)(start + header->command_bytes)), image->big_endian);
    uint64_t at = start;

    for (uint32_t i = 0; i < header->command_count; i++) {
        struct fm_byte_reader head = fm_byte_reader_sub(&all, at, 8);
        const uint32_t command = fm_read_u32(&head), size = fm_read_u32(&head);
        struct fm_byte_reader r = fm_byte_reader_sub(&all, at, size);
        if (head.bad || size < 8 || r.bad) {
            return fm_error_at(error, FRAMEMAP_E_CORRUPT, image->inner->file_offset + at,
                               "load command %u of %u does not fit the load commands", (unsigned)i,
                               (unsigned)header->command_count);
        }
        fm_byte_reader_skip(&r, 8);
        framemap_status status = visit(image, macho, command, &r, error);
        if (status != FRAMEMAP_OK) return status;
        at += size;
    }
    return FRAMEMAP_OK;
}

static bool is_segment(uint32_t command) { return command == MACHO_SEGMENT || command == MACHO_SEGMENT_64; }

static framemap_status count_sections(struct fm_image *image, struct fm_macho *macho, uint32_t command,
                                      struct fm_byte_reader *r, framemap_error *error)
{
    struct fm_macho_segment segment;
    const bool is64 = command == MACHO_SEGMENT_64;

    (void)macho;
    if (!is_segment(command)) return FRAMEMAP_OK;
    fm_macho_read_segment(r, is64, &segment);
    if (r->bad || segment.section_count > fm_byte_reader_left(r) / fm_macho_section_bytes(is64))
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "a segment claims more sections than its load command holds");
    /* the number of sections cannot overflow, because the size of the load commands bounds it */
    image->section_count += segment.section_count;
    return image->section_count <= FM_LIMIT_SECTIONS
               ? FRAMEMAP_OK
               : fm_error_set(error, FRAMEMAP_E_LIMIT, "more than %u sections", (unsigned)FM_LIMIT_SECTIONS);
}

static bool has_no_bytes(const struct fm_macho_segment *segment, const struct fm_macho_section *raw)
{
    const uint32_t type = raw->flags & MACHO_SECTION_TYPE;
    if (type == MACHO_ZEROFILL || type == MACHO_GB_ZEROFILL || type == MACHO_THREAD_ZEROFILL) return true;
    /* Whether a segment has addresses but no bytes in the file, like the segment of the code in a dSYM. */
    return segment->file_size == 0 && segment->memory_size > 0;
}

static void describe_section(struct fm_image *image, const struct fm_macho_segment *segment,
                             const struct fm_macho_section *raw, struct fm_section *out)
{
    const bool debug = fm_macho_is_debug(raw);
    const uint64_t most = image->is64 ? UINT64_MAX >> 1 : UINT32_MAX;

    out->address = raw->address;
    out->size = raw->size;
    if (!debug) out->flags |= FM_SECTION_ALLOC;
    if (!debug && (raw->flags & (MACHO_PURE_INSTRUCTIONS | MACHO_SOME_INSTRUCTIONS))) out->flags |= FM_SECTION_EXEC;
    out->name = fm_macho_section_name(raw);
    if (debug && fm_str_starts(raw->name, FM_STR("__zdebug_"))) out->flags |= FM_SECTION_COMPRESSED;
    if (image->relocatable && !debug) {
        if (raw->address > most - FM_LAYOUT_START || raw->size > most - FM_LAYOUT_START - raw->address) {
            out->flags = 0;
            out->damaged = true;
        } else
            out->address += FM_LAYOUT_START;
    }
    if (has_no_bytes(segment, raw)) {
        out->flags |= FM_SECTION_NOBITS;
    } else if (!fm_range_fits(raw->offset, raw->size, image->bytes.size)) {
        out->damaged = true;
    } else
        out->stored = fm_str(image->bytes.data + raw->offset, (size_t)raw->size);
}

/* Gives sizes to the sections of a segment if none has one. The dSYMs of Xcode 3 have addresses of sections without
 * sizes; each section then ends where the next one starts. */
static void complete_sizes(struct fm_image *image, const struct fm_macho_segment *segment, uint32_t first)
{
    const uint32_t count = image->section_count;
    for (uint32_t i = first; i < count; i++)
        if (image->sections[i].size != 0) return;
    for (uint32_t i = first; i < count; i++) {
        struct fm_section *section = &image->sections[i];
        const uint64_t end = i + 1 < count ? section[1].address : segment->address + segment->memory_size;
        if (end > section->address) section->size = end - section->address;
    }
}

static void read_segment(struct fm_image *image, struct fm_macho *macho, bool is64, struct fm_byte_reader *r)
{
    const uint32_t first = image->section_count;
    struct fm_macho_segment segment;

    fm_macho_read_segment(r, is64, &segment);
    if (fm_str_equal(segment.name, FM_STR("__TEXT"))) image->base = segment.address;
    for (uint32_t i = 0; i < segment.section_count; i++) {
        struct fm_macho_section *raw = &macho->sections[image->section_count];
        struct fm_section *section = &image->sections[image->section_count++];
        fm_macho_read_section(r, is64, raw);
        section->number = image->section_count;
        describe_section(image, &segment, raw, section);
    }
    if (macho->header.filetype == MACHO_DSYM && segment.file_size == 0) complete_sizes(image, &segment, first);
}

/* Reads the position of the symbol table. A table is not used if its symbols or its names extend past the end of the
 * file. Symbols have no sizes, so the code of the lost symbols would get the name of the symbol before them. */
static void read_symtab(const struct fm_image *image, struct fm_macho *macho, struct fm_byte_reader *r)
{
    const uint32_t offset = fm_read_u32(r), count = fm_read_u32(r), names = fm_read_u32(r), names_size = fm_read_u32(r);
    const uint64_t size = (uint64_t)count * fm_macho_symbol_bytes(image->is64);

    if (r->bad || !fm_range_fits(offset, size, image->bytes.size) ||
        !fm_range_fits(names, names_size, image->bytes.size))
        return;
    macho->symbols = fm_str(image->bytes.data + offset, (size_t)size);
    macho->names = fm_str(image->bytes.data + names, names_size);
}

/* Reads the position of the list of functions. A debug file may have the command without the list. */
static void read_starts(const struct fm_image *image, struct fm_macho *macho, struct fm_byte_reader *r)
{
    const uint32_t offset = fm_read_u32(r), size = fm_read_u32(r);
    if (r->bad || macho->header.filetype == MACHO_DSYM || !fm_range_fits(offset, size, image->bytes.size)) return;
    macho->starts = fm_str(image->bytes.data + offset, size);
}

static framemap_status read_command(struct fm_image *image, struct fm_macho *macho, uint32_t command,
                                    struct fm_byte_reader *r, framemap_error *error)
{
    (void)error; /* the error is not needed, since errors were reported when the sections were counted */
    if (is_segment(command)) read_segment(image, macho, command == MACHO_SEGMENT_64, r);
    if (command == MACHO_UUID) {
        const framemap_str uuid = fm_read_bytes(r, 16);
        if (!r->bad) fm_hex_id(image->id, uuid);
    }
    if (command == MACHO_SYMTAB) read_symtab(image, macho, r);
    if (command == MACHO_FUNCTION_STARTS) read_starts(image, macho, r);
    return FRAMEMAP_OK;
}

static const char *type_of(uint32_t filetype)
{
    switch (filetype) {
    case MACHO_OBJECT: return "object";
    case MACHO_EXECUTE: return "executable";
    case MACHO_DYLIB:
    case MACHO_DYLIB_STUB:
    case MACHO_FVMLIB: return "shared library";
    case MACHO_DYLINKER: return "dynamic linker";
    case MACHO_BUNDLE: return "bundle";
    case MACHO_DSYM: return "debug file";
    case MACHO_KEXT: return "kernel extension";
    case MACHO_PRELOAD: return "firmware";
    case MACHO_FILESET: return "kernel collection";
    default: return "Mach-O file";
    }
}

framemap_status fm_macho_open(struct fm_image *image, framemap_error *error)
{
    struct fm_macho *macho = FM_ARENA_NEW(image->arena, struct fm_macho);
    framemap_status status;

    if (macho == NULL) return fm_error_memory(error);
    image->format = FM_IMAGE_MACHO;
    image->inner->macho = macho;
    if ((status = read_header(image, macho, error)) != FRAMEMAP_OK) return status;
    if ((status = each_command(image, macho, count_sections, error)) != FRAMEMAP_OK) return status;
    macho->sections = FM_ARENA_ARRAY(image->arena, struct fm_macho_section, image->section_count);
    image->sections = FM_ARENA_ARRAY(image->arena, struct fm_section, image->section_count);
    if (macho->sections == NULL || image->sections == NULL) return fm_error_memory(error);
    image->section_count = 0;
    if ((status = each_command(image, macho, read_command, error)) != FRAMEMAP_OK) return status;
    if (image->relocatable) image->base = 0;
    fm_macho_note_symbols(image);
    fm_copy_name(image->type, sizeof image->type, type_of(macho->header.filetype));
    return fm_image_index_sections(image) ? FRAMEMAP_OK : fm_error_memory(error);
}
