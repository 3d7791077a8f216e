/* Numbered records of one size, and numbered texts. Equal records, or texts, have one number. Only the proof uses these
 * sets: it checks the index builder, so it must not share code with the tables of the builder. */
#ifndef FM_API_PROOF_RECORD_SET_H
#define FM_API_PROOF_RECORD_SET_H

#include "core/hash/hash.h"

struct fm_record_set {
    struct fm_table table;
    unsigned char *records;
    size_t size, count, capacity; /* size: bytes of one record, without undefined padding */
    uint64_t key;
};
void fm_record_set_init(struct fm_record_set *set, struct fm_heap *heap, size_t size);
void fm_record_set_free(struct fm_record_set *set);
/* Adds a copy of a record, or finds an equal one; *out: its number. false: out of memory, or 4 billion records. */
bool fm_record_set_add(struct fm_record_set *set, const void *record, uint32_t *out);
static inline const void *fm_record_set_at(const struct fm_record_set *set, uint32_t number)
{
    return set->records + number * set->size;
}

struct fm_text_set {
    struct fm_table table;
    char *bytes;
    size_t *ends;
    size_t used, bytes_capacity, count, capacity;
    uint64_t key;
};
void fm_text_set_init(struct fm_text_set *set, struct fm_heap *heap);
void fm_text_set_free(struct fm_text_set *set);
bool fm_text_set_add(struct fm_text_set *set, framemap_str text, uint32_t *out);
/* Returns the text that has a number; absent for UINT32_MAX. Valid until the next text is added. */
framemap_str fm_text_set_at(const struct fm_text_set *set, uint32_t number);

#endif
