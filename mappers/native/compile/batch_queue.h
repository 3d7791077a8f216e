/* Packs of units that several threads make, handed over one by one in the order of the units by whichever thread has the turn. Bounded: whoever is too far
 * ahead waits. */
#ifndef FM_DW_RELAY_H
#define FM_DW_RELAY_H

#include "core/thread.h"
#include "mappers/native/compile/unit_batch.h"

#define FM_DW_RELAY_WINDOW 32u /* packs that may wait for their turn */

/* Takes a pack, borrowed; calls never overlap and come by rising item. false: nothing more is wanted. */
typedef bool (*fm_dw_relay_taker)(void *context, size_t item, const struct fm_dw_pack *pack);

struct fm_dw_relay {
    struct fm_heap *heap;
    uint64_t key; /* of the packs */
    fm_dw_relay_taker take;
    void *context;
    size_t most_bytes;    /* that may wait */
    fm_mutex lock; /* of what follows */
    fm_condition moved;
    struct fm_dw_pack *idle;                        /* empty packs */
    struct fm_dw_pack *waiting[FM_DW_RELAY_WINDOW]; /* by item, modulo */
    size_t turn;                                    /* item that is taken next */
    size_t bytes;                                   /* of those that wait */
    bool taking;                                    /* some thread is at it */
    bool stopped;
};

void fm_dw_relay_init(struct fm_dw_relay *relay, struct fm_heap *heap, uint64_t key, fm_dw_relay_taker take, void *context);
void fm_dw_relay_free(struct fm_dw_relay *relay); /* when no thread uses it */
/* The next items count from 0 again. */
void fm_dw_relay_begin(struct fm_dw_relay *relay);

/* An empty pack; NULL: out of memory. */
struct fm_dw_pack *fm_dw_relay_pack(struct fm_dw_relay *relay);
/* Gives the pack of an item away; the items before it are given by others, or were. May wait, and may take packs of other items. false: stopped. */
bool fm_dw_relay_give(struct fm_dw_relay *relay, size_t item, struct fm_dw_pack *pack);
/* Nothing more is taken; nobody waits any more. */
void fm_dw_relay_stop(struct fm_dw_relay *relay);

#endif
