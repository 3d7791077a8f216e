/* Files into memory: the one place below session/ that opens a file. */
#ifndef FM_CORE_MAPFILE_H
#define FM_CORE_MAPFILE_H

#include "core/file_stamp.h"
#include "core/heap.h"

struct fm_guarded_map;

struct fm_mapfile {
    framemap_str bytes; /* the whole file, read only; at least one readable byte is not promised past its end */
    void *map;          /* NULL: the bytes were read, or there are none */
    size_t map_size;
    size_t passed; /* bytes, whole pages, that were let go of */
    bool has_descriptor;
    int descriptor; /* of a mapped file, for fm_mapfile_changed */
    struct fm_stamp stamp;
    struct fm_guarded_map *guarded;
    struct fm_heap *heap; /* of bytes that were read */
};

/* Maps a regular file. Errors (IO) name the path and the reason in words: no such file, a directory, no permission, not
 * a regular file. An empty file gives empty bytes. The bytes are the file itself. If it is cut short while it is
 * mapped, reading what was lost ends the process (SIGBUS) unless the guard of core/map_guard.h is installed; then it
 * reads as zeros. Ask fm_mapfile_changed after reading. */
framemap_status fm_mapfile_open(const char *path, struct fm_mapfile *out, framemap_error *error);
/* The same, but a file of up to `read_up_to` bytes is read into memory of the heap, so that it can't change. Errors:
 * also MEMORY; IO where the file changes while it is read. */
framemap_status fm_mapfile_open_small(const char *path, size_t read_up_to, struct fm_heap *heap, struct fm_mapfile *out,
                                      framemap_error *error);
/* The same of a descriptor, which it takes over, also when it fails. */
framemap_status fm_mapfile_take(int descriptor, size_t read_up_to, struct fm_heap *heap, struct fm_mapfile *out,
                                framemap_error *error);
/* Whether the file is another one than at open, by its size and times, or lost pages that were read. A system call.
 * false for bytes that were read. */
bool fm_mapfile_changed(const struct fm_mapfile *file);
/* Lets go of the memory of the bytes before `offset`; read again, they come from the file again. */
void fm_mapfile_consumed(struct fm_mapfile *file, size_t offset);
/* The same of some bytes. */
void fm_mapfile_release_range(struct fm_mapfile *file, size_t offset, size_t size);
/* A zeroed one and one that is closed already are allowed. */
void fm_mapfile_close(struct fm_mapfile *file);

#endif
