/* framemap top: groups the stacks of texts and shows how often each occurs. */
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/commands/restore_missing.h"
#include "cli/notice.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/scope_options.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HELP = 1, SYMBOLS, IN_APP, OWNERS, NUMBER, FORMAT, OUTPUT, APP, BUILD, TENANT, ID, MAX_GROUPS, NO_CACHE };

static const struct fm_option table[] = {
    {SYMBOLS, 's', "symbols", FM_TAKES_VALUE, "PATH", FM_SYMBOLS_HELP},
    {IN_APP, 0, "in-app", FM_TAKES_VALUE, "RULES", FM_IN_APP_HELP},
    {OWNERS, 0, "owners", FM_TAKES_VALUE, "CODEOWNERS", FM_OWNERS_HELP},
    {NUMBER, 'n', "number", FM_TAKES_VALUE, "N", "show the first N groups (default: 20; 0: all)"},
    {FORMAT, 'f', "format", FM_TAKES_READ_FORMAT, "FORMAT", "read stacks of this format only ('framemap list')"},
    {OUTPUT, 'o', "output", FM_TAKES_WORD, "text|json", "how to write the groups (default: text)"},
    {APP, 0, "app", FM_TAKES_VALUE, "X", FM_APP_HELP},
    {BUILD, 0, "build", FM_TAKES_VALUE, "Y", FM_BUILD_HELP},
    {TENANT, 0, "tenant", FM_TAKES_VALUE, "T", FM_TENANT_HELP},
    {ID, 0, "id", FM_TAKES_VALUE, "ID", FM_ID_HELP},
    {MAX_GROUPS, 0, "max-groups", FM_TAKES_VALUE, "N",
     "keep at most N groups, and merge the rarest of more (default: 10000)"},
    {NO_CACHE, 0, "no-cache", FM_TAKES_NOTHING, NULL, "do not use the cache of compiled symbol files"},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
};
enum { ROWS = sizeof table / sizeof *table };

struct top_job {
    framemap_session_options session_options;
    framemap_restore_options restore;
    framemap_groups_options groups_options;
    struct fm_scope_options scope;
    const char *in_app, *owners, *output;
    uint64_t number;
    const char **files;
    size_t file_count;

    const char *file; /* the one that is read */
    framemap_session *session;
    framemap_rules *rules;
    framemap_groups *groups;
    framemap_status add_status;
    framemap_error add_error;
    struct fm_progress progress;
    struct fm_out out;
};

static int print_top_help(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(&out,
                "usage: framemap top [OPTION]... [FILE]...\n\n"
                "Restores the stacks in each FILE or standard input with the given symbols, groups those that have "
                "one cause,\nand shows the groups, the most frequent first.\n\n");
    fm_options_help(&out, table, ROWS);
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static void report_top_warning(void *context, const framemap_error *warning)
{
    fm_progress_end(&((struct top_job *)context)->progress);
    fm_message_error(NULL, warning);
}

static bool report_top_progress(void *context, uint64_t done, uint64_t total)
{
    return fm_progress_step(&((struct top_job *)context)->progress, done, total);
}

static bool take_number(const char *value, const char *what, uint64_t least, uint64_t most, uint64_t *out)
{
    if (fm_parse_size(value, out) && *out >= least && *out <= most) return true;
    fm_message("'%s' is not a valid number of %s", value, what);
    return false;
}

static bool take_top_option(struct top_job *job, int id, const char *value)
{
    uint64_t number;
    switch (id) {
    case SYMBOLS: return fm_scope_take_symbols(&job->scope, value);
    case APP: return fm_scope_take(&job->scope, "app", value);
    case BUILD: return fm_scope_take(&job->scope, "build", value);
    case TENANT: return fm_scope_take(&job->scope, "tenant", value);
    case ID: return fm_scope_take(&job->scope, "id", value);
    case IN_APP: job->in_app = value; return true;
    case OWNERS: job->owners = value; return true;
    case FORMAT: job->restore.format = value; return true;
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

/* --- reading --- */

/* A framemap_trace_visit. */
static void add_stacks(void *context, const framemap_trace *traces, size_t count)
{
    struct top_job *job = context;
    if (job->add_status) return;
    job->add_status = framemap_groups_add(job->groups, framemap_str_of(job->file), traces, count, &job->add_error);
}

/* The restored text is not shown. */
static bool discard(void *context, const char *data, size_t size)
{
    (void)data;
    (void)size;
    return ((struct top_job *)context)->add_status == FRAMEMAP_OK;
}

static framemap_status read_pieces(framemap_stream *stream, int fd, framemap_error *error)
{
    struct fm_in in;
    framemap_status status = FRAMEMAP_OK;
    fm_in_init(&in, fd);
    while (!status && fm_in_more(&in, NULL)) {
        status = framemap_stream_feed(stream, (framemap_str){in.data + in.begin, in.end - in.begin}, error);
        in.begin = in.end;
    }
    if (in.failed && !status) {
        *error = (framemap_error){.code = FRAMEMAP_E_IO};
        status = FRAMEMAP_E_IO; /* reported already */
    }
    fm_in_free(&in);
    return status;
}

static framemap_status read_stream(struct top_job *job, int fd, framemap_error *error)
{
    const framemap_stream_options options = {.size = sizeof options, .restore = job->restore};
    framemap_stream *stream;
    framemap_error closing;
    framemap_status status = framemap_stream_open(job->session, &options, discard, job, &stream, error);
    if (status) return status;
    status = read_pieces(stream, fd, error);
    const framemap_status end = framemap_stream_close(stream, NULL, &closing);
    if (!status && end) *error = closing;
    return status ? status : end;
}

static framemap_status read_regular(struct top_job *job, framemap_error *error)
{
    struct fm_file file;
    framemap_status status = fm_file_open(job->file, &file, error);
    if (status) return status;
    status = framemap_document_restore(job->session, file.bytes, &job->restore, discard, job, NULL, error);
    if (!status) status = fm_file_check(job->file, &file, error);
    fm_file_close(&file);
    return status;
}

static framemap_status read_named(struct top_job *job, framemap_error *error)
{
    struct stat about;
    if (stat(job->file, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))
        return read_regular(job, error);
    const int fd = open(job->file, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return read_regular(job, error); /* reports the reason */
    const framemap_status status = read_stream(job, fd, error);
    close(fd);
    return status;
}

/* Reads one file; returns false if that failed, which is reported. */
static bool read_file(struct top_job *job, const char *file)
{
    framemap_error error;
    framemap_status status;
    const bool standard = strcmp(file, "-") == 0;
    job->file = standard ? "standard input" : file;
    if (standard) fm_message_waiting("text with stack traces");
    status = standard ? read_stream(job, STDIN_FILENO, &error) : read_named(job, &error);
    fm_progress_end(&job->progress);
    if (job->add_status) {
        fm_message_error(NULL, &job->add_error);
        return false;
    }
    if (status && (status != FRAMEMAP_E_IO || error.message[0]))
        fm_message_error(error.where[0] ? NULL : job->file, &error);
    return status == FRAMEMAP_OK;
}

/* --- rules --- */

/* Opens a file of rules, if one was given. */
static bool open_rule_file(const char *path, struct fm_file *file)
{
    framemap_error error;
    *file = (struct fm_file){.opened = NULL};
    if (path == NULL || fm_file_open(path, file, &error) == FRAMEMAP_OK) return true;
    fm_message_error(NULL, &error);
    return false;
}

static bool open_rules(struct top_job *job)
{
    struct fm_file in_app, owners;
    framemap_error error;
    bool opened = false;
    if (!open_rule_file(job->in_app, &in_app)) return false;
    if (open_rule_file(job->owners, &owners)) {
        const framemap_rules_options options = {.size = sizeof options,
                                                .in_app = in_app.bytes,
                                                .owners = owners.bytes,
                                                .warning = report_top_warning,
                                                .context = job};
        const framemap_status status = framemap_rules_open(&options, &job->rules, &error);
        opened = status == FRAMEMAP_OK;
        if (!opened) fm_message_error(status == FRAMEMAP_E_FORMAT ? job->in_app : NULL, &error);
        if (job->owners) fm_file_close(&owners);
    }
    if (job->in_app) fm_file_close(&in_app);
    return opened;
}

/* --- the command --- */

static int print_groups(struct top_job *job)
{
    framemap_error error;
    const framemap_status status =
        framemap_groups_print(job->groups, job->output, job->number, fm_out_write, &job->out, &error);
    const bool written = fm_out_flush(&job->out);
    if (status && !job->out.failed) return fm_message_error(NULL, &error);
    return written && !status ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static int group_all(struct top_job *job)
{
    framemap_error error;
    bool all_read = true;
    job->groups_options.rules = job->rules;
    if (framemap_groups_open(&job->groups_options, &job->groups, &error)) return fm_message_error(NULL, &error);
    if (framemap_session_open(&job->session_options, &job->session, &error)) return fm_message_error(NULL, &error);
    for (size_t i = 0; i < job->file_count; i++) all_read = read_file(job, job->files[i]) && all_read;
    const int code = print_groups(job);
    fm_report_missing(job->session, job->session_options.symbol_path_count > 0);
    return code == FM_EXIT_DONE && !all_read ? FM_EXIT_FAILED : code;
}

static int run_top(struct top_job *job)
{
    fm_out_init(&job->out, STDOUT_FILENO);
    fm_progress_begin(&job->progress, "symbols");
    job->session_options.symbol_paths = job->scope.paths;
    job->session_options.symbol_labels = job->scope.labels;
    job->session_options.symbol_path_count = job->scope.path_count;
    job->restore.scope = fm_scope_of(&job->scope);
    if (job->file_count == 0) job->files[job->file_count++] = "-";
    const int code = open_rules(job) ? group_all(job) : FM_EXIT_FAILED;
    framemap_session_close(job->session);
    framemap_groups_close(job->groups);
    framemap_rules_close(job->rules);
    return code;
}

int fm_cmd_top(int argc, char **argv)
{
    struct fm_options options;
    struct top_job *job = fm_cli_resize(NULL, sizeof *job); /* too large for the stack */
    int id, code = -1;
    memset(job, 0, sizeof *job);
    fm_scope_options_init(&job->scope, (size_t)argc);
    job->session_options = (framemap_session_options){.size = sizeof job->session_options,
                                                      .threads = fm_processors(),
                                                      .progress = report_top_progress,
                                                      .warning = report_top_warning,
                                                      .context = job};
    job->restore = (framemap_restore_options){.size = sizeof job->restore, .visit = add_stacks, .visit_context = job};
    job->groups_options = (framemap_groups_options){.size = sizeof job->groups_options};
    job->output = "text";
    job->number = 20;
    job->files = fm_cli_resize(NULL, ((size_t)argc + 1) * sizeof *job->files);
    fm_options_init(&options, table, ROWS, argc, argv);
    while (code < 0 && (id = fm_options_next(&options)) != FM_OPTIONS_END) {
        if (id == FM_OPTIONS_BAD)
            code = fm_options_complain(&options, "top");
        else if (id == HELP)
            code = print_top_help();
        else if (!take_top_option(job, id, options.value))
            code = fm_message_usage("top");
    }
    if (code < 0) code = run_top(job);
    fm_scope_options_free(&job->scope);
    free(job->files);
    free(job);
    return code;
}
