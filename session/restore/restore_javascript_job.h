/* State of the JavaScript restorer, and declarations that its files share:
 * - restore_javascript.c: the row of the table, and lookups;
 * - restore_javascript_files.c: the map for each file;
 * - restore_javascript_names.c: function names;
 * - restore_wasm.c: frames of WebAssembly that have no map;
 * - js_recall.c: answers of maps that were closed. */
#ifndef FM_SESSION_RESTORE_RESTORE_JAVASCRIPT_JOB_H
#define FM_SESSION_RESTORE_RESTORE_JAVASCRIPT_JOB_H

#include "resolve/javascript/js_position.h"
#include "resolve/javascript/source_content.h"
#include "session/restore/js_map_finder.h"
#include "session/restore/recall.h"
#include "session/restore/restorer.h"

/* A file whose name is in frames of the trace. */
struct fm_js_printed_file {
    struct fm_js_map_query want;
    /* the map that was found by name or id; if index is NULL, none was found, but the only map may still be used */
    struct fm_held_index found;
    framemap_match found_by;
    /* the index file of `found`, while its answers are read from the cache or added to it */
    struct fm_recalled_file map_file;
    bool is_source;      /* frames of this file already have positions in sources */
    uint64_t frames;     /* number of this file's frames without a map */
    const char *missing; /* the reason why the first of these frames has no map */
    /* found.reason with the name of the refused map; it is made when a frame needs it. NULL: not made yet */
    const char *refused;
    /* for WebAssembly: the module in which its frames are looked up; NULL: the module was not found */
    const struct fm_entry *module;
    const char *no_module; /* the reason why there is no module; NULL: a source map was found, but refused */
    framemap_match module_by;
    bool module_known; /* the module was searched for */
    bool is_unnamed;   /* for WebAssembly: the text has a hash in place of the module's name */
    /* The members below belong to the current trace only if `trace` is the number of that trace. */
    uint64_t trace;
    struct fm_held_index held; /* the map in which frames of this file are looked up */
    framemap_match matched_by;
    /* number of this file's frames; number of these frames that the only map covers */
    uint32_t rows, covered;
    framemap_index *only;   /* the only map, if it may be used for this file */
    framemap_match only_by; /* how the only map was chosen: ONLY_MAP or SCOPE */
    bool is_candidate;      /* the only map may belong to this file */
    /* is_candidate is set, and in addition a name of the file is equal to a name in the map */
    bool agrees;
    /* for WebAssembly: the reason why the only module or its map belongs to another file; NULL: it may belong to this
     * file */
    const char *of_other;
};

/* Whether frames can be looked up in a map: its index is held, or its file is closed and its answers are in the
 * cache. */
static inline bool fm_js_has_map(const struct fm_held_index *map) { return map->index != NULL || map->closed != NULL; }

/* A position in a map that was looked up. Each position is looked up once. */
struct fm_js_answer {
    const void *map; /* identifies the map: its index, or the entry of its closed file */
    uint32_t line0, col0;
    /* the index, or the value in a store, that gave the answer; NULL: the answer is from the cache */
    const struct fm_view *view;
    bool knows_text; /* for an answer from the cache: the result of fm_js_knows_text */
    framemap_frame_status status;
    const char *reason;
    framemap_frame_list restored;
    bool over_limit;
    /* The function name of the last frame at this position, if the name is not from the map. It is stored because the
     * next frame at this position usually has the same name. */
    framemap_str named;
    framemap_function_origin named_by;
    framemap_frame_list named_frames; /* if the count is 0, no name was found for this position yet */
};

/* The source files of an index. Needed if source lines were requested, or if frames may name sources. */
struct fm_js_index_sources {
    const framemap_index *index;
    struct fm_source_texts texts;
};

struct fm_js_job {
    struct fm_js_maps *maps;
    struct fm_arena names; /* memory of the files' names, which are used longer than the text */
    struct fm_js_printed_file *files;
    size_t file_count, file_capacity;
    struct fm_table file_table;
    /* State of the current trace. */
    uint64_t trace;    /* number of the trace, counted from 1 */
    uint32_t *file_of; /* for each frame that is looked up, the number of its file */
    size_t frame_count, frame_capacity, frame_at;
    uint32_t *present; /* files of the trace, each once */
    size_t present_count, present_capacity;
    /* State of all traces up to the current one. */
    bool any_found; /* a file has a map that was found by its name or id */
    framemap_index
        /* a map of a bundle that consists of several files, found by name or id; NULL: no such map was found */
        *parts;
    framemap_match parts_by; /* how `parts` was found */
    framemap_str
        /* name (fm_js_name_stem) of the script for which the only map was used; absent: it was not used yet */
        taken;
    /* name of the unnamed module for which the only module was used; absent: it was not used yet */
    framemap_str module;
    struct fm_js_answer *asked;
    size_t asked_count, asked_capacity;
    struct fm_table asked_table;
    struct fm_js_index_sources *sources;
    size_t source_count, source_capacity;
    struct fm_table source_table;
    /* the previous frame, if its function has no name yet, which the next frame may show; NULL: there is no such
     * frame */
    framemap_frame *unnamed;
    /* number of the answer, in the list `asked`, for the position of the frame `unnamed` */
    uint32_t unnamed_place;
    const framemap_index *last_index; /* the map of the last frame in the trace that has a map */
    const framemap_index *minified;   /* a map of the trace with names that dart2js minified */
    /* the view that was passed to the last call of fm_js_knows_text; NULL: there was no call yet */
    const struct fm_view *text_view;
    bool text_known; /* result of the last call of fm_js_knows_text */
};

/* Whether a frame is looked up. It is if it is a JavaScript frame with a position that is not restored yet. */
bool fm_js_is_looked_up(const framemap_frame *frame);
struct fm_printed_place fm_js_place_of_frame(const framemap_frame *frame);
/* Returns the file name of a script without query and fragment, which differ from one load to the next. Returns the
 * whole text if it would be empty without them. */
framemap_str fm_js_name_stem(framemap_str file);
/* Whether a file of a stack is a WebAssembly module: its name shows it, or it is the hash or the word that is printed
 * for a module without a name. */
bool fm_js_is_wasm(const struct fm_js_map_query *want);
/* Whether the text is what Wasmer and Wasmtime print for a WebAssembly module without a name. */
bool fm_js_is_unnamed_module(framemap_str name);
/* Whether a name is the hash of its code that V8 calls a module without a name. */
bool fm_js_is_code_hash(framemap_str name);
/* Looks up a WebAssembly frame in the debug info of its module. The frame has no source map. *settled: the session has
 * the module, and the frame's answer is set. Otherwise, if the session has a module that cannot be used,
 * file->no_module states why. Errors: MEMORY, those of the store. */
framemap_status fm_wasm_frame(struct fm_restore_job *job, framemap_frame *frame, struct fm_js_printed_file *file,
                              bool *settled, framemap_error *error);
/* Finds the source map of a WebAssembly module for which V8 prints only a hash: the map of the only module in the
 * session, or the only map that is named after a module. Sets file->found. Errors: MEMORY. */
framemap_status fm_wasm_find_map(struct fm_restore_job *job, struct fm_js_printed_file *file, framemap_error *error);
/* Opens the sources of an index, once for each index; *out: their index in the job's list. Errors: MEMORY. */
framemap_status fm_js_open_sources(struct fm_restore_job *job, const framemap_index *index, uint32_t *out,
                                   framemap_error *error);
/* Chooses for each file of a trace the map in which its frames are looked up (restore_javascript_files.c). Errors:
 * MEMORY. */
framemap_status fm_js_choose_maps(struct fm_restore_job *job, const framemap_trace *trace, framemap_error *error);

#define FM_JS_NO_ANSWER UINT32_MAX
/* Determines the name of the previous frame's function, if the map has no name for it. The name is taken from the
 * call site, which is the position of `frame`, or from the text. frame: the frame after the previous one; NULL: the
 * trace ends. place: index of that position in `asked`; FM_JS_NO_ANSWER: the position was not looked up. Errors:
 * MEMORY. */
framemap_status fm_js_name_above(struct fm_restore_job *job, framemap_frame *frame, uint32_t place,
                                 framemap_error *error);

/* Whether the functions of the generated text are known, from scopes or because the text was parsed. If they are, a
 * function without a name is one that its caller calls through a parameter, so the name at the call site is not the
 * name of the function. */
bool fm_js_knows_text(const struct fm_view *view);

/* Records the map of a frame (NULL: it has no map) for fm_js_restore_mentions. If a program consists of several
 * scripts, the map of each script has the minified names of all scripts. */
void fm_js_note_map(struct fm_js_job *script, const framemap_index *index);
/* Restores the types and members that the text names outside of the frames of a trace, with the maps recorded since the
 * previous trace. Errors: MEMORY. */
framemap_status fm_js_restore_mentions(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error);

#endif
