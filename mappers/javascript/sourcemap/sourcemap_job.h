/* The state while one map (a whole map, or that of a section) is read into the builder, and the readers of the map's
 * members. sourcemap_mapper.c creates it; independent of the file that the map came from. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_JOB_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_JOB_H

#include "index/write/segment_builder.h"
#include "mappers/javascript/sourcemap/document/sourcemap_member_values.h"
#include "mappers/javascript/sourcemap/sourcemap_errors.h"
#include "mappers/javascript/sourcemap/sourcemap_prefetch.h"

#define FM_SOURCEMAP_POSITION_MAX (UINT32_MAX - 1) /* largest line or column */

/* A position in the generated text; line and column count from 0. */
struct fm_sourcemap_position {
    uint64_t line0, col0;
};
static inline bool fm_sourcemap_position_less(struct fm_sourcemap_position a, struct fm_sourcemap_position b)
{
    return a.line0 != b.line0 ? a.line0 < b.line0 : a.col0 < b.col0;
}

struct fm_sourcemap_script;

struct fm_sourcemap_job {
    struct fm_heap *heap;
    struct fm_builder *builder;
    struct fm_sourcemap_faults *faults;
    framemap_error *error;
    bool keep_sources;
    bool portable_only; /* decode mappings without CPU-specific instructions */
    framemap_range_mappings range_mappings;
    struct fm_sourcemap_script *script;     /* generated text; NULL: not available */
    struct fm_sourcemap_prefetch *prefetch; /* prefetch thread; NULL: the map is read without a second thread */
    struct fm_sourcemap_members members;
    struct fm_arena texts;              /* memory of unescaped strings, freed from time to time */
    struct fm_sourcemap_position begin; /* where the map's generated text starts */
    struct fm_sourcemap_position limit; /* where the generated text of the next section starts */
    uint32_t source_base, source_count; /* number of the map's first source in the index, and how many sources the map
                                           has */
    uint32_t name_base, name_count;
    uint64_t rooted;     /* bytes that sourceRoot added to addresses, summed over all maps */
    uint64_t last_line0; /* last line with a segment, over all maps */
};

/* Frees the unescaped strings. */
static inline void fm_sourcemap_job_reset_texts(struct fm_sourcemap_job *job)
{
    if (job->texts.total > 0) fm_arena_reset(&job->texts);
}

/* Reads sources, sourcesContent, ignoreList and names. Their numbers in the builder start at source_base and name_base.
 */
framemap_status fm_sourcemap_read_sources(struct fm_sourcemap_job *job);
framemap_status fm_sourcemap_read_names(struct fm_sourcemap_job *job);
/* Reads `mappings`, between the positions `begin` and `limit` of the generated text. */
framemap_status fm_sourcemap_read_mappings(struct fm_sourcemap_job *job);
/* Reads `rangeMappings`, which lists the segments that also map the text after them. */
framemap_status fm_sourcemap_read_ranges(struct fm_sourcemap_job *job);
/* Read the functions that contain each source position: Metro's function maps, and `scopes`. */
framemap_status fm_sourcemap_read_function_maps(struct fm_sourcemap_job *job);
framemap_status fm_sourcemap_read_scopes(struct fm_sourcemap_job *job);
/* Reads the offsets of a map's modules (Metro) or of its functions in bytecode (Hermes). */
framemap_status fm_sourcemap_read_offsets(struct fm_sourcemap_job *job, uint32_t group);
/* Checks the members that all maps have, including index maps: version, file, debugId. */
framemap_status fm_sourcemap_check_members(struct fm_sourcemap_job *job);
/* Reads everything in the map in job->members. */
framemap_status fm_sourcemap_read_map(struct fm_sourcemap_job *job);

/* Reads the whole document in job->members: a map or an index map, then the maps of the bundle's further segments. */
framemap_status fm_sourcemap_read_bundle(struct fm_sourcemap_job *job);

#endif
