/* What the nodes of an index say whatever position was asked for, worked out once and lent from then on: a warm lookup
 * of a chain is one line of the cache for each frame. Frames stand by their nodes' numbers, some hundred in a block
 * that is made when the first one is asked for, so that those of neighbouring code are neighbours too. */
#ifndef FM_INDEX_READ_POSITIONS_FRAME_CACHE_H
#define FM_INDEX_READ_POSITIONS_FRAME_CACHE_H

#include "core/cpu.h"
#include "core/heap.h"

/* One function of a chain, and where the function around it calls it. */
struct fm_view_frame {
    union {
        struct {
            const char *name_at, *home_at, *more_at; /* texts, with their sizes: see below */
        };
        uint64_t as_wide[3]; /* keeps the size of a frame where pointers have 32 bits */
    };
    uint32_t name_size, home_size, more_size;
    uint32_t parent;   /* FM_VIEW_NONE: the outermost */
    uint32_t function; /* number for fm_view_kept_name; UINT32_MAX: none */
    uint32_t decl_line1;
    union {
        struct {
            uint32_t line1, col1;
        } call;         /* of one with a parent */
        uint64_t start; /* of an outermost one, with FM_NODE_HAS_START */
    } where;
    union {
        uint32_t size;    /* of an outermost one's machine code */
        uint32_t outward; /* of one with a parent: that one's frame is kept so many before this one; 0: it stands in
                             another block */
    };
    uint16_t flags;              /* FM_NODE_ARTIFICIAL, FM_NODE_HAS_START, FM_FRAME_… */
    atomic_uint_least16_t state; /* FM_FRAME_READY: all else is there, and stays */
};
enum {
    FM_FRAME_DECLARED = 1 << 8, /* home is where the function is declared, not only the file that it is mostly in */
    FM_FRAME_MARKED = 1 << 10,  /* its name begins as mangled ones do, with '_', '.' or '$': who only wants to know that
                                   need not wait for the text */
    FM_FRAME_SYMBOL = 1 << 11,  /* the symbol table has another name of an outermost one */
    FM_FRAME_CLASS = 1 << 12,   /* it has a class */
    FM_FRAME_MORE = 1 << 9      /* it has a class, aliases, or a size beyond 32 bits: links tell */
};
enum { FM_FRAME_EMPTY, FM_FRAME_BUSY /* a thread writes it; others have one of their own */, FM_FRAME_READY };

/* Its function as the index spells it; the file where it is at home. */
static inline framemap_str fm_frame_name(const struct fm_view_frame *frame)
{
    return (framemap_str){frame->name_at, frame->name_size};
}
static inline framemap_str fm_frame_home(const struct fm_view_frame *frame)
{
    return (framemap_str){frame->home_at, frame->home_size};
}
/* Of one with a parent: the file where that calls it. Of an outermost one: the symbol table's name where that is
 * another. */
static inline framemap_str fm_frame_more(const struct fm_view_frame *frame)
{
    return (framemap_str){frame->more_at, frame->more_size};
}

/* --- where they are kept --- */

enum { FM_FRAMES_BITS = 8, FM_FRAMES_TOGETHER = 1 << FM_FRAMES_BITS, FM_FRAME_BYTES = 64 /* a line of the cache */ };
_Static_assert(sizeof(struct fm_view_frame) == FM_FRAME_BYTES, "a frame is a line of the cache");

typedef _Atomic(struct fm_view_frame *) fm_frames_slot;
struct fm_frames_piece; /* memory of some blocks */
struct fm_frames {
    struct fm_heap *heap;
    uint64_t count;                          /* of nodes */
    uint64_t most;                           /* bytes that may be taken for blocks */
    _Atomic(fm_frames_slot *) blocks;        /* by number, each at a line's begin; NULL: none was asked for yet */
    _Atomic(struct fm_frames_piece *) piece; /* the last one, with the others behind it */
};

/* heap: must outlive the frames. bytes_most: a ceiling on the bytes of all blocks, beside the heap's own. Allocates
 * nothing. */
void fm_frames_init(struct fm_frames *frames, struct fm_heap *heap, uint64_t count, uint64_t bytes_most);
/* No other thread may use the frames. Zeroed ones are allowed. */
void fm_frames_free(struct fm_frames *frames);
/* Where the frame of a node will be; its block is made when it is not there, with no frame ready. NULL: no more can be
 * kept. node < count. Any thread. */
struct fm_view_frame *fm_frames_make_place(struct fm_frames *frames, uint64_t node);
/* Where the frame of a node is or will be; NULL: its block is not there. node < count. Any thread. */
static inline struct fm_view_frame *fm_frames_place(struct fm_frames *frames, uint64_t node)
{
    fm_frames_slot *blocks = atomic_load_explicit(&frames->blocks, memory_order_acquire);
    if (blocks == NULL) return NULL;
    struct fm_view_frame *block = atomic_load_explicit(&blocks[node >> FM_FRAMES_BITS], memory_order_acquire);
    return block == NULL ? NULL : block + (node & (FM_FRAMES_TOGETHER - 1));
}
static inline bool fm_frame_is_ready(struct fm_view_frame *place)
{
    return atomic_load_explicit(&place->state, memory_order_acquire) == FM_FRAME_READY;
}
/* The frame of a node; NULL: it is not kept yet. Any node, any thread. */
static inline const struct fm_view_frame *fm_frames_get(struct fm_frames *frames, uint64_t node)
{
    struct fm_view_frame *place = node < frames->count ? fm_frames_place(frames, node) : NULL;
    fm_prefetch((const void *)((uintptr_t)place - FM_FRAME_BYTES)); /* that of the function around it, most often */
    return place != NULL && fm_frame_is_ready(place) ? place : NULL;
}
/* That of the parent of a kept one. */
static inline const struct fm_view_frame *fm_frames_around(struct fm_frames *frames, const struct fm_view_frame *kept)
{
    if (kept->outward == 0) return fm_frames_get(frames, kept->parent);
    struct fm_view_frame *place = (struct fm_view_frame *)(uintptr_t)kept - kept->outward;
    fm_prefetch((const void *)((uintptr_t)place - FM_FRAME_BYTES));
    return fm_frame_is_ready(place) ? place : NULL;
}

#endif
