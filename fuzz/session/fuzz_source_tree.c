/* Looks up paths from symbols, one per line, in a folder of sources. Properties: a file that is found is below the
 * folder, and its name occurs in the path; looking up a path twice finds the same file. */
#include "core/text/scan.h"
#include "session/catalog/path_text.h"
#include "session/sources/source_tree.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds) abort();
}

static const struct fm_source_tree *demo_sources(void)
{
    static struct fm_heap heap;
    static struct fm_source_tree tree;
    if (tree.file_count) return &tree;
    fm_heap_init(&heap, NULL, 0);
    fm_source_tree_init(&tree, &heap);
    must(fm_source_tree_add(&tree, FM_SOURCE_DIR "/corpus/demo", NULL) == FRAMEMAP_OK);
    must(fm_source_tree_add(&tree, FM_SOURCE_DIR "/corpus/javascript", NULL) == FRAMEMAP_OK);
    return &tree;
}

static void check(const struct fm_source_tree *tree, framemap_str path)
{
    static const char root[] = FM_SOURCE_DIR "/corpus/";
    char whole[FM_PATH_ROOM];
    const uint32_t file = fm_source_tree_find(tree, path);
    must(fm_source_tree_find(tree, path) == file);
    if (file == FM_NO_SOURCE) return;
    must(file < tree->file_count && fm_source_tree_path(tree, file, whole));
    must(strncmp(whole, root, sizeof root - 1) == 0);
    const framemap_str name = fm_str_basename(tree->files[file].path);
    must(fm_str_find(path, name) != FM_NOT_FOUND);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct fm_source_tree *tree = demo_sources();
    struct fm_scan s = fm_scan_of(fm_str(data, size));
    framemap_str line;
    while (fm_scan_line(&s, &line)) check(tree, line);
    return 0;
}
