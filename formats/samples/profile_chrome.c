/* Reads the stacks of Chrome's traces, and those of Hermes' sampling profiler, which have the same form:
 *
 *     {"traceEvents":[{"name":"ProfileChunk","id":"0x1","args":{"data":{"cpuProfile":{
 *         "nodes":[{"id":2,"parent":1,"callFrame":{…}}],"samples":[2,2]}}}}]}
 *     {"traceEvents":[{"name":"alloc","sf":5}],"samples":[{"sf":"5","weight":"1"}],
 *      "stackFrames":{"5":{"name":"run","category":"app","parent":"4"}}}
 *
 * The events may also be an array without an object around it. Each different stack that was sampled is a trace;
 * traces are in the order of their first samples, and the outermost frame is first. Events that are not samples have
 * no stacks. */
#include "core/hash/hash.h"
#include "formats/row_parts.h"
#include "formats/samples/profile_readers.h"

static int32_t profile_of(const struct fm_json *json, int32_t event)
{
    return fm_json_get(json, fm_json_get(json, fm_json_get(json, event, "args"), "data"), "cpuProfile");
}

/* Returns the id space for the nodes in an event. Ids of nodes are unique only within one profile, so the space is a
 * hash of the event's process and id. */
static uint64_t space_of(const struct fm_json *json, int32_t event)
{
    const framemap_str id = fm_json_raw(json, fm_json_get(json, event, "id"));
    return fm_profile_key(json, fm_json_get(json, event, "pid"), 0) ^ fm_hash64(id.data, id.size, 1);
}

static uint32_t count_nodes(const struct fm_json *json, int32_t events, int32_t frames)
{
    uint32_t count = fm_json_count(json, frames);
    for (int32_t event = fm_json_first(json, events); event >= 0; event = fm_json_next(json, event))
        count += fm_json_count(json, fm_json_get(json, profile_of(json, event), "nodes"));
    return count;
}

static void add_chunk(struct fm_profile_tree *tree, int32_t event)
{
    const struct fm_json *json = tree->json;
    const int32_t profile = profile_of(json, event);
    const uint64_t space = space_of(json, event);
    const int32_t nodes = fm_json_get(json, profile, "nodes");
    const uint32_t first = tree->count;
    for (int32_t item = fm_json_first(json, nodes); item >= 0; item = fm_json_next(json, item)) {
        const int32_t frame = fm_json_get(json, item, "callFrame"), parent = fm_json_get(json, item, "parent");
        struct fm_profile_node node = fm_profile_call_frame(tree, frame);
        node.key = fm_profile_key(json, fm_json_get(json, item, "id"), space);
        /* only a node that precedes this one can be its parent, so that parents form no cycle */
        if (parent >= 0) node.parent = fm_profile_node_find(tree, fm_profile_key(json, parent, space));
        fm_profile_node_add(tree, frame < 0 ? item : frame, &node);
    }
    fm_profile_link_children(tree, nodes, first, space);
    const int32_t samples = fm_json_get(json, profile, "samples");
    for (int32_t item = fm_json_first(json, samples); item >= 0; item = fm_json_next(json, item))
        fm_profile_sample(tree, fm_profile_node_find(tree, fm_profile_key(json, item, space)), 1);
}

/* Returns the key of a frame's id. The string "5" and the number 5 have the same key. */
static uint64_t frame_key(const struct fm_json *json, int32_t value) { return fm_profile_key(json, value, 2); }

/* Splits the name of a frame in Hermes' profiles, "run(b.js:7:3)", into function and file. The file is in the name
 * only; the position is in members too. */
static void split_name(struct fm_profile_node *node)
{
    framemap_str function, file;
    uint32_t line1 = 0, column1 = 0;
    if (!fm_row_hermes_name(node->function, &function, &file, &line1, &column1)) return;
    if (line1 != node->line1 || column1 != node->column1) return;
    node->function = function;
    node->file = file;
}

static void add_stack_frames(struct fm_profile_tree *tree, int32_t frames)
{
    const struct fm_json *json = tree->json;
    for (int32_t key = fm_json_first(json, frames); key >= 0; key = fm_json_next(json, key)) {
        const int32_t frame = fm_json_value(json, key), parent = fm_json_get(json, frame, "parent");
        struct fm_profile_node node = {.function = fm_profile_string(tree, frame, "name"),
                                       .file = fm_profile_string(tree, frame, "url"),
                                       .line1 = fm_profile_position(json, frame, "line", 1),
                                       .column1 = fm_profile_position(json, frame, "column", 1),
                                       .parent = FM_PROFILE_NONE,
                                       .key = frame_key(json, key)};
        if (node.file.size == 0 && node.line1 && node.column1) split_name(&node);
        node.by_key = parent >= 0;
        if (node.by_key) node.parent_key = frame_key(json, parent);
        fm_profile_node_add(tree, frame, &node);
    }
}

static void count_frames(struct fm_profile_tree *tree, int32_t events)
{
    const struct fm_json *json = tree->json;
    for (int32_t event = fm_json_first(json, events); event >= 0; event = fm_json_next(json, event)) {
        const int32_t frame = fm_json_get(json, event, "sf");
        if (frame >= 0) fm_profile_sample(tree, fm_profile_node_find(tree, frame_key(json, frame)), 1);
    }
}

bool fm_chrome_trace_read(struct fm_document *doc, const char *format, const struct fm_json_document *document,
                          const struct fm_json *json)
{
    const int32_t events = fm_json_type(json, 0) == FM_JSON_ARRAY ? 0 : fm_json_get(json, 0, "traceEvents");
    const int32_t frames = fm_json_get(json, 0, "stackFrames");
    struct fm_profile_tree tree;
    if (fm_json_type(json, events) != FM_JSON_ARRAY && frames < 0) return false;
    if (!fm_profile_tree_init(&tree, doc, format, document, json, count_nodes(json, events, frames))) return false;
    /* nodes must be added in the order in which they are in the document */
    const bool frames_first =
        frames >= 0 && events >= 0 && fm_json_raw(json, frames).data < fm_json_raw(json, events).data;
    if (frames_first) add_stack_frames(&tree, frames);
    for (int32_t event = fm_json_first(json, events); event >= 0; event = fm_json_next(json, event))
        if (profile_of(json, event) >= 0) add_chunk(&tree, event);
    if (!frames_first) add_stack_frames(&tree, frames);
    count_frames(&tree, events);
    count_frames(&tree, fm_json_get(json, 0, "samples"));
    return fm_profile_stacks(&tree);
}
