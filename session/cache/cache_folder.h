/* The folder of the disk cache: files that only the user of the process can have written, up to a maximum total size.
 * Called by disk_cache.c; the contents of the files are not interpreted here.
 *
 * A folder or file is used only if it belongs to the user of the process and no other user may write to it. Symbolic
 * links in the folder are not followed, and the folder itself must not be a symbolic link. */
#ifndef FM_SESSION_CACHE_CACHE_FOLDER_H
#define FM_SESSION_CACHE_CACHE_FOLDER_H

#include "core/heap.h"

#define FM_CACHE_NAME_SIZE 96 /* size of the longest file name, with its NUL */

enum fm_cache_part { FM_CACHE_INDEXES, FM_CACHE_CONTENTS };

/* Path and state of the folder. Any thread may call. */
struct fm_cache_folder {
    const char *path; /* path of the folder, without the subfolder "v1" that holds the files; NULL: there is no cache */
    struct fm_heap *heap;
    uint64_t budget;     /* maximum number of bytes of all files together */
    const char *version; /* prefix of the file names of indexes made by this version */
    atomic_uint_least64_t
        /* size of the files found by the last sweep plus the size of those written since; 0: the folder was not swept
         * yet */
        bytes;
    atomic_bool refused;   /* a refused folder or file was already reported */
    atomic_bool unwritten; /* a file that could not be written was already reported */
};

/* Why a call failed. If `why` is NULL and `code` is 0, the file does not exist. why: a static string, for failures that
 * have no errno. */
struct fm_cache_fault {
    const char *why;
    int code; /* errno, if `why` is NULL */
};

/* Opens a file, checks its owner and mode, and updates its time of use. Returns a descriptor, or -1 if the file does
 * not exist or must not be used. */
int fm_cache_open(const struct fm_cache_folder *folder, enum fm_cache_part part, const char *name,
                  struct fm_cache_fault *fault);
/* Writes a file completely or not at all, even if the machine stops meanwhile; creates the folders. If several
 * processes write the file, the last one wins. Sweeps the folder if the files may exceed the budget. A file that
 * exceeds the budget by itself is not written; the result is true in that case. Returns false on failure; see
 * *fault. */
bool fm_cache_write(struct fm_cache_folder *folder, enum fm_cache_part part, const char *name, framemap_str bytes,
                    struct fm_cache_fault *fault);
/* Determines the total size of the cache's files. While it exceeds the budget, removes files of other versions, and
 * then the least recently used files. */
void fm_cache_sweep(struct fm_cache_folder *folder);

#endif
