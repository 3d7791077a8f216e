/* The directory of a zip archive (PKWARE's APPNOTE 6.3, 4.3). Sizes are taken from the central directory, as Android
 * and Java do; a member's own header is only skipped. */
#include "core/archive/archive_zip.h"

#include "core/byte_reader.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"

#define END_SIGNATURE 0x06054b50u
#define END64_SIGNATURE 0x06064b50u
#define END64_PLACE_SIGNATURE 0x07064b50u
#define ROW_SIGNATURE 0x02014b50u
#define FILE_SIGNATURE 0x04034b50u
#define FLAG_ENCRYPTED 1u
#define EXTRA_ZIP64 1u
enum { END_SIZE = 22, END64_PLACE_SIZE = 20, ROW_SIZE = 46, MOST_COMMENT = 0xFFFF };

static framemap_status damaged(framemap_error *error, uint64_t offset)
{
    return fm_error_at(error, FRAMEMAP_E_CORRUPT, offset, "the directory of the zip archive is damaged");
}

/* Reads zip64's end record, whose offset is in zip64's locator. The record has the numbers that do not fit the plain
 * end record. */
static bool read_end64(struct fm_byte_reader *r, uint64_t end_at, uint64_t *count, uint64_t *size, uint64_t *at)
{
    if (end_at < END64_PLACE_SIZE) return true;
    fm_byte_reader_seek(r, end_at - END64_PLACE_SIZE);
    if (fm_read_u32(r) != END64_PLACE_SIGNATURE) return true;
    fm_byte_reader_skip(r, 4); /* the numbers of disks in the end record are skipped */
    fm_byte_reader_seek(r, fm_read_u64(r));
    if (fm_read_u32(r) != END64_SIGNATURE) return false;
    /* the fields of the end record up to the total number of entries are skipped */
    fm_byte_reader_skip(r, 8 + 2 + 2 + 4 + 4 + 8);
    *count = fm_read_u64(r);
    *size = fm_read_u64(r);
    *at = fm_read_u64(r);
    return !r->bad;
}

static framemap_status read_end(framemap_str bytes, uint64_t end_at, struct fm_archive *out, framemap_error *error)
{
    struct fm_byte_reader r = fm_byte_reader_of(bytes, false);
    fm_byte_reader_seek(&r, end_at + 10);
    uint64_t count = fm_read_u16(&r), size = fm_read_u32(&r), at = fm_read_u32(&r);
    if (r.bad || !read_end64(&r, end_at, &count, &size, &at) || !fm_range_fits(at, size, end_at) ||
        count > size / ROW_SIZE)
        return damaged(error, end_at);
    if (count > FM_LIMIT_ARCHIVE_MEMBERS)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "the archive has more than %u files",
                            (unsigned)FM_LIMIT_ARCHIVE_MEMBERS);
    *out = (struct fm_archive){.bytes = bytes, .kind = FM_ARCHIVE_ZIP, .at = at, .end = at + size, .left = count};
    return FRAMEMAP_OK;
}

framemap_status fm_zip_open(framemap_str bytes, struct fm_archive *out, framemap_error *error)
{
    struct fm_byte_reader r = fm_byte_reader_of(bytes, false);
    for (size_t back = END_SIZE; back <= bytes.size && back <= END_SIZE + (size_t)MOST_COMMENT; back++) {
        const size_t at = bytes.size - back;
        if (bytes.data[at] != 'P') continue;
        fm_byte_reader_seek(&r, at);
        if (fm_read_u32(&r) != END_SIGNATURE) continue;
        fm_byte_reader_skip(&r, 16);
        if (fm_read_u16(&r) == back - END_SIZE) return read_end(bytes, at, out, error);
    }
    return fm_error_set(error, FRAMEMAP_E_TRUNCATED, "the zip archive has no directory: it is cut off");
}

/* Reads the sizes and the position in the extra field of zip64, each only if its 32-bit field in the plain record is
 * 0xFFFFFFFF. */
static bool read_extra64(framemap_str extra, uint64_t *size, uint64_t *stored, uint64_t *at)
{
    struct fm_byte_reader r = fm_byte_reader_of(extra, false);
    uint64_t *const wide[] = {size, stored, at};
    while (fm_byte_reader_left(&r) >= 4) {
        const unsigned id = fm_read_u16(&r), length = fm_read_u16(&r);
        struct fm_byte_reader field = fm_byte_reader_sub(&r, r.at, length);
        if (id != EXTRA_ZIP64) {
            fm_byte_reader_skip(&r, length);
            continue;
        }
        for (size_t i = 0; i < 3; i++)
            if (*wide[i] == UINT32_MAX) *wide[i] = fm_read_u64(&field);
        return !field.bad;
    }
    return true;
}

/* Finds the stored bytes of a member, which are after its own header. */
static bool find_stored(const struct fm_archive *archive, uint64_t at, uint64_t size, framemap_str *out)
{
    struct fm_byte_reader r = fm_byte_reader_of(archive->bytes, false);
    fm_byte_reader_seek(&r, at);
    if (fm_read_u32(&r) != FILE_SIGNATURE) return false;
    fm_byte_reader_skip(&r, 22);
    const uint16_t name = fm_read_u16(&r), extra = fm_read_u16(&r);
    fm_byte_reader_skip(&r, (uint64_t)name + extra);
    *out = fm_read_bytes(&r, size);
    return !r.bad;
}

static const char *why_refused(unsigned flags, unsigned method)
{
    if (flags & FLAG_ENCRYPTED) return "it is encrypted";
    return method == 0 || method == 8 || method == 93 || method == 95 ? NULL : "its compression method is not read";
}

framemap_status fm_zip_next(struct fm_archive *archive, struct fm_archive_member *out, framemap_error *error)
{
    const uint64_t row = archive->at;
    struct fm_byte_reader r = fm_byte_reader_of(fm_str_slice(archive->bytes, 0, (size_t)archive->end), false);
    fm_byte_reader_seek(&r, row);
    const bool is_row = fm_read_u32(&r) == ROW_SIGNATURE;
    fm_byte_reader_skip(&r, 4); /* the versions in a directory entry are skipped */
    const unsigned flags = fm_read_u16(&r), method = fm_read_u16(&r);
    fm_byte_reader_skip(&r, 4); /* the time of the member's last change is skipped */
    *out = (struct fm_archive_member){.crc = fm_read_u32(&r), .has_crc = true};
    uint64_t stored = fm_read_u32(&r);
    out->size = fm_read_u32(&r);
    const unsigned name = fm_read_u16(&r), extra = fm_read_u16(&r), comment = fm_read_u16(&r);
    fm_byte_reader_skip(&r, 8); /* the disk number and the attributes of the member are skipped */
    uint64_t at = fm_read_u32(&r);
    out->name = fm_read_bytes(&r, name);
    const framemap_str extra_bytes = fm_read_bytes(&r, extra);
    fm_byte_reader_skip(&r, comment);
    if (!is_row || r.bad || !read_extra64(extra_bytes, &out->size, &stored, &at) ||
        !find_stored(archive, at, stored, &out->stored))
        return damaged(error, row);
    out->refused = why_refused(flags, method);
    out->packing = method == 0 ? FM_MEMBER_STORED : method == 8 ? FM_MEMBER_DEFLATED : FM_MEMBER_STREAM;
    if (method == 0 && out->refused == NULL && out->size != stored)
        /* the sizes differ although the member is not compressed: only encryption explains that, and encrypted members
         * were refused above */
        return damaged(error, row);
    archive->at = r.at;
    return FRAMEMAP_OK;
}
