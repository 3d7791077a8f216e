/* The memory of the frame cache: blocks of frames, in pieces that grow. Lock-free. */
#include "index/read/positions/frame_cache.h"

/* Blocks are allocated in pieces. At first, each new piece has room for a quarter as many blocks as all pieces
 * before it, so that little memory stays unused. From PIECE_LARGE blocks on it has room for as many blocks as all
 * pieces before it, because the system can use huge pages for large pieces, and a TLB miss costs as much as reading
 * a frame. */
#define PIECE_SHARE 4u
#define PIECE_LARGE 1024u
#define PIECE_BLOCKS_MOST UINT64_C(16384)

struct fm_frames_piece {
    struct fm_frames_piece *older;
    size_t bytes; /* size of the whole allocation, this header included */
    /* all_bytes: size of this piece and all older pieces together; all_room: their capacity in blocks */
    uint64_t all_bytes, all_room;
    uint64_t room;               /* capacity in blocks */
    atomic_uint_least64_t taken; /* blocks in use; may exceed `room` when the piece is full */
};

static size_t block_count(const struct fm_frames *frames)
{
    return (size_t)((frames->count + FM_FRAMES_TOGETHER - 1) >> FM_FRAMES_BITS);
}

/* Returns the number of frames in one block. A view with few nodes, such as a value of a store, has a single block with
 * one frame for each node. */
static size_t block_frames(const struct fm_frames *frames)
{
    return frames->count < FM_FRAMES_TOGETHER ? (size_t)frames->count : FM_FRAMES_TOGETHER;
}

void fm_frames_init(struct fm_frames *frames, struct fm_heap *heap, uint64_t count, uint64_t bytes_most)
{
    frames->heap = heap;
    frames->count = count;
    frames->most = bytes_most;
    atomic_init(&frames->blocks, NULL);
    atomic_init(&frames->piece, NULL);
}

void fm_frames_free(struct fm_frames *frames)
{
    fm_frames_slot *blocks = atomic_load_explicit(&frames->blocks, memory_order_acquire);
    struct fm_frames_piece *piece = atomic_load_explicit(&frames->piece, memory_order_acquire);
    if (blocks != NULL) fm_heap_free(frames->heap, blocks, block_count(frames) * sizeof *blocks);
    for (struct fm_frames_piece *older; piece != NULL; piece = older) {
        older = piece->older;
        fm_heap_free(frames->heap, piece, piece->bytes);
    }
    atomic_store_explicit(&frames->blocks, NULL, memory_order_release);
    atomic_store_explicit(&frames->piece, NULL, memory_order_release);
}

/* --- allocating memory of blocks --- */

/* Returns the address of a piece's first block, which is aligned to a cache line. */
static struct fm_view_frame *first_block(struct fm_frames_piece *piece)
{
    return (void *)(((uintptr_t)(piece + 1) + FM_FRAME_BYTES - 1) & ~(uintptr_t)(FM_FRAME_BYTES - 1));
}

/* Allocates a piece with one block in use. NULL: over the ceiling or out of memory. */
static struct fm_frames_piece *make_piece(const struct fm_frames *frames, struct fm_frames_piece *older, uint64_t room)
{
    const size_t bytes = sizeof *older + FM_FRAME_BYTES + (size_t)room * block_frames(frames) * FM_FRAME_BYTES;
    const uint64_t all_bytes = bytes + (older != NULL ? older->all_bytes : 0);
    if (all_bytes > frames->most) return NULL;
    struct fm_frames_piece *made = fm_heap_resize(frames->heap, NULL, 0, bytes);
    if (made == NULL) return NULL;
    made->older = older;
    made->bytes = bytes;
    made->all_bytes = all_bytes;
    made->room = room;
    made->all_room = room + (older != NULL ? older->all_room : 0);
    atomic_init(&made->taken, 1);
    return made;
}

/* Allocates the piece after `older`, or the first: as large as allowed, but with no more blocks than can be needed. */
static struct fm_frames_piece *next_piece(const struct fm_frames *frames, struct fm_frames_piece *older)
{
    const uint64_t all = block_count(frames), there = older != NULL ? older->all_room : 0,
                   left = there < all ? all - there : 1;
    uint64_t room = there < PIECE_LARGE ? there / PIECE_SHARE + 1 : there;
    if (room > PIECE_BLOCKS_MOST) room = PIECE_BLOCKS_MOST;
    if (room > left) room = left;
    struct fm_frames_piece *made = make_piece(frames, older, room);
    return made == NULL && room > 1 ? make_piece(frames, older, 1) : made;
}

/* Takes memory for one block. NULL: over the ceiling or out of memory. Any thread. */
static struct fm_view_frame *take_block(struct fm_frames *frames)
{
    struct fm_frames_piece *piece = atomic_load_explicit(&frames->piece, memory_order_acquire);
    for (;;) {
        if (piece != NULL && atomic_load_explicit(&piece->taken, memory_order_relaxed) < piece->room) {
            const uint64_t at = atomic_fetch_add_explicit(&piece->taken, 1, memory_order_relaxed);
            if (at < piece->room) return first_block(piece) + at * FM_FRAMES_TOGETHER;
        }
        struct fm_frames_piece *made = next_piece(frames, piece);
        if (made == NULL) return NULL;
        if (atomic_compare_exchange_strong_explicit(&frames->piece, &piece, made, memory_order_acq_rel,
                                                    memory_order_acquire))
            return first_block(made);
        /* another thread was faster, so the memory that it allocated is used */
        fm_heap_free(frames->heap, made, made->bytes);
    }
}

/* Returns the table of blocks; the first thread that needs it allocates and publishes it. */
static fm_frames_slot *need_blocks(struct fm_frames *frames)
{
    fm_frames_slot *blocks = atomic_load_explicit(&frames->blocks, memory_order_acquire), *made;
    if (blocks != NULL) return blocks;
    made = fm_heap_zalloc(frames->heap, block_count(frames), sizeof *made);
    if (made == NULL) return NULL;
    if (atomic_compare_exchange_strong_explicit(&frames->blocks, &blocks, made, memory_order_acq_rel,
                                                memory_order_acquire))
        return made;
    fm_heap_free(frames->heap, made, block_count(frames) * sizeof *made);
    return blocks;
}

struct fm_view_frame *fm_frames_make_place(struct fm_frames *frames, uint64_t node)
{
    struct fm_view_frame *place = fm_frames_place(frames, node), *there = NULL;
    if (place != NULL) return place;
    fm_frames_slot *blocks = need_blocks(frames);
    struct fm_view_frame *block = blocks != NULL ? take_block(frames) : NULL;
    if (block == NULL) return NULL;
    for (size_t i = 0; i < block_frames(frames); i++) atomic_init(&block[i].state, FM_FRAME_EMPTY);
    /* If another thread has published this block meanwhile, the memory taken here stays unused until the view is
     * closed. */
    atomic_compare_exchange_strong_explicit(&blocks[node >> FM_FRAMES_BITS], &there, block, memory_order_acq_rel,
                                            memory_order_acquire);
    return fm_frames_place(frames, node);
}
