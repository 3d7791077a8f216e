/* Implements source_archive.h. The format of source bundles is defined by the module sourcebundle of the crate
 * symbolic-debuginfo. */
#include "session/sources/source_archive.h"

#include "core/archive/archive.h"
#include "core/error.h"
#include "core/json/json.h"
#include "core/limits.h"
#include "core/mapfile.h"
#include "session/catalog/path_text.h"

struct listing {
    struct fm_heap *heap;
    fm_keep_source *keep;
    void *context;
};

static const framemap_str no_text = {NULL, 0};

/* --- listing the files in source bundles of Sentry --- */

/* Adds a file under the path that the manifest states. Returns false if out of memory. */
static bool add_stated(const struct listing *listing, framemap_str stated, framemap_str stored)
{
    static const framemap_str any_class = FM_STR_INIT(".jvm");
    char path[FM_PATH_ROOM];
    if (stated.size == 0 || stored.size == 0 || stated.size >= FM_PATH_ROOM) return true;
    if (!fm_str_ends(stated, any_class)) return listing->keep(listing->context, stated, stored);
    const int stem = (int)(stated.size - any_class.size);
    return !fm_path_make(path, "%.*s.java", stem, stated.data) ||
           (listing->keep(listing->context, framemap_str_of(path), stored) &&
            (!fm_path_make(path, "%.*s.kt", stem, stated.data) ||
             listing->keep(listing->context, framemap_str_of(path), stored)));
}

static bool is_source(const struct fm_json *json, int32_t about)
{
    const int32_t type = fm_json_get(json, about, "type");
    return type < 0 || fm_str_equal(fm_json_raw(json, type), FM_STR("source"));
}

/* Returns a URL without "~/" at its start, which represents any host. */
static framemap_str without_tilde(framemap_str path)
{
    return fm_str_starts(path, FM_STR("~/")) ? fm_str_from(path, 2) : path;
}

static bool add_files_of(const struct listing *listing, const struct fm_json *json, struct fm_arena *arena)
{
    const int32_t files = fm_json_get(json, 0, "files");
    if (fm_json_type(json, files) != FM_JSON_OBJECT) return true;
    for (int32_t key = fm_json_first(json, files); key >= 0; key = fm_json_next(json, key)) {
        const int32_t about = fm_json_value(json, key);
        framemap_str stored = no_text, stated = no_text;
        if (fm_json_type(json, about) != FM_JSON_OBJECT || !is_source(json, about)) continue;
        if (!fm_json_string(json, key, arena, &stored)) return false;
        int32_t path = fm_json_get(json, about, "path");
        if (path < 0 || fm_json_raw(json, path).size == 0) path = fm_json_get(json, about, "url");
        if (path < 0 || fm_json_type(json, path) != FM_JSON_STRING) continue;
        if (!fm_json_string(json, path, arena, &stated) || !add_stated(listing, without_tilde(stated), stored))
            return false;
    }
    return true;
}

static framemap_status read_manifest(const struct listing *listing, framemap_str text, framemap_error *error)
{
    struct fm_json *json;
    struct fm_arena arena;
    const framemap_status status = fm_json_parse(text, listing->heap, &json, error);
    if (status != FRAMEMAP_OK) return status;
    fm_arena_init(&arena, listing->heap);
    const bool added = add_files_of(listing, json, &arena);
    fm_arena_free(&arena);
    fm_json_free(json);
    return added ? FRAMEMAP_OK : fm_error_memory(error);
}

/* --- listing the files in archives of any kind --- */

static framemap_status add_members(const struct listing *listing, framemap_str bytes, framemap_error *error)
{
    struct fm_archive archive;
    struct fm_archive_member member;
    bool more = false;
    framemap_status status = fm_archive_open(bytes, &archive, error);
    if (status == FRAMEMAP_OK) status = fm_archive_next(&archive, &member, &more, error);
    for (; status == FRAMEMAP_OK && more; status = fm_archive_next(&archive, &member, &more, error)) {
        if (member.name.size == 0 || member.name.size >= FM_PATH_ROOM) continue;
        if (member.name.data[member.name.size - 1] == '/') continue; /* the member is a folder */
        if (!listing->keep(listing->context, member.name, member.name)) return fm_error_memory(error);
    }
    return status;
}

static framemap_status list_members(const struct listing *listing, framemap_str bytes, framemap_error *error)
{
    struct fm_archive_member manifest;
    framemap_str text;
    bool found = false;
    framemap_status status = fm_archive_find(bytes, FM_STR("manifest.json"), &manifest, &found, error);
    if (status != FRAMEMAP_OK) return status;
    if (!found || !fm_str_starts(bytes, FM_STR("SYSB"))) return add_members(listing, bytes, error);
    if (manifest.packing == FM_MEMBER_STORED && manifest.refused == NULL)
        return read_manifest(listing, manifest.stored, error);
    status = fm_member_inflate(&manifest, listing->heap, FM_LIMIT_MANIFEST, &text, error);
    if (status != FRAMEMAP_OK) return status;
    status = read_manifest(listing, text, error);
    fm_heap_free(listing->heap, (void *)(uintptr_t)text.data, text.size);
    return status;
}

framemap_status fm_source_archive_list(const char *path, struct fm_heap *heap, fm_keep_source *keep, void *context,
                                       framemap_error *error)
{
    const struct listing listing = {heap, keep, context};
    struct fm_mapfile file = {0};
    framemap_status status = fm_mapfile_open_small(path, 0, heap, &file, error);
    if (status != FRAMEMAP_OK) return status;
    status = list_members(&listing, file.bytes, error);
    fm_mapfile_close(&file);
    if (status != FRAMEMAP_OK) fm_error_where(error, framemap_str_of(path));
    return status;
}
