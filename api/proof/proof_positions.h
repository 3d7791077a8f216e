/* The records of an index of addresses as the mapper gave them: functions, inline chains and rows. */
#ifndef FM_API_PROOF_PROOF_POSITIONS_H
#define FM_API_PROOF_PROOF_POSITIONS_H

#include "api/proof/proof.h"
#include "core/text/merge_sort.h"

/* An inlined call, or an out-of-line function; fields that do not apply are 0 or FM_NONE. No padding: compared as
 * bytes. */
struct fm_proof_node {
    uint64_t start, size;
    uint32_t parent, function, call_file, call_line1, call_col1, flags, symbol, unused;
};
/* The location of a row. If node and file are FM_NONE, the row is an end mark. */
struct fm_proof_row {
    uint32_t node, file, line1, col1;
};
struct fm_proof_alias {
    uint32_t root, name;
};

struct fm_proof_positions {
    struct fm_proof *proof;
    struct fm_record_set functions, nodes; /* records are struct fm_function, struct fm_proof_node */
    struct fm_text_set scopes;
    struct fm_sort_item *order; /* order of the rows: by scope, position, number */
    struct fm_proof_row *rows;
    struct fm_proof_alias *aliases;
    struct fm_sort_item *alias_order;
    uint32_t *numbers; /* scratch memory: the number in this struct for each number of a batch's record */
    framemap_frame *frames;
    framemap_str *names; /* aliases of the frame that is being made */
    bool *known_nodes;   /* for each node: its function was compared */
    size_t order_capacity, row_count, row_capacity, alias_count, alias_capacity, number_capacity, frame_capacity,
        name_capacity;
};

/* Makes the chain that the source has at a position of a row, in the proof's memory until the next call. Error:
 * MEMORY. */
framemap_status fm_proof_chain(struct fm_proof_positions *positions, const struct fm_proof_row *row, uint64_t position,
                               framemap_frame_list *out);
/* Writes a position: "0x10", or ".text+0x10" in a section. */
void fm_proof_put_position(struct fm_buf *out, const framemap_query *query);

/* The most rows of one scope that proof_batch.c looks up together. */
#define FM_PROOF_BATCH 512u
struct fm_proof_batch {
    struct fm_proof_positions *positions_of;
    framemap_query query; /* the query by which all positions of the scope are looked up */
    size_t count;
    const struct fm_proof_row *rows[FM_PROOF_BATCH];
    uint64_t positions[FM_PROOF_BATCH];
};
framemap_status fm_proof_batch_add(struct fm_proof_batch *batch, const struct fm_proof_row *row, uint64_t position);
framemap_status fm_proof_batch_ask(struct fm_proof_batch *batch);
/* Compares the functions of a row's chain with the index's records, each function once. */
framemap_status fm_proof_compare_functions(struct fm_proof_positions *positions, const struct fm_proof_row *row,
                                           uint64_t view_scope, uint64_t position);

/* Sorts the aliases (further names) of functions by function, then by name. Inline chains are made after this, since
 * they search the aliases by function. */
framemap_status fm_proof_sort_aliases(struct fm_proof_positions *positions);

static inline bool fm_proof_is_gap(const struct fm_proof_row *row)
{
    return row->node == FM_NONE && row->file == FM_NONE;
}

#endif
