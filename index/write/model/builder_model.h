/* The builder's records as they were given, and the plan that fm_builder_finish makes of them. Not the disk layout. */
#ifndef FM_INDEX_WRITE_MODEL_BUILDER_MODEL_H
#define FM_INDEX_WRITE_MODEL_BUILDER_MODEL_H

#include "core/text/merge_sort.h"
#include "index/write/builder.h"
#include "index/write/model/class_model.h"
#include "index/write/model/row_chunks.h"
#include "index/write/model/segment_model.h"
#include "index/write/model/string_pool.h"
#include "index/write/table_writer.h"

/* What a position leads to, where that is more than a row says. */
struct fm_answer {
    uint32_t node, file, line1, col1, name;
    uint32_t flags; /* of the place; with MODEL_GROUP: node is a number of `groups` */
};
#define MODEL_GROUP (UINT32_C(1) << 31)

struct fm_group {
    size_t first, count; /* in places */
};
struct fm_file_parts {
    uint32_t folder, name; /* strings; folder FM_NONE: none */
};
struct fm_alias {
    uint32_t root, name;
};
/* A node as it is kept: there are many, most of them inlined, and what only roots have stands apart. */
struct fm_chain_node {
    uint32_t parent;    /* FM_NONE: a root */
    uint32_t function;  /* as of struct fm_node */
    uint32_t call_file; /* of a root: its number in root_parts */
    uint32_t call_line1, call_col1;
    uint16_t depth; /* frames of the chain that ends there */
    uint16_t flags; /* FM_NODE_… */
};
struct fm_root_part {
    uint64_t start, size;
    uint32_t symbol;
};
struct fm_attribute {
    uint32_t key, value; /* strings */
};
/* Nodes that came in one pack. Those whose parents are of the same pack are new without being looked for, and stand in
 * the table only when somebody asks. */
struct fm_batch_nodes {
    uint32_t first, end;
    bool in_table;
};

struct fm_builder {
    struct fm_heap *heap;
    uint64_t base;
    uint8_t address_bits;
    bool big_endian;
    enum fm_scope_keys keys;
    uint32_t id_later; /* string: the place for an id that is not known yet */
    struct fm_string_pool strings, scope_keys;
    struct fm_table file_table, function_table, node_table, number_table, group_table;
    struct fm_attribute *attributes;
    struct fm_file_parts *files;
    struct fm_function *functions;
    struct fm_chain_node *nodes;
    struct fm_root_part *root_parts;
    struct fm_alias *aliases;
    uint64_t *scope_numbers;
    struct fm_place *places; /* of alternatives */
    struct fm_group *groups;
    struct fm_answer *answers; /* of rows that are FM_ROW_OTHER */
    struct fm_rows rows;
    struct fm_batch_nodes *packs;
    uint32_t *pack_numbers; /* room for the pack at hand: numbers by its numbers */
    unsigned threads;       /* for finishing */
    struct fm_class_form classes;
    struct fm_segment_form segments;
    size_t attribute_count, attribute_capacity, file_count, file_capacity, function_count, function_capacity,
        node_count, node_capacity, root_count, root_capacity, alias_count, alias_capacity, number_count,
        number_capacity, place_count, place_capacity, group_count, group_capacity, answer_count, answer_capacity,
        position_count, pack_count, pack_capacity, pack_number_capacity;
};

/* All that a row says; not of an end mark. */
static inline struct fm_answer fm_row_answer(const struct fm_builder *b, const struct fm_row *row)
{
    if (row->file == FM_ROW_OTHER) return b->answers[row->node];
    return (struct fm_answer){row->node, row->file, row->line1, row->col1, FM_NONE, 0};
}

static inline size_t fm_builder_scopes(const struct fm_builder *b)
{
    return b->keys == FM_SCOPE_NUMBERED ? b->number_count : b->scope_keys.count;
}

/* A string as the pair of fields of a text, where the pool of strings, as it stands, is STRINGS. FM_NONE: the absent
 * text. */
static inline void fm_pooled_text(const struct fm_builder *b, uint32_t string, uint64_t fields[2])
{
    fields[0] = string == FM_NONE ? 0 : fm_string_pool_at(&b->strings, string);
    fields[1] = string == FM_NONE ? 0 : b->strings.ends[string] - fields[0];
}

/* record_builder.c, for records whose numbers are known to be right. Hashes are by a key of the builder's, told by
 * where it is in memory. */
uint64_t fm_model_function_hash(const struct fm_builder *b, const struct fm_function *function);
framemap_status fm_model_function(struct fm_builder *b, const struct fm_function *function, uint64_t hash,
                                  uint32_t *out, framemap_error *error);
/* Takes from a node what the other kind of node has, so that equal ones look equal. */
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
/* Of a node that is clean: its number, be it there or new. LIMIT, MEMORY. */
framemap_status fm_model_node(struct fm_builder *b, const struct fm_node *node, uint64_t hash, uint32_t *out,
                              framemap_error *error);
/* A new one, which is not put into the table. */
framemap_status fm_model_node_push(struct fm_builder *b, const struct fm_node *node, uint32_t *out,
                                   framemap_error *error);

/* Old numbers (of the builder) to new ones (of the file) and back: new numbers count up in the order of first use. */
struct fm_numbering {
    uint32_t *to_new; /* FM_NONE: not used */
    uint32_t *to_old;
    size_t old_count, count;
};

/* One stretch of a scope without long holes. */
struct fm_stretch {
    uint64_t first; /* position */
    uint64_t axis_offset;
};
struct fm_scope_plan {
    uint32_t old;
    uint32_t range; /* first */
    uint8_t unit;
    size_t first_piece; /* until fm_plan_axis */
};
/* Rows one behind the other, of one scope, by strictly rising position. */
struct fm_piece {
    struct fm_row *rows;
    uint64_t first, last;   /* positions */
    uint64_t steps, widest; /* between its rows: all or-ed, and the greatest */
    uint64_t axis_offset;   /* where the first row is on the line; from there on axis_length follow positions */
    uint32_t count, scope;  /* scope: new number */
    size_t chunk;           /* of the builder's rows, where these are */
};
/* An extra text of a root. */
struct fm_extra {
    uint32_t root; /* new number */
    uint32_t text; /* string */
    uint8_t kind;  /* FMX_EXTRA_… */
};

/* Blocks of some buckets, packed apart. */
struct fm_block_stretch {
    unsigned char *data;
    size_t size, last_at; /* of the bytes; where the last block begins */
    size_t first_size;    /* the first block is one carried entry: its size; else 0 */
    size_t skipped;       /* of the bytes: a first block that is there already, */
    uint64_t before;      /* at this place in BLOCKS */
    uint64_t at;          /* where the others begin there */
};

/* What is written: made by the fm_plan_… functions in their order, then read by the encoders. */
struct fm_plan {
    struct fm_builder *builder;
    struct fm_heap *heap;
    /* Rows in order: by scope, by position. The rows themselves stay where they are, in the builder's memory. */
    struct fm_piece *pieces;
    size_t piece_count, piece_capacity, row_count;
    struct fm_scope_plan *scopes;
    size_t scope_count, scope_capacity;
    /* Numbers. */
    struct fm_numbering nodes, functions, files, texts, groups;
    uint32_t *roots; /* by root number: its node; rising */
    size_t root_count;
    bool *settled;             /* by old node: it is numbered, and its function has a home or will have none */
    size_t inlined_functions;  /* the first functions are those that are inlined somewhere */
    size_t detailed_functions; /* these and those behind them, of which more is known than the name */
    uint32_t *homes;           /* by function: the file that it is at home in, or FM_NONE */
    struct fm_extra *extras;   /* by root, symbols before aliases, these by name */
    size_t extra_count, extra_capacity;
    /* The line. */
    struct fm_stretch *ranges;          /* and behind the last a row that tells the end */
    size_t range_count, range_capacity; /* that row counted */
    uint64_t axis_length;               /* length */
    unsigned shift;
    bool has_lines;
    /* What is ready. */
    struct fm_block_stretch *stretches; /* the bytes of BLOCKS, until they are joined */
    size_t stretch_count;
    uint64_t *string_at, *key_at; /* by string, by scope key: offset in `strings`; 0 not there yet */
    uint32_t *text_codes;         /* by string: the code of its sorted text, 0 for none */
    struct fm_bit_buffer strings;
    uint64_t *group_places; /* by group and one more: first place */
    struct fm_output_section outputs[FMX_SECTION_END];
};

/* plan_rows.c: rows sorted, overruled and repeated ones dropped, scopes ranked. EMPTY, MEMORY. */
framemap_status fm_plan_order(struct fm_plan *plan, framemap_error *error);
/* plan_numbers.c: numbers in the order of first use. LIMIT, MEMORY. */
framemap_status fm_plan_numbers(struct fm_plan *plan, framemap_error *error);
/* plan_functions.c: functions that are inlined before the others, those of which only the name is known behind them.
 * MEMORY. */
framemap_status fm_plan_functions(struct fm_plan *plan, framemap_error *error);
/* plan_axis.c: units and shift, by how far the rows are apart. May be done while numbers are given. */
void fm_plan_measure(struct fm_plan *plan);
/* Ranges; cuts pieces at holes and tells their axis_length. MEMORY. */
framemap_status fm_plan_axis(struct fm_plan *plan, framemap_error *error);

/* By number of the file. */
static inline const struct fm_chain_node *fm_plan_node(const struct fm_plan *plan, size_t node)
{
    return &plan->builder->nodes[plan->nodes.to_old[node]];
}
static inline const struct fm_root_part *fm_root_part(const struct fm_builder *b, const struct fm_chain_node *root)
{
    return &b->root_parts[root->call_file];
}

/* Where a row of the piece is on the line. */
static inline uint64_t fm_piece_axis_offset(const struct fm_plan *plan, const struct fm_piece *piece, uint64_t position)
{
    return piece->axis_offset + ((position - piece->first) >> plan->scopes[piece->scope].unit);
}

/* MEMORY, all of them. block_encoder.c: buckets and blocks. beside: is called once meanwhile, by one of the threads; it
 * may do all but what has to do with rows, pieces, buckets and blocks. */
framemap_status fm_encode_blocks(struct fm_plan *plan,
                                 framemap_status (*beside)(struct fm_plan *plan, framemap_error *error),
                                 framemap_error *error);
void fm_blocks_free(struct fm_plan *plan);
/* node_encoder.c: nodes, wide nodes, roots and their extras. */
framemap_status fm_encode_nodes(struct fm_plan *plan, framemap_error *error);
/* function_range_encoder.c: roots, in groups. */
framemap_status fm_encode_function_ranges(struct fm_plan *plan, framemap_error *error);
/* record_encoder.c: attributes; functions, files, texts, alternatives. */
void fm_sort_attributes(struct fm_builder *builder);
/* Rows of ATTRIBUTES where the pool of strings, as it stands, is STRINGS; context: the builder. */
void fm_pooled_attribute_rows(void *context, uint64_t first, unsigned count, struct fm_columns *out);
framemap_status fm_encode_attributes(struct fm_plan *plan, framemap_error *error);
framemap_status fm_encode_records(struct fm_plan *plan, framemap_error *error);
/* scope_encoder.c: scopes, their hash, ranges. */
framemap_status fm_encode_scopes(struct fm_plan *plan, framemap_error *error);

/* string_encoder.c: texts that are sorted, their groups behind the strings of attributes and scopes. Those of scopes
 * and attributes come before. MEMORY, LIMIT. */
framemap_status fm_encode_texts(struct fm_plan *plan, framemap_error *error);
/* Puts items in the order of their texts: each one's id is a string of the pool, key and group are not read, and
 * changed. false: out of memory. */
bool fm_sort_texts(struct fm_heap *heap, const struct fm_string_pool *pool, struct fm_sort_item *items, size_t count);
/* The code of a string's sorted text; 0 for FM_NONE. */
static inline uint64_t fm_sorted_code(const struct fm_plan *plan, uint32_t string)
{
    return string == FM_NONE ? 0 : plan->text_codes[string];
}

/* string_section.c: offset of a string in STRINGS; it is appended on first use, so that strings used together are
 * adjacent. *size: its bytes. FM_NONE: 0. */
uint64_t fm_put_string(struct fm_plan *plan, uint32_t string, uint64_t *size);
uint64_t fm_put_scope_key(struct fm_plan *plan, uint32_t key, uint64_t *size);

#endif
