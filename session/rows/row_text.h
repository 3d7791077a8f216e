/* Restores many short texts, one after the other, each as if it were the only one: what a text needs at its start is
 * made once. Called by rows.c; it must not know what a row is. */
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

/* Opens what restores texts. options: checked by the caller. Close it also after an error. Errors: MEMORY. */
framemap_status fm_row_text_open(struct fm_row_text *row, framemap_session *session,
                                 const framemap_restore_options *options, framemap_error *error);
/* Restores a text. line1: the number of its first line. out: borrowed until the next call; under a memory ceiling it
 * may be `text`. The job's summary is of this text alone. Errors: MEMORY. */
framemap_status fm_row_text_restore(struct fm_row_text *row, framemap_str text, uint64_t line1, framemap_str *out,
                                    framemap_error *error);
/* Adds the summary of the last text to that of all. line1: number of the line with its first malformed frame. */
void fm_row_text_count(const struct fm_row_text *row, uint64_t line1, framemap_restore_summary *all);
void fm_row_text_close(struct fm_row_text *row);

#endif
