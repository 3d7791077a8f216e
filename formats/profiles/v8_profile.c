/* Implements V8's CPU profiles (v8_profile.h), and reads files that consist of such a profile:
 *
 *     {"nodes":[{"id":1,"callFrame":{"functionName":"(root)","url":"","lineNumber":-1,"columnNumber":-1},
 *      "hitCount":0,"children":[2]}],"startTime":5,"endTime":105,"samples":[1],"timeDeltas":[100]}
 *     {"head":{"functionName":"(root)","url":"","lineNumber":0,"id":1,"hitCount":0,"children":[{…}]},"samples":[1]}
 *     {"head":{"callFrame":{…},"selfSize":16,"children":[{…}]}}
 *
 * Node before 12 writes the second form; the third form is that of heap profiles (.heapprofile). Positions count
 * from 1 in the second form, and from 0 in the others. A sample lasts until the next sample. "(root)" is not
 * part of stacks. */
#include "formats/profiles/v8_profile.h"

#include "core/error.h"
#include "core/limits.h"

#define DIGITS_OF_DELTA 3 /* decimal places by which microseconds are scaled to nanoseconds */

static uint32_t call_frame(framemap_sample_set *set, const struct fm_json *json, int32_t frame, int64_t base)
{
    struct fm_sample_frame one = {
        .function = fm_profile_json_string(set, json, fm_json_get(json, frame, "functionName")),
        .file = fm_profile_json_string(set, json, fm_json_get(json, frame, "url")),
        .line1 = fm_profile_json_position(json, fm_json_get(json, frame, "lineNumber"), base),
        .column1 = fm_profile_json_position(json, fm_json_get(json, frame, "columnNumber"), base)};
    if (!one.function) one.function = fm_samples_string(set, FM_STR("(anonymous)"));
    return fm_samples_frame(set, &one);
}

static uint64_t key_of(const struct fm_v8_profile *profile, const struct fm_json *json, int32_t id)
{
    return fm_sample_tree_key(profile->tree, fm_json_raw(json, id), profile->space);
}

/* Adds the node that a JSON object describes. */
static uint32_t add_node(const struct fm_v8_profile *profile, const struct fm_json *json, uint64_t key, int32_t frame,
                         int64_t base)
{
    struct fm_sample_tree *tree = profile->tree;
    const uint32_t number = fm_sample_tree_add(tree, key, call_frame(tree->set, json, frame, base));
    if (number != FM_NO_ID)
        tree->nodes[number].is_root =
            fm_str_equal(fm_json_raw(json, fm_json_get(json, frame, "functionName")), FM_STR("(root)"));
    return number;
}

void fm_v8_add_nodes(const struct fm_v8_profile *profile, const struct fm_json *json, int32_t nodes)
{
    struct fm_sample_tree *tree = profile->tree;
    for (int32_t item = fm_json_first(json, nodes); item >= 0 && !tree->set->fault; item = fm_json_next(json, item))
        add_node(profile, json, key_of(profile, json, fm_json_get(json, item, "id")),
                 fm_json_get(json, item, "callFrame"), 0);
    for (int32_t item = fm_json_first(json, nodes); item >= 0 && !tree->set->fault; item = fm_json_next(json, item)) {
        const int32_t parent = fm_json_get(json, item, "parent"), children = fm_json_get(json, item, "children");
        const uint32_t number = fm_sample_tree_find(tree, key_of(profile, json, fm_json_get(json, item, "id")));
        if (parent >= 0) fm_sample_tree_link(tree, number, fm_sample_tree_find(tree, key_of(profile, json, parent)));
        for (int32_t child = fm_json_first(json, children); child >= 0; child = fm_json_next(json, child))
            fm_sample_tree_link(tree, fm_sample_tree_find(tree, key_of(profile, json, child)), number);
    }
}

/* --- samples --- */

/* Adds the pending sample to the set. If the profile has times, its duration is the time to the next sample. */
static void put_pending(struct fm_v8_profile *profile, int64_t until_ns)
{
    framemap_sample_set *set = profile->tree->set;
    const struct fm_sample_entry row = {profile->has_time ? profile->last_ns : FM_NO_TIME, profile->node,
                                        profile->thread, FM_NO_ID};
    if (!profile->pending) return;
    const uint32_t columns[] = {fm_samples_column(set, FM_STR("samples"), FM_STR("count")),
                                profile->has_time ? fm_samples_column(set, FM_STR("time"), FM_STR("nanoseconds")) : 0};
    const int64_t length = until_ns > profile->last_ns ? fm_samples_sum(until_ns, -profile->last_ns) : 0;
    const int64_t values[] = {1, length};
    fm_samples_add(set, &row, columns, values, profile->has_time ? 2 : 1);
    profile->pending = false;
}

/* Adds the pending sample, and makes the next one pending. V8 writes a negative delta for a sample that it took out of
 * order; such a sample gets the time of the previous sample. */
static void next_sample(struct fm_v8_profile *profile, uint32_t node)
{
    const int64_t at = profile->at_ns > profile->last_ns ? profile->at_ns : profile->last_ns;
    put_pending(profile, at);
    profile->node = node;
    profile->last_ns = at;
    profile->pending = true;
}

void fm_v8_add_samples(struct fm_v8_profile *profile, const struct fm_json *json, int32_t samples, int32_t deltas)
{
    struct fm_sample_tree *tree = profile->tree;
    int32_t delta = fm_json_first(json, deltas);
    for (int32_t item = fm_json_first(json, samples); item >= 0 && !tree->set->fault; item = fm_json_next(json, item)) {
        int64_t step_ns = 0;
        (void)fm_profile_json_decimal(json, delta, DIGITS_OF_DELTA, &step_ns);
        profile->at_ns = fm_samples_sum(profile->at_ns, step_ns);
        delta = fm_json_next(json, delta);
        next_sample(profile, fm_sample_tree_stack(tree, fm_sample_tree_find(tree, key_of(profile, json, item))));
    }
}

void fm_v8_end(struct fm_v8_profile *profile, int64_t end_ns) { put_pending(profile, end_ns); }

/* --- reading profiles that are files of their own --- */

/* Adds samples whose times are in a list of their own, as older versions of V8 write them. */
static void add_timestamped(struct fm_v8_profile *profile, const struct fm_json *json, int32_t samples, int32_t times)
{
    struct fm_sample_tree *tree = profile->tree;
    int32_t time = fm_json_first(json, times);
    for (int32_t item = fm_json_first(json, samples); item >= 0 && !tree->set->fault; item = fm_json_next(json, item)) {
        (void)fm_profile_json_decimal(json, time, DIGITS_OF_DELTA, &profile->at_ns);
        time = fm_json_next(json, time);
        next_sample(profile, fm_sample_tree_stack(tree, fm_sample_tree_find(tree, key_of(profile, json, item))));
    }
}

/* If the profile has no samples, adds the hits or bytes of a node itself as a sample. */
static void add_own_weight(const struct fm_v8_profile *profile, const struct fm_json *json, int32_t node,
                           uint32_t number)
{
    framemap_sample_set *set = profile->tree->set;
    const int32_t size = fm_json_get(json, node, "selfSize");
    int64_t value = 0;
    if (!fm_profile_json_decimal(json, size >= 0 ? size : fm_json_get(json, node, "hitCount"), 0, &value)) return;
    if (value <= 0) return;
    const struct fm_sample_entry row = {FM_NO_TIME, fm_sample_tree_stack(profile->tree, number), profile->thread,
                                        FM_NO_ID};
    const uint32_t column = size >= 0 ? fm_samples_column(set, FM_STR("space"), FM_STR("bytes"))
                                      : fm_samples_column(set, FM_STR("samples"), FM_STR("count"));
    fm_samples_one(set, &row, column, value);
}

static void add_hits(const struct fm_v8_profile *profile, const struct fm_json *json, int32_t nodes)
{
    for (int32_t item = fm_json_first(json, nodes); item >= 0; item = fm_json_next(json, item))
        add_own_weight(profile, json, item,
                       fm_sample_tree_find(profile->tree, key_of(profile, json, fm_json_get(json, item, "id"))));
}

/* A position in the walk over a tree: the next child to add, and the number of the child's parent. */
struct place {
    int32_t child;
    uint32_t parent;
};

static uint32_t add_tree_node(const struct fm_v8_profile *profile, const struct fm_json *json, int32_t value,
                              uint32_t parent, bool weights)
{
    const int32_t frame = fm_json_get(json, value, "callFrame"), id = fm_json_get(json, value, "id");
    const uint64_t key =
        id >= 0 ? key_of(profile, json, id) : fm_sample_tree_key(profile->tree, fm_str(&value, sizeof value), 1);
    const uint32_t number = add_node(profile, json, key, frame >= 0 ? frame : value, frame >= 0 ? 0 : 1);
    fm_sample_tree_link(profile->tree, number, parent);
    if (weights) add_own_weight(profile, json, value, number);
    return number;
}

/* Adds the nodes of a profile that is a tree ("head"), parents before children. */
static void add_tree(const struct fm_v8_profile *profile, const struct fm_json *json, int32_t head, bool weights)
{
    struct place places[FM_LIMIT_JSON_DEPTH];
    size_t depth = 1;
    places[0] = (struct place){fm_json_first(json, fm_json_get(json, head, "children")),
                               add_tree_node(profile, json, head, FM_NO_ID, weights)};
    while (depth > 0 && !profile->tree->set->fault) {
        struct place *place = &places[depth - 1];
        const int32_t value = place->child;
        if (value < 0) {
            depth--;
            continue;
        }
        place->child = fm_json_next(json, value);
        const uint32_t number = add_tree_node(profile, json, value, place->parent, weights);
        const int32_t children = fm_json_first(json, fm_json_get(json, value, "children"));
        if (children >= 0 && depth < FM_LIMIT_JSON_DEPTH) places[depth++] = (struct place){children, number};
    }
}

static void read_samples(struct fm_v8_profile *profile, const struct fm_json *json)
{
    const int32_t deltas = fm_json_get(json, 0, "timeDeltas"), times = fm_json_get(json, 0, "timestamps"),
                  samples = fm_json_get(json, 0, "samples");
    int64_t end_ns = INT64_MIN;
    profile->has_time = fm_json_count(json, deltas) > 0 || fm_json_count(json, times) > 0;
    if (fm_json_count(json, deltas) > 0) {
        (void)fm_profile_json_decimal(json, fm_json_get(json, 0, "startTime"), DIGITS_OF_DELTA, &profile->at_ns);
        profile->last_ns = profile->at_ns;
        (void)fm_profile_json_decimal(json, fm_json_get(json, 0, "endTime"), DIGITS_OF_DELTA, &end_ns);
        fm_v8_add_samples(profile, json, samples, deltas);
    } else {
        add_timestamped(profile, json, samples, times);
    }
    fm_v8_end(profile, end_ns);
}

static void read_profile(struct fm_v8_profile *profile, const struct fm_json *json)
{
    const int32_t nodes = fm_json_get(json, 0, "nodes"), head = fm_json_get(json, 0, "head");
    const bool weights =
        fm_json_count(json, fm_json_get(json, 0, "samples")) == 0 || fm_json_get(json, head, "selfSize") >= 0;
    if (nodes >= 0)
        fm_v8_add_nodes(profile, json, nodes);
    else
        add_tree(profile, json, head, weights);
    if (!weights)
        read_samples(profile, json);
    else if (nodes >= 0)
        add_hits(profile, json, nodes);
}

static bool is_profile(const struct fm_json *json)
{
    const int32_t nodes = fm_json_get(json, 0, "nodes"), head = fm_json_get(json, 0, "head");
    return (fm_json_type(json, nodes) == FM_JSON_ARRAY &&
            (fm_json_count(json, nodes) == 0 || fm_json_get(json, fm_json_first(json, nodes), "callFrame") >= 0)) ||
           fm_json_get(json, head, "functionName") >= 0 || fm_json_get(json, head, "callFrame") >= 0;
}

static framemap_status read_cpuprofile(framemap_sample_set *set, framemap_str text, framemap_error *error)
{
    struct fm_json *json = NULL;
    framemap_status status = fm_json_parse(text, &set->heap, &json, error);
    if (status != FRAMEMAP_OK) return status;
    if (is_profile(json)) {
        struct fm_sample_tree tree;
        fm_sample_tree_init(&tree, set);
        struct fm_v8_profile profile = {.tree = &tree, .thread = FM_NO_ID};
        read_profile(&profile, json);
        fm_sample_tree_free(&tree);
    } else {
        status = fm_error_set(error, FRAMEMAP_E_FORMAT, "the document is not a CPU profile of V8");
    }
    fm_json_free(json);
    return status;
}

static bool is_cpuprofile(framemap_str head)
{
    return fm_profile_json_begins(head, '{') && (fm_str_find(head, FM_STR("\"callFrame\"")) != FM_NOT_FOUND ||
                                                 fm_str_find(head, FM_STR("\"bailoutReason\"")) != FM_NOT_FOUND);
}

const struct fm_profile_format fm_profile_cpuprofile = {
    .info = {"v8-cpuprofile", "CPU and heap profiles of V8 (.cpuprofile, .heapprofile)", true, false,
             FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_TIMES |
                 FRAMEMAP_PART_VALUES},
    .looks = is_cpuprofile,
    .read = read_cpuprofile};
