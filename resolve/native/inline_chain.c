#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "resolve/native/full_name.h"
#include "resolve/native/inline_chain_walk.h"
#include "resolve/resolve.h"

/* Most chains are short; longer ones move. */
enum { FRAMES_AT_FIRST = 4 };

struct frames {
    framemap_frame *rows;
    size_t count, capacity;
};

static framemap_frame *add_frame(struct fm_arena *arena, struct frames *frames)
{
    if (frames->count == frames->capacity) {
        const size_t capacity = frames->capacity ? 4 * frames->capacity : FRAMES_AT_FIRST;
        framemap_frame *rows = fm_arena_alloc(arena, capacity * sizeof *rows);
        if (rows == NULL) return NULL;
        if (frames->count) memcpy(rows, frames->rows, frames->count * sizeof *rows);
        frames->rows = rows;
        frames->capacity = capacity;
    }
    framemap_frame *frame = &frames->rows[frames->count++];
    memset(frame, 0, sizeof *frame);
    frame->index = -1;
    return frame;
}

/* --- names --- */

/* Names of these styles, which are one, are kept. */
static bool is_kept_style(framemap_demangle style)
{
    return style == FRAMEMAP_DEMANGLE_DEFAULT || style == FRAMEMAP_DEMANGLE_LLVM;
}

/* A name that may be mangled as people read it. function: of fm_view_frame. */
static framemap_str demangled(const struct fm_chain_context *context, uint32_t function, framemap_str spelled)
{
    const bool kept = is_kept_style(context->demangle);
    const uint64_t row = function != UINT32_MAX ? function : FM_VIEW_NO_ROW;
    framemap_str shown;
    if (kept && fm_view_kept_name(context->view, row, &shown)) return shown;
    if (fm_answer_is_spent(context->room)) return spelled; /* the answer will be cut before this frame */
    shown = fm_demangle(spelled, context->demangle, context->arena);
    /* A name that comes back as it was is asked about again: want of memory looks the same. */
    return kept && shown.data != spelled.data ? fm_view_keep_name(context->view, row, shown) : shown;
}

/* What the symbol table says of an outermost function that debug info names without scopes and parameters: the symbol
 * that covers it, or one of the others that start where that does. Damaged records say nothing. */
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

/* A name with the scopes that debug info has it in. */
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

/* The whole name of a function whose own name is not mangled. That of code of one function in several places may
 * differ: templates have one for each type. */
static framemap_str whole(const struct fm_chain_context *context, const struct fm_view_frame *function, uint32_t node)
{
    const framemap_str name = fm_frame_name(function);
    const bool kept = is_kept_style(context->demangle);
    const bool outermost = function->parent == FM_VIEW_NONE;
    framemap_str shown;
    if (kept && fm_view_kept_whole_name(context->view, node, &shown)) return shown;
    if (!outermost || !name_by_symbols(context, function, node, &shown))
        shown = function->flags & FM_FRAME_CLASS ? with_scopes(context, node, name) : name;
    /* What was given up for want of room may be found by the next question. */
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

static framemap_status damaged_function(uint32_t node, framemap_status status, framemap_error *error)
{
    if (status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY) return damaged(status, "", error);
    return fm_error_set(error, status, "the index is damaged: function record %u can't be read", (unsigned)node);
}

static framemap_status go_to(const struct fm_chain_context *context, uint32_t node, struct fm_chain_step *step)
{
    step->node = node;
    return fm_view_frame(context->view, node, context->arena, step->own, &step->function);
}

/* A hit of any kind. */
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
    /* A damaged index can hold a chain of all its nodes: the limit ends it. */
    if (step->depth == FM_LIMIT_INLINE_DEPTH)
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the index is damaged: a chain of inlined functions has no end");
    return damaged_function(node, go_to(context, node, step), error);
}

/* --- one frame --- */

/* As many as there is room for. They are kept where all of them come back as other texts: want of memory looks as if
 * they were not mangled. NULL: out of memory. */
static const framemap_str *demangle_aliases(const struct fm_chain_context *context, uint32_t node,
                                            const struct fm_view_more *more, uint32_t *count)
{
    framemap_str *aliases = fm_arena_alloc(context->arena, more->alias_count * sizeof *aliases);
    bool kept = is_kept_style(context->demangle);
    if (aliases == NULL) return NULL;
    for (*count = 0; *count < more->alias_count; ++*count) {
        const framemap_str spelled = more->aliases[*count];
        aliases[*count] = fm_demangle(spelled, context->demangle, context->arena);
        if (aliases[*count].data == spelled.data) kept = false;
        if (!fm_answer_take_alias(context->room, aliases[*count].size)) return aliases;
    }
    return kept ? fm_view_keep_aliases(context->view, node, aliases, more->alias_count) : aliases;
}

/* How many of them there is room for. */
static uint32_t take_aliases(struct fm_answer_room *room, const framemap_str *aliases, uint32_t count)
{
    uint32_t taken = 0;
    while (taken < count && fm_answer_take_alias(room, aliases[taken].size)) taken++;
    return taken;
}

static framemap_status add_aliases(const struct fm_chain_context *context, uint32_t node,
                                   const struct fm_view_more *more, framemap_frame *frame)
{
    uint32_t count;
    if (more->alias_count == 0) return FRAMEMAP_OK;
    frame->aliases = is_kept_style(context->demangle) ? fm_view_kept_aliases(context->view, node) : NULL;
    if (frame->aliases != NULL)
        count = take_aliases(context->room, frame->aliases, more->alias_count);
    else
        frame->aliases = demangle_aliases(context, node, more, &count);
    if (frame->aliases == NULL) return FRAMEMAP_E_MEMORY;
    frame->alias_count = count;
    return FRAMEMAP_OK;
}

/* What few functions have. */
static framemap_status fill_more(const struct fm_chain_context *context, uint32_t node, framemap_frame *frame,
                                 framemap_error *error)
{
    const struct fm_view_more *more;
    framemap_status status = fm_view_more(context->view, node, context->arena, &more);
    if (status == FRAMEMAP_OK) {
        const bool tells_class = !fm_chain_is_native(context); /* scopes are part of the name */
        if (tells_class && fm_answer_take_alias(context->room, more->class_name.size))
            frame->class_name = more->class_name;
        if (!frame->inlined) {
            frame->function_size = more->size;
            status = add_aliases(context, node, more, frame);
        }
    }
    return damaged_function(node, status, error);
}

static inline framemap_status fill_function(const struct fm_chain_context *context,
                                            const struct fm_view_frame *function, uint32_t node, framemap_frame *frame,
                                            framemap_error *error)
{
    frame->inlined = function->parent != FM_VIEW_NONE;
    frame->declared_line = function->decl_line1;
    frame->artificial = (function->flags & FM_NODE_ARTIFICIAL) != 0;
    if (function->flags & FM_FRAME_DECLARED) frame->declared_file = fm_frame_home(function);
    fm_chain_names(context, function, node, &frame->function, &frame->symbol);
    if ((function->flags & FM_NODE_HAS_START) && context->position >= function->where.start) {
        frame->has_function_offset = true;
        frame->function_offset = context->position - function->where.start;
    }
    if (!frame->inlined) frame->function_size = function->size;
    return function->flags & FM_FRAME_MORE ? fill_more(context, node, frame, error) : FRAMEMAP_OK;
}

static inline void fill_place(const struct fm_chain_context *context, framemap_str file, uint32_t line1, uint32_t col1,
                              framemap_frame *frame)
{
    frame->kind = context->kind;
    frame->line = line1;
    frame->column = col1;
    frame->file = file;
}

/* --- the chain --- */

/* Bytes of text that a frame takes: those that it tells, and its function's home, which may have been joined for it
 * alone. */
static inline uint64_t text_of(const struct fm_view_frame *function, const framemap_frame *frame)
{
    return (uint64_t)frame->file.size + frame->function.size + frame->symbol.size +
           (function != NULL ? function->home_size : 0);
}

static framemap_status fill_frame(const struct fm_chain_context *context, const struct fm_chain_step *step,
                                  framemap_frame *frame, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    fill_place(context, step->file, step->line1, step->col1, frame);
    if (step->function != NULL) status = fill_function(context, step->function, step->node, frame, error);
    frame->status = fm_chain_status(frame->file, frame->function);
    return status;
}

static framemap_status fill_chain(const struct fm_chain_context *context, const struct fm_hit *hit, uint32_t which,
                                  struct frames *frames, framemap_error *error)
{
    struct fm_view_frame own;
    struct fm_chain_step step;
    framemap_str name;
    framemap_status status = fm_chain_first(context, hit, which, &own, &step, &name, error);
    for (bool more = true; more && status == FRAMEMAP_OK;) {
        framemap_frame *frame = add_frame(context->arena, frames);
        if (frame == NULL) return fm_error_memory(error);
        status = fill_frame(context, &step, frame, error);
        if (frames->count == 1) frame->name = name;
        if (!fm_answer_take(context->room, text_of(step.function, frame) + frame->name.size) &&
            (frames->count > 1 || which > 0)) {
            frames->count--;
            return status;
        }
        more = fm_chain_more(&step);
        if (more && status == FRAMEMAP_OK) status = fm_chain_up(context, &step, error);
    }
    return status;
}

/* Chains of alternatives are many, and short: they are made in one place, and then have no more room than they take. */
static framemap_status other_chain(const struct fm_chain_context *context, const struct fm_hit *hit, uint32_t which,
                                   framemap_frame_list *out, framemap_error *error)
{
    struct fm_answer_room *room = context->room;
    struct frames frames = {room->rows, 0, room->row_capacity};
    const framemap_status status = fill_chain(context, hit, which, &frames, error);
    room->rows = frames.rows;
    room->row_capacity = frames.capacity;
    if (status != FRAMEMAP_OK) return status;
    framemap_frame *rows = fm_arena_alloc(context->arena, frames.count * sizeof *rows);
    if (rows == NULL) return fm_error_memory(error);
    if (frames.count > 0) memcpy(rows, frames.rows, frames.count * sizeof *rows);
    *out = (framemap_frame_list){rows, frames.count};
    return FRAMEMAP_OK;
}

framemap_status fm_chain_of(const struct fm_chain_context *context, const struct fm_hit *hit, uint32_t which,
                            framemap_frame_list *out, framemap_error *error)
{
    struct frames frames = {NULL, 0, 0};
    if (which > 0 && context->room != NULL) return other_chain(context, hit, which, out, error);
    const framemap_status status = fill_chain(context, hit, which, &frames, error);
    if (status == FRAMEMAP_OK) *out = (framemap_frame_list){frames.rows, frames.count};
    return status;
}

/* *out is left alone where a frame is not kept, or there is no room for it. */
static framemap_status chain_kept(const struct fm_chain_context *context, const struct fm_short_hit *found,
                                  uint32_t line1, framemap_frame_list *out, framemap_error *error)
{
    struct frames frames = {NULL, 0, 0};
    const struct fm_view_frame *function = found->place;
    uint32_t node = found->node_code - 1, col1 = found->col1;
    uint64_t text = 0;
    framemap_str file = fm_frame_home(function);
    while (function != NULL && frames.count < FM_LIMIT_INLINE_DEPTH) {
        framemap_frame *frame = add_frame(context->arena, &frames);
        if (frame == NULL) return fm_error_memory(error);
        fill_place(context, file, line1, col1, frame);
        const framemap_status status = fill_function(context, function, node, frame, error);
        if (status != FRAMEMAP_OK) return status;
        frame->status = fm_chain_status(file, frame->function);
        text += text_of(function, frame);
        if (function->parent == FM_VIEW_NONE) {
            if (!fm_answer_take_chain(context->room, frames.count, text)) return FRAMEMAP_OK;
            *out = (framemap_frame_list){frames.rows, frames.count};
            break;
        }
        file = fm_frame_more(function);
        line1 = function->where.call.line1;
        col1 = function->where.call.col1;
        node = function->parent;
        function = fm_frames_around(fm_view_frames(context->view), function);
    }
    return FRAMEMAP_OK;
}

framemap_status fm_chain_of_kept(const struct fm_chain_context *context, const struct fm_short_hit *found,
                                 framemap_frame_list *out, framemap_error *error)
{
    uint32_t line1;
    *out = (framemap_frame_list){NULL, 0};
    if (!fm_chain_is_kept(found) || !fm_short_line(found, found->place, &line1)) return FRAMEMAP_OK;
    struct fm_answer_room *room = context->room;
    const uint64_t aliases = room != NULL ? room->aliases : 0;
    const framemap_status status = chain_kept(context, found, line1, out, error);
    if (out->count > 0 || room == NULL) return status;
    room->aliases = aliases; /* fm_chain_of is asked next */
    room->over = false;      /* it was, or nothing would have been asked for */
    return status;
}
