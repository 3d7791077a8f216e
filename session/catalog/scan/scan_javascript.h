/* The part of a scan that recognizes source maps and scripts. Called by scan_file.c, which opens the files. */
#ifndef FM_SESSION_CATALOG_SCAN_SCAN_JAVASCRIPT_H
#define FM_SESSION_CATALOG_SCAN_SCAN_JAVASCRIPT_H

#include "session/catalog/scan/scan_host.h"

/* Whether the source map mapper accepts the file. */
bool fm_scan_is_source_map(const struct fm_scanned *file);
/* Whether the file may be a script whose modules are strings that it passes to eval: it has the ending of a script or
 * was given by name, and begins like a bundle of webpack or Rspack. */
bool fm_scan_has_modules(const struct fm_scanned *file);
/* Adds a source map, or a script with a map inside. Errors: those of fm_sourcemap_about. */
framemap_status fm_scan_source_map(const struct fm_scan_host *host, const struct fm_scanned *file,
                                   framemap_error *error);
/* Adds an index if it was made from a source map, and sets *listed accordingly. Errors: MEMORY. */
framemap_status fm_scan_map_index(const struct fm_scan_host *host, const struct fm_scanned *file, framemap_str id,
                                  bool *listed, framemap_error *error);
/* Adds a script whose last lines name its map or its debug id. In folders, only files whose names have the ending of a
 * script are examined. If a script was given by name, the map next to it is used as if the script named it. Only the
 * end of the text is read. map: path of the map, to be scanned next; it is in the arena, and absent if there is no map.
 * *listed: whether the file is a script. Errors: MEMORY. */
framemap_status fm_scan_script(const struct fm_scan_host *host, const struct fm_scanned *file, struct fm_arena *arena,
                               framemap_str *map, bool *listed, framemap_error *error);

#endif
