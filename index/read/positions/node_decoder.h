/* Decodes nodes and functions by number. Called by record_decoder.c, record_copy.c and verify_records.c; lookups use
 * the inline chains of view.h. */
#ifndef FM_INDEX_READ_POSITIONS_NODE_DECODER_H
#define FM_INDEX_READ_POSITIONS_NODE_DECODER_H

#include "index/read/table/tables.h"

/* Gets the number of an out-of-line function's node, counted among the nodes of all out-of-line functions. false: the
 * node is inlined, or damaged. */
bool fm_node_root(const struct fm_view *view, uint64_t node, uint64_t *root);
/* Finds the row in NODES of an inlined node. false: the node is out-of-line, or damaged. */
bool fm_node_row(const struct fm_view *view, uint64_t node, struct fm_table_row *out);
/* Returns the function of a node. If the node has none, the result is the number of functions or more. node <
 * node_count. */
uint64_t fm_node_function(const struct fm_view *view, uint64_t node);
/* Gets the details of a function: its class, its home file (the file of its declaration, or else the first file of its
 * code), and the line and flags of its declaration. Field DETAIL_x is field view->details_from + DETAIL_x of the row.
 * false: the function has no details, or there is no such function. */
bool fm_function_details(const struct fm_view *view, uint64_t function, struct fm_table_row *out);

#endif
