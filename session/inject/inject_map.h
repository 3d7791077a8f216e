/* Writes a source map again with a debug id, and with its mappings moved because the script has changed. Called by
 * inject.c. */
#ifndef FM_SESSION_INJECT_INJECT_MAP_H
#define FM_SESSION_INJECT_INJECT_MAP_H

#include "core/text/buffer.h"
#include "session/inject/script_place.h"

/* Returns the debug id of a map in the spelling of the map; absent if the map has no debug id. Errors: CORRUPT,
 * LIMIT. */
framemap_status fm_inject_map_id(framemap_str map, framemap_str *out, framemap_error *error);

/* Writes a map with a debug id and moved mappings. moved: the place in the script where the statement was inserted. If
 * col0 is 0, the statement is on a new line before that line; otherwise the line was divided at that column, and the
 * statement is on a new line between the two parts. NULL: no statement was inserted. Errors: CORRUPT, UNSUPPORTED,
 * LIMIT, MEMORY. */
framemap_status fm_inject_map(struct fm_buf *out, framemap_str map, const struct fm_script_place *moved,
                              const char *debug_id, framemap_error *error);

#endif
