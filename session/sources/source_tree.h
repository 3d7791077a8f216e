/* The source files below given folders and in given archives, and the search for the file that a path in symbols
 * means. Called by session.c and restore/source_lines.c; it must not know frames. The tree does not change once all
 * folders were added: any number of threads may query it. */
#ifndef FM_SESSION_SOURCES_SOURCE_TREE_H
#define FM_SESSION_SOURCES_SOURCE_TREE_H

#include "core/heap.h"
#include "core/text/text.h"
#include "session/catalog/path_text.h"

struct fm_sort_item;

struct fm_source_file {
    framemap_str path;   /* path below the folder, or as the archive states it; followed by a 0 */
    framemap_str stored; /* name of the file in the archive, followed by a 0; absent: a file of a folder */
    uint32_t folder;     /* index in `folders` of the folder or archive */
};

struct fm_source_tree {
    struct fm_heap *heap;
    struct fm_arena arena; /* memory of the texts */
    const char **folders;
    struct fm_source_file *files;
    struct fm_sort_item *order; /* files by their paths, compared from the ends */
    size_t folder_count, folder_capacity, file_count, file_capacity, order_count;
};

#define FM_NO_SOURCE UINT32_MAX

void fm_source_tree_init(struct fm_source_tree *tree, struct fm_heap *heap);
void fm_source_tree_free(struct fm_source_tree *tree);

/* Lists the files below a folder: not those in folders whose name begins with a dot, and no symbolic links. If the
 * path is an archive, lists the files in it, by their paths there, or, in a source bundle of Sentry, by the paths
 * that its manifest.json states. At most FM_LIMIT_SCAN_FILES files, FM_LIMIT_SCAN_DEPTH folders deep; others are
 * left out. Errors: IO (it is not a folder that can be read), those of fm_archive_open, CORRUPT (the manifest),
 * MEMORY; then the tree can only be freed. */
framemap_status fm_source_tree_add(struct fm_source_tree *tree, const char *path, framemap_error *error);

/* Returns the number of the file that a path means: the file whose path has the most names at its end in common with
 * `path`. These must be the whole path, or all of the file's path below its folder, or at least a folder and a name. If
 * several files have equally many in common, the file whose path consists of only these names. FM_NO_SOURCE: none, or
 * several. path: spelled as symbols have it. docs/symbols.md has the rule. */
uint32_t fm_source_tree_find(const struct fm_source_tree *tree, framemap_str path);

/* Writes the path of a file for fm_member_file_open; in a folder with symbolic links resolved, so that the file that
 * was checked is the one that is opened. Returns false if the path does not fit into `out`, or if the file is no
 * longer below its folder. */
bool fm_source_tree_path(const struct fm_source_tree *tree, uint32_t file, char out[FM_PATH_ROOM]);

#endif
