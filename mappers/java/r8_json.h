/* JSON as Gson's lenient reader takes it, which is what R8 reads metadata with: names and strings in either quotes or
 * none, '=' and '=>' for ':', ';' for ',', comments, empty array elements. Bounded: linear in the text, no recursion;
 * what is deeper or longer than the limits below is refused.
 *
 * Only what R8 asks for is kept: the members of the outermost object, and what stands directly in them. */
#ifndef FM_MAPPERS_JAVA_R8_JSON_H
#define FM_MAPPERS_JAVA_R8_JSON_H

#include "core/text/buffer.h"

#define FM_R8_JSON_DEPTH 1024u
#define FM_R8_JSON_VALUES ((size_t)1 << 21) /* of one comment: the longest ones name a file for each class */

enum fm_r8_json_type {
    FM_R8_JSON_NULL,
    FM_R8_JSON_TEXT,
    FM_R8_JSON_NUMBER,
    FM_R8_JSON_BOOL,
    FM_R8_JSON_ARRAY,
    FM_R8_JSON_OBJECT
};

struct fm_r8_json_value {
    framemap_str key;  /* in an object */
    framemap_str text; /* of a scalar, as it is written */
    uint32_t next;     /* behind everything that stands in this value */
    uint8_t type;      /* enum fm_r8_json_type */
    bool key_escaped, text_escaped;
    uint8_t depth; /* 0: the object itself */
};

struct fm_r8_json {
    struct fm_heap *heap;
    struct fm_r8_json_value *values; /* in the order of the text; values[0] is the object */
    size_t count, capacity;
    struct fm_buf scratch;
    bool failed; /* a text could not be unescaped for want of memory: whoever asked for texts looks here in the end */
};

void fm_r8_json_init(struct fm_r8_json *json, struct fm_heap *heap);
void fm_r8_json_free(struct fm_r8_json *json);

/* text begins with '{' and is borrowed. *out: whether it is one whole object with nothing but blanks behind it. MEMORY.
 */
framemap_status fm_r8_json_read(struct fm_r8_json *json, framemap_str text, bool *out, framemap_error *error);

/* Members of an object or elements of an array: the first, the next; 0: none. */
uint32_t fm_r8_json_first(const struct fm_r8_json *json, uint32_t value);
uint32_t fm_r8_json_next(const struct fm_r8_json *json, uint32_t value);
/* The last member of that name, or 0. name is plain ASCII. */
uint32_t fm_r8_json_get(struct fm_r8_json *json, uint32_t object, const char *name);

/* What Gson's getAsString gives: text, numbers and words as they are written, the only element of an array. false: it
 * has none. The text is borrowed from the input, or, unescaped, from json->scratch until the next call. */
bool fm_r8_json_text(struct fm_r8_json *json, uint32_t value, framemap_str *out);
framemap_str fm_r8_json_key(struct fm_r8_json *json, uint32_t value);

/* Integer.parseInt, and getAsInt on a value. */
bool fm_r8_parse_int(framemap_str text, int32_t *out);
bool fm_r8_json_int(struct fm_r8_json *json, uint32_t value, int32_t *out);

#endif
