/* Walks the symbol paths of a session and fills the catalog. Called by session.c and debug_files.c. */
#ifndef FM_SESSION_CATALOG_SCAN_SCAN_PATHS_H
#define FM_SESSION_CATALOG_SCAN_SCAN_PATHS_H

#include "session/catalog/scan/scan_host.h"

/* Adds every symbol file at or below a path to the catalog. Files are recognized by their content. If the path itself
 * leads to a file that is not a symbol file, this is an error if `strict` is set, otherwise a warning; in folders,
 * other files are ignored. Errors: IO, MEMORY; if strict, also those of framemap_file_inspect. */
framemap_status fm_scan_path(const struct fm_scan_host *host, const char *path, bool strict, framemap_error *error);

bool fm_is_folder(const char *path);

#endif
