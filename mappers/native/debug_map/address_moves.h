/* Debug info of an object file that was linked into an image: moves its addresses to where the linker placed its
 * functions. Code that the linker dropped has no address in the image, and is left out. Called by map_backend.c and
 * map_opening.c. */
#ifndef FM_MAPPERS_NATIVE_DEBUG_MAP_ADDRESS_MOVES_H
#define FM_MAPPERS_NATIVE_DEBUG_MAP_ADDRESS_MOVES_H

#include "mappers/native/dwarf/dw_visitor.h"

/* A move: [low, high) of the object file is at address `to` of the image. */
struct fm_address_move {
    uint64_t low, high, to;
};

/* All moves of one object file: ascending and disjoint. */
struct fm_address_moves {
    const struct fm_address_move *items;
    size_t count;
};

/* Moves the events of one unit, or the claims of one object file. A range may contain many functions and is then cut
 * into as many pieces. A hostile file can have many such ranges, so there is a budget for the pieces; ranges beyond it
 * are lost. */
struct fm_address_mover {
    struct fm_heap *heap;
    struct fm_address_moves moves;
    uint64_t pieces_left;
    bool spent;                 /* ranges were lost because the budget was used up */
    size_t at;                  /* index where the last search ended */
    struct fm_dw_range *ranges; /* the result of fm_address_mover_ranges */
    size_t count, capacity;
    /* `out`: rows that were moved and wait to be reported; `last`: the last row of the current sequence. A row is valid
     * up to the address of the next row, so it is moved only when the next row is known. */
    struct fm_dw_row out[128];
    size_t out_count;
    struct fm_dw_row last;
    bool inside; /* a sequence of the object file was begun, and `last` is set */
    bool open;   /* a sequence is open in the image too: that of the code that moves.items[at] moves */
};

void fm_address_mover_init(struct fm_address_mover *mover, struct fm_heap *heap);
void fm_address_mover_free(struct fm_address_mover *mover);
/* Starts another unit or object file, whose code is moved by `moves`. */
void fm_address_mover_begin(struct fm_address_mover *mover, struct fm_address_moves moves);

/* Replaces mover->ranges by the ranges of the image to which the linker moved the code of `ranges`. Neighbouring ranges
 * of the result that touch are joined. Returns false when out of memory. */
bool fm_address_mover_ranges(struct fm_address_mover *mover, const struct fm_dw_range *ranges, size_t count);

/* Takes rows of the object file and reports them with the image's addresses, as one sequence for each function. Returns
 * false if the visitor stopped the walk. */
bool fm_address_mover_rows(struct fm_address_mover *mover, const struct fm_dw_visitor *to, const struct fm_dw_row *rows,
                           size_t count);
/* Reports the rows that wait. */
bool fm_address_mover_flush(struct fm_address_mover *mover, const struct fm_dw_visitor *to);

#endif
