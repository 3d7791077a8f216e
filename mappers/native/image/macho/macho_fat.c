/* Reads fat files: a big-endian table of slices, each a complete Mach-O file (mach-o/fat.h). */
#include "mappers/native/image/macho/macho_image.h"

#include "core/checked.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"

#define FAT_MAGIC 0xcafebabeu
#define FAT_MAGIC_64 0xcafebabfu

/* Whether the bytes that would be the number of slices are really the version of a Java class file. Such files have the
 * same magic, and a version of 45 or more in the lower half of these bytes. */
static bool is_java_version(uint32_t count) { return (count & 0xffff) >= 45 && (count & 0xffff) < 256; }

bool fm_macho_is_fat(framemap_str bytes)
{
    struct fm_byte_reader r = fm_byte_reader_of(bytes, true);
    const uint32_t magic = fm_read_u32(&r), count = fm_read_u32(&r);

    if (r.bad) return false;
    return magic == FAT_MAGIC_64 || (magic == FAT_MAGIC && !is_java_version(count));
}

static framemap_status check_slice(framemap_str bytes, uint64_t table_end, const struct fm_image_slice *slices,
                                   uint32_t number, uint64_t size, framemap_error *error)
{
    const struct fm_image_slice *slice = &slices[number];

    if (!fm_range_fits(slice->offset, size, bytes.size)) {
        return fm_error_at(error, FRAMEMAP_E_TRUNCATED, slice->offset,
                           "the %s slice of this fat file is past its end: it is cut short, fetch it again",
                           slice->arch);
    }
    if (slice->offset < table_end) {
        return fm_error_at(error, FRAMEMAP_E_CORRUPT, slice->offset,
                           "the %s slice of this fat file overlaps the table of slices", slice->arch);
    }
    for (uint32_t i = 0; i < number; i++) {
        const struct fm_image_slice *other = &slices[i];
        if (slice->offset < other->offset + other->bytes.size && other->offset < slice->offset + size) {
            return fm_error_at(error, FRAMEMAP_E_CORRUPT, slice->offset,
                               "the %s and %s slices of this fat file overlap", other->arch, slice->arch);
        }
    }
    return FRAMEMAP_OK;
}

framemap_status fm_macho_slices(framemap_str bytes, struct fm_image_slice *slices, uint32_t *count,
                                framemap_error *error)
{
    struct fm_byte_reader r = fm_byte_reader_of(bytes, true);
    const bool is64 = fm_read_u32(&r) == FAT_MAGIC_64;
    const uint32_t wanted = fm_read_u32(&r);
    const uint64_t table_end = 8 + (uint64_t)wanted * (is64 ? 32 : 20);

    if (wanted == 0) return fm_error_at(error, FRAMEMAP_E_CORRUPT, 4, "a fat file without slices");
    if (wanted > FM_LIMIT_SLICES)
        return fm_error_at(error, FRAMEMAP_E_LIMIT, 4, "a fat file with more than %u slices",
                           (unsigned)FM_LIMIT_SLICES);
    if (table_end > bytes.size)
        return fm_error_set(error, FRAMEMAP_E_TRUNCATED,
                            "this fat file ends inside its table of slices: fetch it again");
    for (uint32_t i = 0; i < wanted; i++) {
        const uint32_t cputype = fm_read_u32(&r), cpusubtype = fm_read_u32(&r);
        const uint64_t offset = fm_read_uint(&r, is64 ? 8 : 4), size = fm_read_uint(&r, is64 ? 8 : 4);
        /* the field `align` is skipped, and in the 64-bit form also `reserved` */
        fm_byte_reader_skip(&r, is64 ? 8 : 4);
        slices[i] = (struct fm_image_slice){.offset = offset};
        fm_macho_arch(cputype, cpusubtype, slices[i].arch);
        framemap_status status = check_slice(bytes, table_end, slices, i, size, error);
        if (status != FRAMEMAP_OK) return status;
        slices[i].bytes = fm_str(bytes.data + offset, (size_t)size);
    }
    *count = wanted;
    return FRAMEMAP_OK;
}
