/* Copies a sample set with other frames: with restored frames, or without the parts that a format cannot contain
 * (sample_set.h). */
#include "formats/profiles/sample_copy.h"

static uint32_t same_string(const struct fm_sample_copy *job, uint32_t string)
{
    return fm_samples_string(job->to, fm_samples_text(job->from, string));
}

struct fm_sample_frame fm_sample_copy_frame(const struct fm_sample_copy *job, uint32_t number)
{
    struct fm_sample_frame frame = job->from->frames[number];
    frame.function = same_string(job, frame.function);
    frame.module = same_string(job, frame.module);
    frame.build_id = same_string(job, frame.build_id);
    frame.file = same_string(job, frame.file);
    return frame;
}

bool fm_sample_copy_open(struct fm_sample_copy *job, const framemap_sample_set *from, framemap_sample_set *to)
{
    struct fm_heap *heap = &to->heap;
    *job = (struct fm_sample_copy){.from = from, .to = to, .columns = from->column_count};
    job->starts = fm_heap_zalloc(heap, from->frame.count + 1, sizeof *job->starts);
    job->nodes = fm_heap_zalloc(heap, from->node.count + 1, sizeof *job->nodes);
    job->threads = fm_heap_zalloc(heap, from->thread.count + 1, sizeof *job->threads);
    job->labels = fm_heap_zalloc(heap, from->label_set.count + 1, sizeof *job->labels);
    if (job->starts && job->nodes && job->threads && job->labels) return true;
    fm_samples_fault(to, FRAMEMAP_E_MEMORY);
    return false;
}

void fm_sample_copy_close(struct fm_sample_copy *job)
{
    const framemap_sample_set *from = job->from;
    struct fm_heap *heap = &job->to->heap;
    fm_heap_free(heap, job->starts, (from->frame.count + 1) * sizeof *job->starts);
    fm_heap_free(heap, job->nodes, (from->node.count + 1) * sizeof *job->nodes);
    fm_heap_free(heap, job->threads, (from->thread.count + 1) * sizeof *job->threads);
    fm_heap_free(heap, job->labels, (from->label_set.count + 1) * sizeof *job->labels);
    fm_heap_free(heap, job->chains, job->chain_capacity * sizeof *job->chains);
}

void fm_sample_copy_begin(struct fm_sample_copy *job, uint32_t number) { job->starts[number] = job->chain_count; }

void fm_sample_copy_add(struct fm_sample_copy *job, const struct fm_sample_frame *frame)
{
    framemap_sample_set *to = job->to;
    if (!FM_GROW(&to->heap, job->chains, job->chain_capacity, job->chain_count + 1)) {
        fm_samples_fault(to, FRAMEMAP_E_MEMORY);
        return;
    }
    job->chains[job->chain_count++] = fm_samples_frame(to, frame);
}

static void copy_nodes(struct fm_sample_copy *job)
{
    const framemap_sample_set *from = job->from;
    for (uint32_t i = 0; i < from->node.count && !job->to->fault; i++) {
        uint32_t node = from->nodes[i].parent == FM_NO_ID ? FM_NO_ID : job->nodes[from->nodes[i].parent];
        const uint32_t frame = from->nodes[i].frame;
        for (size_t at = job->starts[frame + 1]; at-- > job->starts[frame];)
            node = fm_samples_node(job->to, node, job->chains[at]);
        job->nodes[i] = node;
    }
}

static void copy_threads(struct fm_sample_copy *job)
{
    const framemap_sample_set *from = job->from;
    for (uint32_t i = 0; i < from->thread.count; i++) {
        struct fm_sample_thread thread = from->threads[i];
        thread.process = same_string(job, thread.process);
        thread.name = same_string(job, thread.name);
        job->threads[i] = fm_samples_thread(job->to, &thread);
    }
}

static void copy_labels(struct fm_sample_copy *job)
{
    const framemap_sample_set *from = job->from;
    framemap_sample_set *to = job->to;
    for (uint32_t i = 0; i < from->label_set.count && !to->fault; i++) {
        const struct fm_sample_labels *known = &from->label_sets[i];
        struct fm_sample_label *copy = fm_heap_zalloc(&to->heap, known->count, sizeof *copy);
        if (copy == NULL) {
            fm_samples_fault(to, FRAMEMAP_E_MEMORY);
            return;
        }
        for (uint32_t l = 0; l < known->count; l++) {
            copy[l] = from->labels[known->at + l];
            copy[l].key = same_string(job, copy[l].key);
            copy[l].text = same_string(job, copy[l].text);
            copy[l].unit = same_string(job, copy[l].unit);
        }
        job->labels[i] = fm_samples_labels(to, copy, known->count);
        fm_heap_free(&to->heap, copy, known->count * sizeof *copy);
    }
}

static void copy_rows(struct fm_sample_copy *job)
{
    const framemap_sample_set *from = job->from;
    uint32_t columns[FM_SAMPLE_COLUMNS] = {0};
    for (uint32_t i = 0; i < job->columns; i++)
        columns[i] = fm_samples_column(job->to, fm_samples_text(from, from->columns[i].type),
                                       fm_samples_text(from, from->columns[i].unit));
    for (size_t i = 0; i < from->row.count && !job->to->fault; i++) {
        struct fm_sample_entry row = from->rows[i];
        if (row.node != FM_NO_ID) row.node = job->nodes[row.node];
        if (row.thread != FM_NO_ID) row.thread = job->threads[row.thread];
        if (row.labels != FM_NO_ID) row.labels = job->labels[row.labels];
        int64_t values[FM_SAMPLE_COLUMNS];
        for (uint32_t c = 0; c < job->columns; c++) {
            values[c] = fm_samples_value(from, i, c);
            if (values[c] < 0 && job->not_negative) values[c] = 0;
        }
        fm_samples_add(job->to, &row, columns, values, job->columns);
    }
}

void fm_sample_copy_rest(struct fm_sample_copy *job)
{
    if (job->to->fault) return;
    job->starts[job->from->frame.count] = job->chain_count;
    copy_nodes(job);
    copy_threads(job);
    copy_labels(job);
    copy_rows(job);
}

/* --- copying a set without some of its parts --- */

static struct fm_sample_frame lesser_frame(struct fm_sample_copy *job, uint32_t number, unsigned holds)
{
    struct fm_sample_frame frame = fm_sample_copy_frame(job, number);
    char room[FM_FRAME_LABEL];
    if (!frame.function && !(holds & FRAMEMAP_PART_MODULES))
        frame.function = fm_samples_string(job->to, fm_samples_label(job->from, number, room));
    if (!(holds & FRAMEMAP_PART_FILES)) frame.file = 0;
    if (!(holds & FRAMEMAP_PART_LINES)) frame.line1 = 0;
    if (!(holds & FRAMEMAP_PART_COLUMNS)) frame.column1 = 0;
    if (!(holds & FRAMEMAP_PART_MODULES)) frame.module = frame.build_id = 0;
    if (!(holds & FRAMEMAP_PART_INLINED)) frame.flags &= ~(uint32_t)FM_FRAME_INLINED;
    return frame;
}

void fm_samples_lessen(const framemap_sample_set *from, framemap_sample_set *to, unsigned holds)
{
    struct fm_sample_copy job;
    memset(to, 0, sizeof *to);
    fm_samples_init(to, &from->heap.hook, 0, ~holds);
    if (fm_sample_copy_open(&job, from, to)) {
        if (!(holds & FRAMEMAP_PART_VALUES) && job.columns > 1) job.columns = 1;
        job.not_negative = !(holds & FRAMEMAP_PART_NEGATIVE);
        for (uint32_t i = 0; i < from->frame.count && !to->fault; i++) {
            const struct fm_sample_frame frame = lesser_frame(&job, i, holds);
            fm_sample_copy_begin(&job, i);
            fm_sample_copy_add(&job, &frame);
        }
        fm_sample_copy_rest(&job);
    }
    fm_sample_copy_close(&job);
}
