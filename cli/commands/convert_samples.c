/* framemap convert --to a format of profiles: reads samples from its inputs, restores their frames if symbols are
 * given, and writes them. Called by cmd_convert.c. */
#include "cli/commands/convert_samples.h"

#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/notice.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE ((size_t)1 << 20) /* maximum number of bytes that one read of standard input requests */

static const framemap_sample_format *sample_format(const char *name)
{
    size_t count;
    const framemap_sample_format *const *rows = framemap_sample_format_list(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i]->name, name) == 0) return rows[i];
    return NULL;
}

bool fm_is_sample_format(const char *name)
{
    const framemap_sample_format *format = sample_format(name);
    return format && format->writes;
}

static framemap_status read_stream(const struct fm_convert_task *job, framemap_sample_set *set, framemap_error *error)
{
    char *piece = fm_cli_resize(NULL, PIECE);
    framemap_status status = FRAMEMAP_OK;
    fm_message_waiting("a profile");
    for (ssize_t size = 1; size > 0 && status == FRAMEMAP_OK;) {
        size = read(STDIN_FILENO, piece, PIECE);
        if (size > 0) status = framemap_sample_set_feed(set, (framemap_str){piece, (size_t)size}, job->format, error);
        if (size >= 0) continue;
        if (fm_io_again(STDIN_FILENO, false)) {
            size = 1;
            continue;
        }
        *error = (framemap_error){.code = FRAMEMAP_E_IO};
        snprintf(error->message, sizeof error->message, "%s", strerror(errno));
        status = FRAMEMAP_E_IO;
    }
    if (status == FRAMEMAP_OK) status = framemap_sample_set_finish(set, job->format, error);
    free(piece);
    return status;
}

/* Reports the kind of a file that has no samples, since the user may have given the wrong file. */
static void report_no_sample(const struct fm_convert_task *job, const char *path, framemap_str bytes)
{
    static const struct fm_notice_words words = {
        .command = "framemap convert --to FORM", .symbols = "with -s", .stacks = "sample", .unpacks = true};
    fm_notice_no_stack(&words, path, job->file_count == 1, bytes, job->format);
}

static framemap_status read_samples_file(const struct fm_convert_task *job, const char *path, framemap_sample_set *set,
                                         framemap_error *error)
{
    struct fm_file file;
    if (strcmp(path, "-") == 0) return read_stream(job, set, error);
    framemap_status status = fm_file_open(path, &file, error);
    if (status != FRAMEMAP_OK) return status;
    framemap_sample_counts before, after;
    framemap_sample_set_counts(set, &before);
    status = framemap_sample_set_read(set, file.bytes, job->format, error);
    if (status == FRAMEMAP_OK) status = fm_file_check(path, &file, error);
    framemap_sample_set_counts(set, &after);
    /* The file may also repeat samples that an earlier file has: then it is readable, and nothing is reported. */
    if (status == FRAMEMAP_OK && after.samples == before.samples) report_no_sample(job, path, file.bytes);
    fm_file_close(&file);
    return status;
}

/* Reports which kinds of weights are written, if the profile has more. Samples that have only other kinds are missing
 * in the output. That is not a loss of detail, so --lossy does not suppress the report. */
static void report_weights(const struct fm_convert_task *job, const framemap_sample_set *set, uint32_t lost)
{
    framemap_sample sample;
    framemap_sample_type type;
    uint32_t count = 0, without = 0;
    if ((lost & FRAMEMAP_PART_VALUES) == 0 || job->quiet || !framemap_sample_set_type(set, 0, &type)) return;
    for (; framemap_sample_set_sample(set, count, &sample); count++) {
        bool other = false;
        for (size_t i = 1; i < sample.value_count; i++) other = other || sample.values[i] != 0;
        without += sample.values[0] == 0 && other;
    }
    if (without)
        fm_message("%s holds one kind of weight, of which the first was written (%.*s, %.*s): %u of %u different "
                   "samples have only others, and were left out",
                   job->to, (int)type.type.size, type.type.data, (int)type.unit.size, type.unit.data, (unsigned)without,
                   (unsigned)count);
}

/* Returns the parts of samples that need not be kept: the output cannot contain them, and restoring does not need
 * them. */
static uint32_t unneeded(const struct fm_convert_task *job)
{
    uint32_t without = FRAMEMAP_PART_TIMES | FRAMEMAP_PART_LABELS;
    if (!job->has_symbols) without |= FRAMEMAP_PART_ADDRESSES;
    return without & ~sample_format(job->to)->holds;
}

/* Opens the set, and the session with which frames are restored while the set reads them. *session NULL: nothing is
 * to be restored. */
static framemap_status open_set(const struct fm_convert_task *job, framemap_session **session,
                                framemap_sample_set **set, framemap_error *error)
{
    const framemap_sample_options samples = {.size = sizeof samples, .without = unneeded(job)};
    if (!job->has_symbols) return framemap_sample_set_open(&samples, set, error);
    const framemap_status status = fm_convert_open_session(job, session, error);
    return status ? status : framemap_session_sample_set_open(*session, job->scope, &samples, set, error);
}

/* Restores the frames of profiles. */
static framemap_status restore_set(const struct fm_convert_task *job, framemap_session *session,
                                   framemap_sample_set **set, framemap_error *error)
{
    framemap_sample_set *restored = NULL;
    const framemap_status status = framemap_session_restore_samples(session, *set, job->scope, &restored, error);
    if (status != FRAMEMAP_OK) return status;
    framemap_sample_set_close(*set);
    *set = restored;
    return FRAMEMAP_OK;
}

framemap_status fm_convert_samples(struct fm_convert_task *job)
{
    framemap_session *session = NULL;
    framemap_sample_set *set = NULL;
    framemap_error error = {0};
    framemap_sample_counts counts;
    framemap_status status = open_set(job, &session, &set, &error);
    const char *where = NULL;
    if (status != FRAMEMAP_OK) {
        fm_message_error(NULL, &error);
        framemap_session_close(session);
        return status;
    }
    for (size_t i = 0; i < job->file_count && status == FRAMEMAP_OK; i++) {
        where = job->files[i];
        status = read_samples_file(job, where, set, &error);
    }
    framemap_sample_set_counts(set, &counts);
    if (status == FRAMEMAP_OK && session) status = restore_set(job, session, &set, &error);
    const bool is_reported = job->file_count == 1 && strcmp(job->files[0], "-") != 0;
    if (status == FRAMEMAP_OK && counts.samples == 0 && !is_reported) fm_message("no samples were found");
    if (status == FRAMEMAP_OK) {
        where = NULL;
        status = framemap_sample_set_write(set, job->to, job->write, job->context, &job->lost, &error);
    }
    if (status == FRAMEMAP_OK) {
        report_weights(job, set, job->lost);
    } else if (status != FRAMEMAP_E_IO || where) {
        fm_message_error(where, &error);
    }
    framemap_sample_set_close(set);
    framemap_session_close(session);
    return status;
}
