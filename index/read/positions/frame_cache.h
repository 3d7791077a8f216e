/* Cache of the position-independent parts of frames, one for each node of the inline tree, computed on first use: a
 * warm lookup reads one cache line for each frame of the chain. Frames are stored by node number, in blocks of 16 that
 * are allocated on first use, so that frames of adjacent code are adjacent in memory. */
#ifndef FM_INDEX_READ_POSITIONS_FRAME_CACHE_H
#define FM_INDEX_READ_POSITIONS_FRAME_CACHE_H

#include "core/cpu.h"
#include "core/heap.h"

/* One function of an inline chain, and the place in the calling function where it is called. */
struct fm_view_frame {
    union {
        struct {
            const char *name_at, *home_at, *more_at; /* starts of three strings; the members below have their sizes */
        };
        uint64_t as_wide[3]; /* gives the union one size, also where pointers have 32 bits */
    };
    uint32_t name_size, home_size, more_size;
    uint32_t parent;   /* node of the calling frame; FM_VIEW_NONE: the frame is the outermost */
    uint32_t function; /* number for fm_view_kept_name; UINT32_MAX: none */
    uint32_t decl_line1;
    union {
        struct {
            uint32_t line1, col1;
        } call;         /* for a frame with a parent: its call site in the parent */
        uint64_t start; /* for an outermost frame with FM_NODE_HAS_START: its start address */
    } where;
    union {
        uint32_t size; /* size of the machine code of an outermost frame, bytes */
        /* for a frame with a parent: how many slots before this one the parent's frame is; 0: the parent's frame is
         * in another block */
        uint32_t outward;
    };
    uint16_t flags;              /* bits FM_NODE_ARTIFICIAL, FM_NODE_HAS_START and FM_FRAME_… */
    atomic_uint_least16_t state; /* state of the slot; if FM_FRAME_READY, all other fields are set for ever */
};
enum {
    FM_FRAME_DECLARED = 1 << 8, /* the function is declared in the home file; without the flag, the home file is only
                                   the first file of the function's code */
    /* the function's name may be mangled: the result of fm_may_be_mangled, stored so that the name need not be read
     * again */
    FM_FRAME_MARKED = 1 << 10,
    FM_FRAME_SYMBOL = 1 << 11, /* set for the outermost frame of a chain if the symbol table has another name for it */
    FM_FRAME_CLASS = 1 << 12,  /* the function has a class */
    FM_FRAME_MORE = 1 << 9     /* the function has a class, aliases, or a size above 32 bits: see fm_view_more */
};
enum {
    FM_FRAME_EMPTY,
    FM_FRAME_BUSY /* a thread is writing the slot; other threads decode the frame to buffers of their own */
    ,
    FM_FRAME_READY
};

/* Return the name of the function as spelled in the index, and the path of its home file (the file of its declaration,
 * or else the first file of its code). */
static inline framemap_str fm_frame_name(const struct fm_view_frame *frame)
{
    return (framemap_str){frame->name_at, frame->name_size};
}
static inline framemap_str fm_frame_home(const struct fm_view_frame *frame)
{
    return (framemap_str){frame->home_at, frame->home_size};
}
/* Returns a second text of the frame: for an inlined function the file of the call site; for others the symbol table's
 * name, if it differs. */
static inline framemap_str fm_frame_more(const struct fm_view_frame *frame)
{
    return (framemap_str){frame->more_at, frame->more_size};
}

/* --- storing decoded frames in slots --- */

enum {
    FM_FRAMES_BITS = 4,
    FM_FRAMES_TOGETHER = 1 << FM_FRAMES_BITS,
    FM_FRAME_BYTES = 64 /* size of a slot: a cache
                           line */
};
_Static_assert(sizeof(struct fm_view_frame) == FM_FRAME_BYTES, "a frame is a line of the cache");

typedef _Atomic(struct fm_view_frame *) fm_frames_slot;
struct fm_frames_piece; /* memory for several blocks */
struct fm_frames {
    struct fm_heap *heap;
    uint64_t count; /* number of nodes */
    uint64_t most;  /* maximum bytes of all blocks */
    /* the blocks in order of their numbers, aligned to cache lines; NULL: none is allocated yet */
    _Atomic(fm_frames_slot *) blocks;
    _Atomic(struct fm_frames_piece *) piece; /* the newest piece, which is linked to the older ones */
};

/* Initialises the frames; allocates nothing. heap: must outlive the frames. bytes_most: a ceiling on the bytes of all
 * blocks, in addition to the heap's own. */
void fm_frames_init(struct fm_frames *frames, struct fm_heap *heap, uint64_t count, uint64_t bytes_most);
/* Frees all blocks. No other thread may use the frames. A zeroed struct is allowed. */
void fm_frames_free(struct fm_frames *frames);
/* Returns the slot of a node, and allocates its block with empty slots if needed. NULL: over the ceiling or out of
 * memory. node < count. Any thread. */
struct fm_view_frame *fm_frames_make_place(struct fm_frames *frames, uint64_t node);
/* Returns the slot of a node; NULL: its block is not allocated. node < count. Any thread. */
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
/* Returns the cached frame of a node; NULL: not cached yet. Any node, any thread. */
static inline const struct fm_view_frame *fm_frames_get(struct fm_frames *frames, uint64_t node)
{
    struct fm_view_frame *place = node < frames->count ? fm_frames_place(frames, node) : NULL;
    /* the slot before this one usually has the frame of the calling function */
    fm_prefetch((const void *)((uintptr_t)place - FM_FRAME_BYTES));
    return place != NULL && fm_frame_is_ready(place) ? place : NULL;
}
/* Returns the cached frame of the parent of a cached frame; NULL: not cached yet. */
static inline const struct fm_view_frame *fm_frames_around(struct fm_frames *frames, const struct fm_view_frame *kept)
{
    if (kept->outward == 0) return fm_frames_get(frames, kept->parent);
    struct fm_view_frame *place = (struct fm_view_frame *)(uintptr_t)kept - kept->outward;
    fm_prefetch((const void *)((uintptr_t)place - FM_FRAME_BYTES));
    return fm_frame_is_ready(place) ? place : NULL;
}

#endif
