/* Implements the call tree of a profile (profile_tree.h). */
#include "formats/samples/profile_tree.h"
#include "core/hash/hash.h"
#include "core/limits.h"
#include "formats/other/other_row.h"

bool fm_profile_tree_init(struct fm_profile_tree *tree, struct fm_document *doc, const char *format,
                          const struct fm_json_document *document, const struct fm_json *json, uint32_t capacity)
{
    size_t slots = 16;
    *tree = (struct fm_profile_tree){.doc = doc,
                                     .format = format,
                                     .json = json,
                                     .document = document,
                                     .lines = fm_json_lines_of(document),
                                     .capacity = capacity};
    while (slots < (size_t)capacity * 2) slots *= 2;
    tree->slot_mask = (uint32_t)(slots - 1);
    tree->nodes = fm_document_alloc(doc, ((size_t)capacity + 1) * sizeof *tree->nodes);
    tree->order = fm_document_alloc(doc, ((size_t)capacity + 1) * sizeof *tree->order);
    tree->slots = fm_document_alloc(doc, slots * sizeof *tree->slots);
    if (!tree->nodes || !tree->order || !tree->slots) return false;
    memset(tree->slots, 0, slots * sizeof *tree->slots);
    return true;
}

/* Returns the slot of the hash table that has this key, or the empty slot for it. */
static uint32_t slot_of(const struct fm_profile_tree *tree, uint64_t key)
{
    uint32_t slot = (uint32_t)fm_hash_word(key, fm_hash_key(tree->nodes)) & tree->slot_mask;
    while (tree->slots[slot] && tree->nodes[tree->slots[slot] - 1].key != key) slot = (slot + 1) & tree->slot_mask;
    return slot;
}

/* Returns a JSON value as a line of the text. If the value is missing, or precedes the value of the last call in the
 * document, the result is the line of that last value. */
static struct fm_line line_of(struct fm_profile_tree *tree, int32_t value)
{
    framemap_str raw = fm_json_raw(tree->json, value);
    const bool follows = raw.data != NULL && raw.data >= tree->lines.at;
    /* for an empty string, the two quotes are used as the text */
    if (follows && raw.size == 0) raw = fm_str(raw.data - 1, 2);
    return fm_json_lines_at(&tree->lines, follows ? raw : fm_str(tree->lines.at, 0));
}

uint32_t fm_profile_node_add(struct fm_profile_tree *tree, int32_t value, const struct fm_profile_node *node)
{
    if (tree->count == tree->capacity) return FM_PROFILE_NONE;
    const uint32_t number = tree->count++;
    tree->nodes[number] = *node;
    tree->nodes[number].count = 0;
    tree->nodes[number].seen = 0;
    tree->nodes[number].line = line_of(tree, value);
    tree->slots[slot_of(tree, node->key)] = number + 1;
    return number;
}

uint32_t fm_profile_node_find(const struct fm_profile_tree *tree, uint64_t key)
{
    const uint32_t slot = tree->slots[slot_of(tree, key)];
    return slot ? slot - 1 : FM_PROFILE_NONE;
}

uint64_t fm_profile_key(const struct fm_json *json, int32_t value, uint64_t space)
{
    const framemap_str raw = fm_json_raw(json, value);
    return fm_hash64(raw.data, raw.size, space);
}

void fm_profile_sample(struct fm_profile_tree *tree, uint32_t node, uint64_t count)
{
    if (node >= tree->count || count == 0) return;
    if (tree->nodes[node].count == 0) tree->order[tree->order_count++] = node;
    tree->nodes[node].count += count < UINT64_MAX - tree->nodes[node].count ? count : 0;
}

static uint32_t parent_of(const struct fm_profile_tree *tree, uint32_t node)
{
    return tree->nodes[node].by_key ? fm_profile_node_find(tree, tree->nodes[node].parent_key)
                                    : tree->nodes[node].parent;
}

bool fm_profile_stacks(struct fm_profile_tree *tree)
{
    uint32_t *stack = fm_document_alloc(tree->doc, FM_PROFILE_DEPTH * sizeof *stack);
    if (stack == NULL) return false;
    for (uint32_t i = 0; i < tree->order_count; i++) {
        size_t at = FM_PROFILE_DEPTH;
        uint32_t node = tree->order[i];
        const uint64_t samples = tree->nodes[node].count;
        /* The loop stops at a node that was visited before, in case parents form a cycle. */
        while (node < tree->count && at > 0 && tree->nodes[node].seen != i + 1) {
            stack[--at] = node;
            tree->nodes[node].seen = i + 1;
            node = parent_of(tree, node);
        }
        fm_profile_stack(tree, stack + at, FM_PROFILE_DEPTH - at, samples);
    }
    return tree->order_count != 0;
}

static void profile_tree_add_frame(struct fm_profile_tree *tree, const struct fm_profile_node *node, uint64_t samples)
{
    framemap_frame *frame = fm_other_frame(tree->doc, &node->line);
    if (frame == NULL) return;
    frame->function = node->function;
    frame->file = node->file;
    frame->line = node->line1;
    frame->column = node->column1;
    framemap_frame_extra *extra = samples ? fm_document_extra(tree->doc, frame) : NULL;
    if (extra == NULL) return;
    extra->has_count = true;
    extra->count = samples;
}

void fm_profile_stack(struct fm_profile_tree *tree, const uint32_t *nodes, size_t count, uint64_t samples)
{
    if (count == 0 || tree->frames >= FM_LIMIT_SAMPLE_FRAMES) return;
    tree->frames += count;
    if (fm_document_trace(tree->doc, tree->format, &tree->nodes[nodes[0]].line) == NULL) return;
    for (size_t i = 0; i < count; i++)
        profile_tree_add_frame(tree, &tree->nodes[nodes[i]], i + 1 == count ? samples : 0);
    framemap_trace *trace = fm_document_open(tree->doc, tree->format);
    if (trace == NULL) return;
    trace->outermost_first = true;
    /* the frames of a stack may be anywhere in the document, so the trace gets the line of the document */
    trace->line = tree->document->text_number1;
    trace->offset = tree->document->offset;
    trace->size = tree->document->text.size;
    trace->line_count = tree->document->seen1 - tree->document->number1 + 1;
}

framemap_str fm_profile_string(const struct fm_profile_tree *tree, int32_t object, const char *member)
{
    return fm_json_document_string(tree->json, fm_json_get(tree->json, object, member), tree->doc);
}

/* Reads a number. Hermes writes numbers as strings. */
static bool read_number(const struct fm_json *json, int32_t value, int64_t *out)
{
    struct fm_scan s = fm_scan_of(fm_json_raw(json, value));
    uint64_t number = 0;
    if (fm_json_type(json, value) != FM_JSON_STRING) return fm_json_i64(json, value, out);
    if (!fm_scan_dec(&s, &number, NULL) || !fm_scan_done(&s) || number > INT64_MAX) return false;
    *out = (int64_t)number;
    return true;
}

uint32_t fm_profile_position(const struct fm_json *json, int32_t object, const char *member, int64_t base)
{
    int64_t value = 0;
    if (!read_number(json, fm_json_get(json, object, member), &value)) return 0;
    if (value < base || value - base >= UINT32_MAX) return 0;
    return (uint32_t)(value - base + 1);
}
