/* Reads pprof's profiles: protobuf messages, by habit compressed
 * (https://github.com/google/pprof/blob/main/proto/profile.proto).
 *
 * A location has a line for each function inlined there, innermost first, and is in a mapping. Labels "thread", "tid",
 * "process", "pid" and "timestamp" (nanoseconds) become thread and time of a sample; writers put them there, too. */
#include "formats/profiles/pprof_fields.h"

#include "core/error.h"
#include "core/wire.h"

/* A table of messages with ids, in the order of the profile. */
struct rows {
    uint64_t *ids;
    framemap_str *bytes;
    size_t count, capacity, byte_capacity;
    struct fm_table table;
};

struct pprof {
    framemap_sample_set *set;
    struct fm_heap *heap;
    uint64_t key;
    struct rows mappings, functions, locations;
    framemap_str *strings;
    size_t string_count, string_capacity;
    uint32_t columns[FM_SAMPLE_COLUMNS];
    size_t column_count;
    bool failed;                       /* out of memory, or not a profile */
    uint32_t stack[FM_PROFILE_FRAMES]; /* frames of a sample, innermost first */
    size_t depth;
    int64_t values[FM_SAMPLE_COLUMNS];
    struct fm_sample_label labels[FM_PPROF_LABELS];
    size_t label_count;
};

static bool id_equal(const void *context, uint32_t number, const void *key)
{
    return ((const struct rows *)context)->ids[number] == *(const uint64_t *)key;
}

static uint64_t first_number(framemap_str bytes, uint64_t number)
{
    struct fm_wire wire = fm_wire_of(bytes);
    struct fm_wire_field field;
    while (fm_wire_next(&wire, &field))
        if (field.number == number && !field.is_bytes) return field.value;
    return 0;
}

static void add_row(struct pprof *job, struct rows *rows, framemap_str bytes)
{
    const uint64_t id = first_number(bytes, 1);
    if (!FM_GROW(job->heap, rows->ids, rows->capacity, rows->count + 1) ||
        !FM_GROW(job->heap, rows->bytes, rows->byte_capacity, rows->count + 1) || rows->count >= UINT32_MAX - 1 ||
        !fm_table_add(&rows->table, fm_hash_word(id, job->key), (uint32_t)rows->count)) {
        job->failed = true;
        return;
    }
    rows->ids[rows->count] = id;
    rows->bytes[rows->count++] = bytes;
}

static framemap_str row_with(const struct pprof *job, const struct rows *rows, uint64_t id)
{
    const uint32_t found = fm_table_find(&rows->table, fm_hash_word(id, job->key), id_equal, rows, &id);
    return found == FM_NO_ID ? fm_str(NULL, 0) : rows->bytes[found];
}

static void add_string(struct pprof *job, framemap_str text)
{
    if (!FM_GROW(job->heap, job->strings, job->string_capacity, job->string_count + 1))
        job->failed = true;
    else
        job->strings[job->string_count++] = text;
}

static framemap_str string_at(const struct pprof *job, uint64_t number)
{
    return number < job->string_count ? job->strings[number] : fm_str(NULL, 0);
}

static uint32_t set_string(const struct pprof *job, uint64_t number)
{
    return fm_samples_string(job->set, string_at(job, number));
}

/* --- frames --- */

static void read_mapping(struct pprof *job, framemap_str bytes, struct fm_sample_frame *frame)
{
    struct fm_wire wire = fm_wire_of(bytes);
    struct fm_wire_field field;
    uint64_t start = 0, offset = 0;
    while (fm_wire_next(&wire, &field)) {
        if (field.number == PPROF_MAPPING_START) start = field.value;
        if (field.number == PPROF_MAPPING_OFFSET) offset = field.value;
        if (field.number == PPROF_MAPPING_FILE) frame->module = set_string(job, field.value);
        if (field.number == PPROF_MAPPING_BUILD_ID) frame->build_id = set_string(job, field.value);
    }
    if (start == 0 || offset > start || !(frame->flags & FM_FRAME_ADDRESS)) return;
    frame->load_address = start - offset;
    frame->flags |= FM_FRAME_LOAD;
}

static void read_function(struct pprof *job, framemap_str bytes, struct fm_sample_frame *frame)
{
    struct fm_wire wire = fm_wire_of(bytes);
    struct fm_wire_field field;
    while (fm_wire_next(&wire, &field)) {
        if (field.number == PPROF_FUNCTION_NAME) frame->function = set_string(job, field.value);
        if (field.number == PPROF_FUNCTION_FILE) frame->file = set_string(job, field.value);
    }
}

static void push(struct pprof *job, const struct fm_sample_frame *frame)
{
    if (job->depth < FM_PROFILE_FRAMES) job->stack[job->depth++] = fm_samples_frame(job->set, frame);
}

static void read_line(struct pprof *job, framemap_str bytes, struct fm_sample_frame frame, bool inlined)
{
    struct fm_wire wire = fm_wire_of(bytes);
    struct fm_wire_field field;
    while (fm_wire_next(&wire, &field)) {
        if (field.number == PPROF_LINE_FUNCTION)
            read_function(job, row_with(job, &job->functions, field.value), &frame);
        if (field.number == PPROF_LINE_LINE && field.value < UINT32_MAX) frame.line1 = (uint32_t)field.value;
        if (field.number == PPROF_LINE_COLUMN && field.value < UINT32_MAX) frame.column1 = (uint32_t)field.value;
    }
    if (inlined) frame.flags |= FM_FRAME_INLINED;
    push(job, &frame);
}

static void read_location(struct pprof *job, uint64_t id)
{
    const framemap_str bytes = row_with(job, &job->locations, id);
    struct fm_sample_frame frame = {.address = first_number(bytes, PPROF_LOCATION_ADDRESS)};
    struct fm_wire wire = fm_wire_of(bytes);
    struct fm_wire_field field;
    const uint64_t mapping = first_number(bytes, PPROF_LOCATION_MAPPING);
    size_t lines = 0, line = 0;
    if (frame.address) {
        frame.flags = FM_FRAME_ADDRESS;
        frame.address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    }
    if (mapping) read_mapping(job, row_with(job, &job->mappings, mapping), &frame);
    while (fm_wire_next(&wire, &field))
        if (field.number == PPROF_LOCATION_LINE && field.is_bytes) lines++;
    if (lines == 0) push(job, &frame);
    wire = fm_wire_of(bytes);
    while (fm_wire_next(&wire, &field))
        if (field.number == PPROF_LOCATION_LINE && field.is_bytes) read_line(job, field.bytes, frame, ++line < lines);
}

/* --- samples --- */

struct sample {
    struct fm_sample_entry row;
    struct fm_sample_thread thread;
    size_t value_count;
};

static void read_label(struct pprof *job, framemap_str bytes, struct sample *sample)
{
    struct fm_wire wire = fm_wire_of(bytes);
    struct fm_wire_field field;
    struct fm_sample_label label = {.number = 0};
    framemap_str key = fm_str(NULL, 0);
    while (fm_wire_next(&wire, &field)) {
        if (field.number == PPROF_LABEL_KEY) key = string_at(job, field.value);
        if (field.number == PPROF_LABEL_TEXT) label.text = set_string(job, field.value);
        if (field.number == PPROF_LABEL_NUMBER) label.number = (int64_t)field.value;
        if (field.number == PPROF_LABEL_UNIT) label.unit = set_string(job, field.value);
    }
    if (label.text) label.number = 0;
    if (fm_str_equal(key, FM_STR("thread")) && label.text) {
        sample->thread.name = label.text;
    } else if (fm_str_equal(key, FM_STR("process")) && label.text) {
        sample->thread.process = label.text;
    } else if (fm_str_equal(key, FM_STR("tid")) && !label.text) {
        sample->thread.has_thread = 1;
        sample->thread.thread_id = (uint64_t)label.number;
    } else if (fm_str_equal(key, FM_STR("pid")) && !label.text) {
        sample->thread.has_process = 1;
        sample->thread.process_id = (uint64_t)label.number;
    } else if (fm_str_equal(key, FM_STR("timestamp")) && !label.text && label.number != FM_NO_TIME) {
        sample->row.time_ns = label.number;
    } else if (job->label_count < FM_PPROF_LABELS) {
        label.key = fm_samples_string(job->set, key);
        job->labels[job->label_count++] = label;
    }
}

/* Numbers of a repeated field: packed, or one. */
static void read_numbers(struct pprof *job, const struct fm_wire_field *field, struct sample *sample)
{
    struct fm_wire wire = fm_wire_of(field->bytes);
    uint64_t value = field->value;
    bool more = !field->is_bytes;
    if (field->is_bytes) more = wire.at < wire.end && fm_wire_varint(&wire, &value);
    while (more && !job->set->fault) {
        if (field->number == PPROF_SAMPLE_LOCATION)
            read_location(job, value);
        else if (sample->value_count < job->column_count)
            job->values[sample->value_count++] = (int64_t)value;
        more = field->is_bytes && wire.at < wire.end && fm_wire_varint(&wire, &value);
    }
}

static void read_sample(struct pprof *job, framemap_str bytes)
{
    struct fm_wire wire = fm_wire_of(bytes);
    struct fm_wire_field field;
    struct sample sample = {.row = {FM_NO_TIME, FM_NO_ID, FM_NO_ID, FM_NO_ID}};
    job->depth = job->label_count = 0;
    while (fm_wire_next(&wire, &field)) {
        if (field.number == PPROF_SAMPLE_LABEL && field.is_bytes)
            read_label(job, field.bytes, &sample);
        else if (field.number == PPROF_SAMPLE_LOCATION || field.number == PPROF_SAMPLE_VALUE)
            read_numbers(job, &field, &sample);
    }
    const struct fm_sample_thread none = {.process = 0};
    for (size_t i = job->depth; i-- > 0;) sample.row.node = fm_samples_node(job->set, sample.row.node, job->stack[i]);
    if (memcmp(&sample.thread, &none, sizeof none) != 0)
        sample.row.thread = fm_samples_thread(job->set, &sample.thread);
    sample.row.labels = fm_samples_labels(job->set, job->labels, job->label_count);
    fm_samples_add(job->set, &sample.row, job->columns, job->values, sample.value_count);
}

static void read_type(struct pprof *job, framemap_str bytes)
{
    if (job->column_count == FM_SAMPLE_COLUMNS) return;
    const framemap_str type = string_at(job, first_number(bytes, 1)), unit = string_at(job, first_number(bytes, 2));
    job->columns[job->column_count++] = fm_samples_column(job->set, type, unit);
}

/* Tables first: what refers to them may come before. */
static void read_tables(struct pprof *job, framemap_str text)
{
    struct fm_wire wire = fm_wire_of(text);
    struct fm_wire_field field;
    while (fm_wire_next(&wire, &field) && !job->failed) {
        if (!field.is_bytes) continue;
        if (field.number == PPROF_MAPPING) add_row(job, &job->mappings, field.bytes);
        if (field.number == PPROF_LOCATION) add_row(job, &job->locations, field.bytes);
        if (field.number == PPROF_FUNCTION) add_row(job, &job->functions, field.bytes);
        if (field.number == PPROF_STRING) add_string(job, field.bytes);
    }
}

static void read_messages(struct pprof *job, framemap_str text, uint64_t number,
                          void (*read)(struct pprof *, framemap_str))
{
    struct fm_wire wire = fm_wire_of(text);
    struct fm_wire_field field;
    while (fm_wire_next(&wire, &field) && !job->set->fault)
        if (field.number == number && field.is_bytes) read(job, field.bytes);
}

static void free_rows(struct pprof *job, struct rows *rows)
{
    fm_heap_free(job->heap, rows->ids, rows->capacity * sizeof *rows->ids);
    fm_heap_free(job->heap, rows->bytes, rows->byte_capacity * sizeof *rows->bytes);
    fm_table_free(&rows->table);
}

/* The first fields are of a profile, and the first byte is none of a text. */
bool fm_samples_is_pprof(framemap_str head)
{
    enum { LAST_FIELD = 15, ENOUGH = 4 };
    struct fm_wire wire = fm_wire_of(head);
    struct fm_wire_field field;
    unsigned fields = 0;
    while (fields < ENOUGH && fm_wire_next(&wire, &field)) {
        if (field.number > LAST_FIELD || (field.number <= PPROF_STRING && !field.is_bytes)) return false;
        fields++;
    }
    return fields >= 2 || (fields == 1 && !wire.bad);
}

framemap_status fm_samples_read_pprof(framemap_sample_set *set, framemap_str text, framemap_error *error)
{
    struct fm_wire wire = fm_wire_of(text);
    struct fm_wire_field field;
    bool has_strings = false;
    while (fm_wire_next(&wire, &field)) has_strings = has_strings || field.number == PPROF_STRING;
    if (wire.bad || !has_strings) return fm_error_set(error, FRAMEMAP_E_FORMAT, "the bytes are not a profile of pprof");
    struct pprof *job = fm_heap_zalloc(&set->heap, 1, sizeof *job);
    if (job == NULL) return fm_error_memory(error);
    job->set = set;
    job->heap = &set->heap;
    job->key = fm_hash_key(job);
    fm_table_init(&job->mappings.table, job->heap);
    fm_table_init(&job->functions.table, job->heap);
    fm_table_init(&job->locations.table, job->heap);
    read_tables(job, text);
    if (job->failed) fm_samples_fault(set, FRAMEMAP_E_MEMORY);
    read_messages(job, text, PPROF_SAMPLE_TYPE, read_type);
    read_messages(job, text, PPROF_SAMPLE, read_sample);
    free_rows(job, &job->mappings);
    free_rows(job, &job->functions);
    free_rows(job, &job->locations);
    fm_heap_free(job->heap, job->strings, job->string_capacity * sizeof *job->strings);
    fm_heap_free(&set->heap, job, sizeof *job);
    return FRAMEMAP_OK;
}
