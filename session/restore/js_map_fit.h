/* Whether a source map that nothing leads to may still be that of a script: what the map says of itself, and what the
 * script is. */
#ifndef FM_SESSION_RESTORE_JS_MAP_FIT_H
#define FM_SESSION_RESTORE_JS_MAP_FIT_H

#include "session/catalog/js_map_choice.h"

/* How well the only map and a script go together. */
struct fm_js_map_fit {
    const char *reason; /* NULL: the map may be that of the script. Else a static sentence that says why it is not */
    bool agrees;        /* the map states this script's name, or is named for it */
};

/* The maps of a choice are of one build.
 *
 * - Code that is not the app's has no map among those given: extensions of browsers, pages, code made while the program
 * ran.
 * - A map that states its script belongs to no other one: by `file`, by the script that it is inside of, or by the
 * script beside it or naming it.
 * - A map of bytecode belongs to addresses in it, and to lines and columns of bundles only.
 * - A map with another debug id than the script's is of another build.
 * - The map's own name counts against scripts that a bundler or a server names: those with a hash in their name, those
 * fetched from a host, those below node_modules, and bundles of another platform. A file of the device or the disk may
 * be called otherwise than its map.
 *
 * Under the session's lock. false: out of memory. */
bool fm_js_map_fit(struct fm_catalog *catalog, const struct fm_js_map_choice *choice,
                   const struct fm_js_map_query *want, struct fm_js_map_fit *out);

/* Whether a file that a stack prints can be a script of the app at all. Pure. */
bool fm_js_is_app_script(framemap_str file);

#endif
