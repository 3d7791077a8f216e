/* Names functions of the generated script with the words of the sources. functions/ finds the functions in the script.
 * A minifier may have renamed the identifiers in their names, so each such identifier is looked up in the map at its
 * position. Identifiers and segments are both sorted by position, so one pass over both (a merge join) suffices. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_SCRIPT_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_SCRIPT_H

#include "core/text/scan.h"
#include "mappers/javascript/functions/js_functions.h"
#include "mappers/javascript/sourcemap/sourcemap_job.h"
#include "mappers/javascript/sourcemap/sourcemap_names_in_source.h"

struct fm_sourcemap_script {
    struct fm_sourcemap_job *job;
    struct fm_js_functions js;
    framemap_str bytes; /* the text of the generated script */
    bool dart;          /* Dart's compiler made the script: its maps name functions at their start */
    uint64_t *places; /* positions of identifiers and of function starts, sorted, without duplicates: line in the upper
                         half, column in the lower */
    /* index into `places`: first for each part of a name that is looked up, then for each function that may have lost
     * its name */
    uint32_t *place_of;
    size_t place_room; /* capacity of the arrays: number of parts and functions */
    /* for each element of `places`: a name of the builder, or NO_SEGMENT or UNNAMED (sourcemap_script.c) */
    uint32_t *names;
    unsigned char *exact; /* for each element of `places`: whether a segment starts exactly there */
    /* for each element of `places`: its source position, and the name found there */
    struct fm_sourcemap_name_query *queries;
    struct fm_arena texts; /* memory for the results of the queries */
    size_t place_count, next;
    size_t answered;     /* number of elements of `places` that were looked up in the sources */
    uint64_t next_place; /* position of the next keyword that starts a function; UINT64_MAX: no function is left */
    /* Evidence whether the map fits the script: `whole` is the number of keywords at which a segment starts, `torn` the
     * number of keywords that have a segment only inside the word. */
    size_t next_function, whole, torn;
    uint64_t next_word;
    bool is_counted; /* the keyword at `next_word` is in `whole` or `torn` */
    size_t segments, lines;
    uint64_t last_key; /* position of the last segment; UINT64_MAX: none was passed */
    size_t mapped;     /* number of identifiers close after a segment, or at one, among places[0 … next) */
    /* Segments that are not in the text: `outside` is their number. The line that was read last is number
     * `lines_read` - 1 and has `line_size` bytes; -1: the text has no such line. */
    struct fm_scan text;
    uint64_t lines_read;
    int64_t line_size;
    size_t outside;
};

/* Finds the functions in the script. A script that cannot be read is reported, and has no functions. Errors: MEMORY.
 * Free the struct in any case. */
framemap_status fm_sourcemap_script_open(struct fm_sourcemap_script *script, framemap_str bytes,
                                         struct fm_sourcemap_job *job);
void fm_sourcemap_script_free(struct fm_sourcemap_script *script);
/* Takes the next segments, in order of position. */
void fm_sourcemap_script_segments(struct fm_sourcemap_script *script, const struct fm_segment *segments, size_t count);
/* Looks up names in the sources where job's map has none. Call it after the last segment of that map. Errors:
 * MEMORY. */
framemap_status fm_sourcemap_script_sources(struct fm_sourcemap_script *script);
/* Writes the intervals of the functions, after the last segment of all maps. If the map does not fit the script, it
 * reports this and writes nothing. */
framemap_status fm_sourcemap_script_finish(struct fm_sourcemap_script *script);

#endif
