/* One source map on its way out of an index, or out of the indexes of several build steps. */
#ifndef FM_SESSION_CONVERT_CONVERT_INNER_H
#define FM_SESSION_CONVERT_CONVERT_INNER_H

#include "core/hash/hash.h"
#include "core/text/buffer.h"
#include "index/read/segments/segment_view.h"
#include <framemap/convert.h>

#define FM_CONVERT_FLUSH ((size_t)64 << 10) /* bytes that are handed on at once */

/* The map itself, number 0, or a step. Without steps none of the arrays is there, and all sources and names keep their
 * numbers. */
struct fm_convert_map {
    const struct fm_view *view;
    framemap_str file, name; /* what it says that it is of; its own file's name */
    uint32_t source_count, name_count;
    uint32_t *steps;       /* by source: the map that leads on from it, always one of a higher number; 0: none */
    uint32_t *sources;     /* by source: its number in what is written; FM_VIEW_NONE: none yet */
    uint32_t *names;       /* likewise */
    uint64_t asked, known; /* places of a step */
};

/* A source or name that is written. */
struct fm_convert_ref {
    uint32_t map, number;
};
/* Those in the order of their numbers, none twice. */
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
    struct fm_convert_map *maps; /* 0: the map, then the steps */
    uint32_t map_count;
    bool bytecode; /* the map is of bytecode */
    struct fm_convert_refs sources, names;
    framemap_str *texts; /* names behind those of the segments: functions */
    size_t text_count, text_capacity;
    uint64_t key; /* of the tables' hashes */
};

static inline bool fm_convert_composes(const struct fm_convert *convert) { return convert->map_count > 1; }

/* Hands on what is written where it is at least so much. MEMORY, IO. */
framemap_status fm_convert_flush(struct fm_convert *convert, size_t least);
framemap_status fm_convert_damaged(const struct fm_convert *convert, const char *what);

/* Tells each step whose source it has written: maps[].steps. given: of the steps, those of maps[1] on. ARGUMENT,
 * MISMATCH. */
framemap_status fm_convert_link(struct fm_convert *convert, const framemap_map_step *given);

/* The number of a source or name in what is written, given out at its first use. CORRUPT, LIMIT, MEMORY. */
framemap_status fm_convert_source(struct fm_convert *convert, uint32_t map, uint32_t source, uint32_t *out);
framemap_status fm_convert_name(struct fm_convert *convert, uint32_t map, uint32_t name, uint32_t *out);
/* The number of a name that may be of no segment. After all segments are written. LIMIT, MEMORY. */
framemap_status fm_convert_text_name(struct fm_convert *convert, framemap_str text, uint32_t *out);
/* How many there are, and which; of names those of segments. */
uint64_t fm_convert_source_count(const struct fm_convert *convert);
uint64_t fm_convert_name_count(const struct fm_convert *convert);
struct fm_convert_ref fm_convert_source_ref(const struct fm_convert *convert, uint64_t number);
struct fm_convert_ref fm_convert_name_ref(const struct fm_convert *convert, uint64_t number);
void fm_convert_refs_free(struct fm_convert_refs *refs, struct fm_heap *heap);

/* A segment of the map, traced as far back as the steps lead. */
struct fm_convert_hop {
    uint32_t line0, col0;                                /* in the generated text */
    uint32_t map, source, original_line0, original_col0; /* source FM_VIEW_NONE: nothing is here */
    uint32_t name_map, name;                             /* FM_VIEW_NONE: no name */
};
#define FM_CONVERT_BATCH 1024u
/* The working memory of tracing. */
struct fm_convert_trace {
    struct fm_convert_hop hops[FM_CONVERT_BATCH];
    uint32_t next[FM_CONVERT_BATCH]; /* lists of those that wait for one step */
    uint32_t which[FM_CONVERT_BATCH], lines0[FM_CONVERT_BATCH], cols0[FM_CONVERT_BATCH];
    struct fm_view_segment found[FM_CONVERT_BATCH];
    bool have[FM_CONVERT_BATCH];
    uint32_t *heads; /* by step */
};
/* Segments [first, first + count) of the map, count at most a batch, into trace->hops. CORRUPT. */
framemap_status fm_convert_trace(struct fm_convert *convert, struct fm_convert_trace *trace, uint64_t first,
                                 uint32_t count);

/* A number as the standard's digits; false: it is more than they can be. */
bool fm_convert_vlq(struct fm_buf *out, int64_t number);
bool fm_convert_vlq_unsigned(struct fm_buf *out, uint64_t number);

/* Parts of the document. */
framemap_status fm_convert_mappings(struct fm_convert *convert);
framemap_status fm_convert_ranges(struct fm_convert *convert);  /* of a map that is not composed */
framemap_status fm_convert_sources(struct fm_convert *convert); /* sources, sourcesContent, ignoreList */
framemap_status fm_convert_names(struct fm_convert *convert);
framemap_status fm_convert_functions(struct fm_convert *convert); /* of the sources, where there are no scopes */
framemap_status fm_convert_scopes(struct fm_convert *convert);
bool fm_convert_has_scopes(const struct fm_convert *convert);
/* Where the stretches of a source begin; whether there are any, of that origin (0: of any). */
bool fm_convert_source_functions(const struct fm_convert *convert, struct fm_convert_ref ref, uint32_t origin,
                                 uint64_t *first);
framemap_status fm_convert_offsets(struct fm_convert *convert);

#endif
