/* Strict JSON (RFC 8259) on top of the tokeniser jsmn.
 * jsmn itself accepts `{"a"}`, `[1,,3]`, `{"a":truu}` and two roots, and stops at a NUL byte with success. All of these
 * are errors here. */
#ifndef FM_CORE_JSON_JSON_H
#define FM_CORE_JSON_JSON_H

#include "core/heap.h"
#include "core/text/text.h"

enum fm_json_type { FM_JSON_NULL, FM_JSON_BOOL, FM_JSON_NUMBER, FM_JSON_STRING, FM_JSON_ARRAY, FM_JSON_OBJECT };

struct fm_json; /* a parsed document; it borrows its text */

/* Parses a text. Errors: CORRUPT with the offset and what was expected, LIMIT (depth, 2 GiB), MEMORY. */
framemap_status fm_json_parse(framemap_str text, struct fm_heap *heap, struct fm_json **out, framemap_error *error);
void fm_json_free(struct fm_json *json);

/* Values are token numbers: 0 is the root, and -1 means "no value". Every function accepts -1 and returns -1 or an
 * empty result for it. */
enum fm_json_type fm_json_type(const struct fm_json *json, int32_t value);
/* returns the first element, or the first key of an object */
int32_t fm_json_first(const struct fm_json *json, int32_t value);
/* returns the next element; for a key: the next key */
int32_t fm_json_next(const struct fm_json *json, int32_t value);
int32_t fm_json_value(const struct fm_json *json, int32_t key); /* returns the value of a key */
/* returns the value of the last member of that name, or -1 */
int32_t fm_json_get(const struct fm_json *json, int32_t object, const char *name);
/* returns the number of elements or members */
uint32_t fm_json_count(const struct fm_json *json, int32_t value);
/* Returns the bytes of a value as a slice of the source. A string is returned without its quotes, but with its
 * escapes. */
framemap_str fm_json_raw(const struct fm_json *json, int32_t value);
bool fm_json_is_true(const struct fm_json *json, int32_t value);
/* Returns false unless the value is an integer from 0 to UINT64_MAX. */
bool fm_json_u64(const struct fm_json *json, int32_t value, uint64_t *out);
bool fm_json_i64(const struct fm_json *json, int32_t value, int64_t *out);
/* Returns the unescaped string: borrowed if it has no escapes, else in the arena. Unpaired surrogates become U+FFFD.
 * false: not a string, or out of memory. */
bool fm_json_string(const struct fm_json *json, int32_t value, struct fm_arena *arena, framemap_str *out);

/* Two functions on the contents of a string, without quotes, whose grammar has been checked (`raw`). fm_json_unescape
 * returns the contents without escapes, as fm_json_string does; a spare byte of memory follows them. fm_json_equals
 * compares the unescaped contents with `text`. */
bool fm_json_unescape(framemap_str raw, struct fm_arena *arena, framemap_str *out);
bool fm_json_equals(framemap_str raw, framemap_str text);

#endif
