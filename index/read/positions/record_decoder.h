/* Decodes the records of nodes and functions. Called by node_decoder.c, record_copy.c and verify_records.c. */
#ifndef FM_INDEX_READ_POSITIONS_RECORD_DECODER_H
#define FM_INDEX_READ_POSITIONS_RECORD_DECODER_H

#include "index/read/positions/function_range_decoder.h"
#include "index/read/table/tables.h"

/* The number of an out-of-line function among those. false: the node is inlined, or damaged. */
bool fm_node_root(const struct fm_view *view, uint64_t node, uint64_t *root);

/* The row in WIDES of a wide node. false: damaged. */
bool fm_wide_row(const struct fm_view *view, uint64_t node, uint64_t *out);
/* A line that grows with the position; saturates at UINT32_MAX. Unknown (0) stays unknown. */
static inline uint32_t fm_line_follow(uint32_t line1, uint64_t more)
{
    return line1 == 0 ? 0 : more > UINT32_MAX - line1 ? UINT32_MAX : line1 + (uint32_t)more;
}
/* The details of a function: its class, home file and declaration. Field DETAIL_x is field view->details_from +
 * DETAIL_x of the row. false: it has none, or there is no such function. */
bool fm_function_details(const struct fm_view *view, uint64_t function, struct fm_table_row *out);
/* The kind of a node: an out-of-line function with its number, or inlined, with its row of NODES. In format version 1
 * both have a row. */
struct fm_node_kind {
    bool known, is_root;
    uint64_t root;
    struct fm_table_row row;
};
struct fm_node_kind fm_node_kind(const struct fm_view *view, uint64_t node);
/* The function range of an out-of-line node. false: damaged. */
bool fm_function_range_open(const struct fm_view *view, const struct fm_node_kind *kind, struct fm_function_range *out);
/* The row in NODES of a node. false: out-of-line, or damaged. */
bool fm_node_row(const struct fm_view *view, uint64_t node, struct fm_table_row *out);
/* The function of a node; at least the number of functions if it has none. node < node_count. */
uint64_t fm_node_function(const struct fm_view *view, uint64_t node);

#endif
