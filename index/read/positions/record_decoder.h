/* Records of nodes and functions. */
#ifndef FM_INDEX_READ_POSITIONS_RECORD_DECODER_H
#define FM_INDEX_READ_POSITIONS_RECORD_DECODER_H

#include "index/read/positions/function_range_decoder.h"
#include "index/read/table/tables.h"

/* The number of a root among roots. false: not a root, or damaged. */
bool fm_node_root(const struct fm_view *view, uint64_t node, uint64_t *root);

/* The row in WIDES of a wide node. false: damaged. */
bool fm_wide_row(const struct fm_view *view, uint64_t node, uint64_t *out);
/* A line that grows with the position: it stays at the greatest number there is, and an unknown one stays unknown. */
static inline uint32_t fm_line_follow(uint32_t line1, uint64_t more)
{
    return line1 == 0 ? 0 : more > UINT32_MAX - line1 ? UINT32_MAX : line1 + (uint32_t)more;
}
/* What is known of a function beside its name. false: nothing, or there is no such function. Field DETAIL_x stands at
 * view->details_from + DETAIL_x. */
bool fm_function_details(const struct fm_view *view, uint64_t function, struct fm_table_row *out);
/* What a node is: a root, of that number, or a row of NODES (of version 1 it is that as well). */
struct fm_node_kind {
    bool known, is_root;
    uint64_t root;
    struct fm_table_row row;
};
struct fm_node_kind fm_node_kind(const struct fm_view *view, uint64_t node);
/* What is known of the root of such a node, which is known. false: damaged. */
bool fm_function_range_open(const struct fm_view *view, const struct fm_node_kind *kind, struct fm_function_range *out);
/* The row in NODES of a node. false: a root, or damaged. */
bool fm_node_row(const struct fm_view *view, uint64_t node, struct fm_table_row *out);
/* The function of a node, a number beyond all functions for none; node < node_count. */
uint64_t fm_node_function(const struct fm_view *view, uint64_t node);

#endif
