#include "resolve/chain.h"

#include "core/fault.h"
#include "core/limits.h"
#include "core/text.h"
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
    fm_clear(frame, sizeof *frame);
    frame->index = -1;
    return frame;
}

/* --- names --- */

/* No mangled name begins with anything else: "_Z", "_R", ".", "$", "@" in front of them, and "?" of others. */
static bool may_be_mangled(framemap_str name)
{
    return name.size >= 3 && (name.data[0] == '_' || name.data[0] == '.' || name.data[0] == '$');
}

framemap_str fm_chain_shown(const struct fm_chain_context *context, uint64_t function, framemap_str spelled)
{
    const bool kept = context->demangle == FRAMEMAP_DEMANGLE_DEFAULT || context->demangle == FRAMEMAP_DEMANGLE_LLVM;
    framemap_str shown;
    if (context->demangle == FRAMEMAP_DEMANGLE_NONE || !may_be_mangled(spelled)) return spelled;
    if (kept && fm_view_kept_name(context->view, function, &shown)) return shown;
    shown = fm_demangle(spelled, context->demangle, context->arena);
    /* A name that comes back as it was is asked about again: want of memory looks the same. */
    return kept && shown.data != spelled.data ? fm_view_keep_name(context->view, function, shown) : shown;
}

framemap_status fm_chain_names(const struct fm_chain_context *context, const struct fm_view_link *link, struct fm_chain_names *out)
{
    const framemap_status status = fm_view_link_names(context->view, link, &out->spelled, &out->class_name);
    out->shown = status == FRAMEMAP_OK ? fm_chain_shown(context, link->function, out->spelled) : out->spelled;
    return status;
}

static framemap_status add_aliases(const struct fm_chain_context *context, uint32_t node, uint32_t alias_count, framemap_frame *frame,
                                   framemap_error *error)
{
    if (alias_count == 0) return FRAMEMAP_OK;
    size_t count = alias_count < FM_LIMIT_ALTERNATIVES ? alias_count : FM_LIMIT_ALTERNATIVES;
    framemap_str *aliases = FM_ARENA_ARRAY(context->arena, framemap_str, count);
    if (aliases == NULL) return fm_fault_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        framemap_status status = fm_view_alias(context->view, node, i, &aliases[i]);
        if (status == FRAMEMAP_E_MEMORY) return fm_fault_memory(error);
        if (status != FRAMEMAP_OK) return fm_fault(error, status, "the index is damaged: an alias of a function can't be read");
        aliases[i] = fm_demangle(aliases[i], context->demangle, context->arena);
    }
    frame->aliases = aliases;
    frame->alias_count = count;
    return FRAMEMAP_OK;
}

/* --- one frame --- */

static framemap_status damaged_function(uint32_t node, framemap_status status, framemap_error *error)
{
    if (status == FRAMEMAP_E_MEMORY) return fm_fault_memory(error);
    return fm_fault(error, status, "the index is damaged: function record %u can't be read", (unsigned)node);
}

static framemap_status path_of(const struct fm_chain_context *context, uint64_t file, framemap_str *out, framemap_error *error)
{
    const framemap_status status = fm_view_path(context->view, file, context->arena, out);
    if (status == FRAMEMAP_E_MEMORY) return fm_fault_memory(error);
    return status == FRAMEMAP_OK ? status : fm_fault(error, status, "the index is damaged: a file's name can't be read");
}

/* names: what the debug info calls the function; the symbol table may have a spelling of its own. */
static framemap_status fill_root(const struct fm_chain_context *context, const struct fm_view_link *link, struct fm_chain_names *names,
                                 framemap_frame *frame, framemap_error *error)
{
    struct fm_view_root root;
    const framemap_status status = fm_view_link_root(context->view, link, &root);
    if (status != FRAMEMAP_OK) return damaged_function(link->node, status, error);
    if (root.has_start && context->position >= root.start) {
        frame->has_function_offset = true;
        frame->function_offset = context->position - root.start;
    }
    frame->function_size = root.size;
    if (root.symbol.size) names->spelled = root.symbol;
    if (names->shown.size == 0) names->shown = fm_demangle(root.symbol, context->demangle, context->arena);
    return add_aliases(context, link->node, root.alias_count, frame, error);
}

static framemap_status fill_function(const struct fm_chain_context *context, const struct fm_view_link *link, framemap_frame *frame,
                                     framemap_error *error)
{
    struct fm_chain_names names;
    framemap_status status = fm_chain_names(context, link, &names);
    if (status != FRAMEMAP_OK) return damaged_function(link->node, status, error);
    frame->inlined = link->parent != FM_VIEW_NONE;
    frame->declared_line = link->decl_line1;
    frame->artificial = (link->flags & FM_NODE_ARTIFICIAL) != 0;
    if (link->declared) status = path_of(context, link->home, &frame->declared_file, error);
    if (!frame->inlined && status == FRAMEMAP_OK) status = fill_root(context, link, &names, frame, error);
    frame->class_name = names.class_name;
    frame->function = names.shown;
    if (names.spelled.data != names.shown.data && !fm_str_equal(names.spelled, names.shown)) frame->symbol = names.spelled;
    return status;
}

static framemap_status fill_frame(const struct fm_chain_context *context, const struct fm_view_link *link, framemap_frame *frame,
                                  framemap_error *error)
{
    frame->kind = context->kind;
    frame->line = link->line1;
    frame->column = link->col1;
    framemap_status status = path_of(context, link->file, &frame->file, error);
    if (status == FRAMEMAP_OK && link->node != FM_VIEW_NONE) status = fill_function(context, link, frame, error);
    frame->status = fm_chain_status(frame->file, frame->function);
    return status;
}

/* --- the chain --- */

framemap_status fm_chain_first(const struct fm_chain_context *context, const struct fm_hit *hit, uint32_t which, struct fm_view_link *link,
                               framemap_str *name, framemap_error *error)
{
    const framemap_status status = fm_view_link_first(context->view, hit, which, link, name);
    if (status == FRAMEMAP_E_MEMORY) return fm_fault_memory(error);
    return status == FRAMEMAP_OK ? status : fm_fault(error, status, "the index is damaged: an answer can't be read");
}

framemap_status fm_chain_up(const struct fm_chain_context *context, struct fm_view_link *link, size_t depth, framemap_error *error)
{
    /* A damaged index can hold a chain of all its nodes: the limit ends it. */
    if (depth == FM_LIMIT_INLINE_DEPTH)
        return fm_fault(error, FRAMEMAP_E_CORRUPT, "the index is damaged: a chain of inlined functions has no end");
    const uint32_t node = link->node;
    const framemap_status status = fm_view_link_up(context->view, link);
    return status == FRAMEMAP_OK ? status : damaged_function(node, status, error);
}

framemap_status fm_chain_of(const struct fm_chain_context *context, const struct fm_hit *hit, uint32_t which, framemap_frame_list *out,
                            framemap_error *error)
{
    struct frames frames = {NULL, 0, 0};
    struct fm_view_link link;
    framemap_str name;
    framemap_status status = fm_chain_first(context, hit, which, &link, &name, error);
    for (bool more = true; more && status == FRAMEMAP_OK;) {
        framemap_frame *frame = add_frame(context->arena, &frames);
        if (frame == NULL) return fm_fault_memory(error);
        status = fill_frame(context, &link, frame, error);
        more = link.parent != FM_VIEW_NONE;
        if (more && status == FRAMEMAP_OK) status = fm_chain_up(context, &link, frames.count, error);
    }
    if (status != FRAMEMAP_OK) return status;
    frames.rows[0].name = name;
    *out = (framemap_frame_list){frames.rows, frames.count};
    return FRAMEMAP_OK;
}
