/* An ordered queue: several threads submit batches of unit records in any order, and a consumer receives them one at a
 * time in the order of their numbers (the item of each batch). The consumer runs on the thread that submits the batch
 * which is next in order. The queue is bounded; a thread that is too far ahead waits. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_BATCH_QUEUE_H
#define FM_MAPPERS_NATIVE_COMPILE_BATCH_QUEUE_H

#include "core/thread.h"
#include "mappers/native/compile/unit_batch.h"

#define FM_BATCH_QUEUE_WINDOW 32u /* batches that may be queued at the same time */

/* Consumes a batch, which is borrowed for the call. Calls do not overlap and have ascending items. Returns false to
 * stop the queue. */
typedef bool (*fm_batch_consumer)(void *context, size_t item, const struct fm_unit_batch *batch);

struct fm_batch_queue {
    struct fm_heap *heap;
    uint64_t key; /* hash key of the batches */
    fm_batch_consumer consume;
    void *context;
    size_t most_bytes; /* limit for the bytes of queued batches */
    fm_mutex lock;     /* guards the members below */
    fm_condition moved;
    struct fm_unit_batch *idle;                           /* empty batches for reuse */
    struct fm_unit_batch *waiting[FM_BATCH_QUEUE_WINDOW]; /* queued batches; the index is the item modulo the window */
    size_t turn;                                          /* next item to consume */
    size_t bytes;                                         /* bytes of the queued batches */
    bool taking;                                          /* some thread is running the consumer */
    bool stopped;
};

void fm_batch_queue_init(struct fm_batch_queue *queue, struct fm_heap *heap, uint64_t key, fm_batch_consumer consume,
                         void *context);
void fm_batch_queue_free(struct fm_batch_queue *queue); /* Frees the queue. No other thread may use it any more. */
/* Starts a new series of items, from 0. */
void fm_batch_queue_begin(struct fm_batch_queue *queue);

/* Returns an empty batch, or NULL when out of memory. */
struct fm_unit_batch *fm_batch_queue_empty_batch(struct fm_batch_queue *queue);
/* Submits the batch of an item and passes its ownership to the queue. Items may be submitted in any order, but no
 * number may be left out. May wait, and may run the consumer for other items. Returns false if the queue was
 * stopped. */
bool fm_batch_queue_submit(struct fm_batch_queue *queue, size_t item, struct fm_unit_batch *batch);
/* Stops the queue: no batch is consumed any more, and waiting threads return. */
void fm_batch_queue_stop(struct fm_batch_queue *queue);

#endif
