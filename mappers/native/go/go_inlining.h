/* The inlined calls of one function of a Go program, from its inline tree: golang src/runtime/symtabinl.go and
 * genInlTreeSym in src/cmd/link/internal/ld/pcln.go. */
#ifndef FM_MAPPERS_NATIVE_GO_GO_INLINING_H
#define FM_MAPPERS_NATIVE_GO_GO_INLINING_H

#include "mappers/native/dwarf/dw_visitor.h"
#include "mappers/native/go/go_function.h"

/* An inlined call. Calls refer to each other by their indexes in the list; FM_NONE: no such call. */
struct fm_go_call {
    uint32_t index;             /* index in the inline tree */
    uint32_t parent;            /* the call that it is inlined into; FM_NONE: the function itself */
    uint32_t first_inner, next; /* the first call inlined into this call; the next call with the same parent */
    framemap_str name;          /* the function that is called */
    uint32_t start_line1;       /* line where the called function is declared; 0: unknown */
    uint32_t call_file;         /* position of the call: offset of the path, or FM_GO_NO_FILE */
    uint32_t call_line1;        /* line of the call; 0: unknown */
    /* the call's ranges in `ranges`, without those of the calls inlined into it; there may be none */
    size_t first_range, range_count;
};

/* The inlined calls of one function. The struct can be reused for other functions: zero-initialise it, then set
 * `heap`. */
struct fm_go_calls {
    struct fm_heap *heap;
    struct fm_go_call *items;
    size_t count, capacity;
    uint32_t first; /* the first call with no parent */
    /* indexed as the inline tree: index of the call in `items` plus 1, or 0; all elements are 0 while no list is
     * made */
    uint32_t *slots;
    size_t slot_count, slot_capacity;
    struct fm_dw_range *ranges;
    size_t range_capacity;
    bool damaged; /* the inline tree contradicts itself; no call is listed */
};

/* Lists the inlined calls of a function. Returns false when out of memory. Takes time in proportion to the number of
 * runs and of bytes of code. */
bool fm_go_calls_read(const struct fm_go_table *table, const struct fm_go_function *function,
                      const struct fm_go_runs *runs, struct fm_go_calls *out);
void fm_go_calls_free(struct fm_go_calls *calls);

#endif
