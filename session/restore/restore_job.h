/* State of the restoring of one text, shared by restore.c and the restorers. Traces come in batches; indexes are held
 * while a batch is restored, so that lookups take no lock. */
#ifndef FM_SESSION_RESTORE_RESTORE_JOB_H
#define FM_SESSION_RESTORE_RESTORE_JOB_H

#include "api/index_handle.h"
#include "api/trace_owner.h"
#include "session/remote/remote.h"

/* The reasons why the caller has to parse the text and restore it again. */
struct fm_redo {
    bool changed; /* a file was changed while it was read: the traces must not be used */
    /* the needed symbols exceeded the session's memory ceiling together; those of a shorter list of traces may fit */
    bool crowded;
};
/* The state of each restorer, defined in its own files. */
struct fm_native_job;
struct fm_dart_job;
struct fm_java_job;
struct fm_js_job;

struct fm_java_restored;

/* The files whose answers were recalled in this batch (recall.h). */
struct fm_recall_state {
    unsigned batch;                 /* number of the batch, from 0 */
    struct fm_answer_reader reader; /* open if the batch recalls answers; otherwise zeroed */
    const struct fm_entry **files;
    size_t count, capacity;
};

struct fm_restore_job {
    framemap_session *session;
    struct fm_heap *heap;
    uint64_t begin;              /* start of the call, for fm_index_cache_retire_changed */
    struct fm_arena *arena;      /* results; lives as long as the traces */
    struct fm_arena scratch;     /* memory of one lookup */
    const framemap_scope *scope; /* scope of the text; NULL: not given */
    framemap_demangle demangle;
    bool no_symbols;  /* Java frames need no `symbol` besides the function */
    uint32_t context; /* lines of source before and after each line; 0: none */
    bool changed;     /* answers of an index file were used that was changed meanwhile */
    /* number of images whose frames were put off, since their indexes did not fit below the memory ceiling at once */
    uint64_t waited;
    struct fm_recall_state recall;
    struct fm_remote *remote;        /* symbols of the session's store; NULL: it has none */
    struct fm_native_job *native;    /* state of the restorer of native frames (native_symbols.h) */
    struct fm_dart_job *dart;        /* state for Dart; NULL: no trace so far is Dart's */
    struct fm_java_job *java;        /* state for Java; NULL: no trace so far is Java's */
    struct fm_js_job *js;            /* state for JavaScript; NULL: no frame so far is JavaScript's */
    struct fm_missing_list *missing; /* missing symbols of the call; NULL: only the session's list is kept */
    framemap_restore_summary summary;
};

/* Opens a job. arena: memory for the results; the caller may reset it after each batch. missing: gets the missing
 * symbols of all batches, in addition to the session's list; NULL: only the session's list gets them. The caller
 * sets job->scope, as fm_text_scope_copy makes it. */
void fm_restore_job_open(struct fm_restore_job *job, framemap_session *session, struct fm_arena *arena,
                         const framemap_restore_options *options, struct fm_missing_list *missing);
void fm_restore_job_close(struct fm_restore_job *job);
/* Restores a batch of traces, in place. may_redo: the caller restores the traces again if redo->crowded is set.
 * Missing symbols are added to the lists only when the result is final. Errors: IO, MEMORY. */
framemap_status fm_restore_traces(struct fm_restore_job *job, framemap_trace *traces, size_t count, bool may_redo,
                                  framemap_restore_summary *summary, struct fm_redo *redo, framemap_error *error);

/* Restores traces in place. arena: memory for the results. options: only `demangle` and `scope` are used. Errors: as
 * framemap_session_restore_traces, and ARGUMENT for a bad scope. */
framemap_status fm_restore_all(framemap_session *session, struct fm_arena *arena, framemap_trace *traces, size_t count,
                               const framemap_restore_options *options, framemap_restore_summary *summary,
                               framemap_error *error);

/* Requests what the frames of the traces need from the session's store, if it has one. Defined in restore_wants.c.
 * Errors: MEMORY. */
framemap_status fm_restore_ask(struct fm_restore_job *job, const framemap_trace *traces, size_t count,
                               framemap_error *error);
/* Returns the answer of a native or Dart frame for which a store has no value. reason: as fm_remote_page sets it. */
framemap_frame fm_restore_without_view(const char *reason);
/* Looks in the store for a build that the symbol paths do not have. held: not changed if the build is not in the
 * store, or if `id` is empty. Errors: MEMORY. */
framemap_status fm_restore_hold_remote(struct fm_restore_job *job, const char *family, framemap_str id,
                                       struct fm_held_index *held, framemap_error *error);

/* Adds a frame to the summary, once its status is final; frames that are RAW or not needed do not count. */
void fm_restore_count(framemap_restore_summary *summary, const framemap_frame *frame);

/* Adds an image without symbols to the lists; the session's lock is held. false: out of memory. */
bool fm_restore_miss(struct fm_restore_job *job, const framemap_missing *row);

/* Completes the members `why` and `conflict` of frames once their answers are final, and whether the images of the
 * reports have symbols. Defined in restore_settle.c. */
void fm_restore_settle(framemap_trace *traces, size_t count);

/* Copies the result of a lookup into the frame that it was made for. */
void fm_restore_give(framemap_frame *frame, const framemap_frame *answer);

/* Copies what a result borrows from its index into the arena: the index may be closed before the traces are. false:
 * out of memory. */
bool fm_restore_keep(struct fm_restore_job *job, framemap_frame *answer);

/* Copies what the result of a Java lookup borrows, as fm_restore_keep does, for a result that was made in the
 * results' arena: its array of frames is there already. */
bool fm_restore_keep_java(struct fm_restore_job *job, const struct fm_java_restored *answer);

/* Writes the reason why there is no index into the arena, since the session may be closed before the traces are. If
 * a file of another build was refused, the reason contains the wanted id, the refused file and that file's id. *out
 * NULL: there is an index. false: out of memory. */
bool fm_restore_keep_reason(struct fm_restore_job *job, const struct fm_held_index *held, framemap_str wanted,
                            const char **out);

#endif
