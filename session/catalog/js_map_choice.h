/* Chooses the source map in a catalog for a script of a stack, by names, folders and ids. Called by session_index.c,
 * scoped_find.c, index_cache.c and the JavaScript restorer, under the session's lock. */
#ifndef FM_SESSION_CATALOG_JS_MAP_CHOICE_H
#define FM_SESSION_CATALOG_JS_MAP_CHOICE_H

#include "session/catalog/catalog.h"
#include "session/catalog/js_file_name.h"

enum { FM_JS_MAPS_TIED = 16 }; /* most equally good maps that are returned, so that their contents are compared */

struct fm_js_map_choice {
    /* The maps that were chosen. Several maps fit equally well; each is of another build unless their contents are
     * equal. */
    const struct fm_entry *entries[FM_JS_MAPS_TIED];
    size_t count;
    framemap_match matched_by; /* how the maps matched; valid if count is not 0 */
    const char *reason;        /* if count is 0: the reason why there is no map; the string is static */
    /* if the reason is that the maps are of another build, or of several builds: one of those maps; else NULL */
    const struct fm_entry *other;
};

/* Chooses a map, in the order of fm_js_maps_find. Returns false if out of memory. */
bool fm_js_map_choose(struct fm_catalog *catalog, const struct fm_js_map_query *want, struct fm_js_map_choice *out);
/* Whether the catalog has no source map. */
bool fm_js_map_choice_is_empty(const struct fm_js_map_choice *choice);
/* Whether a reason means that the given maps belong to other code than the file; see fm_js_maps_refuses. */
bool fm_js_map_choice_refuses(const char *reason);
/* Chooses any map of the catalog. If the catalog has maps for bytecode and maps for scripts, only maps of the kind that
 * `bytecode` selects are used. */
void fm_js_map_choose_any(const struct fm_catalog *catalog, bool bytecode, struct fm_js_map_choice *out);
/* Finds the map that a script names or contains. *out is NULL if that map is not in the catalog, or if several maps may
 * be meant. Returns false if out of memory. */
bool fm_js_map_choose_named(struct fm_catalog *catalog, const struct fm_entry *script, const struct fm_entry **out);

/* Finds the script from which a map was generated. Tries in this order: a script that names the map; the file next to
 * the map with the script name that the map's own name contains; the file next to the map that its `file` member names.
 * The path is in the arena, NUL-terminated; absent if no script was found. Returns false if out of memory. */
bool fm_js_script_of_map(struct fm_catalog *catalog, const struct fm_entry *map, struct fm_arena *arena,
                         framemap_str *out);

#endif
