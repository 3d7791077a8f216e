/* Writes pprof's profiles, compressed. A location is written for each frame; its first lines are the functions inlined
 * into that frame. A mapping is written for each image and load address. Threads and times are written as labels
 * (pprof_samples.c). */
#include "core/gzip.h"
#include "core/wire.h"
#include "formats/profiles/pprof_fields.h"

#define LOCATION_BYTES 4 /* estimated size of a location's id in a sample: most ids are less than 2^21 */

struct pprof_out {
    struct fm_profile_out *out;
    const framemap_sample_set *set;
    /* buffers for the profile, for the message that is being written, and for a message nested in that message */
    struct fm_buf file, message, inner;
    uint32_t *frames; /* frames of the current stack */
    /* Tables of pprof that a sample set does not have. An element's id in pprof is its number in these tables plus
     * one. */
    /* the strings of this set are the profile's strings, its frames are the profile's functions */
    framemap_sample_set names;
    framemap_sample_set places; /* this set's table of frames holds the profile's mappings */
    /* The nodes of this set are runs of frames: an outer frame and the frames inlined into it. A run is identified by
     * its innermost node. */
    framemap_sample_set runs;
    bool *written; /* for each frame: whether its location without inlined frames was written */
};

static uint64_t string_of(struct pprof_out *job, framemap_str text)
{
    const size_t before = job->names.string.count;
    const uint32_t number = fm_samples_string(&job->names, text);
    if (job->names.string.count > before) fm_wire_put_bytes(&job->file, PPROF_STRING, text);
    return number == FM_NO_ID ? 0 : number;
}

static uint64_t same_string(struct pprof_out *job, uint32_t string)
{
    return string_of(job, fm_samples_text(job->set, string));
}

static void end_message(struct pprof_out *job, unsigned field)
{
    fm_wire_put_bytes(&job->file, field, fm_buf_view(&job->message));
    fm_buf_clear(&job->message);
}

/* --- tables --- */

/* the address in memory that is written for an image whose own is not known; Apple's programs are linked for it */
#define ANY_LOAD (UINT64_C(1) << 32)

/* Returns the frame with its address as pprof states addresses: the one in memory, of the call and not the one to which
 * it returns. For an address as linked, the image is mapped at 0. */
static struct fm_sample_frame placed(const struct fm_sample_frame *frame)
{
    struct fm_sample_frame out = *frame;
    const bool is_offset =
        frame->address_kind == FRAMEMAP_ADDRESS_IMAGE || frame->address_kind == FRAMEMAP_ADDRESS_FILE;
    if (!(frame->flags & FM_FRAME_ADDRESS)) return out;
    if (is_offset && !(frame->flags & FM_FRAME_LOAD)) {
        out.load_address = ANY_LOAD;
        out.flags |= FM_FRAME_LOAD;
    }
    if (is_offset) out.address += out.load_address;
    if (frame->address_kind == FRAMEMAP_ADDRESS_FILE) out.flags |= FM_FRAME_MAPS_FILE;
    if (frame->address_kind == FRAMEMAP_ADDRESS_LINKED) {
        out.load_address = 0;
        out.flags |= FM_FRAME_LOAD | FM_FRAME_MAPS_FILE;
    }
    /* an address in no image stays as it was printed, since nothing can look it up */
    const bool has_image = out.module || out.build_id || out.flags & FM_FRAME_LOAD;
    if (frame->flags & FM_FRAME_RETURN && has_image && out.address > 0) out.address--;
    return out;
}

/* frame: a result of placed */
static uint64_t mapping_of(struct pprof_out *job, const struct fm_sample_frame *frame)
{
    const struct fm_sample_frame key = {.load_address = frame->flags & FM_FRAME_LOAD ? frame->load_address : 0,
                                        .flags = frame->flags & FM_FRAME_MAPS_FILE,
                                        .module = frame->module,
                                        .build_id = frame->build_id};
    const size_t before = job->places.frame.count;
    if (!frame->module && !frame->build_id && !(frame->flags & FM_FRAME_LOAD)) return 0;
    const uint64_t id = (uint64_t)fm_samples_frame(&job->places, &key) + 1;
    if (job->places.frame.count == before) return id;
    const uint64_t file = same_string(job, frame->module), build_id = same_string(job, frame->build_id);
    fm_wire_put_number(&job->message, 1, id);
    fm_wire_put_number(&job->message, PPROF_MAPPING_START, key.load_address);
    /* The size of the file is not known, so the mapping gets the largest end. */
    if (key.flags) fm_wire_put_number(&job->message, PPROF_MAPPING_LIMIT, INT64_MAX);
    fm_wire_put_number(&job->message, PPROF_MAPPING_FILE, file);
    fm_wire_put_number(&job->message, PPROF_MAPPING_BUILD_ID, build_id);
    /* If this field is not set, pprof searches for symbols itself. */
    fm_wire_put_number(&job->message, PPROF_MAPPING_HAS_FUNCTIONS, 1);
    end_message(job, PPROF_MAPPING);
    return id;
}

static uint64_t function_of(struct pprof_out *job, framemap_str function, framemap_str file)
{
    const size_t before = job->names.frame.count;
    if (!function.size && !file.size) return 0;
    const uint64_t name = string_of(job, function), file_name = string_of(job, file);
    const struct fm_sample_frame key = {.function = (uint32_t)name, .file = (uint32_t)file_name};
    const uint64_t id = (uint64_t)fm_samples_frame(&job->names, &key) + 1;
    if (job->names.frame.count == before) return id;
    fm_wire_put_number(&job->message, 1, id);
    fm_wire_put_number(&job->message, PPROF_FUNCTION_NAME, name);
    fm_wire_put_number(&job->message, PPROF_FUNCTION_SYSTEM_NAME, name);
    fm_wire_put_number(&job->message, PPROF_FUNCTION_FILE, file_name);
    end_message(job, PPROF_FUNCTION);
    return id;
}

/* Returns the function for a frame of a location. alone: the location has a single line, which may have no function;
 * otherwise each line must have one. */
static uint64_t line_function(struct pprof_out *job, uint32_t number, bool alone)
{
    const struct fm_sample_frame *frame = &job->set->frames[number];
    const bool named = frame->function || frame->file || alone;
    char room[FM_FRAME_LABEL];
    return function_of(job,
                       named ? fm_samples_text(job->set, frame->function) : fm_samples_label(job->set, number, room),
                       fm_samples_text(job->set, frame->file));
}

static void put_line(struct pprof_out *job, const struct fm_sample_frame *frame, uint64_t function)
{
    fm_buf_clear(&job->inner);
    if (!function) return;
    fm_wire_put_number(&job->inner, PPROF_LINE_FUNCTION, function);
    fm_wire_put_number(&job->inner, PPROF_LINE_LINE, frame->line1);
    fm_wire_put_number(&job->inner, PPROF_LINE_COLUMN, frame->column1);
    fm_wire_put_bytes(&job->message, PPROF_LOCATION_LINE, fm_buf_view(&job->inner));
}

static void put_location(struct pprof_out *job, uint64_t id, const uint32_t *frames, size_t count)
{
    const struct fm_sample_frame outer = placed(&job->set->frames[frames[0]]);
    const uint64_t mapping = mapping_of(job, &outer);
    for (size_t i = 0; i < count; i++) (void)line_function(job, frames[i], count == 1);
    fm_wire_put_number(&job->message, 1, id);
    fm_wire_put_number(&job->message, PPROF_LOCATION_MAPPING, mapping);
    if (outer.flags & FM_FRAME_ADDRESS) fm_wire_put_number(&job->message, PPROF_LOCATION_ADDRESS, outer.address);
    for (size_t i = count; i-- > 0;) {
        const struct fm_sample_frame *frame = &job->set->frames[frames[i]];
        /* the function was already written, so this call only finds its number */
        put_line(job, frame, line_function(job, frames[i], count == 1));
    }
    end_message(job, PPROF_LOCATION);
}

/* Returns the id of the location for a run of frames: an outer frame, and the frames inlined into it. frames:
 * outermost first. */
static uint64_t location_of(struct pprof_out *job, const uint32_t *frames, size_t count)
{
    framemap_sample_set *runs = &job->runs;
    uint32_t node = FM_NO_ID;
    if (count == 1) {
        const uint64_t id = (uint64_t)frames[0] + 1;
        if (!job->written[frames[0]]) put_location(job, id, frames, 1);
        job->written[frames[0]] = true;
        return id;
    }
    for (size_t i = 0; i < count; i++) {
        const struct fm_sample_frame number = {.line1 = frames[i] + 1};
        node = fm_samples_node(runs, node, fm_samples_frame(runs, &number));
    }
    const struct fm_sample_frame end = {.line1 = 0};
    const uint32_t last = fm_samples_frame(runs, &end);
    const size_t before = runs->node.count;
    node = fm_samples_node(runs, node, last);
    const uint64_t id = (uint64_t)job->set->frame.count + 1 + node;
    if (runs->node.count > before) put_location(job, id, frames, count);
    return id;
}

/* --- samples --- */

static void put_label(struct pprof_out *job, const char *key, uint32_t text, uint64_t number, const char *unit)
{
    const uint64_t name = string_of(job, framemap_str_of(key)), value = text ? same_string(job, text) : 0,
                   unit_name = string_of(job, framemap_str_of(unit));
    fm_buf_clear(&job->inner);
    fm_wire_put_number(&job->inner, PPROF_LABEL_KEY, name);
    fm_wire_put_number(&job->inner, PPROF_LABEL_TEXT, value);
    if (!text) fm_wire_put_number(&job->inner, PPROF_LABEL_NUMBER, number);
    fm_wire_put_number(&job->inner, PPROF_LABEL_UNIT, unit_name);
    fm_wire_put_bytes(&job->message, PPROF_SAMPLE_LABEL, fm_buf_view(&job->inner));
}

static void put_thread(struct pprof_out *job, const struct fm_sample_entry *row)
{
    if (row->thread != FM_NO_ID) {
        const struct fm_sample_thread *thread = &job->set->threads[row->thread];
        if (thread->name) put_label(job, "thread", thread->name, 0, "");
        if (thread->process) put_label(job, "process", thread->process, 0, "");
        if (thread->has_thread) put_label(job, "tid", 0, thread->thread_id, "");
        if (thread->has_process) put_label(job, "pid", 0, thread->process_id, "");
    }
    if (row->time_ns != FM_NO_TIME) put_label(job, "timestamp", 0, (uint64_t)row->time_ns, "nanoseconds");
}

static void put_labels(struct pprof_out *job, const struct fm_sample_entry *row)
{
    const framemap_sample_set *set = job->set;
    if (row->labels == FM_NO_ID) return;
    const struct fm_sample_labels *labels = &set->label_sets[row->labels];
    for (size_t i = 0; i < labels->count; i++) {
        const struct fm_sample_label *label = &set->labels[labels->at + i];
        const uint64_t key = same_string(job, label->key), text = same_string(job, label->text),
                       unit = same_string(job, label->unit);
        fm_buf_clear(&job->inner);
        fm_wire_put_number(&job->inner, PPROF_LABEL_KEY, key);
        fm_wire_put_number(&job->inner, PPROF_LABEL_TEXT, text);
        fm_wire_put_number(&job->inner, PPROF_LABEL_NUMBER, (uint64_t)label->number);
        fm_wire_put_number(&job->inner, PPROF_LABEL_UNIT, unit);
        fm_wire_put_bytes(&job->message, PPROF_SAMPLE_LABEL, fm_buf_view(&job->inner));
    }
}

/* Appends the ids of a stack's locations to `numbers`, innermost first. */
static void find_locations(struct pprof_out *job, uint32_t node, struct fm_buf *numbers)
{
    size_t count, end;
    fm_profile_frames_of(job->set, node, job->frames, &count);
    for (end = count; end > 0;) {
        size_t from = end - 1;
        while (from > 0 && (job->set->frames[job->frames[from]].flags & FM_FRAME_INLINED)) from--;
        fm_wire_put_varint(numbers, location_of(job, job->frames + from, end - from));
        end = from;
    }
}

/* Returns the column whose weights are written at index `place` of a sample. The first column, which is shown by
 * default, is written last, as in Go's profiles, because tools that ignore default_sample_type show the last one. If
 * another column has the same type, the columns are written in their order instead: default_sample_type then refers to
 * the first column of that type. */
static size_t column_at(const framemap_sample_set *set, size_t place)
{
    for (size_t i = 1; i < set->column_count; i++)
        if (set->columns[i].type == set->columns[0].type) return place;
    return (place + 1) % set->column_count;
}

static void put_sample(struct pprof_out *job, size_t number, struct fm_buf *numbers)
{
    const struct fm_sample_entry *row = &job->set->rows[number];
    fm_buf_clear(numbers);
    find_locations(job, row->node, numbers);
    fm_wire_put_bytes(&job->message, PPROF_SAMPLE_LOCATION, fm_buf_view(numbers));
    fm_buf_clear(numbers);
    for (size_t i = 0; i < job->set->column_count; i++)
        fm_wire_put_varint(numbers, (uint64_t)fm_samples_value(job->set, number, column_at(job->set, i)));
    fm_wire_put_bytes(&job->message, PPROF_SAMPLE_VALUE, fm_buf_view(numbers));
    put_thread(job, row);
    put_labels(job, row);
    end_message(job, PPROF_SAMPLE);
}

static void put_type(struct pprof_out *job, const struct fm_sample_column *column, unsigned field)
{
    const uint64_t type = same_string(job, column->type), unit = same_string(job, column->unit);
    fm_wire_put_number(&job->message, 1, type);
    fm_wire_put_number(&job->message, 2, unit);
    end_message(job, field);
}

static void put_profile(struct pprof_out *job)
{
    const framemap_sample_set *set = job->set;
    struct fm_buf numbers;
    fm_buf_init(&numbers, job->out->heap);
    fm_wire_put_bytes(&job->file, PPROF_STRING, fm_str("", 0));
    for (size_t i = 0; i < set->column_count; i++) put_type(job, &set->columns[column_at(set, i)], PPROF_SAMPLE_TYPE);
    for (size_t i = 0; i < set->row.count && !job->file.failed; i++) put_sample(job, i, &numbers);
    if (set->column_count) put_type(job, &set->columns[0], PPROF_PERIOD_TYPE);
    fm_wire_put_number(&job->file, PPROF_PERIOD, 1);
    if (set->column_count > 1)
        fm_wire_put_number(&job->file, PPROF_DEFAULT_TYPE, same_string(job, set->columns[0].type));
    const bool failed = job->file.failed || job->message.failed || job->inner.failed || numbers.failed;
    if (failed || job->names.fault || job->places.fault || job->runs.fault) job->out->status = FRAMEMAP_E_MEMORY;
    fm_buf_free(&numbers);
}

static void pprof_write(struct fm_profile_out *out)
{
    struct pprof_out job = {.out = out, .set = out->set};
    framemap_sample_set *const tables[] = {&job.names, &job.places, &job.runs};
    out->status = fm_profile_check_stacks(out->set, out->heap, LOCATION_BYTES, 0);
    if (out->status != FRAMEMAP_OK) return;
    const size_t frames = out->set->frame.count;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) fm_samples_init(tables[i], &out->heap->hook, 0, 0);
    fm_buf_init(&job.file, out->heap);
    fm_buf_init(&job.message, out->heap);
    fm_buf_init(&job.inner, out->heap);
    job.frames = fm_profile_alloc(out, FM_PROFILE_FRAMES, sizeof *job.frames);
    job.written = fm_profile_alloc(out, frames, sizeof *job.written);
    if (job.frames && job.written) put_profile(&job);
    if (out->status == FRAMEMAP_OK && !fm_gzip(fm_buf_view(&job.file), &out->buf)) out->status = FRAMEMAP_E_MEMORY;
    if (job.frames) fm_heap_free(out->heap, job.frames, FM_PROFILE_FRAMES * sizeof *job.frames);
    if (job.written) fm_heap_free(out->heap, job.written, (frames ? frames : 1) * sizeof *job.written);
    fm_buf_free(&job.file);
    fm_buf_free(&job.message);
    fm_buf_free(&job.inner);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) fm_samples_free(tables[i]);
}

const struct fm_profile_format fm_profile_pprof = {
    .info = {"pprof", "profiles of pprof, compressed", true, true,
             FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_MODULES |
                 FRAMEMAP_PART_ADDRESSES | FRAMEMAP_PART_INLINED | FRAMEMAP_PART_TIMES | FRAMEMAP_PART_THREADS |
                 FRAMEMAP_PART_LABELS | FRAMEMAP_PART_VALUES | FRAMEMAP_PART_NEGATIVE},
    .looks = fm_samples_is_pprof,
    .read = fm_samples_read_pprof,
    .write = pprof_write};
