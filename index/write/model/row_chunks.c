/* Appends rows to chunks and records the ascending runs. See row_chunks.h. */
#include "index/write/model/row_chunks.h"

#define ROOM_LEAST ((size_t)16)

void fm_rows_init(struct fm_rows *rows, struct fm_heap *heap) { *rows = (struct fm_rows){.heap = heap}; }

void fm_rows_free_chunk(struct fm_rows *rows, size_t chunk)
{
    fm_heap_free(rows->heap, rows->chunks[chunk],
                 (chunk + 1 < rows->chunk_count ? FM_ROWS_CHUNK : rows->room) * sizeof **rows->chunks);
    rows->chunks[chunk] = NULL;
}

void fm_rows_free(struct fm_rows *rows)
{
    for (size_t i = 0; i < rows->chunk_count; i++) fm_rows_free_chunk(rows, i);
    fm_heap_free(rows->heap, rows->chunks, rows->chunk_capacity * sizeof *rows->chunks);
    fm_heap_free(rows->heap, rows->runs, rows->run_capacity * sizeof *rows->runs);
    fm_rows_init(rows, rows->heap);
}

static bool add_chunk(struct fm_rows *rows)
{
    const size_t room = rows->chunk_count == 0 ? ROOM_LEAST : FM_ROWS_CHUNK;
    if (!FM_GROW(rows->heap, rows->chunks, rows->chunk_capacity, rows->chunk_count + 1)) return false;
    struct fm_row *chunk = fm_heap_resize(rows->heap, NULL, 0, room * sizeof *chunk);
    if (chunk == NULL) return false;
    rows->chunks[rows->chunk_count++] = chunk;
    rows->room = room;
    return true;
}

/* Reserves room for one more row. */
static bool rows_reserve(struct fm_rows *rows)
{
    const size_t used = rows->count % FM_ROWS_CHUNK;
    if (rows->chunk_count == 0 || (used == 0 && rows->count > 0)) {
        if (rows->count < rows->chunk_count * FM_ROWS_CHUNK)
            return true; /* an earlier call has already allocated the last chunk, but failed before it added a row */
        return add_chunk(rows);
    }
    return FM_GROW(rows->heap, rows->chunks[rows->chunk_count - 1], rows->room, used + 1);
}

bool fm_rows_add(struct fm_rows *rows, uint32_t scope, const struct fm_row *row)
{
    struct fm_run *run = rows->run_count ? &rows->runs[rows->run_count - 1] : NULL;
    struct fm_row *last = run ? fm_rows_at(rows, rows->count - 1) : NULL;
    if (run && run->scope == scope && run->last == row->position) {
        if (row->file != FM_ROW_GAP) *last = *row;
        return true;
    }
    const bool goes_on = run && run->scope == scope && run->last < row->position && last->file != FM_ROW_GAP;
    if (!rows_reserve(rows)) return false;
    if (!goes_on || rows->count % FM_ROWS_CHUNK == 0) {
        if (!FM_GROW(rows->heap, rows->runs, rows->run_capacity, rows->run_count + 1)) return false;
        rows->runs[rows->run_count++] = (struct fm_run){row->position, row->position, rows->count, 0, scope};
    }
    *fm_rows_at(rows, rows->count) = *row;
    fm_rows_push(rows, 1, row->position);
    return true;
}
