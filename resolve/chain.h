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
    uint64_t position; /* as asked for, before any step back: function offsets count from it */
};

/* The frames of a hit's place, innermost first, in the arena; texts may be the view's. Errors: MEMORY, CORRUPT. */
framemap_status fm_chain_of(const struct fm_chain_context *context, const struct fm_hit *hit, uint32_t which, framemap_frame_list *out,
                            framemap_error *error);

/* The names of a link's function: what people read, and how the index spells it. Readable names of the default style are kept by the view. */
struct fm_chain_names {
    framemap_str shown, spelled, class_name;
};
framemap_str fm_chain_shown(const struct fm_chain_context *context, uint64_t function, framemap_str spelled);
framemap_status fm_chain_names(const struct fm_chain_context *context, const struct fm_view_link *link, struct fm_chain_names *out);

/* The place of the innermost frame, and that of the frame around a link; with the words for what is damaged. */
framemap_status fm_chain_first(const struct fm_chain_context *context, const struct fm_hit *hit, uint32_t which, struct fm_view_link *link,
                               framemap_str *name, framemap_error *error);
framemap_status fm_chain_up(const struct fm_chain_context *context, struct fm_view_link *link, size_t depth, framemap_error *error);

/* What became of one frame, by what is known of it. */
static inline framemap_frame_status fm_chain_status(framemap_str file, framemap_str function)
{
    if (file.size) return FRAMEMAP_FRAME_OK;
    return function.size ? FRAMEMAP_FRAME_SYMBOL : FRAMEMAP_FRAME_NO_MATCH;
}

#endif
