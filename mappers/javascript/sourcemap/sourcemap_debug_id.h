/* What a source map is called and of what it is, told by its members without reading its mappings. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_DEBUG_ID_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_DEBUG_ID_H

#include "mappers/javascript/sourcemap/sourcemap_member_values.h"

struct fm_sourcemap_about {
    char id[FM_SOURCEMAP_ID_DIGITS + 1]; /* debug id; empty: it tells none */
    framemap_str file; /* the script that it says it is of, as it spells it, in the arena; absent: it says none */
    bool has_sections; /* an index map */
    bool of_bytecode;  /* of Hermes' bytecode: columns are addresses */
};

/* Walks the whole document, whose text fm_sourcemap_document_open gives. Errors: CORRUPT (no JSON, or no object), LIMIT
 * (depth). */
framemap_status fm_sourcemap_members_of(framemap_str text, struct fm_sourcemap_members *out, framemap_error *error);
/* bytes: of a file that the mapper of source maps takes. Errors: those of fm_sourcemap_document_open and
 * fm_sourcemap_members_of. */
framemap_status fm_sourcemap_about(framemap_str bytes, struct fm_arena *arena, struct fm_sourcemap_about *out,
                                   framemap_error *error);

#endif
