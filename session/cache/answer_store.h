/* Answers in few bytes: an append-only store of texts and of records that refer to them; each text is stored once. It
 * only grows, up to its maximum size, and is freed as a whole, so that readers need no lock. Called by answer_cache.c,
 * which has two stores, and by session/cache/answer_pack.c, which writes and reads the records. */
#ifndef FM_SESSION_CACHE_ANSWER_STORE_H
#define FM_SESSION_CACHE_ANSWER_STORE_H

#include "core/file_stamp.h"
#include "core/wire.h"

/* The key of an answer: the stamp of an index file, an address in that file, and a tag with everything else that the
 * query depends on. */
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
    /* table of records. Lower half of a cell: the record's number; upper half: the upper half of its hash; 0: empty
     * cell */
    _Atomic(uint64_t) *cells;
    /* table of texts, with the numbers of the texts; 0: empty slot. Only writers read it */
    uint32_t *texts;
    size_t record_count, text_count;
    /* memory of the items, which are never moved; the number of an item is its offset in the chunks */
    unsigned char *chunks[FM_ANSWER_CHUNKS];
    size_t chunk_count, next; /* `next`: offset in the last chunk at which the next item begins */
    /* Used by answer_cache.c. holders: number of users of the store. counted: how much of `used` is included in the
     * cache's total. */
    size_t holders, counted;
};

/* Makes an empty store. most: most bytes of the store, which never has more than FM_ANSWER_CHUNKS chunks. Returns NULL
 * if out of memory. */
struct fm_answer_store *fm_answer_store_new(struct fm_heap *heap, uint64_t most, uint64_t seed);
void fm_answer_store_free(struct fm_answer_store *store);

/* Functions for writing. Only one thread at a time may call them. */

/* Returns the number of a text, and adds the text if it is new. Returns 0 if the text is empty, or if there is no room
 * for it. */
uint32_t fm_answer_store_text(struct fm_answer_store *store, framemap_str text);
/* Starts a record: appends its key to `bytes`. The caller appends the rest of the record to `bytes`. */
void fm_answer_store_begin(struct fm_answer_store *store, const struct fm_answer_key *key, struct fm_buf *bytes);
/* Adds the record, unless there is no room for one of its parts. Readers see it from now on. */
void fm_answer_store_add(struct fm_answer_store *store, const struct fm_answer_key *key, const struct fm_buf *bytes);

/* Functions for reading, which any thread may call, even while another thread writes. */

/* Finds a record: sets the bytes after its key, borrowed from the store. Returns false if there is no such record. */
bool fm_answer_store_find(const struct fm_answer_store *store, const struct fm_answer_key *key, struct fm_wire *out);
/* Returns a text, borrowed from the store and with a NUL after it. number: the number of a text of this store; 0: an
 * absent text. */
framemap_str fm_answer_store_text_at(const struct fm_answer_store *store, uint64_t number);

#endif
