/* Implements answer_cache.h: keeps restored frames in two stores. Frames are added to the younger store; when it is
 * full, the older one is dropped. Counts how often the cache saved opening an index file. While this is rare, the
 * answers of only some files are added. */
#include "session/cache/answer_cache.h"

#include "core/hash/hash.h"

void fm_answer_cache_init(struct fm_answer_cache *cache, struct fm_heap *heap, uint64_t most)
{
    *cache = (struct fm_answer_cache){.heap = heap, .most = most < FM_ANSWER_LEAST ? 0 : most};
    fm_mutex_init(&cache->lock);
}

void fm_answer_cache_free(struct fm_answer_cache *cache)
{
    fm_answer_store_free(cache->young);
    fm_answer_store_free(cache->old);
    fm_mutex_destroy(&cache->lock);
}

/* --- holding and replacing the stores of answers (the caller holds the lock) --- */

static void hold(struct fm_answer_store *store)
{
    if (store) store->holders++;
}

static void drop_answers(struct fm_answer_cache *cache, struct fm_answer_store *store)
{
    if (store == NULL || --store->holders > 0) return;
    atomic_fetch_sub_explicit(&cache->used, store->counted, memory_order_relaxed);
    fm_answer_store_free(store);
}

/* Adds to the cache's total the bytes by which a store has grown. */
static void count(struct fm_answer_cache *cache, struct fm_answer_store *store)
{
    atomic_fetch_add_explicit(&cache->used, store->used - store->counted, memory_order_relaxed);
    store->counted = store->used;
}

static struct fm_answer_store *need_young(struct fm_answer_cache *cache)
{
    if (cache->young || cache->most == 0) return cache->young;
    cache->young = fm_answer_store_new(cache->heap, cache->most / 2, fm_hash_key(cache));
    hold(cache->young);
    if (cache->young) count(cache, cache->young);
    return cache->young;
}

/* The cache saves opening a file if it has all answers that are needed from this file. The answers of every opened file
 * are added as long as the cache saves at least one opening for each WORTH files whose answers were added. Below that
 * rate, the answers of only one file in SAMPLED are added, until the cache has saved RETURNING openings. */
enum { WORTH = 16, RETURNING = 16, SAMPLED = 16 };

static void age(struct fm_answer_cache *cache)
{
    const unsigned wanted = atomic_exchange(&cache->wanted, 0);
    if (cache->saved < wanted / WORTH) atomic_store(&cache->is_sparse, true);
    cache->saved = 0;
    drop_answers(cache, cache->old);
    cache->old = cache->young;
    cache->young = NULL;
}

/* --- reading --- */

void fm_answer_reader_open(struct fm_answer_cache *cache, struct fm_answer_reader *out)
{
    fm_mutex_lock(&cache->lock);
    *out = (struct fm_answer_reader){.young = cache->young, .old = cache->old};
    hold(out->young);
    hold(out->old);
    fm_mutex_unlock(&cache->lock);
}

void fm_answer_reader_close(struct fm_answer_cache *cache, struct fm_answer_reader *reader)
{
    if (reader->young == NULL && reader->old == NULL) return;
    fm_mutex_lock(&cache->lock);
    cache->saved += reader->saved;
    if (cache->saved >= RETURNING) atomic_store_explicit(&cache->is_sparse, false, memory_order_relaxed);
    drop_answers(cache, reader->young);
    drop_answers(cache, reader->old);
    fm_mutex_unlock(&cache->lock);
    *reader = (struct fm_answer_reader){.young = NULL};
}

bool fm_answer_reader_find(const struct fm_answer_reader *reader, const struct fm_answer_key *key, struct fm_wire *out,
                           const struct fm_answer_store **store)
{
    *store = reader->young;
    if (*store && fm_answer_store_find(*store, key, out)) return true;
    *store = reader->old;
    return *store && fm_answer_store_find(*store, key, out);
}

/* --- writing --- */

bool fm_answer_cache_wants(struct fm_answer_cache *cache)
{
    const bool is_wanted = !atomic_load_explicit(&cache->is_sparse, memory_order_relaxed) ||
                           atomic_fetch_add_explicit(&cache->asked, 1, memory_order_relaxed) % SAMPLED == 0;
    if (is_wanted) atomic_fetch_add_explicit(&cache->wanted, 1, memory_order_relaxed);
    return is_wanted;
}

bool fm_answer_writer_open(struct fm_answer_cache *cache, const struct fm_answer_key *key, struct fm_heap *heap,
                           struct fm_answer_writer *out)
{
    struct fm_wire known;
    fm_mutex_lock(&cache->lock);
    *out = (struct fm_answer_writer){.cache = cache, .key = key, .store = need_young(cache)};
    if (out->store == NULL || fm_answer_store_find(out->store, key, &known)) {
        fm_mutex_unlock(&cache->lock);
        return false;
    }
    fm_buf_init(&out->bytes, heap);
    fm_answer_store_begin(out->store, key, &out->bytes);
    return true;
}

void fm_answer_writer_text(struct fm_answer_writer *writer, framemap_str text)
{
    const uint32_t number = fm_answer_store_text(writer->store, text);
    if (text.size && number == 0) writer->bytes.failed = true;
    fm_answer_writer_number(writer, number);
}

void fm_answer_writer_close(struct fm_answer_writer *writer)
{
    struct fm_answer_cache *cache = writer->cache;
    fm_answer_store_add(writer->store, writer->key, &writer->bytes);
    count(cache, writer->store);
    if (writer->store->is_full) age(cache);
    fm_mutex_unlock(&cache->lock);
    fm_buf_free(&writer->bytes);
}
