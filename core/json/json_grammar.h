/* The grammar of RFC 8259, checked in one pass without recursion. Part of core/json/json.c and core/json/json_walk.c.
 */
#ifndef FM_CORE_JSON_JSON_GRAMMAR_H
#define FM_CORE_JSON_JSON_GRAMMAR_H

#include "core/limits.h"
#include <framemap/base.h>

/* Checks a whole text and counts its values and keys, which is what jsmn makes tokens of.
 * Errors: CORRUPT with offset and what was expected there, LIMIT (depth, 2 GiB). *count is written on success. */
framemap_status fm_json_check(framemap_str text, uint32_t *count, framemap_error *error);

/* A cursor that checks what it moves over. Begin with begin, at and end set and all else zero. After a call gave false
 * no other may follow but fm_json_grammar_fault. */
struct fm_json_grammar {
    const char *begin, *at, *end;
    const char *wrong; /* what was expected at `at`; NULL while all is well, and for nesting too deep */
    uint32_t depth, count;
    bool in_object[FM_LIMIT_JSON_DEPTH]; /* what each open bracket is */
};
void fm_json_grammar_blanks(struct fm_json_grammar *grammar);
/* One value to its end, blanks before it too. */
bool fm_json_grammar_value(struct fm_json_grammar *grammar);
/* At a quote: to behind the one that ends the string. */
bool fm_json_grammar_string(struct fm_json_grammar *grammar, bool *escaped);
bool fm_json_grammar_colon(struct fm_json_grammar *grammar);
/* Nothing but blanks is left. */
bool fm_json_grammar_end(struct fm_json_grammar *grammar);
framemap_status fm_json_grammar_fault(const struct fm_json_grammar *grammar, framemap_error *error);

#endif
