/* Reads Chrome's traces (Trace Event Format), including those that Hermes and other programs write: an array of events,
 * which may be cut off, or an object with such an array.
 *
 *     {"traceEvents":[{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"main"}},
 *      {"ph":"X","pid":1,"tid":2,"ts":5,"dur":3,"name":"run","sf":"5"}],
 *      "stackFrames":{"4":{"name":"main"},"5":{"name":"run","category":"app","parent":"4"}},
 *      "samples":[{"pid":1,"tid":2,"ts":"7","weight":"1","sf":"5"}]}
 *
 * A trace may describe the same time in several ways. Only one of them is read, the first in this list that the trace
 * contains: V8's profiles ("Profile", "ProfileChunk", "CpuProfile"); samples, including events of the phase "P"; all
 * events with a duration (chrome_events.h), together with each other event that has a stack, as one sample. */
#include "core/error.h"
#include "formats/profiles/chrome_events.h"
#include "formats/profiles/chrome_threads.h"
#include "formats/profiles/profile_readers_json.h"
#include "formats/profiles/v8_profile.h"
#include "formats/row_parts.h"

#define DIGITS_OF_TIME 3 /* decimal places by which microseconds are scaled to nanoseconds */

/* Indexes of the members of an event that are read. */
enum { PHASE, NAME, PID, TID, TIME, LENGTH, THREAD_LENGTH, STACK, ARGS, ID, WEIGHT, MEMBERS };
static const framemap_str member_names[MEMBERS] = {FM_STR_INIT("ph"),   FM_STR_INIT("name"),  FM_STR_INIT("pid"),
                                                   FM_STR_INIT("tid"),  FM_STR_INIT("ts"),    FM_STR_INIT("dur"),
                                                   FM_STR_INIT("tdur"), FM_STR_INIT("sf"),    FM_STR_INIT("args"),
                                                   FM_STR_INIT("id"),   FM_STR_INIT("weight")};

/* A profile of V8 within the trace. */
struct trace_profile {
    uint64_t key;
    struct fm_v8_profile v8;
    /* The start of the profile is known. If not, times of the profile count from 0, but end_ns does not. */
    bool has_start;
    int64_t end_ns;
};

struct chrome_trace {
    framemap_sample_set *set;
    const struct fm_json *json;
    int32_t events;
    struct fm_sample_tree tree; /* the call tree of V8's nodes and of stackFrames */
    struct fm_chrome_threads threads;
    struct trace_profile *profiles;
    size_t profile_count, profile_capacity;
    struct fm_table profile_table;
    struct fm_chrome_events lasting;
    bool has_v8, has_samples;
    uint32_t columns[FM_SAMPLE_COLUMNS]; /* columns of the sample set for weights in a trace that framemap wrote */
    size_t column_count;
    /* the threads of the sample set, by their numbers in the trace; set if framemap wrote the trace */
    uint32_t *own_threads;
    size_t own_thread_count, own_thread_capacity;
};

static void read_members(const struct fm_json *json, int32_t event, int32_t values[MEMBERS])
{
    for (size_t i = 0; i < MEMBERS; i++) values[i] = -1;
    if (fm_json_type(json, event) != FM_JSON_OBJECT) return;
    for (int32_t key = fm_json_first(json, event); key >= 0; key = fm_json_next(json, key)) {
        const framemap_str name = fm_json_raw(json, key);
        for (size_t i = 0; i < MEMBERS; i++)
            if (fm_str_same(name, member_names[i])) values[i] = fm_json_value(json, key);
    }
}

static char phase_of(const struct chrome_trace *job, const int32_t values[MEMBERS])
{
    const framemap_str phase = fm_json_raw(job->json, values[PHASE]);
    return phase.size == 1 ? phase.data[0] : '\0';
}

static int64_t time_of(const struct chrome_trace *job, int32_t value)
{
    int64_t time_ns = 0;
    (void)fm_profile_json_decimal(job->json, value, DIGITS_OF_TIME, &time_ns);
    return time_ns;
}

static uint32_t thread_of(struct chrome_trace *job, const int32_t values[MEMBERS], uint32_t *number)
{
    return fm_chrome_thread(&job->threads, values[PID], values[TID], number);
}

/* --- reading V8's profiles within a trace --- */

static bool profile_key_equal(const void *context, uint32_t id, const void *key)
{
    return ((const struct chrome_trace *)context)->profiles[id].key == *(const uint64_t *)key;
}

static struct trace_profile *profile_at(struct chrome_trace *job, uint64_t key)
{
    const uint32_t found = fm_table_find(&job->profile_table, key, profile_key_equal, job, &key);
    if (found != FM_NO_ID) return &job->profiles[found];
    if (!FM_GROW(&job->set->heap, job->profiles, job->profile_capacity, job->profile_count + 1) ||
        !fm_table_add(&job->profile_table, key, (uint32_t)job->profile_count)) {
        fm_samples_fault(job->set, FRAMEMAP_E_MEMORY);
        return NULL;
    }
    struct trace_profile *profile = &job->profiles[job->profile_count++];
    *profile = (struct trace_profile){
        .key = key, .v8 = {.tree = &job->tree, .space = key, .thread = FM_NO_ID}, .end_ns = INT64_MIN};
    return profile;
}

/* Reads an event of V8's profiler. "Profile" states when a profile began, and on which thread. "ProfileChunk" has
 * nodes and samples, and may come from another thread. "CpuProfile" has all of this in one event. */
static void read_v8(struct chrome_trace *job, int32_t event, const int32_t values[MEMBERS])
{
    const struct fm_json *json = job->json;
    const framemap_str name = fm_json_raw(json, values[NAME]), pid = fm_json_raw(json, values[PID]);
    const bool whole = fm_str_equal(name, FM_STR("CpuProfile")), begins = fm_str_equal(name, FM_STR("Profile"));
    if (!whole && !begins && !fm_str_equal(name, FM_STR("ProfileChunk"))) return;
    const int32_t data = fm_json_get(json, values[ARGS], "data"), inner = fm_json_get(json, data, "cpuProfile"),
                  own_deltas = fm_json_get(json, data, "timeDeltas"), start = fm_json_get(json, data, "startTime"),
                  deltas = own_deltas >= 0 ? own_deltas : fm_json_get(json, inner, "timeDeltas");
    const uint64_t id = fm_hash_text(fm_json_raw(json, values[ID]), job->tree.key);
    struct trace_profile *profile = profile_at(job, fm_sample_tree_key(&job->tree, pid, whole ? (uint64_t)event : id));
    uint32_t number;
    if (profile == NULL) return;
    if (begins || profile->v8.thread == FM_NO_ID) profile->v8.thread = thread_of(job, values, &number);
    if (fm_json_count(json, deltas) > 0) profile->v8.has_time = true;
    if (start >= 0 || fm_json_get(json, inner, "startTime") >= 0) {
        profile->v8.at_ns = time_of(job, start >= 0 ? start : fm_json_get(json, inner, "startTime"));
        profile->v8.last_ns = profile->v8.at_ns;
        profile->has_start = true;
    }
    if (fm_json_get(json, inner, "endTime") >= 0) profile->end_ns = time_of(job, fm_json_get(json, inner, "endTime"));
    if (fm_json_get(json, data, "endTime") >= 0) profile->end_ns = time_of(job, fm_json_get(json, data, "endTime"));
    fm_v8_add_nodes(&profile->v8, json, fm_json_get(json, inner, "nodes"));
    fm_v8_add_samples(&profile->v8, json, fm_json_get(json, inner, "samples"), deltas);
}

static void read_all_v8(struct chrome_trace *job)
{
    int32_t values[MEMBERS];
    for (int32_t event = fm_json_first(job->json, job->events); event >= 0 && !job->set->fault;
         event = fm_json_next(job->json, event)) {
        read_members(job->json, event, values);
        read_v8(job, event, values);
    }
    for (size_t i = 0; i < job->profile_count; i++) {
        struct trace_profile *profile = &job->profiles[i];
        fm_v8_end(&profile->v8, profile->has_start ? profile->end_ns : INT64_MIN);
    }
}

/* --- reading the member stackFrames --- */

/* Returns the module of a frame; 0: unknown. The `category` of a frame is a module if it looks like a file, or if
 * framemap wrote the trace. In other traces `category` may be a kind of code, such as Hermes' "JavaScript". */
static uint32_t module_of(framemap_sample_set *set, const struct fm_json *json, int32_t category, bool own)
{
    const framemap_str text = fm_json_raw(json, category);
    const bool file = fm_str_find_byte(text, '.') != FM_NOT_FOUND || fm_str_find_byte(text, '/') != FM_NOT_FOUND ||
                      fm_str_starts(text, FM_STR("["));
    return file || (own && !fm_str_equal(text, FM_STR("app"))) ? fm_profile_json_string(set, json, category) : 0;
}

/* Splits the name of a frame in Hermes' profiles, "run(b.js:7:3)", into function and file. The file is in the name
 * only; the position is in members too. */
static void split_name(framemap_sample_set *set, struct fm_sample_frame *frame)
{
    framemap_str function, file;
    uint32_t line1 = 0, column1 = 0;
    if (!fm_row_hermes_name(fm_samples_text(set, frame->function), &function, &file, &line1, &column1)) return;
    if (line1 != frame->line1 || column1 != frame->column1) return;
    frame->file = fm_samples_string(set, file);
    frame->function = fm_samples_string(set, function);
}

static uint32_t frame_of(const struct chrome_trace *job, int32_t value, uint32_t name)
{
    framemap_sample_set *set = job->set;
    const struct fm_json *json = job->json;
    struct fm_sample_frame frame = {
        .function = name,
        .module = module_of(set, json, fm_json_get(json, value, "category"), job->column_count > 0),
        .file = fm_profile_json_string(set, json, fm_json_get(json, value, "url")),
        .line1 = fm_profile_json_position(json, fm_json_get(json, value, "line"), 1),
        .column1 = fm_profile_json_position(json, fm_json_get(json, value, "column"), 1)};
    if (frame.file == 0 && frame.line1 && frame.column1) split_name(set, &frame);
    return fm_samples_frame(set, &frame);
}

static void read_stack_frames(struct chrome_trace *job, int32_t frames)
{
    const struct fm_json *json = job->json;
    struct fm_sample_tree *tree = &job->tree;
    for (int32_t key = fm_json_first(json, frames); key >= 0 && !job->set->fault; key = fm_json_next(json, key)) {
        const int32_t value = fm_json_value(json, key);
        const uint32_t name = fm_profile_json_string(job->set, json, fm_json_get(json, value, "name"));
        fm_sample_tree_add(tree, fm_sample_tree_key(tree, fm_json_raw(json, key), 0), frame_of(job, value, name));
    }
    for (int32_t key = fm_json_first(json, frames); key >= 0 && !job->set->fault; key = fm_json_next(json, key)) {
        const int32_t parent = fm_json_get(json, fm_json_value(json, key), "parent");
        if (parent < 0) continue;
        fm_sample_tree_link(tree, fm_sample_tree_find(tree, fm_sample_tree_key(tree, fm_json_raw(json, key), 0)),
                            fm_sample_tree_find(tree, fm_sample_tree_key(tree, fm_json_raw(json, parent), 0)));
    }
}

static uint32_t stack_of(struct chrome_trace *job, int32_t id)
{
    if (id < 0) return FM_NO_ID;
    return fm_sample_tree_stack(
        &job->tree, fm_sample_tree_find(&job->tree, fm_sample_tree_key(&job->tree, fm_json_raw(job->json, id), 0)));
}

/* --- reading samples and events --- */

/* Reads a sample that framemap wrote. Such a sample has all weights. */
static void read_own_sample(struct chrome_trace *job, const int32_t values[MEMBERS], struct fm_sample_entry row)
{
    const struct fm_json *json = job->json;
    const int32_t time = fm_json_get(json, values[ARGS], "time");
    uint64_t thread = 0;
    int64_t weights[FM_SAMPLE_COLUMNS];
    size_t count = 0;
    for (int32_t item = fm_json_first(json, fm_json_get(json, values[ARGS], "weights"));
         item >= 0 && count < job->column_count; item = fm_json_next(json, item), count++)
        if (!fm_profile_json_decimal(json, item, 0, &weights[count])) weights[count] = 0;
    if (time >= 0 && !fm_json_is_true(json, time)) row.time_ns = FM_NO_TIME;
    if (fm_json_u64(json, fm_json_get(json, values[ARGS], "thread"), &thread) && thread < job->own_thread_count)
        row.thread = job->own_threads[thread];
    fm_samples_add(job->set, &row, job->columns, weights, count);
}

static void read_sample(struct chrome_trace *job, const int32_t values[MEMBERS])
{
    uint32_t number;
    int64_t weight = 1;
    struct fm_sample_entry row = {values[TIME] >= 0 ? time_of(job, values[TIME]) : FM_NO_TIME,
                                  stack_of(job, values[STACK]), FM_NO_ID, FM_NO_ID};
    if (fm_json_get(job->json, values[ARGS], "weights") >= 0 && job->column_count > 0) {
        read_own_sample(job, values, row);
        return;
    }
    row.thread = thread_of(job, values, &number);
    (void)fm_profile_json_decimal(job->json, values[WEIGHT], 0, &weight);
    fm_samples_one(job->set, &row, fm_samples_column(job->set, FM_STR("samples"), FM_STR("count")), weight);
}

/* Returns the node for the stack of an event with `sf`. The event itself becomes the innermost frame, unless the last
 * frame of the stack is already a function with the event's name. */
static uint32_t whole_stack(struct chrome_trace *job, int32_t id, uint32_t frame)
{
    const uint32_t node = stack_of(job, id);
    const framemap_sample_set *set = job->set;
    if (node == FM_NO_ID) return FM_NO_ID;
    const uint32_t named = set->frames[set->nodes[node].frame].function;
    return named == set->frames[frame].function ? node : fm_samples_node(job->set, node, frame);
}

static void read_lasting(struct chrome_trace *job, const int32_t values[MEMBERS], char phase)
{
    const struct fm_json *json = job->json;
    struct fm_chrome_events *all = &job->lasting;
    struct fm_chrome_event event = {.phase = phase, .stack = FM_NO_ID, .at_ns = time_of(job, values[TIME])};
    const int64_t length_ns = time_of(job, values[values[LENGTH] >= 0 ? LENGTH : THREAD_LENGTH]);
    event.end_ns = fm_samples_sum(event.at_ns, length_ns > 0 ? length_ns : 0);
    event.name = fm_profile_json_string(job->set, json, values[NAME]);
    event.set_thread = thread_of(job, values, &event.thread);
    event.frame = frame_of(job, values[ARGS], event.name);
    if (job->set->fault) return;
    if (values[STACK] >= 0 && phase != 'E') event.stack = whole_stack(job, values[STACK], event.frame);
    if (!FM_GROW(&job->set->heap, all->events, all->capacity, all->count + 1)) {
        fm_samples_fault(job->set, FRAMEMAP_E_MEMORY);
        return;
    }
    all->events[all->count++] = event;
}

static bool lasts(char phase) { return phase == 'B' || phase == 'E' || phase == 'X'; }

/* Reads a list of events. If the list is that of the member "samples", reads its elements as samples instead. */
static void read_events(struct chrome_trace *job, int32_t events, bool only_samples)
{
    int32_t values[MEMBERS];
    for (int32_t event = fm_json_first(job->json, events); event >= 0 && !job->set->fault;
         event = fm_json_next(job->json, event)) {
        read_members(job->json, event, values);
        const char phase = phase_of(job, values);
        if (lasts(phase) && !only_samples)
            read_lasting(job, values, phase);
        else if (!lasts(phase) && (values[STACK] >= 0 || (phase == 'P' && job->column_count > 0)))
            read_sample(job, values);
    }
}

/* Reads the names of threads, and determines in which ways the trace describes its time. */
static void look_through(struct chrome_trace *job)
{
    int32_t values[MEMBERS];
    for (int32_t event = fm_json_first(job->json, job->events); event >= 0 && !job->set->fault;
         event = fm_json_next(job->json, event)) {
        read_members(job->json, event, values);
        const char phase = phase_of(job, values);
        if (phase == 'M') fm_chrome_thread_name(&job->threads, values[PID], values[TID], values[NAME], values[ARGS]);
        if (phase == 'P' && values[STACK] >= 0) job->has_samples = true;
        const int32_t profile = fm_json_get(job->json, fm_json_get(job->json, values[ARGS], "data"), "cpuProfile");
        if (fm_json_count(job->json, fm_json_get(job->json, profile, "samples")) > 0) job->has_v8 = true;
    }
}

/* Reads the types of the weights in a trace that framemap wrote. */
static void read_types(struct chrome_trace *job)
{
    const struct fm_json *json = job->json;
    framemap_sample_set *set = job->set;
    const int32_t types = fm_json_get(json, fm_json_get(json, 0, "framemap"), "types");
    for (int32_t item = fm_json_first(json, types); item >= 0 && job->column_count < FM_SAMPLE_COLUMNS;
         item = fm_json_next(json, item)) {
        const uint32_t type = fm_profile_json_string(set, json, fm_json_get(json, item, "type")),
                       unit = fm_profile_json_string(set, json, fm_json_get(json, item, "unit"));
        job->columns[job->column_count++] =
            fm_samples_column(set, fm_samples_text(set, type), fm_samples_text(set, unit));
    }
}

static void read_own_threads(struct chrome_trace *job)
{
    const struct fm_json *json = job->json;
    const int32_t threads = fm_json_get(json, fm_json_get(json, 0, "framemap"), "threads");
    for (int32_t item = fm_json_first(json, threads); item >= 0; item = fm_json_next(json, item)) {
        const struct fm_sample_thread thread = fm_profile_json_thread(job->set, json, item);
        if (!FM_GROW(&job->set->heap, job->own_threads, job->own_thread_capacity, job->own_thread_count + 1)) {
            fm_samples_fault(job->set, FRAMEMAP_E_MEMORY);
            return;
        }
        job->own_threads[job->own_thread_count++] = fm_samples_thread(job->set, &thread);
    }
}

static void read_trace(struct chrome_trace *job)
{
    const struct fm_json *json = job->json;
    const int32_t samples = fm_json_get(json, 0, "samples");
    job->events = fm_json_type(json, 0) == FM_JSON_ARRAY ? 0 : fm_json_get(json, 0, "traceEvents");
    look_through(job);
    if (job->has_v8) {
        read_all_v8(job);
        return;
    }
    read_types(job);
    read_own_threads(job);
    read_stack_frames(job, fm_json_get(json, 0, "stackFrames"));
    if (fm_json_count(json, samples) > 0) job->has_samples = true;
    read_events(job, samples, true);
    read_events(job, job->events, job->has_samples);
    job->lasting.set = job->set;
    if (!job->set->fault) fm_chrome_nest(&job->lasting);
}

static void free_trace(struct chrome_trace *job)
{
    struct fm_heap *heap = &job->set->heap;
    fm_chrome_threads_free(&job->threads);
    fm_heap_free(heap, job->own_threads, job->own_thread_capacity * sizeof *job->own_threads);
    fm_heap_free(heap, job->profiles, job->profile_capacity * sizeof *job->profiles);
    fm_heap_free(heap, job->lasting.events, job->lasting.capacity * sizeof *job->lasting.events);
    fm_table_free(&job->profile_table);
    fm_sample_tree_free(&job->tree);
}

/* --- reading a whole document --- */

/* Completes a trace that was cut off when its program ended: appends to `out` the text up to the last complete event,
 * and the closing brackets. The format allows traces without them. */
static bool mend_trace(framemap_str text, struct fm_buf *out)
{
    char open[2] = {0, 0};
    size_t depth = 0, whole = 0;
    bool in_string = false, in_object = false;
    for (size_t at = 0; at < text.size; at++) {
        const char c = text.data[at];
        if (c == '"') in_string = !in_string;
        if (in_string && c == '\\') at++;
        if (in_string) continue;
        if (c == '[' || c == '{') {
            if (depth < 2) open[depth] = c;
            depth++;
        } else if ((c == ']' || c == '}') && depth > 0) {
            depth--;
            if ((depth == 1 && open[0] == '[') || (depth == 2 && open[0] == '{' && open[1] == '[')) {
                whole = at + 1;
                in_object = depth == 2;
            }
        }
    }
    if (whole == 0) return false;
    fm_buf_add(out, text.data, whole);
    fm_buf_str(out, in_object ? FM_STR("]}") : FM_STR("]"));
    return !out->failed;
}

static bool is_trace(const struct fm_json *json)
{
    const int32_t events = fm_json_type(json, 0) == FM_JSON_ARRAY ? 0 : fm_json_get(json, 0, "traceEvents");
    return fm_json_type(json, events) == FM_JSON_ARRAY || fm_json_get(json, 0, "stackFrames") >= 0;
}

framemap_status fm_samples_read_chrome(framemap_sample_set *set, framemap_str text, framemap_error *error)
{
    struct fm_json *json = NULL;
    struct fm_buf mended;
    fm_buf_init(&mended, &set->heap);
    framemap_status status = fm_json_parse(text, &set->heap, &json, error);
    if (status == FRAMEMAP_E_CORRUPT && mend_trace(text, &mended))
        status = fm_json_parse(fm_buf_view(&mended), &set->heap, &json, error);
    if (mended.failed) status = fm_error_memory(error);
    if (status == FRAMEMAP_OK && is_trace(json)) {
        struct chrome_trace job = {.set = set, .json = json};
        fm_sample_tree_init(&job.tree, set);
        fm_chrome_threads_init(&job.threads, set, json);
        fm_table_init(&job.profile_table, &set->heap);
        read_trace(&job);
        free_trace(&job);
    } else if (status == FRAMEMAP_OK) {
        status = fm_error_set(error, FRAMEMAP_E_FORMAT, "the document is not a trace of Chrome");
    }
    fm_json_free(json);
    fm_buf_free(&mended);
    return status;
}

bool fm_samples_is_chrome(framemap_str head)
{
    if (fm_profile_json_begins(head, '{'))
        return fm_str_find(head, FM_STR("\"traceEvents\"")) != FM_NOT_FOUND ||
               fm_str_find(head, FM_STR("\"stackFrames\"")) != FM_NOT_FOUND;
    return fm_profile_json_begins(head, '[') && fm_str_find(head, FM_STR("\"ph\"")) != FM_NOT_FOUND &&
           fm_str_find(head, FM_STR("\"ts\"")) != FM_NOT_FOUND;
}
