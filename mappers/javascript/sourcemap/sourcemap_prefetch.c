/* The second thread for big maps: a ring buffer of batches, and hashing. See sourcemap_prefetch.h. */
#include "mappers/javascript/sourcemap/sourcemap_prefetch.h"

#include "core/hash/content_hash.h"
#include "core/thread.h"

#define BATCHES 8u /* maximum number of batches in the queue, about as many as are decoded while a slice is hashed */
/* A waiting thread is woken after this many batches, because waking it costs as much as packing a batch. */
#define SOME (BATCHES / 2)
#define SLICE_BYTES ((size_t)256 << 10) /* bytes hashed at a time */

struct fm_sourcemap_prefetch {
    struct fm_heap *heap;
    struct fm_builder *builder;
    fm_thread thread;
    fm_mutex lock;               /* protects the fields below */
    fm_condition work, progress; /* work: signalled when there is something to do; progress: signalled when something
                                    was done */
    struct fm_sourcemap_segment_batch ring[BATCHES];
    unsigned first, waiting; /* ring buffer; the first batch is being packed, if there is one */
    bool ends;
    framemap_str left; /* text that is not hashed yet */
    framemap_status status;
    framemap_error error;
    /* Members that only the second thread uses until this thread has ended. */
    struct fm_content_hash hash;
};

/* --- running the second thread, which holds the lock except while it works --- */

static void pack_first(struct fm_sourcemap_prefetch *h)
{
    framemap_error error = {.code = FRAMEMAP_OK};
    const struct fm_sourcemap_segment_batch *batch = &h->ring[h->first];
    framemap_status status = h->status; /* after an error the remaining batches are dropped */
    fm_mutex_unlock(&h->lock);
    if (status == FRAMEMAP_OK) status = fm_builder_segments(h->builder, batch->segments, batch->count, &error);
    fm_mutex_lock(&h->lock);
    if (h->status == FRAMEMAP_OK && status != FRAMEMAP_OK) {
        h->status = status;
        h->error = error;
    }
    h->first = (h->first + 1) % BATCHES;
    h->waiting--;
    if (h->waiting == SOME || h->waiting == 0) fm_condition_wake(&h->progress);
}

static void hash_some(struct fm_sourcemap_prefetch *h)
{
    const framemap_str slice = fm_str_slice(h->left, 0, SLICE_BYTES);
    h->left = fm_str_from(h->left, slice.size);
    fm_mutex_unlock(&h->lock);
    fm_content_hash_add(&h->hash, slice.data, slice.size);
    fm_mutex_lock(&h->lock);
}

static void *work(void *context)
{
    struct fm_sourcemap_prefetch *h = context;
    fm_mutex_lock(&h->lock);
    while (!h->ends || h->waiting > 0 || h->left.size > 0) {
        if (h->waiting > 0)
            pack_first(h);
        else if (h->left.size > 0)
            hash_some(h);
        else
            fm_condition_wait(&h->work, &h->lock);
    }
    fm_mutex_unlock(&h->lock);
    return NULL;
}

/* --- implementing the calls of the first thread --- */

static void free_helper(struct fm_sourcemap_prefetch *h)
{
    struct fm_heap *heap = h->heap;
    for (unsigned i = 0; i < BATCHES; i++)
        fm_heap_free(heap, h->ring[i].segments, h->ring[i].capacity * sizeof *h->ring[i].segments);
    fm_condition_destroy(&h->work);
    fm_condition_destroy(&h->progress);
    fm_mutex_destroy(&h->lock);
    fm_heap_free(heap, h, sizeof *h);
}

struct fm_sourcemap_prefetch *fm_sourcemap_prefetch_start(struct fm_heap *heap, struct fm_builder *builder,
                                                          framemap_str text)
{
    struct fm_sourcemap_prefetch *h = fm_heap_zalloc(heap, 1, sizeof *h);
    if (h == NULL) return NULL;
    h->heap = heap;
    h->builder = builder;
    h->left = text;
    fm_content_hash_begin(&h->hash);
    fm_mutex_init(&h->lock);
    fm_condition_init(&h->work);
    fm_condition_init(&h->progress);
    if (fm_thread_start(&h->thread, work, h, 0)) return h;
    free_helper(h);
    return NULL;
}

void fm_sourcemap_prefetch_push(struct fm_sourcemap_prefetch *h, struct fm_sourcemap_segment_batch *batch)
{
    fm_mutex_lock(&h->lock);
    while (h->waiting == BATCHES) fm_condition_wait(&h->progress, &h->lock);
    struct fm_sourcemap_segment_batch *slot = &h->ring[(h->first + h->waiting++) % BATCHES], given = *batch;
    *batch = (struct fm_sourcemap_segment_batch){slot->segments, 0, slot->capacity};
    *slot = given;
    if (h->waiting >= SOME) fm_condition_wake(&h->work);
    fm_mutex_unlock(&h->lock);
}

framemap_status fm_sourcemap_prefetch_wait(struct fm_sourcemap_prefetch *h, framemap_error *error)
{
    fm_mutex_lock(&h->lock);
    fm_condition_wake(&h->work);
    while (h->waiting > 0) fm_condition_wait(&h->progress, &h->lock);
    const framemap_status status = h->status;
    if (status != FRAMEMAP_OK && error != NULL) *error = h->error;
    fm_mutex_unlock(&h->lock);
    return status;
}

void fm_sourcemap_prefetch_skip_hash(struct fm_sourcemap_prefetch *h)
{
    fm_mutex_lock(&h->lock);
    h->left.size = 0;
    fm_mutex_unlock(&h->lock);
}

void fm_sourcemap_prefetch_stop(struct fm_sourcemap_prefetch *h, unsigned char digest[32])
{
    if (h == NULL) return;
    fm_mutex_lock(&h->lock);
    h->ends = true;
    fm_condition_wake(&h->work);
    fm_mutex_unlock(&h->lock);
    fm_thread_join(h->thread);
    fm_content_hash_end(&h->hash, digest);
    free_helper(h);
}
