/* Definition of framemap_index, and calls by which the session inspects index files without opening them. Called by
 * api/ and session/. */
#ifndef FM_API_INDEX_HANDLE_H
#define FM_API_INDEX_HANDLE_H

#include "core/mapfile.h"
#include "index/read/view.h"
#include <framemap/index.h>

struct framemap_index {
    struct fm_heap heap;
    struct fm_view *view;
    struct fm_mapfile file; /* the file that contains the bytes, if the index opened one */
    framemap_bytes built;   /* bytes of an index that was just compiled, which this struct owns; otherwise empty */
    bool is_value;          /* a value of a store, which the session's cache of values owns */
    void *owner;            /* slot of the session's cache that holds the index; NULL: the caller's own index */
};

/* Opens an index file by its descriptor, and takes ownership of the descriptor, also on failure. Errors: as
 * framemap_index_open_file. */
framemap_status fm_index_open_descriptor(int descriptor, const framemap_allocator *allocator, framemap_index **out,
                                         framemap_error *error);

/* Opens an index in bytes that were just compiled. On success the index owns the bytes of `built`; on failure the
 * caller keeps them. Errors: as framemap_index_open. */
framemap_status fm_index_adopt(framemap_bytes *built, const framemap_allocator *allocator, framemap_index **out,
                               framemap_error *error);

/* What fm_index_is_map returns for an index of a source map. name: file name of the source map, copied and cut to the
 * room; empty if the index has no name. */
struct fm_index_map {
    bool of_bytecode;
    char name[256];
    char file[256]; /* the `file` member of the source map, copied and cut as `name` */
};
bool fm_index_is_map(framemap_str bytes, struct fm_index_map *out);

/* Whether the bytes are an index of renamed classes. */
bool fm_index_has_classes(framemap_str bytes);

#endif
