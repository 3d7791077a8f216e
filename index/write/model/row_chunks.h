/* The rows of a builder in the order of calls, in chunks that never move, with the ascending runs that they form. */
#ifndef FM_INDEX_WRITE_MODEL_ROW_CHUNKS_H
#define FM_INDEX_WRITE_MODEL_ROW_CHUNKS_H

#include "core/heap.h"

/* One position and its location, in numbers of the builder. */
struct fm_row {
    uint64_t position;
    uint32_t node, file; /* node and file; FM_NONE: unknown; `file` may also be one of the values below */
    uint32_t line1, col1;
};
/* `file` of an end mark: nothing is known from its position on; the other fields are unset */
#define FM_ROW_GAP (UINT32_MAX - 1)
/* `file` of a row that needs more fields: `node` is the index of a struct fm_answer */
#define FM_ROW_OTHER (UINT32_MAX - 2)

/* Rows of one scope in strictly ascending order, adjacent in one chunk. An end mark is always the last row of a run, so
 * a run has no gaps that rows of another run could fill. */
struct fm_run {
    uint64_t first, last; /* positions of the first and the last row */
    size_t row;           /* number of the first row; rows are numbered in the order of calls */
    uint32_t count, scope;
};
#define FM_ROWS_CHUNK ((size_t)1 << 15) /* maximum number of rows in a chunk */

struct fm_rows {
    struct fm_heap *heap;
    struct fm_row **chunks;
    struct fm_run *runs;
    size_t chunk_count, chunk_capacity, run_count, run_capacity, count;
    size_t room; /* capacity of the last chunk in rows; the first chunk grows, so that a few rows take little memory */
};
void fm_rows_init(struct fm_rows *rows, struct fm_heap *heap);
void fm_rows_free(struct fm_rows *rows);
/* Adds a row. Of two rows at one position of a scope the later one counts, and a position is preferred to an end mark;
 * the row that does not count may be dropped immediately. false: out of memory. */
bool fm_rows_add(struct fm_rows *rows, uint32_t scope, const struct fm_row *row);
static inline struct fm_row *fm_rows_at(const struct fm_rows *rows, size_t row)
{
    return rows->chunks[row / FM_ROWS_CHUNK] + row % FM_ROWS_CHUNK;
}
/* Frees one chunk of rows before the others. */
void fm_rows_free_chunk(struct fm_rows *rows, size_t chunk);
/* Returns how many rows may be written directly after the last row, as a continuation of its run; fm_rows_push then
 * counts them. 0: none, use fm_rows_add. */
static inline size_t fm_rows_room(const struct fm_rows *rows)
{
    return rows->count == 0 ? 0 : rows->room - ((rows->count - 1) % FM_ROWS_CHUNK + 1);
}
static inline void fm_rows_push(struct fm_rows *rows, size_t count, uint64_t last)
{
    struct fm_run *run = &rows->runs[rows->run_count - 1];
    rows->count += count;
    run->count += (uint32_t)count;
    run->last = last;
}

#endif
