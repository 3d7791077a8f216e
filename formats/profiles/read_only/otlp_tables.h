/* The dictionary of OpenTelemetry's profiles: strings, attributes, functions, images, locations and stacks, which
 * samples refer to by number. Called by otlp_samples.c. */
#ifndef FM_FORMATS_PROFILES_READ_ONLY_OTLP_TABLES_H
#define FM_FORMATS_PROFILES_READ_ONLY_OTLP_TABLES_H

#include "formats/profiles/profile_format.h"
#include "formats/profiles/read_only/proto_message.h"

/* Attributes that have a meaning in a sample set; all other attributes become labels. */
enum fm_otlp_key {
    FM_OTLP_LABEL,
    FM_OTLP_THREAD_NAME,
    FM_OTLP_THREAD_ID,
    FM_OTLP_PROCESS_ID,
    FM_OTLP_PROCESS_NAME,
    FM_OTLP_SERVICE_NAME,
    FM_OTLP_BUILD_ID,
    /* a build id of another kind than GNU's, which is used only if there is no GNU build id */
    FM_OTLP_OTHER_BUILD_ID
};

struct fm_otlp_attribute {
    enum fm_otlp_key key;
    bool known; /* the attribute's value is of a kind that a label can have */
    struct fm_sample_label label;
};

struct fm_otlp_tables {
    framemap_sample_set *set;
    struct fm_arena *arena;
    framemap_str text; /* the whole text; offsets in errors are offsets in it */
    framemap_error *error;
    framemap_status status; /* status of the first error */
    struct fm_proto_texts strings;
    uint32_t *set_strings; /* for each element of `strings`: its number in the sample set, or FM_NO_ID */
    struct fm_proto_list mappings, locations, functions, stacks;
    struct fm_otlp_attribute *attributes;
    uint32_t attribute_count;
    struct fm_otlp_chain *chains; /* for each location: its frames */
    uint32_t *frames;             /* the frames of all locations */
    size_t frame_count, frame_capacity;
    uint32_t *nodes; /* for each stack: its node in the sample set, or FM_OTLP_NOT_READ */
};
#define FM_OTLP_NOT_READ (FM_NO_ID - 1)

/* Reads the dictionary. set, arena, text and error of `tables` must be set before the call. Free the tables even if
 * it fails. */
void fm_otlp_tables_read(struct fm_otlp_tables *tables, const struct fm_proto *dictionary);
void fm_otlp_tables_free(struct fm_otlp_tables *tables);
/* Returns the number in the sample set of a string; 0, the empty string, if there is no string with this number. */
uint32_t fm_otlp_string(struct fm_otlp_tables *tables, uint64_t number);
/* Reads an attribute: a KeyValue of a resource, or a KeyValueAndUnit of the dictionary. */
struct fm_otlp_attribute fm_otlp_attribute(struct fm_otlp_tables *tables, const struct fm_proto *message);
/* Returns the node of a stack in the sample set. from: the message that refers to the stack; an error states the
 * position of this message. */
uint32_t fm_otlp_stack(struct fm_otlp_tables *tables, uint64_t number, const struct fm_proto *from);
/* Records an error. what: the fault of the message; the position of the error is that of the message. Only the first
 * error is kept. */
void fm_otlp_wrong(struct fm_otlp_tables *tables, const struct fm_proto *message, const char *what);

#endif
