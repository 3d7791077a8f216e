/* Reads the input of framemap restore: a file, a pipe as its text arrives, or rows. Implements restore_input.h. */
#include "cli/commands/restore_input.h"

#include "cli/commands/envelope_pipe.h"
#include "cli/notice.h"

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool is_standard_input(const struct fm_restore_command *job) { return strcmp(job->file, "-") == 0; }

const char *fm_restore_shown_input(const struct fm_restore_command *job)
{
    return is_standard_input(job) ? "standard input" : job->file;
}

/* Reports the first line that looks like a frame but is malformed. */
static void report_malformed_frame(const struct fm_restore_command *job)
{
    const framemap_restore_summary *sum = &job->summary;
    if (sum->malformed == 0) return;
    fm_message("%s:%" PRIu64 ": this frame was left as it is: %s", fm_restore_shown_input(job),
               sum->first_malformed_line,
               sum->malformed_reason ? sum->malformed_reason : "it violates the rules of its format");
}

/* Reports that no stack was found, since the user may have given the wrong text. */
static void report_no_stack(struct fm_restore_command *job, framemap_str head, bool named)
{
    static const struct fm_notice_words words = {
        .command = "framemap restore", .symbols = "with -s", .stacks = "stack trace", .unpacks = true};
    if (job->summary.traces > 0 || job->out.failed) return;
    fm_out_flush(&job->out);
    job->unreadable = fm_notice_no_stack(&words, job->file, named, head, job->options.format);
}

/* Whether input is available, or the end of it; waits for at most this many milliseconds, -1: for ever. */
static bool has_input(int fd, int wait_ms)
{
    struct pollfd about = {.fd = fd, .events = POLLIN};
    return poll(&about, 1, wait_ms) != 0;
}

/* Waits for more input. Before the wait, all output is written that later input cannot change. After a second without
 * input, or ten within a JSON document, the output that was held back is written, too. */
static framemap_status wait_for_input(struct fm_restore_command *job, framemap_stream *stream, int fd,
                                      framemap_error *error)
{
    enum { DEADLINE_MS = 1000, DOCUMENT_MS = 10000 };
    if (has_input(fd, 0)) return FRAMEMAP_OK;
    fm_progress_end(&job->progress);
    fm_out_flush(&job->out);
    const int wait_ms = framemap_stream_in_document(stream) ? DOCUMENT_MS : DEADLINE_MS;
    if (!framemap_stream_waits(stream) || has_input(fd, wait_ms)) return FRAMEMAP_OK;
    const framemap_status status = framemap_stream_flush(stream, error);
    fm_out_flush(&job->out);
    return status;
}

/* The stack that is still incomplete while lines of other processes follow it. */
struct waited {
    uint64_t last_line; /* number of the last line of the process that prints the stack; 0: no stack is incomplete */
    uint64_t since_ms;
};

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Writes an incomplete stack if its process has been silent for a while, although others continue to write. */
static framemap_status end_silent_stack(struct fm_restore_command *job, framemap_stream *stream, struct waited *waited,
                                        framemap_error *error)
{
    enum { SILENCE_MS = 75 }; /* while a program prints a stack, it never pauses for 75 ms */
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

/* Feeds the text of a pipe to the stream as it arrives. in: may already hold the start of the text. */
static framemap_status restore_pieces(struct fm_restore_command *job, framemap_stream *stream, struct fm_in *in,
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
static framemap_status restore_text_pipe(struct fm_restore_command *job, struct fm_in *in, framemap_error *error)
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

static framemap_status restore_stream(struct fm_restore_command *job, int fd, framemap_error *error)
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
    if (in.failed) job->out.failed = true; /* the reason was reported when the read failed */
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

void fm_restore_share_memory(struct fm_restore_command *job)
{
    const uint64_t own = fm_own_memory(job->session_options.max_memory);
    job->max_memory = job->session_options.max_memory;
    if (own > 0 && is_stream(job->file)) job->session_options.max_memory -= own;
}

static framemap_status restore_file(struct fm_restore_command *job, framemap_error *error)
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

static framemap_status restore_rows(struct fm_restore_command *job, int fd, framemap_error *error)
{
    framemap_rows_summary summary = {.rows = 0};
    job->rows.options.size = sizeof job->rows.options;
    job->rows.options.restore = job->options;
    const framemap_status status =
        fm_row_job_run(&job->rows, job->session, fd, fm_restore_shown_input(job), &job->out, &summary, error);
    fm_progress_end(&job->progress);
    job->summary = summary.restore;
    job->unreadable = summary.unreadable > 0;
    return status;
}

static framemap_status restore_descriptor(struct fm_restore_command *job, int fd, framemap_error *error)
{
    return job->rows.options.format ? restore_rows(job, fd, error) : restore_stream(job, fd, error);
}

framemap_status fm_restore_input(struct fm_restore_command *job, framemap_error *error)
{
    if (!is_stream(job->file) && !job->rows.options.format) return restore_file(job, error);
    if (is_standard_input(job)) {
        fm_message_waiting(job->rows.options.format ? "rows with stack traces" : "text with stack traces");
        return restore_descriptor(job, STDIN_FILENO, error);
    }

    int fd = open(job->file, O_RDONLY | O_CLOEXEC);
    /* restore_file tries to open the file again, fails as well, and reports the reason */
    if (fd < 0) return restore_file(job, error);
    framemap_status status = restore_descriptor(job, fd, error);
    close(fd);
    return status;
}
