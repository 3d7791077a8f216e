/* Searches the catalogs that a text may use for an image or a source map: by the ids in the text, or else by the scope
 * of the text. Called by session_index.c, remote/prepare.c and the restorers, under the session's lock. */
#ifndef FM_SESSION_CATALOG_SCOPED_FIND_H
#define FM_SESSION_CATALOG_SCOPED_FIND_H

#include "session/catalog/js_map_choice.h"
#include "session/catalog/label_sets.h"

/* Searches the catalogs that a text may use, each as fm_catalog_find does without a path. *matched_by: written with
 * FOUND. */
enum fm_found fm_scoped_find(struct fm_label_sets *sets, const framemap_scope *scope, const framemap_image_query *want,
                             const struct fm_entry **out, framemap_match *matched_by);
/* Finds a Dart program among the paths of a scope, as fm_catalog_find_dart does in one catalog. */
enum fm_found fm_scoped_find_dart(struct fm_label_sets *sets, const framemap_scope *scope, framemap_str id,
                                  framemap_str arch, const struct fm_entry **out, framemap_match *matched_by);
/* Finds the only Dart obfuscation map among the paths of a scope, as fm_catalog_find_names does in one catalog. */
enum fm_found fm_scoped_find_names(struct fm_label_sets *sets, const framemap_scope *scope,
                                   const struct fm_entry **out);

/* Whether all symbols have labels, and the scope does not match the labels of any. A text without ids cannot be
 * restored in this case. */
bool fm_scoped_is_other(struct fm_label_sets *sets, const framemap_scope *scope);

/* Chooses a map from the catalogs of the scope as fm_js_map_choose does, by the id in the query and by names.
 * out->matched_by is SCOPE if the scope determined the map. Returns false if out of memory. */
bool fm_scoped_map(struct fm_label_sets *sets, const framemap_scope *scope, const struct fm_js_map_query *want,
                   struct fm_js_map_choice *out);
/* Finds the map that has id number `number` of the scope; count is 0 if no map has it. Returns false if out of
 * memory. */
bool fm_scoped_map_of_id(struct fm_label_sets *sets, const framemap_scope *scope, size_t number, bool bytecode,
                         struct fm_js_map_choice *out);
/* Finds maps for a file that has no name, as fm_js_map_choose_any does: the map of the first id in the scope for which
 * there is a map, else the maps of the first catalog that has maps. Returns false if out of memory. */
bool fm_scoped_any_map(struct fm_label_sets *sets, const framemap_scope *scope, bool bytecode,
                       struct fm_js_map_choice *out);

#endif
