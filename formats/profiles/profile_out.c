/* Code that the writers of profiles share: their buffer, stacks, threads, and the set of names that flame graphs show
 * (profile_format.h). */
#include "formats/profiles/profile_format.h"

#include "core/text/merge_sort.h"
#include "core/text/utf8.h"

#define SPILL ((size_t)64 << 10)

void fm_profile_hand_on(struct fm_profile_out *out)
{
    if (out->buf.failed && out->status == FRAMEMAP_OK) out->status = FRAMEMAP_E_MEMORY;
    if (out->status == FRAMEMAP_OK && out->buf.size && !out->write(out->context, out->buf.data, out->buf.size))
        out->status = FRAMEMAP_E_IO;
    fm_buf_clear(&out->buf);
}

void fm_profile_spill(struct fm_profile_out *out)
{
    if (out->buf.size >= SPILL || out->buf.failed) fm_profile_hand_on(out);
}

void fm_profile_put(struct fm_profile_out *out, const char *text) { fm_buf_add(&out->buf, text, strlen(text)); }

void fm_profile_put_int(struct fm_profile_out *out, int64_t value)
{
    if (value < 0) fm_buf_byte(&out->buf, '-');
    fm_buf_dec(&out->buf, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void fm_profile_put_fraction(struct fm_profile_out *out, int64_t value, unsigned unit)
{
    const uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    unsigned rest = (unsigned)(size % unit);
    if (value < 0) fm_buf_byte(&out->buf, '-');
    fm_buf_dec(&out->buf, size / unit);
    if (rest) fm_buf_byte(&out->buf, '.');
    for (unsigned digit = unit / 10; rest && digit > 0; rest %= digit, digit /= 10)
        fm_buf_byte(&out->buf, (char)('0' + rest / digit));
}

void *fm_profile_alloc(struct fm_profile_out *out, size_t count, size_t size)
{
    void *memory = out->status == FRAMEMAP_OK ? fm_heap_zalloc(out->heap, count ? count : 1, size) : NULL;
    if (memory == NULL && out->status == FRAMEMAP_OK) out->status = FRAMEMAP_E_MEMORY;
    return memory;
}

void fm_profile_frames_of(const framemap_sample_set *set, uint32_t node, uint32_t *frames, size_t *count)
{
    size_t depth = 0;
    for (uint32_t at = node; at != FM_NO_ID; at = set->nodes[at].parent) depth++;
    while (depth > FM_PROFILE_FRAMES) {
        node = set->nodes[node].parent;
        depth--;
    }
    *count = depth;
    for (; node != FM_NO_ID; node = set->nodes[node].parent) frames[--depth] = set->nodes[node].frame;
}

uint32_t *fm_profile_rows_by_thread(struct fm_profile_out *out)
{
    const framemap_sample_set *set = out->set;
    const size_t count = set->row.count;
    struct fm_sort_item *items = fm_profile_alloc(out, count, sizeof *items);
    uint32_t *rows = fm_profile_alloc(out, count, sizeof *rows);
    for (uint32_t i = 0; i < count && items && rows; i++) {
        const struct fm_sample_entry *row = &set->rows[i];
        const uint64_t time = row->time_ns == FM_NO_TIME ? 0 : (uint64_t)row->time_ns ^ ((uint64_t)1 << 63);
        items[i] = (struct fm_sort_item){time, row->thread == FM_NO_ID ? 0 : row->thread + 1, i};
    }
    if (items && rows && !fm_sort(out->heap, items, count, NULL, NULL)) out->status = FRAMEMAP_E_MEMORY;
    for (size_t i = 0; i < count && items && rows; i++) rows[i] = items[i].id;
    fm_heap_free(out->heap, items, (count ? count : 1) * sizeof *items);
    if (out->status == FRAMEMAP_OK) return rows;
    if (rows) fm_heap_free(out->heap, rows, (count ? count : 1) * sizeof *rows);
    return NULL;
}

void fm_profile_thread_name(const framemap_sample_set *set, uint32_t number, struct fm_buf *buf)
{
    const struct fm_sample_thread *thread = number < set->thread.count ? &set->threads[number] : NULL;
    if (thread == NULL) {
        fm_buf_str(buf, FM_STR("all"));
        return;
    }
    fm_buf_str(buf, fm_samples_text(set, thread->name ? thread->name : thread->process));
    if (thread->has_thread && !thread->name) {
        if (thread->process) fm_buf_byte(buf, ' ');
        fm_buf_dec(buf, thread->thread_id);
    }
}

static const char *put_text_member(struct fm_profile_out *out, const char *before, const char *name, uint32_t string)
{
    if (!string) return before;
    fm_profile_put(out, before);
    fm_profile_put(out, name);
    fm_buf_json(&out->buf, fm_samples_text(out->set, string));
    return ",";
}

static const char *put_id_member(struct fm_profile_out *out, const char *before, const char *name, bool known,
                                 uint64_t id)
{
    if (!known) return before;
    fm_profile_put(out, before);
    fm_profile_put(out, name);
    fm_buf_dec(&out->buf, id);
    return ",";
}

void fm_profile_put_thread(struct fm_profile_out *out, uint32_t number, const char *before)
{
    if (number >= out->set->thread.count) return;
    const struct fm_sample_thread *thread = &out->set->threads[number];
    before = put_text_member(out, before, "\"thread\":", thread->name);
    before = put_text_member(out, before, "\"process\":", thread->process);
    before = put_id_member(out, before, "\"pid\":", thread->has_process, thread->process_id);
    put_id_member(out, before, "\"tid\":", thread->has_thread, thread->thread_id);
}

/* --- names alone --- */

void fm_profile_plain_label(framemap_str label, char from, char to, struct fm_buf *buf)
{
    fm_buf_clear(buf);
    for (size_t at = 0; at < label.size;) {
        const unsigned char *p = (const unsigned char *)label.data + at;
        const size_t size = fm_character_size(p, label.size - at);
        if (size == 0)
            fm_buf_str(buf, FM_STR("\xEF\xBF\xBD"));
        else if (size == 1 && (*p < ' ' || *p == 0x7F))
            fm_buf_byte(buf, ' ');
        else if (size == 1 && *p == (unsigned char)from)
            fm_buf_byte(buf, to);
        else
            fm_buf_add(buf, p, size);
        at += size ? size : 1;
    }
}

static uint32_t plain_label(framemap_sample_set *flat, framemap_str label, struct fm_buf *buf)
{
    fm_profile_plain_label(label, ' ', ' ', buf);
    if (buf->failed) fm_samples_fault(flat, FRAMEMAP_E_MEMORY);
    return fm_samples_string(flat, fm_buf_view(buf));
}

static void flatten_frames(const framemap_sample_set *set, framemap_sample_set *flat, uint32_t *frames,
                           struct fm_buf *buf)
{
    char room[FM_FRAME_LABEL];
    for (uint32_t i = 0; i < set->frame.count; i++) {
        const struct fm_sample_frame frame = {.function = plain_label(flat, fm_samples_label(set, i, room), buf)};
        frames[i] = fm_samples_frame(flat, &frame);
    }
}

/* The stacks of each process, and their weights. */
struct flatten {
    const framemap_sample_set *set;
    framemap_sample_set *flat;
    uint32_t *frames, *nodes, *stack; /* nodes: for each node of the set, its node in `flat`, for the first process */
    struct fm_buf *buf;
    uint32_t column;
    bool processes, started;
    uint32_t process; /* process of `nodes` */
};

/* Returns the node of a process; FM_NO_ID: its name is not known. */
static uint32_t process_node(const struct flatten *job, uint32_t process)
{
    if (!process) return FM_NO_ID;
    const struct fm_sample_frame frame = {.function =
                                              plain_label(job->flat, fm_samples_text(job->set, process), job->buf)};
    return fm_samples_node(job->flat, FM_NO_ID, fm_samples_frame(job->flat, &frame));
}

/* Copies all nodes to below `root`, the first process. There is mostly only one process, so each node is copied once
 * here rather than once for each row that uses it. */
static void flatten_nodes(struct flatten *job, uint32_t root)
{
    const struct fm_sample_node *nodes = job->set->nodes;
    for (size_t i = 0; i < job->set->node.count && !job->flat->fault; i++) {
        const uint32_t parent = nodes[i].parent == FM_NO_ID ? root : job->nodes[nodes[i].parent];
        job->nodes[i] = fm_samples_node(job->flat, parent, job->frames[nodes[i].frame]);
    }
}

static uint32_t flat_node(struct flatten *job, const struct fm_sample_entry *row)
{
    const framemap_sample_set *set = job->set;
    const uint32_t process = job->processes && row->thread < set->thread.count ? set->threads[row->thread].process : 0;
    uint32_t node = process_node(job, process);
    size_t count;
    if (!job->started) {
        job->started = true;
        job->process = process;
        flatten_nodes(job, node);
    }
    if (process == job->process) return row->node == FM_NO_ID ? node : job->nodes[row->node];
    fm_profile_frames_of(set, row->node, job->stack, &count);
    for (size_t i = 0; i < count; i++) node = fm_samples_node(job->flat, node, job->frames[job->stack[i]]);
    return node;
}

static void flatten_rows(struct flatten *job)
{
    const framemap_sample_set *set = job->set;
    job->column = fm_samples_column(job->flat, fm_samples_text(set, set->columns[0].type),
                                    fm_samples_text(set, set->columns[0].unit));
    flatten_frames(set, job->flat, job->frames, job->buf);
    for (size_t i = 0; i < set->row.count && !job->flat->fault; i++) {
        const struct fm_sample_entry flat = {FM_NO_TIME, flat_node(job, &set->rows[i]), FM_NO_ID, FM_NO_ID};
        fm_samples_one(job->flat, &flat, job->column, fm_samples_value(set, i, 0));
    }
}

bool fm_profile_flatten(struct fm_profile_out *out, framemap_sample_set *flat, bool processes)
{
    const framemap_sample_set *set = out->set;
    const size_t frames = set->frame.count ? set->frame.count : 1, nodes = set->node.count ? set->node.count : 1;
    struct fm_buf buf;
    memset(flat, 0, sizeof *flat);
    fm_samples_init(flat, &out->heap->hook, 0, 0);
    fm_buf_init(&buf, &flat->heap);
    struct flatten job = {.set = set, .flat = flat, .buf = &buf, .processes = processes};
    job.frames = fm_profile_alloc(out, frames, sizeof *job.frames);
    job.nodes = fm_profile_alloc(out, nodes, sizeof *job.nodes);
    job.stack = fm_profile_alloc(out, FM_PROFILE_FRAMES, sizeof *job.stack);
    if (out->status == FRAMEMAP_OK && set->column_count) flatten_rows(&job);
    if (flat->fault && out->status == FRAMEMAP_OK) out->status = flat->fault;
    if (job.frames) fm_heap_free(out->heap, job.frames, frames * sizeof *job.frames);
    if (job.nodes) fm_heap_free(out->heap, job.nodes, nodes * sizeof *job.nodes);
    if (job.stack) fm_heap_free(out->heap, job.stack, FM_PROFILE_FRAMES * sizeof *job.stack);
    fm_buf_free(&buf);
    return out->status == FRAMEMAP_OK;
}
