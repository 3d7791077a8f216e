/* Maps or reads files: the only place below session/ that opens a file. */
#ifndef FM_CORE_MAPFILE_H
#define FM_CORE_MAPFILE_H

#include "core/file_stamp.h"
#include "core/heap.h"

struct fm_guarded_map;

struct fm_mapfile {
    framemap_str bytes; /* the whole file, or its part (fm_mapfile_narrow), read-only; no byte after its end may be
                           read */
    size_t start;       /* offset of the part in the file */
    void *map;          /* the mapping; NULL: the bytes were read into memory, or the file is empty */
    size_t map_size;
    size_t passed; /* bytes (whole pages) at the start that were released */
    bool has_descriptor;
    int descriptor; /* descriptor of a mapped file, for fm_mapfile_changed */
    struct fm_stamp stamp;
    struct fm_guarded_map *guarded;
    struct fm_heap *heap; /* if the bytes were read: heap of their block, of block_size bytes */
    size_t block_size;
};

/* Maps a regular file. Errors: IO, with the path and the reason in words (no such file, a directory, no permission, not
 * a regular file). An empty file has empty bytes. If the file is truncated while it is mapped, reading the lost pages
 * ends the process (SIGBUS), unless the guard of core/map_guard.h is installed; then they read as zeros. Call
 * fm_mapfile_changed after reading. */
framemap_status fm_mapfile_open(const char *path, struct fm_mapfile *out, framemap_error *error);
/* Opens a file as fm_mapfile_open does, but reads a file of up to `read_up_to` bytes into memory of the heap, so that
 * it cannot change. Files of /proc, which report no size, are read into memory as well. Errors: also MEMORY, and IO if
 * the file changes while it is read. */
framemap_status fm_mapfile_open_small(const char *path, size_t read_up_to, struct fm_heap *heap, struct fm_mapfile *out,
                                      framemap_error *error);
/* Opens as fm_mapfile_open_small does, but from a descriptor, which this function owns from now on, after a failure
 * too. */
framemap_status fm_mapfile_take(int descriptor, size_t read_up_to, struct fm_heap *heap, struct fm_mapfile *out,
                                framemap_error *error);
/* Leaves only a part of the bytes: a file in an archive. May be called again, for an archive in an archive. */
void fm_mapfile_narrow(struct fm_mapfile *file, framemap_str part);
/* Replaces the file's bytes by others that were made from them, such as the decompressed ones. The new bytes are a
 * block of the heap, owned by the struct from now on. fm_mapfile_changed still watches the file. */
void fm_mapfile_replace(struct fm_mapfile *file, struct fm_heap *heap, framemap_str bytes);
/* Whether the file has changed since it was opened (size, times), or pages that the file has lost were read. Makes a
 * system call. Always false for bytes that were read into memory. */
bool fm_mapfile_changed(const struct fm_mapfile *file);
/* Closes the descriptor of a mapped file, for callers that keep many files open; the bytes stay. From then on
 * fm_mapfile_changed reports only pages that were lost. */
void fm_mapfile_close_descriptor(struct fm_mapfile *file);
/* Releases the memory of the bytes before `offset`. If they are read again, they are loaded from the file. */
void fm_mapfile_consumed(struct fm_mapfile *file, size_t offset);
/* Releases the memory of the range [offset, offset + size), as fm_mapfile_consumed does for the start of the file. */
void fm_mapfile_release_range(struct fm_mapfile *file, size_t offset, size_t size);
/* Unmaps or frees the bytes and closes the descriptor. A zero-initialised or closed struct is allowed. */
void fm_mapfile_close(struct fm_mapfile *file);

#endif
