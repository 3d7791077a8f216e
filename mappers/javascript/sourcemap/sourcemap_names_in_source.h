/* Finds identifiers and function names at positions of the sources, in the map's own `sourcesContent`. This is needed
 * where the map has no names: minifiers name a segment only if they renamed something, a compiler that ran before them
 * may have written no names, and a function that lost its name has no identifier in the script to which a segment with
 * a name could belong. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_NAMES_IN_SOURCE_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_NAMES_IN_SOURCE_H

#include "mappers/javascript/sourcemap/sourcemap_job.h"

enum fm_sourcemap_name_query_kind {
    FM_SOURCEMAP_QUERY_IDENTIFIER, /* the identifier that starts at the position */
    FM_SOURCEMAP_QUERY_FUNCTION,   /* the name of the function that starts there: the one after `function`, or the
                                      variable that it initialises */
    FM_SOURCEMAP_QUERY_ARROW,      /* the name of the arrow function that starts there: the variable that it
                                      initialises */
    FM_SOURCEMAP_QUERY_KEY,        /* a property, whose name is not searched in the sources: `source` is FM_NONE */
};

struct fm_sourcemap_name_query {
    uint32_t source; /* number of the source in the index; FM_NONE: the query is skipped */
    uint32_t line0, col0;
    enum fm_sourcemap_name_query_kind kind;
    /* for a function: the name in the map's segment at the function's start, a name of the builder; FM_NONE: that
     * segment has no name */
    uint32_t name;
    /* for a function: what is at the position precedes the function, so that only a declaration there gives its name */
    bool is_before;
    bool argument;     /* result: the function is an argument of a call, so it has no name */
    framemap_str text; /* result: the name, in the arena; size 0: no name was found */
};

/* Answers the queries that refer to sources of job's map. Time is linear in these sources, which are unescaped one at a
 * time. Errors: MEMORY. */
framemap_status fm_sourcemap_names_in_source(struct fm_sourcemap_job *job, struct fm_sourcemap_name_query *words,
                                             size_t count, struct fm_arena *arena);

/* Answer a single query about an offset in a text: which name is there, and whether an argument of a call is there. */
framemap_str fm_sourcemap_name_at(framemap_str text, size_t at, enum fm_sourcemap_name_query_kind kind);
bool fm_sourcemap_is_argument_at(framemap_str text, size_t at);

/* Whether a name in a map is a word of the source, changed as webpack changes words when it joins modules
 * ("closures_depth", "depth_0" for "depth"). */
bool fm_sourcemap_is_joined_name(framemap_str name, framemap_str word);

#endif
