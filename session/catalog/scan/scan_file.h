/* The part of a scan that determines the kind of a file, and adds its images to the catalog. Called by scan_paths.c,
 * which walks the folders. */
#ifndef FM_SESSION_CATALOG_SCAN_SCAN_FILE_H
#define FM_SESSION_CATALOG_SCAN_SCAN_FILE_H

#include "session/catalog/scan/scan_host.h"

/* Adds the images of a file: a symbol file, a source map, a script, or an archive of such files. root: as in
 * fm_scanned. depth: depth of the folder in which the file was found; UINT32_MAX: the file was given by name. Errors:
 * IO, MEMORY, and those of framemap_file_inspect, with FORMAT if the file is not of one of these kinds. */
framemap_status fm_scan_file(const struct fm_scan_host *host, const char *path, const char *root,
                             const struct fm_stamp *stamp, uint32_t depth, framemap_error *error);

/* Returns the name of the program that a symbol file belongs to: "app" for "/x/app.debug". Borrowed from the path. */
framemap_str fm_symbol_file_name(const char *path);

#endif
