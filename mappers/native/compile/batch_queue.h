/* Packs of units that several threads make, handed over one by one in the order of the units by whichever thread has
 * the turn. Bounded: whoever is too far ahead waits. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_BATCH_QUEUE_H
#define FM_MAPPERS_NATIVE_COMPILE_BATCH_QUEUE_H

#include "core/thread.h"
#include "mappers/native/compile/unit_batch.h"

#define FM_BATCH_QUEUE_WINDOW 32u /* batches that may wait for their turn */

/* Takes a batch, borrowed; calls never overlap and come by rising item. false: nothing more is wanted. */
typedef bool (*fm_batch_consumer)(void *context, size_t item, const struct fm_unit_batch *batch);

struct fm_batch_queue {
    struct fm_heap *heap;
    uint64_t key; /* of the batches */
    fm_batch_consumer take;
    void *context;
    size_t most_bytes; /* that may wait */
    fm_mutex lock;     /* of what follows */
    fm_condition moved;
    struct fm_unit_batch *idle;                           /* empty batches */
    struct fm_unit_batch *waiting[FM_BATCH_QUEUE_WINDOW]; /* by item, modulo */
    size_t turn;                                          /* item that is taken next */
    size_t bytes;                                         /* of those that wait */
    bool taking;                                          /* some thread is at it */
    bool stopped;
};

void fm_batch_queue_init(struct fm_batch_queue *queue, struct fm_heap *heap, uint64_t key, fm_batch_consumer take,
                         void *context);
void fm_batch_queue_free(struct fm_batch_queue *queue); /* when no thread uses it */
/* The next items count from 0 again. */
void fm_batch_queue_begin(struct fm_batch_queue *queue);

/* An empty batch; NULL: out of memory. */
struct fm_unit_batch *fm_batch_queue_empty_batch(struct fm_batch_queue *queue);
/* Gives the batch of an item away; the items before it are given by others, or were. May wait, and may take batches of
 * other items. false: stopped. */
bool fm_batch_queue_submit(struct fm_batch_queue *queue, size_t item, struct fm_unit_batch *batch);
/* Nothing more is taken; nobody waits any more. */
void fm_batch_queue_stop(struct fm_batch_queue *queue);

#endif
