/* Walks the given paths and passes each file to scan_file.c, which adds symbol files to the catalog. */
#include "session/catalog/scan/scan_paths.h"

#include "core/archive/member_file.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "session/catalog/path_text.h"
#include "session/catalog/scan/scan_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

/* A folder that was found, and whose files were not read yet. */
struct folder {
    const char *path;
    uint32_t depth;
};

struct folder_walk {
    const struct fm_scan_host *host;
    const char *root;      /* the folder that the caller gave */
    struct fm_arena arena; /* memory of the paths found by this walk, freed at its end */
    struct folder *pending;
    size_t pending_count, pending_capacity;
    struct fm_stamp *seen; /* folders that were read; a symbolic link that leads to one of them is not followed */
    size_t seen_count, seen_capacity;
    struct fm_table seen_table;
    uint32_t files;
    bool full; /* the limit on files was reached and reported */
};

bool fm_is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Adds a file that was found in a folder. No warning is given if it is not a symbol file, since most files in a
 * folder are not. */
static framemap_status add_found_file(struct folder_walk *walk, const char *path, const struct fm_stamp *stamp,
                                      uint32_t depth, framemap_error *error)
{
    framemap_error fault = {0};
    if (fm_catalog_has_path(walk->host->catalog, path)) return FRAMEMAP_OK;
    framemap_status status = fm_scan_file(walk->host, path, walk->root, stamp, depth, &fault);
    if (status == FRAMEMAP_E_MEMORY) return fm_error_memory(error);
    if (status == FRAMEMAP_OK || status == FRAMEMAP_E_FORMAT || status == FRAMEMAP_E_EMPTY) return FRAMEMAP_OK;
    fm_fault_at(&fault, path);
    fm_scan_warn(walk->host, &fault);
    return FRAMEMAP_OK;
}

/* --- folders --- */

static bool stamp_equal(const void *context, uint32_t number, const void *key)
{
    const struct folder_walk *walk = context;
    const struct fm_stamp *a = &walk->seen[number], *b = key;
    return a->device == b->device && a->inode == b->inode;
}

/* Adds a folder to the list of folders to visit, unless the same folder is in the list already, perhaps under another
 * path that has symbolic links. */
static framemap_status push_folder(struct folder_walk *walk, const char *path, const struct fm_stamp *stamp,
                                   uint32_t depth, framemap_error *error)
{
    const uint64_t key[2] = {stamp->device, stamp->inode};
    uint64_t hash = fm_hash64(key, sizeof key, 0);
    if (depth > FM_LIMIT_SCAN_DEPTH || fm_table_find(&walk->seen_table, hash, stamp_equal, walk, stamp) != UINT32_MAX)
        return FRAMEMAP_OK;
    struct fm_heap *heap = walk->host->catalog->heap;
    framemap_str copy;
    if (!FM_GROW(heap, walk->seen, walk->seen_capacity, walk->seen_count + 1) ||
        !FM_GROW(heap, walk->pending, walk->pending_capacity, walk->pending_count + 1) ||
        !fm_arena_str(&walk->arena, framemap_str_of(path), &copy) ||
        !fm_table_add(&walk->seen_table, hash, (uint32_t)walk->seen_count))
        return fm_error_memory(error);
    walk->seen[walk->seen_count++] = *stamp;
    walk->pending[walk->pending_count++] = (struct folder){copy.data, depth};
    return FRAMEMAP_OK;
}

static const char *join_path(struct fm_arena *arena, const char *folder, const char *name)
{
    size_t a = strlen(folder), b = strlen(name);
    while (a > 1 && folder[a - 1] == '/') a--;
    char *path = fm_arena_alloc(arena, a + b + 2);
    if (path == NULL) return NULL;
    memcpy(path, folder, a);
    path[a] = '/';
    memcpy(path + a + 1, name, b + 1);
    return path;
}

static void warn_unread(const struct folder_walk *walk, const char *what, const char *path, int code)
{
    framemap_error fault = {0};
    fm_error_set(&fault, FRAMEMAP_E_IO, "the %s can't be read: %s", what,
                 code == EACCES ? "no permission" : "system error");
    fm_fault_at(&fault, path);
    fm_scan_warn(walk->host, &fault);
}

static framemap_status visit(struct folder_walk *walk, const struct folder *folder, const char *name,
                             framemap_error *error)
{
    struct stat st;
    const char *path = join_path(&walk->arena, folder->path, name);
    if (path == NULL) return fm_error_memory(error);
    if (stat(path, &st) != 0) {
        /* For a symbolic link that leads nowhere, errno is ENOENT or ELOOP; it is treated like a file that was
         * removed. */
        const bool is_gone = errno == ENOENT || errno == ENOTDIR || errno == ELOOP;
        if (!is_gone) warn_unread(walk, "file", path, errno);
        return FRAMEMAP_OK;
    }
    struct fm_stamp stamp = fm_stamp_from(&st);
    if (S_ISDIR(st.st_mode)) return push_folder(walk, path, &stamp, folder->depth + 1, error);
    if (!S_ISREG(st.st_mode) || st.st_size == 0) return FRAMEMAP_OK;
    if (walk->files++ < FM_LIMIT_SCAN_FILES) return add_found_file(walk, path, &stamp, folder->depth, error);
    framemap_error fault = {0};
    fm_error_set(&fault, FRAMEMAP_E_LIMIT, "more than %u files: the rest is ignored", (unsigned)FM_LIMIT_SCAN_FILES);
    fm_fault_at(&fault, folder->path);
    if (!walk->full) fm_scan_warn(walk->host, &fault);
    walk->full = true;
    return FRAMEMAP_OK;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* Reads the names in a folder and sorts them, so that the same tree is listed in the same order everywhere. */
static framemap_status read_names(struct folder_walk *walk, const struct folder *folder, DIR *dir, const char ***names,
                                  size_t *count, size_t *capacity, framemap_error *error)
{
    struct fm_heap *heap = walk->host->catalog->heap;
    const struct dirent *row;
    for (errno = 0; (row = readdir(dir)) != NULL; errno = 0) {
        framemap_str name = framemap_str_of(row->d_name), copy;
        if (fm_str_equal(name, FM_STR(".")) || fm_str_equal(name, FM_STR(".."))) continue;
        if (!FM_GROW(heap, *names, *capacity, *count + 1) || !fm_arena_str(&walk->arena, name, &copy))
            return fm_error_memory(error);
        (*names)[(*count)++] = copy.data;
    }
    if (errno != 0) warn_unread(walk, "folder", folder->path, errno);
    if (*count) qsort(*names, *count, sizeof **names, compare_names);
    return FRAMEMAP_OK;
}

static framemap_status read_folder(struct folder_walk *walk, const struct folder *folder, framemap_error *error)
{
    DIR *dir = opendir(folder->path);
    if (dir == NULL) {
        warn_unread(walk, "folder", folder->path, errno);
        return FRAMEMAP_OK;
    }
    const char **names = NULL;
    size_t count = 0, capacity = 0;
    framemap_status status = read_names(walk, folder, dir, &names, &count, &capacity, error);
    closedir(dir);
    for (size_t i = 0; i < count && status == FRAMEMAP_OK && !walk->full; i++)
        status = visit(walk, folder, names[i], error);
    fm_heap_free(walk->host->catalog->heap, names, capacity * sizeof *names);
    return status;
}

static framemap_status scan_folder(const struct fm_scan_host *host, const char *path, const struct fm_stamp *stamp,
                                   framemap_error *error)
{
    struct fm_heap *heap = host->catalog->heap;
    struct folder_walk walk = {.host = host, .root = path};
    fm_arena_init(&walk.arena, heap);
    fm_table_init(&walk.seen_table, heap);
    framemap_status status = push_folder(&walk, path, stamp, 0, error);
    while (status == FRAMEMAP_OK && walk.pending_count) {
        struct folder folder = walk.pending[--walk.pending_count];
        status = read_folder(&walk, &folder, error);
    }
    fm_heap_free(heap, walk.pending, walk.pending_capacity * sizeof *walk.pending);
    fm_heap_free(heap, walk.seen, walk.seen_capacity * sizeof *walk.seen);
    fm_table_free(&walk.seen_table);
    fm_arena_free(&walk.arena);
    return status;
}

static framemap_status inspect_given(const struct fm_scan_host *host, const char *path, const struct fm_stamp *stamp,
                                     framemap_error *error)
{
    struct fm_arena arena;
    framemap_str root;
    fm_arena_init(&arena, host->catalog->heap);
    framemap_status status = fm_arena_str(&arena, fm_folder_of(path), &root) ? FRAMEMAP_OK : fm_error_memory(error);
    if (status == FRAMEMAP_OK) status = fm_scan_file(host, path, root.data ? root.data : "", stamp, UINT32_MAX, error);
    fm_arena_free(&arena);
    return status;
}

framemap_status fm_scan_path(const struct fm_scan_host *host, const char *path, bool strict, framemap_error *error)
{
    struct stat st;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
        struct fm_stamp stamp = fm_stamp_from(&st);
        return scan_folder(host, path, &stamp, error);
    }
    struct fm_stamp stamp = {0};
    framemap_error fault = {0};
    framemap_status status = FRAMEMAP_OK;
    if (fm_catalog_has_path(host->catalog, path)) return FRAMEMAP_OK;
    fm_member_stamp_of(path, &stamp);
    status = inspect_given(host, path, &stamp, &fault);
    if (status == FRAMEMAP_OK) return FRAMEMAP_OK;
    fm_fault_at(&fault, path);
    if (strict || status == FRAMEMAP_E_IO || status == FRAMEMAP_E_MEMORY) {
        if (error) *error = fault;
        return status;
    }
    fm_scan_warn(host, &fault);
    return FRAMEMAP_OK;
}
