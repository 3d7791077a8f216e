/* Reads profiles of Ruby's stackprof as JSON (https://github.com/tmm1/stackprof).
 *
 *     {"version":1.2,"mode":"wall","interval":1000,"samples":3,"gc_samples":0,"missed_samples":0,
 *      "frames":{"11":{"name":"<main>","file":"a.rb","line":1,"samples":1},"12":{"name":"Object#f","file":"a.rb",
 *      "line":4,"samples":2}},"raw":[2,11,12,2,1,11,1],"raw_lines":[2,7,5,2,1,7,1],
 *      "raw_sample_timestamps":[9,19,30],"raw_timestamp_deltas":[9,10,11]}
 *
 * The list `raw` contains stacks. Each stack is the number of its frames, then the frames, outermost first, then the
 * number of its samples. A profile without `raw` has no stacks: each function becomes a stack of its own. Times are in
 * microseconds. */
#include "formats/profiles/read_only/profile_documents.h"

#define DIGITS_OF_TIME 3 /* decimal places by which microseconds are scaled to nanoseconds */

struct stackprof {
    struct fm_profile_document *document;
    framemap_sample_set *set;
    const struct fm_json *json;
    struct fm_profile_members frames;
    /* the next element in the lists of lines, times and deltas; -1: there is no such list, or it has ended */
    int32_t line, time, delta;
    int64_t interval_ns; /* time between two samples; 0: samples have no time */
    uint32_t columns[2];
};

static bool wrong(struct stackprof *job, int32_t value, const char *what)
{
    return fm_profile_document_wrong(job->document, value, what);
}

/* Reads the current element of a list of numbers, and moves *item to the next element. */
static bool next_number(const struct fm_json *json, int32_t *item, uint64_t *out)
{
    if (*item < 0 || !fm_json_u64(json, *item, out)) return false;
    *item = fm_json_next(json, *item);
    return true;
}

static uint32_t read_frame(struct stackprof *job, int32_t object, uint64_t line)
{
    const struct fm_json *json = job->json;
    struct fm_sample_frame frame = {.function =
                                        fm_profile_json_string(job->set, json, fm_json_get(json, object, "name")),
                                    .file = fm_profile_json_string(job->set, json, fm_json_get(json, object, "file")),
                                    .line1 = fm_profile_json_position(json, fm_json_get(json, object, "line"), 1)};
    if (line > 0 && line < UINT32_MAX) frame.line1 = (uint32_t)line;
    return fm_samples_frame(job->set, &frame);
}

/* --- reading samples with stacks --- */

/* Reads the frames of a stack. *item: the first frame; the function sets it to the element after the last frame. */
static bool read_stack(struct stackprof *job, int32_t *item, uint64_t count, uint32_t *node)
{
    *node = FM_NO_ID;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t line = 0;
        if (*item < 0) return wrong(job, fm_json_get(job->json, 0, "raw"), "the list 'raw' ends in a stack");
        const int32_t frame = fm_profile_member(&job->frames, fm_json_raw(job->json, *item));
        if (frame < 0) return wrong(job, *item, "a stack has a frame that is not in 'frames'");
        (void)next_number(job->json, &job->line, &line);
        if (i < FM_PROFILE_FRAMES) *node = fm_samples_node(job->set, *node, read_frame(job, frame, line));
        *item = fm_json_next(job->json, *item);
    }
    return !job->set->fault;
}

/* Reads the time of the next sample into its row. Returns the sample's duration. */
static int64_t next_time(struct stackprof *job, struct fm_sample_entry *row)
{
    const struct fm_json *json = job->json;
    int64_t length_ns = job->interval_ns, time_ns = 0;
    if (job->delta >= 0) (void)fm_profile_json_decimal(json, job->delta, DIGITS_OF_TIME, &length_ns);
    if (job->time >= 0 && fm_profile_json_decimal(json, job->time, DIGITS_OF_TIME, &time_ns)) row->time_ns = time_ns;
    job->delta = fm_json_next(json, job->delta);
    job->time = fm_json_next(json, job->time);
    return length_ns;
}

static int64_t times(int64_t count, int64_t value)
{
    return value != 0 && count > INT64_MAX / value ? INT64_MAX : count * value;
}

/* Adds the samples of a stack: one row for each sample if the times of the samples are known, otherwise one row for all
 * samples. */
static void add_samples(struct stackprof *job, uint32_t node, uint64_t given)
{
    struct fm_sample_entry row = {FM_NO_TIME, node, FM_NO_ID, FM_NO_ID};
    const size_t columns = job->interval_ns ? 2 : 1;
    int64_t count = given < INT64_MAX ? (int64_t)given : INT64_MAX;
    for (; count > 0 && (job->time >= 0 || job->delta >= 0) && !job->set->fault; count--) {
        row.time_ns = FM_NO_TIME;
        const int64_t values[] = {1, next_time(job, &row)};
        fm_samples_add(job->set, &row, job->columns, values, columns);
    }
    row.time_ns = FM_NO_TIME;
    const int64_t values[] = {count, times(count, job->interval_ns)};
    if (count > 0) fm_samples_add(job->set, &row, job->columns, values, columns);
}

static void read_raw(struct stackprof *job, int32_t raw)
{
    for (int32_t item = fm_json_first(job->json, raw); item >= 0 && !job->set->fault;) {
        uint64_t count = 0, samples = 0, line = 0;
        uint32_t node;
        const int32_t begin = item;
        if (!next_number(job->json, &item, &count)) {
            wrong(job, begin, "a stack in 'raw' does not begin with its number of frames");
            return;
        }
        (void)next_number(job->json, &job->line, &line);
        if (!read_stack(job, &item, count, &node)) return;
        (void)next_number(job->json, &job->line, &line);
        if (!next_number(job->json, &item, &samples)) {
            wrong(job, begin, "a stack in 'raw' does not end with its number of samples");
            return;
        }
        add_samples(job, node, samples);
    }
}

/* --- reading profiles whose samples have no stacks --- */

static void read_own_samples(struct stackprof *job)
{
    for (uint32_t i = 0; i < job->frames.keys.count && !job->set->fault; i++) {
        const int32_t frame = fm_json_value(job->json, job->frames.keys.values[i]);
        uint64_t samples = 0;
        (void)fm_json_u64(job->json, fm_json_get(job->json, frame, "samples"), &samples);
        if (samples > 0) add_samples(job, fm_samples_node(job->set, FM_NO_ID, read_frame(job, frame, 0)), samples);
    }
}

/* Determines the kind of weight. Samples of allocations have no durations. In the mode "cpu" the deltas are wall-clock
 * times, so each sample is counted as one interval instead. */
static void choose_columns(struct stackprof *job)
{
    const struct fm_json *json = job->json;
    const framemap_str mode = fm_json_raw(json, fm_json_get(json, 0, "mode"));
    const bool wall = fm_str_equal(mode, FM_STR("wall")), cpu = fm_str_equal(mode, FM_STR("cpu")),
               object = fm_str_equal(mode, FM_STR("object"));
    job->time = fm_json_first(json, fm_json_get(json, 0, "raw_sample_timestamps"));
    job->delta = wall ? fm_json_first(json, fm_json_get(json, 0, "raw_timestamp_deltas")) : -1;
    job->line = fm_json_first(json, fm_json_get(json, 0, "raw_lines"));
    if (wall || cpu)
        (void)fm_profile_json_decimal(json, fm_json_get(json, 0, "interval"), DIGITS_OF_TIME, &job->interval_ns);
    if (job->interval_ns < 0) job->interval_ns = 0;
    job->columns[0] = fm_samples_column(job->set, object ? FM_STR("objects") : FM_STR("samples"), FM_STR("count"));
    if (job->interval_ns) job->columns[1] = fm_samples_column(job->set, FM_STR("time"), FM_STR("nanoseconds"));
}

static bool read_document(struct fm_profile_document *document)
{
    const struct fm_json *json = document->json;
    const int32_t frames = fm_json_get(json, 0, "frames"), raw = fm_json_get(json, 0, "raw");
    struct stackprof job = {.document = document, .set = document->set, .json = json};
    if (fm_json_type(json, frames) != FM_JSON_OBJECT || fm_json_get(json, 0, "mode") < 0) return false;
    if (fm_profile_members_of(document, frames, &job.frames)) {
        choose_columns(&job);
        if (fm_json_type(json, raw) == FM_JSON_ARRAY)
            read_raw(&job, raw);
        else
            read_own_samples(&job);
    }
    fm_profile_members_free(&job.frames);
    return true;
}

static framemap_status read_stackprof(framemap_sample_set *set, framemap_str text, framemap_error *error)
{
    return fm_profile_read_documents(set, text, read_document, "a profile of stackprof", error);
}

static bool is_stackprof(framemap_str head)
{
    return fm_profile_json_begins(head, '{') && fm_str_find(head, FM_STR("\"gc_samples\"")) != FM_NOT_FOUND &&
           fm_str_find(head, FM_STR("\"missed_samples\"")) != FM_NOT_FOUND;
}

const struct fm_profile_format fm_profile_stackprof = {
    .info = {"stackprof", "profiles of Ruby's stackprof as JSON", true, false,
             FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_TIMES | FRAMEMAP_PART_VALUES},
    .looks = is_stackprof,
    .read = read_stackprof};
