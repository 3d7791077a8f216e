/* The folder of the disk cache: files that only we can have written, kept to a budget.
 *
 * A folder or file is used only if it belongs to the user of the process and nobody else may write to it. Symbolic
 * links in it are not followed, and neither is one in the place of the folder itself. What files mean is known to
 * disk_cache.c. */
#ifndef FM_SESSION_CACHE_CACHE_FOLDER_H
#define FM_SESSION_CACHE_CACHE_FOLDER_H

#include "core/heap.h"

#define FM_CACHE_NAME_SIZE 96 /* the longest name of a file, with its NUL */

enum fm_cache_part { FM_CACHE_INDEXES, FM_CACHE_CONTENTS };

/* Where it is, and what is known of it. Calls come from many threads. */
struct fm_cache_folder {
    const char *path; /* without "v1"; NULL: there is none */
    struct fm_heap *heap;
    uint64_t budget;             /* bytes of all its files */
    const char *version;         /* names of indexes that begin so are of this version */
    atomic_uint_least64_t bytes; /* that were there when it was swept, and were written since; 0: not swept yet */
    atomic_bool refused;         /* a fault was returned by fm_cache_fault already */
};

/* Why the last call of this thread failed: NULL, it is not there. Else a static text; not for errno. */
struct fm_cache_fault {
    const char *why;
    int code; /* errno, where `why` is NULL */
};

/* A descriptor of a file, which was checked; its time of use is set. -1: it is not there or must not be used. */
int fm_cache_open(const struct fm_cache_folder *folder, enum fm_cache_part part, const char *name,
                  struct fm_cache_fault *fault);
/* Writes a file whole or not at all, also when the machine stops meanwhile; makes the folders. The last of several
 * writers wins. Then sweeps, if the files may be over the budget: files of other versions and those unused for longest
 * are removed. One that alone is over the budget is not written, and true. */
bool fm_cache_write(struct fm_cache_folder *folder, enum fm_cache_part part, const char *name, framemap_str bytes,
                    struct fm_cache_fault *fault);
/* Counts the files that are ours, and removes some while they are over the budget. */
void fm_cache_sweep(struct fm_cache_folder *folder);

#endif
