/* Walking strict JSON in place, value by value, without tokens: for documents whose strings are megabytes. All that is
 * walked over is checked by the whole grammar, and strings are neither copied nor unescaped before somebody wants them.
 */
#ifndef FM_CORE_JSON_JSON_WALK_H
#define FM_CORE_JSON_JSON_WALK_H

#include "core/heap.h"
#include "core/json/json.h"
#include "core/json/json_grammar.h"

struct fm_json_piece {
    framemap_str raw; /* as written; of strings without the quotes, escapes kept. NULL data: there is none */
    enum fm_json_type type;
    bool escaped; /* a string with a backslash */
};
static inline bool fm_json_piece_is(const struct fm_json_piece *piece, enum fm_json_type type)
{
    return piece->raw.data && piece->type == type;
}

/* After a call that gave false for a fault (`failed`) no other may follow but fm_json_walk_fault. */
struct fm_json_walk {
    struct fm_json_grammar grammar;
    char close; /* of the container that was opened last */
    bool inside, failed;
};
void fm_json_walk_init(struct fm_json_walk *walk, framemap_str text);
/* Whether the text's value is an object or array, and into it. Of what is opened only the members and elements are
 * walked: one level for one walk. */
bool fm_json_walk_open(struct fm_json_walk *walk, enum fm_json_type type);
/* The next member (key not NULL) or element. false: the container has ended, or a fault. */
bool fm_json_walk_next(struct fm_json_walk *walk, struct fm_json_piece *key, struct fm_json_piece *value);
/* The same in two steps: the key, then either its value or a walk of its own through that, which is to be walked to its
 * end before it is left. */
bool fm_json_walk_key(struct fm_json_walk *walk, struct fm_json_piece *key);
bool fm_json_walk_value(struct fm_json_walk *walk, struct fm_json_piece *value);
bool fm_json_walk_enter(const struct fm_json_walk *walk, enum fm_json_type type, struct fm_json_walk *inner);
/* value: the whole of it. false: the inner walk failed, and so has this one. */
bool fm_json_walk_leave(struct fm_json_walk *walk, const struct fm_json_walk *inner, struct fm_json_piece *value);
/* Behind the one value: nothing may follow. */
bool fm_json_walk_done(struct fm_json_walk *walk);
/* Errors: CORRUPT with offset and what was expected there, LIMIT (depth). */
framemap_status fm_json_walk_fault(const struct fm_json_walk *walk, framemap_error *error);

/* Whether a string, unescaped, is this. */
bool fm_json_piece_equals(const struct fm_json_piece *string, framemap_str text);
/* The string unescaped: borrowed when it has no escapes, else in the arena. Lone surrogates become U+FFFD. false: out
 * of memory. */
bool fm_json_piece_text(const struct fm_json_piece *string, struct fm_arena *arena, framemap_str *out);
/* A number that is integral and of at most 2^53, however it is written: 3, 3.0, 3e0. */
bool fm_json_piece_integer(const struct fm_json_piece *number, int64_t *out);

#endif
