/* framemap top: what its command line requests, and what was read. Shared by cmd_top.c and the files that read stacks
 * and profiles for it. */
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
    const char *output, *by, *weight, *format; /* NULL: not given; output always is */
    uint64_t number;
    const char **files;
    size_t file_count;

    enum fm_top_input input; /* the kind of the files that were read so far */
    const char *first;       /* the first of them */
    const char *file;        /* the one that is read, as it is called in messages */
    framemap_session *session;
    framemap_redis *store; /* NULL: none was given */
    framemap_rules *rules;
    framemap_groups *groups;  /* of stacks by group */
    framemap_sample_set *set; /* of profiles, and of stacks by function */
    framemap_status add_status;
    framemap_error add_error;
    struct fm_progress progress;
    struct fm_out out;
};

/* Reads all files into `groups` or `set`. Returns false if a file could not be read, which is reported. */
bool fm_top_read(struct fm_top_job *job);
/* Prints the functions of `set`, or its tree. all_read: otherwise an empty set is not shown. Returns an exit code. */
int fm_top_print_samples(struct fm_top_job *job, bool all_read);

#endif
