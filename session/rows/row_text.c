/* Implements row_text.h: restores one text with a parser and a printer that are reset and reused, and collects the
 * output in a buffer. If memory runs out, the text is returned unchanged. */
#include "session/rows/row_text.h"
#include "core/error.h"

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

/* Whether to continue when the parsers are out of memory; a callback of type fm_stream_survives. */
static bool survives(void *context, uint64_t bytes, uint64_t line1)
{
    struct fm_row_text *row = context;
    return fm_batch_survives(&row->job, row->refused, bytes, line1);
}

framemap_status fm_row_text_open(struct fm_row_text *row, framemap_session *session,
                                 const framemap_restore_options *options, framemap_error *error)
{
    const struct fm_parser_table *parsers = NULL;
    fm_buf_init(&row->out, &session->heap);
    framemap_status status = fm_batch_open(&row->job, session, &session->heap, options, gather, &row->out, error);
    if (status == FRAMEMAP_OK) status = fm_parser_tables_get(&session->parser_tables, options->format, &parsers, error);
    if (status == FRAMEMAP_OK)
        status = fm_text_stream_open(&row->text, &session->heap, parsers, fm_batch_hold(session, 0, FM_TEXT_HOLD),
                                     fm_batch_take, &row->job, error);
    row->text.survives = survives;
    row->text.survivor = row;
    return status;
}

framemap_status fm_row_text_restore(struct fm_row_text *row, framemap_str text, uint64_t line1, framemap_str *out,
                                    framemap_error *error)
{
    row->refused = fm_batch_refused(row->job.session);
    row->job.summary = (framemap_restore_summary){.traces = 0};
    fm_buf_clear(&row->out);
    fm_text_stream_restart(&row->text);
    row->text.dispatch->at.number1 = line1 - 1;
    const framemap_status status = fm_text_stream_whole(&row->text, text, error);
    *out = fm_buf_view(&row->out);
    if (!row->out.failed) return status;
    *out = text;
    return survives(row, text.size, line1) ? FRAMEMAP_OK : fm_error_memory(error);
}

void fm_row_text_count(const struct fm_row_text *row, uint64_t line1, framemap_restore_summary *all)
{
    framemap_restore_summary one = row->job.summary;
    one.first_malformed_line = line1;
    fm_restore_summary_add(all, &one);
}

void fm_row_text_close(struct fm_row_text *row)
{
    fm_text_stream_close(&row->text);
    fm_batch_close(&row->job);
    fm_buf_free(&row->out);
}
