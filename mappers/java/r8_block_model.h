/* The state of one class block while its lines are read: member lines, renamed names, residual signatures, and the hash
 * tables that find the latter two. r8_block.c fills it by R8's rules, r8_block_write.c passes it to the builder. */
#ifndef FM_MAPPERS_JAVA_R8_BLOCK_MODEL_H
#define FM_MAPPERS_JAVA_R8_BLOCK_MODEL_H

#include "mappers/java/r8_signatures.h"

/* What has been told of one thing already: most kinds count once. */
struct fm_r8_seen_infos {
    bool source_file, synthesized, rewrite, callsite, partition;
    bool method, field; /* residual signatures, the first of each */
    bool method_bad, field_bad;
    uint32_t method_type, method_arguments, field_type;
};

/* A method line. */
struct fm_r8_span {
    struct fm_r8_range residual, original;
    uint32_t signature;
    uint32_t name;  /* of the block */
    uint32_t next;  /* the next one of that name, or FM_NONE */
    uint32_t notes; /* list of the builder, or FM_NONE */
    uint32_t alone; /* the list for a part whose entry nothing declares: its own marks count then; FM_NONE: the same */
    uint32_t own_key; /* that one under the residual name, where it is known; else FM_NONE */
    uint32_t key; /* its residual signature where a comment tells one, or FM_NONE: its own under the residual name */
};

/* A renamed member name of the block. */
struct fm_r8_name {
    framemap_str text;           /* borrowed from the mapping */
    uint64_t word;               /* fm_str_word of it */
    uint32_t first, last, count; /* spans */
};

/* A residual signature, and the member that was declared under it first. */
struct fm_r8_key {
    uint32_t name, type, arguments; /* name of the block; strings; arguments FM_NONE: a field */
    uint32_t signature;             /* FM_NONE: nothing is declared under it */
    bool synthesized, outline;
};

/* Numbers found by hash, emptied in no time: a slot of another block's stamp is empty. Each block begins with few
 * slots, which stay near. */
struct fm_r8_slot {
    uint32_t stamp, number;
};
struct fm_r8_index {
    struct fm_r8_slot *slots;
    size_t count, capacity; /* slots in use, and all */
};

/* The member line read last. */
struct fm_r8_previous {
    bool there;
    uint32_t signature, name;
    uint32_t span; /* FM_NONE: of a field */
    struct fm_r8_range residual;
};

struct fm_r8_block {
    struct fm_heap *heap;
    struct fm_builder *builder;
    struct fm_r8_signatures *signatures;
    bool open;
    framemap_str residual;
    uint32_t original; /* name of the builder */
    uint32_t flags;    /* FM_CLASS_… */
    uint32_t stamp;
    uint64_t key; /* of the hashes of names */
    struct fm_r8_span *spans;
    struct fm_r8_name *names;
    struct fm_r8_key *keys;
    uint32_t *fields; /* keys, in the order of declaration */
    struct fm_span *out;
    struct fm_note *notes; /* of the active span */
    size_t span_count, span_capacity, name_count, name_capacity, key_count, key_capacity, field_count, field_capacity,
        out_capacity, note_count, note_capacity;
    struct fm_r8_index name_index, key_index;

    struct fm_r8_previous previous;
    uint32_t active;   /* the method line read last: comments are told of it even behind a field; FM_NONE */
    uint32_t marks;    /* of the active line itself: FM_SPAN_SYNTHETIC, FM_SPAN_OUTLINE */
    uint32_t declared; /* key declared last; FM_NONE */
    uint32_t told_key; /* residual signature that a comment told since then; FM_NONE */
    bool told_synthesized, told_outline;
    struct fm_r8_seen_infos of_class, of_active, of_member;
};

/* The block keeps the pointers; it starts without a class. Free it in any case. */
void fm_r8_block_init(struct fm_r8_block *block, struct fm_heap *heap, struct fm_builder *builder,
                      struct fm_r8_signatures *signatures);
void fm_r8_block_free(struct fm_r8_block *block);
/* Forgets all records and empties the hash tables, for the next class. */
void fm_r8_block_clear(struct fm_r8_block *block);

uint32_t fm_r8_block_find_name(struct fm_r8_block *block, framemap_str text);
/* The number of a renamed member name, which is added if it is new. `text` is borrowed until fm_r8_block_clear.
 * FM_NONE: out of memory. */
static inline uint32_t fm_r8_block_name(struct fm_r8_block *block, framemap_str text)
{
    if (block->previous.there && block->names[block->previous.name].text.data == text.data)
        return block->previous.name; /* the caller passed the name of the line before */
    return fm_r8_block_find_name(block, text);
}
/* The number of a residual signature: a name of the block and strings of the builder, arguments FM_NONE for a field.
 * FM_NONE: there is none, or, with `add`, out of memory. */
uint32_t fm_r8_block_key(struct fm_r8_block *block, uint32_t name, uint32_t type, uint32_t arguments, bool add);
/* The same for the residual signature of a line that has no comment about it: its original types under the residual
 * name. */
uint32_t fm_r8_block_own_key(struct fm_r8_block *block, uint32_t name, uint32_t signature, bool add);

#endif
