/* Finds the source map for each file of JavaScript stacks, and holds its index until the call ends. A stack on the web
 * mixes scripts of many deployments, so each file is searched separately. Called by the JavaScript restorer;
 * js_map_choice.h has the rules. */
#ifndef FM_SESSION_RESTORE_JS_MAP_FINDER_H
#define FM_SESSION_RESTORE_JS_MAP_FINDER_H

#include "session/catalog/js_file_name.h"
#include "session/session_state.h"

struct fm_js_maps; /* state during one restore call; used by one thread */

/* Creates the state. Errors: MEMORY. */
framemap_status fm_js_maps_open(framemap_session *session, struct fm_heap *heap, struct fm_js_maps **out,
                                framemap_error *error);
/* Sets the scope of the text, which is borrowed. Called before the first search; if it is not called, the text has no
 * scope. */
void fm_js_maps_set_scope(struct fm_js_maps *maps, const framemap_scope *scope);
/* Releases every index. NULL is allowed. */
void fm_js_maps_close(struct fm_js_maps *maps);

/* Finds the map of a file. These ways are tried in order:
 * - by the debug id;
 * - by a script that declares the file's exact address (code given to eval);
 * - by the sourceMappingURL of a script with the frame's name, or a map named like the script (of several maps, the one
 *   with the most folders in common);
 * - by a map whose `file` member is the name;
 * - by other names of the script, with JavaScriptCore's safe URLs decoded;
 * - by a hash in the name;
 * - by the name without its hash.
 *
 * The map is compiled (together with its script, if the script was found), and its index is held until
 * fm_js_maps_close. Each query is answered once, so that a query for every frame costs one hash lookup. If out->index
 * is NULL, there is no map, and out->reason states why. If different builds fit equally well, none of them is used.
 * *matched_by: how the map was found, NONE if not found; may be NULL. may_recall: an index file whose answers the
 * session may have cached (fm_index_cache_may_recall) is not opened, and out->closed is set; to open the file, call
 * again with may_recall false. Errors: MEMORY. */
framemap_status fm_js_maps_find(struct fm_js_maps *maps, const struct fm_js_map_query *want, bool may_recall,
                                struct fm_held_index *out, framemap_match *matched_by, framemap_error *error);
/* Whether a reason from fm_js_maps_find means that the given maps belong to other code than the file. No other rule may
 * then choose a map for the file. */
bool fm_js_maps_refuses(const char *reason);
/* Returns the only source map of the session, or of the scope, for files that have no map of their own; index is NULL
 * if there are several maps or none. *matched_by: ONLY_MAP or SCOPE; may be NULL. Errors: MEMORY. */
framemap_status fm_js_maps_only(struct fm_js_maps *maps, bool bytecode, struct fm_held_index *out,
                                framemap_match *matched_by, framemap_error *error);
/* Determines whether the only map may belong to a file (js_map_fit.h). Errors: MEMORY. */
struct fm_js_map_fit;
framemap_status fm_js_maps_fit(struct fm_js_maps *maps, const struct fm_js_map_query *want, struct fm_js_map_fit *out,
                               framemap_error *error);

#endif
