/* Caches texts that were computed from other texts, for all threads, in a fixed amount of memory: the oldest entry is
 * overwritten first. A session has one, for demangled names: builds of one program have most names in common.
 *
 * The cache has parts, each with a lock and a ring of entries; the hash of a text chooses its part. Lookups return a
 * copy, so that an entry may be overwritten at any time. */
#ifndef FM_CORE_TEXT_MEMO_H
#define FM_CORE_TEXT_MEMO_H

#include "core/heap.h"
#include "core/thread.h"

#define FM_TEXT_MEMO_PART ((size_t)64 << 10) /* bytes of each part's ring */
enum { FM_TEXT_MEMO_PARTS = 64, FM_TEXT_MEMO_LINE = 64 };

struct fm_text_ring;
struct fm_text_memo_part {
    fm_mutex lock;
    struct fm_text_ring *ring;     /* ring of the entries; NULL: nothing was added yet */
    char apart[FM_TEXT_MEMO_LINE]; /* keeps the locks on different lines of the CPU's cache */
};
struct fm_text_memo {
    struct fm_heap *heap;
    unsigned part_count; /* number of parts; 0: nothing is cached */
    atomic_uint_least64_t used;
    _Atomic(struct fm_text_memo_part *) parts; /* array of the parts; NULL: nothing was added yet */
};

/* Initialises a memo. most: bytes that the texts may take; for less than FM_TEXT_MEMO_PART, nothing is cached.
 * Allocates nothing. The memo must not move afterwards. */
void fm_text_memo_init(struct fm_text_memo *memo, struct fm_heap *heap, uint64_t most);
/* Frees the memo's memory. No other thread may use the memo. */
void fm_text_memo_free(struct fm_text_memo *memo);
/* Returns what was computed from `key`, copied to the arena. tag: how it was computed. false: nothing is stored for the
 * key, or out of memory. memo may be NULL. Any thread. */
bool fm_text_memo_get(struct fm_text_memo *memo, framemap_str key, unsigned tag, struct fm_arena *arena,
                      framemap_str *out);
/* Caches a text. A text of more than a sixteenth of a ring is not cached, and nothing is cached when out of memory.
 * memo may be NULL. Any thread. */
void fm_text_memo_put(struct fm_text_memo *memo, framemap_str key, unsigned tag, framemap_str value);
/* Returns the bytes in use. Any thread. */
static inline uint64_t fm_text_memo_used(const struct fm_text_memo *memo)
{
    return atomic_load_explicit(&memo->used, memory_order_relaxed);
}

#endif
