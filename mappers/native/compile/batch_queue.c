/* The ordered, bounded queue of batches. See batch_queue.h. */
#include "mappers/native/compile/batch_queue.h"

#define MOST_BYTES ((size_t)16 << 20)
/* Maximum number of bytes of memory that an idle batch may keep; a batch with more is freed. */
#define KEPT_BYTES ((size_t)1 << 20)

void fm_batch_queue_init(struct fm_batch_queue *queue, struct fm_heap *heap, uint64_t key, fm_batch_consumer consume,
                         void *context)
{
    *queue = (struct fm_batch_queue){
        .heap = heap, .key = key, .consume = consume, .context = context, .most_bytes = MOST_BYTES};
    /* With a low memory ceiling, fewer batches may be queued. */
    if (heap->ceiling / 16 < queue->most_bytes) queue->most_bytes = (size_t)(heap->ceiling / 16);
    fm_mutex_init(&queue->lock);
    fm_condition_init(&queue->moved);
}

static void free_batch(struct fm_batch_queue *queue, struct fm_unit_batch *batch)
{
    fm_unit_batch_free(batch);
    fm_heap_free(queue->heap, batch, sizeof *batch);
}

/* Puts an empty batch into the idle list. The caller holds the lock, unless no other thread uses the queue. */
static void put_idle(struct fm_batch_queue *queue, struct fm_unit_batch *batch)
{
    batch->next = queue->idle;
    queue->idle = batch;
}

static void reset_batch(struct fm_batch_queue *queue, struct fm_unit_batch *batch)
{
    if (fm_unit_batch_bytes(batch) > KEPT_BYTES) {
        fm_unit_batch_free(batch);
        fm_unit_batch_init(batch, queue->heap, queue->key);
    } else {
        fm_unit_batch_clear(batch);
    }
}

void fm_batch_queue_begin(struct fm_batch_queue *queue)
{
    for (size_t i = 0; i < FM_BATCH_QUEUE_WINDOW; i++) {
        if (queue->waiting[i] == NULL) continue;
        reset_batch(queue, queue->waiting[i]);
        put_idle(queue, queue->waiting[i]);
        queue->waiting[i] = NULL;
    }
    queue->turn = queue->bytes = 0;
    queue->stopped = false;
}

void fm_batch_queue_free(struct fm_batch_queue *queue)
{
    fm_batch_queue_begin(queue);
    for (struct fm_unit_batch *batch = queue->idle, *next; batch != NULL; batch = next) {
        next = batch->next;
        free_batch(queue, batch);
    }
    fm_condition_destroy(&queue->moved);
    fm_mutex_destroy(&queue->lock);
}

struct fm_unit_batch *fm_batch_queue_empty_batch(struct fm_batch_queue *queue)
{
    fm_mutex_lock(&queue->lock);
    struct fm_unit_batch *batch = queue->idle;
    if (batch != NULL) queue->idle = batch->next;
    fm_mutex_unlock(&queue->lock);
    if (batch != NULL) return batch;
    batch = fm_heap_zalloc(queue->heap, 1, sizeof *batch);
    if (batch != NULL) fm_unit_batch_init(batch, queue->heap, queue->key);
    return batch;
}

void fm_batch_queue_stop(struct fm_batch_queue *queue)
{
    fm_mutex_lock(&queue->lock);
    queue->stopped = true;
    fm_condition_wake_all(&queue->moved);
    fm_mutex_unlock(&queue->lock);
}

/* Runs the consumer for the batches that are next in order. The caller holds the lock, which is released during the
 * consumer's calls. */
static void consume_ready(struct fm_batch_queue *queue)
{
    queue->taking = true;
    while (!queue->stopped && queue->waiting[queue->turn % FM_BATCH_QUEUE_WINDOW] != NULL) {
        struct fm_unit_batch *batch = queue->waiting[queue->turn % FM_BATCH_QUEUE_WINDOW];
        const size_t item = queue->turn, bytes = fm_unit_batch_bytes(batch);
        fm_mutex_unlock(&queue->lock);
        const bool goes_on = queue->consume(queue->context, item, batch);
        reset_batch(queue, batch);
        fm_mutex_lock(&queue->lock);
        queue->waiting[item % FM_BATCH_QUEUE_WINDOW] = NULL;
        queue->bytes -= bytes;
        queue->turn++;
        if (!goes_on) queue->stopped = true;
        put_idle(queue, batch);
        fm_condition_wake_all(&queue->moved);
    }
    queue->taking = false;
}

/* Whether a thread must wait before it submits an item. The thread with the next item never waits, so the queue always
 * advances. */
static bool must_wait(const struct fm_batch_queue *queue, size_t item, size_t bytes)
{
    if (queue->stopped || item == queue->turn) return false;
    return item - queue->turn >= FM_BATCH_QUEUE_WINDOW || queue->bytes + bytes > queue->most_bytes;
}

bool fm_batch_queue_submit(struct fm_batch_queue *queue, size_t item, struct fm_unit_batch *batch)
{
    const size_t bytes = fm_unit_batch_bytes(batch);

    /* a batch that used much memory is marked, so that it is freed and not reused after it was consumed */
    if (bytes > KEPT_BYTES) fm_unit_batch_seal(batch);
    fm_mutex_lock(&queue->lock);
    while (must_wait(queue, item, bytes)) fm_condition_wait(&queue->moved, &queue->lock);
    if (queue->stopped) {
        /* no further empty batch is needed, so the batch is put into the idle list without being cleared */
        put_idle(queue, batch);
    } else {
        queue->waiting[item % FM_BATCH_QUEUE_WINDOW] = batch;
        queue->bytes += bytes;
        if (!queue->taking) consume_ready(queue);
    }
    const bool goes_on = !queue->stopped;
    fm_mutex_unlock(&queue->lock);
    return goes_on;
}
