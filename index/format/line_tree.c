/* Builds the segment tree. Between two adjacent boundaries no span starts or ends: such an interval is a leaf. Leaf i
 * of n is node n + i, a node's parent is node / 2, and 1 is the root. A span is stored at the few nodes that together
 * cover its lines, so the nodes from a leaf up to the root have all spans that contain the leaf's lines. The list of
 * each node is in the order of spans. */
#include "index/format/line_tree.h"
#include "core/error.h"
#include "core/text/merge_sort.h"
#include "index/format/flags.h"

void fm_span_tree_free(struct fm_heap *heap, struct fm_span_tree *tree)
{
    fm_heap_free(heap, tree->boundaries, tree->boundary_capacity * sizeof *tree->boundaries);
    fm_heap_free(heap, tree->offsets, tree->offset_capacity * sizeof *tree->offsets);
    fm_heap_free(heap, tree->entries, tree->entry_capacity * sizeof *tree->entries);
    *tree = (struct fm_span_tree){.boundaries = NULL};
}

static bool has_lines(const struct fm_span *span) { return (span->flags & FM_SPAN_RESIDUAL) != 0; }

/* Collects the distinct lines where spans start, and the lines after their ends, ascending. */
static framemap_status find_boundaries(struct fm_heap *heap, const struct fm_span *spans, size_t count,
                                       struct fm_span_tree *tree, framemap_error *error)
{
    size_t with = 0;
    struct fm_sort_item *items = fm_heap_zalloc(heap, count * 2, sizeof *items);
    framemap_status status = items ? FRAMEMAP_OK : fm_error_memory(error);
    for (size_t i = 0; items && i < count; i++) {
        if (!has_lines(&spans[i])) continue;
        items[with++].key = (uint64_t)((int64_t)spans[i].residual_from - INT32_MIN);
        items[with++].key = (uint64_t)((int64_t)spans[i].residual_to + 1 - INT32_MIN);
    }
    if (items &&
        (!fm_sort(heap, items, with, NULL, NULL) || !FM_GROW(heap, tree->boundaries, tree->boundary_capacity, with)))
        status = fm_error_memory(error);
    for (size_t i = 0; status == FRAMEMAP_OK && i < with; i++)
        if (i == 0 || items[i].key != items[i - 1].key)
            tree->boundaries[tree->boundary_count++] = (int64_t)items[i].key + INT32_MIN;
    fm_heap_free(heap, items, count * 2 * sizeof *items);
    return status;
}

static size_t boundary_number(const struct fm_span_tree *tree, int64_t line)
{
    size_t low = 0, high = tree->boundary_count - 1;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (tree->boundaries[middle] < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the nodes that together cover a span; at most 64. */
static unsigned nodes_of(const struct fm_span_tree *tree, const struct fm_span *span, size_t nodes[64])
{
    unsigned count = 0;
    if (!has_lines(span)) {
        nodes[0] = 0;
        return 1;
    }
    const size_t leaves = tree->boundary_count - 1;
    size_t low = leaves + boundary_number(tree, span->residual_from),
           high = leaves + boundary_number(tree, (int64_t)span->residual_to + 1);
    for (; low < high; low /= 2, high /= 2) {
        if (low & 1) nodes[count++] = low++;
        if (high & 1) nodes[count++] = --high;
    }
    return count;
}

/* Counts the entries of each node, then computes their offsets: offsets[i + 1] is the offset of node i's next entry. */
static framemap_status count_entries(struct fm_heap *heap, const struct fm_span *spans, size_t count,
                                     struct fm_span_tree *tree, framemap_error *error)
{
    size_t nodes[64];
    tree->node_count = (tree->boundary_count - 1) * 2;
    tree->offset_capacity = tree->node_count + 2;
    tree->offsets = fm_heap_zalloc(heap, tree->offset_capacity, sizeof *tree->offsets);
    if (tree->offsets == NULL) return fm_error_memory(error);
    for (size_t i = 0; i < count; i++) {
        const unsigned of_span = nodes_of(tree, &spans[i], nodes);
        for (unsigned n = 0; n < of_span; n++) tree->offsets[nodes[n] + 2]++;
        tree->entry_count += of_span;
    }
    if (tree->entry_count > UINT32_MAX || tree->boundary_count > UINT32_MAX)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "too many spans in one method");
    for (size_t i = 2; i < tree->offset_capacity; i++) tree->offsets[i] += tree->offsets[i - 1];
    return FRAMEMAP_OK;
}

framemap_status fm_span_tree_make(struct fm_heap *heap, const struct fm_span *spans, size_t count,
                                  struct fm_span_tree *tree, framemap_error *error)
{
    size_t nodes[64];
    framemap_status status = find_boundaries(heap, spans, count, tree, error);
    if (status == FRAMEMAP_OK) status = count_entries(heap, spans, count, tree, error);
    if (status != FRAMEMAP_OK) return status;
    if (!FM_GROW(heap, tree->entries, tree->entry_capacity, tree->entry_count)) return fm_error_memory(error);
    for (size_t i = 0; i < count; i++) {
        const unsigned of_span = nodes_of(tree, &spans[i], nodes);
        for (unsigned n = 0; n < of_span; n++) tree->entries[tree->offsets[nodes[n] + 1]++] = (uint32_t)i;
    }
    return FRAMEMAP_OK;
}
