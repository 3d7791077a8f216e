/* Walking the paths that a session is given. */
#ifndef FM_SESSION_CATALOG_SCAN_PATHS_H
#define FM_SESSION_CATALOG_SCAN_PATHS_H

#include "session/catalog/scan_host.h"

/* Lists every symbol file at or under a path. Files are told by their content. A path that is a file and no symbol file
 * is an error when `strict`, else a warning; in folders other files are passed over in silence. Errors: IO, MEMORY;
 * strict: those of framemap_file_inspect. */
framemap_status fm_scan_path(const struct fm_scan_host *host, const char *path, bool strict, framemap_error *error);

/* The name of what a symbol file is for: "app" of "/x/app.debug". Borrowed from the path. */
framemap_str fm_symbol_file_name(const char *path);

/* The folder of a file, with its slash; empty where the path has none. */
framemap_str fm_folder_of(const char *path);

bool fm_is_folder(const char *path);

#endif
