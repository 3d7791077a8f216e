/* Implements otlp_tables.h. Numbers and names of fields are those of OpenTelemetry's protocol, profiles.proto and
 * common.proto. */
#include "formats/profiles/read_only/otlp_tables.h"

#include "core/error.h"

static const struct fm_proto_field mapping_table = {1, "mappingTable", "mapping_table"},
                                   location_table = {2, "locationTable", "location_table"},
                                   function_table = {3, "functionTable", "function_table"},
                                   string_table = {5, "stringTable", "string_table"},
                                   attribute_table = {6, "attributeTable", "attribute_table"},
                                   stack_table = {7, "stackTable", "stack_table"},
                                   memory_start = {1, "memoryStart", "memory_start"},
                                   file_offset = {3, "fileOffset", "file_offset"},
                                   mapping_file = {4, "filenameStrindex", "filename_strindex"},
                                   mapping_attributes = {5, "attributeIndices", "attribute_indices"},
                                   location_indices = {1, "locationIndices", "location_indices"},
                                   mapping_index = {1, "mappingIndex", "mapping_index"},
                                   address = {2, "address", "address"}, lines = {3, "lines", "lines"},
                                   function_index = {1, "functionIndex", "function_index"},
                                   line_number = {2, "line", "line"}, column_number = {3, "column", "column"},
                                   function_name = {1, "nameStrindex", "name_strindex"},
                                   system_name = {2, "systemNameStrindex", "system_name_strindex"},
                                   function_file = {3, "filenameStrindex", "filename_strindex"};
/* Fields of the messages KeyValue and KeyValueAndUnit. The two messages use different numbers for some of them. */
static const struct fm_proto_field key_text = {1, "key", "key"}, key_number = {3, "keyStrindex", "key_strindex"},
                                   table_key = {1, "keyStrindex", "key_strindex"}, any_value = {2, "value", "value"},
                                   unit_number = {3, "unitStrindex", "unit_strindex"};
static const struct fm_proto_field string_value = {1, "stringValue", "string_value"},
                                   bool_value = {2, "boolValue", "bool_value"},
                                   int_value = {3, "intValue", "int_value"},
                                   string_number = {8, "stringValueStrindex", "string_value_strindex"};

#define MOST_LINES 1024 /* maximum number of lines of a location; further lines are ignored */

struct fm_otlp_chain {
    size_t first;
    uint32_t count; /* number of frames; 0: the frames were not made yet */
    /* valid if `added` is set: the node to which the frames were last added, and the node of the last frame */
    uint32_t parent, node;
    bool added;
};

void fm_otlp_wrong(struct fm_otlp_tables *tables, const struct fm_proto *message, const char *what)
{
    const framemap_str source = fm_proto_source(message);
    const uint64_t offset = fm_str_is_within(source, tables->text) ? (uint64_t)(source.data - tables->text.data) : 0;
    if (tables->status == FRAMEMAP_OK)
        tables->status = fm_error_at(tables->error, FRAMEMAP_E_CORRUPT, offset, "%s", what);
}

uint32_t fm_otlp_string(struct fm_otlp_tables *tables, uint64_t number)
{
    if (number >= tables->strings.count) return 0;
    uint32_t *known = &tables->set_strings[number];
    if (*known == FM_NO_ID) *known = fm_samples_string(tables->set, tables->strings.texts[number]);
    return *known;
}

/* --- reading attributes of samples --- */

static enum fm_otlp_key key_of(framemap_str name)
{
    static const struct {
        framemap_str name;
        enum fm_otlp_key key;
    } keys[] = {{FM_STR_INIT("thread.name"), FM_OTLP_THREAD_NAME},
                {FM_STR_INIT("thread.id"), FM_OTLP_THREAD_ID},
                {FM_STR_INIT("process.pid"), FM_OTLP_PROCESS_ID},
                {FM_STR_INIT("process.executable.name"), FM_OTLP_PROCESS_NAME},
                {FM_STR_INIT("service.name"), FM_OTLP_SERVICE_NAME},
                {FM_STR_INIT("process.executable.build_id.gnu"), FM_OTLP_BUILD_ID},
                {FM_STR_INIT("process.executable.build_id.go"), FM_OTLP_OTHER_BUILD_ID}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (fm_str_equal(name, keys[i].name)) return keys[i].key;
    return FM_OTLP_LABEL;
}

/* Reads the value of a label: a string or a number; true and false are stored as strings. Returns false for other
 * values. */
static bool read_value(struct fm_otlp_tables *tables, const struct fm_proto *value, struct fm_sample_label *label)
{
    framemap_str text;
    uint64_t number = 0;
    if (fm_proto_text(value, string_value, tables->arena, &text)) {
        label->text = fm_samples_string(tables->set, text);
    } else if (fm_proto_has_number(value, string_number, &number)) {
        label->text = fm_otlp_string(tables, number);
    } else if (fm_proto_has_number(value, int_value, &number)) {
        label->number = (int64_t)number;
        return true;
    } else if (value->json ? fm_json_type(value->json, fm_json_get(value->json, value->object, bool_value.camel)) ==
                                 FM_JSON_BOOL
                           : fm_proto_has_number(value, bool_value, &number)) {
        const bool yes = value->json
                             ? fm_json_is_true(value->json, fm_json_get(value->json, value->object, bool_value.camel))
                             : number != 0;
        label->text = fm_samples_string(tables->set, yes ? FM_STR("true") : FM_STR("false"));
    }
    return label->text != 0;
}

struct fm_otlp_attribute fm_otlp_attribute(struct fm_otlp_tables *tables, const struct fm_proto *message)
{
    struct fm_otlp_attribute attribute = {.key = FM_OTLP_LABEL};
    const struct fm_proto value = fm_proto_get(message, any_value);
    framemap_str key;
    uint64_t number = 0;
    if (fm_proto_text(message, key_text, tables->arena, &key)) {
        attribute.label.key = fm_samples_string(tables->set, key);
    } else if (fm_proto_has_number(message, table_key, &number)) {
        attribute.label.key = fm_otlp_string(tables, number);
        attribute.label.unit = fm_otlp_string(tables, fm_proto_number(message, unit_number));
    } else {
        attribute.label.key = fm_otlp_string(tables, fm_proto_number(message, key_number));
    }
    attribute.known = read_value(tables, &value, &attribute.label) && attribute.label.key != 0;
    attribute.key = key_of(fm_samples_text(tables->set, attribute.label.key));
    return attribute;
}

static bool read_attributes(struct fm_otlp_tables *tables, const struct fm_proto *dictionary)
{
    struct fm_proto_list list;
    if (!fm_proto_messages(dictionary, attribute_table, tables->arena, &list)) return false;
    tables->attributes = FM_ARENA_ARRAY(tables->arena, struct fm_otlp_attribute, (size_t)list.count + 1);
    if (tables->attributes == NULL) return false;
    for (uint32_t i = 0; i < list.count && !tables->set->fault; i++)
        tables->attributes[tables->attribute_count++] = fm_otlp_attribute(tables, &list.messages[i]);
    return true;
}

/* --- frames --- */

/* Sets the image of a frame. An offset in the image's file is treated as a linked address, as in pprof's profiles. */
static void set_mapping(struct fm_otlp_tables *tables, const struct fm_proto *mapping, struct fm_sample_frame *frame)
{
    const uint64_t start = fm_proto_number(mapping, memory_start), offset = fm_proto_number(mapping, file_offset);
    struct fm_proto_numbers attributes;
    uint32_t other = 0;
    frame->module = fm_otlp_string(tables, fm_proto_number(mapping, mapping_file));
    if (!fm_proto_all_numbers(mapping, mapping_attributes, false, tables->arena, &attributes)) {
        fm_samples_fault(tables->set, FRAMEMAP_E_MEMORY);
        return;
    }
    for (uint32_t i = 0; i < attributes.count; i++) {
        if (attributes.values[i] >= tables->attribute_count) continue;
        const struct fm_otlp_attribute *attribute = &tables->attributes[attributes.values[i]];
        if (attribute->key == FM_OTLP_BUILD_ID) frame->build_id = attribute->label.text;
        if (attribute->key == FM_OTLP_OTHER_BUILD_ID) other = attribute->label.text;
    }
    if (frame->build_id == 0) frame->build_id = other;
    if (start == 0 || offset > start || !(frame->flags & FM_FRAME_ADDRESS)) return;
    frame->load_address = start - offset;
    frame->flags |= FM_FRAME_LOAD;
}

static uint32_t position(uint64_t number) { return number < UINT32_MAX ? (uint32_t)number : 0; }

static void otlp_add_frame(struct fm_otlp_tables *tables, struct fm_otlp_chain *chain,
                           const struct fm_sample_frame *frame)
{
    if (!FM_GROW(&tables->set->heap, tables->frames, tables->frame_capacity, tables->frame_count + 1)) {
        fm_samples_fault(tables->set, FRAMEMAP_E_MEMORY);
        return;
    }
    tables->frames[tables->frame_count++] = fm_samples_frame(tables->set, frame);
    chain->count++;
}

/* Adds a frame for each line of a location, innermost first. All frames but the last are inlined. */
static void add_lines(struct fm_otlp_tables *tables, struct fm_otlp_chain *chain, const struct fm_proto_list *list,
                      const struct fm_sample_frame *base)
{
    const uint32_t count = list->count < MOST_LINES ? list->count : MOST_LINES;
    for (uint32_t i = 0; i < count; i++) {
        const struct fm_proto *line = &list->messages[i];
        const uint64_t number = fm_proto_number(line, function_index);
        struct fm_sample_frame frame = *base;
        if (number < tables->functions.count) {
            const struct fm_proto *function = &tables->functions.messages[number];
            frame.function = fm_otlp_string(tables, fm_proto_number(function, function_name));
            if (!frame.function) frame.function = fm_otlp_string(tables, fm_proto_number(function, system_name));
            frame.file = fm_otlp_string(tables, fm_proto_number(function, function_file));
        }
        frame.line1 = position(fm_proto_number(line, line_number));
        frame.column1 = position(fm_proto_number(line, column_number));
        if (i + 1 < count) frame.flags |= FM_FRAME_INLINED;
        otlp_add_frame(tables, chain, &frame);
    }
}

static void make_chain(struct fm_otlp_tables *tables, struct fm_otlp_chain *chain, const struct fm_proto *location)
{
    const uint64_t mapping = fm_proto_number(location, mapping_index);
    struct fm_sample_frame frame = {.address = fm_proto_number(location, address)};
    struct fm_proto_list list;
    chain->first = tables->frame_count;
    if (frame.address) {
        frame.flags = FM_FRAME_ADDRESS;
        frame.address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    }
    if (mapping > 0 && mapping < tables->mappings.count)
        set_mapping(tables, &tables->mappings.messages[mapping], &frame);
    if (!fm_proto_messages(location, lines, tables->arena, &list)) {
        fm_samples_fault(tables->set, FRAMEMAP_E_MEMORY);
        return;
    }
    add_lines(tables, chain, &list, &frame);
    if (list.count == 0) otlp_add_frame(tables, chain, &frame);
}

/* --- stacks --- */

/* Adds the frames of a location to the stack that ends in `node`, and returns the new last node. Many stacks have the
 * same first locations, so the node to which a location was last added is recorded for that location. The frames of a
 * location are stored innermost first. */
static uint32_t add_location(struct fm_otlp_tables *tables, uint32_t node, uint64_t number, size_t *depth)
{
    struct fm_otlp_chain *chain = &tables->chains[number];
    const uint32_t parent = node;
    if (chain->count == 0) make_chain(tables, chain, &tables->locations.messages[number]);
    const bool fits = chain->count <= FM_PROFILE_FRAMES - *depth;
    if (fits && chain->added && chain->parent == parent) {
        *depth += chain->count;
        return chain->node;
    }
    for (uint32_t i = chain->count; i-- > 0 && *depth < FM_PROFILE_FRAMES && !tables->set->fault; ++*depth)
        node = fm_samples_node(tables->set, node, tables->frames[chain->first + i]);
    chain->parent = parent;
    chain->node = node;
    chain->added = fits;
    return node;
}

uint32_t fm_otlp_stack(struct fm_otlp_tables *tables, uint64_t number, const struct fm_proto *from)
{
    struct fm_proto_numbers locations;
    size_t depth = 0;
    if (number >= tables->stacks.count) {
        if (number > 0) fm_otlp_wrong(tables, from, "a sample has a stack that is not in the table of stacks");
        return FM_NO_ID;
    }
    uint32_t *known = &tables->nodes[number];
    if (*known != FM_OTLP_NOT_READ) return *known;
    const struct fm_proto *stack = &tables->stacks.messages[number];
    *known = FM_NO_ID;
    if (!fm_proto_all_numbers(stack, location_indices, false, tables->arena, &locations)) {
        fm_samples_fault(tables->set, FRAMEMAP_E_MEMORY);
        return FM_NO_ID;
    }
    for (uint32_t i = locations.count; i-- > 0 && tables->status == FRAMEMAP_OK && depth < FM_PROFILE_FRAMES;) {
        if (locations.values[i] >= tables->locations.count)
            fm_otlp_wrong(tables, stack, "a stack has a location that is not in the table of locations");
        else
            *known = add_location(tables, *known, locations.values[i], &depth);
    }
    return *known;
}

/* Allocates an array of `count` numbers, all set to `value`. */
static uint32_t *numbers(struct fm_arena *arena, size_t count, uint32_t value)
{
    uint32_t *values = FM_ARENA_ARRAY(arena, uint32_t, count + 1);
    for (size_t i = 0; i < count && values; i++) values[i] = value;
    return values;
}

void fm_otlp_tables_read(struct fm_otlp_tables *tables, const struct fm_proto *dictionary)
{
    struct fm_arena *arena = tables->arena;
    bool read = fm_proto_all_texts(dictionary, string_table, arena, &tables->strings) &&
                fm_proto_messages(dictionary, mapping_table, arena, &tables->mappings) &&
                fm_proto_messages(dictionary, location_table, arena, &tables->locations) &&
                fm_proto_messages(dictionary, function_table, arena, &tables->functions) &&
                fm_proto_messages(dictionary, stack_table, arena, &tables->stacks);
    if (read) {
        tables->set_strings = numbers(arena, tables->strings.count, FM_NO_ID);
        tables->nodes = numbers(arena, tables->stacks.count, FM_OTLP_NOT_READ);
        tables->chains = FM_ARENA_ARRAY(arena, struct fm_otlp_chain, (size_t)tables->locations.count + 1);
    }
    read = read && tables->set_strings && tables->nodes && tables->chains && read_attributes(tables, dictionary);
    if (!read) fm_samples_fault(tables->set, FRAMEMAP_E_MEMORY);
}

void fm_otlp_tables_free(struct fm_otlp_tables *tables)
{
    fm_heap_free(&tables->set->heap, tables->frames, tables->frame_capacity * sizeof *tables->frames);
}
