/* Fast scan of the contents of JSON strings, which are most of a document. Used by json_grammar.c and by
 * formats/json_document.c. */
#ifndef FM_CORE_JSON_JSON_STRING_H
#define FM_CORE_JSON_JSON_STRING_H

#include <stdbool.h>

/* Moves from inside a string to the first byte that needs attention: the closing quote, a control character, the
 * backslash of \u or of an invalid escape, or `end`. Two-character escapes are skipped. *escaped is set to true if
 * there is a backslash. Reads nothing at or after `end`. */
const char *fm_json_string_run(const char *at, const char *end, bool *escaped);

/* The portable version of fm_json_string_run; the tests compare the vector version with it. */
const char *fm_json_string_run_plain(const char *at, const char *end, bool *escaped);

#endif
