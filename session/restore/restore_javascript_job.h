/* Frames of JavaScript to their source: what restore_javascript.c (maps, places) and restore_javascript_names.c
 * (functions) share. */
#ifndef FM_SESSION_RESTORE_RESTORE_JAVASCRIPT_JOB_H
#define FM_SESSION_RESTORE_RESTORE_JAVASCRIPT_JOB_H

#include "resolve/javascript/js_position.h"
#include "resolve/javascript/source_content.h"
#include "session/restore/js_map_finder.h"
#include "session/restore/restorer.h"

/* A file as rows print it. */
struct fm_js_printed_file {
    struct fm_js_map_query want;
    struct fm_held_index found; /* by itself; its index NULL: only as the only map, if at all */
    framemap_match found_by;
    bool is_source;      /* its rows name places of sources already */
    uint64_t frames;     /* without a map */
    const char *missing; /* why, for the first of these */
    const char *refused; /* found.reason with the map that it means, once a frame has asked for it; NULL */
    /* In the current trace, if `trace` is its number. */
    uint64_t trace;
    struct fm_held_index held; /* what its rows are read with */
    framemap_match matched_by;
    uint32_t rows, covered; /* by the only map */
    framemap_index *only;   /* of a candidate: that map */
    bool is_candidate;      /* the only map may be its own */
    bool agrees;            /* and is named for it */
};

/* A place of a map, asked once. */
struct fm_js_answer {
    const framemap_index *index;
    uint32_t line0, col0;
    framemap_frame_status status;
    const char *reason;
    framemap_frame_list restored;
    bool over_limit;
    /* The name that the last frame of this place was given beyond what the map says: most often that of the next one,
     * too. */
    framemap_str named;
    framemap_function_origin named_by;
    framemap_frame_list named_frames; /* count 0: none was */
};

/* The sources of an index, where context is wanted or rows may name them. */
struct fm_js_index_sources {
    const framemap_index *index;
    struct fm_source_texts texts;
};

struct fm_js_job {
    struct fm_js_maps *maps;
    struct fm_js_printed_file *files;
    size_t file_count, file_capacity;
    struct fm_table file_table;
    /* Of the current trace. */
    uint64_t trace;    /* its number, from 1 */
    uint32_t *file_of; /* of each frame that is looked up */
    size_t frame_count, frame_capacity, frame_at;
    uint32_t *present; /* its files, each once */
    size_t present_count, present_capacity;
    /* Of the traces so far, the current one among them. */
    bool any_found;          /* a file found its map by itself */
    framemap_index *parts;   /* a map that was found, of a bundle that comes in parts; NULL */
    framemap_match parts_by; /* how */
    framemap_str taken;      /* the stem of the script that the only map was taken for; absent */
    struct fm_js_answer *asked;
    size_t asked_count, asked_capacity;
    struct fm_table asked_table;
    struct fm_js_index_sources *sources;
    size_t source_count, source_capacity;
    struct fm_table source_table;
    framemap_frame *unnamed; /* the last frame, whose function may be told by the next one; NULL: there is none */
    uint32_t unnamed_place;  /* its number among the asked ones */
    const framemap_index *last_index; /* of the trace: the map of its last row that has one */
    const framemap_index *minified;   /* of the trace: a map that tells minified names */
};

/* The frames that are looked up: those of JavaScript that have a place and are not restored yet. */
bool fm_js_is_looked_up(const framemap_frame *frame);
struct fm_printed_place fm_js_place_of_frame(const framemap_frame *frame);
/* A script's name without what differs from one load to the next; the whole where that leaves nothing. */
framemap_str fm_js_name_stem(framemap_str file);
/* The sources of an index, opened once: their number among the job's. Errors: MEMORY. */
framemap_status fm_js_open_sources(struct fm_restore_job *job, const framemap_index *index, uint32_t *out,
                                   framemap_error *error);
/* Decides for each file of a trace which map its rows are read with (restore_javascript_files.c). Errors: MEMORY. */
framemap_status fm_js_choose_maps(struct fm_restore_job *job, const framemap_trace *trace, framemap_error *error);

/* Names the function of the frame above `frame` (NULL: the trace ends) where the map told none: from this frame, or as
 * printed. place: the frame's number among the asked ones; FM_JS_NO_ANSWER: it has none. */
#define FM_JS_NO_ANSWER UINT32_MAX
framemap_status fm_js_name_above(struct fm_restore_job *job, framemap_frame *frame, uint32_t place,
                                 framemap_error *error);

/* Takes note of a row's map, NULL: it has none. Of a program in several scripts one map has the minified names of all.
 */
void fm_js_note_map(struct fm_js_job *script, const framemap_index *index);
/* Types and members that are named above a trace that ends, by the maps that were noted since the one before. */
framemap_status fm_js_restore_mentions(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error);

#endif
