/* Gets the contents of a section: from the file, decompressed, relocated. */
#include "mappers/native/image/section_contents.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "core/thread_team.h"
#include "mappers/native/image/elf/elf_image.h"
#include "mappers/native/image/image_lookup.h"
#include "mappers/native/image/inflate.h"
#include "mappers/native/image/macho/macho_image.h"

/* Values of ch_type (gABI, "Section Compression": Elf32_Chdr, Elf64_Chdr). Sections in the older GNU form have no
 * ch_type: they start with "ZLIB" and the size, which is big-endian in all files. */
enum { CHDR_ZLIB = 1, CHDR_ZSTD = 2 };

struct compressed_section {
    uint64_t method, size;
    framemap_str stream;
};

static bool read_old_head(framemap_str stored, struct compressed_section *out)
{
    struct fm_byte_reader r = fm_byte_reader_of(stored, true);

    if (!fm_str_equal(fm_read_bytes(&r, 4), FM_STR("ZLIB"))) return false;
    out->method = CHDR_ZLIB;
    out->size = fm_read_u64(&r);
    out->stream = fm_read_bytes(&r, fm_byte_reader_left(&r));
    return !r.bad;
}

static bool read_head(const struct fm_image *image, framemap_str stored, struct compressed_section *out)
{
    struct fm_byte_reader r = fm_byte_reader_of(stored, image->big_endian);

    out->method = fm_read_u32(&r);
    if (image->is64) fm_read_u32(&r); /* ch_reserved is skipped */
    out->size = fm_read_uint(&r, image->is64 ? 8 : 4);
    fm_read_uint(&r, image->is64 ? 8 : 4); /* ch_addralign is skipped */
    out->stream = fm_read_bytes(&r, fm_byte_reader_left(&r));
    return !r.bad;
}

static uint64_t offset_of(const struct fm_image *image, const struct fm_section *section)
{
    if (section->stored.data == NULL || image->inner == NULL) return 0;
    return image->inner->file_offset + (uint64_t)(section->stored.data - image->bytes.data);
}

uint64_t fm_image_stored_at(const struct fm_image *image, uint32_t section)
{
    return section < image->section_count ? offset_of(image, &image->sections[section]) : 0;
}

/* Reads how a section is compressed, and checks the size that it claims. */
static framemap_status read_packed(const struct fm_image *image, const struct fm_section *section,
                                   struct compressed_section *out, framemap_error *error)
{
    const uint64_t at = offset_of(image, section);
    /* SHF_COMPRESSED marks the current form. A .zdebug section that does not start with "ZLIB" can only be empty. */
    const bool old = image->format == FM_IMAGE_MACHO || fm_str_starts(section->stored, FM_STR("ZLIB"));

    *out = (struct compressed_section){0};
    if (!(old ? read_old_head(section->stored, out) : read_head(image, section->stored, out)))
        return fm_error_at(error, FRAMEMAP_E_CORRUPT, at, "a compressed section is too short for its header");
    if (out->method != CHDR_ZLIB && out->method != CHDR_ZSTD) {
        return fm_error_at(error, FRAMEMAP_E_UNSUPPORTED, at, "compressed by method %llu; zlib and zstd can be read",
                           (unsigned long long)out->method);
    }
    if (out->size > FM_LIMIT_INFLATED || out->size > SIZE_MAX / 2) {
        return fm_error_at(error, FRAMEMAP_E_LIMIT, at, "claims to inflate from %zu to %llu bytes: the file is damaged",
                           out->stream.size, (unsigned long long)out->size);
    }
    return FRAMEMAP_OK;
}

/* Adds the size of a decompression to the total, and checks the limit. */
static framemap_status count_inflated(const struct fm_image *image, const struct compressed_section *packed,
                                      uint64_t at, framemap_error *error)
{
    const uint64_t most = fm_limit_inflated(image->bytes.size);
    const uint64_t before = image->inner != NULL ? image->inner->inflated_bytes : 0;
    if (before > most || packed->size > most - before) {
        return fm_error_at(error, FRAMEMAP_E_LIMIT, at,
                           "inflates from %zu to %llu bytes, so the file would exceed both %llu times its size and "
                           "64 MB, which is implausible for debug info",
                           packed->stream.size, (unsigned long long)packed->size,
                           (unsigned long long)FM_LIMIT_INFLATE_RATIO);
    }
    if (image->inner != NULL) image->inner->inflated_bytes = before + packed->size;
    return FRAMEMAP_OK;
}

static enum fm_compression compression_of(const struct compressed_section *packed)
{
    return packed->method == CHDR_ZLIB ? FM_COMPRESSION_ZLIB : FM_COMPRESSION_ZSTD;
}

static framemap_status inflate_section(const struct fm_image *image, const struct fm_section *section,
                                       unsigned char **out, size_t *size, framemap_error *error)
{
    struct compressed_section packed;
    framemap_status status = read_packed(image, section, &packed, error);

    if (status != FRAMEMAP_OK) return status;
    status = count_inflated(image, &packed, offset_of(image, section), error);
    if (status == FRAMEMAP_OK)
        status = fm_inflate(compression_of(&packed), packed.stream, packed.size, image->arena, out, error);
    if (status == FRAMEMAP_OK)
        *size = (size_t)packed.size;
    else if (error != NULL && !error->has_offset && status != FRAMEMAP_E_MEMORY) {
        error->has_offset = true;
        error->offset = offset_of(image, section);
    }
    return status;
}

/* --- decompressing with several threads --- */

/* Least number of decompressed bytes for which a section gets a thread of its own. */
#define AHEAD_LEAST ((uint64_t)64 << 10)
#define AHEAD_MOST 16u /* most sections that are decompressed at the same time */

struct ahead {
    struct {
        struct compressed_section packed;
        uint32_t section;
        unsigned char *to;
        bool done;
    } items[AHEAD_MOST];
    size_t count;
};

static bool inflate_item(void *context, unsigned worker, size_t item)
{
    struct ahead *ahead = context;
    const struct compressed_section *packed = &ahead->items[item].packed;

    (void)worker;
    ahead->items[item].done = fm_inflate_into(compression_of(packed), packed->stream, ahead->items[item].to,
                                              (size_t)packed->size, NULL) == FRAMEMAP_OK;
    return true;
}

static bool has_relocations(const struct fm_image *image, uint32_t section);

static void list_ahead(const struct fm_image *image, framemap_str name, struct ahead *ahead)
{
    const uint32_t section = fm_image_section(image, name);
    struct compressed_section packed;

    if (section == UINT32_MAX || ahead->count == AHEAD_MOST || has_relocations(image, section)) return;
    const struct fm_section *from = &image->sections[section];
    if (from->damaged || (from->flags & FM_SECTION_COMPRESSED) == 0 || from->stored.size == 0) return;
    if (read_packed(image, from, &packed, NULL) != FRAMEMAP_OK || packed.size < AHEAD_LEAST) return;
    if (count_inflated(image, &packed, 0, NULL) != FRAMEMAP_OK) return;
    unsigned char *to = fm_arena_alloc(image->arena, (size_t)packed.size);
    if (to == NULL) {
        image->inner->inflated_bytes -= packed.size;
        return;
    }
    ahead->items[ahead->count].packed = packed;
    ahead->items[ahead->count].section = section;
    ahead->items[ahead->count++].to = to;
}

void fm_image_inflate_ahead(struct fm_image *image, const framemap_str *names, size_t count, unsigned threads)
{
    struct ahead ahead = {0};

    if (threads < 2 || image->inner == NULL) return;
    for (size_t i = 0; i < count; i++) list_ahead(image, names[i], &ahead);
    framemap_str *inflated = ahead.count > 0 ? FM_ARENA_ARRAY(image->arena, framemap_str, image->section_count) : NULL;
    if (inflated == NULL) return;
    /* as much memory is reserved as one thread per section takes, since no more threads run */
    const uint64_t reserved = ahead.count * FM_INFLATE_BYTES;
    if (fm_heap_reserve(image->arena->heap, reserved)) {
        fm_thread_team_run(threads, ahead.count, inflate_item, &ahead);
        fm_heap_unreserve(image->arena->heap, reserved);
    }
    for (size_t i = 0; i < ahead.count; i++) {
        if (ahead.items[i].done)
            inflated[ahead.items[i].section] = fm_str(ahead.items[i].to, (size_t)ahead.items[i].packed.size);
        else
            image->inner->inflated_bytes -=
                /* if a section could not be decompressed, it stays absent here; fm_image_contents tries again and
                 * reports the error */
                ahead.items[i].packed.size;
    }
    image->inner->inflated = inflated;
}

static bool has_relocations(const struct fm_image *image, uint32_t section)
{
    if (!image->relocatable || image->inner == NULL) return false;
    return image->format == FM_IMAGE_ELF ? fm_elf_has_relocations(image, section)
                                         : fm_macho_has_relocations(image, section);
}

framemap_status fm_image_contents(const struct fm_image *image, uint32_t section, framemap_str *out,
                                  framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    unsigned char *own = NULL;
    size_t size;

    if (section >= image->section_count)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "there is no section %u", (unsigned)section);
    const struct fm_section *from = &image->sections[section];
    size = from->stored.size;
    if (image->inner != NULL && image->inner->inflated != NULL && image->inner->inflated[section].data != NULL) {
        *out = image->inner->inflated[section];
        return FRAMEMAP_OK;
    }
    if (from->damaged && !(from->flags & FM_SECTION_NOBITS)) {
        status = fm_error_set(error, FRAMEMAP_E_TRUNCATED,
                              "section %u is past the end of the file: it is cut short, fetch it again",
                              (unsigned)from->number);
    } else if ((from->flags & FM_SECTION_COMPRESSED) && size > 0) {
        status = inflate_section(image, from, &own, &size, error);
    }
    if (status == FRAMEMAP_OK && has_relocations(image, section)) {
        if (own == NULL && size > 0) {
            own = fm_arena_alloc(image->arena, size);
            if (own == NULL) return fm_error_memory(error);
            memcpy(own, from->stored.data, size);
        }
        if (image->format == FM_IMAGE_ELF)
            fm_elf_relocate(image, section, own, size);
        else
            fm_macho_relocate(image, section, own, size);
    }
    if (status != FRAMEMAP_OK) {
        fm_error_where(error, from->name);
        return status;
    }
    *out = own != NULL ? fm_str(own, size) : from->stored;
    return FRAMEMAP_OK;
}

uint64_t fm_image_inflated_bytes(const struct fm_image *image)
{
    return image->inner != NULL ? image->inner->inflated_bytes : 0;
}
