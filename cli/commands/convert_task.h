/* The task of a 'framemap convert' command, for the file that converts stacks (convert_stacks.h) and the file that
 * converts profiles (convert_samples.h). */
#ifndef FM_CLI_CONVERT_TASK_H
#define FM_CLI_CONVERT_TASK_H

#include "cli/cli_io.h"
#include "cli/scope_options.h"

struct fm_convert_task {
    const char *to, *format; /* format: format of the input; NULL: the text decides */
    const char **files;      /* paths of the inputs; "-": standard input */
    size_t file_count;
    framemap_session_options session; /* options with the symbol paths */
    bool has_symbols;                 /* false: nothing is restored */
    const framemap_scope *scope;      /* scope of the texts; NULL: none was given */
    bool quiet;
    struct fm_out *out; /* flushed before each read that can block; NULL: the output is not standard output */
    framemap_write write;
    void *context; /* argument of `write` */
    uint32_t lost; /* set by the call: the parts that the format cannot express */
};

/* Opens a session with the symbols of the task. The session prints warnings unless the task is quiet, and the task
 * must live as long as the session. Errors: those of framemap_session_open. */
framemap_status fm_convert_open_session(const struct fm_convert_task *job, framemap_session **session,
                                        framemap_error *error);

#endif
