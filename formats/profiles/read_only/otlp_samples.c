/* Reads profiles of OpenTelemetry (OTLP, the signal "profiles" since version 1.9 of the protocol). They are protobuf
 * messages in binary form or JSON, or one JSON message per line as the Collector's file exporter writes them
 * (https://github.com/open-telemetry/opentelemetry-proto, profiles/v1development/profiles.proto).
 *
 *     {"resourceProfiles":[{"resource":{"attributes":[{"key":"process.pid","value":{"intValue":"7"}}]},
 *      "scopeProfiles":[{"profiles":[{"sampleType":{"typeStrindex":1,"unitStrindex":2},
 *      "samples":[{"stackIndex":1,"values":["3"],"timestampsUnixNano":["5"]}]}]}]}],
 *      "dictionary":{"stringTable":["","cpu","nanoseconds","main"],"functionTable":[{},{"nameStrindex":3}],
 *      "locationTable":[{},{"lines":[{"functionIndex":1}]}],"stackTable":[{},{"locationIndices":[1]}]}}
 *
 * The locations of a stack, and the lines of a location, are innermost first. Links to spans are ignored. */
#include "core/error.h"
#include "formats/profiles/read_only/otlp_tables.h"
#include "formats/profiles/read_only/profile_documents.h"

#define MOST_LABELS 64 /* maximum number of labels of a sample; further labels are ignored */

static const struct fm_proto_field resource_profiles = {1, "resourceProfiles", "resource_profiles"},
                                   dictionary = {2, "dictionary", "dictionary"}, resource = {1, "resource", "resource"},
                                   resource_attributes = {1, "attributes", "attributes"},
                                   scope_profiles = {2, "scopeProfiles", "scope_profiles"},
                                   profiles = {2, "profiles", "profiles"},
                                   sample_type = {1, "sampleType", "sample_type"}, samples = {2, "samples", "samples"},
                                   type_name = {1, "typeStrindex", "type_strindex"},
                                   type_unit = {2, "unitStrindex", "unit_strindex"},
                                   stack_index = {1, "stackIndex", "stack_index"},
                                   sample_attributes = {2, "attributeIndices", "attribute_indices"},
                                   values = {4, "values", "values"},
                                   timestamps = {5, "timestampsUnixNano", "timestamps_unix_nano"};

struct otlp {
    struct fm_otlp_tables tables;
    struct fm_arena scratch;         /* memory that is reused for each sample */
    struct fm_sample_thread process; /* the process that the resource of the profile names */
};

static void set_process(struct fm_sample_thread *thread, const struct fm_otlp_attribute *attribute)
{
    if (attribute->key == FM_OTLP_PROCESS_NAME) thread->process = attribute->label.text;
    if (attribute->key == FM_OTLP_SERVICE_NAME && !thread->process) thread->process = attribute->label.text;
    if (attribute->key == FM_OTLP_PROCESS_ID && !attribute->label.text) {
        thread->has_process = 1;
        thread->process_id = (uint64_t)attribute->label.number;
    }
}

static void read_resource(struct otlp *job, const struct fm_proto *message)
{
    struct fm_proto_list attributes;
    job->process = (struct fm_sample_thread){.has_process = 0};
    if (!fm_proto_messages(message, resource_attributes, job->tables.arena, &attributes)) {
        fm_samples_fault(job->tables.set, FRAMEMAP_E_MEMORY);
        return;
    }
    for (uint32_t i = 0; i < attributes.count; i++) {
        const struct fm_otlp_attribute attribute = fm_otlp_attribute(&job->tables, &attributes.messages[i]);
        if (attribute.known) set_process(&job->process, &attribute);
    }
}

/* Sets thread and labels of a row from the attributes of a sample. numbers: indexes of the attributes. */
static void set_attributes(struct otlp *job, const struct fm_proto_numbers *numbers, struct fm_sample_entry *row)
{
    struct fm_otlp_tables *tables = &job->tables;
    struct fm_sample_thread thread = job->process;
    struct fm_sample_label labels[MOST_LABELS];
    size_t count = 0;
    for (uint32_t i = 0; i < numbers->count; i++) {
        if (numbers->values[i] >= tables->attribute_count) continue;
        const struct fm_otlp_attribute *attribute = &tables->attributes[numbers->values[i]];
        if (!attribute->known) continue;
        if (attribute->key == FM_OTLP_THREAD_NAME) {
            thread.name = attribute->label.text;
        } else if (attribute->key == FM_OTLP_THREAD_ID && !attribute->label.text) {
            thread.has_thread = 1;
            thread.thread_id = (uint64_t)attribute->label.number;
        } else if (attribute->key != FM_OTLP_LABEL) {
            set_process(&thread, attribute);
        } else if (count < MOST_LABELS) {
            labels[count++] = attribute->label;
        }
    }
    row->thread = fm_samples_thread(tables->set, &thread);
    row->labels = fm_samples_labels(tables->set, labels, count);
}

/* Adds the rows of a sample. If the sample has times, there is a row for each time, with the value for that time, or 1;
 * otherwise there is one row with the sum of all values. */
static void add_rows(struct otlp *job, struct fm_sample_entry row, const struct fm_proto_numbers *weights,
                     const struct fm_proto_numbers *times, uint32_t column)
{
    framemap_sample_set *set = job->tables.set;
    int64_t sum = 0;
    if (times->count > 0 && (weights->count == 0 || weights->count == times->count)) {
        for (uint32_t i = 0; i < times->count; i++) {
            row.time_ns = times->values[i] <= INT64_MAX ? (int64_t)times->values[i] : FM_NO_TIME;
            fm_samples_one(set, &row, column, weights->count ? (int64_t)weights->values[i] : 1);
        }
        return;
    }
    for (uint32_t i = 0; i < weights->count; i++) sum = fm_samples_sum(sum, (int64_t)weights->values[i]);
    fm_samples_one(set, &row, column, sum);
}

static void read_sample(struct otlp *job, const struct fm_proto *sample, uint32_t column)
{
    struct fm_sample_entry row = {FM_NO_TIME, FM_NO_ID, FM_NO_ID, FM_NO_ID};
    struct fm_proto_numbers weights, times, attributes;
    fm_arena_reset(&job->scratch);
    if (!fm_proto_all_numbers(sample, values, false, &job->scratch, &weights) ||
        !fm_proto_all_numbers(sample, timestamps, true, &job->scratch, &times) ||
        !fm_proto_all_numbers(sample, sample_attributes, false, &job->scratch, &attributes)) {
        fm_samples_fault(job->tables.set, FRAMEMAP_E_MEMORY);
        return;
    }
    row.node = fm_otlp_stack(&job->tables, fm_proto_number(sample, stack_index), sample);
    set_attributes(job, &attributes, &row);
    if (job->tables.status == FRAMEMAP_OK) add_rows(job, row, &weights, &times, column);
}

static bool goes_on(const struct otlp *job) { return job->tables.status == FRAMEMAP_OK && !job->tables.set->fault; }

static void read_profile(struct otlp *job, const struct fm_proto *profile)
{
    struct fm_otlp_tables *tables = &job->tables;
    framemap_sample_set *set = tables->set;
    const struct fm_proto type = fm_proto_get(profile, sample_type);
    const uint32_t name = fm_otlp_string(tables, fm_proto_number(&type, type_name)),
                   unit = fm_otlp_string(tables, fm_proto_number(&type, type_unit));
    struct fm_proto_list list;
    if (!fm_proto_messages(profile, samples, tables->arena, &list)) {
        fm_samples_fault(set, FRAMEMAP_E_MEMORY);
        return;
    }
    if (list.count == 0) return;
    const uint32_t column = name ? fm_samples_column(set, fm_samples_text(set, name), fm_samples_text(set, unit))
                                 : fm_samples_column(set, FM_STR("samples"), FM_STR("count"));
    for (uint32_t i = 0; i < list.count && goes_on(job); i++) read_sample(job, &list.messages[i], column);
}

/* Calls `read` for each message in a repeated field. */
static void each(struct otlp *job, const struct fm_proto *message, struct fm_proto_field field,
                 void (*read)(struct otlp *, const struct fm_proto *))
{
    struct fm_proto_list list;
    if (!fm_proto_messages(message, field, job->tables.arena, &list)) {
        fm_samples_fault(job->tables.set, FRAMEMAP_E_MEMORY);
        return;
    }
    for (uint32_t i = 0; i < list.count && goes_on(job); i++) read(job, &list.messages[i]);
}

static void read_scope(struct otlp *job, const struct fm_proto *scope) { each(job, scope, profiles, read_profile); }

static void read_resource_profiles(struct otlp *job, const struct fm_proto *message)
{
    const struct fm_proto own = fm_proto_get(message, resource);
    read_resource(job, &own);
    if (goes_on(job)) each(job, message, scope_profiles, read_scope);
}

/* Reads a message ProfilesData, or a request to export profiles, which has the same fields. */
static framemap_status read_message(framemap_sample_set *set, const struct fm_proto *message, framemap_str text,
                                    struct fm_arena *arena, framemap_error *error)
{
    struct otlp job = {.tables = {.set = set, .arena = arena, .text = text, .error = error}};
    const struct fm_proto own = fm_proto_get(message, dictionary);
    fm_arena_init(&job.scratch, &set->heap);
    fm_otlp_tables_read(&job.tables, &own);
    if (goes_on(&job)) each(&job, message, resource_profiles, read_resource_profiles);
    fm_otlp_tables_free(&job.tables);
    fm_arena_free(&job.scratch);
    return job.tables.status;
}

static bool read_document(struct fm_profile_document *document)
{
    const struct fm_json *json = document->json;
    const struct fm_proto message = {.json = json};
    if (fm_json_get(json, 0, resource_profiles.camel) < 0 && fm_json_get(json, 0, resource_profiles.name) < 0)
        return false;
    document->status = read_message(document->set, &message, document->text, document->arena, document->error);
    return true;
}

/* Returns the offset of the first byte that is not part of a field; the size of the text if all bytes are parts of
 * fields. */
static size_t end_of_fields(framemap_str text, bool *profiles_found)
{
    struct fm_wire wire = fm_wire_of(text);
    struct fm_wire_field field;
    size_t end = 0;
    while (fm_wire_next(&wire, &field)) {
        end = (size_t)((const char *)wire.at - text.data);
        if (field.number == resource_profiles.number && field.is_bytes) *profiles_found = true;
    }
    return end;
}

static framemap_status read_binary(framemap_sample_set *set, framemap_str text, framemap_error *error)
{
    const struct fm_proto message = {.object = -1, .bytes = text};
    struct fm_arena arena;
    bool found = false;
    const size_t end = end_of_fields(text, &found);
    if (!found)
        return fm_error_set(error, FRAMEMAP_E_FORMAT, "the text is not a message with profiles of OpenTelemetry");
    if (end < text.size)
        return fm_error_at(error, FRAMEMAP_E_CORRUPT, end, "the message ends in a field, or is damaged");
    fm_arena_init(&arena, &set->heap);
    const framemap_status status = read_message(set, &message, text, &arena, error);
    fm_arena_free(&arena);
    return status;
}

static framemap_status read_otlp(framemap_sample_set *set, framemap_str text, framemap_error *error)
{
    if (!fm_profile_json_begins(text, '{')) return read_binary(set, text, error);
    return fm_profile_read_documents(set, text, read_document, "a message with profiles of OpenTelemetry", error);
}

/* Whether the text is a binary message that begins with a ResourceProfiles. Its first field is a message; pprof's
 * messages begin with a type, whose first field is a number. */
static bool is_binary(framemap_str head)
{
    enum { FIRST = 0x0A, SECOND = 0x12, FEWEST = 4 };
    struct fm_wire wire = fm_wire_of(head);
    uint64_t tag = 0, size = 0, inner_tag = 0, inner_size = 0;
    if (head.size < FEWEST || head.data[0] != FIRST || !fm_wire_varint(&wire, &tag) || !fm_wire_varint(&wire, &size))
        return false;
    const unsigned char *begin = wire.at;
    if (!fm_wire_varint(&wire, &inner_tag) || !fm_wire_varint(&wire, &inner_size)) return false;
    if ((inner_tag != FIRST && inner_tag != SECOND) || inner_size > size) return false;
    if ((uint64_t)(wire.at - begin) > size - inner_size) return false;
    for (size_t i = 0; i < head.size; i++) /* a byte that a text would not contain shows that the data are binary */
        if ((unsigned char)head.data[i] < '\t') return true;
    return false;
}

static bool is_otlp(framemap_str head)
{
    if (!fm_profile_json_begins(head, '{')) return is_binary(head);
    return fm_str_find(head, FM_STR("\"resourceProfiles\"")) != FM_NOT_FOUND ||
           fm_str_find(head, FM_STR("\"resource_profiles\"")) != FM_NOT_FOUND ||
           fm_str_find(head, FM_STR("\"mappingTable\"")) != FM_NOT_FOUND ||
           fm_str_find(head, FM_STR("\"mapping_table\"")) != FM_NOT_FOUND;
}

const struct fm_profile_format fm_profile_otlp = {
    .info = {"otlp-profiles", "profiles of OpenTelemetry: OTLP in protobuf or JSON", true, false,
             FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_MODULES |
                 FRAMEMAP_PART_ADDRESSES | FRAMEMAP_PART_INLINED | FRAMEMAP_PART_TIMES | FRAMEMAP_PART_THREADS |
                 FRAMEMAP_PART_LABELS | FRAMEMAP_PART_VALUES | FRAMEMAP_PART_NEGATIVE},
    .looks = is_otlp,
    .read = read_otlp};
