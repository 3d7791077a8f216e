/* Keeps the bytes that a scan decompressed, of files in archives and of compressed files, for the compilation that
 * often follows. Each file is handed out once. The caller holds the session's lock. Called by the scan and by the index
 * cache. */
#ifndef FM_SESSION_CATALOG_KEPT_FILES_H
#define FM_SESSION_CATALOG_KEPT_FILES_H

#include "core/mapfile.h"

struct fm_kept_file;
struct fm_kept_files {
    struct fm_heap *heap;
    uint64_t most, bytes; /* most: bytes that may be kept; bytes: bytes that are kept */
    struct fm_kept_file *rows;
    size_t count, capacity;
};

/* Sets up an empty store of files. Nothing is kept until `most` is set. */
void fm_kept_files_init(struct fm_kept_files *kept, struct fm_heap *heap);
void fm_kept_files_free(struct fm_kept_files *kept);

/* Keeps a block of `heap` as the contents of the file at a path, which may be in an archive. Returns whether the store
 * now owns the block. */
bool fm_kept_files_add(struct fm_kept_files *kept, const char *path, framemap_str block);
/* Hands out the file at a path. Returns false if the file is not kept, or has changed since. *out: to be closed by the
 * caller. */
bool fm_kept_files_take(struct fm_kept_files *kept, const char *path, struct fm_mapfile *out);

#endif
