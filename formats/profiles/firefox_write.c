/* Writes the Firefox profiler's processed format, version 48; each thread has tables of its own
 * (https://github.com/firefox-devtools/profiler, docs-developer/processed-profile-format.md). Times are in
 * milliseconds. If times are not known, each sample lasts as long as its weight states, and the next one follows.
 * firefox_samples.c reads such profiles. */
#include "formats/profiles/profile_readers_json.h"

struct firefox {
    struct fm_profile_out *out;
    const framemap_sample_set *set;
    const uint32_t *rows; /* numbers of the rows of the sample set that belong to the current thread */
    size_t row_count;
    /* for each node and each frame of the sample set: its index in the current thread's tables; FM_NO_ID: the thread
     * does not use it */
    uint32_t *node_index, *frame_index;
    uint32_t *nodes, *frames; /* the nodes and frames in the current thread's tables */
    size_t nodes_used, frames_used;
};

typedef void put_item(struct firefox *job, size_t number);

static void put_column(struct firefox *job, const char *name, size_t count, put_item *put)
{
    fm_profile_put(job->out, ",\"");
    fm_profile_put(job->out, name);
    fm_profile_put(job->out, "\":[");
    for (size_t i = 0; i < count; i++) {
        if (i) fm_buf_byte(&job->out->buf, ',');
        put(job, i);
        fm_profile_spill(job->out);
    }
    fm_buf_byte(&job->out->buf, ']');
}

static void put_id(struct firefox *job, uint32_t id)
{
    if (id == FM_NO_ID)
        fm_profile_put(job->out, "null");
    else
        fm_buf_dec(&job->out->buf, id);
}

static const struct fm_sample_frame *frame_at(const struct firefox *job, size_t i)
{
    return &job->set->frames[job->frames[i]];
}

static void put_null(struct firefox *job, size_t i) { (void)i, fm_profile_put(job->out, "null"); }
static void put_zero(struct firefox *job, size_t i) { (void)i, fm_profile_put(job->out, "0"); }
static void put_minus(struct firefox *job, size_t i) { (void)i, fm_profile_put(job->out, "-1"); }
static void put_false(struct firefox *job, size_t i) { (void)i, fm_profile_put(job->out, "false"); }
static void put_self(struct firefox *job, size_t i) { fm_buf_dec(&job->out->buf, i); }
static void put_prefix(struct firefox *job, size_t i)
{
    const uint32_t parent = job->set->nodes[job->nodes[i]].parent;
    put_id(job, parent == FM_NO_ID ? FM_NO_ID : job->node_index[parent]);
}
static void put_frame(struct firefox *job, size_t i)
{
    put_id(job, job->frame_index[job->set->nodes[job->nodes[i]].frame]);
}
static void put_line(struct firefox *job, size_t i)
{
    put_id(job, frame_at(job, i)->line1 ? frame_at(job, i)->line1 : FM_NO_ID);
}
static void put_position(struct firefox *job, size_t i)
{
    put_id(job, frame_at(job, i)->column1 ? frame_at(job, i)->column1 : FM_NO_ID);
}
static void put_name(struct firefox *job, size_t i) { fm_buf_dec(&job->out->buf, 2 * i); }
static void put_file(struct firefox *job, size_t i)
{
    put_id(job, frame_at(job, i)->file ? (uint32_t)(2 * i + 1) : FM_NO_ID);
}
static void put_string(struct firefox *job, size_t i)
{
    char room[FM_FRAME_LABEL];
    const uint32_t frame = job->frames[i / 2];
    fm_buf_json(&job->out->buf, i % 2 ? fm_samples_text(job->set, job->set->frames[frame].file)
                                      : fm_samples_label(job->set, frame, room));
}
static void put_stack(struct firefox *job, size_t i)
{
    const uint32_t node = job->set->rows[job->rows[i]].node;
    put_id(job, node == FM_NO_ID ? FM_NO_ID : job->node_index[node]);
}

static bool has_unit(const struct firefox *job, framemap_str unit)
{
    return fm_str_equal(fm_samples_text(job->set, job->set->columns[0].unit), unit);
}

/* Writes a number of nanoseconds in milliseconds. */
static void put_milliseconds(struct firefox *job, int64_t ns) { fm_profile_put_fraction(job->out, ns, 1000000); }

static void put_weight(struct firefox *job, size_t i)
{
    const int64_t value = fm_samples_value(job->set, job->rows[i], 0);
    if (has_unit(job, FM_STR("nanoseconds")))
        put_milliseconds(job, value);
    else
        fm_profile_put_int(job->out, value);
}

/* --- writing a thread --- */

static void use_node(struct firefox *job, uint32_t node)
{
    const uint32_t frame = job->set->nodes[node].frame;
    if (job->frame_index[frame] == FM_NO_ID) {
        job->frame_index[frame] = (uint32_t)job->frames_used;
        job->frames[job->frames_used++] = frame;
    }
    job->node_index[node] = (uint32_t)job->nodes_used;
    job->nodes[job->nodes_used++] = node;
}

/* Assigns indexes to the nodes that the samples of the thread use; callers come first. */
static void find_tables(struct firefox *job)
{
    job->nodes_used = job->frames_used = 0;
    memset(job->node_index, 0xFF, job->set->node.count * sizeof *job->node_index);
    memset(job->frame_index, 0xFF, job->set->frame.count * sizeof *job->frame_index);
    /* Nodes that are used are marked with the index 0 here. Their final indexes are assigned below. */
    for (size_t i = 0; i < job->row_count; i++) {
        uint32_t node = job->set->rows[job->rows[i]].node;
        for (; node != FM_NO_ID && job->node_index[node] != 0; node = job->set->nodes[node].parent)
            job->node_index[node] = 0;
    }
    for (uint32_t node = 0; node < job->set->node.count; node++)
        if (job->node_index[node] == 0) use_node(job, node);
}

static void put_times(struct firefox *job)
{
    const int64_t unit = has_unit(job, FM_STR("nanoseconds")) ? 1 : 1000000;
    int64_t at = 0;
    fm_profile_put(job->out, ",\"time\":[");
    for (size_t i = 0; i < job->row_count; i++) {
        const int64_t known = job->set->rows[job->rows[i]].time_ns, value = fm_samples_value(job->set, job->rows[i], 0);
        if (i) fm_buf_byte(&job->out->buf, ',');
        put_milliseconds(job, known == FM_NO_TIME ? at : known);
        if (value > 0) at = fm_samples_sum(at, value < INT64_MAX / 1000000 ? value * unit : INT64_MAX);
        fm_profile_spill(job->out);
    }
    fm_buf_byte(&job->out->buf, ']');
}

static void put_samples(struct firefox *job)
{
    const bool time = has_unit(job, FM_STR("nanoseconds")), bytes = has_unit(job, FM_STR("bytes"));
    fm_profile_put(job->out, "\"samples\":{\"weightType\":\"");
    fm_profile_put(job->out, time ? "tracing-ms" : bytes ? "bytes" : "samples");
    fm_buf_printf(&job->out->buf, "\",\"length\":%llu", (unsigned long long)job->row_count);
    put_column(job, "stack", job->row_count, put_stack);
    put_times(job);
    put_column(job, "weight", job->row_count, put_weight);
    fm_profile_put(job->out, "},\"markers\":{\"length\":0,\"category\":[],\"data\":[],\"endTime\":[],\"name\":[],"
                             "\"phase\":[],\"startTime\":[]}");
}

struct column {
    const char *name;
    put_item *put;
};

static void put_table(struct firefox *job, const char *name, size_t count, const struct column *columns)
{
    fm_buf_printf(&job->out->buf, ",\n\"%s\":{\"length\":%llu", name, (unsigned long long)count);
    for (; columns->name; columns++) put_column(job, columns->name, count, columns->put);
    fm_buf_byte(&job->out->buf, '}');
}

static const struct column stack_columns[] = {
    {"prefix", put_prefix}, {"frame", put_frame}, {"category", put_zero}, {"subcategory", put_zero}, {NULL, NULL}};
static const struct column frame_columns[] = {{"address", put_minus},
                                              {"inlineDepth", put_zero},
                                              {"category", put_zero},
                                              {"subcategory", put_zero},
                                              {"func", put_self},
                                              {"nativeSymbol", put_null},
                                              {"innerWindowID", put_zero},
                                              {"implementation", put_null},
                                              {"line", put_line},
                                              {"column", put_position},
                                              {NULL, NULL}};
static const struct column func_columns[] = {
    {"name", put_name},     {"isJS", put_false},      {"relevantForJS", put_false}, {"resource", put_minus},
    {"fileName", put_file}, {"lineNumber", put_null}, {"columnNumber", put_null},   {NULL, NULL}};

/* Writes data for which the format has no members, so that framemap can read them again. */
static void put_own(struct firefox *job, uint32_t thread)
{
    const struct fm_sample_column *column = &job->set->columns[0];
    const bool timed = job->set->rows[job->rows[0]].time_ns != FM_NO_TIME;
    fm_profile_put(job->out, ",\"framemap\":{\"type\":");
    fm_buf_json(&job->out->buf, fm_samples_text(job->set, column->type));
    fm_profile_put(job->out, ",\"unit\":");
    fm_buf_json(&job->out->buf, fm_samples_text(job->set, column->unit));
    fm_profile_put(job->out, timed ? ",\"times\":true" : ",\"times\":false");
    fm_profile_put_thread(job->out, thread, ",");
    fm_buf_byte(&job->out->buf, '}');
}

static void put_about_thread(struct firefox *job, uint32_t number, bool first)
{
    struct fm_profile_out *out = job->out;
    const struct fm_sample_thread *thread = number == FM_NO_ID ? NULL : &job->set->threads[number];
    struct fm_buf name;
    fm_buf_init(&name, out->heap);
    fm_profile_thread_name(job->set, number, &name);
    fm_profile_put(out,
                   first ? "\n{\"processType\":\"default\",\"name\":" : ",\n{\"processType\":\"default\",\"name\":");
    fm_buf_json(&out->buf, fm_buf_view(&name));
    fm_buf_free(&name);
    fm_profile_put(out, ",\"processName\":");
    fm_buf_json(&out->buf, fm_samples_text(job->set, thread ? thread->process : 0));
    fm_buf_printf(&out->buf, ",\"isMainThread\":%s,\"pid\":\"%llu\",\"tid\":%llu", first ? "true" : "false",
                  (unsigned long long)(thread ? thread->process_id : 0),
                  (unsigned long long)(thread ? thread->thread_id : 0));
    put_own(job, number);
    fm_profile_put(out, ",\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":0,"
                        "\"unregisterTime\":null,\"pausedRanges\":[],\n");
}

static void put_thread(struct firefox *job, bool first)
{
    find_tables(job);
    put_about_thread(job, job->set->rows[job->rows[0]].thread, first);
    put_samples(job);
    put_table(job, "stackTable", job->nodes_used, stack_columns);
    put_table(job, "frameTable", job->frames_used, frame_columns);
    put_table(job, "funcTable", job->frames_used, func_columns);
    fm_profile_put(job->out, ",\"resourceTable\":{\"length\":0,\"lib\":[],\"name\":[],\"host\":[],\"type\":[]},"
                             "\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],\"name\":[],"
                             "\"functionSize\":[]}");
    put_column(job, "stringArray", 2 * job->frames_used, put_string);
    fm_buf_byte(&job->out->buf, '}');
}

static void put_threads(struct firefox *job, const uint32_t *rows)
{
    const framemap_sample_set *set = job->set;
    for (size_t from = 0, to; from < set->row.count; from = to) {
        const uint32_t thread = set->rows[rows[from]].thread;
        for (to = from + 1; to < set->row.count && set->rows[rows[to]].thread == thread;) to++;
        job->rows = rows + from;
        job->row_count = to - from;
        put_thread(job, from == 0);
    }
}

static void firefox_write(struct fm_profile_out *out)
{
    const framemap_sample_set *set = out->set;
    const size_t nodes = set->node.count + 1, frames = set->frame.count + 1, rows = set->row.count ? set->row.count : 1;
    struct firefox job = {.out = out, .set = set};
    uint32_t *order = fm_profile_rows_by_thread(out);
    job.node_index = fm_profile_alloc(out, nodes, sizeof *job.node_index);
    job.nodes = fm_profile_alloc(out, nodes, sizeof *job.nodes);
    job.frame_index = fm_profile_alloc(out, frames, sizeof *job.frame_index);
    job.frames = fm_profile_alloc(out, frames, sizeof *job.frames);
    fm_profile_put(out, "{\"meta\":{\"interval\":1,\"startTime\":0,\"processType\":0,\"product\":\"framemap\","
                        "\"stackwalk\":1,\"debug\":false,\"version\":24,\"preprocessedProfileVersion\":48,"
                        "\"categories\":[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]}],"
                        "\"markerSchema\":[],\"symbolicated\":true},\"libs\":[],\"pages\":[],\"counters\":[],"
                        "\"profilerOverhead\":[],\"threads\":[");
    if (out->status == FRAMEMAP_OK) put_threads(&job, order);
    fm_profile_put(out, "]}\n");
    if (order) fm_heap_free(out->heap, order, rows * sizeof *order);
    if (job.node_index) fm_heap_free(out->heap, job.node_index, nodes * sizeof *job.node_index);
    if (job.nodes) fm_heap_free(out->heap, job.nodes, nodes * sizeof *job.nodes);
    if (job.frame_index) fm_heap_free(out->heap, job.frame_index, frames * sizeof *job.frame_index);
    if (job.frames) fm_heap_free(out->heap, job.frames, frames * sizeof *job.frames);
}

const struct fm_profile_format fm_profile_firefox = {
    .info = {"firefox-profile", "profiles of the Firefox profiler", true, true,
             FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_TIMES |
                 FRAMEMAP_PART_THREADS | FRAMEMAP_PART_NEGATIVE},
    .looks = fm_samples_is_firefox,
    .read = fm_samples_read_firefox,
    .write = firefox_write};
