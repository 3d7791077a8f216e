/* Which source map a frame of JavaScript is to be read with. A stack of the web mixes scripts of many deployments: each
 * file finds its own. */
#ifndef FM_SESSION_RESTORE_JS_MAP_FINDER_H
#define FM_SESSION_RESTORE_JS_MAP_FINDER_H

#include "session/catalog/js_file_name.h"
#include "session/session_state.h"

struct fm_js_maps; /* of one call; one thread */

/* Takes the list of the session's source maps as it is now. Errors: MEMORY. */
framemap_status fm_js_maps_open(framemap_session *session, struct fm_heap *heap, struct fm_js_maps **out,
                                framemap_error *error);
/* Releases every index. NULL allowed. */
void fm_js_maps_close(struct fm_js_maps *maps);

/* The map of a file, compiled (with its script, where that is at hand) and held until close; found once for each want,
 * so that asking for every frame is one hash lookup. out->index NULL: none, out->reason says why. What is tried, in
 * this order: the debug id; a script that says that it has the file's very address (code given to eval); the
 * sourceMappingURL of a script of the frame's name, or a map that is named as the script is, of several the one with
 * the most folders in common; a map that tells the name inside; other names of the script, with JSC-safe URLs read as
 * they are meant; a hash in the name; the name with its hash taken away. Two different builds that fit equally well are
 * a reason, never a guess. *matched_by: how it was found, NONE where there is none; NULL allowed. Errors: MEMORY. */
framemap_status fm_js_maps_find(struct fm_js_maps *maps, const struct fm_js_map_query *want, struct fm_held_index *out,
                                framemap_match *matched_by, framemap_error *error);
/* Whether a reason of fm_js_maps_find says that what was given is of other code than the file's: then no map may be
 * taken for it on other grounds. */
bool fm_js_maps_refuses(const char *reason);
/* The only source map that the session has, for files that found none by themselves; index NULL: there are several or
 * none. */
framemap_status fm_js_maps_only(struct fm_js_maps *maps, bool bytecode, struct fm_held_index *out,
                                framemap_error *error);
/* Whether that map may be a file's (js_map_fit.h). Errors: MEMORY. */
struct fm_js_map_fit;
framemap_status fm_js_maps_fit(struct fm_js_maps *maps, const struct fm_js_map_query *want, struct fm_js_map_fit *out,
                               framemap_error *error);

#endif
