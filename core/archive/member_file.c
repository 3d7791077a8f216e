/* Implements member_file.h: opens the file that the path begins with, then the member that each name after a '!'
 * selects. A stored (uncompressed) member is a slice of the archive's bytes; other members are decompressed. If the
 * path goes on, the member must be an archive, too. */
#include "core/archive/member_file.h"

#include "core/archive/archive.h"
#include "core/archive/archive_script.h"
#include "core/archive/inflate_input.h"
#include "core/archive/kernel_image.h"
#include "core/error.h"
#include "core/hash/hash.h"
#include "core/limits.h"
#include "core/text/scan.h"
#include "core/text/text.h"
#include <sys/stat.h>

enum {
    PATH_ROOM = 4096, /* PATH_MAX of Linux */
    HEAD_ROOM = 4096  /* bytes at the start by which compressed data is recognized */
};

static bool cut_path(const char *path, size_t size, char room[PATH_ROOM])
{
    if (size == 0 || size >= PATH_ROOM) return false;
    memcpy(room, path, size);
    room[size] = '\0';
    return true;
}

size_t fm_archive_path_size(const char *path)
{
    char archive[PATH_ROOM];
    struct stat about;
    if (strchr(path, '!') == NULL || stat(path, &about) == 0) return 0;
    for (const char *mark = strchr(path, '!'); mark != NULL; mark = strchr(mark + 1, '!')) {
        const size_t size = (size_t)(mark - path);
        if (cut_path(path, size, archive) && stat(archive, &about) == 0 && S_ISREG(about.st_mode)) return size;
    }
    return 0;
}

bool fm_member_stamp_of(const char *path, struct fm_stamp *out)
{
    char archive[PATH_ROOM];
    if (fm_stamp_of(path, out)) return true;
    const size_t size = fm_archive_path_size(path);
    if (size == 0 || !cut_path(path, size, archive) || !fm_stamp_of(archive, out)) return false;
    out->inode ^= fm_hash64(path + size, strlen(path + size), 0);
    return true;
}

/* State while a path is opened: the file that was opened last. Each step replaces it by the file inside of it that the
 * next name in the path selects. */
struct opening {
    struct fm_mapfile *file;
    struct fm_heap *heap;
    uint64_t left; /* bytes that may still be decompressed */
};

static framemap_status put_member(struct opening *opening, const struct fm_archive_member *member,
                                  framemap_error *error)
{
    framemap_str bytes;
    if (member->packing == FM_MEMBER_STORED && member->refused == NULL) {
        fm_mapfile_narrow(opening->file, member->stored);
        return FRAMEMAP_OK;
    }
    const framemap_status status = fm_member_inflate(member, opening->heap, opening->left, &bytes, error);
    if (status != FRAMEMAP_OK) return status;
    opening->left -= bytes.size;
    fm_mapfile_replace(opening->file, opening->heap, bytes);
    return FRAMEMAP_OK;
}

/* Whether a compressed file has JSON in it, as far as its first bytes show. */
static bool has_json(framemap_str head)
{
    static const char marks[] = "\xef\xbb\xbf \t\r\n"; /* bytes that may precede JSON: a byte order mark and blanks */
    size_t at = 0;
    while (at < head.size && memchr(marks, head.data[at], sizeof marks - 1) != NULL) at++;
    /* JSON may start with ")]}'", which keeps it from being run as a script. */
    return at < head.size && (head.data[at] == '{' || head.data[at] == ')');
}

static framemap_status unpack_stream(const char *path, struct opening *opening, fm_member_wanted *wanted,
                                     framemap_error *error)
{
    struct fm_archive archive;
    struct fm_archive_member member;
    char room[HEAD_ROOM];
    size_t size = 0;
    bool more;
    framemap_status status = fm_archive_open(opening->file->bytes, &archive, error);
    if (status == FRAMEMAP_OK) status = fm_archive_next(&archive, &member, &more, error);
    if (status != FRAMEMAP_OK) return status;
    const bool has_head = fm_member_head(&member, opening->heap, room, sizeof room, &size, NULL) == FRAMEMAP_OK;
    const framemap_str head = fm_str(room, size);
    if (has_head && has_json(head)) return FRAMEMAP_OK;
    if (wanted != NULL && !(has_head && wanted(head, fm_str_basename(framemap_str_of(path)))))
        return fm_error_set(error, FRAMEMAP_E_FORMAT, "there is no symbol file in this compressed file");
    return put_member(opening, &member, error);
}

/* Whether `name` is the member's name, or starts with that name and a '!' follows. *at: offset of the '!', or the size
 * of `name` if there is none. A slash at the start of the member's name is ignored: some archives have such names, and
 * loaders write the slash into paths. */
static bool is_named(framemap_str member, framemap_str name, size_t *at)
{
    if (fm_str_starts(member, FM_STR("/"))) member = fm_str_from(member, 1);
    *at = member.size;
    return fm_str_starts(name, member) && (member.size == name.size || name.data[member.size] == '!');
}

/* Opens a script as an archive if `name` is the name of a source map in it. If the name starts with an offset
 * ("@1234!"), the search for maps starts at this offset of the script, and the offset is removed from the name. */
static bool open_script(framemap_str bytes, framemap_str *name, struct fm_archive *out)
{
    struct fm_scan s = fm_scan_of(*name);
    uint64_t at = 0;
    if (fm_scan_byte(&s, '@') && (!fm_scan_dec(&s, &at, NULL) || !fm_scan_byte(&s, '!'))) return false;
    if (!fm_str_starts(fm_scan_rest(&s), FM_STR(FM_SCRIPT_MODULE))) return false;
    *name = fm_scan_rest(&s);
    fm_archive_open_script(bytes, out);
    if (at < bytes.size) out->at = at;
    return true;
}

/* Finds the member whose name is all of `name`. If there is none, finds a member whose name is the part of `name`
 * before some '!'; of several such members, the one with the shortest name. *rest: what follows that '!'. Walks over
 * the archive only once, because the input chooses how many '!' the name has. */
static framemap_status find_first(framemap_str bytes, framemap_str name, struct fm_archive_member *out,
                                  framemap_str *rest, framemap_error *error)
{
    struct fm_archive archive;
    struct fm_archive_member member;
    size_t best = FM_NOT_FOUND, at;
    bool more = true;
    framemap_status status = fm_archive_open(bytes, &archive, error);
    if (status == FRAMEMAP_E_FORMAT && open_script(bytes, &name, &archive)) status = FRAMEMAP_OK;
    while (status == FRAMEMAP_OK && best != name.size) {
        status = fm_archive_next(&archive, &member, &more, error);
        if (status != FRAMEMAP_OK || !more) break;
        if (!is_named(member.name, name, &at) || (at != name.size && at >= best)) continue;
        best = at;
        *out = member;
    }
    if (status == FRAMEMAP_OK && best == FM_NOT_FOUND)
        status = fm_error_set(error, FRAMEMAP_E_IO, "there is no such file in the archive");
    *rest = status == FRAMEMAP_OK && best < name.size ? fm_str_from(name, best + 1) : (framemap_str){NULL, 0};
    return status;
}

/* Replaces the opened file by the file in it that has this name, which may lead into archives inside of archives. */
static framemap_status put_named(struct opening *opening, framemap_str name, framemap_error *error)
{
    for (unsigned depth = 0; name.size > 0 || depth == 0; depth++) {
        struct fm_archive_member member;
        framemap_str rest;
        if (depth == FM_LIMIT_ARCHIVE_DEPTH)
            return fm_error_set(error, FRAMEMAP_E_LIMIT, "archives in archives are opened to a depth of %u",
                                (unsigned)FM_LIMIT_ARCHIVE_DEPTH);
        if (fm_str_starts(name, FM_STR("/"))) name = fm_str_from(name, 1);
        framemap_status status = find_first(opening->file->bytes, name, &member, &rest, error);
        if (status == FRAMEMAP_OK) status = put_member(opening, &member, error);
        if (status != FRAMEMAP_OK) return status;
        name = rest;
    }
    return FRAMEMAP_OK;
}

static bool is_packed(framemap_str bytes) { return fm_is_compressed(bytes) || fm_is_kernel_image(bytes); }

static bool leads_out(framemap_str name)
{
    if (name.size == 0 || name.data[0] == '/') return true;
    for (framemap_str rest = name; rest.size > 0;) {
        const size_t end = fm_str_find_byte(rest, '/');
        if (fm_str_equal(fm_str_slice(rest, 0, end == FM_NOT_FOUND ? rest.size : end), FM_STR(".."))) return true;
        rest = end == FM_NOT_FOUND ? (framemap_str){NULL, 0} : fm_str_from(rest, end + 1);
    }
    return false;
}

/* Opens a member of a thin archive, which is a separate file. The file must be below the archive's folder; users have
 * to name others themselves. */
static framemap_status open_thin(framemap_str archive_path, framemap_str name, struct fm_mapfile *file,
                                 framemap_error *error)
{
    const size_t folder = archive_path.size - fm_str_basename(archive_path).size;
    struct fm_archive_member member;
    char path[PATH_ROOM];
    bool found;
    framemap_status status = fm_archive_find(file->bytes, name, &member, &found, error);
    if (status != FRAMEMAP_OK) return status;
    if (!found) return fm_error_set(error, FRAMEMAP_E_IO, "there is no such file in the archive");
    if (leads_out(name) || folder + name.size >= PATH_ROOM)
        return fm_error_set(error, FRAMEMAP_E_IO, "the file that the thin archive names is outside of its folder");
    memcpy(path, archive_path.data, folder);
    memcpy(path + folder, name.data, name.size);
    path[folder + name.size] = '\0';
    fm_mapfile_close(file);
    return fm_mapfile_open_small(path, 0, NULL, file, error);
}

static bool is_thin(framemap_str bytes)
{
    struct fm_archive archive;
    return fm_archive_open(bytes, &archive, NULL) == FRAMEMAP_OK && archive.kind == FM_ARCHIVE_THIN_AR;
}

static framemap_status open_in_archive(const char *path, size_t archive_size, struct fm_heap *heap,
                                       struct fm_mapfile *out, framemap_error *error)
{
    char archive[PATH_ROOM];
    if (!cut_path(path, archive_size, archive)) return fm_error_set(error, FRAMEMAP_E_IO, "the path is too long");
    framemap_status status = fm_mapfile_open_small(archive, 0, NULL, out, error);
    if (status != FRAMEMAP_OK) return status;
    struct opening opening = {out, heap, fm_limit_inflated(out->bytes.size)};
    const framemap_str name = framemap_str_of(path + archive_size + 1);
    status = is_thin(out->bytes) ? open_thin(fm_str(path, archive_size), name, out, error)
                                 : put_named(&opening, name, error);
    if (status == FRAMEMAP_OK && is_packed(out->bytes)) status = unpack_stream(path, &opening, NULL, error);
    if (status != FRAMEMAP_OK) fm_mapfile_close(out);
    return status;
}

static framemap_status open_member(const char *path, size_t limit, fm_member_wanted *wanted, struct fm_heap *heap,
                                   struct fm_mapfile *out, framemap_error *error)
{
    const size_t archive_size = fm_archive_path_size(path);
    framemap_status status;
    if (archive_size > 0) {
        status = open_in_archive(path, archive_size, heap, out, error);
    } else {
        status = fm_mapfile_open_small(path, limit, heap, out, error);
        if (status != FRAMEMAP_OK || !is_packed(out->bytes)) return status;
        struct opening opening = {out, heap, fm_limit_inflated(out->bytes.size)};
        status = unpack_stream(path, &opening, wanted, error);
        if (status != FRAMEMAP_OK) fm_mapfile_close(out);
    }
    if (status != FRAMEMAP_OK) fm_error_where(error, framemap_str_of(path));
    return status;
}

framemap_status fm_member_file_open(const char *path, size_t limit, struct fm_heap *heap, struct fm_mapfile *out,
                                    framemap_error *error)
{
    return open_member(path, limit, NULL, heap, out, error);
}

framemap_status fm_member_file_open_wanted(const char *path, fm_member_wanted *wanted, struct fm_heap *heap,
                                           struct fm_mapfile *out, framemap_error *error)
{
    return open_member(path, 0, wanted, heap, out, error);
}
