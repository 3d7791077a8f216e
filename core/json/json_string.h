/* Running through the inside of strings of JSON, which are most of a document. Part of core/json/json_grammar.c. */
#ifndef FM_CORE_JSON_JSON_STRING_H
#define FM_CORE_JSON_JSON_STRING_H

#include <stdbool.h>

/* From inside a string to what has to be looked at by itself: the quote that ends it, a control character, the
 * backslash of what is no escape of two characters (\u, or none that JSON has), or `end`. Escapes of two characters are
 * passed over. *escaped becomes true where a backslash is met. Reads nothing from `end` on. */
const char *fm_json_string_run(const char *at, const char *end, bool *escaped);

/* The same by itself, for any CPU: what the tests hold the other ways against. */
const char *fm_json_string_run_plain(const char *at, const char *end, bool *escaped);

#endif
