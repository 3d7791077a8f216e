/* Implements framemap_sample_tree: makes one tree of names from the stacks of a set of samples, with the weight of
 * each function. Its time and memory are proportional to the nodes of the set, except for the sorting. */
#include "api/group/rules.h"
#include "api/group/tree_state.h"
#include "api/option_structs.h"
#include "core/error.h"
#include "core/text/merge_sort.h"
#include "formats/profiles/profile_format.h"

/* State while a set becomes a tree. `flat` is a copy of the set in which frames have names only, so that each function
 * is one frame. Until they are sorted, functions and nodes have the numbers that they have in `flat`. */
struct tree_job {
    const framemap_sample_set *set;
    const framemap_sample_tree_options *options;
    framemap_sample_tree *tree;
    framemap_sample_set flat;
    struct fm_arena arena; /* memory of the arrays below */
    uint32_t *frames;      /* function of each frame of the set */
    uint32_t *nodes;       /* node of `flat` for each node of the set */
    framemap_sample_function *functions;
    framemap_sample_tree_node *weights; /* own and total weight of each node of `flat` */
    uint32_t *ranks;                    /* for each function: its index in the result */
    uint32_t *child, *sibling;          /* for each node: its first child, and the next child of its parent */
    /* First node without a parent; the other nodes without a parent follow as its siblings. */
    uint32_t first;
};

/* --- finding the functions and nodes of a set --- */

static bool start(struct tree_job *job)
{
    const framemap_sample_set *set = job->set;
    job->frames = FM_ARENA_ARRAY(&job->arena, uint32_t, set->frame.count);
    job->nodes = FM_ARENA_ARRAY(&job->arena, uint32_t, set->node.count);
    job->functions = FM_ARENA_ARRAY(&job->arena, framemap_sample_function, set->frame.count);
    job->weights = FM_ARENA_ARRAY(&job->arena, framemap_sample_tree_node, set->node.count);
    return job->frames && job->nodes && job->functions && job->weights;
}

/* Finds the function of each frame. Frames with equal labels (fm_samples_label) belong to one function, which has the
 * label as its name. */
static void find_functions(struct tree_job *job)
{
    const framemap_sample_set *set = job->set;
    char room[FM_FRAME_LABEL];
    for (uint32_t i = 0; i < set->frame.count && !job->flat.fault; i++) {
        const struct fm_sample_frame named = {.function =
                                                  fm_samples_string(&job->flat, fm_samples_label(set, i, room))};
        const uint32_t id = job->frames[i] = fm_samples_frame(&job->flat, &named);
        if (id == FM_NO_ID) return;
        framemap_sample_function *function = &job->functions[id];
        function->name = fm_samples_text(&job->flat, named.function);
        if (!function->file.size) function->file = fm_samples_text(set, set->frames[i].file);
        if (!function->module.size) function->module = fm_samples_text(set, set->frames[i].module);
    }
}

static void find_nodes(struct tree_job *job)
{
    const struct fm_sample_node *nodes = job->set->nodes;
    for (size_t i = 0; i < job->set->node.count && !job->flat.fault; i++) {
        const uint32_t parent = nodes[i].parent == FM_NO_ID ? FM_NO_ID : job->nodes[nodes[i].parent];
        job->nodes[i] = fm_samples_node(&job->flat, parent, job->frames[nodes[i].frame]);
    }
}

static void weigh_nodes(struct tree_job *job)
{
    const framemap_sample_set *set = job->set;
    int64_t *all = &job->tree->totals.total;
    for (size_t i = 0; i < set->row.count && set->column_count; i++) {
        const int64_t value = fm_samples_value(set, i, job->options->type);
        *all = fm_samples_sum(*all, value);
        if (set->rows[i].node == FM_NO_ID) continue;
        framemap_sample_tree_node *node = &job->weights[job->nodes[set->rows[i].node]];
        node->self = fm_samples_sum(node->self, value);
    }
    /* visits callees before their callers, which have lower numbers */
    for (size_t i = job->flat.node.count; i-- > 0;) {
        framemap_sample_tree_node *node = &job->weights[i];
        const uint32_t parent = job->flat.nodes[i].parent;
        node->total = fm_samples_sum(node->total, node->self);
        if (parent == FM_NO_ID) continue;
        job->weights[parent].total = fm_samples_sum(job->weights[parent].total, node->total);
    }
}

/* --- ordering nodes --- */

static uint64_t descending(int64_t value) { return ~((uint64_t)value ^ (uint64_t)1 << 63); }

static int compare_values(int64_t a, int64_t b) { return (a < b) - (a > b); }

static int by_total_and_name(const void *context, uint32_t a, uint32_t b)
{
    const framemap_sample_function *functions = context;
    const int order = compare_values(functions[a].total, functions[b].total);
    return order ? order : fm_str_compare(functions[a].name, functions[b].name);
}

static int by_self_and_name(const void *context, uint32_t a, uint32_t b)
{
    const struct tree_job *job = context;
    const int order = compare_values(job->weights[a].self, job->weights[b].self);
    const uint32_t one = job->flat.nodes[a].frame, other = job->flat.nodes[b].frame;
    return order ? order : fm_str_compare(job->functions[one].name, job->functions[other].name);
}

/* Links the nodes of each parent, the largest first. */
static bool link_nodes(struct tree_job *job)
{
    const size_t count = job->flat.node.count;
    struct fm_sort_item *order = FM_ARENA_ARRAY(&job->arena, struct fm_sort_item, count);
    job->child = FM_ARENA_ARRAY(&job->arena, uint32_t, count);
    job->sibling = FM_ARENA_ARRAY(&job->arena, uint32_t, count);
    if (!order || !job->child || !job->sibling) return false;
    for (uint32_t i = 0; i < count; i++) {
        order[i] = (struct fm_sort_item){.key = descending(job->weights[i].total), .id = i};
        job->child[i] = FM_NO_ID;
    }
    if (!fm_sort(job->arena.heap, order, count, by_self_and_name, job)) return false;
    job->first = FM_NO_ID;
    for (size_t i = count; i-- > 0;) {
        const uint32_t id = order[i].id, parent = job->flat.nodes[id].parent;
        uint32_t *head = parent == FM_NO_ID ? &job->first : &job->child[parent];
        job->sibling[id] = *head;
        *head = id;
    }
    return true;
}

/* Returns the node after `node` in a walk. calls: for each function, how often it is on the path to the current node.
 * When the walk leaves a node, the count of its function is reduced. */
static uint32_t next_node(const struct tree_job *job, uint32_t node, uint32_t *calls, uint32_t *depth)
{
    if (job->child[node] != FM_NO_ID) {
        ++*depth;
        return job->child[node];
    }
    for (;; node = job->flat.nodes[node].parent, --*depth) {
        calls[job->flat.nodes[node].frame]--;
        if (job->sibling[node] != FM_NO_ID) return job->sibling[node];
        if (job->flat.nodes[node].parent == FM_NO_ID) return FM_NO_ID;
    }
}

/* Walks over the nodes: numbers them, and adds their weights to their functions. */
static bool walk(struct tree_job *job)
{
    framemap_sample_tree *tree = job->tree;
    const size_t count = job->flat.node.count;
    uint32_t *calls = FM_ARENA_ARRAY(&job->arena, uint32_t, job->flat.frame.count), depth = 0;
    uint32_t *places = FM_ARENA_ARRAY(&job->arena, uint32_t, count);
    tree->nodes = FM_ARENA_ARRAY(&tree->arena, framemap_sample_tree_node, count);
    if (!calls || !places || !tree->nodes) return false;
    for (uint32_t node = job->first; node != FM_NO_ID; node = next_node(job, node, calls, &depth)) {
        const uint32_t function = job->flat.nodes[node].frame, parent = job->flat.nodes[node].parent;
        const framemap_sample_tree_node *weight = &job->weights[node];
        framemap_sample_function *sum = &job->functions[function];
        sum->self = fm_samples_sum(sum->self, weight->self);
        if (calls[function]++ == 0) sum->total = fm_samples_sum(sum->total, weight->total);
        places[node] = tree->totals.nodes;
        tree->nodes[tree->totals.nodes++] = (framemap_sample_tree_node){
            parent == FM_NO_ID ? FRAMEMAP_NO_NODE : places[parent], function, depth, weight->self, weight->total};
    }
    return true;
}

/* --- making the tree --- */

static void ask_rules(const framemap_rules *rules, framemap_sample_function *function)
{
    const framemap_frame frame = {.kind = FRAMEMAP_KIND_OTHER,
                                  .module = fm_str_basename(function->module),
                                  .module_path = function->module,
                                  .function = function->name,
                                  .file = function->file};
    if (rules == NULL) return;
    function->has_in_app = true;
    function->in_app = framemap_rules_in_app(rules, NULL, &frame, &frame);
    function->owner = framemap_rules_owner(rules, function->file);
}

static bool keep_texts(struct fm_arena *arena, framemap_sample_function *function)
{
    framemap_str *const texts[] = {&function->name, &function->file, &function->module, &function->owner};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i]->size == 0) *texts[i] = fm_str(NULL, 0);
        if (texts[i]->size && !fm_arena_str(arena, *texts[i], texts[i])) return false;
    }
    return true;
}

/* Puts the functions in order, with copies of their texts. */
static bool rank_functions(struct tree_job *job)
{
    framemap_sample_tree *tree = job->tree;
    const uint32_t count = tree->totals.functions = (uint32_t)job->flat.frame.count;
    struct fm_sort_item *order = FM_ARENA_ARRAY(&job->arena, struct fm_sort_item, count);
    job->ranks = FM_ARENA_ARRAY(&job->arena, uint32_t, count);
    tree->functions = FM_ARENA_ARRAY(&tree->arena, framemap_sample_function, count);
    if (!order || !job->ranks || !tree->functions) return false;
    for (uint32_t i = 0; i < count; i++)
        order[i] = (struct fm_sort_item){.key = descending(job->functions[i].self), .id = i};
    if (!fm_sort(job->arena.heap, order, count, by_total_and_name, job->functions)) return false;
    for (uint32_t i = 0; i < count; i++) {
        job->ranks[order[i].id] = i;
        tree->functions[i] = job->functions[order[i].id];
        ask_rules(job->options->rules, &tree->functions[i]);
        if (!keep_texts(&tree->arena, &tree->functions[i])) return false;
    }
    for (uint32_t i = 0; i < tree->totals.nodes; i++) tree->nodes[i].function = job->ranks[tree->nodes[i].function];
    return true;
}

static bool name_weights(const struct tree_job *job)
{
    const framemap_sample_set *set = job->set;
    framemap_sample_tree_totals *totals = &job->tree->totals;
    if (set->column_count == 0) return true;
    const struct fm_sample_column *column = &set->columns[job->options->type];
    return fm_arena_str(&job->tree->arena, fm_samples_text(set, column->type), &totals->type) &&
           fm_arena_str(&job->tree->arena, fm_samples_text(set, column->unit), &totals->unit);
}

static bool make(struct tree_job *job)
{
    if (!name_weights(job) || !start(job)) return false;
    find_functions(job);
    find_nodes(job);
    if (job->flat.fault) return false;
    weigh_nodes(job);
    return link_nodes(job) && walk(job) && rank_functions(job);
}

static framemap_status check(const framemap_sample_set *set, const framemap_sample_tree_options *given,
                             framemap_error *error)
{
    if (given->type == 0 || given->type < set->column_count) return FRAMEMAP_OK;
    return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "the profile has %u kinds of weights", (unsigned)set->column_count);
}

framemap_status framemap_sample_tree_make(const framemap_sample_set *set, const framemap_sample_tree_options *options,
                                          framemap_sample_tree **out, framemap_error *error)
{
    framemap_sample_tree_options given;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (set == NULL || out == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    status = check(set, &given, error);
    if (status != FRAMEMAP_OK) return status;
    struct fm_heap heap;
    fm_heap_init(&heap, given.allocator, 0);
    framemap_sample_tree *tree = fm_heap_zalloc(&heap, 1, sizeof *tree);
    if (tree == NULL) return fm_error_memory(error);
    fm_heap_init(&tree->heap, given.allocator, 0);
    fm_arena_init(&tree->arena, &tree->heap);
    struct tree_job job = {.set = set, .options = &given, .tree = tree};
    fm_samples_init(&job.flat, given.allocator, 0, 0);
    fm_arena_init(&job.arena, &tree->heap);
    if (!make(&job)) status = fm_error_memory(error);
    fm_arena_free(&job.arena);
    fm_samples_free(&job.flat);
    if (status == FRAMEMAP_OK)
        *out = tree;
    else
        framemap_sample_tree_close(tree);
    return status;
}

void framemap_sample_tree_close(framemap_sample_tree *tree)
{
    if (tree == NULL) return;
    struct fm_heap heap;
    fm_heap_init(&heap, &tree->heap.hook, 0);
    fm_arena_free(&tree->arena);
    fm_heap_free(&heap, tree, sizeof *tree);
}

/* --- getting what is in a tree --- */

framemap_sample_tree_totals framemap_sample_tree_count(const framemap_sample_tree *tree)
{
    return tree ? tree->totals : (framemap_sample_tree_totals){.total = 0};
}

bool framemap_sample_tree_function(const framemap_sample_tree *tree, uint32_t at, framemap_sample_function *out)
{
    if (tree == NULL || out == NULL || at >= tree->totals.functions) return false;
    *out = tree->functions[at];
    return true;
}

bool framemap_sample_tree_node_at(const framemap_sample_tree *tree, uint32_t at, framemap_sample_tree_node *out)
{
    if (tree == NULL || out == NULL || at >= tree->totals.nodes) return false;
    *out = tree->nodes[at];
    return true;
}
