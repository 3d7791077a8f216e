/* Walks over the files in archives, and passes symbol files to a callback. See scan_archive.h. */
#include "session/catalog/scan/scan_archive.h"

#include "api/archive_walk.h"
#include "core/archive/archive.h"
#include "core/archive/member_file.h"
#include "core/error.h"
#include "core/text/buffer.h"
#include "core/text/text.h"
#include "session/catalog/path_text.h"

struct archive_scan {
    const struct fm_scan_host *host;
    const struct fm_scanned *file; /* the archive */
    fm_scan_member *list;
    struct fm_arena arena; /* the path of the current file */
    const char *last;      /* path of the last file if it was listed; else NULL */
    size_t count;
    bool no_memory; /* a path could not be allocated */
};

/* Returns the path of a file in the archive, valid until the next call. NULL: out of memory. */
static const char *member_path(struct archive_scan *scan, framemap_str name)
{
    const size_t size = strlen(scan->file->path);
    fm_arena_reset(&scan->arena);
    char *path = fm_arena_alloc(&scan->arena, size + name.size + 2);
    scan->no_memory = scan->no_memory || path == NULL;
    if (path == NULL) return NULL;
    memcpy(path, scan->file->path, size);
    path[size] = '!';
    if (name.size > 0) memcpy(path + size + 1, name.data, name.size);
    path[size + 1 + name.size] = 0;
    return path;
}

static void warn_of_member(void *context, const framemap_error *warning)
{
    struct archive_scan *scan = context;
    framemap_error fault = *warning;
    if (scan->host->warning == NULL) return;
    const char *path = member_path(scan, framemap_str_of(warning->where));
    fault.where[0] = 0;
    fm_error_where(&fault, framemap_str_of(path ? path : scan->file->path));
    scan->host->warning(scan->host->context, &fault);
}

/* Whether a file in the archive is below the folder that the caller's path names inside the archive. If the path names
 * no folder, every file is. */
static bool is_below(framemap_str name, framemap_str folder)
{
    if (folder.size == 0) return true;
    if (fm_str_starts(name, FM_STR("/"))) name = fm_str_from(name, 1);
    return fm_str_starts(name, folder) && name.size > folder.size && name.data[folder.size] == '/';
}

static bool is_new_member(void *context, framemap_str name)
{
    struct archive_scan *scan = context;
    if (!is_below(name, scan->file->below)) return false;
    const char *path = member_path(scan, name);
    const bool is_known = path != NULL && fm_catalog_has_path(scan->host->catalog, path);
    scan->count += is_known;
    return !is_known;
}

static framemap_status list_found_member(void *context, const framemap_archive_member *found, framemap_error *error)
{
    struct archive_scan *scan = context;
    struct fm_stamp stamp;
    framemap_error fault = {0};
    const char *path = member_path(scan, found->name);
    if (path == NULL) return fm_error_memory(error);
    if (!fm_member_stamp_of(path, &stamp)) return FRAMEMAP_OK; /* the archive was removed meanwhile */
    stamp.size = found->bytes.size;
    const struct fm_scanned member = {.path = path,
                                      .root = scan->file->root,
                                      .stamp = &stamp,
                                      .bytes = found->bytes,
                                      .depth = scan->file->depth,
                                      .name_at = strlen(scan->file->path) + 1 + found->within,
                                      .offset = found->offset};
    const framemap_status status = scan->list(scan->host, &member, &fault);
    if (status == FRAMEMAP_E_MEMORY) return fm_error_memory(error);
    scan->count++;
    scan->last = status == FRAMEMAP_OK ? path : NULL;
    if (status == FRAMEMAP_OK || status == FRAMEMAP_E_FORMAT || status == FRAMEMAP_E_EMPTY) return FRAMEMAP_OK;
    fault.where[0] = 0;
    fm_error_where(&fault, found->name);
    warn_of_member(scan, &fault);
    return FRAMEMAP_OK;
}

/* Keeps the decompressed bytes of the file that was listed last (kept_files.h). */
static bool keep_member(void *context, framemap_str block)
{
    struct archive_scan *scan = context;
    const struct fm_entry *entry = scan->last ? fm_catalog_at_path(scan->host->catalog, scan->last) : NULL;
    scan->last = NULL;
    return entry != NULL && !entry->is_source_map && fm_kept_files_add(&scan->host->catalog->kept, entry->path, block);
}

framemap_status fm_scan_archive(const struct fm_scan_host *host, const struct fm_scanned *file, fm_scan_member *list,
                                size_t *count, framemap_error *nothing, framemap_error *error)
{
    struct archive_scan scan = {.host = host, .file = file, .list = list};
    const framemap_archive_options options = {.size = sizeof options,
                                              .wants = is_new_member,
                                              .each = list_found_member,
                                              .warning = warn_of_member,
                                              .nothing = nothing,
                                              .context = &scan};
    fm_arena_init(&scan.arena, host->catalog->heap);
    const framemap_status status =
        fm_archive_symbols_kept(file->bytes, &options, keep_member, host->catalog->heap, error);
    fm_arena_free(&scan.arena);
    *count = scan.count;
    return status == FRAMEMAP_OK && scan.no_memory ? fm_error_memory(error) : status;
}

/* --- listing scripts whose modules are strings --- */

framemap_status fm_scan_modules(const struct fm_scan_host *host, const struct fm_scanned *file, fm_scan_member *list,
                                size_t *count, framemap_error *error)
{
    struct archive_scan scan = {.host = host, .file = file, .list = list};
    struct fm_archive archive;
    struct fm_archive_member member;
    struct fm_buf name;
    framemap_status status = FRAMEMAP_OK;
    bool more = true;
    fm_buf_init(&name, host->catalog->heap);
    fm_arena_init(&scan.arena, host->catalog->heap);
    fm_archive_open_script(file->bytes, &archive);
    while (status == FRAMEMAP_OK && !scan.no_memory) {
        status = fm_archive_next(&archive, &member, &more, error);
        if (status != FRAMEMAP_OK || !more) break;
        fm_buf_clear(&name);
        scan.no_memory = !fm_buf_printf(&name, "@%zu!", (size_t)(member.stored.data - file->bytes.data));
        const size_t within = name.size;
        scan.no_memory = scan.no_memory || !fm_buf_str(&name, member.name);
        if (scan.no_memory) break;
        const framemap_archive_member found = {.name = fm_buf_view(&name), .bytes = member.stored, .within = within};
        if (is_new_member(&scan, found.name)) status = list_found_member(&scan, &found, error);
    }
    fm_arena_free(&scan.arena);
    fm_buf_free(&name);
    *count = scan.count;
    return status == FRAMEMAP_OK && scan.no_memory ? fm_error_memory(error) : status;
}

/* --- listing the files that thin archives name --- */

/* Makes the path of a file that a thin archive names. A relative name is relative to the folder of the archive. */
static bool thin_path(const struct fm_scanned *archive, framemap_str name, char out[FM_PATH_ROOM])
{
    const framemap_str folder = fm_str_starts(name, FM_STR("/")) ? FM_STR("") : fm_folder_of(archive->path);
    if (memchr(name.data, 0, name.size) != NULL) return false;
    return fm_path_make(out, "%.*s%.*s", (int)folder.size, folder.data, (int)name.size, name.data);
}

/* Lists a file beside the archive, as if it had been found in its folder. */
static framemap_status list_beside(const struct fm_scan_host *host, const struct fm_scanned *archive, const char *path,
                                   fm_scan_any *list, bool *is_one, framemap_error *error)
{
    struct fm_mapfile file;
    struct fm_stamp stamp;
    char whole[PATH_MAX];
    if (!fm_stamp_of(path, &stamp)) return FRAMEMAP_OK;
    if (!fm_may_open(host, archive, path, "an object file", whole)) return FRAMEMAP_OK;
    framemap_status status = fm_mapfile_open(whole, &file, error);
    if (status != FRAMEMAP_OK) return status;
    const struct fm_scanned scanned = {
        .path = path, .root = archive->root, .stamp = &stamp, .bytes = file.bytes, .depth = archive->depth};
    status = list(host, &scanned, is_one, error);
    fm_mapfile_close(&file);
    return status;
}

static framemap_status list_thin_member(const struct fm_scan_host *host, const struct fm_scanned *archive,
                                        framemap_str name, fm_scan_any *list, size_t *count, framemap_error *error)
{
    framemap_error fault = {0};
    char path[FM_PATH_ROOM];
    bool is_one = false;
    if (!thin_path(archive, name, path)) return FRAMEMAP_OK;
    if (fm_catalog_has_path(host->catalog, path)) {
        ++*count;
        return FRAMEMAP_OK;
    }
    const framemap_status status = list_beside(host, archive, path, list, &is_one, &fault);
    if (status == FRAMEMAP_E_MEMORY) return fm_error_memory(error);
    *count += is_one;
    if (status == FRAMEMAP_OK || status == FRAMEMAP_E_FORMAT || status == FRAMEMAP_E_EMPTY) return FRAMEMAP_OK;
    fm_fault_at(&fault, path);
    fm_scan_warn(host, &fault);
    return FRAMEMAP_OK;
}

framemap_status fm_scan_thin(const struct fm_scan_host *host, const struct fm_scanned *file, fm_scan_any *list,
                             bool *is_thin, framemap_error *error)
{
    struct fm_archive archive;
    size_t count = 0;
    *is_thin = fm_archive_open(file->bytes, &archive, NULL) == FRAMEMAP_OK && archive.kind == FM_ARCHIVE_THIN_AR;
    while (*is_thin) {
        struct fm_archive_member member;
        bool more;
        framemap_status status = fm_archive_next(&archive, &member, &more, error);
        if (status == FRAMEMAP_OK && !more) break;
        if (status == FRAMEMAP_OK) status = list_thin_member(host, file, member.name, list, &count, error);
        if (status != FRAMEMAP_OK) return status;
    }
    if (!*is_thin || count > 0) return FRAMEMAP_OK;
    return fm_error_set(error, FRAMEMAP_E_EMPTY, "the symbol files that this thin archive names are not there");
}
