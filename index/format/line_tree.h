/* Segment tree over residual lines: finds the spans (line ranges) of a method that contain a line, without scanning all
 * of them. The class encoder writes it to the file, and the verifier builds it again to compare.  Reference: M. de Berg
 * et al., "Computational Geometry", section 10.3 (segment trees). */
#ifndef FM_INDEX_FORMAT_LINE_TREE_H
#define FM_INDEX_FORMAT_LINE_TREE_H

#include "core/heap.h"
#include "index/format/span.h"

struct fm_span_tree {
    int64_t *boundaries; /* lines where a span starts, and lines after a span's end; ascending, no duplicates */
    uint64_t *offsets;   /* node i has entries[offsets[i]] up to entries[offsets[i + 1]]; node 0 has the spans without
                            lines */
    uint32_t *entries;   /* indexes of spans */
    size_t boundary_count, entry_count, node_count, boundary_capacity, offset_capacity, entry_capacity;
};
/* Builds the tree for the spans (line ranges) of a method; at least one of them must have lines. The caller zeroes
 * *tree before and frees it afterwards, also after a failure. Errors: LIMIT, MEMORY. */
framemap_status fm_span_tree_make(struct fm_heap *heap, const struct fm_span *spans, size_t count,
                                  struct fm_span_tree *tree, framemap_error *error);
void fm_span_tree_free(struct fm_heap *heap, struct fm_span_tree *tree);

#endif
