/* The part of a scan that looks into archives. Called by scan_file.c, which determines the kind of each file in an
 * archive. */
#ifndef FM_SESSION_CATALOG_SCAN_SCAN_ARCHIVE_H
#define FM_SESSION_CATALOG_SCAN_SCAN_ARCHIVE_H

#include "session/catalog/scan/scan_javascript.h"

/* Lists one file of an archive. */
typedef framemap_status fm_scan_member(const struct fm_scan_host *host, const struct fm_scanned *member,
                                       framemap_error *error);

/* Passes the symbol files in an archive to `list`, each with the path "ARCHIVE!NAME". Of other files, only the first
 * bytes are decompressed. All files together are decompressed to at most as many bytes as fm_limit_inflated allows for
 * the archive. Damaged files in the archive are reported as warnings. *count: number of files that were passed.
 * *nothing: as framemap_archive_options.nothing. Errors: FORMAT if the file is not an archive; those of
 * fm_archive_next; MEMORY. */
framemap_status fm_scan_archive(const struct fm_scan_host *host, const struct fm_scanned *file, fm_scan_member *list,
                                size_t *count, framemap_error *nothing, framemap_error *error);

/* Passes the source maps of modules in a script to `list`, each with the path "SCRIPT!@OFFSET!URL" of its module,
 * so that opening one does not search the others (member_file.h). Damaged maps are reported as warnings. *count: number
 * of maps that were passed. Errors: those of fm_archive_next; MEMORY. */
framemap_status fm_scan_modules(const struct fm_scan_host *host, const struct fm_scanned *file, fm_scan_member *list,
                                size_t *count, framemap_error *error);

/* A callback that adds the images of a file of any kind to the catalog. *is_one: whether it is a symbol file. */
typedef framemap_status fm_scan_any(const struct fm_scan_host *host, const struct fm_scanned *file, bool *is_one,
                                    framemap_error *error);
/* Passes the symbol files that a thin archive names to `list` under their own paths, since they are outside of the
 * archive; they are handled as if they had been found in a folder. Files outside of the given path are reported as
 * warnings. *is_thin: whether the file is a thin archive. Errors: EMPTY if no symbol file is found; those of
 * fm_archive_next; MEMORY. */
framemap_status fm_scan_thin(const struct fm_scan_host *host, const struct fm_scanned *file, fm_scan_any *list,
                             bool *is_thin, framemap_error *error);

#endif
