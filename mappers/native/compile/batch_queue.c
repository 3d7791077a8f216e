#include "mappers/native/compile/batch_queue.h"

#define MOST_BYTES ((size_t)16 << 20)
#define KEPT_BYTES ((size_t)1 << 20) /* an idle pack of a unit bigger than that gives its memory back */

void fm_batch_queue_init(struct fm_batch_queue *relay, struct fm_heap *heap, uint64_t key, fm_batch_queue_taker take,
                         void *context)
{
    *relay =
        (struct fm_batch_queue){.heap = heap, .key = key, .take = take, .context = context, .most_bytes = MOST_BYTES};
    /* Under a low ceiling little may wait. */
    if (heap->ceiling / 16 < relay->most_bytes) relay->most_bytes = (size_t)(heap->ceiling / 16);
    fm_mutex_init(&relay->lock);
    fm_condition_init(&relay->moved);
}

static void free_pack(struct fm_batch_queue *relay, struct fm_unit_batch *pack)
{
    fm_unit_batch_free(pack);
    fm_heap_free(relay->heap, pack, sizeof *pack);
}

/* With the lock held, or nobody else there. */
static void rest(struct fm_batch_queue *relay, struct fm_unit_batch *pack)
{
    pack->next = relay->idle;
    relay->idle = pack;
}

static void empty(struct fm_batch_queue *relay, struct fm_unit_batch *pack)
{
    if (fm_unit_batch_bytes(pack) > KEPT_BYTES) {
        fm_unit_batch_free(pack);
        fm_unit_batch_init(pack, relay->heap, relay->key);
    } else {
        fm_unit_batch_clear(pack);
    }
}

void fm_batch_queue_begin(struct fm_batch_queue *relay)
{
    for (size_t i = 0; i < FM_DW_RELAY_WINDOW; i++) {
        if (relay->waiting[i] == NULL) continue;
        empty(relay, relay->waiting[i]);
        rest(relay, relay->waiting[i]);
        relay->waiting[i] = NULL;
    }
    relay->turn = relay->bytes = 0;
    relay->stopped = false;
}

void fm_batch_queue_free(struct fm_batch_queue *relay)
{
    fm_batch_queue_begin(relay);
    for (struct fm_unit_batch *pack = relay->idle, *next; pack != NULL; pack = next) {
        next = pack->next;
        free_pack(relay, pack);
    }
    fm_condition_destroy(&relay->moved);
    fm_mutex_destroy(&relay->lock);
}

struct fm_unit_batch *fm_batch_queue_pack(struct fm_batch_queue *relay)
{
    fm_mutex_lock(&relay->lock);
    struct fm_unit_batch *pack = relay->idle;
    if (pack != NULL) relay->idle = pack->next;
    fm_mutex_unlock(&relay->lock);
    if (pack != NULL) return pack;
    pack = fm_heap_zalloc(relay->heap, 1, sizeof *pack);
    if (pack != NULL) fm_unit_batch_init(pack, relay->heap, relay->key);
    return pack;
}

void fm_batch_queue_stop(struct fm_batch_queue *relay)
{
    fm_mutex_lock(&relay->lock);
    relay->stopped = true;
    fm_condition_wake_all(&relay->moved);
    fm_mutex_unlock(&relay->lock);
}

/* Takes the packs that have their turn, with the lock held but while one is taken. */
static void take_ready(struct fm_batch_queue *relay)
{
    relay->taking = true;
    while (!relay->stopped && relay->waiting[relay->turn % FM_DW_RELAY_WINDOW] != NULL) {
        struct fm_unit_batch *pack = relay->waiting[relay->turn % FM_DW_RELAY_WINDOW];
        const size_t item = relay->turn, bytes = fm_unit_batch_bytes(pack);
        fm_mutex_unlock(&relay->lock);
        const bool goes_on = relay->take(relay->context, item, pack);
        empty(relay, pack);
        fm_mutex_lock(&relay->lock);
        relay->waiting[item % FM_DW_RELAY_WINDOW] = NULL;
        relay->bytes -= bytes;
        relay->turn++;
        if (!goes_on) relay->stopped = true;
        rest(relay, pack);
        fm_condition_wake_all(&relay->moved);
    }
    relay->taking = false;
}

/* Whoever has the turn never waits, so all others get theirs. */
static bool must_wait(const struct fm_batch_queue *relay, size_t item, size_t bytes)
{
    if (relay->stopped || item == relay->turn) return false;
    return item - relay->turn >= FM_DW_RELAY_WINDOW || relay->bytes + bytes > relay->most_bytes;
}

bool fm_batch_queue_give(struct fm_batch_queue *relay, size_t item, struct fm_unit_batch *pack)
{
    const size_t bytes = fm_unit_batch_bytes(pack);

    if (bytes > KEPT_BYTES) fm_unit_batch_end(pack); /* it is freed when it is taken */
    fm_mutex_lock(&relay->lock);
    while (must_wait(relay, item, bytes)) fm_condition_wait(&relay->moved, &relay->lock);
    if (relay->stopped) {
        rest(relay, pack); /* as it is: nobody wants an empty one any more */
    } else {
        relay->waiting[item % FM_DW_RELAY_WINDOW] = pack;
        relay->bytes += bytes;
        if (!relay->taking) take_ready(relay);
    }
    const bool goes_on = !relay->stopped;
    fm_mutex_unlock(&relay->lock);
    return goes_on;
}
