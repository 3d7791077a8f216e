/* Set of original signatures, each stored once as a whole text: "void a.b.c(int,java.lang.String)". Most lines have one
 * of a few signatures, so a line whose signature is known need not be parsed up to its closing parenthesis. Within a
 * class block equal texts have equal numbers, which is how R8 compares original signatures. Between blocks the set may
 * be emptied, so that memory does not grow with the mapping. */
#ifndef FM_MAPPERS_JAVA_R8_SIGNATURES_H
#define FM_MAPPERS_JAVA_R8_SIGNATURES_H

#include "core/text/buffer.h"
#include "index/write/class_builder.h"
#include "mappers/java/r8_line_fast.h"

struct fm_r8_signature {
    const char *text;
    uint32_t size, name_at, name_size; /* size of the text; offset and size of the name in the text */
    uint32_t holder;                   /* number of a name in the builder; FM_NONE: the class of the block */
    uint32_t name;                     /* number of a string in the builder; FM_NONE: not added yet */
    uint32_t type, arguments;          /* numbers of strings in the builder; arguments FM_NONE for a field */
    /* the member of the builder that was made last for this signature, and the holder of that member; FM_NONE: no
     * member was made yet */
    uint32_t member_holder, member;
};

struct fm_r8_signatures {
    struct fm_heap *heap;
    struct fm_builder *builder;
    struct fm_r8_signature *all;
    size_t count, capacity;
    /* upper half of a slot: upper half of the hash; lower half: number of the signature plus 1; 0: the slot is empty */
    uint64_t *slots;
    size_t slot_count;
    uint64_t key; /* hash key (seed) */
    bool borrows; /* the input texts stay valid until the set is emptied, so they are not copied */
    struct fm_arena texts;
    char *next, *end; /* rest of the current chunk for copies of texts */
    struct fm_buf plain;
    uint32_t recent[2]; /* numbers of the two signatures that were read last; FM_NONE: fewer were read */
};
void fm_r8_signatures_init(struct fm_r8_signatures *set, struct fm_heap *heap, struct fm_builder *builder);
void fm_r8_signatures_free(struct fm_r8_signatures *set);

/* Empties the set if it has become large, which makes earlier numbers invalid. Call it between class blocks. */
void fm_r8_signatures_trim(struct fm_r8_signatures *set);

/* Empties the set. Call it when the builder was replaced or emptied, because its string numbers are then invalid. */
void fm_r8_signatures_reset(struct fm_r8_signatures *set);

/* Returns the number of the signature that has this text, which must have no superfluous blanks; FM_NONE if the set
 * does not have the signature. *hash: hash of the text, set in any case. */
uint32_t fm_r8_signatures_find(const struct fm_r8_signatures *set, framemap_str text, uint64_t *hash);

/* Reads the signature at the cursor. If the result is OK and *good, *out is its number. If *good is false, the line is
 * refused, and cursor->fault has the reason. */
framemap_status fm_r8_signatures_read(struct fm_r8_signatures *set, struct fm_r8_cursor *cursor, bool *good,
                                      uint32_t *out, framemap_error *error);

/* Does the work of fm_r8_signatures_read for a line that the fast path parses. false, with *status OK: the fast path
 * does not accept the signature. */
bool fm_r8_signatures_read_fast(struct fm_r8_signatures *set, struct fm_r8_fast_line *line, uint32_t *out,
                                framemap_status *status, framemap_error *error);

/* Adds a signature that has been parsed; the parts are slices of its text. The name may have a class before its last
 * dot. */
framemap_status fm_r8_signatures_add(struct fm_r8_signatures *set, const struct fm_r8_signature_parts *parts,
                                     uint64_t hash, uint32_t *out, framemap_error *error);

static inline uint32_t fm_r8_signature_holder(const struct fm_r8_signature *signature, uint32_t holder)
{
    return signature->holder == FM_NONE ? holder : signature->holder;
}

/* Returns the builder's member for a signature in a block of class `holder` (a name of the builder). */
static inline framemap_status fm_r8_signatures_member(struct fm_r8_signatures *set, uint32_t number, uint32_t holder,
                                                      uint32_t *out, framemap_error *error);
/* Does the work of fm_r8_signatures_member for a member that was not made yet. */
framemap_status fm_r8_signatures_make_member(struct fm_r8_signatures *set, uint32_t number, uint32_t holder,
                                             uint32_t *out, framemap_error *error);

/* Collects up to FM_R8_BATCH signatures and adds their members at once, which is faster than one by one. */
#define FM_R8_BATCH 16
struct fm_r8_batch {
    struct fm_r8_signatures *set;
    uint32_t holder;
    size_t count;
    uint32_t numbers[FM_R8_BATCH];
};
framemap_status fm_r8_batch_add(struct fm_r8_batch *batch, uint32_t number, framemap_error *error);
framemap_status fm_r8_batch_end(struct fm_r8_batch *batch, framemap_error *error);

static inline bool fm_r8_is_field(const struct fm_r8_signatures *set, uint32_t number)
{
    return set->all[number].arguments == FM_NONE;
}

static inline framemap_status fm_r8_signatures_member(struct fm_r8_signatures *set, uint32_t number, uint32_t holder,
                                                      uint32_t *out, framemap_error *error)
{
    const struct fm_r8_signature *signature = &set->all[number];
    if (signature->member_holder != fm_r8_signature_holder(signature, holder))
        return fm_r8_signatures_make_member(set, number, holder, out, error);
    *out = signature->member;
    return FRAMEMAP_OK;
}

#endif
