/* The class form in the builder: records as they were given, spans packed at once. */
#ifndef FM_INDEX_WRITE_MODEL_CLASS_MODEL_H
#define FM_INDEX_WRITE_MODEL_CLASS_MODEL_H

#include "core/hash/hash.h"
#include "index/write/class_builder.h"
#include "index/write/model/string_pool.h"

struct fm_name_record {
    uint32_t text, source; /* strings; source FM_NONE: none told */
    uint32_t first, end;   /* of its members, those among first … end - 1 came as its own: the table has them once
                              is_asked; end 0: none */
    bool is_asked;         /* some member of it came otherwise */
};
struct fm_class_record {
    uint32_t residual, name, flags;
    uint32_t part;  /* where its methods and fields are */
    bool is_sorted; /* they, and their spans, stand in the order of the file */
    uint32_t first_method, method_count, first_field, field_count;
};
struct fm_method_record {
    uint64_t at;         /* of its spans, packed, in span_bytes; in a builder that stands apart, in its raw spans */
    uint32_t size, name; /* bytes; apart, spans; string */
};
struct fm_field_record {
    uint32_t name, member;
};
struct fm_list_record {
    size_t first, count; /* of notes */
};

/* Methods and fields of some classes: part 0 is of the classes that the builder was given itself, each other one of a
 * share (class_merge.c). */
struct fm_class_part {
    struct fm_method_record *methods;
    struct fm_field_record *fields;
    unsigned char *span_bytes;
    size_t method_count, method_capacity, field_count, field_capacity, span_size, span_capacity;
    bool has_lines; /* some span tells original lines */
};

struct fm_class_form {
    struct fm_table name_table, member_table, list_table, class_table;
    struct fm_name_record *names;
    struct fm_member *members;
    struct fm_note *notes;
    struct fm_list_record *lists;
    struct fm_class_record *classes; /* by first coming; a block that comes again stands in the place of the first */
    struct fm_class_part own;
    struct fm_class_part **parts; /* of shares: part 1, 2 … */
    struct fm_span *raw;          /* apart: all spans as they were given */
    uint32_t *local; /* working memory of a method: its members, and behind them the table that finds them */
    size_t name_count, name_capacity, member_count, member_capacity, note_count, note_capacity, list_count,
        list_capacity, class_count, class_capacity, part_count, part_capacity, raw_count, raw_capacity, local_capacity;
    size_t expected_parts; /* by fm_builder_expect; 0: none is known */
    uint32_t open;         /* class whose block is open; FM_NONE */
    uint32_t owner;        /* name whose own members are coming; FM_NONE */
    bool is_wanted;        /* even without a class */
    bool apart; /* of a share: spans are not packed, since their numbers are not those of the index, and members not
                   looked for */
};

void fm_class_form_init(struct fm_class_form *form, struct fm_heap *heap);
void fm_class_form_free(struct fm_class_form *form, struct fm_heap *heap);
static inline bool fm_class_form_used(const struct fm_class_form *form)
{
    return form->is_wanted || form->class_count > 0 || form->name_count > 0;
}

static inline const struct fm_class_part *fm_class_part(const struct fm_class_form *form, uint32_t part)
{
    return part == 0 ? &form->own : form->parts[part - 1];
}
void fm_class_part_free(struct fm_class_part *part, struct fm_heap *heap);

/* Whether to make room for so many parts like one that has `count` records: what is not used takes no memory, but
 * counts. */
static inline bool fm_class_may_expect(const struct fm_heap *heap, size_t count, size_t size, size_t parts)
{
    return count <= heap->ceiling / 16 / size / parts && count <= SIZE_MAX / 16 / size / parts;
}

/* class_builder.c, for strings that are known: as fm_builder_name and the begin of fm_builder_class. LIMIT, MEMORY. */
framemap_status fm_class_name(struct fm_builder *builder, uint32_t text, uint32_t *out, framemap_error *error);
framemap_status fm_class_number(struct fm_builder *builder, uint32_t residual, uint32_t *out, framemap_error *error);
/* That one of the two is asked for soon. */
void fm_class_name_hint(const struct fm_class_form *form, uint32_t text);
void fm_class_number_hint(const struct fm_class_form *form, uint32_t residual);

/* class_block_encoder.c: packs spans behind the others of a part. The numbers in them were checked. builder: whose
 * working memory is taken. LIMIT, MEMORY. */
framemap_status fm_pack_spans(struct fm_builder *builder, struct fm_class_part *part, const struct fm_span *spans,
                              size_t count, framemap_error *error);
/* How many spans were packed to these bytes. */
uint32_t fm_packed_spans(const unsigned char *bytes);

/* line_tree.c: finds the spans with a line, and those without lines, by a segment tree over the lines where spans begin
 * and end. */
struct fm_span_tree {
    int64_t *boundaries;
    uint64_t *offsets; /* by node and one more: where its spans begin in entries; node 0 holds those without lines */
    uint32_t *entries;
    size_t boundary_count, entry_count, node_count, boundary_capacity, offset_capacity, entry_capacity;
};
/* Some span must have lines. LIMIT, MEMORY; freed by the caller always. */
framemap_status fm_span_tree_make(struct fm_heap *heap, const struct fm_span *spans, size_t count,
                                  struct fm_span_tree *tree, framemap_error *error);
void fm_span_tree_free(struct fm_heap *heap, struct fm_span_tree *tree);

/* class_sort.c: records that have a string's number somewhere, to be ordered by its text. */
struct fm_keyed {
    const struct fm_pool *strings;
    const void *records;
    size_t size, key_at; /* bytes */
};
/* Their places in order, no two of one string: `count` of the heap, to be freed by the caller. NULL: out of memory. */
uint32_t *fm_order_by_text(struct fm_heap *heap, const struct fm_keyed *keyed, size_t count);
/* Puts a class's methods and fields in order where they stand. ARGUMENT: a method is there twice. MEMORY. */
framemap_status fm_sort_class(struct fm_heap *heap, const struct fm_pool *strings, const struct fm_class_part *part,
                              const struct fm_class_record *class);
#define FM_METHOD_TWICE "a class has a method twice"

/* class_notes.c: puts each list's notes in the order of the file; equal ones stay as they came. false: out of memory.
 */
bool fm_order_notes(struct fm_class_form *form, struct fm_heap *heap);

/* class_encoder.c: fm_builder_finish of the class form. */
framemap_status fm_finish_classes(struct fm_builder *builder, struct fm_built *out, framemap_error *error);

/* hash_encoder.c: a table that finds keys as SCOPE_HASH does. *slots: codes, *capacity of them, of the heap; capacity
 * 0: some key would need more probes than a reader makes, and there is no table. key gives data NULL for what is not to
 * be found, which is all of count but `keys`. false: out of memory. */
typedef framemap_str (*fm_slot_key)(const void *context, size_t number);
bool fm_fill_slots(struct fm_heap *heap, size_t count, size_t keys, fm_slot_key key, const void *context,
                   uint32_t **slots, size_t *capacity);

#endif
