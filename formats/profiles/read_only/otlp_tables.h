/* The dictionary of OpenTelemetry's profiles: strings, attributes, functions, images, locations and stacks, that
 * samples refer to by number. Called by otlp_samples.c. */
#ifndef FM_FORMATS_PROFILES_READ_ONLY_OTLP_TABLES_H
#define FM_FORMATS_PROFILES_READ_ONLY_OTLP_TABLES_H

#include "formats/profiles/profile_format.h"
#include "formats/profiles/read_only/proto_message.h"

/* Attributes that are not labels. */
enum fm_otlp_key {
    FM_OTLP_LABEL,
    FM_OTLP_THREAD_NAME,
    FM_OTLP_THREAD_ID,
    FM_OTLP_PROCESS_ID,
    FM_OTLP_PROCESS_NAME,
    FM_OTLP_SERVICE_NAME,
    FM_OTLP_BUILD_ID,
    FM_OTLP_OTHER_BUILD_ID /* a build id of another kind than GNU's; GNU's is preferred */
};

struct fm_otlp_attribute {
    enum fm_otlp_key key;
    bool known; /* the attribute has a value that a label can have */
    struct fm_sample_label label;
};

struct fm_otlp_tables {
    framemap_sample_set *set;
    struct fm_arena *arena;
    framemap_str text; /* the whole text: errors have offsets in it */
    framemap_error *error;
    framemap_status status; /* the first error */
    struct fm_proto_texts strings;
    uint32_t *set_strings; /* each of `strings` as one of the set, or FM_NO_ID */
    struct fm_proto_list mappings, locations, functions, stacks;
    struct fm_otlp_attribute *attributes;
    uint32_t attribute_count;
    struct fm_otlp_chain *chains; /* frames of each location */
    uint32_t *frames;             /* frames of all chains */
    size_t frame_count, frame_capacity;
    uint32_t *nodes; /* node of each stack, or FM_OTLP_NOT_READ */
};
#define FM_OTLP_NOT_READ (FM_NO_ID - 1)

/* Reads a dictionary. tables: set, arena, text and error must be filled in. Free it in each case. */
void fm_otlp_tables_read(struct fm_otlp_tables *tables, const struct fm_proto *dictionary);
void fm_otlp_tables_free(struct fm_otlp_tables *tables);
/* Returns a string of the set; 0, the empty one, if there is none of that number. */
uint32_t fm_otlp_string(struct fm_otlp_tables *tables, uint64_t number);
/* Reads an attribute: a KeyValue of a resource, or a KeyValueAndUnit of the dictionary. */
struct fm_otlp_attribute fm_otlp_attribute(struct fm_otlp_tables *tables, const struct fm_proto *message);
/* Returns the node of a stack. from: the message that has the number, for an error. */
uint32_t fm_otlp_stack(struct fm_otlp_tables *tables, uint64_t number, const struct fm_proto *from);
/* Remembers that a message is wrong, and where it is, if there is no earlier error. */
void fm_otlp_wrong(struct fm_otlp_tables *tables, const struct fm_proto *message, const char *what);

#endif
