/* framemap restore --rows: parses its options, and restores input that consists of rows. Called by restore_input.c
 * and cmd_restore.c. */
#ifndef FM_CLI_COMMANDS_RESTORE_ROWS_H
#define FM_CLI_COMMANDS_RESTORE_ROWS_H

#include "cli/cli_io.h"

struct fm_row_job {
    framemap_rows_options options; /* the strings of the options are in `words` or on the command line */
    /* copies of the values of --rows and --scope, which are cut into strings at their separators */
    char *words[2];
};

/* Each of these functions parses one option: --rows ("tsv:2"), --scope ("app=tenant.app,build=build") or --chunk-header
 * ("both", or NULL if it has no value). Returns false if the value is invalid, after reporting that. */
bool fm_row_job_parse(struct fm_row_job *job, const char *value);
bool fm_row_job_parse_scope(struct fm_row_job *job, const char *value);
bool fm_row_job_parse_header(struct fm_row_job *job, const char *value);
/* Whether options were given that need --rows, but --rows was not; if so, reports that. */
bool fm_row_job_lacks(const struct fm_row_job *job);
void fm_row_job_free(struct fm_row_job *job);

/* Restores the rows read from a descriptor. out is flushed before each wait for input. shown: name of the input, for
 * messages. */
framemap_status fm_row_job_run(const struct fm_row_job *job, framemap_session *session, int fd, const char *shown,
                               struct fm_out *out, framemap_rows_summary *summary, framemap_error *error);

#endif
