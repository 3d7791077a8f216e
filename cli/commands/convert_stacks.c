/* framemap convert --to a format of stacks: finds the stacks of any text, restores them if symbols are given, and
 * writes them. Input from a pipe is converted as it arrives. Called by cmd_convert.c. */
#include "cli/commands/convert_stacks.h"

#include "cli/cli.h"
#include "cli/commands/restore_missing.h"
#include "cli/notice.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct fm_notice_words notice = {
    .command = "framemap convert", .symbols = "with -s", .stacks = "stack trace", .unpacks = true};

static void note_stacks(void *context, const framemap_trace *traces, size_t count)
{
    struct fm_convert_task *job = context;
    for (size_t i = 0; i < count; i++) job->lost |= framemap_trace_lost(&traces[i], job->to);
}

/* --- converting the text of a pipe --- */

static framemap_status feed_pipe(const struct fm_convert_task *job, struct fm_in *in, framemap_stream *stream,
                                 framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    while (status == FRAMEMAP_OK && (in->end > in->begin || fm_in_more(in, job->out))) {
        status = framemap_stream_feed(stream, (framemap_str){in->data + in->begin, in->end - in->begin}, error);
        in->begin = in->end;
    }
    return status;
}

static framemap_status convert_stream(struct fm_convert_task *job, framemap_session *session, struct fm_in *in,
                                      framemap_restore_summary *summary, framemap_error *error)
{
    const framemap_stream_options options = {.size = sizeof options,
                                             .restore = {.size = sizeof options.restore,
                                                         .format = job->format,
                                                         .output = job->to,
                                                         .visit = note_stacks,
                                                         .visit_context = job,
                                                         .scope = job->scope,
                                                         .as_printed = !job->has_symbols}};
    framemap_stream *stream = NULL;
    framemap_error closing = {0};
    framemap_status status = framemap_stream_open(session, &options, job->write, job->context, &stream, error);
    if (status != FRAMEMAP_OK) return status;
    status = feed_pipe(job, in, stream, error);
    const framemap_status closed = framemap_stream_close(stream, summary, status ? NULL : &closing);
    if (status != FRAMEMAP_OK || closed == FRAMEMAP_OK) return status;
    *error = closing;
    return closed;
}

/* --- converting a whole text --- */

static framemap_status convert_text(struct fm_convert_task *job, framemap_session *session, framemap_str text,
                                    framemap_restore_summary *restored, framemap_error *error)
{
    const framemap_convert_options options = {.size = sizeof options, .from = job->format, .scope = job->scope};
    framemap_convert_summary summary = {.lost = 0};
    const framemap_status status = framemap_convert(job->has_symbols ? session : NULL, text, job->to, &options,
                                                    job->write, job->context, &summary, error);
    job->lost |= summary.lost;
    *restored = summary.restore;
    return status;
}

#define MOST_GATHERED ((size_t)64 << 20) /* bytes of standard input that are read before they are converted */

/* Whether a text is compressed, or is a profile that is not text. Such input is read as a whole, up to
 * MOST_GATHERED. */
static bool is_binary(framemap_str head)
{
    if (head.size >= 2 && memcmp(head.data, "\x1f\x8b", 2) == 0) return true;
    for (size_t i = 0; i < head.size; i++)
        if ((unsigned char)head.data[i] < 7) return true;
    return false;
}

static framemap_status convert_pipe(struct fm_convert_task *job, framemap_session *session,
                                    framemap_restore_summary *summary, framemap_error *error)
{
    struct fm_in in;
    fm_message_waiting("text with stack traces");
    fm_in_init(&in, STDIN_FILENO);
    framemap_status status = FRAMEMAP_OK;
    bool more = fm_in_more(&in, job->out);
    const bool binary = is_binary((framemap_str){in.head, in.head_size});
    while (binary && more && in.end - in.begin < MOST_GATHERED) more = fm_in_more(&in, job->out);
    status = binary && !more
                 ? convert_text(job, session, (framemap_str){in.data + in.begin, in.end - in.begin}, summary, error)
                 : convert_stream(job, session, &in, summary, error);
    if (status == FRAMEMAP_OK && summary->traces == 0)
        fm_notice_no_stack(&notice, "-", false, (framemap_str){in.head, in.head_size}, job->format);
    /* if in.failed is set, the reason was reported when the read failed */
    if (in.failed && status == FRAMEMAP_OK) status = FRAMEMAP_E_IO;
    fm_in_free(&in);
    return status;
}

static framemap_status convert_whole_file(struct fm_convert_task *job, framemap_session *session, const char *path,
                                          framemap_restore_summary *summary, framemap_error *error)
{
    struct fm_file file;
    framemap_status status = fm_file_open(path, &file, error);
    if (status != FRAMEMAP_OK) return status;
    status = convert_text(job, session, file.bytes, summary, error);
    if (status == FRAMEMAP_OK) status = fm_file_check(path, &file, error);
    if (status == FRAMEMAP_OK && summary->traces == 0)
        fm_notice_no_stack(&notice, path, strcmp(path, "-") != 0, file.bytes, job->format);
    fm_file_close(&file);
    return status;
}

static bool is_pipe(const char *path)
{
    struct stat about;
    return strcmp(path, "-") == 0 && fstat(STDIN_FILENO, &about) == 0 && !S_ISREG(about.st_mode);
}

/* --- converting all files --- */

framemap_status fm_convert_stacks(struct fm_convert_task *job)
{
    framemap_session *session = NULL;
    framemap_error error = {0};
    framemap_status status = fm_convert_open_session(job, &session, &error);
    for (size_t i = 0; i < job->file_count && status == FRAMEMAP_OK; i++) {
        framemap_restore_summary summary = {.traces = 0};
        status = is_pipe(job->files[i]) ? convert_pipe(job, session, &summary, &error)
                                        : convert_whole_file(job, session, job->files[i], &summary, &error);
        if (status != FRAMEMAP_OK && error.code) fm_message_error(error.where[0] ? NULL : job->files[i], &error);
    }
    if (session == NULL) fm_message_error(NULL, &error);
    if (session && job->has_symbols && !job->quiet) (void)fm_report_missing(session, true);
    framemap_session_close(session);
    return status;
}
