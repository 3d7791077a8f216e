/* Functions that the writers of profiles share: the output buffer, stacks, threads, and the sets with names only that
 * flame graphs show (profile_format.h). */
#include "formats/profiles/profile_format.h"

#include "core/limits.h"
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

uint64_t fm_profile_most(const framemap_sample_set *set, unsigned parts)
{
    return fm_limit_stacks(set->row.count, set->node.count) * (parts & FM_STACK_LONG ? 4 : 1);
}

bool fm_profile_within(uint64_t *total, uint64_t bytes, uint64_t most)
{
    *total = bytes > UINT64_MAX - *total ? UINT64_MAX : *total + bytes;
    return *total <= most;
}

uint64_t fm_profile_node_labels(const framemap_sample_set *set)
{
    char room[FM_FRAME_LABEL];
    uint64_t total = 0;
    for (size_t i = 0; i < set->node.count; i++)
        (void)fm_profile_within(&total, fm_samples_label(set, set->nodes[i].frame, room).size, UINT64_MAX);
    return total;
}

/* Returns how many times the stack of a row is written. */
static uint64_t copies_of(const framemap_sample_set *set, size_t row, unsigned parts)
{
    uint64_t copies = 0;
    if (!(parts & FM_STACK_WEIGHTS)) return 1;
    for (size_t i = 0; i < set->column_count; i++) copies += fm_samples_value(set, row, i) != 0;
    return copies;
}

framemap_status fm_profile_check_stacks(const framemap_sample_set *set, struct fm_heap *heap, unsigned frame_bytes,
                                        unsigned parts)
{
    const size_t nodes = set->node.count ? set->node.count : 1;
    const uint64_t most = fm_profile_most(set, parts);
    /* sizes[n] is the size of the stack that ends in node n */
    uint64_t *sizes = fm_heap_zalloc(heap, nodes, sizeof *sizes);
    uint64_t total = 0;
    char room[FM_FRAME_LABEL];
    if (sizes == NULL) return FRAMEMAP_E_MEMORY;
    for (size_t i = 0; i < set->node.count; i++) { /* a parent has a lower number than its children */
        const struct fm_sample_node *node = &set->nodes[i];
        const uint64_t label = parts & FM_STACK_LABELS ? fm_samples_label(set, node->frame, room).size : 0;
        sizes[i] = node->parent == FM_NO_ID ? 0 : sizes[node->parent];
        (void)fm_profile_within(&sizes[i], frame_bytes + label, most);
    }
    bool fits = true;
    for (size_t i = 0; i < set->row.count && fits; i++)
        for (uint64_t copies = copies_of(set, i, parts); copies > 0 && fits; copies--)
            if (set->rows[i].node != FM_NO_ID) fits = fm_profile_within(&total, sizes[set->rows[i].node], most);
    fm_heap_free(heap, sizes, nodes * sizeof *sizes);
    return fits ? FRAMEMAP_OK : FRAMEMAP_E_LIMIT;
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

/* --- making sample sets that have only names --- */

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

/* State while a set with only names is made of another set. */
struct flatten {
    const framemap_sample_set *set;
    framemap_sample_set *flat;
    uint32_t *frames;
    uint32_t *nodes; /* for each node of the set: the node of `flat` that was made for it below the current process */
    uint32_t *made_for; /* for each element of `nodes`: number of the process for which it is valid, plus one */
    uint32_t *chain;
    size_t chain_capacity;
    struct fm_buf *buf;
    uint32_t column;
    bool processes;
};

/* Returns the node of `flat` for a process; FM_NO_ID: the name of the process is not known. */
static uint32_t process_node(const struct flatten *job, uint32_t process)
{
    if (!process) return FM_NO_ID;
    const struct fm_sample_frame frame = {.function =
                                              plain_label(job->flat, fm_samples_text(job->set, process), job->buf)};
    return fm_samples_node(job->flat, FM_NO_ID, fm_samples_frame(job->flat, &frame));
}

/* Returns the node of `flat` for a stack below `root`, the node of its process. A node that several stacks share is
 * copied only once for each process. */
static uint32_t flat_node(struct flatten *job, uint32_t node, uint32_t process, uint32_t root)
{
    const struct fm_sample_node *nodes = job->set->nodes;
    size_t count = 0;
    for (; node != FM_NO_ID && job->made_for[node] != process + 1; node = nodes[node].parent) {
        if (!FM_GROW(&job->flat->heap, job->chain, job->chain_capacity, count + 1)) {
            fm_samples_fault(job->flat, FRAMEMAP_E_MEMORY);
            return FM_NO_ID;
        }
        job->chain[count++] = node;
    }
    uint32_t at = node == FM_NO_ID ? root : job->nodes[node];
    while (count-- > 0 && !job->flat->fault) {
        const uint32_t made = job->chain[count];
        at = fm_samples_node(job->flat, at, job->frames[nodes[made].frame]);
        job->nodes[made] = at;
        job->made_for[made] = process + 1;
    }
    return at;
}

static uint32_t process_of(const struct flatten *job, size_t row)
{
    const uint32_t thread = job->set->rows[row].thread;
    return job->processes && thread < job->set->thread.count ? job->set->threads[thread].process : 0;
}

static void add_flat_rows(struct flatten *job, const struct fm_sort_item *order)
{
    const framemap_sample_set *set = job->set;
    for (size_t i = 0; i < set->row.count && !job->flat->fault; i++) {
        const uint32_t row = order[i].id, process = process_of(job, row), root = process_node(job, process);
        const struct fm_sample_entry flat = {FM_NO_TIME, flat_node(job, set->rows[row].node, process, root), FM_NO_ID,
                                             FM_NO_ID};
        fm_samples_one(job->flat, &flat, job->column, fm_samples_value(set, row, 0));
    }
}

/* Copies the rows, sorted by process. order: room for all rows. */
static void flatten_rows(struct flatten *job, struct fm_sort_item *order)
{
    const framemap_sample_set *set = job->set;
    job->column = fm_samples_column(job->flat, fm_samples_text(set, set->columns[0].type),
                                    fm_samples_text(set, set->columns[0].unit));
    flatten_frames(set, job->flat, job->frames, job->buf);
    for (uint32_t i = 0; i < set->row.count; i++) order[i] = (struct fm_sort_item){process_of(job, i), 0, i};
    if (!fm_sort(&job->flat->heap, order, set->row.count, NULL, NULL)) fm_samples_fault(job->flat, FRAMEMAP_E_MEMORY);
    add_flat_rows(job, order);
}

bool fm_profile_flatten(struct fm_profile_out *out, framemap_sample_set *flat, bool processes)
{
    const framemap_sample_set *set = out->set;
    const size_t frames = set->frame.count, nodes = set->node.count, rows = set->row.count;
    struct fm_buf buf;
    memset(flat, 0, sizeof *flat);
    fm_samples_init(flat, &out->heap->hook, 0, 0);
    fm_buf_init(&buf, &flat->heap);
    struct flatten job = {.set = set, .flat = flat, .buf = &buf, .processes = processes};
    struct fm_sort_item *order = fm_profile_alloc(out, rows, sizeof *order);
    job.frames = fm_profile_alloc(out, frames, sizeof *job.frames);
    job.nodes = fm_profile_alloc(out, nodes, sizeof *job.nodes);
    job.made_for = fm_profile_alloc(out, nodes, sizeof *job.made_for);
    if (out->status == FRAMEMAP_OK && set->column_count) flatten_rows(&job, order);
    if (flat->fault && out->status == FRAMEMAP_OK) out->status = flat->fault;
    fm_heap_free(out->heap, order, (rows ? rows : 1) * sizeof *order);
    fm_heap_free(out->heap, job.frames, (frames ? frames : 1) * sizeof *job.frames);
    fm_heap_free(out->heap, job.nodes, (nodes ? nodes : 1) * sizeof *job.nodes);
    fm_heap_free(out->heap, job.made_for, (nodes ? nodes : 1) * sizeof *job.made_for);
    fm_heap_free(&flat->heap, job.chain, job.chain_capacity * sizeof *job.chain);
    fm_buf_free(&buf);
    return out->status == FRAMEMAP_OK;
}
