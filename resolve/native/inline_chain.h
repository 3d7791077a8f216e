/* Turns one location of an index into the frames of its inline chain, and walks that chain from the innermost frame
 * outwards. The common case of a step, a frame that is in the cache of the view, is inlined into the callers. Called by
 * the native resolver, by lookup_many.c and by dumps. */
#ifndef FM_RESOLVE_NATIVE_INLINE_CHAIN_H
#define FM_RESOLVE_NATIVE_INLINE_CHAIN_H

#include "core/limits.h"
#include "resolve/native/function_names.h"

/* Makes the frames of location `which` of a lookup result, innermost first, in the arena; strings may be borrowed from
 * the view. Outer frames that exceed the limits of the answer are left out. The innermost frame of the first location
 * is always returned; that of another location may be left out, and then the chain is empty. Errors: MEMORY,
 * CORRUPT. */
framemap_status fm_chain_of(const struct fm_chain_context *context, const struct fm_hit *hit, uint32_t which,
                            framemap_frame_list *out, framemap_error *error);

/* Makes the frames of a lookup result, as a fast path of fm_chain_of. Usually all frames of the chain are cached by the
 * view and within the limits; otherwise *out is empty, and fm_chain_of has to be called. Errors: MEMORY. */
framemap_status fm_chain_of_kept(const struct fm_chain_context *context, const struct fm_short_hit *found,
                                 framemap_frame_list *out, framemap_error *error);

/* Copies the machine code range and the aliases of the outermost frame of a chain to the answer's own frame. The chain
 * is not empty. */
void fm_chain_lift_root(const framemap_frame_list *chain, framemap_frame *out);

/* Returns the status of a frame, given its file and its function's name. */
static inline framemap_frame_status fm_chain_status(framemap_str file, framemap_str function)
{
    if (file.size) return FRAMEMAP_FRAME_OK;
    return function.size ? FRAMEMAP_FRAME_SYMBOL : FRAMEMAP_FRAME_NO_MATCH;
}

/* --- walking a chain --- */

/* The state of a walk: one frame of the chain. */
struct fm_chain_step {
    const struct fm_view_frame *function; /* function of the frame; NULL: not known */
    uint32_t node;                        /* node of that function */
    uint32_t line1, col1;
    framemap_str file;
    size_t depth;              /* number of frames inside of this one in the chain */
    struct fm_view_frame *own; /* the caller's buffer for `function` when the view cannot cache it */
};

/* The slow paths of fm_chain_first and fm_chain_up, for all chains. *name: the name that the location itself has.
 * Errors: MEMORY, CORRUPT. Callers pass copies of their step, so that the step itself can stay in registers. */
framemap_status fm_chain_first_any(const struct fm_chain_context *context, const struct fm_hit *hit, uint32_t which,
                                   struct fm_chain_step *step, framemap_str *name, framemap_error *error);
framemap_status fm_chain_up_any(const struct fm_chain_context *context, uint32_t node, struct fm_chain_step *step,
                                framemap_error *error);

/* Whether a lookup found a location in the home file of its function, and the function's frame is in the view's
 * cache. */
static inline bool fm_chain_is_kept(const struct fm_short_hit *found)
{
    return found->place != NULL && found->file_code == 0 && fm_frame_is_ready(found->place);
}

/* Makes the step for the innermost frame of location `which` of a lookup result. own: a buffer that is used until the
 * walk ends. */
static inline framemap_status fm_chain_first(const struct fm_chain_context *context, const struct fm_hit *hit,
                                             uint32_t which, struct fm_view_frame *own, struct fm_chain_step *step,
                                             framemap_str *name, framemap_error *error)
{
    *step = (struct fm_chain_step){.own = own};
    *name = (framemap_str){NULL, 0};
    if (hit->place != NULL && fm_hit_is_home(hit) && fm_frame_is_ready(hit->place)) {
        const struct fm_view_frame *function = hit->place;
        uint32_t line1;
        /* prefetches the slot before this function's slot, which usually has the frame of the calling function */
        fm_prefetch((const void *)((uintptr_t)function - FM_FRAME_BYTES));
        if (fm_hit_line(hit, function, &line1)) {
            *step = (struct fm_chain_step){
                function, hit->entry.node_code - 1, line1, hit->entry.col1, fm_frame_home(function), 0, own};
            return FRAMEMAP_OK;
        }
    }
    struct fm_chain_step first = *step;
    framemap_str place_name = *name;
    const framemap_status status = fm_chain_first_any(context, hit, which, &first, &place_name, error);
    *step = first;
    *name = place_name;
    return status;
}

static inline bool fm_chain_more(const struct fm_chain_step *step)
{
    return step->function != NULL && step->function->parent != FM_VIEW_NONE;
}

/* Moves to the calling function's frame; only after fm_chain_more returned true. */
static inline framemap_status fm_chain_up(const struct fm_chain_context *context, struct fm_chain_step *step,
                                          framemap_error *error)
{
    const struct fm_view_frame *inner = step->function;
    const uint32_t node = inner->parent;
    step->file = fm_frame_more(inner);
    step->line1 = inner->where.call.line1;
    step->col1 = inner->where.call.col1;
    const bool kept =
        ++step->depth < FM_LIMIT_INLINE_DEPTH && inner != step->own && node < fm_view_frames(context->view)->count;
    step->function = kept ? fm_frames_around(fm_view_frames(context->view), inner) : NULL;
    step->node = node;
    if (step->function != NULL) return FRAMEMAP_OK;
    struct fm_chain_step up = *step;
    const framemap_status status = fm_chain_up_any(context, node, &up, error);
    *step = up;
    return status;
}

#endif
