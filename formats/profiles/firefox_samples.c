/* Reads profiles of the Firefox profiler in two formats: the one that the profiler saves, which has tables with
 * columns, for each thread or for all threads together; and the one that Gecko writes, which has tables with rows and a
 * schema (docs-developer/CHANGELOG-formats.md of its project).
 *
 *     {"meta":{"preprocessedProfileVersion":47},"threads":[{"name":"main","pid":"1","tid":2,"samples":{"stack":[1],
 *      "time":[3],"weight":[1],"weightType":"samples"},"stackTable":{"prefix":[null,0],"frame":[0,1]},
 *      "frameTable":{"func":[0,1],"line":[null,7]},"funcTable":{"name":[0,1],"fileName":[null,2]},
 *      "stringArray":["main","run","a.c"]}]}
 *     {"meta":{"version":27},"threads":[{"samples":{"schema":{"stack":0,"time":1},"data":[[1,3]]},
 *      "stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0],[0,1]]},
 *      "frameTable":{"schema":{"location":0,"line":1},"data":[[0,null]]},"stringTable":["main (a.c:7)"]}]}
 *
 * Times are in milliseconds. In Gecko's format, `processes` has the profiles of other processes; their times count from
 * the start of their own process. firefox_tables.c reads the tables. */
#include "core/error.h"
#include "formats/profiles/firefox_tables.h"
#include "formats/profiles/profile_readers_json.h"
#include "formats/samples/firefox_processes.h"

#define DIGITS_OF_TIME 6 /* decimal places by which milliseconds are scaled to nanoseconds */

struct firefox_profile {
    framemap_sample_set *set;
    const struct fm_json *json;
    struct fm_arena arena;
    int32_t root;
    int64_t start_ns; /* when the outermost profile started */
};

/* The kind of weight of a thread's samples. */
struct weights {
    uint32_t column;
    unsigned digits; /* decimal places by which weights are scaled to make them integers */
};

static struct weights weights_of(const struct firefox_profile *job, int32_t samples, int32_t own)
{
    const struct fm_json *json = job->json;
    framemap_sample_set *set = job->set;
    const framemap_str type = fm_json_raw(json, fm_json_get(json, samples, "weightType"));
    const bool time = fm_str_equal(type, FM_STR("tracing-ms")), bytes = fm_str_equal(type, FM_STR("bytes"));
    if (own >= 0) {
        const uint32_t name = fm_profile_json_string(set, json, fm_json_get(json, own, "type")),
                       unit = fm_profile_json_string(set, json, fm_json_get(json, own, "unit"));
        return (struct weights){fm_samples_column(set, fm_samples_text(set, name), fm_samples_text(set, unit)),
                                time ? DIGITS_OF_TIME : 0};
    }
    if (time) return (struct weights){fm_samples_column(set, FM_STR("time"), FM_STR("nanoseconds")), DIGITS_OF_TIME};
    if (bytes) return (struct weights){fm_samples_column(set, FM_STR("space"), FM_STR("bytes")), 0};
    return (struct weights){fm_samples_column(set, FM_STR("samples"), FM_STR("count")), 0};
}

static uint32_t read_id(const struct fm_json *json, int32_t value, uint64_t *number)
{
    int64_t id = 0;
    if (!fm_profile_json_decimal(json, value, 0, &id) || id < 0) return 0;
    *number = (uint64_t)id;
    return 1;
}

static uint32_t thread_of(const struct firefox_profile *job, int32_t thread, int32_t own)
{
    const struct fm_json *json = job->json;
    if (own >= 0) {
        const struct fm_sample_thread known = fm_profile_json_thread(job->set, json, own);
        return fm_samples_thread(job->set, &known);
    }
    struct fm_sample_thread one = {
        .name = fm_profile_json_string(job->set, json, fm_json_get(json, thread, "name")),
        .process = fm_profile_json_string(job->set, json, fm_json_get(json, thread, "processName"))};
    one.has_process = read_id(json, fm_json_get(json, thread, "pid"), &one.process_id);
    one.has_thread = read_id(json, fm_json_get(json, thread, "tid"), &one.thread_id);
    return fm_samples_thread(job->set, &one);
}

/* Advances the current time to that of a sample. The column contains either times or differences from the time of the
 * previous sample. */
static void move_time(const struct firefox_profile *job, const struct fm_firefox_column *times,
                      const struct fm_firefox_column *deltas, uint32_t sample, int64_t *at_ns)
{
    int64_t ns = 0;
    if (sample < times->count && fm_profile_json_decimal(job->json, times->values[sample], DIGITS_OF_TIME, &ns))
        *at_ns = ns;
    else if (sample < deltas->count && fm_profile_json_decimal(job->json, deltas->values[sample], DIGITS_OF_TIME, &ns))
        *at_ns = fm_samples_sum(*at_ns, ns);
}

/* Reads the samples of a thread. A sample without a stack means that the thread did not run, and is ignored. In
 * profiles that framemap wrote, it is kept as a sample without frames, because the times in these profiles may be
 * invented. */
static void read_thread_samples(struct firefox_profile *job, int32_t thread, const struct fm_firefox_tables *tables,
                                int64_t offset_ns)
{
    const struct fm_json *json = job->json;
    const int32_t samples = fm_json_get(json, thread, "samples"), own = fm_json_get(json, thread, "framemap");
    struct fm_firefox_column stacks, times, deltas, weights;
    if (!fm_firefox_column(json, &job->arena, samples, "stack", &stacks) ||
        !fm_firefox_column(json, &job->arena, samples, "time", &times) ||
        !fm_firefox_column(json, &job->arena, samples, "timeDeltas", &deltas) ||
        !fm_firefox_column(json, &job->arena, samples, "weight", &weights)) {
        fm_samples_fault(job->set, FRAMEMAP_E_MEMORY);
        return;
    }
    if (stacks.count == 0) return;
    const struct weights kind = weights_of(job, samples, own);
    struct fm_sample_entry row = {FM_NO_TIME, FM_NO_ID, thread_of(job, thread, own), FM_NO_ID};
    const bool made_up = own >= 0 && !fm_json_is_true(json, fm_json_get(json, own, "times"));
    const bool timed = !made_up && (times.count > 0 || deltas.count > 0);
    int64_t at_ns = 0;
    for (uint32_t i = 0; i < stacks.count && !job->set->fault; i++) {
        int64_t weight = 1;
        uint64_t stack = 0;
        move_time(job, &times, &deltas, i, &at_ns);
        if (i < weights.count) (void)fm_profile_json_decimal(json, weights.values[i], kind.digits, &weight);
        const bool has_stack = fm_json_u64(json, stacks.values[i], &stack);
        if (!has_stack && own < 0) continue;
        if (timed) row.time_ns = fm_samples_sum(at_ns, offset_ns);
        row.node = has_stack ? fm_firefox_stack(tables, stack) : FM_NO_ID;
        fm_samples_one(job->set, &row, kind.column, weight);
    }
}

static void firefox_samples_read_thread(struct firefox_profile *job, int32_t thread,
                                        const struct fm_firefox_tables *shared, int64_t offset_ns)
{
    struct fm_firefox_tables own = {.set = job->set, .json = job->json, .common = shared->common};
    const bool has_own = fm_json_get(job->json, thread, "stackTable") >= 0;
    if (fm_json_get(job->json, thread, "samples") < 0) return;
    if (has_own && !fm_firefox_tables_read(&own, &job->arena, thread)) fm_samples_fault(job->set, FRAMEMAP_E_MEMORY);
    if (!job->set->fault) read_thread_samples(job, thread, has_own ? &own : shared, offset_ns);
}

static int64_t start_of(const struct fm_json *json, int32_t profile)
{
    int64_t start_ns = 0;
    (void)fm_profile_json_decimal(json, fm_json_get(json, fm_json_get(json, profile, "meta"), "startTime"),
                                  DIGITS_OF_TIME, &start_ns);
    return start_ns;
}

static void read_threads(struct firefox_profile *job, int32_t profile)
{
    const struct fm_json *json = job->json;
    const int32_t threads = fm_json_get(json, profile, "threads"), shared = fm_json_get(json, profile, "shared");
    struct fm_firefox_common common;
    struct fm_firefox_tables tables = {.set = job->set, .json = json, .common = &common};
    const int64_t offset_ns = fm_samples_sum(start_of(json, profile), -job->start_ns);
    if (!fm_firefox_common_read(&common, job->set, json, &job->arena, profile) ||
        (fm_json_get(json, shared, "stackTable") >= 0 && !fm_firefox_tables_read(&tables, &job->arena, shared)))
        fm_samples_fault(job->set, FRAMEMAP_E_MEMORY);
    for (int32_t thread = fm_json_first(json, threads); thread >= 0 && !job->set->fault;
         thread = fm_json_next(json, thread))
        firefox_samples_read_thread(job, thread, &tables, offset_ns);
}

/* Reads a profile, and the profiles of other processes that are nested in that profile. */
static void read_processes(struct firefox_profile *job)
{
    struct fm_firefox_processes walk;
    int32_t profile;
    fm_firefox_processes_start(&walk, job->json, job->root);
    while (!job->set->fault && (profile = fm_firefox_processes_next(&walk)) >= 0) read_threads(job, profile);
}

/* Returns the profile in a document; -1: not found. In old recordings of the developer tools the profile is the member
 * `profile`. */
static int32_t find_profile(const struct fm_json *json)
{
    const int32_t inner = fm_json_get(json, 0, "profile");
    if (fm_json_type(json, fm_json_get(json, 0, "threads")) == FM_JSON_ARRAY && fm_json_get(json, 0, "meta") >= 0)
        return 0;
    return fm_json_type(json, fm_json_get(json, inner, "threads")) == FM_JSON_ARRAY ? inner : -1;
}

framemap_status fm_samples_read_firefox(framemap_sample_set *set, framemap_str text, framemap_error *error)
{
    struct firefox_profile job = {.set = set};
    struct fm_json *json = NULL;
    framemap_status status = fm_json_parse(text, &set->heap, &json, error);
    if (status != FRAMEMAP_OK) return status;
    fm_arena_init(&job.arena, &set->heap);
    job.json = json;
    job.root = find_profile(json);
    if (job.root >= 0) {
        job.start_ns = start_of(json, job.root);
        read_processes(&job);
    } else {
        status = fm_error_set(error, FRAMEMAP_E_FORMAT, "the document is not a profile of the Firefox profiler");
    }
    fm_arena_free(&job.arena);
    fm_json_free(json);
    return status;
}

bool fm_samples_is_firefox(framemap_str head)
{
    return fm_profile_json_begins(head, '{') &&
           (fm_str_find(head, FM_STR("\"stackTable\"")) != FM_NOT_FOUND ||
            fm_str_find(head, FM_STR("\"preprocessedProfileVersion\"")) != FM_NOT_FOUND);
}
