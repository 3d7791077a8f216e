/* Makes the names of the functions of an inline chain: full names, with scopes and parameters, even if debug info has
 * only the unqualified name. The common case, a function with one name, is inlined into the callers: inline_chain.c and
 * lookup_many.c. */
#ifndef FM_RESOLVE_NATIVE_FUNCTION_NAMES_H
#define FM_RESOLVE_NATIVE_FUNCTION_NAMES_H

#include "core/heap.h"
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
    uint64_t position;           /* position of the query, before any step back; function offsets are computed from
                                    it */
    struct fm_answer_room *room; /* limits of the answer that has the chain; NULL: only the depth is limited */
};

/* Whether the view caches names of this demangling style. The view caches names of the default style and of LLVM's,
 * which are the same. */
static inline bool fm_chain_keeps_style(framemap_demangle style)
{
    return style == FRAMEMAP_DEMANGLE_DEFAULT || style == FRAMEMAP_DEMANGLE_LLVM;
}

/* Whether a function's name has to be demangled. */
static inline bool fm_chain_is_mangled(const struct fm_chain_context *context, const struct fm_view_frame *function)
{
    return context->demangle != FRAMEMAP_DEMANGLE_NONE && (function->flags & FM_FRAME_MARKED) != 0;
}

/* Returns the flags that mark functions which may have a second name, because the symbol table has another spelling, or
 * because the name is demangled or qualified. Few functions have these flags. */
static inline unsigned fm_chain_named_twice(const struct fm_chain_context *context)
{
    return FM_FRAME_SYMBOL | (context->demangle != FRAMEMAP_DEMANGLE_NONE ? FM_FRAME_MARKED | FM_FRAME_CLASS : 0u);
}

/* Whether the class of a function contains the scopes around the function, and so is part of the full name. For Dart
 * this is false: its debug info has the names of the source, and its symbols have names that the compiler made. */
static inline bool fm_chain_is_native(const struct fm_chain_context *context)
{
    return (fm_view_identity(context->view)->kind_row->flags & FM_KIND_CLASS_IS_SCOPE) != 0;
}

/* Whether a native function whose name is not mangled may have a longer one, from a symbol or from its scopes. */
static inline bool fm_chain_has_more_names(const struct fm_chain_context *context, const struct fm_view_frame *function)
{
    return (function->flags & (FM_FRAME_SYMBOL | FM_FRAME_CLASS)) != 0 && fm_chain_is_native(context);
}

/* Reads the rare parts of a function (struct fm_view_more) into *more if *more is NULL. Errors: MEMORY, CORRUPT. */
static inline framemap_status fm_chain_more_of(const struct fm_chain_context *context, uint32_t node,
                                               const struct fm_view_more **more)
{
    return *more != NULL ? FRAMEMAP_OK : fm_view_more(context->view, node, context->arena, more);
}

/* Sets both names as fm_chain_names does, for any function; this is the slow path. Demangled names of the default style
 * are cached by the view. */
void fm_chain_names_any(const struct fm_chain_context *context, const struct fm_view_frame *function, uint32_t node,
                        const struct fm_view_more **more, framemap_str *shown, framemap_str *symbol);

/* Sets both names of a function: *shown is for people, and *symbol is as the symbol file spells it. *symbol is absent
 * if both are equal. *more: the rare parts of the function, or NULL; set if they were read. */
static inline void fm_chain_names(const struct fm_chain_context *context, const struct fm_view_frame *function,
                                  uint32_t node, const struct fm_view_more **more, framemap_str *shown,
                                  framemap_str *symbol)
{
    if ((function->flags & fm_chain_named_twice(context)) != 0) {
        fm_chain_names_any(context, function, node, more, shown, symbol);
        return;
    }
    *shown = fm_frame_name(function);
    *symbol = (framemap_str){NULL, 0};
}

/* --- declaring parts of the functions above, for the tests --- */

/* Gets the full name of a function from its symbol, demangled and without the suffixes that compilers add to parts and
 * copies of a function (".cold", ".part.0", ".isra.0"). Example: name "hidden", symbol "_ZN4demoL6hiddenEi.cold" gives
 * "demo::hidden(int)". false: the symbol is not mangled, or belongs to a function with another unqualified name. */
bool fm_whole_name(framemap_str name, framemap_str symbol, framemap_demangle style, struct fm_arena *arena,
                   framemap_str *out);

/* Whether a name is a placeholder such as "__hidden#81_": Apple's tools replace names by these in bitcode, and so in
 * the dSYM that is made from it. */
bool fm_is_placeholder(framemap_str name);

#endif
