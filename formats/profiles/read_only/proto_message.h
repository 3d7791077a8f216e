/* Reads protobuf messages that are in binary form or JSON (https://protobuf.dev/programming-guides/json) with the
 * same functions. Called by otlp_samples.c. In JSON, members may have the names of the schema or these names in
 * camelCase, and numbers may be strings. */
#ifndef FM_FORMATS_PROFILES_READ_ONLY_PROTO_MESSAGE_H
#define FM_FORMATS_PROFILES_READ_ONLY_PROTO_MESSAGE_H

#include "core/json/json.h"
#include "core/wire.h"

struct fm_proto {
    /* the JSON document that contains the message; NULL: the message is binary, in `bytes` */
    const struct fm_json *json;
    int32_t object; /* the JSON value of the message; -1: the message is empty */
    framemap_str bytes;
};

struct fm_proto_field {
    unsigned number;
    const char *camel, *name;
};

struct fm_proto_list {
    struct fm_proto *messages;
    uint32_t count;
};

struct fm_proto_numbers {
    uint64_t *values; /* the numbers; negative ones are stored in two's complement */
    uint32_t count;
};

struct fm_proto_texts {
    framemap_str *texts;
    uint32_t count;
};

/* Returns a field that is a message; an empty message if the field is absent. */
struct fm_proto fm_proto_get(const struct fm_proto *message, struct fm_proto_field field);
/* fm_proto_number returns an integer field, 0 if it is absent; fm_proto_has_number returns whether the field is
 * present. */
uint64_t fm_proto_number(const struct fm_proto *message, struct fm_proto_field field);
bool fm_proto_has_number(const struct fm_proto *message, struct fm_proto_field field, uint64_t *out);
/* Returns a string field in *out, decoded. Returns false if the field is absent, or if out of memory. */
bool fm_proto_text(const struct fm_proto *message, struct fm_proto_field field, struct fm_arena *arena,
                   framemap_str *out);
/* These functions return all elements of a repeated field in *out. fixed: the numbers have eight bytes each in binary
 * form. They return false if out of memory. */
bool fm_proto_messages(const struct fm_proto *message, struct fm_proto_field field, struct fm_arena *arena,
                       struct fm_proto_list *out);
bool fm_proto_all_numbers(const struct fm_proto *message, struct fm_proto_field field, bool fixed,
                          struct fm_arena *arena, struct fm_proto_numbers *out);
bool fm_proto_all_texts(const struct fm_proto *message, struct fm_proto_field field, struct fm_arena *arena,
                        struct fm_proto_texts *out);
/* Returns the part of the text that a message was read from. */
framemap_str fm_proto_source(const struct fm_proto *message);

#endif
