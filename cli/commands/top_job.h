/* The values of the command line of framemap top, and what was read so far. Shared by cmd_top.c and the files that
 * read stacks and profiles for it. */
#ifndef FM_CLI_COMMANDS_TOP_JOB_H
#define FM_CLI_COMMANDS_TOP_JOB_H

#include "cli/cli_io.h"
#include "cli/progress.h"
#include "cli/rule_options.h"
#include "cli/scope_options.h"

enum fm_top_input { FM_TOP_NOTHING, FM_TOP_STACKS, FM_TOP_PROFILE };

struct fm_top_job {
    framemap_session_options session_options;
    framemap_restore_options restore;
    framemap_groups_options groups_options;
    struct fm_scope_options scope;
    struct fm_rule_options rule_options;
    /* Values of the options with these names; NULL: not given. Only `output` has a default. */
    const char *output, *by, *weight, *format;
    uint64_t number;
    const char **files;
    size_t file_count;

    enum fm_top_input input; /* the kind of the files that were read so far */
    const char *first;       /* path of the first file that was read */
    const char *file;        /* name of the file that is read now, for messages */
    framemap_session *session;
    framemap_redis *store; /* store among the symbol paths; NULL: none */
    framemap_rules *rules;
    framemap_groups *groups;  /* counts of stacks by group */
    framemap_sample_set *set; /* samples of profiles, and stacks that are counted by function */
    bool has_reported;        /* it was reported that nothing was found in a file, and what that file is */
    framemap_status add_status;
    framemap_error add_error;
    struct fm_progress progress;
    struct fm_out out;
};

/* Reads all files into `groups` or `set`. Returns false if a file could not be read, which is reported. */
bool fm_top_read(struct fm_top_job *job);
/* Prints the functions of `set`, or its tree. all_read: every file was read; if not, nothing is printed for an empty
 * set. Returns an exit code. */
int fm_top_print_samples(struct fm_top_job *job, bool all_read);

#endif
