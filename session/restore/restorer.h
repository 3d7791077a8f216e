/* The interface between restore.c, which walks over traces, and the restorers, each of which restores one family of
 * stacks.
 *
 * A restorer is one constant row of functions, which are called in the order below on one thread. A function that is
 * NULL is not called. The values that a restorer writes into a frame may depend on the trace of the frame and on the
 * traces before it, never on later ones (tests/session/restore/test_later_text.c).
 *
 *     begin
 *       report_begin
 *         trace_begin   frame, frame, ...   trace_end      (for each trace)
 *       report_end
 *     missing
 *     end
 *
 * To add a family: a file with its row, the row in restore.c's table, a pointer to its state in restore_job.h. */
#ifndef FM_SESSION_RESTORE_RESTORER_H
#define FM_SESSION_RESTORE_RESTORER_H

#include "session/restore/restore_job.h"

struct fm_restorer {
    framemap_kind kind; /* kind of the frames for which `frame` is called */

    /* Called once, before all other functions of the row. Errors: MEMORY. */
    framemap_status (*begin)(struct fm_restore_job *job, framemap_error *error);

    /* Called before the first trace, with all traces that the caller passed together. Used for work that costs less
     * when it is done for several traces at once: for example, Java's restorer chooses a mapping for each trace here.
     * Errors: MEMORY, IO. */
    framemap_status (*report_begin)(struct fm_restore_job *job, framemap_trace *traces, size_t count,
                                    framemap_error *error);

    /* Called for every trace, even for traces without frames of the family. number: index of the trace in the report,
     * from 0. Errors: MEMORY, IO. */
    framemap_status (*trace_begin)(struct fm_restore_job *job, framemap_trace *trace, size_t number,
                                   framemap_error *error);

    /* Restores frame `number` of the trace, whatever its status is; called for the frames in the order of the
     * text. Required. A frame that remains RAW is not counted: report_end sets its status and counts it. Errors:
     * MEMORY, IO. */
    framemap_status (*frame)(struct fm_restore_job *job, framemap_trace *trace, size_t number, framemap_error *error);

    /* Called after the last frame of every trace. Errors: MEMORY. */
    framemap_status (*trace_end)(struct fm_restore_job *job, framemap_trace *trace, framemap_error *error);

    /* Called after the last trace. traces: as in report_begin. Errors: MEMORY, IO. */
    framemap_status (*report_end)(struct fm_restore_job *job, framemap_trace *traces, size_t count,
                                  framemap_error *error);

    /* Adds the images without symbols to the session's list. The caller holds the session's lock. Required. Returns
     * false if out of memory. Called only when the result of the call is final. */
    bool (*missing)(struct fm_restore_job *job);

    /* Called after a batch in place of `end`, if another batch may follow. Releases memory in job->arena and pointers
     * into the text, and keeps data that the next batch needs. If it is NULL, `end` is called. */
    void (*forget)(struct fm_restore_job *job);

    /* Releases the state; called even after an error and if `begin` was never called. Required. */
    void (*end)(struct fm_restore_job *job);
};

/* Restores a native frame whose function is a method of Java in compiled or interpreted code of ART, such as "a.b.C.d"
 * in base.odex. It is restored like a frame of Java without a line: class and method only. If there is no mapping, it
 * counts as lacking symbols only if the name of its class looks renamed. *taken false: the frame is not such a frame.
 * Defined in restore_java.c. Errors: MEMORY, IO. */
framemap_status fm_java_method_frame(struct fm_restore_job *job, framemap_trace *trace, size_t number, bool *taken,
                                     framemap_error *error);

extern const struct fm_restorer fm_restorer_native; /* defined in restore_native.c */
extern const struct fm_restorer fm_restorer_java;   /* defined in restore_java.c */
extern const struct fm_restorer fm_restorer_js;     /* defined in restore_javascript.c */
extern const struct fm_restorer fm_restorer_dart;   /* defined in restore_dart.c */

#endif
