/* Files into memory: the one place below session/ that opens a file. */
#ifndef FM_CORE_MAPFILE_H
#define FM_CORE_MAPFILE_H

#include <framemap/base.h>

struct fm_mapfile {
    framemap_str bytes; /* the whole file, read only; at least one readable byte is not promised past its end */
    void *map;
    size_t map_size;
    size_t passed; /* bytes, whole pages, that were let go of */
};

/* Maps a regular file. Errors (IO) name the path and the reason in words: no such file, a directory, no permission, not a regular file.
 * An empty file gives empty bytes. The bytes are the file itself: whoever cuts it short while it is mapped ends this process (SIGBUS), which is
 * why tools that replace files rename a new one over the old. */
framemap_status fm_mapfile_open(const char *path, struct fm_mapfile *out, framemap_error *error);
/* Lets go of the memory of the bytes before `offset`; read again, they come from the file again. */
void fm_mapfile_passed(struct fm_mapfile *file, size_t offset);
/* The same of some bytes. */
void fm_mapfile_let_go(struct fm_mapfile *file, size_t offset, size_t size);
void fm_mapfile_close(struct fm_mapfile *file);

#endif
