/* Finds the files that contain a part of the debug info of one symbol file: .dwo, .dwp, and the files into which dwz
 * moves shared parts. Keeps them open while the symbol file is compiled. companion_candidates.h has the rule for which
 * files a symbol file may name. Called by the index cache. */
#ifndef FM_SESSION_CATALOG_COMPANION_FILES_H
#define FM_SESSION_CATALOG_COMPANION_FILES_H

#include "core/mapfile.h"
#include "session/catalog/companion_candidates.h"

struct fm_companion_file; /* an open file */

struct fm_companion_files {
    struct fm_companion_candidates candidates;
    struct fm_companion_file **files; /* the files that are open */
    size_t count, capacity;
    struct fm_table table; /* table of the files' paths */
};

void fm_companion_files_init(struct fm_companion_files *files, struct fm_heap *heap, fm_mutex *lock,
                             struct fm_catalog *home, const struct fm_debug_files *debug, const char *path);
/* Closes the files. */
void fm_companion_files_free(struct fm_companion_files *files);

/* A framemap_companion whose context is a struct fm_companion_files. Candidates are files next to the symbol file;
 * files with the companion's name under the session's paths; the file named by the build id in the folders of debug
 * files; and the file at the path that the symbol file states, if it is below the folder of the symbol file or a folder
 * of debug files. If memory runs out, no further candidates are returned. */
bool fm_companion_files_get(void *files, const framemap_companion_request *wanted, framemap_str *bytes);

/* Whether one of the files has changed since it was opened. */
bool fm_companion_files_changed(const struct fm_companion_files *files);

/* Computes the cache key of an index that was compiled with companions. recorded: attribute FM_ATTRIBUTE_COMPANIONS of
 * the index, which lists the requests of its build. The new key depends on `key` and on all existing files that could
 * be these companions. key, out: hexadecimal SHA-256, with a NUL. */
void fm_companion_files_key(struct fm_companion_files *files, framemap_str recorded, const char *key, char out[65]);

#endif
