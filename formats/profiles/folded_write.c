/* Writes folded stacks: lines sorted by their bytes, each different stack once. A line begins with the name of the
 * process, if it is known. Called by the format's row (folded_samples.c).
 *
 * Lines are made while the tree of stacks is walked, so the memory depends on the size of the tree, not of the text.
 * For each node there are two items to sort among its siblings: its own line, sorted as "name", and all lines below
 * it, sorted as "name;". Siblings with the same name, such as functions of two images, are walked together. */
#include "formats/profiles/folded_write.h"

#include "core/text/merge_sort.h"

/* A node of the tree that is written: a process, or a node of the sample set below a process. */
struct fold_node {
    uint32_t parent; /* number of the parent node; FM_NO_ID: the node has no parent */
    uint32_t name;
};

/* An element that is sorted among siblings: the line of a node, or all lines below it. */
struct fold_item {
    uint32_t rank;
    uint32_t node;
};

/* A level of siblings whose lines are being written. */
struct fold_level {
    size_t at, end; /* range of the siblings in `items` */
    size_t prefix;  /* size of the start of the line, which the siblings have in common */
};

struct fold {
    struct fm_profile_out *out;
    const framemap_sample_set *set;
    framemap_sample_set names; /* set with the names in the lines; only its strings are used */
    uint32_t *frame_names;     /* for each frame of the sample set: number of the frame's name */
    /* Two ranks for each name: the rank of a line that ends with the name, and the rank of the lines that continue
     * after it (NAME;…). */
    uint32_t *ranks;
    struct fold_node *nodes;
    int64_t *weights;
    size_t count, node_capacity, weight_capacity;
    /* for each node of the sample set: number of the node that was made for it below the current process, plus one */
    uint32_t *made;
    /* for each node of the sample set: number of the process for which `made` is valid, plus one */
    uint32_t *made_for;
    /* the children of node n are children[first[n]] to children[first[n + 1] - 1]; nodes without a parent come last */
    uint32_t *first, *children;
    struct fold_item *items;
    size_t item_count, item_capacity;
    struct fold_level *levels;
    size_t depth, level_capacity;
    struct fm_buf line;
    uint32_t *chain; /* memory for the nodes of one stack */
    size_t chain_capacity;
};

static void fail(struct fold *job)
{
    if (job->out->status == FRAMEMAP_OK) job->out->status = FRAMEMAP_E_MEMORY;
}

/* --- names --- */

static uint32_t name_of(struct fold *job, framemap_str label)
{
    fm_profile_plain_label(label, ';', ':', &job->line);
    if (job->line.failed) fail(job);
    /* a name must not end in a blank, because a number after it would be read as a count */
    const framemap_str name = fm_str_trim(fm_buf_view(&job->line));
    return fm_samples_string(&job->names, name.size ? name : FM_STR("[unknown]"));
}

static void name_frames(struct fold *job)
{
    char room[FM_FRAME_LABEL];
    job->frame_names = fm_profile_alloc(job->out, job->set->frame.count, sizeof *job->frame_names);
    for (uint32_t i = 0; i < job->set->frame.count && job->out->status == FRAMEMAP_OK; i++)
        job->frame_names[i] = name_of(job, fm_samples_label(job->set, i, room));
}

/* Compares two names in the order in which lines are sorted. An even number means the name with half that number,
 * an odd number for the same with ';' after it. */
static int compare_names(const void *context, uint32_t a, uint32_t b)
{
    const framemap_sample_set *names = context;
    const framemap_str one = fm_samples_text(names, a / 2), two = fm_samples_text(names, b / 2);
    const size_t shared = one.size < two.size ? one.size : two.size;
    const int order = shared ? memcmp(one.data, two.data, shared) : 0;
    if (order) return order;
    const int next_one = one.size > shared ? (unsigned char)one.data[shared]
                         : a % 2           ? ';'
                                           : -1,
              next_two = two.size > shared ? (unsigned char)two.data[shared]
                         : b % 2           ? ';'
                                           : -1;
    return next_one - next_two;
}

static void rank_names(struct fold *job)
{
    const size_t count = 2 * job->names.string.count;
    struct fm_sort_item *order = fm_profile_alloc(job->out, count, sizeof *order);
    job->ranks = fm_profile_alloc(job->out, count, sizeof *job->ranks);
    for (uint32_t i = 0; order && i < count; i++) order[i] = (struct fm_sort_item){0, 0, i};
    if (order && job->ranks && !fm_sort(job->out->heap, order, count, compare_names, &job->names)) fail(job);
    for (uint32_t i = 0; order && job->ranks && i < count; i++) job->ranks[order[i].id] = i;
    fm_heap_free(job->out->heap, order, (count ? count : 1) * sizeof *order);
}

/* --- the tree --- */

static uint32_t add_node(struct fold *job, uint32_t parent, uint32_t name)
{
    struct fm_heap *heap = job->out->heap;
    if (job->count >= FM_NO_ID - 1 || !FM_GROW(heap, job->nodes, job->node_capacity, job->count + 1) ||
        !FM_GROW(heap, job->weights, job->weight_capacity, job->count + 1)) {
        fail(job);
        return FM_NO_ID;
    }
    job->nodes[job->count] = (struct fold_node){parent, name};
    job->weights[job->count] = 0;
    return (uint32_t)job->count++;
}

/* Returns the node for a stack below a process. root: node of the process; process: index of the process. */
static uint32_t add_stack(struct fold *job, uint32_t node, uint32_t root, uint32_t process)
{
    const struct fm_sample_node *nodes = job->set->nodes;
    size_t count = 0;
    for (; node != FM_NO_ID && job->made_for[node] != process + 1; node = nodes[node].parent) {
        if (!FM_GROW(job->out->heap, job->chain, job->chain_capacity, count + 1)) {
            fail(job);
            return FM_NO_ID;
        }
        job->chain[count++] = node;
    }
    uint32_t at = node == FM_NO_ID ? root : job->made[node];
    while (count-- > 0 && job->out->status == FRAMEMAP_OK) {
        const uint32_t made = job->chain[count];
        at = add_node(job, at, job->frame_names[nodes[made].frame]);
        job->made[made] = at;
        job->made_for[made] = process + 1;
    }
    return at;
}

static uint32_t process_of(const framemap_sample_set *set, const struct fm_sample_entry *row)
{
    return row->thread < set->thread.count ? set->threads[row->thread].process : 0;
}

/* Returns the rows sorted by process, because `made` is valid for one process at a time. */
static struct fm_sort_item *rows_by_process(struct fold *job)
{
    const framemap_sample_set *set = job->set;
    struct fm_sort_item *rows = fm_profile_alloc(job->out, set->row.count, sizeof *rows);
    for (uint32_t i = 0; rows && i < set->row.count; i++)
        rows[i] = (struct fm_sort_item){process_of(set, &set->rows[i]), 0, i};
    if (rows && !fm_sort(job->out->heap, rows, set->row.count, NULL, NULL)) fail(job);
    return rows;
}

static uint32_t process_node(struct fold *job, uint32_t process)
{
    return process ? add_node(job, FM_NO_ID, name_of(job, fm_samples_text(job->set, process))) : FM_NO_ID;
}

static void add_rows(struct fold *job, const struct fm_sort_item *rows)
{
    const framemap_sample_set *set = job->set;
    uint32_t root = FM_NO_ID, process = FM_NO_ID, unknown = FM_NO_ID;
    for (size_t i = 0; i < set->row.count && job->out->status == FRAMEMAP_OK; i++) {
        const struct fm_sample_entry *row = &set->rows[rows[i].id];
        const int64_t value = fm_samples_value(set, rows[i].id, 0);
        const uint32_t of = process_of(set, row);
        if (value == 0) continue;
        if (process != of) root = process_node(job, of);
        process = of;
        uint32_t node = row->node == FM_NO_ID ? root : add_stack(job, row->node, root, process);
        if (node == FM_NO_ID && unknown == FM_NO_ID)
            unknown = add_node(job, FM_NO_ID, name_of(job, FM_STR("[unknown]")));
        if (node == FM_NO_ID) node = unknown;
        if (node != FM_NO_ID) job->weights[node] = fm_samples_sum(job->weights[node], value);
    }
}

/* Lists the children of each node (a counting sort by parent). */
static void list_children(struct fold *job)
{
    const size_t count = job->count;
    job->first = fm_profile_alloc(job->out, count + 2, sizeof *job->first);
    job->children = fm_profile_alloc(job->out, count, sizeof *job->children);
    if (job->first == NULL || job->children == NULL) return;
    for (size_t i = 0; i < count; i++)
        job->first[(job->nodes[i].parent == FM_NO_ID ? count : job->nodes[i].parent) + 1]++;
    for (size_t i = 0; i <= count; i++) job->first[i + 1] += job->first[i];
    /* Items are visited from the last to the first, so that first[n + 1] becomes the start of the children of node
     * n. */
    for (size_t i = count; i-- > 0;) {
        const size_t parent = job->nodes[i].parent == FM_NO_ID ? count : job->nodes[i].parent;
        job->children[--job->first[parent + 1]] = (uint32_t)i;
    }
}

static size_t first_of(const struct fold *job, size_t parent) { return job->first[parent + 1]; }
static size_t end_of(const struct fold *job, size_t parent)
{
    return parent == job->count ? job->count : job->first[parent + 2];
}

/* --- lines --- */

static void push_item(struct fold *job, uint32_t rank, uint32_t node)
{
    if (!FM_GROW(job->out->heap, job->items, job->item_capacity, job->item_count + 1))
        fail(job);
    else
        job->items[job->item_count++] = (struct fold_item){rank, node};
}

static void push_children(struct fold *job, size_t parent)
{
    const size_t end = end_of(job, parent);
    for (size_t i = first_of(job, parent); i < end && job->out->status == FRAMEMAP_OK; i++) {
        const uint32_t node = job->children[i], name = job->nodes[node].name;
        if (job->weights[node]) push_item(job, job->ranks[2 * name], node);
        if (first_of(job, node) < end_of(job, node)) push_item(job, job->ranks[2 * name + 1], node);
    }
}

static void sort_few(struct fold_item *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct fold_item item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1].rank > item.rank; at--) items[at] = items[at - 1];
        items[at] = item;
    }
}

static void sort_items(struct fold *job, struct fold_item *items, size_t count)
{
    enum { FEW = 24 };
    if (count <= FEW) {
        sort_few(items, count);
        return;
    }
    struct fm_sort_item *order = fm_profile_alloc(job->out, count, sizeof *order);
    if (order == NULL) return;
    for (size_t i = 0; i < count; i++) order[i] = (struct fm_sort_item){items[i].rank, 0, items[i].node};
    if (!fm_sort(job->out->heap, order, count, NULL, NULL)) fail(job);
    for (size_t i = 0; i < count; i++) items[i] = (struct fold_item){(uint32_t)order[i].key, order[i].id};
    fm_heap_free(job->out->heap, order, count * sizeof *order);
}

/* Begins a level with the siblings in items[from] and after it. */
static void push_level(struct fold *job, size_t from)
{
    if (job->out->status != FRAMEMAP_OK) return;
    if (!FM_GROW(job->out->heap, job->levels, job->level_capacity, job->depth + 1)) {
        fail(job);
        return;
    }
    if (job->item_count > from) sort_items(job, job->items + from, job->item_count - from);
    job->levels[job->depth++] = (struct fold_level){from, job->item_count, job->line.size};
}

size_t fm_folded_number(framemap_str text)
{
    size_t at = text.size;
    while (at && (fm_is_digit(text.data[at - 1]) || text.data[at - 1] == '.')) at--;
    return at >= 2 && fm_is_blank(text.data[at - 1]) ? at : text.size;
}

/* Appends the last name of a line. If the name ends in a blank and a number, the number would be read as a count, so
 * "Thread 12" becomes "Thread_12". */
static void put_last_name(struct fm_buf *out, framemap_str name)
{
    const size_t at = fm_folded_number(name);
    const bool is_number = at < name.size;
    fm_buf_str(out, fm_str_slice(name, 0, is_number ? at - 1 : at));
    if (is_number) fm_buf_byte(out, '_');
    fm_buf_str(out, fm_str_from(name, at));
}

static void put_line(struct fold *job, framemap_str name, int64_t weight)
{
    struct fm_profile_out *out = job->out;
    if (weight == 0) return;
    fm_buf_str(&out->buf, fm_buf_view(&job->line));
    put_last_name(&out->buf, name);
    fm_buf_byte(&out->buf, ' ');
    fm_profile_put_int(out, weight);
    fm_buf_byte(&out->buf, '\n');
    fm_profile_spill(out);
}

/* Removes the next items that have equal ranks: they are either one line, or all lines below a name. */
static void take_items(struct fold *job)
{
    struct fold_level *level = &job->levels[job->depth - 1];
    const struct fold_item first = job->items[level->at];
    const uint32_t name = job->nodes[first.node].name;
    const bool own = first.rank == job->ranks[2 * name];
    const size_t end = level->end, from = job->item_count;
    int64_t weight = 0;
    size_t at = level->at;
    job->line.size = level->prefix;
    for (; at < end && job->items[at].rank == first.rank; at++) {
        if (own)
            weight = fm_samples_sum(weight, job->weights[job->items[at].node]);
        else
            push_children(job, job->items[at].node);
    }
    level->at = at;
    if (own) {
        /* negative counts are not written, since readers of folded stacks do not accept them */
        if (weight > 0) put_line(job, fm_samples_text(&job->names, name), weight);
        return;
    }
    fm_buf_str(&job->line, fm_samples_text(&job->names, name));
    fm_buf_byte(&job->line, ';');
    if (job->line.failed) fail(job);
    push_level(job, from);
}

/* Checks, before the first line is written, that the lines fit in fm_limit_stacks. */
static void check_lines(struct fold *job)
{
    const uint64_t most = fm_profile_most(job->set, 0);
    /* sizes[n] is the size of the line of node n */
    uint64_t *sizes = fm_profile_alloc(job->out, job->count, sizeof *sizes);
    uint64_t total = 0;
    for (size_t i = 0; i < job->count && job->out->status == FRAMEMAP_OK; i++) {
        const struct fold_node *node = &job->nodes[i];
        sizes[i] = node->parent == FM_NO_ID ? 0 : sizes[node->parent];
        (void)fm_profile_within(&sizes[i], fm_samples_text(&job->names, node->name).size + 1, most);
        if (job->weights[i] && !fm_profile_within(&total, sizes[i], most)) job->out->status = FRAMEMAP_E_LIMIT;
    }
    fm_heap_free(job->out->heap, sizes, (job->count ? job->count : 1) * sizeof *sizes);
}

static void put_lines(struct fold *job)
{
    fm_buf_clear(&job->line);
    push_children(job, job->count);
    push_level(job, 0);
    while (job->depth > 0 && job->out->status == FRAMEMAP_OK) {
        const struct fold_level *level = &job->levels[job->depth - 1];
        if (level->at < level->end) {
            take_items(job);
            continue;
        }
        job->depth--;
        job->item_count = job->depth > 0 ? job->levels[job->depth - 1].end : 0;
    }
}

static void make_tree(struct fold *job)
{
    const size_t nodes = job->set->node.count;
    struct fm_heap *heap = job->out->heap;
    struct fm_sort_item *rows = rows_by_process(job);
    job->made = fm_profile_alloc(job->out, nodes, sizeof *job->made);
    job->made_for = fm_profile_alloc(job->out, nodes, sizeof *job->made_for);
    if (job->out->status == FRAMEMAP_OK) add_rows(job, rows);
    if (job->names.fault && job->out->status == FRAMEMAP_OK) job->out->status = job->names.fault;
    fm_heap_free(heap, rows, (job->set->row.count ? job->set->row.count : 1) * sizeof *rows);
    fm_heap_free(heap, job->made, (nodes ? nodes : 1) * sizeof *job->made);
    fm_heap_free(heap, job->made_for, (nodes ? nodes : 1) * sizeof *job->made_for);
}

static void free_fold(struct fold *job)
{
    struct fm_heap *heap = job->out->heap;
    const size_t frames = job->set->frame.count ? job->set->frame.count : 1;
    fm_heap_free(heap, job->frame_names, frames * sizeof *job->frame_names);
    fm_heap_free(heap, job->ranks, 2 * job->names.string.count * sizeof *job->ranks);
    fm_heap_free(heap, job->nodes, job->node_capacity * sizeof *job->nodes);
    fm_heap_free(heap, job->weights, job->weight_capacity * sizeof *job->weights);
    fm_heap_free(heap, job->first, (job->count + 2) * sizeof *job->first);
    fm_heap_free(heap, job->children, (job->count ? job->count : 1) * sizeof *job->children);
    fm_heap_free(heap, job->items, job->item_capacity * sizeof *job->items);
    fm_heap_free(heap, job->levels, job->level_capacity * sizeof *job->levels);
    fm_heap_free(heap, job->chain, job->chain_capacity * sizeof *job->chain);
    fm_buf_free(&job->line);
    fm_samples_free(&job->names);
}

void fm_folded_write(struct fm_profile_out *out)
{
    struct fold job = {.out = out, .set = out->set};
    if (out->set->column_count == 0) return;
    fm_samples_init(&job.names, &out->heap->hook, 0, 0);
    fm_buf_init(&job.line, out->heap);
    name_frames(&job);
    if (out->status == FRAMEMAP_OK) make_tree(&job);
    if (out->status == FRAMEMAP_OK) check_lines(&job);
    if (out->status == FRAMEMAP_OK) rank_names(&job);
    if (out->status == FRAMEMAP_OK) list_children(&job);
    if (out->status == FRAMEMAP_OK) put_lines(&job);
    free_fold(&job);
}
