/* One call of restore: what its parts share. Indexes are held for its length, so that lookups take no lock. */
#ifndef FM_SESSION_RESTORE_RESTORE_JOB_H
#define FM_SESSION_RESTORE_RESTORE_JOB_H

#include "api/index_handle.h"
#include "api/trace_owner.h"
#include "session/session_state.h"

/* Why all of a list is to be restored once more, from the text. */
struct fm_redo {
    bool changed; /* a file was changed while it was read: the traces are not to be used */
    bool crowded; /* symbols went over the session's ceiling together with others that the same list wanted: with less
                     in it they may not */
};
/* Restores all traces of a list, in place. may_redo: the caller does it again where it is crowded. Where it is done
 * again, what is missing is not noted. */
framemap_status fm_restore_list(framemap_session *session, framemap_trace_list *list,
                                const framemap_restore_options *options, bool may_redo,
                                framemap_restore_summary *summary, struct fm_redo *redo, framemap_error *error);

struct fm_wanted;
struct fm_asked;
struct fm_dart_job;
struct fm_java_job;
struct fm_script_job;

struct fm_restore_job {
    framemap_session *session;
    struct fm_heap *heap;
    struct fm_arena *arena;  /* results; as long as the traces live */
    struct fm_arena scratch; /* of one question */
    framemap_demangle demangle;
    struct fm_wanted *wanted; /* images that frames want, each looked up once */
    size_t wanted_count, wanted_capacity;
    struct fm_table wanted_table;
    size_t images_held;     /* of them, now */
    size_t waiting;         /* of them: those that wait for the next pass; under a ceiling not all may fit at once */
    unsigned pass;          /* from 0 */
    uint64_t waited;        /* how often one began to wait */
    struct fm_asked *asked; /* positions that were asked for already: a stack overflow asks for the same few a hundred
                               thousand times */
    size_t asked_count, asked_capacity;
    struct fm_table asked_table;
    struct fm_dart_job *dart;     /* NULL: no stack of the call is Dart's */
    struct fm_java_job *java;     /* NULL: no stack of the call is Java's */
    struct fm_script_job *script; /* NULL: no frame is JavaScript's */
    uint32_t context;             /* lines of source wanted before and behind each line; 0: none */
    framemap_restore_summary summary;
};

/* What an index answered, to the frame that asked. */
void fm_restore_give(framemap_frame *frame, const framemap_frame *answer);

/* Copies what an answer borrows from its index into the arena: the index may be closed before the traces are. false:
 * out of memory. */
bool fm_restore_keep(struct fm_restore_job *job, framemap_frame *answer);

/* Writes why there is no index into the arena, since the session may be closed before the traces are: with the file
 * that is of another build, and its id beside the one that is wanted. *out NULL: there is an index. false: out of
 * memory. */
bool fm_restore_keep_reason(struct fm_restore_job *job, const struct fm_held *held, framemap_str wanted,
                            const char **out);

/* --- native frames (restore_native.c) --- */

void fm_restore_native_begin(struct fm_restore_job *job);
framemap_status fm_restore_native_frame(struct fm_restore_job *job, const framemap_trace *trace, framemap_frame *frame,
                                        framemap_error *error);
/* Adds the images that were wanted in vain to the session's list; under its lock. false: out of memory. */
bool fm_restore_native_missing(struct fm_restore_job *job);
/* true: images wait, for which those that are held were released. All frames that were asked for have their answers;
 * those that are RAW are to be asked for once more, and one image at least comes to its end in each pass. */
bool fm_restore_native_again(struct fm_restore_job *job);
void fm_restore_native_end(struct fm_restore_job *job);

/* --- Dart (restore_dart.c) --- */

/* A trace begins: names that were obfuscated, of what it tells was thrown and of rows that need no symbols. Nothing for
 * traces of others. */
framemap_status fm_restore_dart_trace(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error);
/* Frames in their order. */
framemap_status fm_restore_dart_frame(struct fm_restore_job *job, framemap_trace *trace, framemap_frame *frame,
                                      framemap_error *error);
bool fm_restore_dart_missing(struct fm_restore_job *job);
void fm_restore_dart_end(struct fm_restore_job *job);

/* --- Java (restore_java.c) --- */

/* Chooses a mapping for each trace. Nothing where no trace has frames of Java. */
framemap_status fm_restore_java_begin(struct fm_restore_job *job, const framemap_trace_list *list,
                                      framemap_error *error);
/* Begins a trace: number in the list. */
void fm_restore_java_trace(struct fm_restore_job *job, framemap_trace *trace, size_t number);
/* Frames in their order; restores the mentions above each, too. */
framemap_status fm_restore_java_frame(struct fm_restore_job *job, framemap_trace *trace, size_t number,
                                      framemap_error *error);
/* The mentions below the last frame. */
framemap_status fm_restore_java_trace_end(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error);
bool fm_restore_java_missing(struct fm_restore_job *job);
void fm_restore_java_end(struct fm_restore_job *job);

/* --- JavaScript (restore_javascript.c) --- */

/* Begins a trace: decides which map each of its files is read with. Nothing for traces without frames of JavaScript. */
framemap_status fm_restore_script_trace(struct fm_restore_job *job, const framemap_trace *trace, framemap_error *error);
/* All frames of the trace, in their order. */
framemap_status fm_restore_script_frame(struct fm_restore_job *job, framemap_frame *frame, framemap_error *error);
framemap_status fm_restore_script_trace_end(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error);
bool fm_restore_script_missing(struct fm_restore_job *job);
void fm_restore_script_end(struct fm_restore_job *job);

#endif
