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

/* Number of the entries of the cache of ids, a power of two. A function uses few files, mostly of adjacent numbers. */
#define FM_BREAKPAD_RECENT 64

struct fm_breakpad_names {
    struct fm_heap *heap;
    uint64_t key; /* hash key */
    struct fm_table table;
    struct fm_breakpad_name *items;
    size_t count, capacity;
    struct {
        uint32_t number, id1; /* id1: the id plus 1; 0: empty */
    } recent[FM_BREAKPAD_RECENT];
};

void fm_breakpad_names_init(struct fm_breakpad_names *names, struct fm_heap *heap);
void fm_breakpad_names_free(struct fm_breakpad_names *names);
/* Gets the id of a number that is not in the cache. Returns false when out of memory. */
bool fm_breakpad_names_find(struct fm_breakpad_names *names, uint32_t number, uint32_t *id);
/* Gets the id of a number. Returns false when out of memory. */
static inline bool fm_breakpad_names_id(struct fm_breakpad_names *names, uint32_t number, uint32_t *id)
{
    const uint32_t at = number % FM_BREAKPAD_RECENT;
    if (names->recent[at].id1 == 0 || names->recent[at].number != number)
        return fm_breakpad_names_find(names, number, id);
    *id = names->recent[at].id1 - 1;
    return true;
}
/* Declares the name of a number. Returns false when out of memory. */
bool fm_breakpad_names_declare(struct fm_breakpad_names *names, uint32_t number, framemap_str text);
/* Returns how many numbers are used without a record that declares them. */
size_t fm_breakpad_names_missing(const struct fm_breakpad_names *names);

#endif
