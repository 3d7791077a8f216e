/* Packs the result of a lookup in an index into an answer of the answer cache, and unpacks the answer without the
 * index. Called by session/restore/recall.c. */
#ifndef FM_SESSION_CACHE_ANSWER_PACK_H
#define FM_SESSION_CACHE_ANSWER_PACK_H

#include "session/cache/answer_cache.h"
#include <framemap/frame.h>

/* Whether the result can be packed into an answer. It cannot if it has the range of a function but no frames, or if it
 * has very many frames. */
bool fm_answer_can_pack(const framemap_frame *result);
/* Appends status, reason, the restored frames with their aliases, alternatives and over_limit to an answer. */
void fm_answer_pack(const framemap_frame *result, struct fm_answer_writer *out);
/* Unpacks a result, and sets only the members that fm_restore_give copies. The strings are borrowed from the store, the
 * frames are in the arena. Returns false if out of memory. */
bool fm_answer_unpack(struct fm_wire *bytes, const struct fm_answer_store *store, struct fm_arena *arena,
                      framemap_frame *out);

#endif
