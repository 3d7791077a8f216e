#include "resolve/chain.h"

#include "core/fault.h"
#include "core/limits.h"
#include "core/text.h"
#include "resolve/resolve.h"

/* Where a frame stands in the source: the place itself for the innermost, the call site for those around it. */
struct spot {
    framemap_str folder, base_name;
    uint32_t line1, col1;
};

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
    frames->rows[frames->count] = (framemap_frame){.index = -1};
    return &frames->rows[frames->count++];
}

static bool join_path(struct fm_arena *arena, framemap_str folder, framemap_str base_name, framemap_str *out)
{
    *out = base_name;
    if (folder.size == 0) return true;
    char *path = fm_arena_alloc(arena, folder.size + base_name.size);
    if (path == NULL) return false;
    memcpy(path, folder.data, folder.size);
    if (base_name.size) memcpy(path + folder.size, base_name.data, base_name.size);
    *out = fm_str(path, folder.size + base_name.size);
    return true;
}

/* function: the debug info's name made readable; symbol: the symbol table's spelling where it has one of its own. */
static bool name_frame(const struct fm_chain_context *context, const struct fm_view_node *node, framemap_frame *frame)
{
    framemap_str spelled = node->symbol.size ? node->symbol : node->function;
    framemap_str shown = node->function.size ? node->function : node->symbol;
    frame->class_name = node->class_name;
    frame->function = fm_demangle(shown, context->demangle, context->arena);
    if (!fm_str_equal(spelled, frame->function)) frame->symbol = spelled;
    frame->declared_line = node->decl_line1;
    frame->artificial = (node->flags & FM_NODE_ARTIFICIAL) != 0;
    return join_path(context->arena, node->decl_folder, node->decl_base_name, &frame->declared_file);
}

static framemap_status add_aliases(const struct fm_chain_context *context, uint32_t number, const struct fm_view_node *node,
                                   framemap_frame *frame, framemap_error *error)
{
    if (node->alias_count == 0) return FRAMEMAP_OK;
    size_t count = node->alias_count < FM_LIMIT_ALTERNATIVES ? node->alias_count : FM_LIMIT_ALTERNATIVES;
    framemap_str *aliases = FM_ARENA_ARRAY(context->arena, framemap_str, count);
    if (aliases == NULL) return fm_fault_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        framemap_status status = fm_view_alias(context->view, number, i, &aliases[i]);
        if (status == FRAMEMAP_E_MEMORY) return fm_fault_memory(error);
        if (status != FRAMEMAP_OK) return fm_fault(error, status, "the index is damaged: an alias of a function can't be read");
        aliases[i] = fm_demangle(aliases[i], context->demangle, context->arena);
    }
    frame->aliases = aliases;
    frame->alias_count = count;
    return FRAMEMAP_OK;
}

static framemap_status fill_root(const struct fm_chain_context *context, uint32_t number, const struct fm_view_node *node,
                                 framemap_frame *frame, framemap_error *error)
{
    if ((node->flags & FM_NODE_HAS_START) && context->position >= node->start) {
        frame->has_function_offset = true;
        frame->function_offset = context->position - node->start;
    }
    frame->function_size = node->size;
    return add_aliases(context, number, node, frame, error);
}

static bool fill_spot(const struct fm_chain_context *context, const struct spot *spot, framemap_frame *frame)
{
    frame->kind = context->kind;
    frame->line = spot->line1;
    frame->column = spot->col1;
    return join_path(context->arena, spot->folder, spot->base_name, &frame->file);
}

static framemap_frame_status status_of(const framemap_frame *frame)
{
    if (frame->file.size) return FRAMEMAP_FRAME_OK;
    return frame->function.size ? FRAMEMAP_FRAME_SYMBOL : FRAMEMAP_FRAME_NO_MATCH;
}

/* The frame of a node; *spot then is where the node's parent calls it, *number that parent. */
static framemap_status fill_node(const struct fm_chain_context *context, uint32_t *number, struct spot *spot, framemap_frame *frame,
                                 framemap_error *error)
{
    struct fm_view_node node;
    framemap_status status = fm_view_node(context->view, *number, &node);
    if (status == FRAMEMAP_E_MEMORY) return fm_fault_memory(error);
    if (status != FRAMEMAP_OK) return fm_fault(error, status, "the index is damaged: function record %u can't be read", (unsigned)*number);
    if (!name_frame(context, &node, frame)) return fm_fault_memory(error);
    frame->inlined = node.parent != FM_VIEW_NONE;
    if (!frame->inlined) status = fill_root(context, *number, &node, frame, error);
    *spot = (struct spot){node.call_folder, node.call_base_name, node.call_line1, node.call_col1};
    *number = node.parent;
    return status;
}

framemap_status fm_chain_of(const struct fm_chain_context *context, const struct fm_view_place *place, framemap_frame_list *out,
                            framemap_error *error)
{
    struct frames frames = {NULL, 0, 0};
    struct spot spot = {place->folder, place->base_name, place->line1, place->col1};
    uint32_t number = place->node;
    do {
        /* A damaged index can hold a ring of parents: the limit ends it. */
        if (frames.count == FM_LIMIT_INLINE_DEPTH)
            return fm_fault(error, FRAMEMAP_E_CORRUPT, "the index is damaged: a chain of inlined functions has no end");
        framemap_frame *frame = add_frame(context->arena, &frames);
        if (frame == NULL || !fill_spot(context, &spot, frame)) return fm_fault_memory(error);
        if (number != FM_VIEW_NONE) {
            framemap_status status = fill_node(context, &number, &spot, frame, error);
            if (status != FRAMEMAP_OK) return status;
        }
        frame->status = status_of(frame);
    } while (number != FM_VIEW_NONE);
    frames.rows[0].name = place->name;
    *out = (framemap_frame_list){frames.rows, frames.count};
    return FRAMEMAP_OK;
}
