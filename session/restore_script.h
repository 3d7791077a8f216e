/* Frames of JavaScript to their source: what restore_script.c (maps, places) and restore_script_names.c (functions) share. */
#ifndef FM_SESSION_RESTORE_SCRIPT_H
#define FM_SESSION_RESTORE_SCRIPT_H

#include "resolve/source_texts.h"
#include "session/restore_job.h"
#include "session/script_maps.h"

/* A file as rows print it. */
struct fm_printed_file {
    struct fm_script_want want;
    struct fm_held held;
    bool found;      /* by itself, not for want of another map */
    bool is_source;  /* its rows tell places of sources already */
    uint64_t frames; /* that wanted a map in vain */
};

/* A place of a map, asked once. */
struct fm_script_asked {
    const framemap_index *index;
    uint32_t line0, col0;
    framemap_frame_status status;
    const char *reason;
    framemap_frame_list restored;
    /* The name that the last frame of this place was given beyond what the map says: most often that of the next one, too. */
    framemap_str named;
    framemap_function_origin named_by;
    framemap_frame_list named_frames; /* count 0: none was */
};

/* The sources of an index, where context is wanted or rows may name them. */
struct fm_script_sources {
    const framemap_index *index;
    struct fm_source_texts texts;
};

struct fm_script_job {
    struct fm_script_maps *maps;
    struct fm_printed_file *files;
    size_t file_count, file_capacity;
    struct fm_table file_table;
    uint32_t *file_of; /* of each frame that is looked up, in the order of the traces */
    size_t frame_count, frame_capacity, frame_at;
    struct fm_script_asked *asked;
    size_t asked_count, asked_capacity;
    struct fm_table asked_table;
    struct fm_script_sources *sources;
    size_t source_count, source_capacity;
    struct fm_table source_table;
    framemap_frame *unnamed; /* the last frame, whose function may be told by the next one; NULL: there is none */
    uint32_t unnamed_place;  /* its number among the asked ones */
    const framemap_index *last_index; /* of the trace: the map of its last row that has one */
    const framemap_index *minified;   /* of the trace: a map that tells minified names */
};

/* Names the function of the frame above `frame` (NULL: the trace ends) where the map told none: from this frame, or as printed. place: the frame's number
 * among the asked ones; FM_SCRIPT_NO_PLACE: it has none. */
#define FM_SCRIPT_NO_PLACE UINT32_MAX
framemap_status fm_script_name_above(struct fm_restore_job *job, framemap_frame *frame, uint32_t place, framemap_error *error);

/* Takes note of a row's map, NULL: it has none. Of a program in several scripts one map has the minified names of all. */
void fm_script_note_map(struct fm_script_job *script, const framemap_index *index);
/* Types and members that are named above a trace that ends, by the maps that were noted since the one before. */
framemap_status fm_script_restore_mentions(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error);

#endif
