/* Reads V8's CPU profiles (.cpuprofile): a list of nodes; before Node 12 a tree of nodes.
 *
 *    {"nodes":[{"id":1,"callFrame":{"functionName":"(root)","url":"","lineNumber":-1,"columnNumber":-1},
 *               "hitCount":0,"children":[2]}],"samples":[1],"timeDeltas":[100]}
 *    {"head":{"functionName":"(root)","url":"","lineNumber":0,"id":1,"hitCount":0,"children":[{…}]},"samples":[1]}
 *
 * Positions count from 0, but lines in a tree count from 1. Each different stack that was sampled is a trace; traces
 * are in the order of their first samples. If there are no samples, each node with hits is a trace. The outermost
 * frame is first. */
#include "core/limits.h"
#include "formats/samples/profile_readers.h"

struct fm_profile_node fm_profile_call_frame(const struct fm_profile_tree *tree, int32_t frame)
{
    return (struct fm_profile_node){.function = fm_profile_string(tree, frame, "functionName"),
                                    .file = fm_profile_string(tree, frame, "url"),
                                    .line1 = fm_profile_position(tree->json, frame, "lineNumber", 0),
                                    .column1 = fm_profile_position(tree->json, frame, "columnNumber", 0),
                                    .parent = FM_PROFILE_NONE};
}

static uint64_t hits_of(const struct fm_json *json, int32_t node)
{
    uint64_t hits = 0;
    return fm_json_u64(json, fm_json_get(json, node, "hitCount"), &hits) ? hits : 0;
}

void fm_profile_link_children(struct fm_profile_tree *tree, int32_t nodes, uint32_t first, uint64_t space)
{
    const struct fm_json *json = tree->json;
    uint32_t number = first;
    for (int32_t node = fm_json_first(json, nodes); node >= 0; node = fm_json_next(json, node), number++) {
        const int32_t children = fm_json_get(json, node, "children");
        for (int32_t item = fm_json_first(json, children); item >= 0; item = fm_json_next(json, item)) {
            const uint32_t child = fm_profile_node_find(tree, fm_profile_key(json, item, space));
            /* only a node that precedes the child can be its parent, so that parents form no cycle */
            if (child < tree->count && child > number) tree->nodes[child].parent = number;
        }
    }
}

static void add_list(struct fm_profile_tree *tree, int32_t nodes)
{
    const struct fm_json *json = tree->json;
    for (int32_t item = fm_json_first(json, nodes); item >= 0; item = fm_json_next(json, item)) {
        const int32_t frame = fm_json_get(json, item, "callFrame");
        struct fm_profile_node node = fm_profile_call_frame(tree, frame);
        node.key = fm_profile_key(json, fm_json_get(json, item, "id"), 0);
        fm_profile_node_add(tree, frame < 0 ? item : frame, &node);
    }
    fm_profile_link_children(tree, nodes, 0, 0);
}

/* Returns an upper bound of the number of nodes in a tree, from the size of its text: each node has at least the
 * member "functionName". */
static uint32_t tree_size(const struct fm_json *json, int32_t head)
{
    const framemap_str text = fm_json_raw(json, head);
    const size_t most = text.size / sizeof "{\"functionName\":\"\"}";
    return most < UINT32_MAX / 4 ? (uint32_t)most + 1 : UINT32_MAX / 4;
}

static uint32_t add_tree_node(struct fm_profile_tree *tree, int32_t value, uint32_t parent)
{
    const int32_t name = fm_json_get(tree->json, value, "functionName");
    struct fm_profile_node node = fm_profile_call_frame(tree, value);
    node.line1 = fm_profile_position(tree->json, value, "lineNumber", 1);
    node.key = fm_profile_key(tree->json, fm_json_get(tree->json, value, "id"), 0);
    node.parent = parent;
    return name < 0 ? FM_PROFILE_NONE : fm_profile_node_add(tree, name, &node);
}

/* Adds the nodes of a tree, parents before children. */
static void add_tree(struct fm_profile_tree *tree, int32_t head)
{
    enum { DEEP = FM_LIMIT_JSON_DEPTH };
    int32_t *values = fm_document_alloc(tree->doc, DEEP * sizeof *values);
    uint32_t *parents = fm_document_alloc(tree->doc, DEEP * sizeof *parents);
    size_t depth = 1;
    if (values == NULL || parents == NULL) return;
    values[0] = head;
    parents[0] = FM_PROFILE_NONE;
    while (depth > 0) {
        const int32_t value = values[depth - 1];
        const uint32_t number = add_tree_node(tree, value, parents[depth - 1]);
        const int32_t child = fm_json_first(tree->json, fm_json_get(tree->json, value, "children"));
        values[depth - 1] = depth == 1 ? -1 : fm_json_next(tree->json, value);
        if (child >= 0 && depth < DEEP) {
            values[depth] = child;
            parents[depth++] = number;
        }
        while (depth > 0 && values[depth - 1] < 0) depth--;
    }
}

/* Adds the hits of each node itself, without the nodes below it. */
static void count_hits(struct fm_profile_tree *tree, int32_t nodes)
{
    uint32_t number = 0;
    for (int32_t item = fm_json_first(tree->json, nodes); item >= 0; item = fm_json_next(tree->json, item))
        fm_profile_sample(tree, number++, hits_of(tree->json, item));
}

static bool count_samples(struct fm_profile_tree *tree, int32_t samples)
{
    for (int32_t item = fm_json_first(tree->json, samples); item >= 0; item = fm_json_next(tree->json, item))
        fm_profile_sample(tree, fm_profile_node_find(tree, fm_profile_key(tree->json, item, 0)), 1);
    return tree->order_count != 0;
}

bool fm_cpuprofile_read(struct fm_document *doc, const char *format, const struct fm_json_document *document,
                        const struct fm_json *json)
{
    const int32_t nodes = fm_json_get(json, 0, "nodes"), head = fm_json_get(json, 0, "head"),
                  samples = fm_json_get(json, 0, "samples");
    struct fm_profile_tree tree;
    if (nodes >= 0 && fm_json_get(json, fm_json_first(json, nodes), "callFrame") >= 0) {
        if (!fm_profile_tree_init(&tree, doc, format, document, json, fm_json_count(json, nodes))) return false;
        add_list(&tree, nodes);
        if (!count_samples(&tree, samples)) count_hits(&tree, nodes);
        return fm_profile_stacks(&tree);
    }
    if (fm_json_get(json, head, "functionName") < 0) return false;
    if (!fm_profile_tree_init(&tree, doc, format, document, json, tree_size(json, head))) return false;
    add_tree(&tree, head);
    return count_samples(&tree, samples) && fm_profile_stacks(&tree);
}
