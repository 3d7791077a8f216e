/* Finds the source file for a path that is stored in symbols. The files are in folders and archives that the caller
 * names. Called by session.c and source_lines.c; independent of frames. The tree does not change once all folders are
 * added, so any number of threads may query it. */
#ifndef FM_SESSION_SOURCES_SOURCE_TREE_H
#define FM_SESSION_SOURCES_SOURCE_TREE_H

#include "core/heap.h"
#include "core/text/text.h"
#include "session/catalog/path_text.h"

struct fm_sort_item;

struct fm_source_file {
    framemap_str path;   /* path below the folder, or the path that is stated in the archive; followed by a NUL */
    framemap_str stored; /* name of the file in the archive, followed by a NUL; absent: the file is in a folder */
    uint32_t folder;     /* index of the file's folder or archive in `folders` */
};

struct fm_source_tree {
    struct fm_heap *heap;
    struct fm_arena arena; /* memory of the texts */
    const char **folders;
    struct fm_source_file *files;
    struct fm_sort_item *order; /* the files, sorted by their paths, which are compared from their ends */
    size_t folder_count, folder_capacity, file_count, file_capacity, order_count;
};

#define FM_NO_SOURCE UINT32_MAX

void fm_source_tree_init(struct fm_source_tree *tree, struct fm_heap *heap);
void fm_source_tree_free(struct fm_source_tree *tree);

/* Adds the files below a folder. Files and folders whose names begin with a dot, and symbolic links, are omitted. If
 * the path is an archive, adds the files in it, with the paths that they have there; in a source bundle of Sentry, with
 * the paths that its manifest.json states. At most FM_LIMIT_SCAN_FILES files are added, from folders of at most
 * FM_LIMIT_SCAN_DEPTH levels. Errors: IO (the path is not a folder that can be read), those of fm_archive_open, CORRUPT
 * (of the manifest), MEMORY. After an error, the tree can only be freed. */
framemap_status fm_source_tree_add(struct fm_source_tree *tree, const char *path, framemap_error *error);

/* Returns the number of the file to which a path in symbols refers: the file whose path has the most components at its
 * end in common with `path`. These components must be all of `path`, or all of the file's path below its folder, or at
 * least a folder and a file name. If several files have equally many components in common, a file whose path has no
 * further components is chosen. FM_NO_SOURCE: no file was found, or several are equally good. docs/symbols.md has the
 * rule. */
uint32_t fm_source_tree_find(const struct fm_source_tree *tree, framemap_str path);

/* Writes a path that fm_member_file_open can open. If the file is in a folder, symbolic links are resolved; so the
 * caller opens exactly the file that was checked. Returns false if the path does not fit into `out`, or if the file is
 * not below its folder any more. */
bool fm_source_tree_path(const struct fm_source_tree *tree, uint32_t file, char out[FM_PATH_ROOM]);

#endif
