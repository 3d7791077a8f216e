/* Writes Chrome's Trace Event JSON: frames begin and end as events of their thread, each with its stack (`sf`) in
 * `stackFrames` (Trace Event Format, docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU). A
 * sample lasts until the next sample of its thread, or as long as its weight states. If times are not known, a
 * weight of 1 lasts a microsecond. The weights of a sample are in an event of the phase for samples ("P").
 * chrome_samples.c reads such traces. */
#include "formats/profiles/profile_readers_json.h"

struct chrome {
    struct fm_profile_out *out;
    const framemap_sample_set *set;
    /* `open`: nodes of the events that are open; `next`: nodes of the next sample's stack; both outermost first */
    uint32_t *open, *next;
    size_t open_count;
    /* for each node: the node at which its stack ends when it is written, since stacks are cut */
    struct stack_end *ends;
    uint32_t thread;
    bool any;      /* at least one event has been written */
    bool counting; /* events are counted instead of written */
    uint64_t bytes, most;
};

/* A node at which the stack of another node ends when it is written, because stacks are cut after FM_PROFILE_FRAMES
 * frames. */
struct stack_end {
    uint32_t node;
    uint32_t depth; /* number of frames in the written stack, at most FM_PROFILE_FRAMES */
};

#define EVENT_BYTES 64 /* approximate size of an event without its name */

/* Writes the position of a frame in the form that Hermes uses. */
static void put_position(struct chrome *job, const struct fm_sample_frame *frame)
{
    struct fm_buf *buf = &job->out->buf;
    if (frame->file) {
        fm_profile_put(job->out, ",\"url\":");
        fm_buf_json(buf, fm_samples_text(job->set, frame->file));
    }
    if (frame->line1) fm_buf_printf(buf, ",\"line\":%u", frame->line1);
    if (frame->column1) fm_buf_printf(buf, ",\"column\":%u", frame->column1);
}

static void put_stack_frames(struct chrome *job)
{
    const framemap_sample_set *set = job->set;
    struct fm_buf *buf = &job->out->buf;
    char room[FM_FRAME_LABEL];
    fm_profile_put(job->out, "\"stackFrames\":{");
    for (uint32_t i = 0; i < set->node.count; i++) {
        const struct fm_sample_node *node = &set->nodes[i];
        const framemap_str module = fm_samples_text(set, set->frames[node->frame].module);
        fm_buf_printf(buf, "%s\"%u\":{\"category\":", i ? ",\n" : "\n", i + 1);
        fm_buf_json(buf, module.size ? module : FM_STR("app"));
        fm_profile_put(job->out, ",\"name\":");
        fm_buf_json(buf, fm_samples_label(set, node->frame, room));
        put_position(job, &set->frames[node->frame]);
        if (node->parent != FM_NO_ID) fm_buf_printf(buf, ",\"parent\":\"%u\"", node->parent + 1);
        fm_buf_byte(buf, '}');
        fm_profile_spill(job->out);
    }
    fm_buf_byte(buf, '}');
}

static void begin_event(struct chrome *job, const char *phase)
{
    const struct fm_sample_thread *thread = job->thread == FM_NO_ID ? NULL : &job->set->threads[job->thread];
    fm_buf_printf(&job->out->buf, "%s{\"ph\":\"%s\",\"pid\":%llu,\"tid\":%llu", job->any ? ",\n" : "\n", phase,
                  (unsigned long long)(thread && thread->has_process ? thread->process_id : 1),
                  (unsigned long long)(thread && thread->has_thread ? thread->thread_id : job->thread + 1));
    job->any = true;
}

static void put_event(struct chrome *job, const char *phase, uint32_t node, int64_t at_ns)
{
    char room[FM_FRAME_LABEL];
    const framemap_str label = fm_samples_label(job->set, job->set->nodes[node].frame, room);
    if (job->counting) {
        if (!fm_profile_within(&job->bytes, EVENT_BYTES + label.size, job->most)) job->out->status = FRAMEMAP_E_LIMIT;
        return;
    }
    begin_event(job, phase);
    fm_profile_put(job->out, ",\"ts\":");
    fm_profile_put_fraction(job->out, at_ns, 1000);
    fm_profile_put(job->out, ",\"cat\":\"stack\",\"name\":");
    fm_buf_json(&job->out->buf, label);
    if (phase[0] == 'B') fm_buf_printf(&job->out->buf, ",\"sf\":\"%u\"", node + 1);
    fm_buf_byte(&job->out->buf, '}');
    fm_profile_spill(job->out);
}

/* Determines for each node the node at which its stack ends when it is written. */
static void find_ends(struct chrome *job)
{
    const framemap_sample_set *set = job->set;
    job->ends = fm_profile_alloc(job->out, set->node.count, sizeof *job->ends);
    /* a parent has a lower number than its children */
    for (uint32_t i = 0; job->ends && i < set->node.count; i++) {
        const uint32_t parent = set->nodes[i].parent;
        const struct stack_end above = parent == FM_NO_ID ? (struct stack_end){FM_NO_ID, 0} : job->ends[parent];
        job->ends[i] = above.depth == FM_PROFILE_FRAMES ? above : (struct stack_end){i, above.depth + 1};
    }
}

/* Writes those starts and ends of events after which exactly the frames of a node's stack are open. */
static void change_stack(struct chrome *job, uint32_t node, int64_t at_ns)
{
    const struct stack_end end = node == FM_NO_ID ? (struct stack_end){FM_NO_ID, 0} : job->ends[node];
    size_t same = end.depth;
    for (uint32_t at = end.node; same > 0 && (same > job->open_count || job->open[same - 1] != at); same--) {
        job->next[same - 1] = at;
        at = job->set->nodes[at].parent;
    }
    while (job->open_count > same) put_event(job, "E", job->open[--job->open_count], at_ns);
    for (; job->open_count < end.depth; job->open_count++) {
        job->open[job->open_count] = job->next[job->open_count];
        put_event(job, "B", job->next[job->open_count], at_ns);
    }
}

static void put_name(struct chrome *job, const char *kind, framemap_str name)
{
    begin_event(job, "M");
    fm_profile_put(job->out, kind);
    fm_buf_json(&job->out->buf, name);
    fm_profile_put(job->out, "}}");
}

/* Writes metadata events with the names of threads and processes, which viewers show. */
static void put_thread_names(struct chrome *job)
{
    struct fm_buf name;
    const uint32_t process = job->thread == FM_NO_ID ? 0 : job->set->threads[job->thread].process;
    fm_buf_init(&name, job->out->heap);
    fm_profile_thread_name(job->set, job->thread, &name);
    if (process) put_name(job, ",\"name\":\"process_name\",\"args\":{\"name\":", fm_samples_text(job->set, process));
    put_name(job, ",\"name\":\"thread_name\",\"args\":{\"name\":", fm_buf_view(&name));
    fm_buf_free(&name);
}

/* Writes a sample with all its weights as an event of the phase "P". The duration of an event could express only one
 * weight. */
static void put_sample(struct chrome *job, uint32_t row, int64_t at_ns)
{
    const framemap_sample_set *set = job->set;
    begin_event(job, "P");
    fm_profile_put(job->out, ",\"ts\":");
    fm_profile_put_fraction(job->out, at_ns, 1000);
    fm_profile_put(job->out, ",\"name\":\"sample\"");
    if (set->rows[row].node != FM_NO_ID) fm_buf_printf(&job->out->buf, ",\"sf\":\"%u\"", set->rows[row].node + 1);
    fm_profile_put(job->out, ",\"args\":{\"weights\":[");
    for (size_t i = 0; i < set->column_count; i++) {
        if (i) fm_buf_byte(&job->out->buf, ',');
        fm_profile_put_int(job->out, fm_samples_value(set, row, i));
    }
    fm_buf_byte(&job->out->buf, ']');
    if (job->thread != FM_NO_ID) fm_buf_printf(&job->out->buf, ",\"thread\":%u", job->thread);
    fm_profile_put(job->out, set->rows[row].time_ns == FM_NO_TIME ? ",\"time\":false}}" : "}}");
    fm_profile_spill(job->out);
}

/* Writes data for which the format has no members, so that framemap can read them again: the types of weights, and the
 * threads. */
static void put_own(struct chrome *job)
{
    const framemap_sample_set *set = job->set;
    fm_profile_put(job->out, "\"framemap\":{\"types\":[");
    for (uint32_t i = 0; i < set->column_count; i++) {
        fm_profile_put(job->out, i ? ",{\"type\":" : "{\"type\":");
        fm_buf_json(&job->out->buf, fm_samples_text(set, set->columns[i].type));
        fm_profile_put(job->out, ",\"unit\":");
        fm_buf_json(&job->out->buf, fm_samples_text(set, set->columns[i].unit));
        fm_buf_byte(&job->out->buf, '}');
    }
    fm_profile_put(job->out, "],\"threads\":[");
    for (uint32_t i = 0; i < set->thread.count; i++) {
        fm_profile_put(job->out, i ? ",{" : "{");
        fm_profile_put_thread(job->out, i, "");
        fm_buf_byte(&job->out->buf, '}');
        fm_profile_spill(job->out);
    }
    fm_profile_put(job->out, "]},\n");
}

/* Returns for how many nanoseconds a row is shown if times are not known. */
static int64_t length_of(const struct chrome *job, uint32_t row)
{
    const int64_t value = fm_samples_value(job->set, row, 0);
    const framemap_str unit = fm_samples_text(job->set, job->set->columns[0].unit);
    if (value <= 0) return 0;
    if (fm_str_equal(unit, FM_STR("nanoseconds"))) return value;
    return value > INT64_MAX / 1000 ? INT64_MAX : value * 1000;
}

/* Returns the first weight of a row if its unit is nanoseconds; otherwise 0. */
static int64_t known_length(const struct chrome *job, uint32_t row)
{
    const framemap_str unit = fm_samples_text(job->set, job->set->columns[0].unit);
    const int64_t value = fm_samples_value(job->set, row, 0);
    return fm_str_equal(unit, FM_STR("nanoseconds")) && value > 0 ? value : 0;
}

static void put_thread(struct chrome *job, const uint32_t *rows, size_t count)
{
    int64_t at = 0, last = 0, end = INT64_MAX;
    if (!job->counting) put_thread_names(job);
    for (size_t i = 0; i < count && job->out->status == FRAMEMAP_OK; i++) {
        const struct fm_sample_entry *row = &job->set->rows[rows[i]];
        const int64_t length = length_of(job, rows[i]);
        if (row->time_ns != FM_NO_TIME && (row->time_ns > at || i == 0)) {
            if (end < row->time_ns) change_stack(job, FM_NO_ID, end);
            last = i ? fm_samples_sum(row->time_ns, -at) : 0;
            at = row->time_ns;
        }
        change_stack(job, row->node, at);
        if (!job->counting) put_sample(job, rows[i], at);
        end = known_length(job, rows[i]) ? fm_samples_sum(at, length) : INT64_MAX;
        if (row->time_ns == FM_NO_TIME)
            at = fm_samples_sum(at, length);
        else if (i + 1 == count)
            at = fm_samples_sum(at, length && end != INT64_MAX ? length : last ? last : length);
    }
    change_stack(job, FM_NO_ID, at);
}

static void put_threads(struct chrome *job, const uint32_t *rows)
{
    const framemap_sample_set *set = job->set;
    const size_t count = set->row.count;
    for (size_t from = 0, to; from < count && job->out->status == FRAMEMAP_OK; from = to) {
        job->thread = set->rows[rows[from]].thread;
        for (to = from + 1; to < count && set->rows[rows[to]].thread == job->thread;) to++;
        put_thread(job, rows + from, to - from);
    }
}

/* Checks, before the first event is written, that the events fit in fm_limit_stacks: stacks with few common frames need
 * many events. */
static void check_events(struct chrome *job, const uint32_t *rows)
{
    job->most = fm_profile_most(job->set, 0);
    /* the count starts with the bytes of the labels that the member stackFrames contains */
    job->bytes = fm_profile_node_labels(job->set);
    job->counting = true;
    if (job->bytes > job->most) job->out->status = FRAMEMAP_E_LIMIT;
    put_threads(job, rows);
    job->counting = false;
}

static void put_trace(struct chrome *job, const uint32_t *rows)
{
    struct fm_profile_out *out = job->out;
    fm_profile_put(out, "{\"traceEvents\":[");
    put_threads(job, rows);
    fm_profile_put(out, "],\n\"displayTimeUnit\":\"ms\",");
    put_own(job);
    put_stack_frames(job);
    fm_profile_put(out, "}\n");
}

static void chrome_write(struct fm_profile_out *out)
{
    const size_t count = out->set->row.count, nodes = out->set->node.count;
    struct chrome job = {.out = out, .set = out->set};
    uint32_t *rows = fm_profile_rows_by_thread(out);
    job.open = fm_profile_alloc(out, FM_PROFILE_FRAMES, sizeof *job.open);
    job.next = fm_profile_alloc(out, FM_PROFILE_FRAMES, sizeof *job.next);
    find_ends(&job);
    if (out->status == FRAMEMAP_OK) check_events(&job, rows);
    if (out->status == FRAMEMAP_OK) put_trace(&job, rows);
    fm_heap_free(out->heap, rows, (count ? count : 1) * sizeof *rows);
    fm_heap_free(out->heap, job.open, FM_PROFILE_FRAMES * sizeof *job.open);
    fm_heap_free(out->heap, job.next, FM_PROFILE_FRAMES * sizeof *job.next);
    fm_heap_free(out->heap, job.ends, (nodes ? nodes : 1) * sizeof *job.ends);
}

const struct fm_profile_format fm_profile_chrome = {
    .info = {"chrome-trace", "Chrome's trace events, with stacks", true, true,
             FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_MODULES |
                 FRAMEMAP_PART_TIMES | FRAMEMAP_PART_THREADS | FRAMEMAP_PART_VALUES | FRAMEMAP_PART_NEGATIVE},
    .looks = fm_samples_is_chrome,
    .read = fm_samples_read_chrome,
    .write = chrome_write};
