/* Opens object files, lists their slices and chooses one: the parts of this work that are the same for all formats. */
#include "mappers/native/image/image.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/guid.h"
#include "core/text/text.h"
#include "mappers/native/image/elf/elf_image.h"
#include "mappers/native/image/go_section.h"
#include "mappers/native/image/image_values.h"
#include "mappers/native/image/macho/macho_image.h"
#include "mappers/native/image/wasm/wasm_image.h"
#include <stdio.h>

static bool is_elf(framemap_str bytes) { return fm_str_starts(bytes, FM_STR("\177ELF")); }

static bool is_macho(framemap_str bytes)
{
    struct fm_byte_reader r = fm_byte_reader_of(bytes, true);
    const uint32_t magic = fm_read_u32(&r);
    return magic == 0xfeedface || magic == 0xfeedfacf || magic == 0xcefaedfe || magic == 0xcffaedfe;
}

int fm_image_probe(framemap_str bytes)
{
    return is_elf(bytes) || is_macho(bytes) || fm_macho_is_fat(bytes) || fm_wasm_is_module(bytes) ? 100 : 0;
}

/* Returns the lowest address in use. */
static uint64_t origin_of(const struct fm_image *image)
{
    if (image->format == FM_IMAGE_WASM) return 0;
    return image->relocatable && !image->by_section ? FM_LAYOUT_START : image->base;
}

static framemap_status open_slice(const struct fm_image_slice *slice, struct fm_arena *arena, struct fm_image *out,
                                  framemap_error *error)
{
    struct fm_go_section go_section;
    framemap_status status;

    *out = (struct fm_image){.bytes = slice->bytes, .arena = arena};
    out->inner = FM_ARENA_NEW(arena, struct fm_image_inner);
    if (out->inner == NULL) return fm_error_memory(error);
    out->inner->file_offset = slice->offset;
    if (slice->offset > 0 && fm_str_starts(slice->bytes, FM_STR("!<arch>\n")))
        status =
            fm_error_set(error, FRAMEMAP_E_FORMAT,
                         "the %s part of this fat file is a static library: take it out (lipo -thin %s) and name a "
                         "member of that, as in lib.a!member.o",
                         slice->arch, slice->arch);
    else if (is_elf(slice->bytes))
        status = fm_elf_open(out, error);
    else if (is_macho(slice->bytes))
        status = fm_macho_open(out, error);
    else if (fm_wasm_is_module(slice->bytes))
        status = fm_wasm_open(out, error);
    else
        status = fm_image_refuse(slice->bytes, error);
    if (status == FRAMEMAP_OK) {
        out->has_debug_info = fm_image_section(out, FM_STR(".debug_info")) != UINT32_MAX;
        out->has_debug_line = fm_image_section(out, FM_STR(".debug_line")) != UINT32_MAX;
        out->has_go_table = fm_image_go_section(out, &go_section);
        out->is_stripped = out->is_stripped && !out->has_debug_info;
        out->by_section = out->relocatable && out->format == FM_IMAGE_ELF;
        out->origin = origin_of(out);
    }
    return status;
}

/* Lists the slices of a file. A thin file is one slice. */
static framemap_status list_slices(framemap_str bytes, struct fm_image_slice *slices, uint32_t *count,
                                   framemap_error *error)
{
    if (fm_macho_is_fat(bytes)) return fm_macho_slices(bytes, slices, count, error);
    if (fm_image_probe(bytes) == 0) return fm_image_refuse(bytes, error);
    slices[0] = (struct fm_image_slice){.bytes = bytes};
    *count = 1;
    return FRAMEMAP_OK;
}

/* --- computing the ids by the rules of the Rust crate `symbolic` (symbolic-debuginfo, elf.rs and macho.rs) --- */

/* Computes the id of a file without a build id: the exclusive or of the chunks of 16 bytes in the first page of the
 * code. */
static bool hash_code(const struct fm_image *image, char digits[FM_GUID_DIGITS])
{
    enum { PAGE = 4096, GUID = 16 };
    const uint32_t number = fm_image_section(image, FM_STR(".text"));
    unsigned char hash[GUID] = {0};
    if (number == UINT32_MAX) return false;
    const framemap_str code = fm_str_slice(image->sections[number].stored, 0, PAGE);
    for (size_t i = 0; i < code.size; i++) hash[i % GUID] ^= (unsigned char)code.data[i];
    fm_hex_put(hash, GUID, digits);
    return code.size > 0;
}

static bool guid_digits(const struct fm_image *image, char digits[FM_GUID_DIGITS])
{
    const size_t size = strlen(image->id);
    if (size == 0) return image->format == FM_IMAGE_ELF && hash_code(image, digits);
    memset(digits, '0', FM_GUID_DIGITS);
    memcpy(digits, image->id, size < FM_GUID_DIGITS ? size : FM_GUID_DIGITS);
    return true;
}

static void fill_debug_id(const struct fm_image *image, framemap_image_info *out)
{
    char digits[FM_GUID_DIGITS];
    fm_copy_name(out->code_id, sizeof out->code_id, image->id);
    if (!guid_digits(image, digits)) return;
    if (image->format == FM_IMAGE_ELF && !image->big_endian) fm_guid_swap(digits);
    fm_guid_put(digits, out->debug_id);
}

/* --- describing an image --- */

const char *fm_image_kind(const struct fm_image *image)
{
    switch (image->format) {
    case FM_IMAGE_ELF: return "elf";
    case FM_IMAGE_MACHO: return "macho";
    default: return "wasm";
    }
}

static void fill_info(const struct fm_image *image, framemap_image_info *out)
{
    *out = (framemap_image_info){
        .has_debug_info = image->has_debug_info,
        .has_line_table = image->has_debug_line,
        .has_symbols = image->has_symbols,
        .big_endian = image->big_endian,
        .address_bits = image->is64 ? 64 : 32,
        .base = image->base,
        .offset = image->inner->file_offset,
        .size = image->bytes.size,
        .debug_link = image->debuglink,
        .debug_link_crc = image->debuglink_crc,
        .is_stripped = image->is_stripped,
        .has_debugdata = image->has_debugdata,
        .alternate = image->altlink,
        .has_debug_map = !image->has_debug_info && fm_image_has_debug_map(image),
        .has_go_table = image->has_go_table,
    };
    fm_copy_name(out->kind, sizeof out->kind, fm_image_kind(image));
    fm_copy_name(out->arch, sizeof out->arch, image->arch);
    fm_copy_name(out->id, sizeof out->id, image->id);
    fm_copy_name(out->type, sizeof out->type, image->type);
    fm_copy_name(out->alternate_id, sizeof out->alternate_id, image->altlink_id);
    fill_debug_id(image, out);
}

framemap_status fm_image_inspect(framemap_str bytes, struct fm_heap *heap, framemap_image_info *images, size_t capacity,
                                 size_t *count, framemap_error *error)
{
    struct fm_image_slice slices[FM_LIMIT_SLICES];
    struct fm_arena arena;
    struct fm_image image;
    uint32_t slice_count = 0;
    framemap_status status = list_slices(bytes, slices, &slice_count, error);

    fm_arena_init(&arena, heap);
    for (uint32_t i = 0; i < slice_count && status == FRAMEMAP_OK; i++) {
        status = open_slice(&slices[i], &arena, &image, error);
        if (status == FRAMEMAP_OK && i < capacity) fill_info(&image, &images[i]);
        fm_arena_reset(&arena);
    }
    fm_arena_free(&arena);
    if (status == FRAMEMAP_OK) *count = slice_count;
    return status;
}

/* --- choosing a slice by architecture --- */

static const char *canonical_arch(const char *arch)
{
    static const struct {
        const char *other, *ours;
    } rows[] = {{"aarch64", "arm64"}, {"arm64-v8a", "arm64"},     {"arm64v8", "arm64"},     {"amd64", "x86_64"},
                {"x86-64", "x86_64"}, {"x64", "x86_64"},          {"x86", "i386"},          {"i486", "i386"},
                {"i586", "i386"},     {"i686", "i386"},           {"armeabi-v7a", "armv7"}, {"armeabi", "arm"},
                {"thumbv7", "armv7"}, {"powerpc64le", "ppc64le"}, {"powerpc64", "ppc64"},   {"powerpc", "ppc"}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strcmp(arch, rows[i].other) == 0) return rows[i].ours;
    }
    return arch;
}

/* Whether an architecture is 32-bit ARM. ELF files have "arm" where Mach-O files have a name such as "armv7", so "arm"
 * matches all names of this kind. */
static bool is_arm32(const char *arch) { return strncmp(arch, "arm", 3) == 0 && strncmp(arch, "arm64", 5) != 0; }

static bool names_arch(const char *wanted, const char *arch)
{
    wanted = canonical_arch(wanted);
    if (strcmp(wanted, arch) == 0) return true;
    return is_arm32(wanted) && is_arm32(arch) && (strcmp(wanted, "arm") == 0 || strcmp(arch, "arm") == 0);
}

static void list_archs(const struct fm_image_slice *slices, uint32_t count, char *out, size_t capacity)
{
    size_t used = 0;

    out[0] = '\0';
    for (uint32_t i = 0; i < count && used < capacity; i++) {
        used += (size_t)snprintf(out + used, capacity - used, "%s%s", i > 0 ? ", " : "", slices[i].arch);
    }
}

static framemap_status choose_slice(const struct fm_image_slice *slices, uint32_t count, const char *arch,
                                    const struct fm_image_slice **out, framemap_error *error)
{
    char names[160];

    *out = &slices[0];
    /* the only slice of a thin file: its architecture is checked after the file was opened */
    if (count == 1) return FRAMEMAP_OK;
    for (uint32_t i = 0; i < count && arch != NULL; i++) {
        *out = &slices[i];
        if (names_arch(arch, slices[i].arch)) return FRAMEMAP_OK;
    }
    list_archs(slices, count, names, sizeof names);
    if (arch == NULL)
        return fm_error_set(error, FRAMEMAP_E_MISMATCH,
                            "a fat file with several architectures (%s): select one (--arch)", names);
    return fm_error_set(error, FRAMEMAP_E_MISMATCH, "this fat file has no %s slice: it contains %s", arch, names);
}

framemap_status fm_image_open(framemap_str bytes, const char *arch, struct fm_arena *arena, struct fm_image *out,
                              framemap_error *error)
{
    struct fm_image_slice slices[FM_LIMIT_SLICES];
    const struct fm_image_slice *chosen;
    uint32_t count = 0;
    framemap_status status = list_slices(bytes, slices, &count, error);

    if (status == FRAMEMAP_OK) status = choose_slice(slices, count, arch, &chosen, error);
    if (status == FRAMEMAP_OK) status = open_slice(chosen, arena, out, error);
    if (status == FRAMEMAP_OK && arch != NULL && !names_arch(arch, out->arch) &&
        !(count > 1 && names_arch(arch, chosen->arch)))
        status = fm_error_set(error, FRAMEMAP_E_MISMATCH, "this file is for %s, not for %s", out->arch, arch);
    return status;
}

framemap_status fm_image_read_debugdata(struct fm_image *image, framemap_error *error)
{
    return image->format == FM_IMAGE_ELF && image->inner != NULL ? fm_elf_read_debugdata(image, error) : FRAMEMAP_OK;
}

bool fm_image_lacks_symbols(const struct fm_image *image)
{
    return image->format == FM_IMAGE_ELF && image->inner != NULL && fm_elf_lacks_symbols(image);
}

framemap_status fm_image_take_symbols(struct fm_image *image, framemap_str bytes, bool *taken, framemap_error *error)
{
    return fm_elf_take_symbols(image, bytes, taken, error);
}

static framemap_status read_elf_symbols(struct fm_image *image, framemap_error *error)
{
    const framemap_status status = fm_image_read_debugdata(image, error);
    return status == FRAMEMAP_OK ? fm_elf_symbols(image, error) : status;
}

framemap_status fm_image_symbols(struct fm_image *image, framemap_error *error)
{
    framemap_status status;

    switch (image->format) {
    case FM_IMAGE_ELF: status = read_elf_symbols(image, error); break;
    case FM_IMAGE_MACHO: status = fm_macho_symbols(image, error); break;
    default: status = fm_wasm_symbols(image, error); break;
    }

    if (status == FRAMEMAP_OK && !fm_symbols_sort(image)) status = fm_error_memory(error);
    return status;
}

framemap_status fm_image_symbols_near(struct fm_image *image, const uint64_t *addresses, size_t count,
                                      framemap_error *error)
{
    const bool elf = image->format == FM_IMAGE_ELF;
    if (image->format == FM_IMAGE_WASM) return fm_image_symbols(image, error);
    framemap_status status = fm_image_read_debugdata(image, error);
    if (status != FRAMEMAP_OK) return status;
    status = elf ? fm_elf_symbols_near(image, addresses, count, error)
                 : fm_macho_symbols_near(image, addresses, count, error);
    return status == FRAMEMAP_OK && !fm_symbols_sort(image) ? fm_error_memory(error) : status;
}

struct fm_function_starts fm_function_starts_of(const struct fm_image *image)
{
    const bool has_list = image->format == FM_IMAGE_MACHO && image->inner != NULL && !image->relocatable;
    const bool is_thumb = strncmp(image->arch, "arm", 3) == 0 && strncmp(image->arch, "arm64", 5) != 0;
    const framemap_str list = has_list ? fm_macho_starts(image) : (framemap_str){NULL, 0};
    return (struct fm_function_starts){.r = fm_byte_reader_of(list, false),
                                       .address = list.size > 0 ? image->base : UINT64_MAX,
                                       .mask = is_thumb ? ~UINT64_C(1) : UINT64_MAX};
}

uint64_t fm_function_starts_after(struct fm_function_starts *starts, uint64_t address)
{
    while ((starts->address & starts->mask) <= address) {
        const uint64_t distance = fm_byte_reader_left(&starts->r) > 0 ? fm_read_uleb(&starts->r) : 0;
        const bool ends = distance == 0 || starts->r.bad || distance > UINT64_MAX - starts->address;
        starts->address = ends ? UINT64_MAX : starts->address + distance;
        if (ends) break;
    }
    return starts->address == UINT64_MAX ? UINT64_MAX : starts->address & starts->mask;
}

void fm_image_code_offsets(const struct fm_image *image, struct fm_buf *out)
{
    if (image->format == FM_IMAGE_ELF) fm_elf_code_offsets(image, out);
}

const framemap_error *fm_image_debugdata_fault(const struct fm_image *image)
{
    const struct fm_elf_debugdata *data = image->inner != NULL ? image->inner->debugdata : NULL;
    return data != NULL && data->fault.code != FRAMEMAP_OK ? &data->fault : NULL;
}

bool fm_image_names_hold(framemap_str bytes, framemap_str word)
{
    struct fm_image_slice slices[FM_LIMIT_SLICES];
    struct fm_arena arena;
    struct fm_heap heap;
    uint32_t count = 0;
    bool found = false;

    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    if (list_slices(bytes, slices, &count, NULL) != FRAMEMAP_OK) count = 0;
    for (uint32_t i = 0; i < count && !found; i++) {
        struct fm_image image;
        if (open_slice(&slices[i], &arena, &image, NULL) != FRAMEMAP_OK) continue;
        if (image.format == FM_IMAGE_ELF) found = fm_elf_names_hold(&image, word);
        if (image.format == FM_IMAGE_MACHO) found = fm_str_find(fm_macho_names(&image), word) != FM_NOT_FOUND;
    }
    fm_arena_free(&arena);
    return found;
}

bool fm_image_has_debug_map(const struct fm_image *image)
{
    return image->format == FM_IMAGE_MACHO && image->inner != NULL && fm_macho_has_debug_map(image);
}
