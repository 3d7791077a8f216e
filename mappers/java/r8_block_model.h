/* The state of one class block while its lines are read: member lines, renamed names, residual signatures, and the hash
 * tables that find names and signatures. r8_block.c fills it by R8's rules; r8_block_write.c passes it to the
 * builder. */
#ifndef FM_MAPPERS_JAVA_R8_BLOCK_MODEL_H
#define FM_MAPPERS_JAVA_R8_BLOCK_MODEL_H

#include "mappers/java/r8_signatures.h"

/* The kinds of metadata comments that a class, a line or a member has had already, because most kinds count only
 * once. */
struct fm_r8_seen_infos {
    bool source_file, synthesized, rewrite, callsite, partition;
    /* A comment with a residual signature of a method, or of a field, was seen; only the first of each kind counts. */
    bool method, field;
    bool method_bad, field_bad;
    uint32_t method_type, method_arguments, field_type;
};

/* One method line. */
struct fm_r8_span {
    struct fm_r8_range residual, original;
    uint32_t signature;
    uint32_t name;  /* number of a name of the block */
    uint32_t next;  /* next line with the same name, or FM_NONE */
    uint32_t notes; /* number of a list of notes in the builder, or FM_NONE */
    /* list with the notes of the line and its own marks SYNTHETIC and OUTLINE. It replaces `notes` if set_entry finds
     * no declared member. FM_NONE: the line has no such marks */
    uint32_t alone;
    uint32_t own_key; /* the residual signature made from the line's own types and residual name; FM_NONE: not computed
                         yet */
    /* residual signature that a comment gave; FM_NONE: no comment gave one, and the line uses own_key */
    uint32_t key;
};

/* One renamed member name of the block. */
struct fm_r8_name {
    framemap_str text;           /* the name, borrowed from the mapping */
    uint64_t word;               /* fm_str_word of the text */
    uint32_t first, last, count; /* first and last line with this name, and their number */
};

/* One residual signature, and the first member that was declared under it. */
struct fm_r8_key {
    uint32_t name;            /* number of a name of the block */
    uint32_t type, arguments; /* numbers of strings in the builder; arguments FM_NONE for a field */
    /* original signature of the first member declared under the key; FM_NONE: no member was declared */
    uint32_t signature;
    bool synthesized, outline;
};

/* Open-addressing hash table from content to number. Clearing it takes constant time: a slot whose stamp belongs to an
 * earlier block is empty. Each block starts with few slots so that they stay in the CPU's cache. */
struct fm_r8_slot {
    uint32_t stamp, number;
};
struct fm_r8_index {
    struct fm_r8_slot *slots;
    size_t count, capacity; /* slots in use for this block, and slots allocated */
};

/* The member line that was read last. */
struct fm_r8_previous {
    bool there;
    uint32_t signature, name;
    uint32_t span; /* number of the line's span (struct fm_r8_span); FM_NONE: the line is that of a field */
    struct fm_r8_range residual;
};

struct fm_r8_block {
    struct fm_heap *heap;
    struct fm_builder *builder;
    struct fm_r8_signatures *signatures;
    bool open;
    framemap_str residual;
    uint32_t original; /* number of the original name in the builder */
    uint32_t flags;    /* bits FM_CLASS_* of the class */
    uint32_t stamp;
    uint64_t key; /* hash key (seed) of both tables */
    struct fm_r8_span *spans;
    struct fm_r8_name *names;
    struct fm_r8_key *keys;
    uint32_t *fields; /* residual signatures of fields, in order of declaration */
    struct fm_span *out;
    struct fm_note *notes; /* notes of the active line */
    size_t span_count, span_capacity, name_count, name_capacity, key_count, key_capacity, field_count, field_capacity,
        out_capacity, note_count, note_capacity;
    struct fm_r8_index name_index, key_index;

    struct fm_r8_previous previous;
    /* the method line that was read last, to which comments apply even after a field line; FM_NONE: the block has no
     * method line yet */
    uint32_t active;
    uint32_t marks;    /* marks of the active line itself: FM_SPAN_SYNTHETIC, FM_SPAN_OUTLINE */
    uint32_t declared; /* the residual signature that was declared last; FM_NONE: the block has no declaration yet */
    uint32_t info_key; /* residual signature that a comment gave after that declaration; FM_NONE: no comment gave one */
    bool info_synthesized, info_outline;
    struct fm_r8_seen_infos of_class, of_active, of_member;
};

/* Initialises a block without a class. The block keeps the pointers. Call fm_r8_block_free in any case. */
void fm_r8_block_init(struct fm_r8_block *block, struct fm_heap *heap, struct fm_builder *builder,
                      struct fm_r8_signatures *signatures);
void fm_r8_block_free(struct fm_r8_block *block);
/* Discards all records and empties the hash tables, before the next class. */
void fm_r8_block_clear(struct fm_r8_block *block);

/* Does the work of fm_r8_block_name for a name that differs from that of the previous line. */
uint32_t fm_r8_block_find_name(struct fm_r8_block *block, framemap_str text);
/* Returns the number of a renamed member name, which is added if it is new. `text` is borrowed until fm_r8_block_clear.
 * FM_NONE: out of memory. */
static inline uint32_t fm_r8_block_name(struct fm_r8_block *block, framemap_str text)
{
    if (block->previous.there && block->names[block->previous.name].text.data == text.data)
        /* `text` is the same slice as the name of the previous line, so no names need be compared */
        return block->previous.name;
    return fm_r8_block_find_name(block, text);
}
/* Returns the number of a residual signature. name: a name of the block; type, arguments: strings of the builder,
 * arguments FM_NONE for a field. FM_NONE: not found, or, with `add`, out of memory. */
uint32_t fm_r8_block_key(struct fm_r8_block *block, uint32_t name, uint32_t type, uint32_t arguments, bool add);
/* Returns the number of the residual signature that a line has without a comment about it: the original types with the
 * residual name. add and FM_NONE: as for fm_r8_block_key. */
uint32_t fm_r8_block_own_key(struct fm_r8_block *block, uint32_t name, uint32_t signature, bool add);

#endif
