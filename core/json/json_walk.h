/* Walks strict JSON in place, value by value, without tokens: for documents whose strings are megabytes. Everything
 * that is walked over is checked against the whole grammar. Strings are neither copied nor unescaped until that is
 * requested. */
#ifndef FM_CORE_JSON_JSON_WALK_H
#define FM_CORE_JSON_JSON_WALK_H

#include "core/heap.h"
#include "core/json/json.h"
#include "core/json/json_grammar.h"

struct fm_json_piece {
    framemap_str raw; /* the value as written; strings without the quotes, escapes unchanged. NULL data: no such
                         value */
    enum fm_json_type type;
    bool escaped; /* the value is a string that has a backslash */
};
static inline bool fm_json_piece_is(const struct fm_json_piece *piece, enum fm_json_type type)
{
    return piece->raw.data && piece->type == type;
}

/* After a function has returned false and set `failed`, only fm_json_walk_fault may be called. */
struct fm_json_walk {
    struct fm_json_grammar grammar;
    char close; /* closing bracket of the container that was opened last */
    bool inside, failed;
};
void fm_json_walk_init(struct fm_json_walk *walk, framemap_str text);
/* Enters the text's value if it is of this type (object or array). A walk visits the members or elements of this one
 * container only. */
bool fm_json_walk_open(struct fm_json_walk *walk, enum fm_json_type type);
/* Returns the next member (key not NULL) or element. false: the container has ended, or an error. */
bool fm_json_walk_next(struct fm_json_walk *walk, struct fm_json_piece *key, struct fm_json_piece *value);
/* Do the work of fm_json_walk_next in two steps. fm_json_walk_key reads the key; then fm_json_walk_value takes the
 * value, or fm_json_walk_enter starts a walk over the value's members. That walk must reach its end before
 * fm_json_walk_leave. */
bool fm_json_walk_key(struct fm_json_walk *walk, struct fm_json_piece *key);
bool fm_json_walk_value(struct fm_json_walk *walk, struct fm_json_piece *value);
bool fm_json_walk_enter(const struct fm_json_walk *walk, enum fm_json_type type, struct fm_json_walk *inner);
/* Ends the walk over an inner container. value: the whole inner container. false: the inner walk has failed, and so has
 * the outer one. */
bool fm_json_walk_leave(struct fm_json_walk *walk, const struct fm_json_walk *inner, struct fm_json_piece *value);
/* Checks that nothing follows the value. */
bool fm_json_walk_done(struct fm_json_walk *walk);
/* Returns why the walk failed. Errors: CORRUPT with the offset and what was expected there, LIMIT (depth). */
framemap_status fm_json_walk_fault(const struct fm_json_walk *walk, framemap_error *error);

/* Whether the unescaped string equals `text`. */
bool fm_json_piece_equals(const struct fm_json_piece *string, framemap_str text);
/* Returns the unescaped string: borrowed if it has no escapes, else in the arena. Unpaired surrogates become U+FFFD.
 * false: out of memory. */
bool fm_json_piece_text(const struct fm_json_piece *string, struct fm_arena *arena, framemap_str *out);
/* Gets the value of an integer of magnitude up to 2^53, in any spelling: 3, 3.0, 3e0. false: the number is not such an
 * integer. */
bool fm_json_piece_integer(const struct fm_json_piece *number, int64_t *out);

#endif
