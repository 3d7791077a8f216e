/* Restores many short texts, one after the other, each as if it were the only one, but makes the objects that
 * restoring needs only once. Called by rows.c; it must not know what a row is. */
#ifndef FM_SESSION_ROWS_ROW_TEXT_H
#define FM_SESSION_ROWS_ROW_TEXT_H

#include "formats/text_stream.h"
#include "session/restore/restore_batch.h"

struct fm_row_text {
    struct fm_batch_job job;
    struct fm_text_stream text;
    uint64_t refused; /* fm_batch_refused before the current text */
    struct fm_buf out;
};

/* Prepares to restore texts. options: checked by the caller. fm_row_text_close must be called also after an error.
 * Errors: MEMORY. */
framemap_status fm_row_text_open(struct fm_row_text *row, framemap_session *session,
                                 const framemap_restore_options *options, framemap_error *error);
/* Restores a text. line1: the number of its first line. out: borrowed until the next call; under a memory ceiling it
 * may be `text`. The job's summary is of this text alone. Errors: MEMORY. */
framemap_status fm_row_text_restore(struct fm_row_text *row, framemap_str text, uint64_t line1, framemap_str *out,
                                    framemap_error *error);
/* Adds the summary of the last text to the summary of all texts. line1: number of the line with the last text's
 * first malformed frame. */
void fm_row_text_count(const struct fm_row_text *row, uint64_t line1, framemap_restore_summary *all);
void fm_row_text_close(struct fm_row_text *row);

#endif
