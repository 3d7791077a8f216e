/* Finds symbol tables in another ELF file. Fedora and others leave one in stripped programs: .gnu_debugdata is an ELF
 * file, compressed with xz, whose .symtab has the functions that .dynsym lacks (GDB's manual, "Debugging information in
 * a special section"). And eu-strip -g leaves the symbol table in the program, and a .symtab without bytes in its debug
 * file. Called by image.c before the symbols are read. */
#include "core/archive/inflate_input.h"
#include "core/error.h"
#include "core/limits.h"
#include "mappers/native/image/elf/elf_image.h"
#include "mappers/native/image/image_lookup.h"
#include "mappers/native/image/same_code.h"

static framemap_status inflate_whole(const struct fm_image *image, framemap_str stored, framemap_str *out,
                                     framemap_error *error)
{
    const uint64_t most = fm_limit_inflated(image->bytes.size), before = image->inner->inflated_bytes;
    struct fm_buf buf;

    fm_buf_init(&buf, image->arena->heap);
    framemap_status status = fm_inflate_whole(stored, before < most ? most - before : 0, &buf, error);
    image->inner->inflated_bytes += buf.size;
    if (status == FRAMEMAP_OK && !fm_arena_str(image->arena, fm_buf_view(&buf), out)) status = fm_error_memory(error);
    fm_buf_free(&buf);
    return status;
}

static bool find_table(const struct fm_image *file, struct fm_elf_symbol_table *out)
{
    for (uint32_t i = 0; i < file->section_count; i++)
        if (file->sections[i].type == ELF_SYMTAB && fm_elf_find_symbol_table(file, i, out)) return true;
    return false;
}

static framemap_status open_other(const struct fm_image *image, framemap_str bytes, struct fm_image *file,
                                  framemap_error *error)
{
    *file = (struct fm_image){.bytes = bytes, .arena = image->arena};
    file->inner = FM_ARENA_NEW(image->arena, struct fm_image_inner);
    if (file->inner == NULL) return fm_error_memory(error);
    const framemap_status status = fm_elf_open(file, error);
    if (status != FRAMEMAP_OK) return status;
    if (file->is64 != image->is64 || file->big_endian != image->big_endian || file->machine != image->machine)
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "it is of another architecture");
    return FRAMEMAP_OK;
}

static framemap_status read_inner(const struct fm_image *image, framemap_str bytes, struct fm_elf_debugdata *out,
                                  framemap_error *error)
{
    struct fm_image file;
    const framemap_status status = open_other(image, bytes, &file, error);
    if (status != FRAMEMAP_OK) return status;
    out->found = find_table(&file, &out->table);
    out->table.is_of_other_file = true;
    return FRAMEMAP_OK;
}

static framemap_status read_debugdata(const struct fm_image *image, framemap_str stored, struct fm_elf_debugdata *out,
                                      framemap_error *error)
{
    framemap_str bytes;

    if (!fm_is_compressed(stored)) return fm_error_set(error, FRAMEMAP_E_CORRUPT, "it is not xz data");
    framemap_status status = inflate_whole(image, stored, &bytes, error);
    if (status == FRAMEMAP_OK && !fm_str_starts(bytes, FM_STR("\177ELF")))
        status = fm_error_set(error, FRAMEMAP_E_CORRUPT, "it is not an ELF file");
    return status == FRAMEMAP_OK ? read_inner(image, bytes, out, error) : status;
}

framemap_status fm_elf_read_debugdata(struct fm_image *image, framemap_error *error)
{
    const uint32_t number = fm_image_section(image, FM_STR(FM_DEBUGDATA));

    if (number == UINT32_MAX || image->relocatable || image->inner->debugdata != NULL) return FRAMEMAP_OK;
    struct fm_elf_debugdata *data = FM_ARENA_NEW(image->arena, struct fm_elf_debugdata);
    if (data == NULL) return fm_error_memory(error);
    if (read_debugdata(image, image->sections[number].stored, data, &data->fault) == FRAMEMAP_E_MEMORY)
        return fm_error_memory(error);
    fm_error_where(&data->fault, FM_STR(FM_DEBUGDATA));
    image->inner->debugdata = data;
    return FRAMEMAP_OK;
}

/* --- taking the symbol table that was left in the program --- */

bool fm_elf_lacks_symbols(const struct fm_image *image)
{
    const uint32_t number = fm_image_section(image, FM_STR(".symtab"));
    return number != UINT32_MAX && image->sections[number].type == ELF_NOBITS && image->has_debug_info &&
           !image->relocatable;
}

/* Whether the sections with code have the same addresses as in another file. They differ if the tool prelink moved a
 * program after its debug file was split off. */
static bool has_same_code_addresses(const struct fm_image *image, const struct fm_image *file)
{
    for (uint32_t i = 0; i < image->section_count; i++) {
        if ((image->sections[i].flags & FM_SECTION_EXEC) == 0) continue;
        const uint32_t there = fm_image_section(file, image->sections[i].name);
        if (there == UINT32_MAX || file->sections[there].address != image->sections[i].address) return false;
    }
    return true;
}

/* Whether the image is the debug file of a program: both have the same build id, or, if neither has a build id, the
 * image has the checksum that the program states. */
static bool is_debug_file_of(const struct fm_image *image, const struct fm_image *program)
{
    if (image->id[0] != '\0' || program->id[0] != '\0') return strcmp(program->id, image->id) == 0;
    return program->debuglink.size > 0 && fm_image_link_crc(image->bytes) == program->debuglink_crc;
}

framemap_status fm_elf_take_symbols(struct fm_image *image, framemap_str bytes, bool *taken, framemap_error *error)
{
    struct fm_elf_debugdata *data = FM_ARENA_NEW(image->arena, struct fm_elf_debugdata);
    struct fm_image file;

    *taken = false;
    if (data == NULL) return fm_error_memory(error);
    const framemap_status status = open_other(image, bytes, &file, NULL);
    if (status == FRAMEMAP_E_MEMORY) return fm_error_memory(error);
    if (status != FRAMEMAP_OK || !has_same_code_addresses(image, &file) || !is_debug_file_of(image, &file))
        return FRAMEMAP_OK;
    data->found = find_table(&file, &data->table);
    data->table.is_of_other_file = true;
    *taken = data->found;
    if (*taken) image->inner->debugdata = data;
    return FRAMEMAP_OK;
}
