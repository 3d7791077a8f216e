/* Queries an index of addresses in two ways besides framemap_resolve: by positions in batches, as services do, and by
 * the records of functions. These records have the scopes around a native function, which answers contain only as a
 * part of the demangled name. */
#include "api/proof/proof_positions.h"

#include "core/error.h"

/* --- querying positions in batches --- */

framemap_status fm_proof_batch_add(struct fm_proof_batch *batch, const struct fm_proof_row *row, uint64_t position)
{
    batch->rows[batch->count] = row;
    batch->positions[batch->count++] = position;
    return batch->count == FM_PROOF_BATCH ? fm_proof_batch_ask(batch) : FRAMEMAP_OK;
}

/* Returns a location of a batch as a frame; members that a location lacks are empty. */
static framemap_frame frame_of(const framemap_location *location)
{
    return (framemap_frame){.function = location->function,
                            .symbol = location->symbol,
                            .file = location->file,
                            .line = location->line,
                            .column = location->column,
                            .declared_line = location->declared_line,
                            .inlined = (location->flags & FRAMEMAP_LOCATION_INLINED) != 0,
                            .artificial = (location->flags & FRAMEMAP_LOCATION_ARTIFICIAL) != 0,
                            .has_function_offset = (location->flags & FRAMEMAP_LOCATION_HAS_FUNCTION_OFFSET) != 0,
                            .function_offset = location->function_offset};
}

static void drop_what_batches_lack(framemap_frame *frame)
{
    frame->class_name = frame->declared_file = (framemap_str){NULL, 0};
    frame->function_size = 0;
    frame->aliases = NULL;
    frame->alias_count = 0;
}

static const char *differing(framemap_frame_list said, const framemap_location_chain *found,
                             const framemap_location *locations, framemap_frame *one)
{
    if (found->count != said.count) {
        const bool cut = found->count > 0 && (locations[found->first].flags & FRAMEMAP_LOCATION_OVER_LIMIT) != 0;
        return cut ? NULL : "batch";
    }
    for (uint32_t i = 0; i < found->count; i++) {
        framemap_frame wanted = said.frames[i];
        drop_what_batches_lack(&wanted);
        *one = frame_of(&locations[found->first + i]);
        if (fm_proof_chain_difference((framemap_frame_list){&wanted, 1}, (framemap_frame_list){one, 1})) return "batch";
    }
    return NULL;
}

static framemap_status compare_one(struct fm_proof_batch *batch, size_t i, const framemap_location_list *list)
{
    struct fm_proof *proof = batch->positions_of->proof;
    framemap_frame_list said;
    framemap_frame one = {.line = 0};
    const framemap_status status = fm_proof_chain(batch->positions_of, batch->rows[i], batch->positions[i], &said);
    if (status != FRAMEMAP_OK) return status;
    const char *field = differing(said, &list->chains[i], list->locations, &one);
    proof->counts.questions++;
    if (field == NULL) return FRAMEMAP_OK;
    framemap_query query = batch->query;
    query.position = batch->positions[i];
    fm_proof_put_position(&proof->place, &query);
    fm_proof_put_chain(&proof->said, said);
    fm_proof_put_chain(&proof->found, (framemap_frame_list){&one, list->chains[i].count > 0});
    return fm_proof_differs(proof, "position", field);
}

framemap_status fm_proof_batch_ask(struct fm_proof_batch *batch)
{
    struct fm_proof *proof = batch->positions_of->proof;
    framemap_location_list list;
    const size_t count = batch->count;
    batch->count = 0;
    if (count == 0) return FRAMEMAP_OK;
    const framemap_status asked =
        framemap_index_lookup_many(proof->index, &batch->query, batch->positions, count, proof->scratch, &list, NULL);
    if (asked == FRAMEMAP_E_MEMORY) return fm_error_memory(proof->error);
    if (asked != FRAMEMAP_OK) {
        fm_buf_str(&proof->found, FM_STR("(the index is damaged)"));
        return fm_proof_differs(proof, "position", "batch");
    }
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < count && status == FRAMEMAP_OK; i++) status = compare_one(batch, i, &list);
    return status;
}

/* --- comparing the records of functions --- */

static bool is_known(struct fm_proof_positions *p, uint32_t node)
{
    const bool known = p->known_nodes[node];
    p->known_nodes[node] = true;
    return known;
}

static framemap_status compare_scopes(struct fm_proof_positions *p, const struct fm_proof_node *node,
                                      const struct fm_view_node *found)
{
    struct fm_proof *proof = p->proof;
    if (node->function == FM_NONE) return FRAMEMAP_OK;
    const struct fm_function *function = fm_record_set_at(&p->functions, node->function);
    const framemap_str name = fm_proof_text(proof, function->name);
    const framemap_status status = fm_proof_compare_text(proof, "function", "scopes around it", name,
                                                         fm_proof_text(proof, function->class_name), found->class_name);
    return status == FRAMEMAP_OK
               ? fm_proof_compare_number(proof, "function", "language", name, function->language, found->language)
               : status;
}

framemap_status fm_proof_compare_functions(struct fm_proof_positions *p, const struct fm_proof_row *row,
                                           uint64_t view_scope, uint64_t position)
{
    const struct fm_view *view = fm_proof_view(p->proof);
    struct fm_hit hit;
    struct fm_view_place place;
    if (row->node == FM_NONE || p->known_nodes[row->node]) return FRAMEMAP_OK;
    if (fm_view_lookup(view, view_scope, position, &hit) != FRAMEMAP_OK || hit.place_count != 1 ||
        fm_view_place(view, &hit, 0, &place) != FRAMEMAP_OK)
        /* nothing is reported here: the index has another chain at this position, which the comparison of the
         * position itself reports */
        return FRAMEMAP_OK;
    framemap_status status = FRAMEMAP_OK;
    uint32_t found = place.node;
    for (uint32_t number = row->node; number != FM_NONE && status == FRAMEMAP_OK && !is_known(p, number);) {
        const struct fm_proof_node *node = fm_record_set_at(&p->nodes, number);
        struct fm_view_node record;
        if (found == FM_VIEW_NONE || fm_view_node(view, found, &record) != FRAMEMAP_OK) break;
        status = compare_scopes(p, node, &record);
        number = node->parent;
        found = record.parent;
    }
    return status;
}
