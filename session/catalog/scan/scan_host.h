/* Receives the entries and warnings of a scan of symbol paths, and determines which other files a file may name
 * (docs/security.md). */
#ifndef FM_SESSION_CATALOG_SCAN_SCAN_HOST_H
#define FM_SESSION_CATALOG_SCAN_SCAN_HOST_H

#include "session/catalog/catalog.h"

#include <limits.h>

struct fm_scan_host {
    struct fm_catalog *catalog;
    framemap_warning warning; /* reports unreadable files and folders and damaged symbol files; may be NULL */
    void *context;
    /* value of allow_outside in framemap_session_options: a file may name files outside of the given path */
    bool allow_outside;
    /* The error for the first file in a folder that is of a known kind (an archive, for example) but not a symbol file;
     * its `where` is the path of the file. Code OK: no such file was found so far. NULL: the error is not recorded. */
    framemap_error *passed;
};

/* An open file during a scan. */
struct fm_scanned {
    const char *path;
    /* The folder that the caller gave, or the folder of the file that the caller gave. Files that the scanned file
     * names are opened only below this folder. */
    const char *root;
    const struct fm_stamp *stamp;
    framemap_str bytes;
    uint32_t depth;  /* depth, as in fm_entry */
    size_t name_at;  /* offset in `path` of the name within the archive; 0: the file is not in an archive */
    uint64_t offset; /* offset of the file in the archive; 0: unknown, or the file is compressed */
    bool given;      /* the file was given by name, not found in a folder */
    /* for an archive: the folder in the archive whose files are listed; empty: all files are listed */
    framemap_str below;
};

void fm_scan_warn(const struct fm_scan_host *host, const framemap_error *fault);
/* Stores the whole path of the file in the fault. */
void fm_fault_at(framemap_error *fault, const char *path);

/* Whether a file may name another file, `what`. Only files below the given path may be named, since the naming file may
 * come from a stranger. whole: set to the resolved path that was checked; the caller must open this path. Returns false
 * if the file may not be opened; a warning was then reported. */
bool fm_may_open(const struct fm_scan_host *host, const struct fm_scanned *file, const char *path, const char *what,
                 char whole[PATH_MAX]);

#endif
