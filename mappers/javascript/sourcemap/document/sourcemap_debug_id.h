/* Identity of a source map, read from its members without its mappings: debug id, script file, kind. Used by the
 * session to choose maps. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_DOCUMENT_SOURCEMAP_DEBUG_ID_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_DOCUMENT_SOURCEMAP_DEBUG_ID_H

#include "mappers/javascript/sourcemap/document/sourcemap_member_values.h"

struct fm_sourcemap_about {
    char id[FM_SOURCEMAP_ID_DIGITS + 1]; /* debug id; empty: the map has no debug id */
    framemap_str file; /* the script that the map belongs to, as the map spells it, in the arena; no data: not given */
    bool has_sections; /* the map is an index map */
    bool of_bytecode;  /* the map is for Hermes bytecode: columns are addresses */
};

/* Parses a whole document. text: from fm_sourcemap_document_open. Errors: CORRUPT (not JSON, or not an object), LIMIT
 * (depth). */
framemap_status fm_sourcemap_members_of(framemap_str text, struct fm_sourcemap_members *out, framemap_error *error);
/* Opens the document and reads its identity. bytes: a file that the source map mapper accepts. Errors: those of
 * fm_sourcemap_document_open and fm_sourcemap_members_of. */
framemap_status fm_sourcemap_about(framemap_str bytes, struct fm_arena *arena, struct fm_sourcemap_about *out,
                                   framemap_error *error);

#endif
