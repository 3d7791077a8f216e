/* Implements restore_rows.h: parses the options for input of rows (TSV or NDJSON with a stack in one field). Passes the
 * input to the library in chunks, and reports rows that could not be read. */
#include "cli/commands/restore_rows.h"

#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char *keep_words(struct fm_row_job *job, int number, const char *value)
{
    free(job->words[number]);
    return job->words[number] = fm_cli_copy(value, strlen(value));
}

bool fm_row_job_parse(struct fm_row_job *job, const char *value)
{
    char *format = keep_words(job, 0, value), *colon = strchr(format, ':');
    if (colon) *colon = 0;
    job->options.format = format;
    job->options.field = colon && colon[1] ? colon + 1 : NULL;
    if (strcmp(format, "tsv") == 0 || strcmp(format, "ndjson") == 0) return true;
    fm_message("'%s' is not a format of rows; use tsv or ndjson, with :FIELD", value);
    return false;
}

bool fm_row_job_parse_scope(struct fm_row_job *job, const char *value)
{
    for (char *at = keep_words(job, 1, value); at;) {
        char *comma = strchr(at, ','), *equals = strchr(at, '=');
        if (comma) *comma = 0;
        const char **field = strncmp(at, "app=", 4) == 0     ? &job->options.app
                             : strncmp(at, "build=", 6) == 0 ? &job->options.build
                                                             : NULL;
        if (!field || !equals[1]) {
            fm_message("'%s' is not a valid scope; use app=FIELD,build=FIELD", value);
            return false;
        }
        *field = equals + 1;
        at = comma ? comma + 1 : NULL;
    }
    return true;
}

bool fm_row_job_parse_header(struct fm_row_job *job, const char *value)
{
    job->options.chunk_header = true;
    job->options.answer_header = value != NULL;
    if (value == NULL || strcmp(value, "both") == 0) return true;
    fm_message("'%s' is not a valid value of --chunk-header; use --chunk-header or --chunk-header=both", value);
    return false;
}

bool fm_row_job_lacks(const struct fm_row_job *job)
{
    const framemap_rows_options *options = &job->options;
    if (options->format) {
        if (!options->only_field || strcmp(options->format, "tsv") == 0) return false;
        fm_message("--only-field is for --rows tsv");
        return true;
    }
    const char *given = options->chunk_header            ? "--chunk-header"
                        : options->app || options->build ? "--scope"
                        : options->status                ? "--status-field"
                        : options->only_field            ? "--only-field"
                                                         : NULL;
    if (given) fm_message("%s needs --rows", given);
    return given != NULL;
}

void fm_row_job_free(struct fm_row_job *job)
{
    for (size_t i = 0; i < sizeof job->words / sizeof *job->words; i++) free(job->words[i]);
}

static void report_rows(const framemap_rows_summary *summary, const char *shown)
{
    const framemap_restore_summary *sum = &summary->restore;
    if (sum->malformed)
        fm_message("%s:%" PRIu64 ": this frame was left as it is: %s", shown, sum->first_malformed_line,
                   sum->malformed_reason ? sum->malformed_reason : "it violates the rules of its format");
    if (summary->unreadable)
        fm_message("%s:%" PRIu64 ": this row was left as it is: %s (%" PRIu64 " such row%s in all)", shown,
                   summary->first_unreadable_line, summary->unreadable_reason, summary->unreadable,
                   summary->unreadable == 1 ? "" : "s");
}

framemap_status fm_row_job_run(const struct fm_row_job *job, framemap_session *session, int fd, const char *shown,
                               struct fm_out *out, framemap_rows_summary *summary, framemap_error *error)
{
    struct fm_in in;
    framemap_rows *rows;
    framemap_error closing;
    framemap_status status = framemap_rows_open(session, &job->options, fm_out_write, out, &rows, error);
    if (status) return status;
    fm_in_init(&in, fd);
    while (!status && !out->failed && fm_in_more(&in, out)) {
        status = framemap_rows_feed(rows, (framemap_str){in.data + in.begin, in.end - in.begin}, error);
        in.begin = in.end;
    }
    if (in.failed) out->failed = true; /* the reason was reported when the read failed */
    fm_in_free(&in);
    const framemap_status end = framemap_rows_close(rows, summary, &closing);
    if (!status && end) *error = closing;
    fm_out_flush(out);
    report_rows(summary, shown);
    return status ? status : end;
}
