/* Signatures kept once, whole: "void a.b.c(int,java.lang.String)". A mapping says few of them often, so a line whose
 * signature is known is read no further than to its closing parenthesis. Equal texts have equal numbers within a class
 * block, which is R8's equality of original signatures; between blocks all may be forgotten, so that a long mapping
 * takes no more memory than a short one. */
#ifndef FM_MAPPERS_JAVA_R8_SIGNATURES_H
#define FM_MAPPERS_JAVA_R8_SIGNATURES_H

#include "core/text/buffer.h"
#include "index/write/class_builder.h"
#include "mappers/java/r8_line_fast.h"

struct fm_r8_signature {
    const char *text;
    uint32_t size, name_at, name_size; /* of the text, and where the name stands in it */
    uint32_t holder;                   /* name of the builder, FM_NONE: the class of the block */
    uint32_t name;                     /* string of the builder; FM_NONE: not asked for yet */
    uint32_t type, arguments;          /* strings of the builder; arguments FM_NONE: a field */
    uint32_t member_holder, member;    /* the member made last, and of which holder; FM_NONE: none yet */
};

/* A type, or arguments: few of them make up most signatures, and the builder's table of all strings is far from the
 * processor. */
struct fm_r8_said {
    uint64_t hash;
    const char *text; /* within a signature's; NULL: empty */
    uint32_t size, number;
};
#define FM_R8_SAID ((size_t)1 << 10)

struct fm_r8_signatures {
    struct fm_heap *heap;
    struct fm_builder *builder;
    struct fm_r8_signature *all;
    size_t count, capacity;
    uint64_t *slots; /* upper half: of the hash, lower: number + 1; 0: empty */
    size_t slot_count;
    uint64_t key; /* of the hashes */
    bool borrows; /* texts that are read stay where they are until all are forgotten, and need no copy */
    struct fm_arena texts;
    char *next, *end; /* rest of the run that texts are copied into */
    struct fm_buf plain;
    uint32_t recent[2]; /* numbers read last, FM_NONE: none */
    struct fm_r8_said
        *said; /* FM_R8_SAID of them, each where its hash puts it: the one that was said last; NULL: none yet */
};
void fm_r8_signatures_init(struct fm_r8_signatures *set, struct fm_heap *heap, struct fm_builder *builder);
void fm_r8_signatures_free(struct fm_r8_signatures *set);

/* Between class blocks: forgets all when they have become many. Numbers given before are void then. */
void fm_r8_signatures_trim(struct fm_r8_signatures *set);

/* The same in any case: for another builder, or one that was emptied. */
void fm_r8_signatures_forget(struct fm_r8_signatures *set);

/* The number of a text without superfluous blanks, or FM_NONE. */
uint32_t fm_r8_signatures_find(const struct fm_r8_signatures *set, framemap_str text, uint64_t *hash);

/* Reads the signature at the cursor. *out: its number, when the result is OK and *good; not good: the line is refused
 * (cursor->fault). */
framemap_status fm_r8_signatures_read(struct fm_r8_signatures *set, struct fm_r8_cursor *cursor, bool *good,
                                      uint32_t *out, framemap_error *error);

/* The same of a usual line. false, with *status OK: no usual one stands there. */
bool fm_r8_signatures_usual(struct fm_r8_signatures *set, struct fm_r8_usual *line, uint32_t *out,
                            framemap_status *status, framemap_error *error);

/* Adds one that is read already: its parts are slices of its text. name may have a holder before its last dot. */
framemap_status fm_r8_signatures_add(struct fm_r8_signatures *set, const struct fm_r8_parts *parts, uint64_t hash,
                                     uint32_t *out, framemap_error *error);

static inline uint32_t fm_r8_signature_holder(const struct fm_r8_signature *signature, uint32_t holder)
{
    return signature->holder == FM_NONE ? holder : signature->holder;
}

/* The builder's member of a signature in a block of class `holder` (a name of the builder). */
static inline framemap_status fm_r8_signatures_member(struct fm_r8_signatures *set, uint32_t number, uint32_t holder,
                                                      uint32_t *out, framemap_error *error);
/* The same of one that may have none yet. */
framemap_status fm_r8_signatures_make_member(struct fm_r8_signatures *set, uint32_t number, uint32_t holder,
                                             uint32_t *out, framemap_error *error);

/* Many of them: those that have no member yet get it here, faster than one by one. */
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
