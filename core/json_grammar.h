/* The grammar of RFC 8259, checked in one pass without recursion. Part of core/json.c. */
#ifndef FM_CORE_JSON_GRAMMAR_H
#define FM_CORE_JSON_GRAMMAR_H

#include <framemap/base.h>

/* Checks a whole text and counts its values and keys, which is what jsmn makes tokens of.
 * Errors: CORRUPT with offset and what was expected there, LIMIT (depth, 2 GiB). *count is written on success. */
framemap_status fm_json_check(framemap_str text, uint32_t *count, framemap_error *error);

#endif
