/* Walks inline chains, and builds their frames within the limits of the answer. Implements inline_chain.h. */
#include "resolve/native/inline_chain.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/mangled.h"
#include "core/text/text.h"
#include "resolve/demangle/demangle.h"

/* --- walking a chain: the steps that are not inlined in inline_chain.h --- */

static framemap_status damaged(framemap_status status, const char *what, framemap_error *error)
{
    if (status == FRAMEMAP_OK) return status;
    return status == FRAMEMAP_E_MEMORY ? fm_error_memory(error)
                                       : fm_error_set(error, status, "the index is damaged: %s", what);
}

/* Sets the error for a function record that cannot be read; OK and MEMORY are returned unchanged. */
static framemap_status damaged_function(uint32_t node, framemap_status status, framemap_error *error)
{
    if (status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY) return damaged(status, "", error);
    return fm_error_set(error, status, "the index is damaged: function record %u can't be read", (unsigned)node);
}

static framemap_status go_to(const struct fm_chain_context *context, uint32_t node, struct fm_chain_step *step)
{
    step->node = node;
    return fm_view_node_frame(context->view, node, context->arena, step->own, &step->function);
}

/* Makes the innermost step of a chain for any lookup result. */
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
    /* The depth is limited, because in a damaged index a chain may include all nodes. */
    if (step->depth == FM_LIMIT_INLINE_DEPTH)
        return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the index is damaged: a chain of inlined functions has no end");
    return damaged_function(node, go_to(context, node, step), error);
}

/* --- growing the list of frames --- */

/* Initial capacity: most chains are short; longer ones are moved. */
enum { FRAMES_AT_FIRST = 4 };

struct frames {
    framemap_frame *rows;
    size_t count, capacity;
};

static framemap_frame *chain_add_frame(struct fm_arena *arena, struct frames *frames)
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

/* --- making one frame --- */

/* Demangles aliases, within the limits of the answer. The aliases are cached only if demangling changed all of them,
 * because an unchanged name may be the result of a lack of memory. Returns NULL when out of memory. */
static const framemap_str *demangle_aliases(const struct fm_chain_context *context, uint32_t node,
                                            const struct fm_view_more *more, uint32_t *count)
{
    framemap_str *aliases = fm_arena_alloc(context->arena, more->alias_count * sizeof *aliases);
    bool kept = fm_chain_keeps_style(context->demangle);
    if (aliases == NULL) return NULL;
    for (*count = 0; *count < more->alias_count; ++*count) {
        const framemap_str spelled = more->aliases[*count];
        aliases[*count] = fm_demangle(spelled, context->demangle, context->arena);
        if (aliases[*count].data == spelled.data) kept = false;
        if (!fm_answer_take_alias(context->room, aliases[*count].size)) return aliases;
    }
    return kept ? fm_view_keep_aliases(context->view, node, aliases, more->alias_count) : aliases;
}

/* Returns how many aliases are within the limits of the answer, and accounts for them. */
static uint32_t take_aliases(struct fm_answer_room *room, const framemap_str *aliases, uint32_t count)
{
    uint32_t taken = 0;
    while (taken < count && fm_answer_take_alias(room, aliases[taken].size)) taken++;
    return taken;
}

static bool any_may_be_mangled(const struct fm_view_more *more)
{
    for (uint32_t i = 0; i < more->alias_count; i++)
        if (fm_may_be_mangled(more->aliases[i])) return true;
    return false;
}

static framemap_status add_aliases(const struct fm_chain_context *context, uint32_t node,
                                   const struct fm_view_more *more, framemap_frame *frame)
{
    uint32_t count;
    if (more->alias_count == 0) return FRAMEMAP_OK;
    if (!any_may_be_mangled(more)) {
        frame->aliases = more->aliases;
        frame->alias_count = take_aliases(context->room, more->aliases, more->alias_count);
        return FRAMEMAP_OK;
    }
    frame->aliases = fm_chain_keeps_style(context->demangle) ? fm_view_kept_aliases(context->view, node) : NULL;
    if (frame->aliases != NULL)
        count = take_aliases(context->room, frame->aliases, more->alias_count);
    else
        frame->aliases = demangle_aliases(context, node, more, &count);
    if (frame->aliases == NULL) return FRAMEMAP_E_MEMORY;
    frame->alias_count = count;
    return FRAMEMAP_OK;
}

/* Fills the parts of a frame that few frames have: class, full size, aliases. more: these parts; NULL: not read yet. */
static framemap_status fill_more(const struct fm_chain_context *context, uint32_t node, const struct fm_view_more *more,
                                 framemap_frame *frame, framemap_error *error)
{
    framemap_status status = fm_chain_more_of(context, node, &more);
    if (status == FRAMEMAP_OK) {
        const bool has_own_class = !fm_chain_is_native(context); /* in native code the class is part of the full name */
        if (has_own_class && fm_answer_take_alias(context->room, more->class_name.size))
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
    const struct fm_view_more *more = NULL;
    frame->inlined = function->parent != FM_VIEW_NONE;
    frame->declared_line = function->decl_line1;
    frame->artificial = (function->flags & FM_NODE_ARTIFICIAL) != 0;
    if (function->flags & FM_FRAME_DECLARED) frame->declared_file = fm_frame_home(function);
    fm_chain_names(context, function, node, &more, &frame->function, &frame->symbol);
    if ((function->flags & FM_NODE_HAS_START) && context->position >= function->where.start) {
        frame->has_function_offset = true;
        frame->function_offset = context->position - function->where.start;
    }
    if (!frame->inlined) frame->function_size = function->size;
    return function->flags & FM_FRAME_MORE ? fill_more(context, node, more, frame, error) : FRAMEMAP_OK;
}

static inline void fill_place(const struct fm_chain_context *context, framemap_str file, uint32_t line1, uint32_t col1,
                              framemap_frame *frame)
{
    frame->kind = context->kind;
    frame->line = line1;
    frame->column = col1;
    frame->file = file;
}

/* --- making a whole chain --- */

/* Returns the bytes of text of a frame: its strings, and the path of its function's home file, which may have been
 * joined for this frame alone. */
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
        framemap_frame *frame = chain_add_frame(context->arena, frames);
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

/* Makes the chain of an alternative. Alternatives may be many and their chains are short, so each is built in a shared
 * buffer and then copied at its exact size. */
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

/* Makes a chain from cached frames. *out is not written if a frame is not cached or a limit would be exceeded. */
static framemap_status chain_kept(const struct fm_chain_context *context, const struct fm_short_hit *found,
                                  uint32_t line1, framemap_frame_list *out, framemap_error *error)
{
    struct frames frames = {NULL, 0, 0};
    const struct fm_view_frame *function = found->place;
    uint32_t node = found->node_code - 1, col1 = found->col1;
    uint64_t text = 0;
    framemap_str file = fm_frame_home(function);
    while (function != NULL && frames.count < FM_LIMIT_INLINE_DEPTH) {
        framemap_frame *frame = chain_add_frame(context->arena, &frames);
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
    room->aliases = aliases; /* discards the aliases that chain_kept has added, since fm_chain_of is called next */
    room->over = false;      /* clears the flag, which chain_kept may have set */
    return status;
}

void fm_chain_lift_root(const framemap_frame_list *chain, framemap_frame *out)
{
    const framemap_frame *root = &chain->frames[chain->count - 1];
    out->has_function_offset = root->has_function_offset;
    out->function_offset = root->function_offset;
    out->function_size = root->function_size;
    out->aliases = root->aliases;
    out->alias_count = root->alias_count;
}
