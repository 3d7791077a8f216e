/* Implements sample_tree.h: a hash table from the ids of nodes to the nodes of a call tree. */
#include "formats/profiles/sample_tree.h"

#define NOT_MADE (UINT32_MAX - 1)
#define IN_CHAIN (UINT32_MAX - 2)

void fm_sample_tree_init(struct fm_sample_tree *tree, framemap_sample_set *set)
{
    *tree = (struct fm_sample_tree){.set = set, .key = fm_hash_key(set)};
    fm_table_init(&tree->table, &set->heap);
}

void fm_sample_tree_free(struct fm_sample_tree *tree)
{
    struct fm_heap *heap = &tree->set->heap;
    fm_heap_free(heap, tree->nodes, tree->capacity * sizeof *tree->nodes);
    fm_heap_free(heap, tree->chain, tree->chain_capacity * sizeof *tree->chain);
    fm_table_free(&tree->table);
}

uint64_t fm_sample_tree_key(const struct fm_sample_tree *tree, framemap_str id, uint64_t space)
{
    return fm_hash_text(id, tree->key ^ space);
}

static bool key_equal(const void *context, uint32_t id, const void *key)
{
    return ((const struct fm_sample_tree *)context)->nodes[id].key == *(const uint64_t *)key;
}

uint32_t fm_sample_tree_find(const struct fm_sample_tree *tree, uint64_t key)
{
    return fm_table_find(&tree->table, key, key_equal, tree, &key);
}

uint32_t fm_sample_tree_add(struct fm_sample_tree *tree, uint64_t key, uint32_t frame)
{
    const uint32_t found = fm_sample_tree_find(tree, key);
    if (found != FM_NO_ID) return found;
    if (tree->count >= IN_CHAIN || !FM_GROW(&tree->set->heap, tree->nodes, tree->capacity, tree->count + 1) ||
        !fm_table_add(&tree->table, key, (uint32_t)tree->count)) {
        fm_samples_fault(tree->set, tree->count >= IN_CHAIN ? FRAMEMAP_E_LIMIT : FRAMEMAP_E_MEMORY);
        return FM_NO_ID;
    }
    tree->nodes[tree->count] = (struct fm_sample_tree_node){key, FM_NO_ID, frame, NOT_MADE, false};
    return (uint32_t)tree->count++;
}

void fm_sample_tree_link(struct fm_sample_tree *tree, uint32_t child, uint32_t parent)
{
    if (child < tree->count && parent < tree->count && child != parent && tree->nodes[child].node == NOT_MADE)
        tree->nodes[child].parent = parent;
}

/* Returns the node of the sample set to which the children of a tree node are added. */
static uint32_t node_of_parent(const struct fm_sample_tree *tree, uint32_t number)
{
    if (number >= tree->count || tree->nodes[number].is_root || tree->nodes[number].node == IN_CHAIN) return FM_NO_ID;
    return tree->nodes[number].node;
}

uint32_t fm_sample_tree_stack(struct fm_sample_tree *tree, uint32_t number)
{
    size_t count = 0;
    if (number >= tree->count) return FM_NO_ID;
    for (uint32_t at = number; at < tree->count && tree->nodes[at].node == NOT_MADE; at = tree->nodes[at].parent) {
        if (!FM_GROW(&tree->set->heap, tree->chain, tree->chain_capacity, count + 1)) {
            fm_samples_fault(tree->set, FRAMEMAP_E_MEMORY);
            break;
        }
        tree->chain[count++] = at;
        tree->nodes[at].node = IN_CHAIN;
    }
    while (count-- > 0) {
        struct fm_sample_tree_node *node = &tree->nodes[tree->chain[count]];
        node->node = fm_samples_node(tree->set, node_of_parent(tree, node->parent), node->frame);
    }
    return tree->nodes[number].node;
}
