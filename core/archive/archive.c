/* The code that all kinds of archives share: recognizing an archive, walking over its members, and decompressing a
 * member. */
#include "core/archive/archive.h"

#include "core/archive/archive_ar.h"
#include "core/archive/archive_script.h"
#include "core/archive/archive_zip.h"
#include "core/archive/inflate_input.h"
#include "core/archive/kernel_image.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/text/buffer.h"

static framemap_status open_kernel(framemap_str bytes, struct fm_archive *out, framemap_error *error)
{
    struct fm_archive archive = {.kind = FM_ARCHIVE_STREAM, .left = 1};
    if (!fm_kernel_payload(bytes, &archive.bytes, &archive.refused))
        return fm_error_set(error, FRAMEMAP_E_TRUNCATED, "the kernel in this image is cut off");
    *out = archive;
    return FRAMEMAP_OK;
}

/* Whether the archive is a klib: a Kotlin library, whose files are all in the folder "default" and include the table of
 * the module's declarations. */
static bool is_klib(framemap_str bytes)
{
    enum { NAME_AT = 30 }; /* offset of the name in the local header of the first member */
    struct fm_archive zip;
    struct fm_archive_member member;
    if (!fm_str_starts(fm_str_from(bytes, NAME_AT), FM_STR("default/")) || fm_zip_open(bytes, &zip, NULL)) return false;
    for (; zip.left > 0; zip.left--) {
        if (fm_zip_next(&zip, &member, NULL) != FRAMEMAP_OK) return false;
        if (fm_str_equal(member.name, FM_STR("default/linkdata/module"))) return true;
    }
    return false;
}

const char *fm_archive_foreign(framemap_str bytes)
{
    if (fm_str_starts(bytes, FM_STR("!<arch>\ndebian-binary")))
        return "a Debian package: unpack it (dpkg-deb -x) and give the files inside";
    if (fm_str_starts(bytes, FM_STR("PK\3\4")) && is_klib(bytes))
        return "a library of Kotlin (klib), which has no machine code yet: give the program or framework that was "
               "linked with it, or its dSYM";
    return NULL;
}

framemap_status fm_archive_open(framemap_str bytes, struct fm_archive *out, framemap_error *error)
{
    static const struct {
        framemap_str magic;
        enum fm_archive_kind kind;
    } kinds[] = {
        {FM_STR_INIT("PK\3\4"), FM_ARCHIVE_ZIP},
        {FM_STR_INIT("PK\5\6"), FM_ARCHIVE_ZIP},
        {FM_STR_INIT("SYSB\2\0\0\0PK"), FM_ARCHIVE_ZIP}, /* a source bundle of Sentry; offsets count from "SYSB" */
        {FM_STR_INIT("!<arch>\n"), FM_ARCHIVE_AR},
        {FM_STR_INIT("!<thin>\n"), FM_ARCHIVE_THIN_AR}};
    const char *foreign = fm_archive_foreign(bytes);
    if (foreign != NULL) return fm_error_set(error, FRAMEMAP_E_FORMAT, "this is %s", foreign);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!fm_str_starts(bytes, kinds[i].magic)) continue;
        if (kinds[i].kind == FM_ARCHIVE_ZIP) return fm_zip_open(bytes, out, error);
        *out = (struct fm_archive){
            .bytes = bytes, .kind = kinds[i].kind, .at = kinds[i].magic.size, .left = FM_LIMIT_ARCHIVE_MEMBERS};
        return FRAMEMAP_OK;
    }
    if (fm_is_kernel_image(bytes)) return open_kernel(bytes, out, error);
    if (!fm_is_compressed(bytes))
        return fm_error_set(error, FRAMEMAP_E_FORMAT, "this is neither an archive nor a compressed file");
    *out = (struct fm_archive){.bytes = bytes, .kind = FM_ARCHIVE_STREAM, .left = 1};
    return FRAMEMAP_OK;
}

void fm_archive_open_script(framemap_str bytes, struct fm_archive *out)
{
    *out = (struct fm_archive){.bytes = bytes, .kind = FM_ARCHIVE_SCRIPT, .left = FM_LIMIT_ARCHIVE_MEMBERS};
}

static framemap_status next_of_kind(struct fm_archive *archive, struct fm_archive_member *out, bool *more,
                                    framemap_error *error)
{
    *more = archive->left > 0;
    if (archive->kind == FM_ARCHIVE_ZIP) return *more ? fm_zip_next(archive, out, error) : FRAMEMAP_OK;
    if (archive->kind == FM_ARCHIVE_SCRIPT) {
        fm_script_next(archive, out, more);
        return FRAMEMAP_OK;
    }
    if (archive->kind != FM_ARCHIVE_STREAM) return fm_ar_next(archive, out, more, error);
    *out = (struct fm_archive_member){
        .stored = archive->bytes, .size = UINT64_MAX, .packing = FM_MEMBER_STREAM, .refused = archive->refused};
    return FRAMEMAP_OK;
}

framemap_status fm_archive_next(struct fm_archive *archive, struct fm_archive_member *out, bool *more,
                                framemap_error *error)
{
    framemap_status status = next_of_kind(archive, out, more, error);
    if (status != FRAMEMAP_OK || !*more) return status;
    if (archive->left-- == 0)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "the archive has more than %u files",
                            (unsigned)FM_LIMIT_ARCHIVE_MEMBERS);
    /* the sum cannot overflow: it is at most the limit of members times the size of the archive */
    archive->stored_total += out->stored.size;
    if (archive->stored_total > archive->bytes.size)
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the files in the archive overlap");
    return FRAMEMAP_OK;
}

framemap_status fm_archive_find(framemap_str bytes, framemap_str name, struct fm_archive_member *out, bool *found,
                                framemap_error *error)
{
    struct fm_archive archive;
    framemap_status status = fm_archive_open(bytes, &archive, error);
    *found = false;
    while (status == FRAMEMAP_OK) {
        bool more;
        status = fm_archive_next(&archive, out, &more, error);
        if (status != FRAMEMAP_OK || !more) break;
        *found = fm_str_equal(out->name, name);
        if (*found) break;
    }
    return status;
}

/* --- decompressing members --- */

/* Context of a callback that receives inflated bytes. The callback ends the inflation after `most` bytes: with an
 * error, unless only the head of the data is wanted. */
struct taking {
    struct fm_buf *out;
    char *room; /* for take_head: the buffer for the bytes, which is used instead of `out` */
    size_t room_size, got;
    uint64_t most;
    bool has_enough;
};

static framemap_status take_all(void *context, framemap_str text, framemap_error *error)
{
    struct taking *taking = context;
    if (text.size > taking->most - taking->out->size)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "it inflates to more than %llu bytes",
                            (unsigned long long)taking->most);
    return fm_buf_str(taking->out, text) ? FRAMEMAP_OK : fm_error_memory(error);
}

static framemap_status take_head(void *context, framemap_str text, framemap_error *error)
{
    struct taking *taking = context;
    (void)error;
    const size_t left = taking->room_size - taking->got, size = text.size < left ? text.size : left;
    if (size > 0) memcpy(taking->room + taking->got, text.data, size);
    taking->got += size;
    taking->has_enough = taking->got == taking->room_size;
    /* The status LIMIT only makes the inflater stop here; fm_member_head does not report it as an error. */
    return taking->has_enough ? FRAMEMAP_E_LIMIT : FRAMEMAP_OK;
}

static framemap_status inflate_member(const struct fm_archive_member *member, struct fm_heap *heap, fm_inflated *take,
                                      struct taking *taking, framemap_error *error)
{
    struct fm_inflater *inflater = NULL;
    framemap_status status = member->packing == FM_MEMBER_DEFLATED
                                 ? fm_inflater_open_raw(heap, &inflater, error)
                                 : fm_inflater_open(member->stored, heap, &inflater, error);
    if (status == FRAMEMAP_OK) status = fm_inflater_feed(inflater, member->stored, take, taking, error);
    if (status == FRAMEMAP_OK && fm_inflater_end(inflater, NULL) != FRAMEMAP_OK)
        status = fm_error_set(error, FRAMEMAP_E_TRUNCATED, "its compressed data ends too early");
    fm_inflater_free(inflater);
    return status;
}

static framemap_status refuse_member(const struct fm_archive_member *member, framemap_error *error)
{
    return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED, "this file is not read: %s", member->refused);
}

framemap_status fm_member_head(const struct fm_archive_member *member, struct fm_heap *heap, char *room, size_t size,
                               size_t *got, framemap_error *error)
{
    struct taking taking = {.room = room, .room_size = size};
    *got = 0;
    if (member->refused != NULL) return refuse_member(member, error);
    if (member->packing == FM_MEMBER_STORED) {
        taking.got = size < member->stored.size ? size : member->stored.size;
        if (taking.got > 0) memcpy(room, member->stored.data, taking.got);
    } else {
        const framemap_status status = inflate_member(member, heap, take_head, &taking, error);
        if (status != FRAMEMAP_OK && !taking.has_enough) return status;
    }
    *got = taking.got;
    return FRAMEMAP_OK;
}

static framemap_status check_member(const struct fm_archive_member *member, framemap_str bytes, framemap_error *error)
{
    if (member->size != UINT64_MAX && member->size != bytes.size)
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "it has %llu bytes and not the %llu that the archive states",
                            (unsigned long long)bytes.size, (unsigned long long)member->size);
    if (member->has_crc && fm_crc32(bytes) != member->crc)
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "it does not have the checksum that the archive states");
    return FRAMEMAP_OK;
}

/* Moves a buffer's bytes to a block of exactly their size, because the caller passes that size to fm_heap_free. */
static framemap_status fit_block(struct fm_buf *buf, framemap_str *out, framemap_error *error)
{
    char *block = buf->data;
    *out = (framemap_str){"", 0};
    if (buf->size == 0) return FRAMEMAP_OK;
    if (buf->capacity > buf->size) block = fm_heap_resize(buf->heap, buf->data, buf->capacity, buf->size);
    if (block == NULL) return fm_error_memory(error);
    *out = fm_str(block, buf->size);
    fm_buf_init(buf, buf->heap);
    return FRAMEMAP_OK;
}

/* Reserves the size that the archive states, if it states one, so that the buffer does not grow step by step. */
static framemap_status reserve_stated(const struct fm_archive_member *member, struct fm_buf *buf, framemap_error *error)
{
    if (member->size == UINT64_MAX || member->size == 0) return FRAMEMAP_OK;
    if (member->size > SIZE_MAX / 2) return fm_error_memory(error);
    buf->data = fm_heap_resize(buf->heap, NULL, 0, (size_t)member->size);
    if (buf->data == NULL) return fm_error_memory(error);
    buf->capacity = (size_t)member->size;
    return FRAMEMAP_OK;
}

framemap_status fm_member_inflate(const struct fm_archive_member *member, struct fm_heap *heap, uint64_t most,
                                  framemap_str *out, framemap_error *error)
{
    struct fm_buf buf;
    struct taking taking = {.out = &buf, .most = most};
    if (member->refused != NULL) return refuse_member(member, error);
    if (member->size != UINT64_MAX && member->size > most)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "it inflates to %llu bytes, more than the %llu that are allowed",
                            (unsigned long long)member->size, (unsigned long long)most);
    if (member->packing == FM_MEMBER_STORED) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "it is not compressed");
    fm_buf_init(&buf, heap);
    framemap_status status = reserve_stated(member, &buf, error);
    if (status == FRAMEMAP_OK) status = inflate_member(member, heap, take_all, &taking, error);
    if (status == FRAMEMAP_OK) status = check_member(member, fm_buf_view(&buf), error);
    if (status == FRAMEMAP_OK) status = fit_block(&buf, out, error);
    fm_buf_free(&buf);
    return status;
}
