/* Moves ranges and rows from an object file to an image. See address_moves.h. */
#include "mappers/native/debug_map/address_moves.h"

#define PIECES_FLOOR 4096u
#define PIECES_PER_MOVE 64u

void fm_address_mover_init(struct fm_address_mover *mover, struct fm_heap *heap)
{
    *mover = (struct fm_address_mover){.heap = heap};
}

void fm_address_mover_free(struct fm_address_mover *mover)
{
    fm_heap_free(mover->heap, mover->ranges, mover->capacity * sizeof *mover->ranges);
    mover->ranges = NULL;
}

void fm_address_mover_begin(struct fm_address_mover *mover, struct fm_address_moves moves)
{
    mover->moves = moves;
    mover->pieces_left = PIECES_FLOOR + (uint64_t)PIECES_PER_MOVE * moves.count;
    mover->spent = mover->inside = mover->open = false;
    mover->at = mover->count = mover->out_count = 0;
}

/* Sets `at` to the first move that ends after an address; this is usually the move that the last search found. */
static void search(struct fm_address_mover *mover, uint64_t address)
{
    const struct fm_address_moves *moves = &mover->moves;
    size_t low = 0, high = moves->count;

    if (mover->at < moves->count && address < moves->items[mover->at].high) {
        if (mover->at == 0 || address >= moves->items[mover->at - 1].high) return;
        high = mover->at;
    }
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (moves->items[middle].high <= address)
            low = middle + 1;
        else
            high = middle;
    }
    mover->at = low;
}

/* Finds the next part of [*low, high) whose code is in the image: *low becomes the start of that part in the object
 * file, and *move is the move that covers it. Returns false if there is no such part. */
static bool next_piece(struct fm_address_mover *mover, uint64_t *low, uint64_t high,
                       const struct fm_address_move **move)
{
    if (*low >= high) return false;
    search(mover, *low);
    if (mover->at == mover->moves.count || mover->moves.items[mover->at].low >= high) return false;
    *move = &mover->moves.items[mover->at];
    if ((*move)->low > *low) *low = (*move)->low;
    return true;
}

static uint64_t moved(const struct fm_address_move *move, uint64_t address) { return move->to + (address - move->low); }

/* Counts one part of a range against the budget. Returns false if the budget is used up. */
static bool spend(struct fm_address_mover *mover)
{
    if (mover->pieces_left == 0) mover->spent = true;
    if (mover->pieces_left > 0) mover->pieces_left--;
    return !mover->spent;
}

/* --- moving ranges --- */

static bool add_range(struct fm_address_mover *mover, uint64_t low, uint64_t high)
{
    struct fm_dw_range *last = mover->count > 0 ? &mover->ranges[mover->count - 1] : NULL;

    if (last != NULL && last->high == low) {
        last->high = high;
        return true;
    }
    if (!FM_GROW(mover->heap, mover->ranges, mover->capacity, mover->count + 1)) return false;
    mover->ranges[mover->count++] = (struct fm_dw_range){low, high};
    return true;
}

bool fm_address_mover_ranges(struct fm_address_mover *mover, const struct fm_dw_range *ranges, size_t count)
{
    const struct fm_address_move *move;

    mover->count = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t low = ranges[i].low;
        for (bool first = true; next_piece(mover, &low, ranges[i].high, &move); first = false) {
            const uint64_t end = ranges[i].high < move->high ? ranges[i].high : move->high;
            if (!first && !spend(mover)) return true;
            if (!add_range(mover, moved(move, low), moved(move, end))) return false;
            low = end;
        }
    }
    return true;
}

/* --- moving line rows --- */

bool fm_address_mover_flush(struct fm_address_mover *mover, const struct fm_dw_visitor *to)
{
    const size_t count = mover->out_count;

    mover->out_count = 0;
    return count == 0 || to->rows(to->context, mover->out, count);
}

static bool put(struct fm_address_mover *mover, const struct fm_dw_visitor *to, uint64_t address, bool end_sequence)
{
    struct fm_dw_row *row = &mover->out[mover->out_count++];

    *row = mover->last;
    row->address = address;
    row->end_sequence = end_sequence;
    mover->open = !end_sequence;
    return mover->out_count < sizeof mover->out / sizeof *mover->out || fm_address_mover_flush(mover, to);
}

/* Reports the last row for the addresses up to `high`, moved to the image. */
static bool move_last(struct fm_address_mover *mover, const struct fm_dw_visitor *to, uint64_t high)
{
    const struct fm_address_move *move;
    uint64_t low = mover->last.address;

    for (bool first = true; next_piece(mover, &low, high, &move); first = false) {
        if (!first && !spend(mover)) return true;
        if (!put(mover, to, moved(move, low), false)) return false;
        low = high < move->high ? high : move->high;
        if (low == move->high && !put(mover, to, moved(move, low), true)) return false;
    }
    return true;
}

/* Ends the image's sequence at an address of the object file, or at the end of the moved function if the function ends
 * before that address. */
static bool end_sequence(struct fm_address_mover *mover, const struct fm_dw_visitor *to, uint64_t address)
{
    return !mover->open || put(mover, to, moved(&mover->moves.items[mover->at], address), true);
}

static bool take_row(struct fm_address_mover *mover, const struct fm_dw_visitor *to, const struct fm_dw_row *row)
{
    bool good = true;

    if (mover->inside && row->address < mover->last.address)
        good = end_sequence(mover, to, mover->last.address);
    else if (mover->inside)
        good = move_last(mover, to, row->address) && (!row->end_sequence || end_sequence(mover, to, row->address));
    mover->inside = !row->end_sequence;
    mover->last = *row;
    return good;
}

bool fm_address_mover_rows(struct fm_address_mover *mover, const struct fm_dw_visitor *to, const struct fm_dw_row *rows,
                           size_t count)
{
    bool good = true;

    for (size_t i = 0; i < count && good; i++) good = take_row(mover, to, &rows[i]);
    return good;
}
