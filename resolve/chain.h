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

/* The frames of one place, innermost first, in the arena. Errors: MEMORY, CORRUPT. */
framemap_status fm_chain_of(const struct fm_chain_context *context, const struct fm_view_place *place, framemap_frame_list *out,
                            framemap_error *error);

#endif
