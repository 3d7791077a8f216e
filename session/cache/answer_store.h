/* Answers in few bytes: an append-only store of texts and of records that refer to them, each text once. It only grows,
 * up to its size, and is freed as a whole, so that readers need no lock. Called by answer_cache.c, which has two of
 * them, and by session/cache/answer_pack.c, which writes and reads the records. */
#ifndef FM_SESSION_CACHE_ANSWER_STORE_H
#define FM_SESSION_CACHE_ANSWER_STORE_H

#include "core/file_stamp.h"
#include "core/wire.h"

/* The key of an answer: the stamp of an index file, an address in it, and a tag with whatever else the query depends
 * on. */
struct fm_answer_key {
    struct fm_stamp stamp;
    uint64_t address;
    uint32_t tag;
};

enum { FM_ANSWER_CHUNK = 1 << 16, FM_ANSWER_CHUNKS = 512 };

struct fm_answer_store {
    struct fm_heap *heap;
    uint64_t seed;     /* seed of the hashes */
    size_t most, used; /* most: bytes that the tables and chunks may use; used: bytes that they use now */
    bool is_full;      /* an item was refused because the store had no room for it */
    size_t capacity;   /* number of slots of each of the two tables; a power of two */
    /* table of records: lower half: the record's number; upper half: that of its hash. 0: empty */
    _Atomic(uint64_t) *cells;
    uint32_t *texts; /* table of texts: their numbers; 0: empty slot. Only writers read it */
    size_t record_count, text_count;
    /* memory of the items, never moved; the number of an item is its offset in the chunks */
    unsigned char *chunks[FM_ANSWER_CHUNKS];
    size_t chunk_count, next; /* offset in the last chunk at which the next item begins */
    size_t holders, counted;  /* used by answer_cache.c: number of holders; the part of `used` in the cache's total */
};

/* Makes an empty store. most: ceiling on its bytes; more than FM_ANSWER_CHUNKS chunks are never used. NULL: out of
 * memory. */
struct fm_answer_store *fm_answer_store_new(struct fm_heap *heap, uint64_t most, uint64_t seed);
void fm_answer_store_free(struct fm_answer_store *store);

/* Functions for writing, which only one thread may call at a time. */

/* Returns the number of a text, which is added if it is new. 0: it is empty, or does not fit. */
uint32_t fm_answer_store_text(struct fm_answer_store *store, framemap_str text);
/* Starts a record: appends its key to `bytes`, to which the caller appends the rest. */
void fm_answer_store_begin(struct fm_answer_store *store, const struct fm_answer_key *key, struct fm_buf *bytes);
/* Adds the record, unless something did not fit. Readers see it from now on. */
void fm_answer_store_add(struct fm_answer_store *store, const struct fm_answer_key *key, const struct fm_buf *bytes);

/* Functions for reading, which any thread may call, even while another thread writes. */

/* Gets the bytes after the key of a record, borrowed from the store. false: there is no such record. */
bool fm_answer_store_find(const struct fm_answer_store *store, const struct fm_answer_key *key, struct fm_wire *out);
/* Returns a text, borrowed from the store and with a NUL after it. number: the number of a record of this store; 0: an
 * absent text. */
framemap_str fm_answer_store_text_at(const struct fm_answer_store *store, uint64_t number);

#endif
