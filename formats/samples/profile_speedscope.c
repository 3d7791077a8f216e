/* Reads the stacks of speedscope's profiles as traces; formats/profiles/speedscope_samples.c reads them as samples
 * with weights. https://www.speedscope.app/file-format-schema.json
 *
 *    {"shared":{"frames":[{"name":"a","file":"a.c","line":1,"col":2}]},
 *     "profiles":[{"type":"sampled","samples":[[0,1]],"weights":[1]},
 *                 {"type":"evented","events":[{"type":"O","frame":0,"at":0},{"type":"C","frame":0,"at":5}]}]}
 *
 * The outermost frame is first. Equal samples in succession are one trace. In an evented profile, a stack is a trace
 * if the next event ends its innermost frame. */
#include "formats/samples/profile_readers.h"

static void add_frames(struct fm_profile_tree *tree, int32_t frames)
{
    const struct fm_json *json = tree->json;
    uint64_t key = 0;
    for (int32_t item = fm_json_first(json, frames); item >= 0; item = fm_json_next(json, item)) {
        const struct fm_profile_node node = {.function = fm_profile_string(tree, item, "name"),
                                             .file = fm_profile_string(tree, item, "file"),
                                             .line1 = fm_profile_position(json, item, "line", 1),
                                             .column1 = fm_profile_position(json, item, "col", 1),
                                             .parent = FM_PROFILE_NONE,
                                             .key = key++};
        fm_profile_node_add(tree, item, &node);
    }
}

/* Gets the frames of a sample. Returns false if one of them is not in the profile's list of frames. */
static bool sample_frames(const struct fm_profile_tree *tree, int32_t sample, uint32_t *stack, size_t *count)
{
    *count = 0;
    for (int32_t item = fm_json_first(tree->json, sample); item >= 0; item = fm_json_next(tree->json, item)) {
        uint64_t number = 0;
        if (!fm_json_u64(tree->json, item, &number) || number >= tree->count) return false;
        if (*count < FM_PROFILE_DEPTH) stack[(*count)++] = (uint32_t)number;
    }
    return *count != 0;
}

static void add_samples(struct fm_profile_tree *tree, int32_t profile, uint32_t *stack)
{
    const struct fm_json *json = tree->json;
    const int32_t samples = fm_json_get(json, profile, "samples");
    int32_t weight = fm_json_first(json, fm_json_get(json, profile, "weights"));
    uint64_t total = 0;
    for (int32_t item = fm_json_first(json, samples); item >= 0; item = fm_json_next(json, item)) {
        uint64_t one = 0;
        size_t count = 0;
        if (!fm_json_u64(json, weight, &one)) one = 0;
        weight = fm_json_next(json, weight);
        total += one;
        const int32_t next = fm_json_next(json, item);
        if (next >= 0 && fm_str_equal(fm_json_raw(json, next), fm_json_raw(json, item))) continue;
        if (sample_frames(tree, item, stack, &count)) fm_profile_stack(tree, stack, count, total);
        total = 0;
    }
}

static void add_events(struct fm_profile_tree *tree, int32_t profile, uint32_t *stack)
{
    const struct fm_json *json = tree->json;
    size_t depth = 0;
    bool opened = false;
    for (int32_t item = fm_json_first(json, fm_json_get(json, profile, "events")); item >= 0;
         item = fm_json_next(json, item)) {
        uint64_t number = 0;
        const framemap_str type = fm_json_raw(json, fm_json_get(json, item, "type"));
        if (fm_str_equal(type, FM_STR("C"))) {
            if (opened) fm_profile_stack(tree, stack, depth, 0);
            opened = false;
            if (depth > 0) depth--;
            continue;
        }
        if (!fm_json_u64(json, fm_json_get(json, item, "frame"), &number) || number >= tree->count) continue;
        if (depth == FM_PROFILE_DEPTH) return;
        stack[depth++] = (uint32_t)number;
        opened = true;
    }
}

bool fm_speedscope_read(struct fm_document *doc, const char *format, const struct fm_json_document *document,
                        const struct fm_json *json)
{
    const int32_t frames = fm_json_get(json, fm_json_get(json, 0, "shared"), "frames"),
                  profiles = fm_json_get(json, 0, "profiles");
    struct fm_profile_tree tree;
    if (fm_json_type(json, frames) != FM_JSON_ARRAY || fm_json_type(json, profiles) != FM_JSON_ARRAY) return false;
    if (!fm_profile_tree_init(&tree, doc, format, document, json, fm_json_count(json, frames))) return false;
    add_frames(&tree, frames);
    uint32_t *stack = fm_document_alloc(doc, FM_PROFILE_DEPTH * sizeof *stack);
    if (stack == NULL) return false;
    for (int32_t profile = fm_json_first(json, profiles); profile >= 0; profile = fm_json_next(json, profile)) {
        if (fm_str_equal(fm_json_raw(json, fm_json_get(json, profile, "type")), FM_STR("evented")))
            add_events(&tree, profile, stack);
        else
            add_samples(&tree, profile, stack);
    }
    return tree.frames != 0;
}
