/* Implements convert_task.h: opens the session of `framemap convert`, which finds and caches symbols, with a function
 * that prints warnings unless --quiet was given. */
#include "cli/commands/convert_task.h"

#include "cli/cli.h"

static void report_warning(void *context, const framemap_error *warning)
{
    const struct fm_convert_task *job = context;
    if (!job->quiet) fm_message_error(NULL, warning);
}

framemap_status fm_convert_open_session(const struct fm_convert_task *job, framemap_session **session,
                                        framemap_error *error)
{
    framemap_session_options options = job->session;
    options.warning = report_warning;
    options.context = (void *)(uintptr_t)job;
    return framemap_session_open(&options, session, error);
}
