/* Answers of index files that were closed to keep the session's budget. Crashes repeat: most stacks of a rarely used
 * build have occurred before, and their answers need a hundredth of the memory of the build's index.
 *
 * There are two stores. Answers are added to the young one; when it is full, it becomes the old one, and the previous
 * old store is dropped. A caller that finds an answer in the old store should add it again, so that only answers that
 * were not needed are forgotten. If nearly all files have to be opened anyway, adding their answers costs more time
 * than it saves. Called by session/restore/recall.c and session/cache/index_cache.c. */
#ifndef FM_SESSION_CACHE_ANSWER_CACHE_H
#define FM_SESSION_CACHE_ANSWER_CACHE_H

#include "core/thread.h"
#include "session/cache/answer_store.h"

struct fm_answer_cache {
    struct fm_heap *heap;
    /* guards `young` and `old`, all writing to the stores, and the holders of every store */
    fm_mutex lock;
    uint64_t most;                       /* maximum number of bytes of both stores together; 0: nothing is cached */
    struct fm_answer_store *young, *old; /* the newer and the older store; NULL: the store has not been made yet */
    /* bytes of both stores, plus the bytes of replaced stores that a reader still holds */
    atomic_uint_least64_t used;
    /* number of files that did not have to be opened, thanks to the cache, since the young store was made */
    uint64_t saved;
    atomic_uint wanted; /* number of files whose answers were added since the young store was made */
    /* the cache rarely saves opening a file, so the answers of only some files are added */
    atomic_bool is_sparse;
    atomic_uint asked; /* number of calls of fm_answer_cache_wants since is_sparse was set */
};

/* Initialises a cache; allocates nothing. most: most bytes of the cache; if this is less than FM_ANSWER_LEAST, nothing
 * is cached. */
#define FM_ANSWER_LEAST ((uint64_t)8 * FM_ANSWER_CHUNK)
void fm_answer_cache_init(struct fm_answer_cache *cache, struct fm_heap *heap, uint64_t most);
void fm_answer_cache_free(struct fm_answer_cache *cache); /* frees the cache; no reader may be open */
/* Returns the bytes in use. Any thread may call. */
static inline uint64_t fm_answer_cache_used(const struct fm_answer_cache *cache)
{
    return atomic_load_explicit(&cache->used, memory_order_relaxed);
}

/* Returns whether the caller should add the answers of a file that it has just opened. Normally it should add the
 * answers of every file. While is_sparse is set (the cache rarely saves opening a file), it should add the answers of
 * only one file in sixteen. Any thread may call. */
bool fm_answer_cache_wants(struct fm_answer_cache *cache);

/* A snapshot of the cache's stores: pointers into the stores stay valid until the reader is closed. Any thread may
 * open a reader of its own, and reads with it without a lock. */
struct fm_answer_reader {
    /* The cache's two stores; NULL: the cache had no such store when the reader was opened. */
    struct fm_answer_store *young, *old;
    /* number of files that did not have to be opened, because the cache had the answers; counted by the caller */
    size_t saved;
};
void fm_answer_reader_open(struct fm_answer_cache *cache, struct fm_answer_reader *out);
void fm_answer_reader_close(struct fm_answer_cache *cache, struct fm_answer_reader *reader);
/* Finds an answer: sets its bytes and the store that has its texts. Returns false if the answer is not in the cache. */
bool fm_answer_reader_find(const struct fm_answer_reader *reader, const struct fm_answer_key *key, struct fm_wire *out,
                           const struct fm_answer_store **store);

/* A writer adds an answer: open it, append the numbers and texts, close it. Other threads cannot write until it is
 * closed. */
struct fm_answer_writer {
    struct fm_answer_cache *cache;
    const struct fm_answer_key *key;
    struct fm_answer_store *store;
    struct fm_buf bytes;
};
/* Opens a writer. Returns false, without opening a writer, if the cache has the answer already, or if memory is short.
 * heap: memory for the bytes of the answer until the writer is closed. */
bool fm_answer_writer_open(struct fm_answer_cache *cache, const struct fm_answer_key *key, struct fm_heap *heap,
                           struct fm_answer_writer *out);
void fm_answer_writer_text(struct fm_answer_writer *writer, framemap_str text);
static inline void fm_answer_writer_number(struct fm_answer_writer *writer, uint64_t number)
{
    fm_wire_put_varint(&writer->bytes, number);
}
/* Adds the answer, unless the store had no room for one of its texts. */
void fm_answer_writer_close(struct fm_answer_writer *writer);

#endif
