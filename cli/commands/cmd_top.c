/* framemap top: groups the stacks of texts and shows the most frequent groups; shows the functions of profiles, or the
 * tree of their calls, with their weights. */
#include "cli/cli.h"
#include "cli/commands/restore_missing.h"
#include "cli/commands/top_job.h"
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HELP = FM_OPTION_HELP, NUMBER, FORMAT, OUTPUT, BY, WEIGHT, MAX_GROUPS, NO_CACHE };

static const struct fm_option table[] = {
    FM_SYMBOLS_ROW,
    {BY, 0, "by", FM_TAKES_WORD, "group|function|tree",
     "what to count: groups of stacks (default of texts), functions (default of profiles), or the tree of calls"},
    {WEIGHT, 0, "weight", FM_TAKES_VALUE, "TYPE", "which weights of a profile count (default: the first)"},
    FM_RULE_ROWS,
    {NUMBER, 'n', "number", FM_TAKES_VALUE, "N",
     "show the first N groups or functions, or the N largest parts of the tree (default: 20; 0: all)"},
    {FORMAT, 'f', "format", FM_TAKES_ANY_FORMAT, "FORMAT", "read stacks of this format only ('framemap list')"},
    {OUTPUT, 'o', "output", FM_TAKES_WORD, "text|json", "how to write the groups or functions (default: text)"},
    FM_SCOPE_ROWS,
    {MAX_GROUPS, 0, "max-groups", FM_TAKES_VALUE, "N",
     "keep at most N groups (default: 10000); if there are more, the rarest are merged into one"},
    {NO_CACHE, 0, "no-cache", FM_TAKES_NOTHING, NULL, "do not use the cache of compiled symbol files"},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
};
enum { ROWS = sizeof table / sizeof *table };

static int print_top_help(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(&out,
                "usage: framemap top [OPTION]... [FILE]...\n\n"
                "Restores the stacks in each FILE or standard input with the given symbols, groups those that have "
                "one cause,\nand shows the groups, the most frequent first. For profiles it shows the functions "
                "with their own and total weights.\n\n");
    fm_options_help(&out, table, ROWS);
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static void report_top_warning(void *context, const framemap_error *warning)
{
    fm_progress_end(&((struct fm_top_job *)context)->progress);
    fm_message_error(NULL, warning);
}

static bool report_top_progress(void *context, uint64_t done, uint64_t total)
{
    return fm_progress_step(&((struct fm_top_job *)context)->progress, done, total);
}

static bool take_number(const char *value, const char *what, uint64_t least, uint64_t most, uint64_t *out)
{
    if (fm_parse_size(value, out) && *out >= least && *out <= most) return true;
    fm_message("'%s' is not a valid number of %s", value, what);
    return false;
}

static bool take_top_option(void *context, int id, const char *value)
{
    struct fm_top_job *job = context;
    uint64_t number;
    bool good;
    if (fm_scope_take_option(&job->scope, id, value, &good)) return good;
    if (fm_rules_take_option(&job->rule_options, id, value)) return true;
    switch (id) {
    case BY: job->by = value; return true;
    case WEIGHT: job->weight = value; return true;
    case FORMAT: job->format = value; return true;
    case OUTPUT: job->output = value; return true;
    case NUMBER: return take_number(value, "groups", 0, UINT64_MAX, &job->number);
    case NO_CACHE: job->session_options.cache_path = ""; return true;
    case MAX_GROUPS:
        if (!take_number(value, "groups; use 16 to 10000000", 16, 10000000, &number)) return false;
        job->groups_options.max_groups = (uint32_t)number;
        return true;
    default: job->files[job->file_count++] = value; return true;
    }
}

static int print_groups(struct fm_top_job *job)
{
    framemap_error error;
    const framemap_status status =
        framemap_groups_print(job->groups, job->output, job->number, fm_out_write, &job->out, &error);
    const bool written = fm_out_flush(&job->out);
    if (status && !job->out.failed) return fm_message_error(NULL, &error);
    return written && !status ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static int count_all(struct fm_top_job *job)
{
    framemap_error error;
    if (framemap_session_open(&job->session_options, &job->session, &error)) return fm_message_error(NULL, &error);
    const bool all_read = fm_top_read(job);
    if (job->input == FM_TOP_NOTHING) return FM_EXIT_FAILED;
    const int code = job->set ? fm_top_print_samples(job, all_read) : print_groups(job);
    (void)fm_report_missing(job->session, job->session_options.symbol_path_count > 0 || job->store);
    return code == FM_EXIT_DONE && !all_read ? FM_EXIT_FAILED : code;
}

static int run_top(struct fm_top_job *job)
{
    fm_out_init(&job->out, STDOUT_FILENO);
    fm_progress_begin(&job->progress, "symbols");
    if (!fm_scope_set_paths(&job->scope, &job->session_options, &job->store)) return FM_EXIT_FAILED;
    job->restore.scope = fm_scope_of(&job->scope);
    job->restore.format = job->format;
    if (job->file_count == 0) job->files[job->file_count++] = "-";
    const int code =
        fm_rules_open(&job->rule_options, report_top_warning, job, &job->rules) ? count_all(job) : FM_EXIT_FAILED;
    framemap_session_close(job->session);
    framemap_redis_close(job->store);
    framemap_groups_close(job->groups);
    framemap_sample_set_close(job->set);
    framemap_rules_close(job->rules);
    return code;
}

static const struct fm_command_line command_line = {"top", table, ROWS, print_top_help, take_top_option};

int fm_cmd_top(int argc, char **argv)
{
    struct fm_top_job *job = fm_cli_resize(NULL, sizeof *job); /* the struct is too large for the stack */
    memset(job, 0, sizeof *job);
    fm_scope_options_init(&job->scope, (size_t)argc);
    job->session_options = (framemap_session_options){.size = sizeof job->session_options,
                                                      .threads = fm_processors(),
                                                      .progress = report_top_progress,
                                                      .warning = report_top_warning,
                                                      .context = job};
    job->restore = (framemap_restore_options){.size = sizeof job->restore};
    job->groups_options = (framemap_groups_options){.size = sizeof job->groups_options};
    job->output = "text";
    job->number = 20;
    job->files = fm_cli_resize(NULL, ((size_t)argc + 1) * sizeof *job->files);
    int code = fm_command_line_take(&command_line, argc, argv, job);
    if (code < 0) code = run_top(job);
    fm_scope_options_free(&job->scope);
    free(job->files);
    free(job);
    return code;
}
