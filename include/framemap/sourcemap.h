/* Writes source maps from indexes: converts index maps to regular maps, and composes the maps of several build steps.
 *
 *     framemap_build_options keep = {.size = sizeof keep, .keep_sources = true};
 *     framemap_index *minified = NULL, *compiled = NULL; // opened from the results of framemap_index_build
 *
 *     framemap_map_step step = {.map = compiled};
 *     framemap_sourcemap_options options = {.size = sizeof options, .steps = &step, .step_count = 1};
 *     framemap_sourcemap_write(minified, &options, write, context, &error);
 */
#ifndef FRAMEMAP_SOURCEMAP_H
#define FRAMEMAP_SOURCEMAP_H

#include <framemap/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An earlier step of a build, whose output was a source of a later step. */
typedef struct framemap_map_step {
    const framemap_index *map; /* index of the earlier step's map; borrowed for the call */
    /* the source that this step wrote, as the later map names it: its whole URL, or the end of it after a slash.
     * Absent: the source that is named by this map's `file` member or, without such a source, by the map's name without
     * ".map"; if there is neither, the only source that no other step has claimed */
    framemap_str source;
} framemap_map_step;

/* Options of framemap_sourcemap_write. Zero the struct, set size to sizeof, then set what differs from the defaults. */
typedef struct framemap_sourcemap_options {
    size_t size;
    const framemap_allocator *allocator; /* copied; NULL: the allocator of the C library */
    uint64_t max_memory;                 /* ceiling on framemap's own memory for the call, bytes; 0: no ceiling */
    const framemap_map_step
        *steps; /* the latest step first: what a step wrote is a source of `map` or of the map of an earlier entry */
    size_t step_count;
    framemap_warning warning; /* called for a step whose map has none of the positions that were looked up in it, so
                                 that it may belong to another build; NULL: none */
    void *context;            /* passed to warning */
} framemap_sourcemap_options;

/* Writes an index of a source map as one regular source map (ECMA-426), as JSON in one line, even if the original map
 * had sections, was compressed or was inside a script. Without steps it contains everything that the index has, in the
 * same order. With steps each segment is traced back as far as the steps lead:
 *   - If no step wrote the source of a segment, the segment keeps its source.
 *   - If a step wrote the source, another segment replaces the segment: the last one that the step's map has for that
 *     position, on the same line at or before the column. It also gives the name; without a name there, the name of
 *     the replaced segment is used.
 *   - If the step's map has nothing at the position, the segment is written without a source.
 *   - A segment that equals the previous one is left out, except in a map of bytecode. There, of several segments at
 *     one address only the last is written.
 *   - Sources, their text, ignore list and functions come from the maps that the segments lead to. Sources and names
 *     are in the order of their first use.
 *   - `file`, the debug id and bytecode offsets are those of `map`.
 * The text of sources is written if the indexes contain it (keep_sources). What an index does not contain is lost:
 * variables and bindings of scopes, and vendor extensions. The same indexes give the same bytes.
 *
 * map: borrowed for the call. options: NULL for the defaults. write: receives the map in pieces, with `context`; the
 * output is incomplete unless the call succeeds. Memory use does not depend on the number of segments.
 * Errors: ARGUMENT (not a source map; the source of a step is in none of the maps before it), MISMATCH (the source of a
 * step cannot be determined; set framemap_map_step.source), UNSUPPORTED (a bundle of several segments, as in React
 * Native's x_facebook_segments), LIMIT, CORRUPT, MEMORY, IO (write refused). Any thread. */
FRAMEMAP_API framemap_status framemap_sourcemap_write(const framemap_index *map,
                                                      const framemap_sourcemap_options *options, framemap_write write,
                                                      void *context, framemap_error *error);

#ifdef __cplusplus
}
#endif
#endif
