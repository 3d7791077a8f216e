/* Contents of a section as its reader wants them: out of the file, inflated, relocated. */
#include "mappers/image/image_inner.h"

#include "core/fault.h"
#include "core/limits.h"
#include "core/text.h"

/* ELF gABI, "Section Compression": Elf32_Chdr and Elf64_Chdr. GNU's older form: "ZLIB", then the size, big-endian, in every file. */
enum { CHDR_ZLIB = 1, CHDR_ZSTD = 2 };

struct packed {
    uint64_t method, size;
    framemap_str stream;
};

static bool read_old_head(framemap_str stored, struct packed *out)
{
    struct fm_reader r = fm_reader_of(stored, true);

    if (!fm_str_equal(fm_read_bytes(&r, 4), FM_STR("ZLIB"))) return false;
    out->method = CHDR_ZLIB;
    out->size = fm_read_u64(&r);
    out->stream = fm_read_bytes(&r, fm_reader_left(&r));
    return !r.bad;
}

static bool read_head(const struct fm_image *image, framemap_str stored, struct packed *out)
{
    struct fm_reader r = fm_reader_of(stored, image->big_endian);

    out->method = fm_read_u32(&r);
    if (image->is64) fm_read_u32(&r); /* ch_reserved */
    out->size = fm_read_uint(&r, image->is64 ? 8 : 4);
    fm_read_uint(&r, image->is64 ? 8 : 4); /* ch_addralign */
    out->stream = fm_read_bytes(&r, fm_reader_left(&r));
    return !r.bad;
}

static uint64_t offset_of(const struct fm_image *image, const struct fm_section *section)
{
    if (section->stored.data == NULL || image->inner == NULL) return 0;
    return image->inner->file_offset + (uint64_t)(section->stored.data - image->bytes.data);
}

static framemap_status inflate_section(const struct fm_image *image, const struct fm_section *section, unsigned char **out, size_t *size,
                                       framemap_error *error)
{
    const uint64_t at = offset_of(image, section);
    struct packed packed = {0};
    /* The flag says which form it is; a .zdebug name without the old mark is a plain copy of an empty section at most. */
    const bool old = image->format == FM_IMAGE_MACHO || fm_str_starts(section->stored, FM_STR("ZLIB"));

    if (!(old ? read_old_head(section->stored, &packed) : read_head(image, section->stored, &packed)))
        return fm_fault_at(error, FRAMEMAP_E_CORRUPT, at, "a compressed section is too short to say how it is compressed");
    if (packed.method != CHDR_ZLIB && packed.method != CHDR_ZSTD) {
        return fm_fault_at(error, FRAMEMAP_E_UNSUPPORTED, at, "compressed by method %llu; zlib and zstd can be read",
                           (unsigned long long)packed.method);
    }
    if (packed.size > FM_LIMIT_INFLATED || packed.size / FM_LIMIT_INFLATE_RATIO > packed.stream.size || packed.size > SIZE_MAX / 2) {
        return fm_fault_at(error, FRAMEMAP_E_LIMIT, at,
                           "claims to inflate from %zu to %llu bytes, which no compressor does: the file is damaged", packed.stream.size,
                           (unsigned long long)packed.size);
    }
    framemap_status status = fm_inflate(packed.method == CHDR_ZLIB ? FM_COMPRESSION_ZLIB : FM_COMPRESSION_ZSTD, packed.stream, packed.size,
                                        image->arena, out, error);
    if (status == FRAMEMAP_OK)
        *size = (size_t)packed.size;
    else if (error != NULL && !error->has_offset && status != FRAMEMAP_E_MEMORY) {
        error->has_offset = true;
        error->offset = at;
    }
    return status;
}

static bool has_relocations(const struct fm_image *image, uint32_t section)
{
    if (!image->relocatable || image->inner == NULL) return false;
    return image->format == FM_IMAGE_ELF ? fm_elf_has_relocations(image, section) : fm_macho_has_relocations(image, section);
}

framemap_status fm_image_contents(const struct fm_image *image, uint32_t section, framemap_str *out, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    unsigned char *own = NULL;
    size_t size;

    if (section >= image->section_count) return fm_fault(error, FRAMEMAP_E_ARGUMENT, "there is no section %u", (unsigned)section);
    const struct fm_section *from = &image->sections[section];
    size = from->stored.size;
    if (from->damaged && !(from->flags & FM_SECTION_NOBITS)) {
        status = fm_fault(error, FRAMEMAP_E_TRUNCATED, "section %u lies past the end of the file: it is cut short, fetch it again",
                          (unsigned)from->number);
    } else if ((from->flags & FM_SECTION_COMPRESSED) && size > 0) {
        status = inflate_section(image, from, &own, &size, error);
    }
    if (status == FRAMEMAP_OK && has_relocations(image, section)) {
        if (own == NULL && size > 0) {
            own = fm_arena_alloc(image->arena, size);
            if (own == NULL) return fm_fault_memory(error);
            memcpy(own, from->stored.data, size);
        }
        if (image->format == FM_IMAGE_ELF)
            fm_elf_relocate(image, section, own, size);
        else
            fm_macho_relocate(image, section, own, size);
    }
    if (status != FRAMEMAP_OK) {
        fm_fault_where(error, from->name);
        return status;
    }
    *out = own != NULL ? fm_str(own, size) : from->stored;
    return FRAMEMAP_OK;
}
