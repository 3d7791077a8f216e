/* The builder's data for the class form: records as the mapper gave them, except that spans are packed as they
 * arrive. */
#ifndef FM_INDEX_WRITE_MODEL_CLASS_MODEL_H
#define FM_INDEX_WRITE_MODEL_CLASS_MODEL_H

#include "core/hash/hash.h"
#include "index/format/line_tree.h"
#include "index/write/class_builder.h"
#include "index/write/model/string_pool.h"

struct fm_name_record {
    uint32_t text, source; /* numbers of strings; source FM_NONE: the source file is not known */
    /* members first to end - 1 were added by the class block of this name; they are in the hash table only if
     * is_hashed is set; end 0: there are no such members */
    uint32_t first, end;
    /* Some member of the name was added outside of the class block of this name, so that it may equal an earlier one.
     * From then on, members of the name are looked up in the hash table. */
    bool is_hashed;
};
struct fm_class_record {
    uint32_t residual, name, flags;
    uint32_t part;  /* number of the part (fm_class_part) with the methods and fields of the class */
    bool is_sorted; /* the methods, fields and spans of the class are in the order of the file */
    uint32_t first_method, method_count, first_field, field_count;
};
struct fm_method_record {
    /* offset in span_bytes of the packed spans (line ranges) of the method; in a shard's builder, the index of its
     * first span in `raw` */
    uint64_t at;
    uint32_t size, name; /* size: bytes of the packed spans, or, in a shard's builder, number of spans; name: a
                            string */
};
struct fm_field_record {
    uint32_t name, member;
};
struct fm_list_record {
    size_t first, count; /* the notes of the list: a range of `notes` of struct fm_class_form */
};

/* The methods and fields of some classes. Part 0 has the methods and fields that were added to the builder itself;
 * every other part comes from a shard (class_merge.c). */
struct fm_class_part {
    struct fm_method_record *methods;
    struct fm_field_record *fields;
    unsigned char *span_bytes;
    size_t method_count, method_capacity, field_count, field_capacity, span_size, span_capacity;
    bool has_lines; /* some span has original lines */
};

struct fm_class_form {
    struct fm_table name_table, member_table, list_table, class_table;
    struct fm_name_record *names;
    struct fm_member *members;
    struct fm_note *notes;
    struct fm_list_record *lists;
    struct fm_class_record
        *classes; /* classes in the order of first occurrence; a repeated block takes the place of the first */
    struct fm_class_part own;
    struct fm_class_part **parts; /* the parts 1, 2 …, which come from shards */
    struct fm_span *raw;          /* all spans of a shard, not packed */
    uint32_t *local;              /* scratch memory for packing a method: its members, then a hash table */
    size_t name_count, name_capacity, member_count, member_capacity, note_count, note_capacity, list_count,
        list_capacity, class_count, class_capacity, part_count, part_capacity, raw_count, raw_capacity, local_capacity;
    size_t expected_parts; /* number of parts that fm_builder_expect announced; 0: unknown */
    uint32_t open;         /* class whose block is open; FM_NONE: no block is open */
    uint32_t owner;        /* original class whose class block adds members at present; FM_NONE: none */
    bool is_wanted;        /* the caller selected this form, even if no class follows */
    /* the builder belongs to a shard: numbers in spans are not final, so spans are not packed, and members are not
     * interned */
    bool apart;
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

/* Whether to reserve memory for `parts` parts of `count` records each. The reserved memory must be a small part of the
 * heap's ceiling, against which it counts even while it is not used. */
static inline bool fm_class_may_expect(const struct fm_heap *heap, size_t count, size_t size, size_t parts)
{
    return count <= heap->ceiling / 16 / size / parts && count <= SIZE_MAX / 16 / size / parts;
}

/* class_builder.c: do the same as fm_builder_name and as the start of fm_builder_class, but their strings are given by
 * numbers of strings of the builder. Errors: LIMIT, MEMORY. */
framemap_status fm_class_name(struct fm_builder *builder, uint32_t text, uint32_t *out, framemap_error *error);
framemap_status fm_class_number(struct fm_builder *builder, uint32_t residual, uint32_t *out, framemap_error *error);
/* Prefetch what fm_class_name or fm_class_number will read. */
void fm_class_name_hint(const struct fm_class_form *form, uint32_t text);
void fm_class_number_hint(const struct fm_class_form *form, uint32_t residual);

/* class_block_encoder.c: appends packed spans to a part. Their numbers must have been checked. builder: provides
 * scratch memory. Errors: LIMIT, MEMORY. */
framemap_status fm_encode_spans(struct fm_builder *builder, struct fm_class_part *part, const struct fm_span *spans,
                                size_t count, framemap_error *error);
/* Returns the number of spans packed at `bytes`. */
uint32_t fm_encoded_span_count(const unsigned char *bytes);

/* class_sort.c: an array of records that are sorted by a string; each record contains the number of its string. */
struct fm_keyed {
    const struct fm_string_pool *strings;
    const void *records;
    size_t size, key_at; /* size: bytes of a record; key_at: offset of the string's number in a record */
};
/* Returns the indexes of records in sorted order, without duplicates: `count` of them, allocated from the heap, to be
 * freed by the caller. NULL: out of memory. */
uint32_t *fm_order_by_text(struct fm_heap *heap, const struct fm_keyed *keyed, size_t count);
/* Sorts a class's methods and fields in place. Errors: ARGUMENT (a duplicate method), MEMORY. */
framemap_status fm_sort_class(struct fm_heap *heap, const struct fm_string_pool *strings,
                              const struct fm_class_part *part, const struct fm_class_record *class);
#define FM_METHOD_TWICE "a class has two methods of the same name"

/* class_notes.c: sorts the notes of each list into the order of the file; stable. false: out of memory. */
bool fm_order_notes(struct fm_class_form *form, struct fm_heap *heap);

/* class_encoder.c: does the work of fm_builder_finish for the class form. */
framemap_status fm_finish_classes(struct fm_builder *builder, struct fm_built *out, framemap_error *error);

/* hash_encoder.c: builds a hash table with the layout of SCOPE_HASH. *slots: the table, with *capacity slots, allocated
 * from the heap; a slot has the number of a record plus 1, or 0 if it is empty. *capacity is 0 if there is no table,
 * because some key would need more probes than a reader makes. `key` returns the key of a record; data NULL: the table
 * does not contain the record. keys: how many of the `count` records the table contains. false: out of memory. */
typedef framemap_str (*fm_slot_key)(const void *context, size_t number);
bool fm_fill_slots(struct fm_heap *heap, size_t count, size_t keys, fm_slot_key key, const void *context,
                   uint32_t **slots, size_t *capacity);

#endif
