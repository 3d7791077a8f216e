/* Restores and prints the batches of a text. A batch consists of the traces that have ended, and the text around them.
 * Under a memory ceiling a batch is divided between stacks; a part that still exceeds the ceiling is written unchanged.
 * Called by restore_text.c. */
#ifndef FM_SESSION_RESTORE_RESTORE_BATCH_H
#define FM_SESSION_RESTORE_RESTORE_BATCH_H

#include "api/group/mark.h"
#include "formats/format_registry.h"
#include "session/restore/form_offsets.h"
#include "session/restore/restore_job.h"
#include "session/sources/source_lines.h"

struct fm_batch_job {
    framemap_session *session;
    struct fm_heap *heap;
    struct fm_restore_job restore;
    struct fm_arena answers; /* results of one part */
    struct fm_arena scope;   /* the scope of the text */
    struct fm_printer printer;
    struct fm_missing_list missing; /* missing symbols of all parts */
    struct fm_form_offsets offsets;
    bool as_printed;            /* nothing is restored; the text is written as it is */
    framemap_trace_visit visit; /* called with restored traces; NULL: no callback */
    void *visit_context;
    struct fm_marker marker;
    struct fm_source_lines lines;
    /* number of times that a batch was divided because its symbols did not fit into memory together */
    unsigned crowded;
    size_t passed_count; /* number of parts that were not restored, or not completely, because of the memory ceiling */
    uint64_t passed_bytes, passed_line1;
    framemap_restore_summary summary;
};

/* Opens a job. heap: memory for everything that the job allocates. */
framemap_status fm_batch_open(struct fm_batch_job *job, framemap_session *session, struct fm_heap *heap,
                              const framemap_restore_options *options, framemap_write write, void *context,
                              framemap_error *error);
/* Writes the output before the text. fm_batch_end is only called if this call succeeded. */
framemap_status fm_batch_begin(struct fm_batch_job *job, framemap_error *error);
/* Sets another scope for the texts that follow, and releases the symbols that were found in the scope before. given
 * NULL: no scope. Errors: ARGUMENT, MEMORY. */
framemap_status fm_batch_rescope(struct fm_batch_job *job, const framemap_scope *given, framemap_error *error);
/* A callback of type fm_stream_batch, which restores and prints a batch; context: the job. */
framemap_status fm_batch_take(void *context, framemap_str text, uint64_t offset, framemap_trace *traces, size_t count,
                              framemap_error *error);
/* For fm_stream_survives callbacks: whether parsing may continue after a parser was refused memory. True if the
 * caller's limit (max_memory) was the reason, false if the allocator failed. If true, counts the bytes as written
 * without being restored, and frees idle indexes. */
bool fm_batch_survives(struct fm_batch_job *job, uint64_t refused_before, uint64_t bytes, uint64_t line1);
/* Returns the number of bytes of a text that may be held back. wanted: number that the caller requests; 0: `usual`.
 * Under a ceiling the number is at most 1/512 of the ceiling, since traces take more memory than their text. */
size_t fm_batch_hold(const framemap_session *session, uint64_t wanted, size_t usual);
/* Returns how often memory was refused because of the ceiling. */
uint64_t fm_batch_refused(const framemap_session *session);
/* Whether an allocation failed because of the ceiling, not because of the allocator. refused: what fm_batch_refused
 * returned before the allocation was tried. */
bool fm_batch_was_over(const framemap_session *session, framemap_status status, uint64_t refused);
/* Adds the summary of one part of a text to the sum over the parts before it. */
void fm_restore_summary_add(framemap_restore_summary *sum, const framemap_restore_summary *part);
/* Writes the output after the text. bytes, lines: the size of the whole text. */
framemap_status fm_batch_end(struct fm_batch_job *job, uint64_t bytes, uint64_t lines, framemap_error *error);
/* Frees the memory of the job; has to be called even after an error of fm_batch_open. Reports the parts that were not
 * restored. */
void fm_batch_close(struct fm_batch_job *job);

#endif
