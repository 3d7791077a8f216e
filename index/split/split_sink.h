/* The receiver of the values of a split index. */
#ifndef FM_INDEX_SPLIT_SPLIT_SINK_H
#define FM_INDEX_SPLIT_SPLIT_SINK_H

#include "index/read/view.h"

/* Receives one value and the field of its key: "page:1f", "class:a.b.c" or "head". Both live until the call returns. */
struct fm_split_sink {
    framemap_status (*put)(void *context, framemap_str field, framemap_str value, framemap_error *error);
    void *context;
};

#endif
