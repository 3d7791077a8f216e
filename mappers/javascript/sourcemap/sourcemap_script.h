/* Names of functions out of the generated text itself (mappers/script), in the words of the sources: each identifier of
 * a name that a minifier may have renamed is looked up in the map where it stands. These places and the segments both
 * rise, so that they pass by each other once. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_SCRIPT_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_SCRIPT_H

#include "mappers/javascript/functions/js_functions.h"
#include "mappers/javascript/sourcemap/sourcemap_job.h"
#include "mappers/javascript/sourcemap/sourcemap_names_in_source.h"

struct fm_sourcemap_script {
    struct fm_sourcemap_job *job;
    struct fm_js_functions js;
    framemap_str bytes; /* the script */
    bool dart;          /* of Dart's compiler: functions are named where they begin */
    uint64_t *places;   /* of identifiers and begins of functions, rising, each once: line and column */
    uint32_t *place_of; /* of each part that is renamed, then of each function that may have lost its name: a number of
                           `places` */
    size_t place_room;  /* parts and functions */
    uint32_t *names;    /* of each place: a name of the builder, or what fm_sourcemap_script.c says */
    unsigned char *exact; /* of each place: a segment begins there */
    struct fm_sourcemap_name_query
        *queries;          /* of each place: where it leads, and what the source has there, where that is asked */
    struct fm_arena texts; /* of the words */
    size_t place_count, next;
    size_t answered;     /* places whose sources were read */
    uint64_t next_place; /* UINT64_MAX: no more */
    /* Whether the map fits the text: words at which a segment begins, and words within which one does. */
    size_t next_function, whole, torn;
    uint64_t next_word;
    bool is_torn; /* the one at hand */
    size_t segments, lines;
};

/* Reads the script. One that can't be read is told of and has no functions. Errors: MEMORY. Free it in any case. */
framemap_status fm_sourcemap_script_open(struct fm_sourcemap_script *text, framemap_str script,
                                         struct fm_sourcemap_job *job);
void fm_sourcemap_script_free(struct fm_sourcemap_script *text);
/* Segments by rising place, on from those before. */
void fm_sourcemap_script_segments(struct fm_sourcemap_script *text, const struct fm_segment *segments, size_t count);
/* Behind the segments of job's map: what its sources have where the map says no name. Errors: MEMORY. */
framemap_status fm_sourcemap_script_sources(struct fm_sourcemap_script *text);
/* Behind the last segment: intervals of functions for the builder. A text that the map does not fit is told of and
 * gives none. */
framemap_status fm_sourcemap_script_finish(struct fm_sourcemap_script *text);

#endif
