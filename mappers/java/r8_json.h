/* JSON as Gson's lenient reader accepts it, because R8 reads metadata with Gson: names and strings in either kind of
 * quotes or none, '=' and '=>' for ':', ';' for ',', comments, empty array elements. Time is linear in the text and
 * there is no recursion; text beyond the limits below is refused.
 *
 * Only the values that R8 uses are stored: the members of the outermost object, and the values directly inside them. */
#ifndef FM_MAPPERS_JAVA_R8_JSON_H
#define FM_MAPPERS_JAVA_R8_JSON_H

#include "core/text/buffer.h"

#define FM_R8_JSON_DEPTH 1024u
/* maximum number of values of one comment; the longest comments name a file for each class */
#define FM_R8_JSON_VALUES ((size_t)1 << 21)

enum fm_r8_json_type {
    FM_R8_JSON_NULL,
    FM_R8_JSON_TEXT,
    FM_R8_JSON_NUMBER,
    FM_R8_JSON_BOOL,
    FM_R8_JSON_ARRAY,
    FM_R8_JSON_OBJECT
};

struct fm_r8_json_value {
    framemap_str key;  /* key of a value in an object */
    framemap_str text; /* text of a scalar, as written */
    uint32_t next;     /* number of the first value after this one and its contents */
    uint8_t type;      /* enum fm_r8_json_type */
    bool key_escaped, text_escaped;
    uint8_t depth; /* number of containers around the value; the outermost object has 0 */
};

struct fm_r8_json {
    struct fm_heap *heap;
    struct fm_r8_json_value *values; /* the values in text order; values[0] is the outermost object */
    size_t count, capacity;
    struct fm_buf scratch;
    bool failed; /* out of memory while a text was unescaped; callers check it once at the end */
};

/* Initialises a reader, which keeps its buffers between texts. Call fm_r8_json_free in any case. */
void fm_r8_json_init(struct fm_r8_json *json, struct fm_heap *heap);
void fm_r8_json_free(struct fm_r8_json *json);

/* Parses text that starts with '{' and stays borrowed. *out: whether the text is one complete object that only blanks
 * follow. Errors: MEMORY. */
framemap_status fm_r8_json_read(struct fm_r8_json *json, framemap_str text, bool *out, framemap_error *error);

/* Return the first and the next member of an object, or element of an array; 0: there are no more. */
uint32_t fm_r8_json_first(const struct fm_r8_json *json, uint32_t value);
uint32_t fm_r8_json_next(const struct fm_r8_json *json, uint32_t value);
/* Returns the last member with that name, or 0. name: plain ASCII. */
uint32_t fm_r8_json_get(struct fm_r8_json *json, uint32_t object, const char *name);

/* Gets what Gson's getAsString returns: a string, number or word as written, or the only element of an array. false:
 * the value has no such text. The text is borrowed from the input, or, if it was unescaped, from json->scratch until
 * the next call.
 */
bool fm_r8_json_text(struct fm_r8_json *json, uint32_t value, framemap_str *out);
framemap_str fm_r8_json_key(struct fm_r8_json *json, uint32_t value);

/* Parse a number: fm_r8_parse_int a text as Java's Integer.parseInt does, fm_r8_json_int a value as Gson's getAsInt
 * does. */
bool fm_r8_parse_int(framemap_str text, int32_t *out);
bool fm_r8_json_int(struct fm_r8_json *json, uint32_t value, int32_t *out);

#endif
