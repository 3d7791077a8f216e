/* Definition of framemap_trace_list.owner. */
#ifndef FM_API_TRACE_OWNER_H
#define FM_API_TRACE_OWNER_H

#include "core/heap.h"
#include <framemap/trace.h>

struct fm_trace_owner {
    struct fm_heap heap;
    struct fm_arena arena; /* the traces, and after restore the results of their frames */
};

#endif
