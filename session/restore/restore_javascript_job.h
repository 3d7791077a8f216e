/* State of the JavaScript restorer, and what its files share: restore_javascript.c (the row of the table, and lookups),
 * restore_javascript_files.c (the map for each file), restore_javascript_names.c (function names), restore_wasm.c
 * (frames of WebAssembly that have no map) and js_recall.c (answers of maps that were closed). */
#ifndef FM_SESSION_RESTORE_RESTORE_JAVASCRIPT_JOB_H
#define FM_SESSION_RESTORE_RESTORE_JAVASCRIPT_JOB_H

#include "resolve/javascript/js_position.h"
#include "resolve/javascript/source_content.h"
#include "session/restore/js_map_finder.h"
#include "session/restore/recall.h"
#include "session/restore/restorer.h"

/* A file as frames print it. */
struct fm_js_printed_file {
    struct fm_js_map_query want;
    /* the map found by name or id; index NULL: none was found, but the only map given may still be used */
    struct fm_held_index found;
    framemap_match found_by;
    struct fm_recalled_file map_file; /* the index file of `found`, while its answers are recalled or remembered */
    bool is_source;                   /* frames of this file have positions in sources already */
    uint64_t frames;                  /* number of this file's frames without a map */
    const char *missing;              /* the reason for the first of these frames */
    const char *refused; /* found.reason with the name of the refused map, made for the first frame that needs it; NULL:
                            not made yet */
    const struct fm_entry *module; /* WebAssembly: the module that its frames are looked up in; NULL: none */
    const char *no_module;         /* why there is no module; NULL: a source map was found, but refused */
    framemap_match module_by;
    bool module_known; /* the module was searched for */
    bool is_unnamed;   /* WebAssembly: the text prints a hash instead of the module's name */
    /* The members below belong to the current trace only if `trace` is its number. */
    uint64_t trace;
    struct fm_held_index held; /* the map that frames of this file are looked up in */
    framemap_match matched_by;
    uint32_t rows, covered; /* number of this file's frames; number of those that the only map covers */
    framemap_index *only;   /* the only map, if it may be used for this file */
    framemap_match only_by; /* how the only map was chosen: ONLY_MAP or SCOPE */
    bool is_candidate;      /* the only map may belong to this file */
    /* is_candidate is set, and in addition the name of the file and a name in the map are the same */
    bool agrees;
    const char *of_other; /* WebAssembly: why the only module or its map belongs to another file; NULL: it may belong to
                             this one */
};

/* Whether frames can be looked up in a map: its index is held, or answers of its closed file are known. */
static inline bool fm_js_has_map(const struct fm_held_index *map) { return map->index != NULL || map->closed != NULL; }

/* A position in a map that was looked up; each is looked up once. */
struct fm_js_answer {
    const void *map; /* identifies the map: its index, or the entry of its closed file */
    uint32_t line0, col0;
    const struct fm_view *view; /* index, or value in a store, that gave the answer; NULL: the answer was recalled */
    bool knows_text;            /* for a recalled answer: the result of fm_js_knows_text */
    framemap_frame_status status;
    const char *reason;
    framemap_frame_list restored;
    bool over_limit;
    /* The function name of the last frame at this position, if the map does not have it. It is kept because the next
     * frame at this position usually has the same name. */
    framemap_str named;
    framemap_function_origin named_by;
    framemap_frame_list named_frames; /* count 0: no name was found for this position yet */
};

/* The source files of an index, if source lines were requested or frames may name sources. */
struct fm_js_index_sources {
    const framemap_index *index;
    struct fm_source_texts texts;
};

struct fm_js_job {
    struct fm_js_maps *maps;
    struct fm_arena names; /* strings of the files, which outlive the text */
    struct fm_js_printed_file *files;
    size_t file_count, file_capacity;
    struct fm_table file_table;
    /* State of the current trace. */
    uint64_t trace;    /* number of the trace, from 1 */
    uint32_t *file_of; /* for each frame that is looked up, the number of its file */
    size_t frame_count, frame_capacity, frame_at;
    uint32_t *present; /* files of the trace, each once */
    size_t present_count, present_capacity;
    /* State of all traces up to the current one. */
    bool any_found; /* some file has a map by its own name or id */
    framemap_index
        *parts; /* a map, found by name or id, of a bundle that consists of several files; NULL: there was none */
    framemap_match parts_by; /* how `parts` was found */
    framemap_str
        taken; /* name (fm_js_name_stem) of the script that the only map was used for; absent: it was not used yet */
    framemap_str module; /* name of the unnamed module that the only module was used for; absent: it was not used yet */
    struct fm_js_answer *asked;
    size_t asked_count, asked_capacity;
    struct fm_table asked_table;
    struct fm_js_index_sources *sources;
    size_t source_count, source_capacity;
    struct fm_table source_table;
    /* the previous frame, if the next frame may provide the name of its function; NULL: none */
    framemap_frame *unnamed;
    uint32_t unnamed_place;           /* number of the position of `unnamed` in `asked` */
    const framemap_index *last_index; /* the map of the last frame in the trace that has a map */
    const framemap_index *minified;   /* a map of the trace with names minified by dart2js */
    const struct fm_view *text_view;  /* the view of the last call of fm_js_knows_text; NULL: there was no call yet */
    bool text_known;                  /* result of the last call of fm_js_knows_text */
};

/* Whether a frame is looked up: a JavaScript frame with a position that is not restored yet. */
bool fm_js_is_looked_up(const framemap_frame *frame);
struct fm_printed_place fm_js_place_of_frame(const framemap_frame *frame);
/* The file name of a script without query and fragment, which differ from one load to the next; the whole text if that
 * leaves nothing. */
framemap_str fm_js_name_stem(framemap_str file);
/* Whether a file, as a stack names it, is a WebAssembly module. */
bool fm_js_is_wasm(framemap_str file);
/* Whether the text is what Wasmer prints for a WebAssembly module without a name. */
bool fm_js_is_unnamed_module(framemap_str name);
/* Whether a name is the hash of its code that V8 calls a module without a name. */
bool fm_js_is_code_hash(framemap_str name);
/* Looks up a frame of WebAssembly, which has no source map, in the debug info of its module. *settled: the module
 * was given, and the frame's answer is set. Otherwise, if a module was given that cannot be used, file->no_module
 * says why. Errors: MEMORY, those of the store. */
framemap_status fm_wasm_frame(struct fm_restore_job *job, framemap_frame *frame, struct fm_js_printed_file *file,
                              bool *settled, framemap_error *error);
/* Finds the source map of a WebAssembly module for which V8 prints only a hash: the map of the only module that was
 * given, or the only map that is named after a module. Sets file->found. Errors: MEMORY. */
framemap_status fm_wasm_find_map(struct fm_restore_job *job, struct fm_js_printed_file *file, framemap_error *error);
/* Opens the sources of an index, once for each index; *out: their number in the job. Errors: MEMORY. */
framemap_status fm_js_open_sources(struct fm_restore_job *job, const framemap_index *index, uint32_t *out,
                                   framemap_error *error);
/* Chooses for each file of a trace the map that its frames are looked up in (restore_javascript_files.c). Errors:
 * MEMORY. */
framemap_status fm_js_choose_maps(struct fm_restore_job *job, const framemap_trace *trace, framemap_error *error);

/* Names the function of the previous frame, which is above `frame` (NULL: the trace ends), if the map has no name
 * for it: by the call site that `frame` is, or as the text prints it. place: number of the position of `frame` in
 * `asked`; FM_JS_NO_ANSWER: none. Errors: MEMORY. */
#define FM_JS_NO_ANSWER UINT32_MAX
framemap_status fm_js_name_above(struct fm_restore_job *job, framemap_frame *frame, uint32_t place,
                                 framemap_error *error);

/* Whether the functions of the generated text are known, from scopes or by parsing the text. If they are, a function
 * without a name there is called through a parameter of its caller, and the name at the call site is not its name. */
bool fm_js_knows_text(const struct fm_view *view);

/* Remembers the map of a frame (NULL: none) for fm_js_restore_mentions. If a program consists of several scripts, one
 * of their maps has the minified names of all. */
void fm_js_note_map(struct fm_js_job *script, const framemap_index *index);
/* Restores the types and members that the text names outside of the frames of a trace, by the maps noted since the
 * previous trace. Errors: MEMORY. */
framemap_status fm_js_restore_mentions(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error);

#endif
