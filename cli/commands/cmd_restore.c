/* framemap restore: reads text and writes it with its stacks restored. */
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/commands/envelope_pipe.h"
#include "cli/commands/restore_missing.h"
#include "cli/commands/restore_rows.h"
#include "cli/notice.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/rule_options.h"
#include "cli/scope_options.h"
#include "cli/stores.h"

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    HELP = 1,
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
     "exit with status 3 if a frame stays unmapped or the input is no text"},
    {DEMANGLE, 0, "demangle", FM_TAKES_WORD, FM_DEMANGLE_STYLES, "how to demangle C++ and Rust names (default: llvm)"},
    {ROWS_OF, 0, "rows", FM_TAKES_VALUE, "FORMAT[:FIELD]",
     "restore one field of each row: tsv:COLUMN or ndjson:PATH, as a.b or /a/b; one row is written for each row"},
    {SCOPE, 0, "scope", FM_TAKES_VALUE, "app=FIELD,build=FIELD", "with --rows: fields with the row's app and build"},
    {STATUS_FIELD, 0, "status-field", FM_TAKES_OPTIONAL, "NAME",
     "with --rows: add a field that says what became of the row (default: framemap_status)"},
    {ONLY_FIELD, 0, "only-field", FM_TAKES_NOTHING, NULL,
     "with --rows tsv: write the restored column without the others"},
    {CHUNK_HEADER, 0, "chunk-header", FM_TAKES_OPTIONAL, "both",
     "with --rows: a line with the number of rows precedes each block; =both: in the output too"},
    {CONTEXT, 0, "context", FM_TAKES_VALUE, "N",
     "show N lines of source around each restored line, if the source map contains its sources, or with --sources"},
    {SOURCES, 0, "sources", FM_TAKES_VALUE, "DIR",
     "for --context: a directory with the sources of the program; may be repeated"},
    {THREADS, 'j', "threads", FM_TAKES_VALUE, "N",
     "use N threads to compile symbol files (default: one per processor)"},
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

struct restore_job {
    framemap_session_options session_options;
    framemap_restore_options options;
    struct fm_scope_options scope;
    struct fm_rule_options rule_options;
    const char **sources;
    const char *file; /* NULL: standard input */
    bool strict;
    bool unreadable; /* the input is no text */

    framemap_session *session;
    framemap_redis *store; /* NULL: none was given */
    framemap_rules *rules; /* NULL: none were given */
    framemap_restore_summary summary;
    struct fm_row_job rows;
    struct fm_progress progress;
    struct fm_out out;
};

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
    struct restore_job *job = context;
    fm_progress_end(&job->progress);
    fm_message_error(NULL, warning);
}

static bool report_restore_progress(void *context, uint64_t done, uint64_t total)
{
    return fm_progress_step(&((struct restore_job *)context)->progress, done, total);
}

/* "framemap -s symbols lookup …": reports that the missing file is the name of a command. */
static void report_misplaced_command(const char *file)
{
    if (fm_is_command(file)) fm_message("'%s' is also a command; a command must come first, before all options", file);
}

/* Applies an option; returns false if its value is invalid, which is reported. */
static bool take_restore_option(struct restore_job *job, int id, const char *value)
{
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
            fm_message("only one file can be given: '%s' and '%s' were given", job->file, value);
            report_misplaced_command(job->file);
            return false;
        }
        job->file = value;
        return true;
    }
}

static bool is_standard_input(const struct restore_job *job) { return strcmp(job->file, "-") == 0; }

static const char *shown_input(const struct restore_job *job)
{
    return is_standard_input(job) ? "standard input" : job->file;
}

/* Reports the first line that looks like a frame but is malformed. */
static void report_malformed_frame(const struct restore_job *job)
{
    const framemap_restore_summary *sum = &job->summary;
    if (sum->malformed == 0) return;
    fm_message("%s:%" PRIu64 ": this frame was left as it is: %s", shown_input(job), sum->first_malformed_line,
               sum->malformed_reason ? sum->malformed_reason : "it violates the rules of its format");
}

/* Reports that no stack was found, since the user may have given the wrong text. */
static void report_no_stack(struct restore_job *job, framemap_str head, bool named)
{
    static const struct fm_notice_words words = {
        .command = "framemap restore", .symbols = "with -s", .stacks = "stack trace", .unpacks = true};
    if (job->summary.traces > 0 || job->out.failed) return;
    fm_out_flush(&job->out);
    job->unreadable = fm_notice_no_stack(&words, job->file, named, head, job->options.format);
}

/* Whether input is available, or the end of it; waits for at most so many milliseconds, -1: for ever. */
static bool has_input(int fd, int wait_ms)
{
    struct pollfd about = {.fd = fd, .events = POLLIN};
    return poll(&about, 1, wait_ms) != 0;
}

/* Waits for more input. Nothing that is certain waits longer than the input does; what is held back is let go after a
 * second without input. */
static framemap_status wait_for_input(struct restore_job *job, framemap_stream *stream, int fd, framemap_error *error)
{
    enum { DEADLINE_MS = 1000 };
    if (has_input(fd, 0)) return FRAMEMAP_OK;
    fm_progress_end(&job->progress);
    fm_out_flush(&job->out);
    if (!framemap_stream_waits(stream) || has_input(fd, DEADLINE_MS)) return FRAMEMAP_OK;
    const framemap_status status = framemap_stream_flush(stream, error);
    fm_out_flush(&job->out);
    return status;
}

/* A stack for which lines of other processes wait. */
struct waited {
    uint64_t last_line; /* of the stack's process; 0: none is waited for */
    uint64_t since_ms;
};

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Lets a stack go whose process is silent while others go on writing. */
static framemap_status end_silent_stack(struct restore_job *job, framemap_stream *stream, struct waited *waited,
                                        framemap_error *error)
{
    enum { SILENCE_MS = 75 }; /* a stack is written in one go */
    uint64_t line;
    if (!framemap_stream_others_wait(stream, &line)) line = 0;
    const uint64_t now = line ? now_ms() : 0;
    if (line != waited->last_line) *waited = (struct waited){line, now};
    if (line == 0 || now - waited->since_ms < SILENCE_MS) return FRAMEMAP_OK;
    waited->last_line = 0;
    const framemap_status status = framemap_stream_flush(stream, error);
    fm_out_flush(&job->out);
    return status;
}

/* in: what was read of the pipe so far is the begin of the text. */
static framemap_status restore_pieces(struct restore_job *job, framemap_stream *stream, struct fm_in *in,
                                      framemap_error *error)
{
    struct waited waited = {0, 0};
    framemap_status status = FRAMEMAP_OK;
    while (!status && !job->out.failed) {
        const bool has_some = in->end > in->begin;
        if (!has_some) status = wait_for_input(job, stream, in->fd, error);
        if (status || (!has_some && !fm_in_more(in, NULL))) break;
        status = framemap_stream_feed(stream, (framemap_str){in->data + in->begin, in->end - in->begin}, error);
        in->begin = in->end;
        if (!status) status = end_silent_stack(job, stream, &waited, error);
    }
    return status;
}

/* Restores a pipe as its text arrives. */
static framemap_status restore_text_pipe(struct restore_job *job, struct fm_in *in, framemap_error *error)
{
    const framemap_stream_options options = {.size = sizeof options, .restore = job->options};
    framemap_stream *stream;
    framemap_error closing;
    framemap_status status = framemap_stream_open(job->session, &options, fm_out_write, &job->out, &stream, error);
    if (status) return status;
    status = restore_pieces(job, stream, in, error);
    const framemap_status end = framemap_stream_close(stream, &job->summary, &closing);
    if (!status && end) {
        status = end;
        *error = closing;
    }
    return status;
}

static framemap_status restore_stream(struct restore_job *job, int fd, framemap_error *error)
{
    enum { MOST_GATHERED = 64 << 20 };
    const uint64_t own = fm_own_memory(job->session_options.max_memory);
    struct fm_in in;
    fm_in_init(&in, fd);
    const bool is_envelope = fm_envelope_gather(&in, own > 0 && own < MOST_GATHERED ? own : MOST_GATHERED);
    const framemap_str bytes = {in.data + in.begin, in.end - in.begin};
    const framemap_status status = is_envelope
                                       ? framemap_document_restore(job->session, bytes, &job->options, fm_out_write,
                                                                   &job->out, &job->summary, error)
                                       : restore_text_pipe(job, &in, error);
    if (in.failed) job->out.failed = true; /* reported already */
    fm_progress_end(&job->progress);
    report_malformed_frame(job);
    if (!status) report_no_stack(job, (framemap_str){in.head, in.head_size}, !is_standard_input(job) || isatty(fd));
    fm_in_free(&in);
    return status;
}

static bool is_stream(const char *path)
{
    struct stat about;
    int got = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &about) : stat(path, &about);
    return got == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode);
}

/* Reserves a part of --max-memory for the input and output buffers of the command. */
static void share_memory(struct restore_job *job)
{
    const uint64_t own = fm_own_memory(job->session_options.max_memory);
    if (own > 0 && is_stream(job->file)) job->session_options.max_memory -= own;
}

static framemap_status restore_file(struct restore_job *job, framemap_error *error)
{
    struct fm_file file;
    framemap_status status = fm_file_open(job->file, &file, error);
    if (status) return status;
    status = framemap_document_restore(job->session, file.bytes, &job->options, fm_out_write, &job->out, &job->summary,
                                       error);
    fm_progress_end(&job->progress);
    report_malformed_frame(job);
    if (!status) status = fm_file_check(job->file, &file, error);
    if (!status) report_no_stack(job, file.bytes, !is_standard_input(job));
    fm_file_close(&file);
    return status;
}

static framemap_status restore_rows(struct restore_job *job, int fd, framemap_error *error)
{
    framemap_rows_summary summary = {.rows = 0};
    job->rows.options.size = sizeof job->rows.options;
    job->rows.options.restore = job->options;
    const framemap_status status =
        fm_row_job_run(&job->rows, job->session, fd, shown_input(job), &job->out, &summary, error);
    fm_progress_end(&job->progress);
    job->summary = summary.restore;
    job->unreadable = summary.unreadable > 0;
    return status;
}

static framemap_status restore_descriptor(struct restore_job *job, int fd, framemap_error *error)
{
    return job->rows.options.format ? restore_rows(job, fd, error) : restore_stream(job, fd, error);
}

static framemap_status restore_all(struct restore_job *job, framemap_error *error)
{
    if (!is_stream(job->file) && !job->rows.options.format) return restore_file(job, error);
    if (is_standard_input(job)) {
        fm_message_waiting(job->rows.options.format ? "rows with stack traces" : "text with stack traces");
        return restore_descriptor(job, STDIN_FILENO, error);
    }

    int fd = open(job->file, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return restore_file(job, error); /* reports the reason */
    framemap_status status = restore_descriptor(job, fd, error);
    close(fd);
    return status;
}

/* Opens the rules that were given, if any. Returns false if that failed, which is reported. */
static bool open_restore_rules(struct restore_job *job)
{
    if (!job->rule_options.in_app && !job->rule_options.owners) return true;
    if (!fm_rules_open(&job->rule_options, report_restore_warning, job, &job->rules)) return false;
    job->options.rules = job->rules;
    return true;
}

static int run_restore(struct restore_job *job)
{
    framemap_error error;

    fm_out_init(&job->out, STDOUT_FILENO);
    fm_progress_begin(&job->progress, "symbols");
    if (!fm_scope_set_paths(&job->scope, &job->session_options, &job->store)) return FM_EXIT_FAILED;
    job->options.scope = fm_scope_of(&job->scope);
    share_memory(job);
    if (!open_restore_rules(job)) return FM_EXIT_FAILED;
    if (framemap_session_open(&job->session_options, &job->session, &error)) return fm_message_error(NULL, &error);

    framemap_status status = restore_all(job, &error);
    bool written = fm_out_flush(&job->out);
    const bool of_input = status == FRAMEMAP_E_CORRUPT || status == FRAMEMAP_E_TRUNCATED;
    if (status && !job->out.failed) fm_message_error(of_input && !error.where[0] ? shown_input(job) : NULL, &error);
    if (status == FRAMEMAP_E_IO && strcmp(error.where, job->file) == 0) report_misplaced_command(job->file);
    fm_report_missing(job->session, job->session_options.symbol_path_count > 0 || job->store);
    framemap_session_close(job->session);
    if (status == FRAMEMAP_E_ARGUMENT) return FM_EXIT_USAGE;
    if (status || !written) return FM_EXIT_FAILED;
    return job->strict && (job->summary.unmapped || job->unreadable) ? FM_EXIT_UNMAPPED : FM_EXIT_DONE;
}

int fm_cmd_restore(int argc, char **argv)
{
    struct fm_options options;
    struct restore_job *job = fm_cli_resize(NULL, sizeof *job); /* too large for the stack */
    int id;

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
    fm_options_init(&options, table, ROWS, argc, argv);
    int code = -1;
    while (code < 0 && (id = fm_options_next(&options)) != FM_OPTIONS_END) {
        if (id == FM_OPTIONS_BAD)
            code = fm_options_complain(&options, "restore");
        else if (id == HELP)
            code = print_restore_help();
        else if (!take_restore_option(job, id, options.value))
            code = fm_message_usage("restore");
    }
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
