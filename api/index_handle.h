/* An opened index: what stands behind framemap_index. */
#ifndef FM_API_INDEX_HANDLE_H
#define FM_API_INDEX_HANDLE_H

#include "core/mapfile.h"
#include "index/read/view.h"
#include <framemap/index.h>

struct framemap_index {
    struct fm_heap heap;
    struct fm_view *view;
    struct fm_mapfile file; /* where the bytes stand, when in a file of ours */
    framemap_bytes built;   /* or when they were just compiled */
    void *owner;            /* row of a session's cache that holds it, NULL for the caller's own */
};

/* Opens an index file by a descriptor, which it takes over, also when it fails. */
framemap_status fm_index_open_descriptor(int descriptor, const framemap_allocator *allocator, framemap_index **out,
                                         framemap_error *error);

/* Opens bytes that the index then owns: `built` is taken over on success and left alone on failure. */
framemap_status fm_index_adopt(framemap_bytes *built, const framemap_allocator *allocator, framemap_index **out,
                               framemap_error *error);

/* true: the bytes begin like an index of ours, of any version. */
bool fm_index_probe(framemap_str bytes);

/* true: an index of a source map. name: of the map that it was made of, copied, cut to the room; absent where it tells
 * none. */
struct fm_index_map {
    bool of_bytecode;
    char name[256];
    char file[256]; /* the `file` of that map, likewise */
};
bool fm_index_is_map(framemap_str bytes, struct fm_index_map *out);

/* true: an index of renamed classes. */
bool fm_index_has_classes(framemap_str bytes);

#endif
