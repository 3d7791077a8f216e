/* State of framemap_sourcemap_write, and declarations that the files of this folder share. map_write.c calls the other
 * files; each of these writes one member of the map or computes values for several members. */
#ifndef FM_SESSION_MAP_WRITE_MAP_WRITE_INNER_H
#define FM_SESSION_MAP_WRITE_MAP_WRITE_INNER_H

#include "core/hash/hash.h"
#include "core/text/buffer.h"
#include "index/read/segments/segment_view.h"
#include <framemap/sourcemap.h>

/* bytes that are passed to the caller's callback at once */
#define FM_CONVERT_FLUSH ((size_t)64 << 10)

/* A map. Map number 0 is the converted map; the others are those of earlier build steps. If there are no earlier steps,
 * the arrays are NULL, and all sources and names keep their numbers. */
struct fm_convert_map {
    const struct fm_view *view;
    framemap_str file, name; /* file: `file` member of the map; name: name of the map file */
    uint32_t source_count, name_count;
    /* for each source: number of the map of the step that generated the source, always higher than the number of this
     * map; 0: there is no such map */
    uint32_t *steps;
    uint32_t *sources; /* for each source: its number in the output; FM_VIEW_NONE: it has no number yet */
    uint32_t *names;   /* for each name: its number in the output; FM_VIEW_NONE: it has no number yet */
    /* for the map of an earlier step: number of positions that were looked up in it, and number of these that were
     * found */
    uint64_t asked, known;
};

/* A source or name of the output. */
struct fm_convert_ref {
    uint32_t map, number;
};
/* All sources, or all names, of the output in the order of their numbers, without duplicates. */
struct fm_convert_refs {
    struct fm_convert_ref *list;
    size_t count, capacity;
    struct fm_table table;
};

struct fm_convert {
    struct fm_heap *heap;
    framemap_error *error;
    framemap_write write;
    void *context;
    struct fm_buf out;
    struct fm_convert_map *maps; /* element 0 is the converted map; the maps of the steps follow */
    uint32_t map_count;
    bool bytecode; /* the map is for bytecode */
    struct fm_convert_refs sources, names;
    framemap_str *texts; /* names of functions; they are numbered after the names of segments */
    size_t text_count, text_capacity;
    uint64_t key; /* seed of the tables' hashes */
};

static inline bool fm_convert_composes(const struct fm_convert *convert) { return convert->map_count > 1; }

/* Passes the buffered output to the caller's callback if it has at least `least` bytes. Errors: MEMORY, IO. */
framemap_status fm_convert_flush(struct fm_convert *convert, size_t least);
framemap_status fm_convert_damaged(const struct fm_convert *convert, const char *what);

/* Determines which source was written by each build step: fills maps[].steps. given: the steps, beginning with that of
 * maps[1]. Errors: ARGUMENT, MISMATCH. */
framemap_status fm_convert_link(struct fm_convert *convert, const framemap_map_step *given);

/* Returns the number of a source or name in the output, which is assigned when it is first used. Errors: CORRUPT,
 * LIMIT, MEMORY. */
framemap_status fm_convert_source(struct fm_convert *convert, uint32_t map, uint32_t source, uint32_t *out);
framemap_status fm_convert_name(struct fm_convert *convert, uint32_t map, uint32_t name, uint32_t *out);
/* Returns the number of a name that need not belong to a segment. May be called only after all segments are written.
 * Errors: LIMIT, MEMORY. */
framemap_status fm_convert_text_name(struct fm_convert *convert, framemap_str text, uint32_t *out);
/* These functions return the number of sources, the number of names of segments, and the source or name with a given
 * number in the output. */
uint64_t fm_convert_source_count(const struct fm_convert *convert);
uint64_t fm_convert_name_count(const struct fm_convert *convert);
struct fm_convert_ref fm_convert_source_ref(const struct fm_convert *convert, uint64_t number);
struct fm_convert_ref fm_convert_name_ref(const struct fm_convert *convert, uint64_t number);
void fm_convert_refs_free(struct fm_convert_refs *refs, struct fm_heap *heap);

/* A segment of the written map, after its position was looked up in the map of each earlier step. */
struct fm_convert_hop {
    uint32_t line0, col0; /* position in the generated text */
    /* position in the original source; if `source` is FM_VIEW_NONE, the segment has no source */
    uint32_t map, source, original_line0, original_col0;
    uint32_t name_map, name; /* map and number of the name; FM_VIEW_NONE: the segment has no name */
};
#define FM_CONVERT_BATCH 1024u
/* Working memory of fm_convert_trace. */
struct fm_convert_trace {
    struct fm_convert_hop hops[FM_CONVERT_BATCH];
    /* linked lists of the segments that have to be looked up in the map of the same step */
    uint32_t next[FM_CONVERT_BATCH];
    uint32_t which[FM_CONVERT_BATCH], lines0[FM_CONVERT_BATCH], cols0[FM_CONVERT_BATCH];
    struct fm_view_segment found[FM_CONVERT_BATCH];
    bool have[FM_CONVERT_BATCH];
    uint32_t *heads; /* first segment of each list, by step */
};
/* Traces the segments [first, first + count) of the map back to their original sources, and stores the results in
 * trace->hops; count is at most FM_CONVERT_BATCH. Errors: CORRUPT. */
framemap_status fm_convert_trace(struct fm_convert *convert, struct fm_convert_trace *trace, uint64_t first,
                                 uint32_t count);

/* Writes a number as base64 VLQ (ECMA-426). Returns false if the number is too large. */
bool fm_convert_vlq(struct fm_buf *out, int64_t number);
bool fm_convert_vlq_unsigned(struct fm_buf *out, uint64_t number);

/* Writes the members of the map. Errors: CORRUPT, LIMIT, MEMORY, IO. */
framemap_status fm_convert_mappings(struct fm_convert *convert);
/* writes `rangeMappings`, but only for a map without earlier steps */
framemap_status fm_convert_ranges(struct fm_convert *convert);
/* writes `sources`, `sourcesContent` and `ignoreList` */
framemap_status fm_convert_sources(struct fm_convert *convert);
framemap_status fm_convert_names(struct fm_convert *convert);
/* writes `x_facebook_sources`, if the map has no scopes */
framemap_status fm_convert_functions(struct fm_convert *convert);
framemap_status fm_convert_scopes(struct fm_convert *convert);
bool fm_convert_has_scopes(const struct fm_convert *convert);
/* Finds the first function range of a source. Returns false if the source has none, or if its functions do not have the
 * given origin (0: any origin). */
bool fm_convert_source_functions(const struct fm_convert *convert, struct fm_convert_ref ref, uint32_t origin,
                                 uint64_t *first);
framemap_status fm_convert_offsets(struct fm_convert *convert);

#endif
