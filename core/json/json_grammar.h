/* The grammar of RFC 8259, checked in one pass without recursion. Used by json.c and json_walk.c. */
#ifndef FM_CORE_JSON_JSON_GRAMMAR_H
#define FM_CORE_JSON_JSON_GRAMMAR_H

#include "core/limits.h"
#include <framemap/base.h>

/* Checks a whole text and counts its values and keys, which are the tokens that jsmn will need. Errors: CORRUPT with
 * the offset and what was expected there, LIMIT (depth, or a text of 2 GiB). *count is set on success. */
framemap_status fm_json_check(framemap_str text, uint32_t *count, framemap_error *error);

/* A cursor that checks everything it moves over. Initialise begin, at and end, and zero the rest. After a function has
 * returned false, only fm_json_grammar_fault may be called. */
struct fm_json_grammar {
    const char *begin, *at, *end;
    const char *wrong; /* what was expected at `at`; NULL while there is no error, and when the nesting is too deep */
    uint32_t depth, count;
    uint32_t closed;                            /* brackets closed since the last value began */
    uint64_t steps;                             /* steps that jsmn needs for the closing brackets so far */
    uint64_t objects[FM_LIMIT_JSON_DEPTH / 64]; /* bit i: the open bracket i is an object */
};
void fm_json_grammar_blanks(struct fm_json_grammar *grammar);
/* Skips blanks, then one value. */
bool fm_json_grammar_value(struct fm_json_grammar *grammar);
/* Moves from the opening quote of a string to after its closing quote. */
bool fm_json_grammar_string(struct fm_json_grammar *grammar, bool *escaped);
bool fm_json_grammar_colon(struct fm_json_grammar *grammar);
/* Whether only blanks are left. */
bool fm_json_grammar_end(struct fm_json_grammar *grammar);
framemap_status fm_json_grammar_fault(const struct fm_json_grammar *grammar, framemap_error *error);

#endif
