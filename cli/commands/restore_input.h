/* Part of framemap restore: the values of its command line, and the reading of its input. Called by cmd_restore.c. */
#ifndef FM_CLI_COMMANDS_RESTORE_INPUT_H
#define FM_CLI_COMMANDS_RESTORE_INPUT_H

#include "cli/cli_io.h"
#include "cli/commands/restore_rows.h"
#include "cli/progress.h"
#include "cli/rule_options.h"
#include "cli/scope_options.h"

struct fm_restore_command {
    framemap_session_options session_options;
    framemap_restore_options options;
    struct fm_scope_options scope;
    struct fm_rule_options rule_options;
    const char **sources;
    const char *file;    /* path of the input; NULL: standard input */
    uint64_t max_memory; /* value of --max-memory, for messages; 0: no limit */
    bool strict;
    bool unreadable; /* the input is not text */

    framemap_session *session;
    framemap_redis *store; /* store among the symbol paths; NULL: none */
    framemap_rules *rules; /* rules for frames; NULL: no files of rules were given */
    framemap_restore_summary summary;
    struct fm_row_job rows;
    struct fm_progress progress;
    struct fm_out out;
};

/* Restores the whole input of an open session, and reports a malformed frame and a text without stacks. Errors: those
 * of framemap_document_restore, framemap_stream_close and framemap_rows_close. */
framemap_status fm_restore_input(struct fm_restore_command *job, framemap_error *error);

/* Returns the name of the input for messages. */
const char *fm_restore_shown_input(const struct fm_restore_command *job);

/* Reserves a part of --max-memory for the input and output buffers of the command. Call it before the session is
 * opened. */
void fm_restore_share_memory(struct fm_restore_command *job);

#endif
