/* Receives the entries and warnings of a scan of symbol paths, and decides which other files a file may name
 * (docs/security.md). */
#ifndef FM_SESSION_CATALOG_SCAN_SCAN_HOST_H
#define FM_SESSION_CATALOG_SCAN_SCAN_HOST_H

#include "session/catalog/catalog.h"

#include <limits.h>

struct fm_scan_host {
    struct fm_catalog *catalog;
    framemap_warning warning; /* reports unreadable files and folders and damaged symbol files; may be NULL */
    void *context;
    bool allow_outside; /* as allow_outside in framemap_session_options */
    /* The first file of a folder that is of a known kind but not a symbol file: the reason, and its path as `where`.
     * The code is OK as long as there is no such file. NULL: not recorded. */
    framemap_error *passed;
};

/* An open file during a scan. */
struct fm_scanned {
    const char *path;
    /* The folder that was given, or the folder of the file that was given: files that this file names are opened
     * only below it. */
    const char *root;
    const struct fm_stamp *stamp;
    framemap_str bytes;
    uint32_t depth;     /* depth, as in fm_entry */
    size_t name_at;     /* offset of the name in an archive in `path`; 0: the file is not in an archive */
    uint64_t offset;    /* offset in the archive; 0: unknown, or the file is compressed */
    bool given;         /* given by name, not found in a folder */
    framemap_str below; /* for an archive: the folder in it whose files are listed; empty: all files */
};

void fm_scan_warn(const struct fm_scan_host *host, const framemap_error *fault);
/* Puts the whole path of the file into the fault. */
void fm_fault_at(framemap_error *fault, const char *path);

/* Whether a file may name another one, `what`: only files below the given path may be named, since the file may come
 * from a stranger. whole: set to the resolved path, which was checked and has to be the one that is opened. false:
 * the file may not be opened; a warning was reported. */
bool fm_may_open(const struct fm_scan_host *host, const struct fm_scanned *file, const char *path, const char *what,
                 char whole[PATH_MAX]);

#endif
