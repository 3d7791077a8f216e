/* One place of an index to its inline chain. */
#ifndef FM_RESOLVE_NATIVE_INLINE_CHAIN_H
#define FM_RESOLVE_NATIVE_INLINE_CHAIN_H

#include "resolve/native/inline_chain_walk.h"

/* The frames of a hit's place, innermost first, in the arena; texts may be the view's. Where there is no room for all
 * of them, the outer ones are left out; the innermost frame of the first place is always told, that of another may be
 * left out: then the chain is empty. Errors: MEMORY, CORRUPT. */
framemap_status fm_chain_of(const struct fm_chain_context *context, const struct fm_hit *hit, uint32_t which,
                            framemap_frame_list *out, framemap_error *error);

/* The same of what was found for a position, where the view keeps all frames of its chain, as mostly, and there is room
 * for them. *out is empty where not. */
framemap_status fm_chain_of_kept(const struct fm_chain_context *context, const struct fm_short_hit *found,
                                 framemap_frame_list *out, framemap_error *error);

/* What became of one frame, by what is known of it. */
static inline framemap_frame_status fm_chain_status(framemap_str file, framemap_str function)
{
    if (file.size) return FRAMEMAP_FRAME_OK;
    return function.size ? FRAMEMAP_FRAME_SYMBOL : FRAMEMAP_FRAME_NO_MATCH;
}

#endif
