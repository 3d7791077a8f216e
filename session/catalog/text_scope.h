/* Checks the scope of a text, the labels of symbol paths, and queries for images that callers pass, and copies scopes.
 * Called by session.c, session_index.c, prepare.c and restore_batch.c. */
#ifndef FM_SESSION_CATALOG_TEXT_SCOPE_H
#define FM_SESSION_CATALOG_TEXT_SCOPE_H

#include "core/heap.h"
#include <framemap/session.h>

/* Reads a caller's scope into *out, which borrows its strings. given NULL: the scope is empty. labels: the scope
 * describes a symbol path, so it may have labels but no ids. Errors: ARGUMENT. */
framemap_status fm_text_scope_read(const framemap_scope *given, bool labels, framemap_scope *out,
                                   framemap_error *error);
/* Checks the strings of a caller's query for an image. Errors: ARGUMENT. */
framemap_status fm_image_query_check(const framemap_image_query *want, framemap_error *error);
/* Copies a scope that was read into an arena. Ids are copied in the form that symbol files have: hexadecimal ids in
 * lower case and without dashes, R8's ids without the prefix "r8-map-id-". *out is NULL if the scope is empty. Returns
 * false if out of memory. */
bool fm_text_scope_copy(struct fm_arena *arena, const framemap_scope *scope, const framemap_scope **out);

#endif
