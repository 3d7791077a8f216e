/* Lists the files that may be a companion of a symbol file: a file with a part of its debug info. See
 * companion_candidates.h. */
#define _XOPEN_SOURCE 700 /* makes the system headers declare realpath() */
#include "session/catalog/companion_candidates.h"

#include "core/archive/member_file.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "session/catalog/object_files.h"
#include "session/catalog/path_text.h"
#include "session/catalog/scan/scan_file.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Whether a candidate may exist. This is not checked for a file in an archive, because opening it fails if it does not
 * exist. */
static bool may_be_there(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0) return S_ISREG(st.st_mode);
    return fm_archive_path_size(path) > 0;
}

bool fm_companion_candidates_add(struct fm_companion_candidates *list, const struct fm_companion_candidate *candidate)
{
    if (list->count >= FM_LIMIT_COMPANION_TRIES || !FM_GROW(list->heap, list->rows, list->capacity, list->count + 1))
        return false;
    list->rows[list->count++] = *candidate;
    return true;
}

/* Adds a path if a file exists there and the path is not listed yet. */
static void add(struct fm_companion_candidates *list, const char *path)
{
    framemap_str copy;

    if (list->count >= FM_LIMIT_COMPANION_TRIES || !may_be_there(path)) return;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->rows[i].path, path) == 0) return;
    if (fm_arena_str(&list->arena, framemap_str_of(path), &copy))
        fm_companion_candidates_add(list, &(struct fm_companion_candidate){.path = copy.data});
}

/* Returns the folder of the symbol file, with its slash; "./" if its path has no folder. For a file in the top
 * folder of an archive, it is the path of the archive with the '!': "a.zip!" for "a.zip!b.so". */
static framemap_str own_folder(const struct fm_companion_candidates *list)
{
    const char *const mark = fm_archive_path_size(list->path) > 0 ? strrchr(list->path, '!') : NULL;
    const framemap_str folder = fm_folder_of(list->path);
    if (mark != NULL && (size_t)(mark - list->path) >= folder.size)
        return fm_str(list->path, (size_t)(mark - list->path) + 1);
    return folder.size > 0 ? folder : FM_STR("./");
}

/* Adds a path that the symbol file states, but only if it leads into a folder from which files may be opened. The
 * resolved path is added, so that exactly the file that was checked is opened. A path into an archive is added only if
 * the symbol file is in an archive itself. */
static void add_stated(struct fm_companion_candidates *list, const char *path)
{
    char whole[PATH_MAX], own[FM_PATH_ROOM];
    const framemap_str folder = own_folder(list);
    bool allowed = list->debug->host.allow_outside;

    if (fm_archive_path_size(path) > 0) {
        if (fm_archive_path_size(list->path) > 0) add(list, path);
        return;
    }
    if (realpath(path, whole) == NULL || !fm_path_make(own, "%.*s", (int)folder.size, folder.data)) return;
    allowed = allowed || fm_is_below(own, whole);
    for (size_t i = 0; i < list->debug->folder_count && !allowed; i++)
        allowed = fm_is_below(list->debug->folders[i], whole);
    if (allowed) add(list, whole);
}

/* Adds the absolute path in the request. For a relative path, adds it in the folder of the symbol file, and in the
 * folder that the request states. */
static void add_stated_path(struct fm_companion_candidates *list, framemap_str name, framemap_str stated)
{
    const framemap_str own = own_folder(list);
    char path[FM_PATH_ROOM];

    if (fm_str_starts(name, FM_STR("/"))) {
        if (fm_path_make(path, "%.*s", (int)name.size, name.data)) add_stated(list, path);
        return;
    }
    if (fm_path_make(path, "%.*s%.*s", (int)own.size, own.data, (int)name.size, name.data)) add_stated(list, path);
    if (stated.size > 0 && fm_path_make(path, "%.*s/%.*s", (int)stated.size, stated.data, (int)name.size, name.data))
        add_stated(list, path);
}

static void add_beside(struct fm_companion_candidates *list, framemap_str base)
{
    const framemap_str own = own_folder(list);
    char path[FM_PATH_ROOM];
    if (fm_path_make(path, "%.*s%.*s", (int)own.size, own.data, (int)base.size, base.data)) add(list, path);
}

/* Adds the file of an entry. For an entry in an archive, adds the archive. */
static void add_entry(struct fm_companion_candidates *list, const struct fm_entry *entry, framemap_str base)
{
    const framemap_str path = framemap_str_of(entry->path);
    /* the path of a plain file may contain a '!' too */
    const size_t archive = entry->in_archive ? fm_archive_path_size(entry->path) : 0;
    const framemap_str file = fm_str_slice(path, 0, archive > 0 ? archive : path.size);
    char text[FM_PATH_ROOM];

    if (fm_str_equal(fm_str_basename(file), base) && fm_path_make(text, "%.*s", (int)file.size, file.data))
        add(list, text);
}

/* Adds files of the name `base` under the session's paths. listed: the name by which the catalog finds them. */
static void add_listed(struct fm_companion_candidates *list, struct fm_catalog *catalog, framemap_str base,
                       framemap_str listed)
{
    char name[FM_PATH_ROOM];
    size_t count = 0;

    if (catalog == NULL || !fm_path_make(name, "%.*s", (int)listed.size, listed.data)) return;
    const struct fm_entry *const *found = fm_catalog_named(catalog, fm_symbol_file_name(name), &count);
    for (size_t i = 0; found != NULL && i < count; i++) add_entry(list, found[i], base);
}

static void add_all_listed(struct fm_companion_candidates *list, framemap_str base, framemap_str listed)
{
    struct fm_catalog *const common = list->debug->host.catalog;

    if (base.size == 0 || listed.size == 0 || listed.size > NAME_MAX) return;
    fm_mutex_lock(list->lock);
    add_listed(list, list->home, base, listed);
    if (list->home != common) add_listed(list, common, base, listed);
    fm_mutex_unlock(list->lock);
}

static void add_by_id(struct fm_companion_candidates *list, struct fm_catalog *catalog, framemap_str id)
{
    const framemap_image_query want = {.id = id};
    const struct fm_entry *found;
    if (catalog != NULL && fm_catalog_find(catalog, &want, &found) == FM_FOUND) add(list, found->path);
}

/* Adds packages of split debug info (DWP): "app.dwp" for "app" and "app.debug". */
static void add_packages(struct fm_companion_candidates *list)
{
    const framemap_str name = fm_symbol_file_name(list->path), whole = fm_str_basename(framemap_str_of(list->path));
    char base[FM_PATH_ROOM];

    if (list->debug->package != NULL) add(list, list->debug->package);
    for (unsigned i = 0; i < 2; i++) {
        const framemap_str from = i == 0 ? whole : name;
        if (!fm_path_make(base, "%.*s.dwp", (int)from.size, from.data)) continue;
        add_beside(list, framemap_str_of(base));
        add_all_listed(list, framemap_str_of(base), framemap_str_of(base));
    }
}

static void add_supplementary(struct fm_companion_candidates *list, const framemap_companion_request *wanted)
{
    const framemap_str id = wanted->id, base = fm_str_basename(wanted->name);
    char path[FM_PATH_ROOM];

    for (size_t i = 0; i < list->debug->folder_count; i++) {
        const char *folder = list->debug->folders[i];
        if (id.size > 8 &&
            fm_path_make(path, "%s/.build-id/%.2s/%.*s.debug", folder, id.data, (int)id.size - 2, id.data + 2))
            add(list, path);
        if (fm_path_make(path, "%s/.dwz/%.*s", folder, (int)base.size, base.data)) add(list, path);
    }
    if (id.size == 0) return;
    fm_mutex_lock(list->lock);
    add_by_id(list, list->home, id);
    if (list->home != list->debug->host.catalog) add_by_id(list, list->debug->host.catalog, id);
    fm_mutex_unlock(list->lock);
}

/* Adds other files of the same build, except indexes, which have no symbol table. */
static void add_of_id(struct fm_companion_candidates *list, struct fm_catalog *catalog, framemap_str id)
{
    size_t count = 0;
    if (catalog == NULL) return;
    const struct fm_entry *const *found = fm_catalog_of_id(catalog, id, &count);
    for (size_t i = 0; i < count; i++)
        if (!found[i]->is_index && strcmp(found[i]->path, list->path) != 0) add(list, found[i]->path);
}

/* Adds the programs that a debug file belongs to: programs with its build id, or, if it has no build id, programs with
 * its name ("app" for "app.debug"). */
static void add_programs(struct fm_companion_candidates *list, framemap_str id)
{
    const framemap_str name = fm_symbol_file_name(list->path);
    if (id.size == 0) {
        add_beside(list, name);
        add_all_listed(list, name, name);
        return;
    }
    fm_mutex_lock(list->lock);
    add_of_id(list, list->home, id);
    if (list->home != list->debug->host.catalog) add_of_id(list, list->debug->host.catalog, id);
    fm_mutex_unlock(list->lock);
}

static bool is_plain(framemap_str text)
{
    return text.size < FM_PATH_ROOM && memchr(text.data ? text.data : "", 0, text.size) == NULL;
}

void fm_companion_candidates_list(struct fm_companion_candidates *list, const framemap_companion_request *wanted)
{
    framemap_str path = wanted->name, member = {NULL, 0};

    list->count = 0;
    if (!is_plain(wanted->name) || !is_plain(wanted->folder) || !is_plain(wanted->id)) return;
    if (wanted->kind == FRAMEMAP_COMPANION_DWP) {
        add_packages(list);
        return;
    }
    if (wanted->kind == FRAMEMAP_COMPANION_PROGRAM) {
        add_programs(list, wanted->id);
        return;
    }
    if (wanted->kind == FRAMEMAP_COMPANION_OBJECT) fm_object_path_split(wanted->name, &path, &member);
    const framemap_str base = fm_str_basename(path);
    if (base.size == 0) return;
    add_stated_path(list, path, wanted->folder);
    add_beside(list, base);
    add_all_listed(list, base, member.size > 0 ? member : base);
    if (wanted->kind == FRAMEMAP_COMPANION_SUPPLEMENTARY) add_supplementary(list, wanted);
}
