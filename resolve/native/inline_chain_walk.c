/* The slow paths of a walk: names that need demangling, frames that are not cached yet, locations of any kind. */
#include "resolve/native/inline_chain_walk.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "core/text_memo.h"
#include "resolve/demangle/demangle.h"
#include "resolve/native/function_names.h"

/* --- names --- */

/* Demangles a name, through the cache of the view. function: struct fm_view_frame's number. */
static framemap_str demangled(const struct fm_chain_context *context, uint32_t function, framemap_str spelled)
{
    const bool kept = fm_chain_keeps_style(context->demangle);
    const uint64_t row = function != UINT32_MAX ? function : FM_VIEW_NO_ROW;
    framemap_str shown;
    if (kept && fm_view_kept_name(context->view, row, &shown)) return shown;
    if (fm_answer_is_spent(context->room)) return spelled; /* the answer will be cut before this frame */
    struct fm_text_memo *shared = kept ? fm_view_shared_names(context->view) : NULL;
    if (fm_text_memo_get(shared, spelled, context->demangle, context->arena, &shown))
        return fm_view_keep_name(context->view, row, shown);
    shown = fm_demangle(spelled, context->demangle, context->arena);
    if (shown.data != spelled.data) fm_text_memo_put(shared, spelled, context->demangle, shown);
    /* An unchanged name is not cached: it may have run out of memory. */
    return kept && shown.data != spelled.data ? fm_view_keep_name(context->view, row, shown) : shown;
}

/* The full name of an out-of-line function from the symbol table: from the symbol that covers it, or from an alias.
 * false: none fits, or the records are damaged. */
static bool name_by_symbols(const struct fm_chain_context *context, const struct fm_view_frame *function, uint32_t node,
                            framemap_str *shown)
{
    const framemap_str name = fm_frame_name(function);
    const struct fm_view_more *more;
    if (fm_whole_name(name, fm_frame_more(function), context->demangle, context->arena, shown)) return true;
    if ((function->flags & FM_FRAME_MORE) == 0 ||
        fm_view_more(context->view, node, context->arena, &more) != FRAMEMAP_OK)
        return false;
    for (uint32_t i = 0; i < more->alias_count && !fm_answer_is_spent(context->room); i++) {
        if (fm_whole_name(name, more->aliases[i], context->demangle, context->arena, shown)) return true;
        fm_answer_try(context->room, more->aliases[i].size);
    }
    return false;
}

/* A name qualified by the scopes of its debug info. */
static framemap_str with_scopes(const struct fm_chain_context *context, uint32_t node, framemap_str name)
{
    const framemap_str join = FM_STR("::");
    const struct fm_view_more *more;
    if (fm_view_more(context->view, node, context->arena, &more) != FRAMEMAP_OK || more->class_name.size == 0)
        return name;
    char *text = fm_arena_alloc(context->arena, more->class_name.size + join.size + name.size);
    if (text == NULL) return name;
    memcpy(text, more->class_name.data, more->class_name.size);
    memcpy(text + more->class_name.size, join.data, join.size);
    memcpy(text + more->class_name.size + join.size, name.data, name.size);
    return fm_str(text, more->class_name.size + join.size + name.size);
}

/* The full name of a function whose own name is not mangled. It belongs to the node, not to the function: instances of
 * a template have different full names. */
static framemap_str whole(const struct fm_chain_context *context, const struct fm_view_frame *function, uint32_t node)
{
    const framemap_str name = fm_frame_name(function);
    const bool kept = fm_chain_keeps_style(context->demangle);
    const bool outermost = function->parent == FM_VIEW_NONE;
    framemap_str shown;
    if (kept && fm_view_kept_whole_name(context->view, node, &shown)) return shown;
    if (!outermost || !name_by_symbols(context, function, node, &shown))
        shown = function->flags & FM_FRAME_CLASS ? with_scopes(context, node, name) : name;
    /* Not cached if the limits ended the search: the next query may find more. */
    return kept && !fm_answer_is_spent(context->room) ? fm_view_keep_whole_name(context->view, node, shown) : shown;
}

/* Whether debug info has a placeholder where the symbol table has a name. */
static bool has_placeholder(const struct fm_view_frame *function)
{
    if (function->parent != FM_VIEW_NONE || !fm_is_placeholder(fm_frame_name(function))) return false;
    const framemap_str own = fm_frame_more(function);
    return own.size > 0 && !fm_is_placeholder(own);
}

void fm_chain_names_any(const struct fm_chain_context *context, const struct fm_view_frame *function, uint32_t node,
                        framemap_str *shown, framemap_str *symbol)
{
    const bool nameless = has_placeholder(function);
    framemap_str spelled = nameless ? (framemap_str){NULL, 0} : fm_frame_name(function);
    *shown =
        !nameless && fm_chain_is_mangled(context, function) ? demangled(context, function->function, spelled) : spelled;
    if (context->demangle != FRAMEMAP_DEMANGLE_NONE && spelled.size > 0 && fm_chain_has_more_names(context, function) &&
        (shown->data == spelled.data || fm_str_equal(*shown, spelled)))
        *shown = whole(context, function, node);
    if (function->parent == FM_VIEW_NONE) { /* the symbol table may have a spelling of its own */
        const framemap_str own = fm_frame_more(function);
        if (own.size > 0) spelled = own;
        if (shown->size == 0) *shown = fm_demangle(own, context->demangle, context->arena);
    }
    const bool same = spelled.data == shown->data || fm_str_equal(spelled, *shown);
    *symbol = same ? (framemap_str){NULL, 0} : spelled;
}

/* --- walking --- */

static framemap_status damaged(framemap_status status, const char *what, framemap_error *error)
{
    if (status == FRAMEMAP_OK) return status;
    return status == FRAMEMAP_E_MEMORY ? fm_error_memory(error)
                                       : fm_error_set(error, status, "the index is damaged: %s", what);
}

framemap_status fm_chain_damaged_function(uint32_t node, framemap_status status, framemap_error *error)
{
    if (status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY) return damaged(status, "", error);
    return fm_error_set(error, status, "the index is damaged: function record %u can't be read", (unsigned)node);
}

static framemap_status go_to(const struct fm_chain_context *context, uint32_t node, struct fm_chain_step *step)
{
    step->node = node;
    return fm_view_node_frame(context->view, node, context->arena, step->own, &step->function);
}

/* The innermost step of a chain, for any kind of hit. */
static framemap_status first_by_link(const struct fm_chain_context *context, const struct fm_hit *hit, uint32_t which,
                                     struct fm_chain_step *step, framemap_str *name)
{
    struct fm_view_link link;
    framemap_status status = fm_view_link_first(context->view, hit, which, &link, name);
    if (status != FRAMEMAP_OK) return status;
    step->line1 = link.line1;
    step->col1 = link.col1;
    status = fm_view_path(context->view, link.file, context->arena, &step->file);
    return status == FRAMEMAP_OK && link.node != FM_VIEW_NONE ? go_to(context, link.node, step) : status;
}

static framemap_status first_plain(const struct fm_chain_context *context, const struct fm_hit *hit,
                                   struct fm_chain_step *step)
{
    const framemap_status status = go_to(context, hit->entry.node_code - 1, step);
    if (status != FRAMEMAP_OK) return status;
    step->col1 = hit->entry.col1;
    step->file = fm_frame_home(step->function);
    if (!fm_hit_line(hit, step->function, &step->line1)) return FRAMEMAP_E_CORRUPT;
    return fm_hit_is_home(hit) ? FRAMEMAP_OK : fm_view_hit_path(context->view, hit, context->arena, &step->file);
}

framemap_status fm_chain_first_any(const struct fm_chain_context *context, const struct fm_hit *hit, uint32_t which,
                                   struct fm_chain_step *step, framemap_str *name, framemap_error *error)
{
    const framemap_status status = fm_hit_is_plain(fm_view_frames(context->view), hit)
                                       ? first_plain(context, hit, step)
                                       : first_by_link(context, hit, which, step, name);
    return damaged(status, "an answer can't be read", error);
}

framemap_status fm_chain_up_any(const struct fm_chain_context *context, uint32_t node, struct fm_chain_step *step,
                                framemap_error *error)
{
    /* A damaged index can have a chain of all its nodes. */
    if (step->depth == FM_LIMIT_INLINE_DEPTH)
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the index is damaged: a chain of inlined functions has no end");
    return fm_chain_damaged_function(node, go_to(context, node, step), error);
}
