/* Walking along the chain of a hit, from the innermost frame outwards. What is kept is read in place, compiled into
 * whoever walks: most lookups are of functions that were asked for before. */
#ifndef FM_RESOLVE_NATIVE_INLINE_CHAIN_WALK_H
#define FM_RESOLVE_NATIVE_INLINE_CHAIN_WALK_H

#include "core/heap.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "index/format/kinds.h"
#include "index/read/view.h"
#include "resolve/answer_limits.h"
#include <framemap/index.h>

/* What the frames of one answer have in common. */
struct fm_chain_context {
    const struct fm_view *view;
    struct fm_arena *arena;
    framemap_demangle demangle;
    framemap_kind kind;
    uint64_t position;           /* as asked for, before any step back: function offsets count from it */
    struct fm_answer_room *room; /* of the answer that the chain is part of; NULL: no limits but that of depth */
};

/* Where a walk along a chain stands: at one frame of it. */
struct fm_chain_step {
    const struct fm_view_frame *function; /* NULL: no function is known */
    uint32_t node;                        /* of that function */
    uint32_t line1, col1;
    framemap_str file;
    size_t depth;              /* frames inside of this one */
    struct fm_view_frame *own; /* the walker's: where `function` stands when the view does not keep it */
};

/* Whether the view caches demangled names of a style; both of these give the same names. */
static inline bool fm_chain_keeps_style(framemap_demangle style)
{
    return style == FRAMEMAP_DEMANGLE_DEFAULT || style == FRAMEMAP_DEMANGLE_LLVM;
}

/* Whether a function's name is shown otherwise than it is spelled. */
static inline bool fm_chain_is_mangled(const struct fm_chain_context *context, const struct fm_view_frame *function)
{
    return context->demangle != FRAMEMAP_DEMANGLE_NONE && (function->flags & FM_FRAME_MARKED) != 0;
}

/* Flags of functions of which the symbol table has a spelling of its own, or that are not shown as they are spelled:
 * few have one of these. */
static inline unsigned fm_chain_named_twice(const struct fm_chain_context *context)
{
    return FM_FRAME_SYMBOL | (context->demangle != FRAMEMAP_DEMANGLE_NONE ? FM_FRAME_MARKED | FM_FRAME_CLASS : 0u);
}

/* Whether names are of native code, where a function's class is the scopes around it. What Dart's debug info says is
 * the name that people know, and its symbols are the compiler's. */
static inline bool fm_chain_is_native(const struct fm_chain_context *context)
{
    return (fm_view_identity(context->view)->kind_row->flags & FM_KIND_CLASS_IS_SCOPE) != 0;
}

/* Whether a native function that is spelled as its source has it may have a longer name: by symbols, or by scopes. */
static inline bool fm_chain_has_more_names(const struct fm_chain_context *context, const struct fm_view_frame *function)
{
    return (function->flags & (FM_FRAME_SYMBOL | FM_FRAME_CLASS)) != 0 && fm_chain_is_native(context);
}

/* Both names of any function: fm_chain_names below. Names of the default style that are made are kept
 * by the view. */
void fm_chain_names_any(const struct fm_chain_context *context, const struct fm_view_frame *function, uint32_t node,
                        framemap_str *shown, framemap_str *symbol);

/* Both names of a step's function: shown, as people read it, and as the symbol file spells it; absent where that is the
 * same. */
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

/* The ways for all chains; with the words for what is damaged. name: of the place itself. Errors: MEMORY, CORRUPT.
 * They are given copies: a step whose address nobody knows stays in registers. */
framemap_status fm_chain_first_any(const struct fm_chain_context *context, const struct fm_hit *hit, uint32_t which,
                                   struct fm_chain_step *step, framemap_str *name, framemap_error *error);
framemap_status fm_chain_up_any(const struct fm_chain_context *context, uint32_t node, struct fm_chain_step *step,
                                framemap_error *error);

/* The error for a function record that cannot be read; OK and MEMORY stay what they are. */
framemap_status fm_chain_damaged_function(uint32_t node, framemap_status status, framemap_error *error);

/* A place in the home file of its node, whose frame the view keeps. */
static inline bool fm_chain_is_kept(const struct fm_short_hit *found)
{
    return found->place != NULL && found->file_code == 0 && fm_frame_is_ready(found->place);
}

/* The innermost frame of a hit's place. own: stays in use while the walk goes on. */
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
            (const void *)((uintptr_t)function - FM_FRAME_BYTES)); /* that of the function around it, most often */
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

/* The frame around it, of which fm_chain_more tells. */
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
