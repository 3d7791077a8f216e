/* The builder's records as they were given, and the plan that fm_builder_finish makes of them. Not the disk layout. */
#ifndef FM_INDEX_MODEL_H
#define FM_INDEX_MODEL_H

#include "index/builder.h"
#include "index/class_model.h"
#include "index/packer.h"
#include "index/pool.h"
#include "index/segment_model.h"
#include "index/sort.h"

/* What a position leads to, beside its sort key (fm_sort_item: key = position, group = scope, id = its answer or FM_NONE for an end). */
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
struct fm_attribute {
    uint32_t key, value; /* strings */
};

struct fm_builder {
    struct fm_heap *heap;
    uint64_t base;
    uint8_t address_bits;
    bool big_endian;
    enum fm_scope_keys keys;
    uint32_t id_later; /* string: the place for an id that is not known yet */
    struct fm_pool strings, scope_keys;
    struct fm_table file_table, function_table, node_table, number_table, group_table;
    struct fm_attribute *attributes;
    struct fm_file_parts *files;
    struct fm_function *functions;
    struct fm_node *nodes;
    uint16_t *depths; /* of nodes: frames of the chain that ends there */
    struct fm_alias *aliases;
    uint64_t *scope_numbers;
    struct fm_place *places; /* of alternatives */
    struct fm_group *groups;
    struct fm_answer *answers;
    struct fm_sort_item *positions;
    struct fm_class_form classes;
    struct fm_segment_form segments;
    size_t attribute_count, attribute_capacity, file_count, file_capacity, function_count, function_capacity, node_count, node_capacity,
        depth_capacity, alias_count, alias_capacity, number_count, number_capacity, place_count, place_capacity, group_count,
        group_capacity, answer_count, answer_capacity, position_count, position_capacity;
};

static inline size_t fm_builder_scopes(const struct fm_builder *b)
{
    return b->keys == FM_SCOPE_NUMBERED ? b->number_count : b->scope_keys.count;
}

/* A string as the pair of fields of a text, where the pool of strings, as it stands, is STRINGS. FM_NONE: the absent text. */
static inline void fm_pooled_text(const struct fm_builder *b, uint32_t string, uint64_t fields[2])
{
    fields[0] = string == FM_NONE ? 0 : fm_pool_at(&b->strings, string);
    fields[1] = string == FM_NONE ? 0 : b->strings.ends[string] - fields[0];
}

/* Old numbers (of the builder) to new ones (of the file) and back: new numbers count up in the order of first use. */
struct fm_numbering {
    uint32_t *to_new; /* FM_NONE: not used */
    uint32_t *to_old;
    size_t old_count, count;
};

/* One stretch of a scope without long holes. */
struct fm_stretch {
    uint64_t first; /* position */
    uint64_t spot;
};
struct fm_scope_plan {
    uint32_t old;
    uint32_t range; /* first */
    uint8_t unit;
    size_t first_row;
};
/* An extra text of a root. */
struct fm_extra {
    uint32_t root; /* new number */
    uint32_t text; /* string */
    uint8_t kind;  /* FMX_EXTRA_… */
};

/* What is written: made by the fm_plan_… functions in their order, then read by the encoders. */
struct fm_plan {
    struct fm_builder *builder;
    struct fm_heap *heap;
    /* Rows in order: key = position, later spot; group = scope (new number); id = answer or FM_NONE for a gap. The builder's memory. */
    struct fm_sort_item *rows;
    size_t row_count;
    struct fm_scope_plan *scopes;
    size_t scope_count, scope_capacity;
    /* Numbers. */
    struct fm_numbering nodes, functions, files, texts, groups;
    uint32_t *roots; /* by root number: its node */
    size_t root_count;
    uint32_t *root_of;       /* by node: its root number, or FM_NONE */
    uint32_t *homes;         /* by function: the file that it is at home in, or FM_NONE */
    struct fm_extra *extras; /* by root, symbols before aliases, these by name */
    size_t extra_count, extra_capacity;
    /* The line. */
    struct fm_stretch *ranges;          /* and behind the last a row that tells the end */
    size_t range_count, range_capacity; /* that row counted */
    uint64_t spots;                     /* length */
    unsigned shift;
    bool has_lines;
    /* What is ready. */
    uint64_t *string_at, *key_at; /* by string, by scope key: offset in `strings`; 0 not there yet */
    struct fm_packer strings;
    uint64_t *group_places; /* by group and one more: first place */
    struct fm_sheet sheets[FMX_SECTION_END];
};

/* order.c: rows sorted, overruled and repeated ones dropped, scopes ranked. EMPTY, MEMORY. */
framemap_status fm_plan_order(struct fm_plan *plan, framemap_error *error);
/* number.c: numbers in the order of first use. LIMIT, MEMORY. */
framemap_status fm_plan_numbers(struct fm_plan *plan, framemap_error *error);
/* line.c: units, ranges, shift; turns the rows' keys into spots. MEMORY. */
framemap_status fm_plan_line(struct fm_plan *plan, framemap_error *error);

/* MEMORY, all of them. encode_blocks.c: buckets and blocks. */
framemap_status fm_encode_blocks(struct fm_plan *plan, framemap_error *error);
/* encode_nodes.c: nodes, wide nodes, roots and their extras. */
framemap_status fm_encode_nodes(struct fm_plan *plan, framemap_error *error);
/* encode_records.c: attributes; functions, files, texts, alternatives. */
void fm_sort_attributes(struct fm_builder *builder);
/* Rows of ATTRIBUTES where the pool of strings, as it stands, is STRINGS; context: the builder. */
void fm_pooled_attribute_row(void *context, uint64_t row, uint64_t fields[FMX_FIELDS]);
framemap_status fm_encode_attributes(struct fm_plan *plan, framemap_error *error);
framemap_status fm_encode_records(struct fm_plan *plan, framemap_error *error);
/* encode_scopes.c: scopes, their hash, ranges. */
framemap_status fm_encode_scopes(struct fm_plan *plan, framemap_error *error);

/* Offset of a string in STRINGS, where it is put on first use, so that the strings of neighbours are neighbours; *size: its bytes.
 * FM_NONE: 0. */
uint64_t fm_put_string(struct fm_plan *plan, uint32_t string, uint64_t *size);
uint64_t fm_put_scope_key(struct fm_plan *plan, uint32_t key, uint64_t *size);

#endif
