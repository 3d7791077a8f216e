/* Chooses the source map in a catalog for a script of a stack, by names, folders and ids. Called by session_index.c,
 * scoped_find.c, index_cache.c and the JavaScript restorer, under the session's lock. */
#ifndef FM_SESSION_CATALOG_JS_MAP_CHOICE_H
#define FM_SESSION_CATALOG_JS_MAP_CHOICE_H

#include "session/catalog/catalog.h"
#include "session/catalog/js_file_name.h"

enum { FM_JS_MAPS_TIED = 16 }; /* number of equally good maps whose contents are still compared */

struct fm_js_map_choice {
    /* One entry: the map that was chosen. Several entries: maps that fit equally well, each of another build unless
     * the contents are equal. */
    const struct fm_entry *entries[FM_JS_MAPS_TIED];
    size_t count;
    framemap_match matched_by; /* how the maps matched; valid if count is not 0 */
    const char *reason;        /* if count is 0: why there is no map; static */
    /* If the reason is that maps are of another build, or of several: one of those maps; else NULL. */
    const struct fm_entry *other;
};

/* Chooses a map, in the order of fm_js_maps_find. false: out of memory. */
bool fm_js_map_choose(struct fm_catalog *catalog, const struct fm_js_map_query *want, struct fm_js_map_choice *out);
/* Whether the catalog has no source map at all. */
bool fm_js_map_choice_is_empty(const struct fm_js_map_choice *choice);
/* Whether a reason means that the given maps belong to other code than the file; see fm_js_maps_refuses. */
bool fm_js_map_choice_refuses(const char *reason);
/* Chooses any map of the catalog. If the catalog has both maps for bytecode and maps for text, only the kind that
 * `bytecode` selects is used. */
void fm_js_map_choose_any(const struct fm_catalog *catalog, bool bytecode, struct fm_js_map_choice *out);
/* Finds the map that a script names or contains. *out NULL: the map is not in the catalog, or it is not clear which
 * one the script means. Returns false if out of memory. */
bool fm_js_map_choose_named(struct fm_catalog *catalog, const struct fm_entry *script, const struct fm_entry **out);

/* Finds the script that a map was generated with: one that names the map, else the file with its name next to it, else
 * the file named by its `file` member next to it. In the arena, NUL-terminated; absent: none. false: out of memory. */
bool fm_js_script_of_map(struct fm_catalog *catalog, const struct fm_entry *map, struct fm_arena *arena,
                         framemap_str *out);

#endif
