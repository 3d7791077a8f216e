/* Messages of protocol buffers, in their binary form or as JSON (https://protobuf.dev/programming-guides/json), read by
 * one set of functions. Called by otlp_samples.c. Members of JSON may have their names of the schema or those in
 * camelCase; numbers may be strings. */
#ifndef FM_FORMATS_PROFILES_READ_ONLY_PROTO_MESSAGE_H
#define FM_FORMATS_PROFILES_READ_ONLY_PROTO_MESSAGE_H

#include "core/json/json.h"
#include "core/wire.h"

struct fm_proto {
    const struct fm_json *json; /* document of a message in JSON; NULL: the message is `bytes` */
    int32_t object;             /* value with the message; -1: an empty message */
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
    uint64_t *values; /* negative ones in two's complement */
    uint32_t count;
};

struct fm_proto_texts {
    framemap_str *texts;
    uint32_t count;
};

/* Returns a member that is a message; an empty one if it is absent. */
struct fm_proto fm_proto_get(const struct fm_proto *message, struct fm_proto_field field);
/* Returns an integer, 0 if it is absent. fm_proto_has_number: whether it is there. */
uint64_t fm_proto_number(const struct fm_proto *message, struct fm_proto_field field);
bool fm_proto_has_number(const struct fm_proto *message, struct fm_proto_field field, uint64_t *out);
/* Gets a string, decoded. false: it is absent, or out of memory. */
bool fm_proto_text(const struct fm_proto *message, struct fm_proto_field field, struct fm_arena *arena,
                   framemap_str *out);
/* Get all elements of a repeated field. fixed: the numbers have eight bytes each. false: out of memory. */
bool fm_proto_messages(const struct fm_proto *message, struct fm_proto_field field, struct fm_arena *arena,
                       struct fm_proto_list *out);
bool fm_proto_all_numbers(const struct fm_proto *message, struct fm_proto_field field, bool fixed,
                          struct fm_arena *arena, struct fm_proto_numbers *out);
bool fm_proto_all_texts(const struct fm_proto *message, struct fm_proto_field field, struct fm_arena *arena,
                        struct fm_proto_texts *out);
/* Returns the part of the text that a message is. */
framemap_str fm_proto_source(const struct fm_proto *message);

#endif
