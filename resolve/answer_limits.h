/* Limits of one answer. An index of a few KB can claim thousands of alternatives of a thousand frames each, all with
 * one long name: what exceeds the limits is left out, and the answer reports it. The limits of strings and frames count
 * what is returned, so that an answer is cut at the same point whatever the cache of the view holds. The limit of
 * memory counts what was allocated; only names that need a multiple of their own size reach it. */
#ifndef FM_RESOLVE_ANSWER_LIMITS_H
#define FM_RESOLVE_ANSWER_LIMITS_H

#include "core/heap.h"
#include "core/limits.h"
#include <framemap/frame.h>

/* The reason of an answer from which something was left out because of the limits. Readers compare its address, not
 * its text. */
extern const char fm_over_limit[];

struct fm_answer_room {
    const struct fm_arena *arena; /* the answer is allocated in this arena */
    size_t memory_before;         /* bytes of the arena when the answer was started */
    uint64_t tried;               /* bytes of the names that were examined but are not in the answer */
    uint64_t text, aliases;       /* bytes of strings, and of aliases, that the answer may still have */
    uint32_t frames;              /* number of frames that the answer may still have */
    framemap_frame *rows;         /* buffer in which the chains of alternatives are built, one at a time */
    size_t row_capacity;
    bool over; /* whether something was left out of the answer */
};

/* memory that a demangler allocated and freed again counts an eighth of its size, because it cost only time */
enum { FM_PASSING_WEIGHT = 8 };

static inline size_t fm_answer_memory(const struct fm_arena *arena)
{
    return arena->total + arena->passing / FM_PASSING_WEIGHT;
}

static inline struct fm_answer_room fm_answer_room(const struct fm_arena *arena)
{
    return (struct fm_answer_room){.arena = arena,
                                   .memory_before = fm_answer_memory(arena),
                                   .text = FM_LIMIT_ANSWER_TEXT,
                                   .aliases = FM_LIMIT_ANSWER_ALIASES,
                                   .frames = FM_LIMIT_ANSWER_FRAMES};
}

/* Whether the answer has used up its memory. room NULL: the answer has no limits; the calls below accept NULL too. */
static inline bool fm_answer_is_spent(struct fm_answer_room *room)
{
    if (room == NULL || fm_answer_memory(room->arena) - room->memory_before + room->tried <= FM_LIMIT_ANSWER_MEMORY)
        return false;
    room->over = true;
    return true;
}

/* Accounts for one more frame with `text` bytes of strings. Returns false if a limit is exceeded: the caller must leave
 * the frame out. */
static inline bool fm_answer_take(struct fm_answer_room *room, uint64_t text)
{
    if (room == NULL) return true;
    if (fm_answer_is_spent(room)) return false;
    if (room->frames == 0 || text > room->text) {
        room->over = true;
        return false;
    }
    room->frames--;
    room->text -= text;
    return true;
}

/* Accounts for all frames of a chain with `text` bytes of strings. Returns false and accounts for nothing if a limit is
 * exceeded; `over` is set only if the memory is used up. */
static inline bool fm_answer_take_chain(struct fm_answer_room *room, size_t frames, uint64_t text)
{
    if (room == NULL) return true;
    if (frames > room->frames || text > room->text || fm_answer_is_spent(room)) return false;
    room->frames -= (uint32_t)frames;
    room->text -= text;
    return true;
}

/* Accounts for an alias of `text` bytes. Returns false and sets `over` if a limit is exceeded: the caller must leave
 * the alias out. */
static inline bool fm_answer_take_alias(struct fm_answer_room *room, uint64_t text)
{
    if (room == NULL) return true;
    if (fm_answer_is_spent(room)) return false;
    text += sizeof(framemap_str);
    if (text > room->aliases) {
        room->over = true;
        return false;
    }
    room->aliases -= text;
    return true;
}

/* Accounts for a name of `text` bytes that is examined, but may not become part of the answer. */
static inline void fm_answer_try(struct fm_answer_room *room, uint64_t text)
{
    if (room != NULL) room->tried += text;
}

#endif
