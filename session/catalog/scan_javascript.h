/* What a scan notes of source maps and scripts. */
#ifndef FM_SESSION_CATALOG_SCAN_JAVASCRIPT_H
#define FM_SESSION_CATALOG_SCAN_JAVASCRIPT_H

#include "session/catalog/scan_host.h"

/* A file that a scan looks into. */
struct fm_scanned {
    const char *path;
    const char *root; /* the folder that was given, or of the file that was given: nothing outside of it is opened
                         because this file names it */
    const struct fm_stamp *stamp;
    framemap_str bytes;
    uint32_t depth; /* as that of its entry */
    bool given;     /* by name, not found in a folder */
};

/* true: the mapper of source maps takes it. */
bool fm_scan_is_source_map(const struct fm_scanned *file);
/* Lists a source map, or the script that has one inside. Errors: those of fm_sourcemap_about. */
framemap_status fm_scan_source_map(const struct fm_scan_host *host, const struct fm_scanned *file,
                                   framemap_error *error);
/* Lists an index, if it is one of a source map. *listed: whether. Errors: MEMORY. */
framemap_status fm_scan_map_index(const struct fm_scan_host *host, const struct fm_scanned *file, framemap_str id,
                                  bool *listed, framemap_error *error);
/* Lists a script, of a folder by its ending, whose last lines name its map or its debug id; of a given one the map
 * beside it counts as named. Only the tail of the text is read. map: the path of the map, which is to be scanned next;
 * in the arena, absent where there is none. *listed: whether it is a script. Errors: MEMORY. */
framemap_status fm_scan_script(const struct fm_scan_host *host, const struct fm_scanned *file, struct fm_arena *arena,
                               framemap_str *map, bool *listed, framemap_error *error);

#endif
