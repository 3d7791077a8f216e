/* Reads stacks and profiles for framemap top (top_job.h). The kind of the text decides whether stacks are grouped,
 * or samples are counted by function. */
#include "cli/commands/top_job.h"
#include "cli/notice.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* HEAD: most bytes of a text that are used to recognize its kind. DOCUMENT: the same for a JSON document, which
 * needs more, since its members may be in any order. */
#define HEAD ((size_t)64 << 10)
#define DOCUMENT ((size_t)64 << 20)

/* --- finding the kind of a text --- */

static bool is_sample_format(const char *name)
{
    size_t count;
    const framemap_sample_format *const *rows = framemap_sample_format_list(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i]->name, name) == 0) return rows[i]->reads;
    return false;
}

/* Whether a text is read as a profile. Texts of some formats could be read as stacks too, but only profiles have
 * weights. A file in a profile format that is not supported counts as a profile as well, because the reader of profiles
 * reports why it is not read. */
static bool is_profile(const struct fm_top_job *job, framemap_str head)
{
    if (job->by && strcmp(job->by, "group") == 0) return false;
    const char *format = job->format ? job->format : framemap_sample_format_of(head);
    return format[0] == '\0' || (is_sample_format(format) && strcmp(format, "traces") != 0);
}

/* Whether a text starts like one JSON document, on many lines or on one long line. A text whose lines are JSON
 * objects is a log, not a document. */
static bool may_be_document(framemap_str head)
{
    if (head.size == 0 || (head.data[0] != '{' && head.data[0] != '[')) return false;
    const char *end = memchr(head.data, '\n', head.size);
    while (end && end > head.data && (end[-1] == '\r' || end[-1] == ' ')) end--;
    return end == NULL || end[-1] != '}';
}

static framemap_status open_set(struct fm_top_job *job, framemap_error *error)
{
    uint32_t without = FRAMEMAP_PART_TIMES | FRAMEMAP_PART_THREADS | FRAMEMAP_PART_LABELS;
    if (job->scope.path_count == 0 && !job->store) without |= FRAMEMAP_PART_ADDRESSES;
    const framemap_sample_options options = {.size = sizeof options, .without = without};
    return framemap_sample_set_open(&options, &job->set, error);
}

/* Decides from the first text whether stacks or samples are counted. Later texts have to be of the same kind. */
static framemap_status decide(struct fm_top_job *job, framemap_str head, framemap_error *error)
{
    const enum fm_top_input input = is_profile(job, head) ? FM_TOP_PROFILE : FM_TOP_STACKS;
    const bool by_group = job->by ? strcmp(job->by, "group") == 0 : input == FM_TOP_STACKS;
    if (job->input == input) return FRAMEMAP_OK;
    if (job->input != FM_TOP_NOTHING) {
        const bool first = job->input == FM_TOP_PROFILE;
        fm_message("'%s' is a profile and '%s' is not: their weights cannot be added", first ? job->first : job->file,
                   first ? job->file : job->first);
        /* the message above reported the error; an error without a message is not printed */
        *error = (framemap_error){.code = FRAMEMAP_E_IO};
        return FRAMEMAP_E_IO;
    }
    job->input = input;
    job->first = job->file;
    if (!by_group) return open_set(job, error);
    job->groups_options.rules = job->rules;
    return framemap_groups_open(&job->groups_options, &job->groups, error);
}

/* --- adding stacks --- */

/* A callback of type framemap_trace_visit that adds the stacks to the groups. */
static void add_stacks(void *context, const framemap_trace *traces, size_t count)
{
    struct fm_top_job *job = context;
    if (job->add_status) return;
    if (job->set)
        job->add_status = framemap_sample_set_add_traces(job->set, traces, count, &job->add_error);
    else
        job->add_status = framemap_groups_add(job->groups, framemap_str_of(job->file), traces, count, &job->add_error);
}

/* A callback that drops the restored text, which is not shown. */
static bool discard(void *context, const char *data, size_t size)
{
    (void)data;
    (void)size;
    return ((struct fm_top_job *)context)->add_status == FRAMEMAP_OK;
}

static framemap_restore_options restore_options(struct fm_top_job *job)
{
    framemap_restore_options options = job->restore;
    options.visit = add_stacks;
    options.visit_context = job;
    return options;
}

/* --- reading pipes --- */

/* Takes the input piece by piece, as stacks or as a profile. */
struct taker {
    framemap_stream *stream; /* stream of stacks; NULL: the input is a profile */
    framemap_sample_set *set;
    const char *format;
};

static framemap_status take_piece(const struct taker *taker, struct fm_in *in, framemap_error *error)
{
    const framemap_str piece = {in->data + in->begin, in->end - in->begin};
    in->begin = in->end;
    if (taker->stream) return framemap_stream_feed(taker->stream, piece, error);
    return framemap_sample_set_feed(taker->set, piece, taker->format, error);
}

static framemap_status take_pieces(const struct taker *taker, struct fm_in *in, framemap_error *error)
{
    framemap_status status = take_piece(taker, in, error);
    while (!status && fm_in_more(in, NULL)) status = take_piece(taker, in, error);
    if (in->failed && !status) {
        *error = (framemap_error){.code = FRAMEMAP_E_IO};
        status = FRAMEMAP_E_IO; /* the reason was reported when the read failed */
    }
    return status;
}

static framemap_status read_stack_pipe(struct fm_top_job *job, struct fm_in *in, framemap_error *error)
{
    const framemap_stream_options options = {.size = sizeof options, .restore = restore_options(job)};
    struct taker taker = {.stream = NULL};
    framemap_error closing;
    framemap_status status = framemap_stream_open(job->session, &options, discard, job, &taker.stream, error);
    if (status) return status;
    status = take_pieces(&taker, in, error);
    const framemap_status end = framemap_stream_close(taker.stream, NULL, &closing);
    if (!status && end) *error = closing;
    return status ? status : end;
}

static framemap_status read_profile_pipe(struct fm_top_job *job, struct fm_in *in, framemap_error *error)
{
    const struct taker taker = {.set = job->set, .format = job->format};
    const framemap_status status = take_pieces(&taker, in, error);
    return status ? status : framemap_sample_set_finish(job->set, job->format, error);
}

static framemap_status read_pipe(struct fm_top_job *job, int fd, framemap_error *error)
{
    struct fm_in in;
    fm_in_init(&in, fd);
    while (in.end - in.begin < HEAD && fm_in_more(&in, NULL)) continue;
    framemap_str head = {in.data + in.begin, in.end - in.begin};
    if (may_be_document(head) && !is_profile(job, head)) {
        while (in.end - in.begin < DOCUMENT && fm_in_more(&in, NULL)) continue;
        head = (framemap_str){in.data + in.begin, in.end - in.begin};
    }
    framemap_status status = decide(job, head, error);
    if (!status)
        status = job->input == FM_TOP_PROFILE ? read_profile_pipe(job, &in, error) : read_stack_pipe(job, &in, error);
    fm_in_free(&in);
    return status;
}

/* --- reading files --- */

/* Reports that the file has no stack. If there are several files, a log without a stack is normal, and nothing is
 * reported. */
static void report_no_stack(struct fm_top_job *job, framemap_str bytes)
{
    static const struct fm_notice_words words = {
        .command = "framemap top", .symbols = "with -s", .stacks = "stack trace", .unpacks = true};
    fm_notice_no_stack(&words, job->file, job->file_count == 1, bytes, job->format);
    job->has_reported = job->file_count == 1;
}

static framemap_status read_profile(struct fm_top_job *job, framemap_str bytes, framemap_error *error)
{
    const framemap_status status = framemap_sample_set_read(job->set, bytes, job->format, error);
    framemap_sample_counts counts;
    framemap_sample_set_counts(job->set, &counts);
    if (!status && counts.samples == 0) report_no_stack(job, bytes);
    return status;
}

static framemap_status read_bytes(struct fm_top_job *job, framemap_str bytes, framemap_error *error)
{
    const framemap_restore_options options = restore_options(job);
    const framemap_status status = decide(job, bytes, error);
    if (status) return status;
    if (job->input == FM_TOP_PROFILE) return read_profile(job, bytes, error);
    framemap_restore_summary summary = {.traces = 0};
    const framemap_status restored =
        framemap_document_restore(job->session, bytes, &options, discard, job, &summary, error);
    if (!restored && summary.traces == 0) report_no_stack(job, bytes);
    return restored;
}

static framemap_status read_regular(struct fm_top_job *job, framemap_error *error)
{
    struct fm_file file;
    framemap_status status = fm_file_open(job->file, &file, error);
    if (status) return status;
    status = read_bytes(job, file.bytes, error);
    if (!status) status = fm_file_check(job->file, &file, error);
    fm_file_close(&file);
    return status;
}

static framemap_status read_named(struct fm_top_job *job, framemap_error *error)
{
    struct stat about;
    if (stat(job->file, &about) != 0 || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))
        return read_regular(job, error);
    const int fd = open(job->file, O_RDONLY | O_CLOEXEC);
    /* read_regular tries to open the file again, fails as well, and reports the reason */
    if (fd < 0) return read_regular(job, error);
    const framemap_status status = read_pipe(job, fd, error);
    close(fd);
    return status;
}

/* Reads one file; returns false if that failed, which is reported. */
static bool read_file(struct fm_top_job *job, const char *file)
{
    framemap_error error;
    framemap_status status;
    const bool standard = strcmp(file, "-") == 0;
    job->file = standard ? "standard input" : file;
    if (standard) fm_message_waiting("text with stack traces, or a profile");
    status = standard ? read_pipe(job, STDIN_FILENO, &error) : read_named(job, &error);
    fm_progress_end(&job->progress);
    if (job->add_status) {
        fm_message_error(NULL, &job->add_error);
        return false;
    }
    if (status && (status != FRAMEMAP_E_IO || error.message[0]))
        fm_message_error(error.where[0] ? NULL : job->file, &error);
    return status == FRAMEMAP_OK;
}

bool fm_top_read(struct fm_top_job *job)
{
    bool all_read = true;
    for (size_t i = 0; i < job->file_count; i++) all_read = read_file(job, job->files[i]) && all_read;
    return all_read;
}
