/* Reads speedscope's profiles as samples with weights; formats/samples/profile_speedscope.c reads their stacks as
 * traces. https://www.speedscope.app/file-format-schema.json
 *
 *     {"shared":{"frames":[{"name":"a","file":"a.c","line":1,"col":2}]},
 *      "profiles":[{"type":"sampled","name":"main","unit":"none","samples":[[0,1]],"weights":[1]},
 *                  {"type":"evented","unit":"seconds","events":[{"type":"O","frame":0,"at":0},…]}]}
 *
 * The outermost frame is first. Each element of "profiles" has one thread and one kind of weight. Times are converted
 * to nanoseconds. */
#include "formats/profiles/profile_readers_json.h"

#include "core/error.h"
#include "core/json/json.h"

struct speedscope {
    framemap_sample_set *set;
    const struct fm_json *json;
    uint32_t *frames; /* for each frame of the document: its number in the sample set */
    uint32_t frame_count;
    uint32_t stack[FM_PROFILE_FRAMES]; /* for an evented profile: nodes of the frames that are open */
};

struct unit_row {
    /* name: the unit in speedscope; type and unit: the corresponding names in the sample set */
    framemap_str name, type, unit;
    unsigned digits; /* decimal places by which values are scaled to whole numbers */
};

static const struct unit_row units[] = {
    {FM_STR_INIT("none"), FM_STR_INIT("samples"), FM_STR_INIT("count"), 0},
    {FM_STR_INIT("nanoseconds"), FM_STR_INIT("time"), FM_STR_INIT("nanoseconds"), 0},
    {FM_STR_INIT("microseconds"), FM_STR_INIT("time"), FM_STR_INIT("nanoseconds"), 3},
    {FM_STR_INIT("milliseconds"), FM_STR_INIT("time"), FM_STR_INIT("nanoseconds"), 6},
    {FM_STR_INIT("seconds"), FM_STR_INIT("time"), FM_STR_INIT("nanoseconds"), 9},
    {FM_STR_INIT("bytes"), FM_STR_INIT("space"), FM_STR_INIT("bytes"), 0}};
enum { UNITS = sizeof units / sizeof *units };

static const struct unit_row *unit_of(const struct fm_json *json, int32_t value)
{
    for (size_t i = 0; i < UNITS; i++)
        if (fm_str_equal(fm_json_raw(json, value), units[i].name)) return &units[i];
    return &units[0];
}

static bool read_frames(struct speedscope *job, int32_t list)
{
    const struct fm_json *json = job->json;
    const uint32_t count = fm_json_count(json, list);
    job->frames = fm_heap_zalloc(&job->set->heap, (size_t)count + 1, sizeof *job->frames);
    if (job->frames == NULL) return false;
    for (int32_t item = fm_json_first(json, list); item >= 0; item = fm_json_next(json, item)) {
        const struct fm_sample_frame frame = {
            .function = fm_profile_json_string(job->set, json, fm_json_get(json, item, "name")),
            .file = fm_profile_json_string(job->set, json, fm_json_get(json, item, "file")),
            .line1 = fm_profile_json_position(json, fm_json_get(json, item, "line"), 1),
            .column1 = fm_profile_json_position(json, fm_json_get(json, item, "col"), 1)};
        job->frames[job->frame_count++] = fm_samples_frame(job->set, &frame);
    }
    return true;
}

static uint32_t frame_at(const struct speedscope *job, int32_t value)
{
    uint64_t number = 0;
    return fm_json_u64(job->json, value, &number) && number < job->frame_count ? job->frames[number] : FM_NO_ID;
}

static void read_sampled(struct speedscope *job, int32_t profile, struct fm_sample_entry row, uint32_t column,
                         unsigned digits)
{
    const struct fm_json *json = job->json;
    int32_t weight = fm_json_first(json, fm_json_get(json, profile, "weights"));
    for (int32_t sample = fm_json_first(json, fm_json_get(json, profile, "samples")); sample >= 0;
         sample = fm_json_next(json, sample)) {
        int64_t value = 0;
        size_t depth = 0;
        row.node = FM_NO_ID;
        for (int32_t item = fm_json_first(json, sample); item >= 0 && depth < FM_PROFILE_FRAMES; depth++) {
            const uint32_t frame = frame_at(job, item);
            if (frame != FM_NO_ID) row.node = fm_samples_node(job->set, row.node, frame);
            item = fm_json_next(json, item);
        }
        (void)fm_profile_json_decimal(json, weight, digits, &value);
        weight = fm_json_next(json, weight);
        fm_samples_one(job->set, &row, column, value);
    }
}

/* Reads an evented profile: the distance from each event to the next is a weight of the frames that are open between
 * the two. timed: positions of events are times. */
static void read_evented(struct speedscope *job, int32_t profile, struct fm_sample_entry row, uint32_t column,
                         unsigned digits, bool timed)
{
    const struct fm_json *json = job->json;
    size_t depth = 0;
    int64_t last = 0;
    for (int32_t event = fm_json_first(json, fm_json_get(json, profile, "events")); event >= 0;
         event = fm_json_next(json, event)) {
        int64_t at = last;
        (void)fm_profile_json_decimal(json, fm_json_get(json, event, "at"), digits, &at);
        row.node = depth ? job->stack[depth - 1] : FM_NO_ID;
        if (timed) row.time_ns = last;
        if (depth && at > last) fm_samples_one(job->set, &row, column, fm_samples_sum(at, -last));
        last = at;
        const bool opens = fm_str_equal(fm_json_raw(json, fm_json_get(json, event, "type")), FM_STR("O"));
        const uint32_t frame = frame_at(job, fm_json_get(json, event, "frame"));
        if (!opens && depth) depth--;
        if (!opens || depth == FM_PROFILE_FRAMES || frame == FM_NO_ID) continue;
        job->stack[depth] = fm_samples_node(job->set, depth ? job->stack[depth - 1] : FM_NO_ID, frame);
        depth++;
    }
}

/* Returns the thread of a profile: the thread in the member `framemap`, which only framemap writes, or else a thread
 * with the profile's name. */
static uint32_t thread_of(struct speedscope *job, int32_t profile)
{
    const struct fm_json *json = job->json;
    const int32_t known = fm_json_get(json, profile, "framemap");
    struct fm_sample_thread thread = {
        .name = fm_profile_json_string(
            job->set, json, known >= 0 ? fm_json_get(json, known, "thread") : fm_json_get(json, profile, "name")),
        .process = fm_profile_json_string(job->set, json, fm_json_get(json, known, "process"))};
    thread.has_process = fm_json_u64(json, fm_json_get(json, known, "pid"), &thread.process_id);
    thread.has_thread = fm_json_u64(json, fm_json_get(json, known, "tid"), &thread.thread_id);
    return fm_samples_thread(job->set, &thread);
}

static void read_profile(struct speedscope *job, int32_t profile)
{
    const struct fm_json *json = job->json;
    const struct unit_row *unit = unit_of(json, fm_json_get(json, profile, "unit"));
    const int32_t known = fm_json_get(json, profile, "framemap");
    const struct fm_sample_entry row = {FM_NO_TIME, FM_NO_ID, thread_of(job, profile), FM_NO_ID};
    framemap_sample_set *set = job->set;
    const uint32_t type = fm_profile_json_string(set, json, fm_json_get(json, known, "type")),
                   name = fm_profile_json_string(set, json, fm_json_get(json, known, "unit"));
    const uint32_t column = known >= 0 ? fm_samples_column(set, fm_samples_text(set, type), fm_samples_text(set, name))
                                       : fm_samples_column(set, unit->type, unit->unit);
    if (fm_str_equal(fm_json_raw(json, fm_json_get(json, profile, "type")), FM_STR("evented")))
        read_evented(job, profile, row, column, unit->digits, fm_str_equal(unit->unit, FM_STR("nanoseconds")));
    else
        read_sampled(job, profile, row, column, unit->digits);
}

framemap_status fm_samples_read_speedscope(framemap_sample_set *set, framemap_str text, framemap_error *error)
{
    struct fm_json *json = NULL;
    framemap_status status = fm_json_parse(text, &set->heap, &json, error);
    if (status != FRAMEMAP_OK) return status;
    const int32_t frames = fm_json_get(json, fm_json_get(json, 0, "shared"), "frames"),
                  profiles = fm_json_get(json, 0, "profiles");
    struct speedscope *job = fm_heap_zalloc(&set->heap, 1, sizeof *job);
    if (fm_json_type(json, frames) != FM_JSON_ARRAY || fm_json_type(json, profiles) != FM_JSON_ARRAY) {
        status = fm_error_set(error, FRAMEMAP_E_FORMAT, "the document has no profiles of speedscope");
    } else if (job == NULL) {
        status = fm_error_memory(error);
    } else {
        job->set = set;
        job->json = json;
        if (!read_frames(job, frames)) fm_samples_fault(set, FRAMEMAP_E_MEMORY);
        for (int32_t item = fm_json_first(json, profiles); item >= 0 && !set->fault; item = fm_json_next(json, item))
            read_profile(job, item);
    }
    if (job) fm_heap_free(&set->heap, job->frames, ((size_t)fm_json_count(json, frames) + 1) * sizeof *job->frames);
    if (job) fm_heap_free(&set->heap, job, sizeof *job);
    fm_json_free(json);
    return status;
}

bool fm_samples_is_speedscope(framemap_str head)
{
    return fm_profile_json_begins(head, '{') &&
           fm_str_find(head, FM_STR("speedscope.app/file-format-schema")) != FM_NOT_FOUND;
}
