/* What stands in the sources at places of theirs, out of the map's own `sourcesContent`. Minifiers name a segment where
 * they renamed something, but the compiler before them may have told no names at all, and a function that lost its name
 * has no identifier left to be named. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_NAMES_IN_SOURCE_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_NAMES_IN_SOURCE_H

#include "mappers/javascript/sourcemap/sourcemap_job.h"

enum fm_sourcemap_name_query_kind {
    FM_SOURCEMAP_QUERY_IDENTIFIER, /* the identifier that begins there */
    FM_SOURCEMAP_QUERY_FUNCTION,   /* the own name of the function that begins there: behind `function`, or of the
                                     variable   that it is the first value of */
    FM_SOURCEMAP_QUERY_ARROW,      /* the same of one that begins without a word: an arrow */
};

struct fm_sourcemap_name_query {
    uint32_t source; /* in the index; FM_NONE: nothing is asked */
    uint32_t line0, col0;
    enum fm_sourcemap_name_query_kind kind;
    framemap_str text; /* the answer, in the arena; size 0: none */
    bool argument;     /* a function that stands among arguments: nothing gives it a name */
};

/* Answers those of the words that are asked of sources of job's map. Linear in these sources, which are unescaped one
 * at a time. Errors: MEMORY. */
framemap_status fm_sourcemap_names_in_source(struct fm_sourcemap_job *job, struct fm_sourcemap_name_query *words,
                                             size_t count, struct fm_arena *arena);

/* The same of one text. */
framemap_str fm_sourcemap_name_at(framemap_str text, size_t at, enum fm_sourcemap_name_query_kind kind);
bool fm_sourcemap_is_argument_at(framemap_str text, size_t at);

#endif
