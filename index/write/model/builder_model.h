/* The builder's records as the mapper gave them, and the plan that fm_builder_finish makes from them. Not the disk
 * layout. */
#ifndef FM_INDEX_WRITE_MODEL_BUILDER_MODEL_H
#define FM_INDEX_WRITE_MODEL_BUILDER_MODEL_H

#include "core/text/merge_sort.h"
#include "index/write/builder.h"
#include "index/write/builder_sink.h"
#include "index/write/model/class_model.h"
#include "index/write/model/row_chunks.h"
#include "index/write/model/segment_model.h"
#include "index/write/model/string_pool.h"
#include "index/write/table_writer.h"

/* The location, or the group of alternatives, of a position that needs more fields than a row has. */
struct fm_answer {
    uint32_t node, file, line1, col1, name;
    uint32_t flags; /* bits FM_PLACE_… of the location; with MODEL_GROUP, `node` is an index of `groups` */
};
#define MODEL_GROUP (UINT32_C(1) << 31)

struct fm_group {
    size_t first, count; /* the alternative locations of the group: a range of `places` of struct fm_builder */
};
struct fm_file_parts {
    uint32_t folder, name; /* numbers of strings; folder FM_NONE: the path has no folder */
};
struct fm_alias {
    uint32_t root, name;
};
/* An inline node as it is stored. There are many nodes, most of them inlined, so fields that only roots have are stored
 * separately. */
struct fm_chain_node {
    uint32_t parent;    /* number of the parent; FM_NONE: a root */
    uint32_t function;  /* function, as in struct fm_node */
    uint32_t call_file; /* for a root: its index in root_parts */
    uint32_t call_line1, call_col1;
    uint16_t depth; /* frames of the chain that ends at this node */
    uint16_t flags; /* bits FM_NODE_… */
};
struct fm_root_part {
    uint64_t start, size;
    uint32_t symbol;
};
struct fm_attribute {
    uint32_t key, value; /* numbers of strings */
};
/* Nodes of one batch. A node whose parent is in the same batch is known to be new, so it is entered in the hash table
 * only if a later lookup needs it. */
struct fm_batch_nodes {
    uint32_t first, end;
    bool in_table;
};

struct fm_builder {
    struct fm_heap *heap;
    const struct fm_builder_sink *sink; /* the receiver that gets the records; NULL: the builder keeps them */
    void *sink_context;
    uint64_t base;
    uint8_t address_bits;
    bool big_endian;
    enum fm_scope_keys keys;
    uint32_t id_later; /* number of the string that is reserved for an id that is set later */
    struct fm_string_pool strings, scope_keys;
    struct fm_table file_table, function_table, node_table, number_table, group_table;
    struct fm_attribute *attributes;
    struct fm_file_parts *files;
    struct fm_function *functions;
    struct fm_chain_node *nodes;
    struct fm_root_part *root_parts;
    struct fm_alias *aliases;
    uint64_t *scope_numbers;
    struct fm_place *places; /* alternative locations of all groups */
    struct fm_group *groups;
    struct fm_answer *answers; /* locations of rows with `file` FM_ROW_OTHER */
    struct fm_rows rows;
    struct fm_batch_nodes *packs;
    /* scratch memory: for each record of the batch that is being added, its number in the builder */
    uint32_t *pack_numbers;
    unsigned threads; /* number of threads for fm_builder_finish */
    struct fm_class_form classes;
    struct fm_segment_form segments;
    size_t attribute_count, attribute_capacity, file_count, file_capacity, function_count, function_capacity,
        node_count, node_capacity, root_count, root_capacity, alias_count, alias_capacity, number_count,
        number_capacity, place_count, place_capacity, group_count, group_capacity, answer_count, answer_capacity,
        position_count, pack_count, pack_capacity, pack_number_capacity;
};

/* Returns all fields of the location of a row, which must not be an end mark. */
static inline struct fm_answer fm_row_answer(const struct fm_builder *b, const struct fm_row *row)
{
    if (row->file == FM_ROW_OTHER) return b->answers[row->node];
    return (struct fm_answer){row->node, row->file, row->line1, row->col1, FM_NONE, 0};
}

static inline size_t fm_builder_scopes(const struct fm_builder *b)
{
    return b->keys == FM_SCOPE_NUMBERED ? b->number_count : b->scope_keys.count;
}

/* Writes the two fields of a string (offset, size) for files whose STRINGS section is the string pool. FM_NONE: no
 * string. */
static inline void fm_pooled_text(const struct fm_builder *b, uint32_t string, uint64_t fields[2])
{
    fields[0] = string == FM_NONE ? 0 : fm_string_pool_at(&b->strings, string);
    fields[1] = string == FM_NONE ? 0 : b->strings.ends[string] - fields[0];
}

/* record_builder.c: these calls are for records whose numbers have been checked. Hashes are keyed by the builder's
 * address. */
uint64_t fm_model_function_hash(const struct fm_builder *b, const struct fm_function *function);
framemap_status fm_model_function(struct fm_builder *b, const struct fm_function *function, uint64_t hash,
                                  uint32_t *out, framemap_error *error);
/* Clears the fields that do not apply to the node's kind (root or inlined), so that equal nodes compare equal. */
static inline void fm_model_node_clean(struct fm_node *node)
{
    if (node->parent == FM_NONE) {
        node->call_file = FM_NONE;
        node->call_line1 = node->call_col1 = 0;
        if ((node->flags & FM_NODE_HAS_START) == 0) node->start = 0;
    } else {
        node->start = node->size = 0;
        node->symbol = FM_NONE;
        node->flags &= ~(uint32_t)FM_NODE_HAS_START;
    }
    node->flags &= FM_NODE_ARTIFICIAL | FM_NODE_HAS_START;
}
uint64_t fm_model_node_hash(const struct fm_builder *b, const struct fm_node *node);
/* Interns a node that was cleaned. Errors: LIMIT, MEMORY. */
framemap_status fm_model_node(struct fm_builder *b, const struct fm_node *node, uint64_t hash, uint32_t *out,
                              framemap_error *error);
/* Adds a new node without entering it in the hash table. */
framemap_status fm_model_node_push(struct fm_builder *b, const struct fm_node *node, uint32_t *out,
                                   framemap_error *error);

/* Maps the builder's numbers ("old") to the file's ("new"), which are assigned in the order of first use, and back.
 */
struct fm_numbering {
    uint32_t *to_new; /* new number of each record; FM_NONE: the record is not used */
    uint32_t *to_old;
    size_t old_count, count;
};

/* A part of a scope in which no long interval is without rows. */
struct fm_stretch {
    uint64_t first; /* first position of the part */
    uint64_t axis_offset;
};
struct fm_scope_plan {
    uint32_t old;
    uint32_t range; /* number of the scope's first range */
    uint8_t unit;
    size_t first_piece; /* number of the scope's first piece (adjacent rows); only valid until fm_plan_axis is called */
};
/* A piece: adjacent rows of one scope, strictly ascending by position. */
struct fm_piece {
    struct fm_row *rows;
    uint64_t first, last; /* positions of the first and last row */
    /* steps: distances between neighbouring rows, or-ed together; widest: the greatest distance */
    uint64_t steps, widest;
    /* offset on the axis of positions of the first row; the offsets of the other rows are computed from their
     * positions */
    uint64_t axis_offset;
    uint32_t count, scope; /* scope: number of the scope in the index */
    size_t chunk;          /* number of the chunk in which the builder keeps these rows */
};
/* An additional string of a root (a function that was not inlined): the symbol's name, or an alias. */
struct fm_extra {
    uint32_t root; /* number of the root in the index */
    uint32_t text; /* number of a string */
    uint8_t kind;  /* a value FMX_EXTRA_… */
};

/* The blocks of consecutive buckets (intervals of the axis of positions), which one thread packs. */
struct fm_block_stretch {
    unsigned char *data;
    size_t size, last_at; /* size: number of bytes of all blocks; last_at: offset of the last block */
    size_t first_size;    /* size of the first block if its only entry repeats one of an earlier bucket; else 0 */
    /* size of the first block if it is left out, because an earlier thread's last block is equal to it; else 0 */
    size_t skipped;
    uint64_t before; /* if `skipped` is not 0: offset in BLOCKS of the earlier block that is equal */
    uint64_t at;     /* offset in BLOCKS of the blocks that are written */
};

/* The contents of the file: computed by the fm_plan_… functions in their order, then read by the encoders. */
struct fm_plan {
    struct fm_builder *builder;
    struct fm_heap *heap;
    /* Rows sorted by scope, then position. The rows themselves stay in the builder's memory. */
    struct fm_piece *pieces;
    size_t piece_count, piece_capacity, row_count;
    struct fm_scope_plan *scopes;
    size_t scope_count, scope_capacity;
    /* The numbers of records in the file. */
    struct fm_numbering nodes, functions, files, texts, groups;
    uint32_t *roots; /* for each root, in order: the number of its node; ascending */
    size_t root_count;
    /* for each node, by its old number: whether it has a new number, and the home file of its function is decided */
    bool *settled;
    size_t inlined_functions;  /* number of functions that are inlined somewhere; these have the lowest numbers */
    size_t detailed_functions; /* number of functions with more than a name, which include the inlined ones */
    /* for each function: its home file (the file of its declaration, or else the first file of its code); FM_NONE: it
     * has none */
    uint32_t *homes;
    struct fm_extra *extras; /* extra names by root; symbols before aliases, aliases by name */
    size_t extra_count, extra_capacity;
    /* The axis, on which the positions of all scopes follow each other. */
    struct fm_stretch *ranges;          /* the ranges, and a last row for the end of the axis */
    size_t range_count, range_capacity; /* range_count includes the last row */
    uint64_t axis_length;               /* number of positions on the axis */
    unsigned shift;
    bool has_lines;
    /* The encoded output. */
    struct fm_block_stretch *stretches; /* bytes of BLOCKS until they are joined */
    size_t stretch_count;
    /* string_at: offset of each string in `strings`; key_at: offset of each scope key there; 0: not written yet */
    uint64_t *string_at, *key_at;
    uint32_t *string_codes; /* for each string: its number among the sorted strings plus 1; 0: it is not one of them */
    struct fm_bit_buffer strings;
    uint64_t *group_places; /* number of the first location of each group, and of all locations at the end */
    struct fm_output_section outputs[FMX_SECTION_END];
};

/* plan_rows.c: sorts rows, drops overridden and repeated ones, sorts scopes. Errors: EMPTY, MEMORY. */
framemap_status fm_plan_order(struct fm_plan *plan, framemap_error *error);
/* plan_numbers.c: assigns numbers in the order of first use. Errors: LIMIT, MEMORY. */
framemap_status fm_plan_numbers(struct fm_plan *plan, framemap_error *error);
/* plan_functions.c: sorts functions: inlined ones first, those with only a name last. Error: MEMORY. */
framemap_status fm_plan_functions(struct fm_plan *plan, framemap_error *error);
/* plan_axis.c: chooses for each scope the unit of which its positions are multiples, and for all scopes the size of a
 * bucket (2^shift positions), from the distances between rows. May run in parallel with fm_plan_numbers. */
void fm_plan_measure(struct fm_plan *plan);
/* plan_axis.c: gives each scope a part of the axis, on which all positions of an index are numbered. It cuts the rows
 * of a scope into pieces where long intervals have no rows, and sets the axis offset of each piece. Error: MEMORY. */
framemap_status fm_plan_axis(struct fm_plan *plan, framemap_error *error);

/* Returns the node with a number of the index file. */
static inline const struct fm_chain_node *fm_plan_node(const struct fm_plan *plan, size_t node)
{
    return &plan->builder->nodes[plan->nodes.to_old[node]];
}
static inline const struct fm_root_part *fm_root_part(const struct fm_builder *b, const struct fm_chain_node *root)
{
    return &b->root_parts[root->call_file];
}

/* Returns where a row of the piece is on the axis of positions: the axis offset of the first row, plus the distance
 * from it in units of the scope. */
static inline uint64_t fm_piece_axis_offset(const struct fm_plan *plan, const struct fm_piece *piece, uint64_t position)
{
    return piece->axis_offset + ((position - piece->first) >> plan->scopes[piece->scope].unit);
}

/* The encoders; the error of all of them is MEMORY. block_encoder.c: encodes buckets (intervals of the axis of
 * positions) and a block for each. beside: called once by one of the threads while the others encode; it must not use
 * rows, pieces, buckets or blocks. */
framemap_status fm_encode_blocks(struct fm_plan *plan,
                                 framemap_status (*beside)(struct fm_plan *plan, framemap_error *error),
                                 framemap_error *error);
void fm_blocks_free(struct fm_plan *plan);
/* node_encoder.c: encodes inline nodes, the table of values that do not fit in them, roots, and the additional names of
 * roots. */
framemap_status fm_encode_nodes(struct fm_plan *plan, framemap_error *error);
/* function_range_encoder.c: encodes function ranges, in groups. */
framemap_status fm_encode_function_ranges(struct fm_plan *plan, framemap_error *error);
/* record_encoder.c: encodes attributes; functions, files, strings of classes and names, alternatives. */
void fm_sort_attributes(struct fm_builder *builder);
/* Returns rows of ATTRIBUTES for files whose STRINGS section is the string pool; context: the builder. */
void fm_pooled_attribute_rows(void *context, uint64_t first, unsigned count, struct fm_columns *out);
framemap_status fm_encode_attributes(struct fm_plan *plan, framemap_error *error);
framemap_status fm_encode_records(struct fm_plan *plan, framemap_error *error);
/* scope_encoder.c: encodes scopes, their hash table, and ranges. */
framemap_status fm_encode_scopes(struct fm_plan *plan, framemap_error *error);

/* string_encoder.c: encodes sorted strings in groups, after the strings of attributes and scopes, which must have been
 * written. Errors: MEMORY, LIMIT. */
framemap_status fm_encode_strings(struct fm_plan *plan, framemap_error *error);
/* Sorts items by their strings: id is the number of a string in the pool; key and group are overwritten. false: out of
 * memory. */
bool fm_sort_strings(struct fm_heap *heap, const struct fm_string_pool *pool, struct fm_sort_item *items, size_t count);
/* Returns the code of a sorted string; 0 for FM_NONE. */
static inline uint64_t fm_sorted_code(const struct fm_plan *plan, uint32_t string)
{
    return string == FM_NONE ? 0 : plan->string_codes[string];
}

/* string_section.c: returns the offset of a string in STRINGS; it is appended on first use, so that strings used
 * together are adjacent. *size: its bytes. FM_NONE: 0. */
uint64_t fm_put_string(struct fm_plan *plan, uint32_t string, uint64_t *size);
uint64_t fm_put_scope_key(struct fm_plan *plan, uint32_t key, uint64_t *size);

#endif
