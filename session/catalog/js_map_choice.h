/* Which of a catalog's source maps a script of a stack is to be read with, as far as names, folders and ids tell. */
#ifndef FM_SESSION_CATALOG_JS_MAP_CHOICE_H
#define FM_SESSION_CATALOG_JS_MAP_CHOICE_H

#include "session/catalog/catalog.h"
#include "session/catalog/js_file_name.h"

enum {
    FM_JS_MAPS_TIED = 16
}; /* maps that fit equally well and are still worth a look at whether their contents are the same */

struct fm_js_map_choice {
    const struct fm_entry *entries[FM_JS_MAPS_TIED]; /* one: the map. Several: equally good, each of another build
                                                       unless its content is the same */
    size_t count;
    framemap_match matched_by;    /* where count is not 0 */
    const char *reason;           /* static; where count is 0 */
    const struct fm_entry *other; /* with the reason that maps are of another build: one of them; else NULL */
};

/* Under the session's lock. The order is that of fm_js_maps_find. false: out of memory. */
bool fm_js_map_choose(struct fm_catalog *catalog, const struct fm_js_map_query *want, struct fm_js_map_choice *out);
/* As fm_js_maps_refuses. */
bool fm_js_map_choice_refuses(const char *reason);
/* Any map of the catalog, of bytecode or not as wanted where there are both. */
void fm_js_map_choose_any(const struct fm_catalog *catalog, bool bytecode, struct fm_js_map_choice *out);
/* The map that a script names or has inside; *out NULL: it is not there, or there are several that it may mean. false:
 * out of memory. */
bool fm_js_map_choose_named(struct fm_catalog *catalog, const struct fm_entry *script, const struct fm_entry **out);

/* The script whose text a map was made with: one that names it, else the file of its name beside it, else that of its
 * `file` member beside it. In the arena, NUL-terminated; absent: there is none at hand. false: out of memory. */
bool fm_js_script_of_map(struct fm_catalog *catalog, const struct fm_entry *map, struct fm_arena *arena,
                         framemap_str *out);

#endif
