/* Implements source_tree.h. The files are sorted by their paths, compared from the end to the start. So the files whose
 * paths have the longest end in common with a given path are next to the position of that path in the order. */
#define _XOPEN_SOURCE 700 /* this declares fstatat() and realpath() */
#include "session/sources/source_tree.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/merge_sort.h"
#include "session/sources/source_archive.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void fm_source_tree_init(struct fm_source_tree *tree, struct fm_heap *heap)
{
    *tree = (struct fm_source_tree){.heap = heap};
    fm_arena_init(&tree->arena, heap);
}

void fm_source_tree_free(struct fm_source_tree *tree)
{
    fm_heap_free(tree->heap, tree->order, tree->order_count * sizeof *tree->order);
    fm_heap_free(tree->heap, tree->files, tree->file_capacity * sizeof *tree->files);
    fm_heap_free(tree->heap, tree->folders, tree->folder_capacity * sizeof *tree->folders);
    fm_arena_free(&tree->arena);
}

/* --- ordering the files by the ends of their paths --- */

static char as_slash(char byte) { return byte == '\\' ? '/' : byte; }

/* Compares two paths from their ends. A slash is less than all other bytes, so that paths with the same file name are
 * adjacent. */
static int compare_ends(framemap_str a, framemap_str b)
{
    size_t i = a.size, j = b.size;
    while (i && j) {
        const unsigned char one = (unsigned char)as_slash(a.data[--i]), other = (unsigned char)as_slash(b.data[--j]);
        if (one == other) continue;
        if (one == '/' || other == '/') return one == '/' ? -1 : 1;
        return one < other ? -1 : 1;
    }
    return (i > 0) - (j > 0);
}

static int compare_files(const void *context, uint32_t a, uint32_t b)
{
    const struct fm_source_file *files = context;
    const int order = compare_ends(files[a].path, files[b].path);
    return order ? order : (files[a].folder > files[b].folder) - (files[a].folder < files[b].folder);
}

static bool sort_files(struct fm_source_tree *tree)
{
    if (tree->file_count == 0) return true;
    struct fm_sort_item *order = fm_heap_zalloc(tree->heap, tree->file_count, sizeof *order);
    if (order == NULL) return false;
    fm_heap_free(tree->heap, tree->order, tree->order_count * sizeof *tree->order);
    tree->order = order;
    tree->order_count = tree->file_count;
    for (size_t i = 0; i < tree->file_count; i++) order[i].id = (uint32_t)i;
    return fm_sort(tree->heap, order, tree->file_count, compare_files, tree->files);
}

/* --- listing files --- */

struct source_walk {
    struct fm_source_tree *tree;
    struct fm_arena arena;
    struct pending {
        const char *path; /* path below the folder that is listed, with a slash at its end; "": that folder itself */
        uint32_t depth;
    } *pending;
    size_t count, capacity;
};

static bool push(struct source_walk *walk, const char *path, uint32_t depth)
{
    if (!FM_GROW(walk->tree->heap, walk->pending, walk->capacity, walk->count + 1)) return false;
    walk->pending[walk->count++] = (struct pending){path, depth};
    return true;
}

/* Adds a file of the folder or archive that was added last. stored: see fm_source_file. Both strings are copied. */
static bool keep_file(void *context, framemap_str path, framemap_str stored)
{
    struct fm_source_tree *tree = context;
    if (tree->file_count == FM_LIMIT_SCAN_FILES) return true;
    if (!FM_GROW(tree->heap, tree->files, tree->file_capacity, tree->file_count + 1)) return false;
    struct fm_source_file *file = &tree->files[tree->file_count];
    *file = (struct fm_source_file){.folder = (uint32_t)tree->folder_count - 1};
    if (!fm_arena_str(&tree->arena, path, &file->path)) return false;
    if (stored.size && !fm_arena_str(&tree->arena, stored, &file->stored)) return false;
    tree->file_count++;
    return true;
}

static bool visit_row(struct source_walk *walk, const struct pending *folder, DIR *dir, const char *name)
{
    char path[FM_PATH_ROOM];
    struct stat about;
    framemap_str copy;
    if (name[0] == '.' || fstatat(dirfd(dir), name, &about, AT_SYMLINK_NOFOLLOW) != 0) return true;
    const bool is_folder = S_ISDIR(about.st_mode) && folder->depth < FM_LIMIT_SCAN_DEPTH;
    if (!is_folder && !S_ISREG(about.st_mode)) return true;
    if (!fm_path_make(path, "%s%s%s", folder->path, name, is_folder ? "/" : "")) return true;
    if (!is_folder) return keep_file(walk->tree, framemap_str_of(path), fm_str(NULL, 0));
    return fm_arena_str(&walk->arena, framemap_str_of(path), &copy) && push(walk, copy.data, folder->depth + 1);
}

/* Adds the files in a folder to the tree, and its subfolders to the folders that are still to be read. *fault: errno if
 * the folder cannot be read, otherwise 0. Returns false if out of memory. */
static bool read_source_folder(struct source_walk *walk, const struct pending *folder, int *fault)
{
    char path[FM_PATH_ROOM];
    const char *root = walk->tree->folders[walk->tree->folder_count - 1];
    DIR *dir = fm_path_make(path, "%s/%s", root, folder->path) ? opendir(path) : NULL;
    const struct dirent *row;
    bool good = true;
    *fault = dir == NULL ? errno : 0;
    if (dir == NULL) return true;
    for (errno = 0; good && (row = readdir(dir)) != NULL; errno = 0) good = visit_row(walk, folder, dir, row->d_name);
    *fault = errno;
    closedir(dir);
    return good;
}

static framemap_status walk_tree(struct source_walk *walk, const char *folder, framemap_error *error)
{
    bool is_first = true, good = push(walk, "", 0);
    int fault;
    while (good && walk->count) {
        const struct pending next = walk->pending[--walk->count];
        good = read_source_folder(walk, &next, &fault);
        if (is_first && fault != 0) {
            fm_error_set(error, FRAMEMAP_E_IO, "the folder can't be read: %s", strerror(fault));
            fm_error_where(error, framemap_str_of(folder));
            return FRAMEMAP_E_IO;
        }
        is_first = false;
    }
    return good ? FRAMEMAP_OK : fm_error_memory(error);
}

static framemap_status walk_folder(struct fm_source_tree *tree, const char *folder, framemap_error *error)
{
    struct source_walk walk = {.tree = tree};
    fm_arena_init(&walk.arena, tree->heap);
    const framemap_status status = walk_tree(&walk, folder, error);
    fm_heap_free(tree->heap, walk.pending, walk.capacity * sizeof *walk.pending);
    fm_arena_free(&walk.arena);
    return status;
}

framemap_status fm_source_tree_add(struct fm_source_tree *tree, const char *path, framemap_error *error)
{
    struct stat about;
    framemap_str copy;
    if (!FM_GROW(tree->heap, tree->folders, tree->folder_capacity, tree->folder_count + 1) ||
        !fm_arena_str(&tree->arena, framemap_str_of(path), &copy))
        return fm_error_memory(error);
    tree->folders[tree->folder_count++] = copy.data;
    const bool is_file = stat(path, &about) == 0 && S_ISREG(about.st_mode);
    framemap_status status =
        is_file ? fm_source_archive_list(path, tree->heap, keep_file, tree, error) : walk_folder(tree, path, error);
    if (status == FRAMEMAP_OK && !sort_files(tree)) status = fm_error_memory(error);
    /* After an error, the only thing a caller may do with the tree is to free it; so it gets no files. */
    if (status != FRAMEMAP_OK) tree->file_count = 0;
    return status;
}

/* --- finding a file --- */

/* Returns the number of path components that two paths have in common at their ends. *whole: all components of `b` are
 * in common. */
static size_t shared_names(framemap_str a, framemap_str b, bool *whole)
{
    size_t i = a.size, j = b.size, names = 0;
    while (i && j && as_slash(a.data[i - 1]) == as_slash(b.data[j - 1])) {
        i--;
        j--;
        names += as_slash(a.data[i]) == '/';
    }
    const bool ends = (i == 0 || as_slash(a.data[i - 1]) == '/') && (j == 0 || as_slash(b.data[j - 1]) == '/');
    /* The first component is counted here, since no slash precedes it. */
    if (ends && i < a.size && as_slash(a.data[i]) != '/') names++;
    *whole = ends && j == 0 && names > 0;
    return names;
}

/* Returns the part of a path that may be the path of a file below a folder: without scheme, host and query ("?…"), and
 * without "./" and "../" at its start. For "package:app/src/a.dart" it is "lib/src/a.dart", since a package of Dart has
 * its files in the folder "lib". room: memory for the result. */
static framemap_str file_part(framemap_str path, char room[FM_PATH_ROOM])
{
    const size_t scheme = fm_str_find(path, FM_STR("://"));
    const bool package = fm_str_starts(path, FM_STR("package:"));
    if (package || scheme != FM_NOT_FOUND) {
        path = fm_str_from(path, package ? 0 : scheme + 3);
        /* if there is no slash, the offset is FM_NOT_FOUND + 1, which is 0, so that nothing is removed */
        path = fm_str_from(path, fm_str_find_byte(path, '/') + 1);
        path = fm_str_slice(path, 0, fm_str_find_byte(path, '?'));
    }
    if (package && path.size < FM_PATH_ROOM && fm_path_make(room, "lib/%.*s", (int)path.size, path.data))
        return framemap_str_of(room);
    while (fm_str_starts(path, FM_STR("./")) || fm_str_starts(path, FM_STR("../")) || fm_str_starts(path, FM_STR("/")))
        path = fm_str_from(path, fm_str_find_byte(path, '/') + 1);
    return path;
}

static framemap_str path_at(const struct fm_source_tree *tree, size_t place)
{
    return tree->files[tree->order[place].id].path;
}

/* Returns the position in the sorted order at which a path is, or would be inserted. */
static size_t place_of(const struct fm_source_tree *tree, framemap_str path)
{
    size_t low = 0, high = tree->file_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_ends(path_at(tree, middle), path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Finds a file whose whole path (below the folder that was added) is the end of `path`; if there are several, the file
 * with the longest path. *names: number of components of the found path; 0 if no file is found. */
static uint32_t find_whole(const struct fm_source_tree *tree, framemap_str path, size_t *names)
{
    bool whole;
    for (size_t at = 0; at < path.size; at++) {
        if (at > 0 && as_slash(path.data[at - 1]) != '/') continue;
        const framemap_str end = fm_str_from(path, at);
        const size_t place = place_of(tree, end);
        if (place == tree->file_count || compare_ends(path_at(tree, place), end) != 0) continue;
        *names = shared_names(end, end, &whole);
        return tree->order[place].id;
    }
    *names = 0;
    return FM_NO_SOURCE;
}

/* Returns the file whose path has the most components at its end in common with `path`; FM_NO_SOURCE if several files
 * have equally many. *whole: all components of `path` are in common. */
static uint32_t find_nearest(const struct fm_source_tree *tree, framemap_str path, size_t *names, bool *whole)
{
    /* This is how many files are compared on each side of the position that the path would have in the list. If several
     * files have equally many components in common with the path, two of them are among these. */
    enum { AROUND = 2 };
    const size_t place = place_of(tree, path);
    uint32_t best = FM_NO_SOURCE;
    *names = 0;
    for (size_t i = place > AROUND ? place - AROUND : 0; i < place + AROUND && i < tree->file_count; i++) {
        bool all;
        const size_t shared = shared_names(path_at(tree, i), path, &all);
        if (shared < *names || shared == 0) continue;
        best = shared == *names ? FM_NO_SOURCE : tree->order[i].id;
        *names = shared;
        *whole = all;
    }
    return best;
}

uint32_t fm_source_tree_find(const struct fm_source_tree *tree, framemap_str path)
{
    char room[FM_PATH_ROOM];
    size_t whole_names, names;
    bool whole = false;
    path = file_part(path, room);
    if (path.size == 0 || path.size >= FM_PATH_ROOM || tree->file_count == 0) return FM_NO_SOURCE;
    const uint32_t exact = find_whole(tree, path, &whole_names);
    const uint32_t nearest = find_nearest(tree, path, &names, &whole);
    if (whole_names >= names) return exact;
    return whole || names > 1 ? nearest : FM_NO_SOURCE;
}

bool fm_source_tree_path(const struct fm_source_tree *tree, uint32_t file, char out[FM_PATH_ROOM])
{
    char stated[FM_PATH_ROOM], whole[PATH_MAX];
    const struct fm_source_file *row = &tree->files[file];
    const char *folder = tree->folders[row->folder];
    if (row->stored.size) return fm_path_make(out, "%s!%s", folder, row->stored.data);
    return fm_path_make(stated, "%s/%s", folder, row->path.data) && realpath(stated, whole) != NULL &&
           fm_is_below(folder, whole) && fm_path_make(out, "%s", whole);
}
