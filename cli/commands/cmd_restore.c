/* framemap restore: reads text and writes it with its stacks restored. The text is read by restore_input.c. */
#include "cli/cli.h"
#include "cli/commands/restore_input.h"
#include "cli/commands/restore_missing.h"
#include "cli/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    HELP = FM_OPTION_HELP,
    FORMAT,
    OUTPUT,
    STRICT,
    DEMANGLE,
    CONTEXT,
    SOURCES,
    NO_CACHE,
    CACHE,
    CACHE_SIZE,
    THREADS,
    OUTSIDE,
    MAX_MEMORY,
    ROWS_OF,
    SCOPE,
    STATUS_FIELD,
    ONLY_FIELD,
    CHUNK_HEADER
};

static const struct fm_option table[] = {
    FM_SYMBOLS_ROW,
    {FORMAT, 'f', "format", FM_TAKES_READ_FORMAT, "FORMAT", "read stacks of this format only ('framemap list')"},
    {OUTPUT, 'o', "output", FM_TAKES_WRITE_FORMAT, "FORMAT",
     "text (default): as in the input; json: one object per trace; markdown, sentry, otlp or native ('framemap list')"},
    FM_SCOPE_ROWS,
    FM_RULE_ROWS,
    {STRICT, 0, "strict", FM_TAKES_NOTHING, NULL,
     "exit with status 3 if a frame stays unmapped or the input is not text"},
    {DEMANGLE, 0, "demangle", FM_TAKES_WORD, FM_DEMANGLE_STYLES,
     "how to demangle C++, Rust and Swift names (default: llvm)"},
    {ROWS_OF, 0, "rows", FM_TAKES_VALUE, "FORMAT[:FIELD]",
     "restore one field of each row: tsv:COLUMN or ndjson:PATH, as a.b or /a/b; one row is written for each row"},
    {SCOPE, 0, "scope", FM_TAKES_VALUE, "app=FIELD,build=FIELD", "with --rows: fields with the row's app and build"},
    {STATUS_FIELD, 0, "status-field", FM_TAKES_OPTIONAL, "NAME",
     "with --rows: add a field with the result for the row (default name: framemap_status)"},
    {ONLY_FIELD, 0, "only-field", FM_TAKES_NOTHING, NULL,
     "with --rows tsv: write the restored column without the others"},
    {CHUNK_HEADER, 0, "chunk-header", FM_TAKES_OPTIONAL, "both",
     "with --rows: a line with the number of rows precedes each block; =both: in the output too"},
    {CONTEXT, 0, "context", FM_TAKES_VALUE, "N",
     "show N lines of source around each restored line, if the source map contains its sources, or with --sources"},
    {SOURCES, 0, "sources", FM_TAKES_VALUE, "PATH",
     "for --context: a directory with the sources of the program, a zip of them or a source bundle; may be repeated"},
    {THREADS, 'j', "threads", FM_TAKES_VALUE, "N",
     "use N threads to compile symbol files (default: one per processor), and two for long texts unless N is 1"},
    {MAX_MEMORY, 0, "max-memory", FM_TAKES_VALUE, "SIZE", FM_MAX_MEMORY_HELP},
    {OUTSIDE, 0, "allow-outside", FM_TAKES_NOTHING, NULL,
     "open source maps that scripts refer to outside the given paths"},
    {NO_CACHE, 0, "no-cache", FM_TAKES_NOTHING, NULL, "do not use the cache of compiled symbol files"},
    {CACHE, 0, "cache", FM_TAKES_VALUE, "DIR", "keep the cache of compiled symbol files in DIR"},
    {CACHE_SIZE, 0, "cache-size", FM_TAKES_VALUE, "SIZE",
     "maximum size of that cache on disk; K, M and G are powers of 1024 (default: 4G)"},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
};
enum { ROWS = sizeof table / sizeof *table };

static int print_restore_help(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(
        &out,
        "usage: framemap [restore] [OPTION]... [FILE]\n\n"
        "Restores every stack in FILE or standard input with the given symbols; all other text is copied unchanged.\n"
        "On a pipe, output is written as input arrives: adb logcat | framemap -s symbols/\n\n");
    fm_options_help(&out, table, ROWS);
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static void report_restore_warning(void *context, const framemap_error *warning)
{
    struct fm_restore_command *job = context;
    framemap_error shown = *warning;
    fm_progress_end(&job->progress);
    fm_state_max_memory(&shown, job->max_memory);
    fm_message_error(NULL, &shown);
}

static bool report_restore_progress(void *context, uint64_t done, uint64_t total)
{
    return fm_progress_step(&((struct fm_restore_command *)context)->progress, done, total);
}

/* Reports a command name in the wrong place, as in "framemap -s symbols lookup …": a file was not found, and its name
 * is also the name of a command. */
static void report_misplaced_command(const char *file)
{
    if (fm_is_command(file)) fm_message("'%s' is also a command; a command must come first, before all options", file);
}

/* Applies an option; returns false if its value is invalid, which is reported. */
static bool take_restore_option(void *context, int id, const char *value)
{
    struct fm_restore_command *job = context;
    uint64_t number;
    bool good;
    if (fm_scope_take_option(&job->scope, id, value, &good)) return good;
    if (fm_rules_take_option(&job->rule_options, id, value)) return true;
    switch (id) {
    case FORMAT: job->options.format = value; return true;
    case OUTPUT: job->options.output = value; return true;
    case ROWS_OF: return fm_row_job_parse(&job->rows, value);
    case SCOPE: return fm_row_job_parse_scope(&job->rows, value);
    case STATUS_FIELD: job->rows.options.status = value ? value : "framemap_status"; return true;
    case ONLY_FIELD: job->rows.options.only_field = true; return true;
    case CHUNK_HEADER: return fm_row_job_parse_header(&job->rows, value);
    case STRICT: job->strict = true; return true;
    case MAX_MEMORY: return fm_parse_memory(value, &job->session_options.max_memory);
    case OUTSIDE: job->session_options.allow_outside = true; return true;
    case NO_CACHE: job->session_options.cache_path = ""; return true;
    case CACHE: job->session_options.cache_path = value; return true;
    case CACHE_SIZE:
        if (fm_parse_size(value, &job->session_options.cache_bytes) && job->session_options.cache_bytes > 0)
            return true;
        fm_message("'%s' is not a valid size; use a number, optionally with K, M or G, or --no-cache", value);
        return false;
    case DEMANGLE: return fm_parse_demangle(value, &job->options.demangle);
    case CONTEXT: job->session_options.keep_sources = true; return fm_parse_context(value, &job->options.context);
    case SOURCES: job->sources[job->session_options.source_folder_count++] = value; return true;
    case THREADS:
        if (fm_parse_size(value, &number) && number > 0 && number <= 1024) {
            job->session_options.threads = (unsigned)number;
            return true;
        }
        fm_message("'%s' is not a valid number of threads; use 1 to 1024", value);
        return false;
    default:
        if (job->file) {
            fm_message("only one file can be given: '%s' and '%s' were given; symbols are given with -s", job->file,
                       value);
            report_misplaced_command(job->file);
            return false;
        }
        job->file = value;
        return true;
    }
}

/* Opens the rules that were given, if any. Returns false if that failed, which is reported. */
static bool open_restore_rules(struct fm_restore_command *job)
{
    if (!job->rule_options.in_app && !job->rule_options.owners) return true;
    if (!fm_rules_open(&job->rule_options, report_restore_warning, job, &job->rules)) return false;
    job->options.rules = job->rules;
    return true;
}

static int run_restore(struct fm_restore_command *job)
{
    framemap_error error;

    fm_out_init(&job->out, STDOUT_FILENO);
    fm_progress_begin(&job->progress, "symbols");
    if (!fm_scope_set_paths(&job->scope, &job->session_options, &job->store)) return FM_EXIT_FAILED;
    job->options.scope = fm_scope_of(&job->scope);
    fm_restore_share_memory(job);
    if (!open_restore_rules(job)) return FM_EXIT_FAILED;
    if (framemap_session_open(&job->session_options, &job->session, &error)) {
        fm_state_max_memory(&error, job->max_memory);
        return fm_message_error(NULL, &error);
    }

    framemap_status status = fm_restore_input(job, &error);
    bool written = fm_out_flush(&job->out);
    const bool of_input = status == FRAMEMAP_E_CORRUPT || status == FRAMEMAP_E_TRUNCATED;
    fm_state_max_memory(status ? &error : NULL, job->max_memory);
    if (status && !job->out.failed)
        fm_message_error(of_input && !error.where[0] ? fm_restore_shown_input(job) : NULL, &error);
    if (status == FRAMEMAP_E_IO && strcmp(error.where, job->file) == 0) report_misplaced_command(job->file);
    const bool has_paths = job->session_options.symbol_path_count > 0 || job->store;
    const uint64_t listed = fm_report_missing(job->session, has_paths);
    if (has_paths && !status) fm_report_strangers(&job->summary, listed);
    framemap_session_close(job->session);
    if (status == FRAMEMAP_E_ARGUMENT) return FM_EXIT_USAGE;
    if (status || !written) return FM_EXIT_FAILED;
    return job->strict && (job->summary.unmapped || job->unreadable) ? FM_EXIT_UNMAPPED : FM_EXIT_DONE;
}

static const struct fm_command_line command_line = {"restore", table, ROWS, print_restore_help, take_restore_option};

int fm_cmd_restore(int argc, char **argv)
{
    struct fm_restore_command *job = fm_cli_resize(NULL, sizeof *job); /* the struct is too large for the stack */

    memset(job, 0, sizeof *job);
    fm_scope_options_init(&job->scope, (size_t)argc);
    job->session_options = (framemap_session_options){.size = sizeof job->session_options,
                                                      .threads = fm_processors(),
                                                      .progress = report_restore_progress,
                                                      .warning = report_restore_warning,
                                                      .context = job};
    job->options = (framemap_restore_options){.size = sizeof job->options, .output = "text"};

    job->sources = fm_cli_resize(NULL, (size_t)argc * sizeof *job->sources);
    job->session_options.source_folders = job->sources;
    int code = fm_command_line_take(&command_line, argc, argv, job);
    if (!job->file) job->file = "-";
    if (code < 0 && job->session_options.source_folder_count && !job->options.context) {
        fm_message("--sources needs --context");
        code = fm_message_usage("restore");
    }
    if (code < 0 && fm_row_job_lacks(&job->rows)) code = fm_message_usage("restore");
    if (code < 0) code = run_restore(job);
    framemap_rules_close(job->rules);
    framemap_redis_close(job->store);
    free(job->sources);
    fm_scope_options_free(&job->scope);
    fm_row_job_free(&job->rows);
    free(job);
    return code;
}
