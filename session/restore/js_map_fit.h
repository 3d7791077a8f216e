/* Decides whether the only given source map may belong to a script although no name or id connects them, from what the
 * map says about itself and what kind of script it is. Called by js_map_finder.c and restore_javascript_files.c. */
#ifndef FM_SESSION_RESTORE_JS_MAP_FIT_H
#define FM_SESSION_RESTORE_JS_MAP_FIT_H

#include "session/catalog/js_map_choice.h"

/* The result for one script. */
struct fm_js_map_fit {
    /* NULL: the map may belong to the script. Otherwise a static sentence that says why it does not. */
    const char *reason;
    bool agrees; /* the map contains this script's name, or has it as its own name */
};

/* Decides whether the maps of a choice, which are of one build, may belong to a script. heap: memory that the call
 * frees again.
 *
 * - Code that does not belong to the app has no map: browser extensions, pages, code generated while the program
 *   ran.
 * - A map belongs to no other script than the one that it is known to be for: the script that its `file` member
 *   states, that contains it, that is next to it, or that names it.
 * - A map for bytecode fits only addresses in bytecode, and lines and columns of bundles.
 * - A map with another debug id than the script is of another build.
 * - The name of the map excludes scripts that a bundler or a server names: those with a hash in their name, those
 *   fetched from a host, those below node_modules, and bundles of another platform. A file on the device or the disk
 *   may have another name than its map.
 *
 * The caller holds the session's lock. false: out of memory. */
bool fm_js_map_fit(struct fm_catalog *catalog, struct fm_heap *heap, const struct fm_js_map_choice *choice,
                   const struct fm_js_map_query *want, struct fm_js_map_fit *out);

#endif
