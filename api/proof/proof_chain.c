/* Makes the chain of frames that framemap_resolve must return for a row of the source, without demangling. */
#include "api/proof/proof_positions.h"

#include "core/error.h"
#include "core/limits.h"

#include <inttypes.h>

/* --- listing aliases --- */

static int compare_aliases(const void *context, uint32_t a, uint32_t b)
{
    const struct fm_proof_positions *p = context;
    return fm_str_compare(fm_proof_text(p->proof, p->aliases[a].name), fm_proof_text(p->proof, p->aliases[b].name));
}

framemap_status fm_proof_sort_aliases(struct fm_proof_positions *p)
{
    if (p->alias_count == 0) return FRAMEMAP_OK;
    p->alias_order = fm_heap_zalloc(p->proof->heap, p->alias_count, sizeof *p->alias_order);
    if (p->alias_order == NULL) return fm_error_memory(p->proof->error);
    for (size_t i = 0; i < p->alias_count; i++)
        p->alias_order[i] = (struct fm_sort_item){.group = p->aliases[i].root, .id = (uint32_t)i};
    return fm_sort(p->proof->heap, p->alias_order, p->alias_count, compare_aliases, p)
               ? FRAMEMAP_OK
               : fm_error_memory(p->proof->error);
}

static size_t first_alias(const struct fm_proof_positions *p, uint32_t root)
{
    size_t low = 0, high = p->alias_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (p->alias_order[middle].group < root)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Lists the aliases of an out-of-line function, sorted and each once. root: its node. */
static framemap_status list_aliases(struct fm_proof_positions *p, uint32_t root, framemap_frame *frame)
{
    size_t at = first_alias(p, root), end = at, count = 0;
    while (end < p->alias_count && p->alias_order[end].group == root) end++;
    if (at == end) return FRAMEMAP_OK;
    if (!FM_GROW(p->proof->heap, p->names, p->name_capacity, end - at)) return fm_error_memory(p->proof->error);
    for (uint32_t last = FM_NONE; at < end; at++) {
        const uint32_t name = p->aliases[p->alias_order[at].id].name;
        if (name != last) p->names[count++] = fm_proof_text(p->proof, last = name);
    }
    frame->aliases = p->names;
    frame->alias_count = count < FM_LIMIT_ALTERNATIVES ? count : FM_LIMIT_ALTERNATIVES;
    return FRAMEMAP_OK;
}

/* --- making frames --- */

/* Whether the name is a placeholder such as "__hidden#123_": Apple's tools stripped the names from the debug info. */
static bool is_placeholder(framemap_str name)
{
    static const char head[] = "__hidden#";
    if (!fm_str_starts(name, FM_STR("__hidden#")) || name.size < sizeof head + 1) return false;
    for (size_t i = sizeof head - 1; i + 1 < name.size; i++)
        if (name.data[i] < '0' || name.data[i] > '9') return false;
    return name.data[name.size - 1] == '_';
}

/* Sets the name of the function, and the name of its symbol if the two differ. */
static void set_names(const struct fm_proof *proof, const struct fm_proof_node *node, framemap_str name,
                      framemap_frame *frame)
{
    const framemap_str symbol = fm_proof_text(proof, node->symbol);
    frame->function = name;
    if (symbol.size == 0) return;
    if (is_placeholder(name) && !is_placeholder(symbol)) frame->function = (framemap_str){NULL, 0};
    if (frame->function.size == 0)
        frame->function = symbol;
    else if (!fm_str_equal(frame->function, symbol))
        frame->symbol = symbol;
}

static framemap_status set_root(struct fm_proof_positions *p, const struct fm_proof_node *node, uint32_t number,
                                uint64_t position, framemap_frame *frame)
{
    frame->function_size = node->size;
    if ((node->flags & FM_NODE_HAS_START) != 0 && position >= node->start) {
        frame->has_function_offset = true;
        frame->function_offset = position - node->start;
    }
    return list_aliases(p, number, frame);
}

static framemap_status set_function(struct fm_proof_positions *p, uint32_t number, uint64_t position,
                                    framemap_frame *frame)
{
    const struct fm_proof *proof = p->proof;
    const struct fm_proof_node *node = fm_record_set_at(&p->nodes, number);
    framemap_str name = {NULL, 0};
    frame->inlined = node->parent != FM_NONE;
    frame->artificial = (node->flags & FM_NODE_ARTIFICIAL) != 0;
    if (node->function != FM_NONE) {
        const struct fm_function *function = fm_record_set_at(&p->functions, node->function);
        name = fm_proof_text(proof, function->name);
        frame->declared_line = function->decl_line1;
        frame->declared_file = fm_proof_text(proof, function->decl_file);
        /* In native code the class is a part of the full name, which demangling produces. */
        if ((fm_view_identity(fm_proof_view(proof))->kind_row->flags & FM_KIND_CLASS_IS_SCOPE) == 0)
            frame->class_name = fm_proof_text(proof, function->class_name);
    }
    set_names(proof, node, name, frame);
    return frame->inlined ? FRAMEMAP_OK : set_root(p, node, number, position, frame);
}

/* Whether a chain has no name, file or line, so that it is not an answer. */
static bool is_bare(const framemap_frame *frames, size_t count)
{
    bool bare = true;
    for (size_t i = 0; i < count && bare; i++) bare = frames[i].file.size == 0 && frames[i].function.size == 0;
    return bare;
}

framemap_status fm_proof_chain(struct fm_proof_positions *p, const struct fm_proof_row *row, uint64_t position,
                               framemap_frame_list *out)
{
    const struct fm_proof *proof = p->proof;
    uint32_t number = row->node, file = row->file, line1 = row->line1, col1 = row->col1;
    size_t count = 0;
    *out = (framemap_frame_list){NULL, 0};
    if (fm_proof_is_gap(row)) return FRAMEMAP_OK;
    do {
        if (!FM_GROW(proof->heap, p->frames, p->frame_capacity, count + 1)) return fm_error_memory(proof->error);
        framemap_frame *frame = &p->frames[count++];
        *frame = (framemap_frame){.file = fm_proof_text(proof, file), .line = line1, .column = col1};
        if (number == FM_NONE) break;
        const framemap_status status = set_function(p, number, position, frame);
        if (status != FRAMEMAP_OK) return status;
        const struct fm_proof_node *node = fm_record_set_at(&p->nodes, number);
        file = node->call_file;
        line1 = node->call_line1;
        col1 = node->call_col1;
        number = node->parent;
    } while (number != FM_NONE);
    if (!is_bare(p->frames, count)) *out = (framemap_frame_list){p->frames, count};
    return FRAMEMAP_OK;
}

void fm_proof_put_position(struct fm_buf *out, const framemap_query *query)
{
    fm_buf_str(out, query->scope);
    fm_buf_printf(out, "%s0x%" PRIx64, query->scope.size > 0 ? "+" : "", query->position);
}
