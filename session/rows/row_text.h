/* Restores many short texts, one after the other, each as though it were the only one. The objects that this needs are
 * made only once. Called by rows.c; independent of the form of rows. */
#ifndef FM_SESSION_ROWS_ROW_TEXT_H
#define FM_SESSION_ROWS_ROW_TEXT_H

#include "formats/text_stream.h"
#include "session/restore/restore_batch.h"

struct fm_row_text {
    struct fm_batch_job job;
    struct fm_text_stream text;
    uint64_t refused; /* value of fm_batch_refused before the current text */
    struct fm_buf out;
};

/* Prepares to restore texts. The caller has checked the options. fm_row_text_close must be called even after an error.
 * Errors: MEMORY. */
framemap_status fm_row_text_open(struct fm_row_text *row, framemap_session *session,
                                 const framemap_restore_options *options, framemap_error *error);
/* Restores a text. line1: number of its first line in the input. *out: the restored text, borrowed until the next call;
 * it may be `text` itself if the memory ceiling was reached. The summary in the job counts this text only. Errors:
 * MEMORY. */
framemap_status fm_row_text_restore(struct fm_row_text *row, framemap_str text, uint64_t line1, framemap_str *out,
                                    framemap_error *error);
/* Adds the counts for the last text to the summary of all texts. line1: number of the line that is reported for a
 * malformed frame, if the text has any. */
void fm_row_text_count(const struct fm_row_text *row, uint64_t line1, framemap_restore_summary *all);
void fm_row_text_close(struct fm_row_text *row);

#endif
