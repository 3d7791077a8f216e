/* Lists the files that may be a companion of a symbol file, without opening any. The rule for which files a symbol file
 * may name (docs/security.md) is implemented here. Called by companion_files.c. */
#ifndef FM_SESSION_CATALOG_COMPANION_CANDIDATES_H
#define FM_SESSION_CATALOG_COMPANION_CANDIDATES_H

#include "core/thread.h"
#include "session/catalog/debug_files.h"

/* A file that may be the requested companion, or a part of a file: a member of a static archive. */
struct fm_companion_candidate {
    const char *path;
    size_t at, size; /* offset and size of the part; size 0: the whole file */
};

struct fm_companion_candidates {
    struct fm_heap *heap;
    fm_mutex *lock;                      /* guards the catalogs; not held by the caller */
    struct fm_catalog *home;             /* the catalog of the symbol file; NULL: it is in none */
    const struct fm_debug_files *debug;  /* catalog, folders and permissions of the symbol file */
    const char *path;                    /* path of the symbol file */
    struct fm_arena arena;               /* memory of paths */
    struct fm_companion_candidate *rows; /* candidates for the last request */
    size_t count, capacity;
};

/* Lists the existing files that may be the requested one, the best first. If memory runs out, the rest of the list
 * is left out. */
void fm_companion_candidates_list(struct fm_companion_candidates *list, const framemap_companion_request *wanted);
/* Adds a candidate. false: out of memory, or there are FM_LIMIT_COMPANION_TRIES already. */
bool fm_companion_candidates_add(struct fm_companion_candidates *list, const struct fm_companion_candidate *candidate);

#endif
