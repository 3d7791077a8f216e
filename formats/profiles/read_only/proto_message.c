/* Implements proto_message.h: gets a field of a message by its number in the binary form, or by its name in JSON:
 * numbers, texts, messages inside messages, and repeated fields, which may be packed. */
#include "formats/profiles/read_only/proto_message.h"

#include "core/byte_reader.h"
#include "core/text/scan.h"

#define FIXED_SIZE 8 /* bytes of a protobuf fixed64 */

static int32_t member(const struct fm_proto *message, struct fm_proto_field field)
{
    const int32_t found = fm_json_get(message->json, message->object, field.camel);
    return found >= 0 ? found : fm_json_get(message->json, message->object, field.name);
}

/* Reads an integer from JSON, where it may be a number or a string with a number. */
static bool json_number(const struct fm_json *json, int32_t value, uint64_t *out)
{
    const enum fm_json_type type = fm_json_type(json, value);
    if (value < 0 || (type != FM_JSON_NUMBER && type != FM_JSON_STRING)) return false;
    struct fm_scan s = fm_scan_of(fm_json_raw(json, value));
    const bool negative = fm_scan_byte(&s, '-');
    if (!fm_scan_dec(&s, out, NULL) || !fm_scan_done(&s)) return false;
    if (negative) *out = ~*out + 1;
    return true;
}

framemap_str fm_proto_source(const struct fm_proto *message)
{
    return message->json ? fm_json_raw(message->json, message->object) : message->bytes;
}

struct fm_proto fm_proto_get(const struct fm_proto *message, struct fm_proto_field field)
{
    struct fm_proto found = {.json = message->json, .object = -1};
    if (message->json) {
        found.object = member(message, field);
        return found;
    }
    struct fm_wire wire = fm_wire_of(message->bytes);
    struct fm_wire_field part;
    while (fm_wire_next(&wire, &part))
        if (part.number == field.number && part.is_bytes) found.bytes = part.bytes;
    return found;
}

bool fm_proto_has_number(const struct fm_proto *message, struct fm_proto_field field, uint64_t *out)
{
    if (message->json) return json_number(message->json, member(message, field), out);
    struct fm_wire wire = fm_wire_of(message->bytes);
    struct fm_wire_field part;
    bool found = false;
    while (fm_wire_next(&wire, &part)) {
        if (part.number != field.number || part.is_bytes) continue;
        *out = part.value;
        found = true;
    }
    return found;
}

uint64_t fm_proto_number(const struct fm_proto *message, struct fm_proto_field field)
{
    uint64_t value = 0;
    return fm_proto_has_number(message, field, &value) ? value : 0;
}

bool fm_proto_text(const struct fm_proto *message, struct fm_proto_field field, struct fm_arena *arena,
                   framemap_str *out)
{
    if (message->json) return fm_json_string(message->json, member(message, field), arena, out);
    struct fm_wire wire = fm_wire_of(message->bytes);
    struct fm_wire_field part;
    bool found = false;
    while (fm_wire_next(&wire, &part)) {
        if (part.number != field.number || !part.is_bytes) continue;
        *out = part.bytes;
        found = true;
    }
    return found;
}

/* --- reading repeated fields of a message --- */

/* Returns how many fields with this number a binary message has. */
static size_t count_fields(framemap_str bytes, unsigned number)
{
    struct fm_wire wire = fm_wire_of(bytes);
    struct fm_wire_field part;
    size_t count = 0;
    while (fm_wire_next(&wire, &part)) count += part.number == number;
    return count;
}

/* Returns the JSON array that is the value of a member; *count is the number of its elements. */
static int32_t array_of(const struct fm_proto *message, struct fm_proto_field field, size_t *count)
{
    const int32_t value = member(message, field);
    const bool is_array = value >= 0 && fm_json_type(message->json, value) == FM_JSON_ARRAY;
    *count = is_array ? fm_json_count(message->json, value) : 0;
    return is_array ? fm_json_first(message->json, value) : -1;
}

bool fm_proto_messages(const struct fm_proto *message, struct fm_proto_field field, struct fm_arena *arena,
                       struct fm_proto_list *out)
{
    size_t count = 0;
    int32_t item = message->json ? array_of(message, field, &count) : -1;
    if (message->json == NULL) count = count_fields(message->bytes, field.number);
    *out = (struct fm_proto_list){FM_ARENA_ARRAY(arena, struct fm_proto, count + 1), 0};
    if (out->messages == NULL) return false;
    for (; item >= 0; item = fm_json_next(message->json, item))
        out->messages[out->count++] = (struct fm_proto){.json = message->json, .object = item};
    struct fm_wire wire = fm_wire_of(message->json ? FM_STR("") : message->bytes);
    struct fm_wire_field part;
    while (fm_wire_next(&wire, &part))
        if (part.number == field.number && part.is_bytes)
            out->messages[out->count++] = (struct fm_proto){.object = -1, .bytes = part.bytes};
    return true;
}

bool fm_proto_all_texts(const struct fm_proto *message, struct fm_proto_field field, struct fm_arena *arena,
                        struct fm_proto_texts *out)
{
    size_t count = 0;
    int32_t item = message->json ? array_of(message, field, &count) : -1;
    if (message->json == NULL) count = count_fields(message->bytes, field.number);
    *out = (struct fm_proto_texts){FM_ARENA_ARRAY(arena, framemap_str, count + 1), 0};
    if (out->texts == NULL) return false;
    for (; item >= 0; item = fm_json_next(message->json, item), out->count++)
        if (fm_json_type(message->json, item) == FM_JSON_STRING &&
            !fm_json_string(message->json, item, arena, &out->texts[out->count]))
            return false;
    struct fm_wire wire = fm_wire_of(message->json ? FM_STR("") : message->bytes);
    struct fm_wire_field part;
    while (fm_wire_next(&wire, &part))
        if (part.number == field.number && part.is_bytes) out->texts[out->count++] = part.bytes;
    return true;
}

/* Appends the numbers that are packed in one field. values: NULL to only count them. fixed: each number has eight
 * bytes; otherwise the numbers are varints. */
static void add_packed(framemap_str bytes, bool fixed, uint64_t *values, size_t *count)
{
    struct fm_byte_reader reader = fm_byte_reader_of(bytes, false);
    struct fm_wire wire = fm_wire_of(bytes);
    uint64_t value = 0;
    if (fixed) {
        for (size_t left = bytes.size / FIXED_SIZE; left > 0; left--, ++*count) {
            value = fm_read_u64(&reader);
            if (values) values[*count] = value;
        }
        return;
    }
    for (; wire.at < wire.end && fm_wire_varint(&wire, &value); ++*count)
        if (values) values[*count] = value;
}

/* Appends the numbers of a repeated field in a binary message. Each field with the given field number contains one
 * number, or several numbers packed together. */
static void add_numbers(framemap_str bytes, unsigned number, bool fixed, uint64_t *values, size_t *count)
{
    struct fm_wire wire = fm_wire_of(bytes);
    struct fm_wire_field part;
    while (fm_wire_next(&wire, &part)) {
        if (part.number != number) continue;
        if (part.is_bytes) {
            add_packed(part.bytes, fixed, values, count);
            continue;
        }
        if (values) values[*count] = part.value;
        ++*count;
    }
}

bool fm_proto_all_numbers(const struct fm_proto *message, struct fm_proto_field field, bool fixed,
                          struct fm_arena *arena, struct fm_proto_numbers *out)
{
    size_t count = 0, read = 0;
    int32_t item = message->json ? array_of(message, field, &count) : -1;
    if (message->json == NULL) add_numbers(message->bytes, field.number, fixed, NULL, &count);
    if (count >= UINT32_MAX) return false;
    *out = (struct fm_proto_numbers){FM_ARENA_ARRAY(arena, uint64_t, count + 1), (uint32_t)count};
    if (out->values == NULL) return false;
    if (message->json == NULL) add_numbers(message->bytes, field.number, fixed, out->values, &read);
    for (; item >= 0; item = fm_json_next(message->json, item)) {
        if (!json_number(message->json, item, &out->values[read])) out->values[read] = 0;
        read++;
    }
    return true;
}
