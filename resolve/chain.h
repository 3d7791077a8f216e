/* One place of an index to its inline chain. */
#ifndef FM_RESOLVE_CHAIN_H
#define FM_RESOLVE_CHAIN_H

#include "core/heap.h"
#include "index/view.h"
#include <framemap/index.h>

/* What the frames of one answer have in common. */
struct fm_chain_context {
    const struct fm_view *view;
    struct fm_arena *arena;
    framemap_demangle demangle;
    framemap_kind kind;
    struct fm_frames *frames; /* of the view */
    uint64_t position;        /* as asked for, before any step back: function offsets count from it */
};

/* The frames of a hit's place, innermost first, in the arena; texts may be the view's. Errors: MEMORY, CORRUPT. */
framemap_status fm_chain_of(const struct fm_chain_context *context, const struct fm_hit *hit, uint32_t which, framemap_frame_list *out,
                            framemap_error *error);

/* A name that may be mangled as people read it. Those of the default style are kept by the view. function: of fm_view_frame. */
framemap_str fm_chain_demangled(const struct fm_chain_context *context, uint32_t function, framemap_str spelled);

/* A function's name as people read it: that of how the index spells it. */
static inline framemap_str fm_chain_shown(const struct fm_chain_context *context, const struct fm_view_frame *function)
{
    const framemap_str spelled = fm_frame_name(function);
    if (context->demangle == FRAMEMAP_DEMANGLE_NONE || (function->flags & FM_FRAME_MARKED) == 0) return spelled;
    return fm_chain_demangled(context, function->function, spelled);
}

/* What became of one frame, by what is known of it. */
static inline framemap_frame_status fm_chain_status(framemap_str file, framemap_str function)
{
    if (file.size) return FRAMEMAP_FRAME_OK;
    return function.size ? FRAMEMAP_FRAME_SYMBOL : FRAMEMAP_FRAME_NO_MATCH;
}

#endif
