/* Determines whether the only given source map may belong to a script although no name or id connects them. The
 * decision depends on what the map states about itself and on the kind of script. Called by js_map_finder.c and
 * restore_javascript_files.c. */
#ifndef FM_SESSION_RESTORE_JS_MAP_FIT_H
#define FM_SESSION_RESTORE_JS_MAP_FIT_H

#include "session/catalog/js_map_choice.h"

/* Whether a map may belong to a script, and why not. */
struct fm_js_map_fit {
    /* NULL: the map may belong to the script; otherwise a static sentence that states why it does not */
    const char *reason;
    bool agrees; /* a name of the script is equal to a name in the map, or to the name of the map */
};

/* Determines whether the maps of a choice, which are of one build, may belong to a script. heap: memory that is freed
 * before the call returns.
 *
 * - Code that does not belong to the app has no map: browser extensions, pages, code generated while the program ran.
 * - A map that is known to belong to one script does not belong to another. Its script is known if the map's `file`
 *   member names it, or if a script contains the map, names the map, or is next to the map.
 * - A map for bytecode fits only addresses in bytecode, and lines and columns of bundles.
 * - A map with another debug id than the script belongs to another build.
 * - If the map has a name, it does not belong to a script with another name that a bundler or a server has chosen: a
 *   script with a hash in its name, a script fetched from a host or below node_modules, a bundle of another platform. A
 *   file on the device or the disk may have another name than its map.
 *
 * The caller holds the session's lock. Returns false if out of memory. */
bool fm_js_map_fit(struct fm_catalog *catalog, struct fm_heap *heap, const struct fm_js_map_choice *choice,
                   const struct fm_js_map_query *want, struct fm_js_map_fit *out);

#endif
