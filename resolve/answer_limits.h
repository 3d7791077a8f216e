/* What one answer may still take. An index of some KB can claim thousands of alternatives of a thousand frames each,
 * all with one long name: what is beyond the limits is left out, and the answer says so. Limits of texts and frames
 * count what is told, so that an answer is cut at the same place whatever the view keeps already; that of memory counts
 * what making it took, and is reached only by names that take many times what they say. */
#ifndef FM_RESOLVE_ANSWER_LIMITS_H
#define FM_RESOLVE_ANSWER_LIMITS_H

#include "core/heap.h"
#include "core/limits.h"
#include <framemap/frame.h>

/* Of an answer that is not told whole. */
extern const char fm_over_limit[];

struct fm_answer_room {
    const struct fm_arena *arena; /* that the answer is made in */
    size_t memory_before;         /* of the arena */
    uint64_t tried;               /* bytes of names that were looked at and not told */
    uint64_t text, aliases;       /* bytes left */
    uint32_t frames;              /* left */
    framemap_frame *rows;         /* in which chains of alternatives are made, one after the other */
    size_t row_capacity;
    bool over; /* something was left out */
};

enum { FM_PASSING_WEIGHT = 8 }; /* what a demangler took and gave back costs time, and no memory */

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

/* Whether making the answer took too much already. room NULL: never, here and below. */
static inline bool fm_answer_is_spent(struct fm_answer_room *room)
{
    if (room == NULL || fm_answer_memory(room->arena) - room->memory_before + room->tried <= FM_LIMIT_ANSWER_MEMORY)
        return false;
    room->over = true;
    return true;
}

/* Takes room for one more frame with so many bytes of text. false: there is none, and the frame is to be left out. */
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

/* The same of all frames of a chain. */
static inline bool fm_answer_take_chain(struct fm_answer_room *room, size_t frames, uint64_t text)
{
    if (room == NULL) return true;
    if (frames > room->frames || text > room->text || fm_answer_is_spent(room)) return false;
    room->frames -= (uint32_t)frames;
    room->text -= text;
    return true;
}

/* The same of an alias. */
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

/* A name is looked at that may not be told. */
static inline void fm_answer_try(struct fm_answer_room *room, uint64_t text)
{
    if (room != NULL) room->tried += text;
}

#endif
