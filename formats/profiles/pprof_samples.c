/* Reads pprof's profiles: protobuf messages, usually compressed
 * (https://github.com/google/pprof/blob/main/proto/profile.proto).
 *
 * A location belongs to a mapping, and has a line for each function that is inlined there, innermost first. The labels
 * "thread", "tid", "process", "pid" and "timestamp" (nanoseconds) become thread and time of a sample; pprof_write.c
 * writes the same labels. The profile may name the kind of weight to show by default; otherwise that is the last kind.
 * The kind to show becomes the first column of the sample set. */
#include "formats/profiles/pprof_fields.h"

#include "core/error.h"
#include "core/wire.h"

enum { ROW_NUMBERS = PPROF_MAPPING_BUILD_ID + 1, MOST_LINES = 1024 };

/* The fields of a message that has an id. If a field occurs several times, the last value is kept. */
struct row {
    uint64_t numbers[ROW_NUMBERS]; /* the values, by field number; numbers[1] is the id */
    framemap_str bytes;
    size_t chain; /* for a location: index in `chains` of its first frame; NOT_READ until a sample uses the location */
    uint32_t chain_size;
};
#define NOT_READ SIZE_MAX

/* A table of messages with ids. Of several messages with the same id, the first is kept. */
struct rows {
    struct row *rows;
    size_t count, capacity;
    struct fm_table table;
};

struct pprof {
    framemap_sample_set *set;
    struct fm_heap *heap;
    uint64_t key;
    struct rows mappings, functions, locations;
    framemap_str *strings;
    /* for each element of `strings`: its number in the sample set; FM_NO_ID until it is used */
    uint32_t *set_strings;
    size_t string_count, string_capacity, set_string_capacity;
    uint32_t *chains; /* the frames of all locations that were used, innermost first */
    size_t chain_count, chain_capacity;
    uint64_t types[FM_SAMPLE_COLUMNS][2]; /* for each kind of weight: its type and its unit, as numbers of strings */
    uint32_t columns[FM_SAMPLE_COLUMNS];
    size_t column_count;
    bool failed;                       /* out of memory */
    uint32_t stack[FM_PROFILE_FRAMES]; /* frames of a sample, innermost first */
    size_t depth;
    int64_t values[FM_SAMPLE_COLUMNS];
    struct fm_sample_label labels[FM_PPROF_LABELS];
    size_t label_count;
};

/* --- tables --- */

static bool id_equal(const void *context, uint32_t number, const void *key)
{
    return ((const struct rows *)context)->rows[number].numbers[1] == *(const uint64_t *)key;
}

static struct row *row_with(const struct pprof *job, const struct rows *rows, uint64_t id)
{
    const uint32_t found = fm_table_find(&rows->table, fm_hash_word(id, job->key), id_equal, rows, &id);
    return found == FM_NO_ID ? NULL : &rows->rows[found];
}

static void read_row_numbers(framemap_str bytes, struct row *row)
{
    struct fm_wire wire = fm_wire_of(bytes);
    struct fm_wire_field field;
    *row = (struct row){.bytes = bytes, .chain = NOT_READ};
    while (fm_wire_next(&wire, &field))
        if (field.number < ROW_NUMBERS && !field.is_bytes) row->numbers[field.number] = field.value;
}

static void pprof_samples_add_row(struct pprof *job, struct rows *rows, framemap_str bytes)
{
    struct row row;
    read_row_numbers(bytes, &row);
    if (row_with(job, rows, row.numbers[1])) return;
    if (!FM_GROW(job->heap, rows->rows, rows->capacity, rows->count + 1) || rows->count >= UINT32_MAX - 1 ||
        !fm_table_add(&rows->table, fm_hash_word(row.numbers[1], job->key), (uint32_t)rows->count)) {
        job->failed = true;
        return;
    }
    rows->rows[rows->count++] = row;
}

static void add_string(struct pprof *job, framemap_str text)
{
    const size_t count = job->string_count;
    if (!FM_GROW(job->heap, job->strings, job->string_capacity, count + 1) ||
        !FM_GROW(job->heap, job->set_strings, job->set_string_capacity, count + 1)) {
        job->failed = true;
        return;
    }
    job->strings[count] = text;
    job->set_strings[count] = FM_NO_ID;
    job->string_count++;
}

static framemap_str string_at(const struct pprof *job, uint64_t number)
{
    return number < job->string_count ? job->strings[number] : fm_str(NULL, 0);
}

/* Returns the number in the sample set of a string. Each string is searched in the sample set once, even if several
 * messages refer to it. */
static uint32_t set_string(const struct pprof *job, uint64_t number)
{
    if (number >= job->string_count) return 0;
    uint32_t *known = &job->set_strings[number];
    if (*known == FM_NO_ID) *known = fm_samples_string(job->set, job->strings[number]);
    return *known;
}

/* --- frames --- */

static void read_mapping(const struct pprof *job, const struct row *mapping, struct fm_sample_frame *frame)
{
    const uint64_t start = mapping->numbers[PPROF_MAPPING_START], offset = mapping->numbers[PPROF_MAPPING_OFFSET];
    frame->module = set_string(job, mapping->numbers[PPROF_MAPPING_FILE]);
    frame->build_id = set_string(job, mapping->numbers[PPROF_MAPPING_BUILD_ID]);
    if (!(frame->flags & FM_FRAME_ADDRESS)) return;
    /* an image that is mapped at 0 is where it was linked for */
    const bool is_linked = start == 0 && offset == 0 && mapping->numbers[PPROF_MAPPING_LIMIT] > 0;
    if (is_linked && (frame->module || frame->build_id)) frame->address_kind = FRAMEMAP_ADDRESS_LINKED;
    if (start == 0 || offset > start) return;
    frame->load_address = start - offset;
    frame->flags |= FM_FRAME_LOAD;
    /* If the mapping has no end, `start` is only the address of the image in memory. */
    if (mapping->numbers[PPROF_MAPPING_LIMIT] > start) frame->flags |= FM_FRAME_MAPS_FILE;
}

/* Adds a frame to the frames of a location. */
static void add_to_chain(struct pprof *job, struct row *location, const struct fm_sample_frame *frame)
{
    if (!FM_GROW(job->heap, job->chains, job->chain_capacity, job->chain_count + 1)) {
        fm_samples_fault(job->set, FRAMEMAP_E_MEMORY);
        return;
    }
    job->chains[job->chain_count++] = fm_samples_frame(job->set, frame);
    location->chain_size++;
}

static struct fm_sample_frame read_line(const struct pprof *job, framemap_str bytes, struct fm_sample_frame frame)
{
    struct row line;
    read_row_numbers(bytes, &line);
    const uint64_t line1 = line.numbers[PPROF_LINE_LINE], column1 = line.numbers[PPROF_LINE_COLUMN];
    const struct row *function = row_with(job, &job->functions, line.numbers[PPROF_LINE_FUNCTION]);
    if (function) {
        frame.function = set_string(job, function->numbers[PPROF_FUNCTION_NAME]);
        frame.file = set_string(job, function->numbers[PPROF_FUNCTION_FILE]);
    }
    if (line1 < UINT32_MAX) frame.line1 = (uint32_t)line1;
    if (column1 < UINT32_MAX) frame.column1 = (uint32_t)column1;
    return frame;
}

/* Makes the frames of a location: one for each of its lines. All frames but the last are inlined. */
static void make_chain(struct pprof *job, struct row *location)
{
    const uint64_t mapping_id = location->numbers[PPROF_LOCATION_MAPPING];
    const struct row *mapping = mapping_id ? row_with(job, &job->mappings, mapping_id) : NULL;
    struct fm_sample_frame frame = {.address = location->numbers[PPROF_LOCATION_ADDRESS]}, line = frame;
    struct fm_wire wire = fm_wire_of(location->bytes);
    struct fm_wire_field field;
    bool any = false;
    location->chain = job->chain_count;
    if (frame.address) {
        frame.flags = FM_FRAME_ADDRESS;
        frame.address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    }
    if (mapping) read_mapping(job, mapping, &frame);
    line = frame;
    while (fm_wire_next(&wire, &field)) {
        if (field.number != PPROF_LOCATION_LINE || !field.is_bytes) continue;
        line.flags |= FM_FRAME_INLINED;
        if (any && location->chain_size < MOST_LINES - 1) add_to_chain(job, location, &line);
        line = read_line(job, field.bytes, frame);
        any = true;
    }
    add_to_chain(job, location, &line);
}

static void push_location(struct pprof *job, uint64_t id)
{
    struct row *location = row_with(job, &job->locations, id);
    if (location == NULL) {
        const struct fm_sample_frame unknown = {.address = 0};
        job->stack[job->depth++] = fm_samples_frame(job->set, &unknown);
        return;
    }
    if (location->chain == NOT_READ) make_chain(job, location);
    for (uint32_t i = 0; i < location->chain_size && job->depth < FM_PROFILE_FRAMES; i++)
        job->stack[job->depth++] = job->chains[location->chain + i];
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
    uint64_t key_number = 0;
    while (fm_wire_next(&wire, &field)) {
        if (field.number == PPROF_LABEL_KEY) key_number = field.value;
        if (field.number == PPROF_LABEL_TEXT) label.text = set_string(job, field.value);
        if (field.number == PPROF_LABEL_NUMBER) label.number = (int64_t)field.value;
        if (field.number == PPROF_LABEL_UNIT) label.unit = set_string(job, field.value);
    }
    const framemap_str key = string_at(job, key_number);
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
        label.key = set_string(job, key_number);
        job->labels[job->label_count++] = label;
    }
}

/* Reads numbers from a repeated field, whose wire type is either a packed list or a single number. */
static void read_numbers(struct pprof *job, const struct fm_wire_field *field, struct sample *sample)
{
    struct fm_wire wire = fm_wire_of(field->bytes);
    uint64_t value = field->value;
    bool more = !field->is_bytes;
    if (field->is_bytes) more = wire.at < wire.end && fm_wire_varint(&wire, &value);
    while (more && !job->set->fault) {
        if (field->number == PPROF_SAMPLE_LOCATION && job->depth < FM_PROFILE_FRAMES)
            push_location(job, value);
        else if (field->number == PPROF_SAMPLE_VALUE && sample->value_count < job->column_count)
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
    for (size_t i = job->depth; i-- > 0;) sample.row.node = fm_samples_node(job->set, sample.row.node, job->stack[i]);
    sample.row.thread = fm_samples_thread(job->set, &sample.thread);
    sample.row.labels = fm_samples_labels(job->set, job->labels, job->label_count);
    fm_samples_add(job->set, &sample.row, job->columns, job->values, sample.value_count);
}

static void read_type(struct pprof *job, framemap_str bytes)
{
    struct row row;
    if (job->column_count == FM_SAMPLE_COLUMNS) return;
    read_row_numbers(bytes, &row);
    job->types[job->column_count][0] = row.numbers[1];
    job->types[job->column_count++][1] = row.numbers[2];
}

static uint32_t column_of(struct pprof *job, size_t type)
{
    return fm_samples_column(job->set, string_at(job, job->types[type][0]), string_at(job, job->types[type][1]));
}

/* Makes the columns of the sample set. The kind of weight that is shown by default becomes the first column: the kind
 * named `shown`, or else the last kind, as in pprof itself. */
static void make_columns(struct pprof *job, framemap_str shown)
{
    size_t main = job->column_count ? job->column_count - 1 : 0;
    for (size_t i = job->column_count; i-- > 0 && shown.size;)
        if (fm_str_equal(string_at(job, job->types[i][0]), shown)) main = i;
    if (job->column_count) (void)column_of(job, main);
    for (size_t i = 0; i < job->column_count; i++) job->columns[i] = column_of(job, i);
}

/* Reads all tables before the samples, since a message may precede the table to which it refers. */
static void read_tables(struct pprof *job, framemap_str text)
{
    struct fm_wire wire = fm_wire_of(text);
    struct fm_wire_field field;
    while (fm_wire_next(&wire, &field) && !job->failed) {
        if (!field.is_bytes) continue;
        if (field.number == PPROF_MAPPING) pprof_samples_add_row(job, &job->mappings, field.bytes);
        if (field.number == PPROF_LOCATION) pprof_samples_add_row(job, &job->locations, field.bytes);
        if (field.number == PPROF_FUNCTION) pprof_samples_add_row(job, &job->functions, field.bytes);
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
    fm_heap_free(job->heap, rows->rows, rows->capacity * sizeof *rows->rows);
    fm_table_free(&rows->table);
}

static void free_pprof(struct pprof *job)
{
    free_rows(job, &job->mappings);
    free_rows(job, &job->functions);
    free_rows(job, &job->locations);
    fm_heap_free(job->heap, job->strings, job->string_capacity * sizeof *job->strings);
    fm_heap_free(job->heap, job->set_strings, job->set_string_capacity * sizeof *job->set_strings);
    fm_heap_free(job->heap, job->chains, job->chain_capacity * sizeof *job->chains);
    fm_heap_free(job->heap, job, sizeof *job);
}

/* Whether the head contains a byte that texts do not contain. In a profile, the tags of number fields are such
 * bytes. */
static bool is_binary(framemap_str head)
{
    for (size_t i = 0; i < head.size; i++) {
        const unsigned char byte = (unsigned char)head.data[i];
        if (byte < '\t' || (byte > '\r' && byte < ' ' && byte != 0x1B)) return true;
    }
    return false;
}

/* Whether the first fields are those of a profile, and the head has a byte that texts do not contain. */
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
    return (fields >= 2 || (fields == 1 && !wire.bad)) && is_binary(head);
}

framemap_status fm_samples_read_pprof(framemap_sample_set *set, framemap_str text, framemap_error *error)
{
    struct fm_wire wire = fm_wire_of(text);
    struct fm_wire_field field;
    bool has_strings = false;
    size_t types = 0;
    uint64_t shown = 0;
    while (fm_wire_next(&wire, &field)) {
        has_strings = has_strings || field.number == PPROF_STRING;
        types += field.number == PPROF_SAMPLE_TYPE;
        if (field.number == PPROF_DEFAULT_TYPE && !field.is_bytes) shown = field.value;
    }
    if (wire.bad || !has_strings) return fm_error_set(error, FRAMEMAP_E_FORMAT, "the bytes are not a profile of pprof");
    if (types > FM_SAMPLE_COLUMNS)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "the profile has %zu kinds of weights, and at most %d can be read",
                            types, FM_SAMPLE_COLUMNS);
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
    make_columns(job, string_at(job, shown));
    read_messages(job, text, PPROF_SAMPLE, read_sample);
    free_pprof(job);
    return FRAMEMAP_OK;
}
