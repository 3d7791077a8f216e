/* Walks the inline chain of a hit, from the innermost frame outwards. The common case, frames that are in the cache of
 * the view, is inlined into the callers: inline_chain.c and lookup_many.c. */
#ifndef FM_RESOLVE_NATIVE_INLINE_CHAIN_WALK_H
#define FM_RESOLVE_NATIVE_INLINE_CHAIN_WALK_H

#include "core/heap.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "index/format/kinds.h"
#include "index/read/view.h"
#include "resolve/answer_limits.h"
#include <framemap/index.h>

/* What all frames of one answer share. */
struct fm_chain_context {
    const struct fm_view *view;
    struct fm_arena *arena;
    framemap_demangle demangle;
    framemap_kind kind;
    uint64_t position;           /* as queried, before any step back: function offsets count to it */
    struct fm_answer_room *room; /* limits of the answer that the chain is part of; NULL: only the depth is limited */
};

/* The state of a walk: one frame of the chain. */
struct fm_chain_step {
    const struct fm_view_frame *function; /* NULL: no function is known */
    uint32_t node;                        /* of that function */
    uint32_t line1, col1;
    framemap_str file;
    size_t depth;              /* number of frames inside this one */
    struct fm_view_frame *own; /* the caller's buffer for `function` when the view cannot cache it */
};

/* Whether the view caches demangled names of a style; both of these give the same names. */
static inline bool fm_chain_keeps_style(framemap_demangle style)
{
    return style == FRAMEMAP_DEMANGLE_DEFAULT || style == FRAMEMAP_DEMANGLE_LLVM;
}

/* Whether a function's name has to be demangled. */
static inline bool fm_chain_is_mangled(const struct fm_chain_context *context, const struct fm_view_frame *function)
{
    return context->demangle != FRAMEMAP_DEMANGLE_NONE && (function->flags & FM_FRAME_MARKED) != 0;
}

/* Flags for the few functions with a second name: the symbol table has another spelling, or the name is demangled or
 * qualified. */
static inline unsigned fm_chain_named_twice(const struct fm_chain_context *context)
{
    return FM_FRAME_SYMBOL | (context->demangle != FRAMEMAP_DEMANGLE_NONE ? FM_FRAME_MARKED | FM_FRAME_CLASS : 0u);
}

/* Whether the class of a function is the scopes around it, part of its full name. Not for Dart: its debug info has the
 * name from the source, and its symbols have names of the compiler. */
static inline bool fm_chain_is_native(const struct fm_chain_context *context)
{
    return (fm_view_identity(context->view)->kind_row->flags & FM_KIND_CLASS_IS_SCOPE) != 0;
}

/* Whether a native function whose name is not mangled may have a longer one, from a symbol or from its scopes. */
static inline bool fm_chain_has_more_names(const struct fm_chain_context *context, const struct fm_view_frame *function)
{
    return (function->flags & (FM_FRAME_SYMBOL | FM_FRAME_CLASS)) != 0 && fm_chain_is_native(context);
}

/* The slow path of fm_chain_names, for all functions; in function_names.c. Demangled names of the default style are
 * cached by the view. */
void fm_chain_names_any(const struct fm_chain_context *context, const struct fm_view_frame *function, uint32_t node,
                        framemap_str *shown, framemap_str *symbol);

/* Both names of a function: `shown`, for people, and `symbol`, as the symbol file spells it; absent where they are
 * equal. */
static inline void fm_chain_names(const struct fm_chain_context *context, const struct fm_view_frame *function,
                                  uint32_t node, framemap_str *shown, framemap_str *symbol)
{
    if ((function->flags & fm_chain_named_twice(context)) != 0) {
        fm_chain_names_any(context, function, node, shown, symbol);
        return;
    }
    *shown = fm_frame_name(function);
    *symbol = (framemap_str){NULL, 0};
}

/* The slow paths of fm_chain_first and fm_chain_up, for all chains. name: of the location itself. Errors: MEMORY,
 * CORRUPT. Callers pass copies of their step, so that the step itself can stay in registers. */
framemap_status fm_chain_first_any(const struct fm_chain_context *context, const struct fm_hit *hit, uint32_t which,
                                   struct fm_chain_step *step, framemap_str *name, framemap_error *error);
framemap_status fm_chain_up_any(const struct fm_chain_context *context, uint32_t node, struct fm_chain_step *step,
                                framemap_error *error);

/* Whether a hit is a location in the home file of its node, whose frame is cached. */
static inline bool fm_chain_is_kept(const struct fm_short_hit *found)
{
    return found->place != NULL && found->file_code == 0 && fm_frame_is_ready(found->place);
}

/* The innermost frame of location `which` of a hit. own: used until the walk ends. */
static inline framemap_status fm_chain_first(const struct fm_chain_context *context, const struct fm_hit *hit,
                                             uint32_t which, struct fm_view_frame *own, struct fm_chain_step *step,
                                             framemap_str *name, framemap_error *error)
{
    *step = (struct fm_chain_step){.own = own};
    *name = (framemap_str){NULL, 0};
    if (hit->place != NULL && fm_hit_is_home(hit) && fm_frame_is_ready(hit->place)) {
        const struct fm_view_frame *function = hit->place;
        uint32_t line1;
        fm_prefetch(
            (const void *)((uintptr_t)function - FM_FRAME_BYTES)); /* usually the frame of the calling function */
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
