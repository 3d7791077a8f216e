/* Implements the public calls on sets of samples. Profiles are read into such a set and written from it. */
#include <framemap/samples.h>

#include "api/option_structs.h"
#include "core/error.h"
#include "formats/profiles/profile_format.h"

static framemap_status null_argument(framemap_error *error)
{
    return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
}

framemap_status framemap_sample_set_open(const framemap_sample_options *options, framemap_sample_set **out,
                                         framemap_error *error)
{
    const uint32_t known = FRAMEMAP_PART_TIMES | FRAMEMAP_PART_THREADS | FRAMEMAP_PART_ADDRESSES | FRAMEMAP_PART_LABELS;
    framemap_sample_options given;
    struct fm_heap heap;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (out == NULL) return null_argument(error);
    if (given.without & ~known) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a part that cannot be left out");
    fm_heap_init(&heap, given.allocator, 0);
    framemap_sample_set *set = fm_heap_zalloc(&heap, 1, sizeof *set);
    if (set == NULL) return fm_error_memory(error);
    fm_samples_init(set, given.allocator, given.max_memory, given.without);
    status = fm_samples_status(set, error);
    if (status == FRAMEMAP_OK)
        *out = set;
    else
        framemap_sample_set_close(set);
    return status;
}

void framemap_sample_set_close(framemap_sample_set *set)
{
    struct fm_heap heap;
    if (set == NULL) return;
    fm_heap_init(&heap, &set->heap.hook, 0);
    fm_profile_reader_free(set);
    fm_samples_free(set);
    fm_heap_free(&heap, set, sizeof *set);
}

/* --- adding samples --- */

static uint32_t api_samples_add_frame(framemap_sample_set *set, uint32_t parent, const framemap_sample_frame *given)
{
    const struct fm_sample_frame frame = {
        .address = given->has_address ? given->address : 0,
        .load_address = given->has_load_address ? given->load_address : 0,
        .function = fm_samples_string(set, given->function),
        .module = fm_samples_string(set, given->module),
        .build_id = fm_samples_string(set, given->build_id),
        .file = fm_samples_string(set, given->file),
        .line1 = given->line,
        .column1 = given->column,
        .flags = (given->has_address ? FM_FRAME_ADDRESS : 0u) | (given->has_load_address ? FM_FRAME_LOAD : 0u) |
                 (given->return_address ? FM_FRAME_RETURN : 0u) | (given->inlined ? FM_FRAME_INLINED : 0u) |
                 (given->maps_file ? FM_FRAME_MAPS_FILE : 0u),
        .address_kind = given->has_address ? (uint32_t)given->address_kind : 0};
    return fm_samples_node(set, parent, fm_samples_frame(set, &frame));
}

static uint32_t add_thread(framemap_sample_set *set, const framemap_sample_thread *given)
{
    const struct fm_sample_thread thread = {given->has_process_id ? given->process_id : 0,
                                            given->has_thread_id ? given->thread_id : 0,
                                            fm_samples_string(set, given->process),
                                            fm_samples_string(set, given->name),
                                            given->has_process_id,
                                            given->has_thread_id};
    return fm_samples_thread(set, &thread);
}

static uint32_t add_labels(framemap_sample_set *set, const framemap_sample_label *given, size_t count)
{
    struct fm_sample_label *labels = fm_heap_zalloc(&set->heap, count ? count : 1, sizeof *labels);
    if (labels == NULL) {
        fm_samples_fault(set, FRAMEMAP_E_MEMORY);
        return FM_NO_ID;
    }
    for (size_t i = 0; i < count; i++)
        labels[i] = (struct fm_sample_label){.number = given[i].text.size ? 0 : given[i].number,
                                             .key = fm_samples_string(set, given[i].key),
                                             .text = fm_samples_string(set, given[i].text),
                                             .unit = fm_samples_string(set, given[i].unit)};
    const uint32_t id = fm_samples_labels(set, labels, count);
    fm_heap_free(&set->heap, labels, (count ? count : 1) * sizeof *labels);
    return id;
}

/* Whether a string of a sample has a size, but no data. */
static bool has_bad_strings(const framemap_sample_type *types, const framemap_sample *sample)
{
    bool bad = fm_str_is_bad(sample->thread.process) || fm_str_is_bad(sample->thread.name);
    for (size_t i = 0; i < sample->value_count; i++)
        bad = bad || fm_str_is_bad(types[i].type) || fm_str_is_bad(types[i].unit);
    for (size_t i = 0; i < sample->frame_count; i++) {
        const framemap_sample_frame *frame = &sample->frames[i];
        bad = bad || fm_str_is_bad(frame->function) || fm_str_is_bad(frame->module) || fm_str_is_bad(frame->build_id) ||
              fm_str_is_bad(frame->file);
    }
    for (size_t i = 0; i < sample->label_count; i++) {
        const framemap_sample_label *label = &sample->labels[i];
        bad = bad || fm_str_is_bad(label->key) || fm_str_is_bad(label->text) || fm_str_is_bad(label->unit);
    }
    return bad;
}

framemap_status framemap_sample_set_add(framemap_sample_set *set, const framemap_sample_type *types,
                                        const framemap_sample *sample, framemap_error *error)
{
    uint32_t columns[FM_SAMPLE_COLUMNS];
    if (set == NULL || types == NULL || sample == NULL || (sample->frames == NULL && sample->frame_count) ||
        sample->values == NULL || (sample->labels == NULL && sample->label_count))
        return null_argument(error);
    if (sample->value_count == 0 || sample->value_count > FM_SAMPLE_COLUMNS)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a sample has 1 to %d values", FM_SAMPLE_COLUMNS);
    if (has_bad_strings(types, sample))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a string of the sample has a size, but its data is NULL");
    struct fm_sample_entry row = {sample->has_time ? sample->time_ns : FM_NO_TIME, FM_NO_ID, FM_NO_ID, FM_NO_ID};
    for (size_t i = 0; i < sample->value_count; i++) columns[i] = fm_samples_column(set, types[i].type, types[i].unit);
    for (size_t i = sample->frame_count; i-- > 0;) row.node = api_samples_add_frame(set, row.node, &sample->frames[i]);
    if (sample->has_thread) row.thread = add_thread(set, &sample->thread);
    row.labels = add_labels(set, sample->labels, sample->label_count);
    fm_samples_add(set, &row, columns, sample->values, sample->value_count);
    return fm_samples_status(set, error);
}

/* --- reading texts --- */

framemap_status framemap_sample_set_read(framemap_sample_set *set, framemap_str text, const char *format,
                                         framemap_error *error)
{
    if (set == NULL || (text.data == NULL && text.size)) return null_argument(error);
    return fm_profile_read(set, text, format, error);
}

framemap_status framemap_sample_set_feed(framemap_sample_set *set, framemap_str piece, const char *format,
                                         framemap_error *error)
{
    if (set == NULL || (piece.data == NULL && piece.size)) return null_argument(error);
    return fm_profile_feed(set, piece, format, error);
}

framemap_status framemap_sample_set_finish(framemap_sample_set *set, const char *format, framemap_error *error)
{
    return set ? fm_profile_finish(set, format, error) : null_argument(error);
}

framemap_status framemap_sample_set_write(framemap_sample_set *set, const char *format, framemap_write write,
                                          void *context, uint32_t *lost, framemap_error *error)
{
    if (set == NULL || format == NULL || write == NULL) return null_argument(error);
    return fm_profile_write(set, format, write, context, lost, error);
}

/* --- getting what is in a set --- */

void framemap_sample_set_counts(const framemap_sample_set *set, framemap_sample_counts *out)
{
    if (out == NULL) return;
    *out = (framemap_sample_counts){.types = 0};
    if (set == NULL) return;
    *out = (framemap_sample_counts){set->column_count, (uint32_t)set->frame.count, (uint32_t)set->node.count,
                                    (uint32_t)set->row.count, fm_samples_parts(set)};
}

bool framemap_sample_set_type(const framemap_sample_set *set, uint32_t type, framemap_sample_type *out)
{
    if (set == NULL || out == NULL || type >= set->column_count) return false;
    *out = (framemap_sample_type){fm_samples_text(set, set->columns[type].type),
                                  fm_samples_text(set, set->columns[type].unit)};
    return true;
}

bool framemap_sample_set_frame(const framemap_sample_set *set, uint32_t number, framemap_sample_frame *out)
{
    if (set == NULL || out == NULL || number >= set->frame.count) return false;
    const struct fm_sample_frame *frame = &set->frames[number];
    *out = (framemap_sample_frame){.function = fm_samples_text(set, frame->function),
                                   .module = fm_samples_text(set, frame->module),
                                   .build_id = fm_samples_text(set, frame->build_id),
                                   .file = fm_samples_text(set, frame->file),
                                   .line = frame->line1,
                                   .column = frame->column1,
                                   .has_address = (frame->flags & FM_FRAME_ADDRESS) != 0,
                                   .has_load_address = (frame->flags & FM_FRAME_LOAD) != 0,
                                   .return_address = (frame->flags & FM_FRAME_RETURN) != 0,
                                   .inlined = (frame->flags & FM_FRAME_INLINED) != 0,
                                   .maps_file = (frame->flags & FM_FRAME_MAPS_FILE) != 0,
                                   .address_kind = (framemap_address_kind)frame->address_kind,
                                   .address = frame->address,
                                   .load_address = frame->load_address};
    return true;
}

bool framemap_sample_set_node(const framemap_sample_set *set, uint32_t node, uint32_t *parent, uint32_t *frame)
{
    if (set == NULL || node >= set->node.count) return false;
    if (parent) *parent = set->nodes[node].parent;
    if (frame) *frame = set->nodes[node].frame;
    return true;
}

bool framemap_sample_set_sample(const framemap_sample_set *set, uint32_t number, framemap_sample *out)
{
    if (set == NULL || out == NULL || number >= set->row.count) return false;
    const struct fm_sample_entry *row = &set->rows[number];
    *out = (framemap_sample){.node = row->node,
                             .values = set->values + (size_t)number * set->column_count,
                             .value_count = set->column_count,
                             .has_time = row->time_ns != FM_NO_TIME,
                             .has_thread = row->thread != FM_NO_ID,
                             .label_count = row->labels == FM_NO_ID ? 0 : set->label_sets[row->labels].count};
    if (out->has_time) out->time_ns = row->time_ns;
    if (!out->has_thread) return true;
    const struct fm_sample_thread *thread = &set->threads[row->thread];
    out->thread = (framemap_sample_thread){fm_samples_text(set, thread->process),
                                           fm_samples_text(set, thread->name),
                                           thread->has_process != 0,
                                           thread->has_thread != 0,
                                           thread->process_id,
                                           thread->thread_id};
    return true;
}

bool framemap_sample_set_label(const framemap_sample_set *set, uint32_t number, uint32_t label,
                               framemap_sample_label *out)
{
    if (set == NULL || out == NULL || number >= set->row.count || set->rows[number].labels == FM_NO_ID) return false;
    const struct fm_sample_labels *labels = &set->label_sets[set->rows[number].labels];
    if (label >= labels->count) return false;
    const struct fm_sample_label *one = &set->labels[labels->at + label];
    *out = (framemap_sample_label){fm_samples_text(set, one->key), fm_samples_text(set, one->text), one->number,
                                   fm_samples_text(set, one->unit)};
    return true;
}

const framemap_sample_format *const *framemap_sample_format_list(size_t *count) { return fm_profile_infos(count); }

const char *framemap_sample_part_name(uint32_t part)
{
    static const char *const names[] = {"source files",    "lines", "columns", "modules", "addresses",
                                        "inlined marks",   "times", "threads", "labels",  "further kinds of weights",
                                        "negative weights"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (part == 1u << i) return names[i];
    return "";
}
