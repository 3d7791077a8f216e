/* Implements kept_files.h: keeps a list of at most 256 decompressed files by path. A file is handed out only if the
 * file on disk (or the archive that contains it) was not changed meanwhile. */
#include "session/catalog/kept_files.h"

#include "core/archive/member_file.h"

#include <string.h>

enum { MOST_FILES = 256 }; /* maximum number of files that are kept; a linear search through more would be slow */

struct fm_kept_file {
    char *path; /* the path, in a block of its own */
    struct fm_stamp stamp;
    framemap_str block;
};

void fm_kept_files_init(struct fm_kept_files *kept, struct fm_heap *heap)
{
    *kept = (struct fm_kept_files){.heap = heap};
}

static void free_path(struct fm_kept_files *kept, struct fm_kept_file *row)
{
    fm_heap_free(kept->heap, row->path, strlen(row->path) + 1);
}

static void free_block(struct fm_kept_files *kept, framemap_str block)
{
    /* The cast is allowed: this file allocated the block, and the member only adds the const. */
    fm_heap_free(kept->heap, (char *)(uintptr_t)block.data, block.size);
}

void fm_kept_files_free(struct fm_kept_files *kept)
{
    for (size_t i = 0; i < kept->count; i++) {
        free_block(kept, kept->rows[i].block);
        free_path(kept, &kept->rows[i]);
    }
    fm_heap_free(kept->heap, kept->rows, kept->capacity * sizeof *kept->rows);
    fm_kept_files_init(kept, kept->heap);
}

bool fm_kept_files_add(struct fm_kept_files *kept, const char *path, framemap_str block)
{
    struct fm_kept_file row = {.block = block};
    const size_t size = strlen(path) + 1;
    if (block.size == 0 || kept->count >= MOST_FILES || block.size > kept->most - kept->bytes) return false;
    if (!fm_member_stamp_of(path, &row.stamp) || !FM_GROW(kept->heap, kept->rows, kept->capacity, kept->count + 1))
        return false;
    row.path = fm_heap_resize(kept->heap, NULL, 0, size);
    if (row.path == NULL) return false;
    memcpy(row.path, path, size);
    kept->bytes += block.size;
    kept->rows[kept->count++] = row;
    return true;
}

bool fm_kept_files_take(struct fm_kept_files *kept, const char *path, struct fm_mapfile *out)
{
    struct fm_stamp now;
    size_t at = 0;
    while (at < kept->count && strcmp(kept->rows[at].path, path) != 0) at++;
    if (at == kept->count) return false;
    struct fm_kept_file row = kept->rows[at];
    kept->rows[at] = kept->rows[--kept->count];
    kept->bytes -= row.block.size;
    const bool is_same = fm_member_stamp_of(path, &now) && fm_stamp_same_content(&row.stamp, &now);
    free_path(kept, &row);
    if (!is_same) {
        free_block(kept, row.block);
        return false;
    }
    *out = (struct fm_mapfile){.stamp = row.stamp};
    fm_mapfile_replace(out, kept->heap, row.block);
    return true;
}
