/* Turns one location of an index into the frames of its inline chain. Called by the native resolver and by dumps. */
#ifndef FM_RESOLVE_NATIVE_INLINE_CHAIN_H
#define FM_RESOLVE_NATIVE_INLINE_CHAIN_H

#include "resolve/native/inline_chain_walk.h"

/* The frames of location `which` of a hit, innermost first, in the arena; strings may be borrowed from the view. Outer
 * frames that exceed the limits of the answer are left out. The innermost frame of the first location is always
 * returned; of another one it may be left out, and then the chain is empty. Errors: MEMORY, CORRUPT. */
framemap_status fm_chain_of(const struct fm_chain_context *context, const struct fm_hit *hit, uint32_t which,
                            framemap_frame_list *out, framemap_error *error);

/* Fast path of fm_chain_of for a short hit: succeeds if all frames of the chain are cached by the view and within the
 * limits, which is usual. Otherwise *out is empty, and fm_chain_of has to be called. Errors: MEMORY. */
framemap_status fm_chain_of_kept(const struct fm_chain_context *context, const struct fm_short_hit *found,
                                 framemap_frame_list *out, framemap_error *error);

/* The status of a frame, by what is known about it. */
static inline framemap_frame_status fm_chain_status(framemap_str file, framemap_str function)
{
    if (file.size) return FRAMEMAP_FRAME_OK;
    return function.size ? FRAMEMAP_FRAME_SYMBOL : FRAMEMAP_FRAME_NO_MATCH;
}

#endif
