/* Source maps written from indexes: index maps made flat, and the maps of several build steps made one.
 *
 *     framemap_build_options keep = {.size = sizeof keep, .keep_sources = true};
 *     framemap_index *minified = NULL, *compiled = NULL; // opened from what framemap_index_build made of both maps
 *
 *     framemap_map_step step = {.map = compiled};
 *     framemap_sourcemap_options options = {.size = sizeof options, .steps = &step, .step_count = 1};
 *     framemap_sourcemap_write(minified, &options, write, context, &error);
 */
#ifndef FRAMEMAP_CONVERT_H
#define FRAMEMAP_CONVERT_H

#include <framemap/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An earlier step of a build: what it wrote was a source of a later step. */
typedef struct framemap_map_step {
    const framemap_index *map; /* of the earlier step; borrowed for the call */
    framemap_str source; /* the source that it wrote, as the later map has it, its whole address or the end of it behind
                            a slash. Absent: the source of this map's own `file`, else of its name without ".map", else
                            the only source that no other step has taken */
} framemap_map_step;

/* Zero everything, set size = sizeof, then what differs. */
typedef struct framemap_sourcemap_options {
    size_t size;
    const framemap_allocator *allocator; /* copied */
    uint64_t max_memory;                 /* ceiling on framemap's own memory for the call, bytes; 0: no ceiling */
    const framemap_map_step *steps; /* latest first: a step's source is one of the map's, or of a step in front of it */
    size_t step_count;
    framemap_warning warning; /* told of a step that knows none of the places it is asked for, as it may be of another
                                 build; may be NULL */
    void *context;            /* for warning */
} framemap_sourcemap_options;

/* Writes an index of a source map as one regular map of ECMA-426, JSON of one line, whatever the map was: with
 * sections, compressed, inside a script. Without steps that is all that the index holds, in its order. With steps each
 * segment leads as far back as they do:
 *   - a source that no step has written stays; of the others each segment becomes what the earlier map says of that
 * place: its last segment of that line that begins at or before the column, with that one's name, or the later one's
 * where it has none;
 *   - where the earlier map says nothing, or that nothing is there, the segment says so too (it has one number);
 *   - a segment that says the same as the one before it is left out. In a map of bytecode none is, but of several at
 * one address only the last one counts;
 *   - sources, their texts, ignore list and functions are of the maps that the segments lead to, sources and names in
 * the order of their first use;
 *   - `file`, the debug id and offsets of bytecode are those of `map`.
 * Texts of sources are written where the indexes keep them (keep_sources). What an index does not keep is lost:
 * variables and bindings of scopes, vendors' members. The same indexes give the same bytes.
 *
 * map: borrowed for the call. options: NULL for the defaults. write: receives the map in pieces; what it got is no map
 * unless the call succeeds. Memory does not grow with the segments. Errors: ARGUMENT (no source map; a step's source is
 * in none of the maps before it), MISMATCH (it can't be told whose source a step has written: say it), UNSUPPORTED (a
 * bundle of several segments, as of React Native's x_facebook_segments), LIMIT, CORRUPT, MEMORY, IO (write refused).
 * Any thread. */
FRAMEMAP_API framemap_status framemap_sourcemap_write(const framemap_index *map,
                                                      const framemap_sourcemap_options *options, framemap_write write,
                                                      void *context, framemap_error *error);

#ifdef __cplusplus
}
#endif
#endif
