/* Implements framemap_convert. Stacks are parsed, restored and printed like a restored text whose output format is the
 * target. Samples are read into a set, and the set is written in the target's format. */
#include "session/convert/sample_stacks.h"

#include "api/option_structs.h"
#include "core/archive/inflate_input.h"
#include "core/error.h"
#include "formats/format_registry.h"
#include "formats/profiles/profile_format.h"
#include "session/session_state.h"
#include <framemap/envelope.h>

struct convert_job {
    framemap_session *session; /* session of the caller; NULL: the caller has none, so nothing is restored */
    framemap_str text;
    const char *to;
    framemap_convert_options options;
    framemap_write write;
    void *context;
    framemap_convert_summary summary;
};

/* --- stacks --- */

static void note_lost(void *context, const framemap_trace *traces, size_t count)
{
    struct convert_job *job = context;
    for (size_t i = 0; i < count; i++) job->summary.lost |= framemap_trace_lost(&traces[i], job->to);
}

static framemap_status convert_stacks(struct convert_job *job, framemap_error *error)
{
    const framemap_restore_options options = {.size = sizeof options,
                                              .format = job->options.from,
                                              .output = job->to,
                                              .demangle = job->options.demangle,
                                              .scope = job->options.scope,
                                              .visit = note_lost,
                                              .visit_context = job,
                                              .as_printed = job->session == NULL};
    framemap_session *session = job->session;
    framemap_status status = session ? FRAMEMAP_OK : framemap_session_open(NULL, &session, error);
    if (status == FRAMEMAP_OK)
        status = framemap_document_restore(session, job->text, &options, job->write, job->context,
                                           &job->summary.restore, error);
    if (session != job->session) framemap_session_close(session);
    return status;
}

/* --- samples --- */

/* Reads the text as a set of samples, and restores them if there is a session. */
static framemap_status read_set(const struct convert_job *job, framemap_sample_set **out, framemap_error *error)
{
    framemap_sample_set *set = NULL, *restored = NULL;
    framemap_status status = job->session
                                 ? framemap_session_sample_set_open(job->session, job->options.scope, NULL, &set, error)
                                 : framemap_sample_set_open(NULL, &set, error);
    if (status == FRAMEMAP_OK) status = framemap_sample_set_read(set, job->text, job->options.from, error);
    if (status == FRAMEMAP_OK && job->session)
        status = framemap_session_restore_samples(job->session, set, job->options.scope, &restored, error);
    if (restored) {
        framemap_sample_set_close(set);
        set = restored;
    }
    if (status == FRAMEMAP_OK)
        *out = set;
    else
        framemap_sample_set_close(set);
    return status;
}

static framemap_status convert_samples(struct convert_job *job, framemap_error *error)
{
    framemap_sample_set *set = NULL;
    framemap_sample_counts counts;
    framemap_status status = read_set(job, &set, error);
    if (status != FRAMEMAP_OK) return status;
    framemap_sample_set_counts(set, &counts);
    job->summary.restore.traces = counts.samples;
    status = framemap_sample_set_write(set, job->to, job->write, job->context, &job->summary.lost, error);
    framemap_sample_set_close(set);
    return status;
}

/* Converts a profile in which no parser of texts finds stacks. Prints a stack once for each thread that has samples
 * with it. */
static framemap_status convert_sample_stacks(struct convert_job *job, framemap_error *error)
{
    framemap_sample_set *set = NULL;
    framemap_printer *printer = NULL;
    struct fm_heap heap;
    framemap_sample_counts counts = {.parts = 0};
    framemap_error closing;
    fm_heap_init(&heap, NULL, 0);
    framemap_status status = read_set(job, &set, error);
    if (status != FRAMEMAP_OK) return status;
    framemap_sample_set_counts(set, &counts);
    status = framemap_printer_open(job->to, NULL, job->write, job->context, &printer, error);
    if (status == FRAMEMAP_OK)
        status = fm_sample_stacks_print(set, &heap, printer, &job->summary.restore.traces, error);
    const framemap_status closed =
        framemap_printer_close(printer, &job->summary.lost, status == FRAMEMAP_OK ? &closing : NULL);
    if (status == FRAMEMAP_OK && closed != FRAMEMAP_OK) {
        status = closed;
        if (error) *error = closing;
    }
    job->summary.lost |= counts.parts & (FRAMEMAP_PART_TIMES | FRAMEMAP_PART_LABELS | FRAMEMAP_PART_VALUES);
    framemap_sample_set_close(set);
    return status;
}

/* --- deciding whether stacks or samples are converted --- */

static bool writes_stacks(const char *to)
{
    const struct fm_format *row = fm_format_named(to);
    return row && row->info.writes;
}

static bool writes_samples(const char *to)
{
    const struct fm_profile_format *row = fm_profile_named(to);
    return row && row->info.writes;
}

/* The start of the decompressed text. */
struct head {
    char bytes[4096];
    size_t size;
};

static framemap_status take_head(void *context, framemap_str text, framemap_error *error)
{
    struct head *head = context;
    const size_t room = sizeof head->bytes - head->size, size = text.size < room ? text.size : room;
    if (size) memcpy(head->bytes + head->size, text.data, size);
    head->size += size;
    if (head->size < sizeof head->bytes) return FRAMEMAP_OK;
    return fm_error_set(error, FRAMEMAP_E_LIMIT, "this is enough to know the format");
}

/* Whether a text in this profile format has samples, but no stacks that a parser of texts finds. */
static bool has_samples_only(const struct fm_profile_format *row)
{
    return row && row->info.reads && row != &fm_profile_traces && !fm_format_named(row->info.name);
}

/* Whether the text begins like a profile in such a format. An ordinary text may by chance begin like a pprof profile,
 * but it lacks the bytes that tag the messages of pprof. */
static bool begins_samples(framemap_str head)
{
    const struct fm_profile_format *row = fm_profile_guess(head);
    bool has_tag = row != &fm_profile_pprof;
    for (size_t i = 0; i < head.size && !has_tag; i++) has_tag = (unsigned char)head.data[i] < 7;
    return has_tag && has_samples_only(row);
}

static bool begins_compressed_samples(framemap_str text)
{
    struct fm_inflater *inflater = NULL;
    struct head head = {.size = 0};
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    if (fm_inflater_open(text, &heap, &inflater, NULL)) return false;
    (void)fm_inflater_feed(inflater, fm_str_slice(text, 0, sizeof head.bytes), take_head, &head, NULL);
    fm_inflater_free(inflater);
    return begins_samples(fm_str(head.bytes, head.size));
}

/* Whether the text is a profile whose samples are converted to stacks. The whole text is examined, because a JSON
 * document may name its format late. */
static bool is_samples(const struct convert_job *job)
{
    if (job->options.from) return has_samples_only(fm_profile_named(job->options.from));
    if (fm_is_compressed(job->text)) return begins_compressed_samples(job->text);
    if (begins_samples(fm_str_slice(job->text, 0, sizeof(struct head)))) return true;
    return fm_profile_json_begins(fm_str_slice(job->text, 0, sizeof(struct head)), '{') &&
           has_samples_only(fm_profile_named(fm_profile_name_of(job->text)));
}

static framemap_status run_convert(struct convert_job *job, framemap_error *error)
{
    if (!writes_stacks(job->to)) {
        if (writes_samples(job->to)) return convert_samples(job, error);
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "there is no format \"%s\" that is written", job->to);
    }
    return is_samples(job) ? convert_sample_stacks(job, error) : convert_stacks(job, error);
}

framemap_status framemap_convert(framemap_session *session, framemap_str text, const char *to,
                                 const framemap_convert_options *options, framemap_write write, void *context,
                                 framemap_convert_summary *summary, framemap_error *error)
{
    struct convert_job job = {.session = session, .text = text, .to = to, .write = write, .context = context};
    framemap_status status = fm_options_read(options, &job.options, sizeof job.options, error);
    if (status != FRAMEMAP_OK) return status;
    if (to == NULL || write == NULL || (text.data == NULL && text.size))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    status = fm_demangle_check(job.options.demangle, error);
    if (status == FRAMEMAP_OK) status = run_convert(&job, error);
    if (status == FRAMEMAP_OK && summary) *summary = job.summary;
    return status;
}
