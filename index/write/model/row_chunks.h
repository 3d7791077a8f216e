/* The rows of a builder as they come: in chunks that never move, and the runs that they make. */
#ifndef FM_INDEX_WRITE_MODEL_ROW_CHUNKS_H
#define FM_INDEX_WRITE_MODEL_ROW_CHUNKS_H

#include "core/heap.h"

/* One position and what it leads to, in numbers of the builder. */
struct fm_row {
    uint64_t position;
    uint32_t node, file; /* FM_NONE none; `file` may be one of those below */
    uint32_t line1, col1;
};
#define FM_ROW_GAP (UINT32_MAX - 1) /* `file` of an end mark: nothing is known from here on, all else is none */
#define FM_ROW_OTHER \
    (UINT32_MAX - 2) /* `file` of a row that has more than fits: `node` is a number of the builder's answers */

/* Rows of one scope by strictly rising position, one behind the other in one chunk. An end mark is the last of its run,
 * so that between the rows of a run there is nothing that is another's to tell. */
struct fm_run {
    uint64_t first, last; /* positions */
    size_t row;           /* number of the first: rows are numbered in the order of the calls */
    uint32_t count, scope;
};
#define FM_ROWS_CHUNK ((size_t)1 << 15) /* rows */

struct fm_rows {
    struct fm_heap *heap;
    struct fm_row **chunks;
    struct fm_run *runs;
    size_t chunk_count, chunk_capacity, run_count, run_capacity, count;
    size_t room; /* rows that the last chunk has room for; the first one grows, so that a few rows take little */
};
void fm_rows_init(struct fm_rows *rows, struct fm_heap *heap);
void fm_rows_free(struct fm_rows *rows);
/* Of two rows at one position of a scope the later counts, and a position before an end mark; the other may be
 * forgotten at once. false: out of memory. */
bool fm_rows_add(struct fm_rows *rows, uint32_t scope, const struct fm_row *row);
static inline struct fm_row *fm_rows_at(const struct fm_rows *rows, size_t row)
{
    return rows->chunks[row / FM_ROWS_CHUNK] + row % FM_ROWS_CHUNK;
}
/* Gives a chunk back before the others. */
void fm_rows_free_chunk(struct fm_rows *rows, size_t chunk);
/* Room right behind the last row for more of its run, by rising position: at most as many may be written there and told
 * with fm_rows_push. 0: use fm_rows_add. */
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
