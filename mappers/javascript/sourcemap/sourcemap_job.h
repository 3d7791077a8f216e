/* One map (a whole one, or a section's) on its way into the builder. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_JOB_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_JOB_H

#include "index/write/segment_builder.h"
#include "mappers/javascript/sourcemap/sourcemap_errors.h"
#include "mappers/javascript/sourcemap/sourcemap_member_values.h"
#include "mappers/javascript/sourcemap/sourcemap_prefetch.h"

#define FM_SOURCEMAP_POSITION_MAX (UINT32_MAX - 1) /* of a line or column */

/* Lines and columns count from 0. */
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
    bool portable_only; /* mappings are decoded as on a CPU that can do nothing particular */
    framemap_range_mappings range_mappings;
    struct fm_sourcemap_script *text;       /* the generated text, NULL: not at hand */
    struct fm_sourcemap_prefetch *prefetch; /* NULL: there is none */
    struct fm_sourcemap_members members;
    struct fm_arena texts;              /* of what is unescaped; forgotten from time to time */
    struct fm_sourcemap_position begin; /* where the map's generated text begins */
    struct fm_sourcemap_position limit; /* where that of the next section does */
    uint32_t source_base, source_count; /* in the index; of this map */
    uint32_t name_base, name_count;
    uint64_t rooted;     /* bytes that roots added to addresses, of all maps */
    uint64_t last_line0; /* the last line that has a segment, of all maps */
};

/* Texts that were unescaped are not needed any more. */
static inline void fm_sourcemap_job_reset_texts(struct fm_sourcemap_job *job)
{
    if (job->texts.total > 0) fm_arena_reset(&job->texts);
}

/* sources, sourcesContent, ignoreList and names: numbers of the builder from source_base and name_base on. */
framemap_status fm_sourcemap_read_sources(struct fm_sourcemap_job *job);
framemap_status fm_sourcemap_read_names(struct fm_sourcemap_job *job);
/* mappings, within begin and limit. */
framemap_status fm_sourcemap_read_mappings(struct fm_sourcemap_job *job);
/* rangeMappings: where the segments begin that are ranges. */
framemap_status fm_sourcemap_read_ranges(struct fm_sourcemap_job *job);
/* The functions around places of sources. */
framemap_status fm_sourcemap_read_function_maps(struct fm_sourcemap_job *job);
framemap_status fm_sourcemap_read_scopes(struct fm_sourcemap_job *job);
/* Offsets of a map's modules (Metro), or of its functions in bytecode (Hermes). */
framemap_status fm_sourcemap_read_offsets(struct fm_sourcemap_job *job, uint32_t group);
/* What every map has, index maps too: version, file, debugId. */
framemap_status fm_sourcemap_check_members(struct fm_sourcemap_job *job);
/* All of these, of the map that job->members tells. */
framemap_status fm_sourcemap_read_map(struct fm_sourcemap_job *job);

/* The whole document that job->members tells: a map or an index map, then the maps of the bundle's further segments. */
framemap_status fm_sourcemap_read_bundle(struct fm_sourcemap_job *job);

#endif
