/* Finds and opens companions of a symbol file. See companion_files.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "session/catalog/companion_files.h"

#include "core/archive/member_file.h"
#include "core/hash/hash.h"
#include "core/limits.h"
#include "core/text/scan.h"
#include "core/text/text.h"
#include "session/catalog/object_files.h"
#include "session/catalog/path_text.h"
#include "session/catalog/scan_file.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>

struct fm_companion_file {
    const char *path;
    struct fm_mapfile file;
    struct fm_stamp stamp;            /* of the path when it was opened */
    struct fm_object_members members; /* of a static archive, once an object file in it was wanted */
};

void fm_companion_files_init(struct fm_companion_files *files, struct fm_heap *heap, fm_mutex *lock,
                             struct fm_catalog *home, const struct fm_debug_files *debug, const char *path)
{
    *files = (struct fm_companion_files){.heap = heap, .lock = lock, .home = home, .debug = debug, .path = path};
    fm_arena_init(&files->arena, heap);
    fm_table_init(&files->table, heap);
}

void fm_companion_files_free(struct fm_companion_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        fm_object_members_free(&files->files[i]->members);
        fm_mapfile_close(&files->files[i]->file);
    }
    fm_heap_free(files->heap, files->files, files->capacity * sizeof *files->files);
    fm_table_free(&files->table);
    fm_heap_free(files->heap, files->candidates, files->candidate_capacity * sizeof *files->candidates);
    fm_arena_free(&files->arena);
}

/* A file that was removed or replaced keeps its bytes. */
static bool has_changed(const struct fm_companion_file *open)
{
    const struct fm_stamp *before = &open->stamp;
    struct fm_stamp now;
    if (fm_mapfile_changed(&open->file)) return true;
    return fm_member_stamp_of(open->path, &now) && now.device == before->device && now.inode == before->inode &&
           !fm_stamp_same_content(before, &now);
}

bool fm_companion_files_changed(const struct fm_companion_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        if (has_changed(files->files[i])) return true;
    return false;
}

/* --- candidates --- */

/* A file in an archive is not looked for: if it is not there, it is not opened. */
static bool may_be_there(const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0) return S_ISREG(st.st_mode);
    return fm_archive_path_size(path) > 0;
}

/* false: out of memory, or there are FM_LIMIT_COMPANION_TRIES. */
static bool add_candidate(struct fm_companion_files *files, const struct fm_companion_candidate *candidate)
{
    if (files->candidate_count >= FM_LIMIT_COMPANION_TRIES ||
        !FM_GROW(files->heap, files->candidates, files->candidate_capacity, files->candidate_count + 1))
        return false;
    files->candidates[files->candidate_count++] = *candidate;
    return true;
}

/* Adds a path that exists and is not listed yet. */
static void add(struct fm_companion_files *files, const char *path)
{
    framemap_str copy;

    if (files->candidate_count >= FM_LIMIT_COMPANION_TRIES || !may_be_there(path)) return;
    for (size_t i = 0; i < files->candidate_count; i++)
        if (strcmp(files->candidates[i].path, path) == 0) return;
    if (fm_arena_str(&files->arena, framemap_str_of(path), &copy))
        add_candidate(files, &(struct fm_companion_candidate){.path = copy.data});
}

/* The folder of the symbol file, with its slash; "./" if its path has none. In an archive, a name may follow the '!'.
 */
static framemap_str own_folder(const struct fm_companion_files *files)
{
    const char *const mark = fm_archive_path_size(files->path) > 0 ? strrchr(files->path, '!') : NULL;
    const framemap_str folder = fm_folder_of(files->path);
    if (mark != NULL && (size_t)(mark - files->path) >= folder.size)
        return fm_str(files->path, (size_t)(mark - files->path) + 1);
    return folder.size > 0 ? folder : FM_STR("./");
}

/* A path that the symbol file states is opened only inside the folders that it may name; then as what it was resolved
 * to, so that what was checked is what is opened. A path from a file in an archive stays in that. */
static void add_stated(struct fm_companion_files *files, const char *path)
{
    char whole[PATH_MAX], own[FM_PATH_ROOM];
    const framemap_str folder = own_folder(files);
    bool allowed = files->debug->host.allow_outside;

    if (fm_archive_path_size(path) > 0) {
        if (fm_archive_path_size(files->path) > 0) add(files, path);
        return;
    }
    if (realpath(path, whole) == NULL || !fm_path_make(own, "%.*s", (int)folder.size, folder.data)) return;
    allowed = allowed || fm_is_below(own, whole);
    for (size_t i = 0; i < files->debug->folder_count && !allowed; i++)
        allowed = fm_is_below(files->debug->folders[i], whole);
    if (allowed) add(files, whole);
}

/* The path in the request, relative to its folder or to that of the symbol file. */
static void add_stated_path(struct fm_companion_files *files, framemap_str name, framemap_str stated)
{
    const framemap_str own = own_folder(files);
    char path[FM_PATH_ROOM];

    if (fm_str_starts(name, FM_STR("/"))) {
        if (fm_path_make(path, "%.*s", (int)name.size, name.data)) add_stated(files, path);
        return;
    }
    if (fm_path_make(path, "%.*s%.*s", (int)own.size, own.data, (int)name.size, name.data)) add_stated(files, path);
    if (stated.size > 0 && fm_path_make(path, "%.*s/%.*s", (int)stated.size, stated.data, (int)name.size, name.data))
        add_stated(files, path);
}

static void add_beside(struct fm_companion_files *files, framemap_str base)
{
    const framemap_str own = own_folder(files);
    char path[FM_PATH_ROOM];
    if (fm_path_make(path, "%.*s%.*s", (int)own.size, own.data, (int)base.size, base.data)) add(files, path);
}

/* The file of an entry, or the archive that it is in. */
static void add_entry(struct fm_companion_files *files, const struct fm_entry *entry, framemap_str base)
{
    const framemap_str path = framemap_str_of(entry->path);
    const size_t archive = entry->in_archive ? fm_archive_path_size(entry->path) : 0; /* a folder may have a '!' too */
    const framemap_str file = fm_str_slice(path, 0, archive > 0 ? archive : path.size);
    char text[FM_PATH_ROOM];

    if (fm_str_equal(fm_str_basename(file), base) && fm_path_make(text, "%.*s", (int)file.size, file.data))
        add(files, text);
}

/* Files of the name `base` under the session's paths. listed: the name by which the catalog finds them. */
static void add_listed(struct fm_companion_files *files, struct fm_catalog *catalog, framemap_str base,
                       framemap_str listed)
{
    char name[FM_PATH_ROOM];
    size_t count = 0;

    if (catalog == NULL || !fm_path_make(name, "%.*s", (int)listed.size, listed.data)) return;
    const struct fm_entry *const *list = fm_catalog_named(catalog, fm_symbol_file_name(name), &count);
    for (size_t i = 0; list != NULL && i < count; i++) add_entry(files, list[i], base);
}

static void add_all_listed(struct fm_companion_files *files, framemap_str base, framemap_str listed)
{
    struct fm_catalog *const common = files->debug->host.catalog;

    if (base.size == 0 || listed.size == 0 || listed.size > NAME_MAX) return;
    fm_mutex_lock(files->lock);
    add_listed(files, files->home, base, listed);
    if (files->home != common) add_listed(files, common, base, listed);
    fm_mutex_unlock(files->lock);
}

static void add_by_id(struct fm_companion_files *files, struct fm_catalog *catalog, framemap_str id)
{
    const framemap_image_query want = {.id = id};
    const struct fm_entry *found;
    if (catalog != NULL && fm_catalog_find(catalog, &want, &found) == FM_FOUND) add(files, found->path);
}

/* "app.dwp" for "app" and "app.debug". */
static void add_packages(struct fm_companion_files *files)
{
    const framemap_str name = fm_symbol_file_name(files->path), whole = fm_str_basename(framemap_str_of(files->path));
    char base[FM_PATH_ROOM];

    if (files->debug->package != NULL) add(files, files->debug->package);
    for (unsigned i = 0; i < 2; i++) {
        const framemap_str from = i == 0 ? whole : name;
        if (!fm_path_make(base, "%.*s.dwp", (int)from.size, from.data)) continue;
        add_beside(files, framemap_str_of(base));
        add_all_listed(files, framemap_str_of(base), framemap_str_of(base));
    }
}

static void add_supplementary(struct fm_companion_files *files, const framemap_companion_request *wanted)
{
    const framemap_str id = wanted->id, base = fm_str_basename(wanted->name);
    char path[FM_PATH_ROOM];

    for (size_t i = 0; i < files->debug->folder_count; i++) {
        const char *folder = files->debug->folders[i];
        if (id.size > 8 &&
            fm_path_make(path, "%s/.build-id/%.2s/%.*s.debug", folder, id.data, (int)id.size - 2, id.data + 2))
            add(files, path);
        if (fm_path_make(path, "%s/.dwz/%.*s", folder, (int)base.size, base.data)) add(files, path);
    }
    if (id.size == 0) return;
    fm_mutex_lock(files->lock);
    add_by_id(files, files->home, id);
    if (files->home != files->debug->host.catalog) add_by_id(files, files->debug->host.catalog, id);
    fm_mutex_unlock(files->lock);
}

static bool is_plain(framemap_str text)
{
    return text.size < FM_PATH_ROOM && memchr(text.data ? text.data : "", 0, text.size) == NULL;
}

static void list_candidates(struct fm_companion_files *files, const framemap_companion_request *wanted)
{
    framemap_str path = wanted->name, member = {NULL, 0};

    files->candidate_count = 0;
    if (!is_plain(wanted->name) || !is_plain(wanted->folder) || !is_plain(wanted->id)) return;
    if (wanted->kind == FRAMEMAP_COMPANION_DWP) {
        add_packages(files);
        return;
    }
    if (wanted->kind == FRAMEMAP_COMPANION_OBJECT) fm_object_path_split(wanted->name, &path, &member);
    const framemap_str base = fm_str_basename(path);
    if (base.size == 0) return;
    add_stated_path(files, path, wanted->folder);
    add_beside(files, base);
    add_all_listed(files, base, member.size > 0 ? member : base);
    if (wanted->kind == FRAMEMAP_COMPANION_SUPPLEMENTARY) add_supplementary(files, wanted);
}

/* --- opening --- */

static bool has_path(const void *context, uint32_t number, const void *key)
{
    const struct fm_companion_files *files = context;
    return strcmp(files->files[number]->path, key) == 0;
}

/* Whether the path still leads to the file as it was opened. */
static bool is_current(const struct fm_companion_file *open)
{
    struct fm_stamp now;
    return fm_member_stamp_of(open->path, &now) && fm_stamp_same_content(&open->stamp, &now);
}

static struct fm_companion_file *open_file(struct fm_companion_files *files, const char *path)
{
    const uint64_t hash = fm_hash64(path, strlen(path), fm_hash_key(files));
    const uint32_t known = fm_table_find(&files->table, hash, has_path, files, path);
    if (known != UINT32_MAX && is_current(files->files[known])) return files->files[known];
    struct fm_companion_file *open = FM_ARENA_NEW(&files->arena, struct fm_companion_file);
    if (open == NULL || !FM_GROW(files->heap, files->files, files->capacity, files->count + 1)) return NULL;
    open->members = (struct fm_object_members){.heap = NULL};
    if (!fm_member_stamp_of(path, &open->stamp) ||
        fm_member_file_open(path, 0, files->heap, &open->file, NULL) != FRAMEMAP_OK)
        return NULL;
    fm_mapfile_close_descriptor(&open->file); /* a program may have thousands of them */
    open->path = path;
    if (known != UINT32_MAX) { /* the older one stays open: its bytes are lent */
        files->files[files->count++] = files->files[known];
        return files->files[known] = open;
    }
    files->files[files->count] = open;
    if (fm_table_add(&files->table, hash, (uint32_t)files->count)) {
        files->count++;
        return open;
    }
    fm_mapfile_close(&open->file);
    return NULL;
}

static framemap_str bytes_of(struct fm_companion_files *files, const char *path)
{
    const struct fm_companion_file *open = open_file(files, path);
    return open != NULL ? open->file.bytes : (framemap_str){NULL, 0};
}

/* --- object files --- */

/* Puts those candidates first whose paths end as the stated one does. Insertion: they are few. */
static void sort_by_end(struct fm_companion_files *files, framemap_str stated)
{
    struct fm_companion_candidate *list = files->candidates;
    for (size_t i = 1; i < files->candidate_count; i++) {
        const struct fm_companion_candidate moving = list[i];
        const size_t common = fm_object_common_end(framemap_str_of(moving.path), stated);
        size_t at = i;
        for (; at > 0 && fm_object_common_end(framemap_str_of(list[at - 1].path), stated) < common; at--)
            list[at] = list[at - 1];
        list[at] = moving;
    }
}

/* Adds the files of a name in an archive. */
static void add_members(struct fm_companion_files *files, const char *path, framemap_str name, framemap_str time)
{
    struct fm_companion_file *open = open_file(files, path);
    framemap_str member;
    size_t at = 0;

    if (open == NULL) return;
    if (open->members.heap == NULL && !fm_object_members_read(&open->members, files->heap, open->file.bytes)) {
        fm_object_members_free(&open->members);
        return;
    }
    while (fm_object_members_next(&open->members, name, time, &at, &member)) {
        const struct fm_companion_candidate found = {path, (size_t)(member.data - open->file.bytes.data), member.size};
        if (!add_candidate(files, &found)) return;
    }
}

/* Puts the files in the archives in the place of the archives. */
static void choose_members(struct fm_companion_files *files, framemap_str name, framemap_str time)
{
    const size_t archives = files->candidate_count;

    for (size_t i = 0; i < archives; i++) add_members(files, files->candidates[i].path, name, time);
    files->candidate_count -= archives;
    if (archives > 0)
        memmove(files->candidates, files->candidates + archives, files->candidate_count * sizeof *files->candidates);
}

/* Leaves of the candidates those that were modified when the request says. */
static void choose_objects(struct fm_companion_files *files, const framemap_companion_request *wanted)
{
    framemap_str path = wanted->name, member = {NULL, 0};
    size_t kept = 0;

    fm_object_path_split(wanted->name, &path, &member);
    sort_by_end(files, path);
    if (member.size > 0) {
        choose_members(files, member, wanted->id);
        return;
    }
    for (size_t i = 0; i < files->candidate_count; i++)
        if (fm_object_is_of_time(files->candidates[i].path, wanted->id))
            files->candidates[kept++] = files->candidates[i];
    files->candidate_count = kept;
}

bool fm_companion_files_get(void *context, const framemap_companion_request *wanted, framemap_str *bytes)
{
    struct fm_companion_files *files = context;

    const unsigned at = wanted->attempt;

    if (at == 0) list_candidates(files, wanted);
    if (at == 0 && wanted->kind == FRAMEMAP_COMPANION_OBJECT) choose_objects(files, wanted);
    while (at < files->candidate_count) {
        const struct fm_companion_candidate *candidate = &files->candidates[at];
        *bytes = bytes_of(files, candidate->path);
        if (candidate->size > 0) *bytes = fm_str_slice(*bytes, candidate->at, candidate->at + candidate->size);
        if (bytes->size > 0) return true;
        files->candidate_count--; /* it cannot be read, or is empty: the next takes its place */
        memmove(&files->candidates[at], &files->candidates[at + 1],
                (files->candidate_count - at) * sizeof *files->candidates);
    }
    return false;
}

/* --- the key of the cache --- */

/* The next field of a line, up to a tab or its end. */
static framemap_str next_field(framemap_str *line)
{
    const size_t tab = fm_str_find_byte(*line, '\t');
    const framemap_str field = fm_str_slice(*line, 0, tab == FM_NOT_FOUND ? line->size : tab);
    *line = fm_str_from(*line, tab == FM_NOT_FOUND ? line->size : tab + 1);
    return field;
}

static framemap_companion_request read_request(framemap_str line)
{
    framemap_companion_request request = {.size = sizeof request};
    const framemap_str kind = next_field(&line);
    request.kind = (framemap_companion_kind)(kind.size == 1 ? kind.data[0] - '0' : 0);
    request.id = next_field(&line);
    request.folder = next_field(&line);
    request.name = line;
    return request;
}

static void hash_stamp(struct fm_sha256 *hash, const char *path)
{
    struct fm_stamp stamp = {0};
    (void)fm_member_stamp_of(path, &stamp);
    fm_sha256_add(hash, path, strlen(path) + 1);
    fm_sha256_add(hash, &stamp, sizeof stamp);
}

void fm_companion_files_key(struct fm_companion_files *files, framemap_str recorded, const char *key, char out[65])
{
    unsigned char digest[32];
    struct fm_sha256 hash;

    fm_sha256_begin(&hash);
    fm_sha256_add(&hash, key, strlen(key));
    while (recorded.size > 0) {
        const size_t end = fm_str_find_byte(recorded, '\n');
        const framemap_companion_request request = read_request(fm_str_slice(recorded, 0, end));
        recorded = end == FM_NOT_FOUND ? (framemap_str){NULL, 0} : fm_str_from(recorded, end + 1);
        list_candidates(files, &request);
        for (size_t i = 0; i < files->candidate_count; i++) hash_stamp(&hash, files->candidates[i].path);
        fm_sha256_add(&hash, "\n", 1);
    }
    fm_sha256_end(&hash, digest);
    fm_hex_put(digest, sizeof digest, out);
    out[64] = 0;
}
