/* The names that records refer to by number: those of files (FILE) and of inlined functions (INLINE_ORIGIN). Numbers
 * may be sparse and as high as 2^32, and may be used before their record. Each gets an id, counted from 0, so that
 * memory depends on how many numbers are used. */
#ifndef FM_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_NAMES_H
#define FM_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_NAMES_H

#include "core/hash/hash.h"

struct fm_breakpad_name {
    uint32_t number;
    bool declared;     /* the file has a record with this number */
    framemap_str text; /* of several records the last one counts */
    /* the record that was made of this name, and the number of the batch that has it; for breakpad_compile.c */
    uint32_t batch, record;
};

struct fm_breakpad_names {
    struct fm_heap *heap;
    uint64_t key; /* hash key */
    struct fm_table table;
    struct fm_breakpad_name *items;
    size_t count, capacity;
    /* for low numbers: the id plus 1, or 0 if it is only in the table. There are about twice as many as names. */
    uint32_t *direct;
    size_t direct_count, direct_capacity;
};

void fm_breakpad_names_init(struct fm_breakpad_names *names, struct fm_heap *heap);
void fm_breakpad_names_free(struct fm_breakpad_names *names);
/* Gets the id of a number that is not in `direct`. Returns false when out of memory. */
bool fm_breakpad_names_find(struct fm_breakpad_names *names, uint32_t number, uint32_t *id);
/* Gets the id of a number. Returns false when out of memory. */
static inline bool fm_breakpad_names_id(struct fm_breakpad_names *names, uint32_t number, uint32_t *id)
{
    if (number >= names->direct_count || names->direct[number] == 0) return fm_breakpad_names_find(names, number, id);
    *id = names->direct[number] - 1;
    return true;
}
/* Declares the name of a number. Returns false when out of memory. */
bool fm_breakpad_names_declare(struct fm_breakpad_names *names, uint32_t number, framemap_str text);
/* Returns how many numbers are used without a record that declares them. */
size_t fm_breakpad_names_missing(const struct fm_breakpad_names *names);

#endif
