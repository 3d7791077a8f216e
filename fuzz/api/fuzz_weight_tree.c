/* Makes weight trees of profiles. The input has in-app rules, code owners and a profile, separated by lines of '\x01'.
 * Properties: the weight of a function equals the weight that a walk over all samples finds; functions are sorted by
 * weight, and nodes come after their parents; the output ends with a line end. */
#include "core/text/buffer.h"
#include "fuzz/support/harness_help.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

static framemap_str take_part(framemap_str *rest)
{
    const size_t mark = fm_str_find_byte(*rest, '\x01');
    const framemap_str part = mark == FM_NOT_FOUND ? fm_str(NULL, 0) : fm_str_slice(*rest, 0, mark);
    if (mark != FM_NOT_FOUND) *rest = fm_str_from(*rest, mark + 1);
    return part;
}

/* --- computing weights by a walk over all samples --- */

static bool is_called(framemap_str name, const framemap_sample_frame *frame)
{
    return frame->function.size && fm_str_equal(frame->function, name);
}

/* Adds up the weights of all functions with this name by a walk over all samples. Returns false if a value is so large
 * that the tree may have limited a sum to the largest number. */
static bool weigh(const framemap_sample_set *set, framemap_str name, int64_t *self, int64_t *total)
{
    framemap_sample sample;
    framemap_sample_frame frame;
    *self = *total = 0;
    for (uint32_t i = 0; framemap_sample_set_sample(set, i, &sample); i++) {
        bool innermost = true, seen = false;
        const int64_t value = sample.values[0];
        if (value > (int64_t)1 << 40 || value < -((int64_t)1 << 40)) return false;
        for (uint32_t node = sample.node, number; node != FRAMEMAP_NO_NODE; innermost = false) {
            must(framemap_sample_set_node(set, node, &node, &number));
            must(framemap_sample_set_frame(set, number, &frame));
            if (!is_called(name, &frame)) continue;
            if (innermost) *self += value;
            if (!seen) *total += value;
            seen = true;
        }
    }
    return true;
}

/* --- checking the tree --- */

static void check_functions(const framemap_sample_set *set, const framemap_sample_tree *tree)
{
    enum { COMPARED = 64 };
    framemap_sample_function function, last = {.self = INT64_MAX};
    int64_t self, total;
    for (uint32_t i = 0; framemap_sample_tree_function(tree, i, &function); i++, last = function) {
        must(function.name.size > 0 && function.self <= last.self);
        if (i >= COMPARED || function.name.data[0] == '[' || fm_str_starts(function.name, FM_STR("0x"))) continue;
        if (!weigh(set, function.name, &self, &total)) continue;
        must(function.self == self && function.total == total);
    }
}

static void check_nodes(const framemap_sample_tree *tree)
{
    const framemap_sample_tree_totals totals = framemap_sample_tree_count(tree);
    framemap_sample_tree_node node, parent;
    for (uint32_t i = 0; framemap_sample_tree_node_at(tree, i, &node); i++) {
        must(node.function < totals.functions);
        if (node.parent == FRAMEMAP_NO_NODE) continue;
        must(node.parent < i && framemap_sample_tree_node_at(tree, node.parent, &parent));
        must(parent.depth + 1 == node.depth);
    }
}

static void print(const framemap_sample_tree *tree, const char *format, framemap_tree_part part, uint32_t most)
{
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    must(framemap_sample_tree_print(tree, format, part, most, gather, &out, NULL) == FRAMEMAP_OK);
    must(out.size > 0 && out.data[out.size - 1] == '\n');
    fm_buf_free(&out);
}

static void check_tree(const framemap_sample_set *set, const framemap_rules *rules)
{
    framemap_sample_tree *tree;
    const framemap_sample_tree_options options = {.size = sizeof options, .rules = rules};
    must(framemap_sample_tree_make(set, &options, &tree, NULL) == FRAMEMAP_OK);
    check_functions(set, tree);
    check_nodes(tree);
    for (int part = FRAMEMAP_TREE_FUNCTIONS; part <= FRAMEMAP_TREE_NODES; part++) {
        print(tree, "text", (framemap_tree_part)part, 10);
        print(tree, "json", (framemap_tree_part)part, 0);
    }
    framemap_sample_tree_close(tree);
}

static void add_stacks(framemap_sample_set *set, framemap_str text)
{
    framemap_trace_list list = {0};
    if (framemap_trace_parse(text, NULL, &list, NULL) != FRAMEMAP_OK) return;
    (void)framemap_sample_set_add_traces(set, list.traces, list.count, NULL);
    framemap_trace_list_free(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    framemap_str rest = fm_str(data, size);
    const framemap_sample_options bounded = {.size = sizeof bounded, .max_memory = (uint64_t)256 << 20};
    framemap_rules_options options = {.size = sizeof options};
    framemap_rules *rules = NULL;
    framemap_sample_set *set;
    options.in_app = take_part(&rest);
    options.owners = take_part(&rest);
    options.path_prefix = fm_str_slice(rest, 0, rest.size < 9 ? rest.size : 9);
    (void)framemap_rules_open(&options, &rules, NULL);
    must(framemap_sample_set_open(&bounded, &set, NULL) == FRAMEMAP_OK);
    must(framemap_sample_format_of(rest) != NULL);
    if (framemap_sample_set_read(set, rest, NULL, NULL) == FRAMEMAP_OK) add_stacks(set, rest);
    framemap_sample_counts counts;
    framemap_sample_set_counts(set, &counts);
    if (counts.samples) check_tree(set, rules);
    framemap_sample_set_close(set);
    framemap_rules_close(rules);
    return 0;
}
