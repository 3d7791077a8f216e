/* Lists the files that may be a companion of a symbol file (a file with a part of its debug info), without opening any.
 * Implements the rule of docs/security.md: which files a symbol file may name. Called by companion_files.c. */
#ifndef FM_SESSION_CATALOG_COMPANION_CANDIDATES_H
#define FM_SESSION_CATALOG_COMPANION_CANDIDATES_H

#include "core/thread.h"
#include "session/catalog/debug_files.h"

/* A file that may be the requested companion, or a part of such a file: a member of a static archive. */
struct fm_companion_candidate {
    const char *path;
    size_t at, size; /* offset and size of the part; size 0: the whole file */
};

struct fm_companion_candidates {
    struct fm_heap *heap;
    fm_mutex *lock;          /* guards the catalogs; the caller does not hold it */
    struct fm_catalog *home; /* the catalog that has the symbol file; NULL: no catalog has it */
    /* the catalog and the folders in which to search, and what the session permits */
    const struct fm_debug_files *debug;
    const char *path;                    /* path of the symbol file */
    struct fm_arena arena;               /* memory of the candidates' paths */
    struct fm_companion_candidate *rows; /* candidates for the last request */
    size_t count, capacity;
};

/* Lists the existing files that may be the requested companion, the best first. If memory runs out, the list is
 * incomplete. */
void fm_companion_candidates_list(struct fm_companion_candidates *list, const framemap_companion_request *wanted);
/* Adds a candidate. Returns false if out of memory, or if there are FM_LIMIT_COMPANION_TRIES candidates already. */
bool fm_companion_candidates_add(struct fm_companion_candidates *list, const struct fm_companion_candidate *candidate);

#endif
