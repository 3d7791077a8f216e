/* Answers one query from one index of any kind. The resolvers for each family of stacks are in the folders below; none
 * of them reads bytes of symbol files. */
#ifndef FM_RESOLVE_RESOLVE_H
#define FM_RESOLVE_RESOLVE_H

#include "core/heap.h"
#include "index/read/view.h"
#include <framemap/index.h>

/* Resolves one query into arena memory; strings may also be borrowed from the view. *out is written on success only.
 * See framemap_resolve. */
framemap_status fm_resolve(const struct fm_view *view, const framemap_query *query, struct fm_arena *arena,
                           framemap_frame *out, framemap_error *error);

/* Finds the companion file that an answer lacks; see framemap_missing_companion. answer NULL: only a .dwo file or an
 * object file is searched for. */
bool fm_resolve_missing(const struct fm_view *view, const framemap_query *query, const framemap_frame *answer,
                        struct fm_arena *arena, framemap_str *path, framemap_str *id);

#endif
