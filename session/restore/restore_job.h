/* State while one text is restored, shared by restore.c and the restorers. Traces are restored in batches; indexes are
 * held while a batch is restored, so that lookups take no lock. */
#ifndef FM_SESSION_RESTORE_RESTORE_JOB_H
#define FM_SESSION_RESTORE_RESTORE_JOB_H

#include "api/index_handle.h"
#include "api/trace_owner.h"
#include "session/remote/remote.h"

/* The reasons why the caller has to parse the text and restore it again. */
struct fm_redo {
    bool changed; /* a symbol file was changed while it was read, so the traces must not be used */
    /* the needed symbols together exceeded the session's memory ceiling; the symbols for a shorter list of traces may
     * fit */
    bool crowded;
};
/* The states of the restorers. Each is defined in the files of its restorer. */
struct fm_native_job;
struct fm_dart_job;
struct fm_java_job;
struct fm_js_job;

struct fm_java_restored;

/* The files whose cached answers were used in this batch (recall.h). */
struct fm_recall_state {
    unsigned batch;                 /* number of the batch, counted from 0 */
    struct fm_answer_reader reader; /* open if the batch uses cached answers; otherwise zeroed */
    const struct fm_entry **files;
    size_t count, capacity;
};

/* A Dart stack that a stream has written in part; the trace with its next frame continues the numbers. */
struct fm_dart_rest {
    uint64_t process; /* hash of process and thread */
    int64_t index;    /* printed number of the last frame */
    uint64_t next;    /* number of the next restored frame */
};
#define FM_DART_RESTS 8 /* number of such stacks that are remembered */

struct fm_restore_job {
    framemap_session *session;
    struct fm_heap *heap;
    uint64_t begin;              /* start of the call, as fm_index_cache_retire_changed needs it */
    struct fm_arena *arena;      /* memory of the results; it lives as long as the traces */
    struct fm_arena scratch;     /* memory for one lookup */
    const framemap_scope *scope; /* scope of the text; NULL: the text has no scope */
    framemap_demangle demangle;
    bool no_symbols;  /* Java frames need no `symbol` besides the function */
    uint32_t context; /* number of source lines before and after each line; 0: no source lines are requested */
    bool changed;     /* cached answers of an index file were used that was changed meanwhile */
    /* number of images whose frames are restored later, since not all indexes fit below the memory ceiling together */
    uint64_t waited;
    struct fm_recall_state recall;
    struct fm_remote *remote;     /* symbols in the session's store; NULL: the session has no store */
    struct fm_native_job *native; /* state of the restorer of native frames (native_symbols.h) */
    struct fm_dart_job *dart;     /* state of the restorer of Dart frames; NULL: no trace so far is Dart's */
    /* the Dart stacks that were written in part last, also in earlier batches; number i is at i % FM_DART_RESTS */
    struct fm_dart_rest dart_rests[FM_DART_RESTS];
    size_t dart_rest_count;
    struct fm_java_job *java; /* state of the restorer of Java frames; NULL: no trace so far is Java's */
    struct fm_js_job *js;     /* state of the restorer of JavaScript frames; NULL: no frame so far is JavaScript's */
    /* list for the missing symbols of the call; NULL: they are only added to the session's list */
    struct fm_missing_list *missing;
    framemap_restore_summary summary;
};

/* Opens a job. arena: memory for the results; the caller may reset it after each batch. missing: list to which the
 * missing symbols of all batches are added, in addition to the session's list; may be NULL. The caller sets job->scope
 * to a scope that fm_text_scope_copy has made. */
void fm_restore_job_open(struct fm_restore_job *job, framemap_session *session, struct fm_arena *arena,
                         const framemap_restore_options *options, struct fm_missing_list *missing);
void fm_restore_job_close(struct fm_restore_job *job);
/* Restores a batch of traces, in place. may_redo: the caller will restore the traces again if redo->crowded is set.
 * Missing symbols are added to the lists only when the result is final. Errors: IO, MEMORY. */
framemap_status fm_restore_traces(struct fm_restore_job *job, framemap_trace *traces, size_t count, bool may_redo,
                                  framemap_restore_summary *summary, struct fm_redo *redo, framemap_error *error);

/* Restores traces in place. arena: memory for the results. options: only `demangle` and `scope` are used. Errors: those
 * of framemap_session_restore_traces, and ARGUMENT for a bad scope. */
framemap_status fm_restore_all(framemap_session *session, struct fm_arena *arena, framemap_trace *traces, size_t count,
                               const framemap_restore_options *options, framemap_restore_summary *summary,
                               framemap_error *error);

/* Requests the values that the frames of the traces need from the session's store, if it has one. Defined in
 * restore_wants.c. Errors: MEMORY. */
framemap_status fm_restore_ask(struct fm_restore_job *job, const framemap_trace *traces, size_t count,
                               framemap_error *error);
/* Returns the answer of a native or Dart frame for which a store has no value. reason: the reason that fm_remote_page
 * has set. */
framemap_frame fm_restore_without_view(const char *reason);
/* Searches the store for a build that the symbol paths do not have. held: not changed if the build is not in the store,
 * or if `id` is empty. Errors: MEMORY. */
framemap_status fm_restore_hold_remote(struct fm_restore_job *job, const char *family, framemap_str id,
                                       struct fm_held_index *held, framemap_error *error);

/* Adds a frame to the summary, once its status is final. Frames that are RAW or that need no symbols are not
 * counted. */
void fm_restore_count(framemap_restore_summary *summary, const framemap_frame *frame);

/* Adds an image without symbols to the lists. The caller holds the session's lock. Returns false if out of memory. */
bool fm_restore_miss(struct fm_restore_job *job, const framemap_missing *row);

/* Sets the members `why` and `conflict` of frames once their answers are final, and sets for the images of the reports
 * whether they have symbols. Defined in restore_settle.c. */
void fm_restore_settle(framemap_trace *traces, size_t count);

/* Copies the result of a lookup into the frame for which it was made. */
void fm_restore_give(framemap_frame *frame, const framemap_frame *answer);

/* Copies the strings that a result borrows from its index into the arena, because the index may be closed before the
 * traces are freed. Returns false if out of memory. */
bool fm_restore_keep(struct fm_restore_job *job, framemap_frame *answer);

/* Does what fm_restore_keep does, for the result of a Java lookup. Such a result was made in the results' arena, so its
 * array of frames is there already. Returns false if out of memory. */
bool fm_restore_keep_java(struct fm_restore_job *job, const struct fm_java_restored *answer);

/* Copies the reason why there is no index into the arena, because the session may be closed before the traces are
 * freed. If a file of another build was refused, the reason contains the requested id, the refused file and the id of
 * that file. *out NULL: there is an index. Returns false if out of memory. */
bool fm_restore_keep_reason(struct fm_restore_job *job, const struct fm_held_index *held, framemap_str wanted,
                            const char **out);

#endif
