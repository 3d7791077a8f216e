#include "mappers/sourcemap/sm_helper.h"

#include "core/content_hash.h"

#include <pthread.h>
#include <signal.h>

#define BATCHES 8u                      /* that may wait: as much as is decoded while a slice is hashed */
#define SOME (BATCHES / 2)              /* who waits is woken for so many, not for each: waking costs as much as a batch */
#define SLICE_BYTES ((size_t)256 << 10) /* hashed at a time: whole pieces */

struct fm_sm_helper {
    struct fm_heap *heap;
    struct fm_builder *builder;
    pthread_t thread;
    pthread_mutex_t lock;          /* of what follows */
    pthread_cond_t work, progress; /* there is something to do; something is done */
    struct fm_sm_batch ring[BATCHES];
    unsigned first, waiting; /* in the ring; the first is at work, if any is */
    bool ends;
    framemap_str left; /* to be hashed */
    framemap_status status;
    framemap_error error;
    /* The thread's own, until it has ended. */
    struct fm_content_hash hash;
};

/* --- the thread, with the lock held but while it works --- */

static void pack_first(struct fm_sm_helper *h)
{
    framemap_error error = {.code = FRAMEMAP_OK};
    const struct fm_sm_batch *batch = &h->ring[h->first];
    framemap_status status = h->status; /* after a failure all else is dropped */
    pthread_mutex_unlock(&h->lock);
    if (status == FRAMEMAP_OK) status = fm_builder_segments(h->builder, batch->segments, batch->count, &error);
    pthread_mutex_lock(&h->lock);
    if (h->status == FRAMEMAP_OK && status != FRAMEMAP_OK) {
        h->status = status;
        h->error = error;
    }
    h->first = (h->first + 1) % BATCHES;
    h->waiting--;
    if (h->waiting == SOME || h->waiting == 0) pthread_cond_signal(&h->progress);
}

static void hash_some(struct fm_sm_helper *h)
{
    const framemap_str slice = fm_str_slice(h->left, 0, SLICE_BYTES);
    h->left = fm_str_from(h->left, slice.size);
    pthread_mutex_unlock(&h->lock);
    fm_content_hash_add(&h->hash, slice.data, slice.size);
    pthread_mutex_lock(&h->lock);
}

static void *work(void *context)
{
    struct fm_sm_helper *h = context;
    pthread_mutex_lock(&h->lock);
    while (!h->ends || h->waiting > 0 || h->left.size > 0) {
        if (h->waiting > 0)
            pack_first(h);
        else if (h->left.size > 0)
            hash_some(h);
        else
            pthread_cond_wait(&h->work, &h->lock);
    }
    pthread_mutex_unlock(&h->lock);
    return NULL;
}

/* --- its owner --- */

/* Signals are for the threads of the caller's own. */
static bool start(struct fm_sm_helper *h)
{
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return false;
    const bool started = pthread_create(&h->thread, NULL, work, h) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static void free_helper(struct fm_sm_helper *h)
{
    struct fm_heap *heap = h->heap;
    for (unsigned i = 0; i < BATCHES; i++) fm_heap_free(heap, h->ring[i].segments, h->ring[i].capacity * sizeof *h->ring[i].segments);
    pthread_cond_destroy(&h->work);
    pthread_cond_destroy(&h->progress);
    pthread_mutex_destroy(&h->lock);
    fm_heap_free(heap, h, sizeof *h);
}

struct fm_sm_helper *fm_sm_helper_begin(struct fm_heap *heap, struct fm_builder *builder, framemap_str text)
{
    struct fm_sm_helper *h = fm_heap_zalloc(heap, 1, sizeof *h);
    if (h == NULL) return NULL;
    h->heap = heap;
    h->builder = builder;
    h->left = text;
    fm_content_hash_begin(&h->hash);
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->work, NULL);
    pthread_cond_init(&h->progress, NULL);
    if (start(h)) return h;
    free_helper(h);
    return NULL;
}

void fm_sm_helper_give(struct fm_sm_helper *h, struct fm_sm_batch *batch)
{
    pthread_mutex_lock(&h->lock);
    while (h->waiting == BATCHES) pthread_cond_wait(&h->progress, &h->lock);
    struct fm_sm_batch *slot = &h->ring[(h->first + h->waiting++) % BATCHES], given = *batch;
    *batch = (struct fm_sm_batch){slot->segments, 0, slot->capacity};
    *slot = given;
    if (h->waiting >= SOME) pthread_cond_signal(&h->work);
    pthread_mutex_unlock(&h->lock);
}

framemap_status fm_sm_helper_wait(struct fm_sm_helper *h, framemap_error *error)
{
    pthread_mutex_lock(&h->lock);
    pthread_cond_signal(&h->work);
    while (h->waiting > 0) pthread_cond_wait(&h->progress, &h->lock);
    const framemap_status status = h->status;
    if (status != FRAMEMAP_OK && error != NULL) *error = h->error;
    pthread_mutex_unlock(&h->lock);
    return status;
}

void fm_sm_helper_skip_hash(struct fm_sm_helper *h)
{
    pthread_mutex_lock(&h->lock);
    h->left.size = 0;
    pthread_mutex_unlock(&h->lock);
}

void fm_sm_helper_end(struct fm_sm_helper *h, unsigned char digest[32])
{
    if (h == NULL) return;
    pthread_mutex_lock(&h->lock);
    h->ends = true;
    pthread_cond_signal(&h->work);
    pthread_mutex_unlock(&h->lock);
    pthread_join(h->thread, NULL);
    fm_content_hash_end(&h->hash, digest);
    free_helper(h);
}
