/* The records of an index of a source map as the mapper gave them. */
#ifndef FM_API_PROOF_PROOF_SEGMENTS_H
#define FM_API_PROOF_PROOF_SEGMENTS_H

#include "api/proof/proof.h"
#include "core/text/merge_sort.h"
#include "index/read/segments/segment_view.h"

struct fm_proof_source {
    uint32_t address, spelled, content, flags; /* all but flags: numbers of texts */
};
struct fm_proof_stretch {
    uint32_t source, line0, col0, function, origin;
};
struct fm_proof_spot {
    uint32_t line0, col0;
};
struct fm_proof_list {
    uint32_t kind, group;
    size_t first, count;
};

struct fm_proof_segments {
    struct fm_proof *proof;
    struct fm_proof_source *sources;
    uint32_t *names; /* names, as numbers of texts */
    struct fm_segment *segments;
    struct fm_proof_stretch *stretches;    /* intervals of sources, each with one enclosing function */
    struct fm_sort_item *stretch_order;    /* order of `stretches`: by source and position */
    struct fm_generated_stretch *covering; /* intervals of the generated text */
    struct fm_call_site *sites;
    struct fm_proof_spot *ranges;
    struct fm_proof_list *lists;
    uint32_t *offsets;
    framemap_frame *frames;
    size_t source_count, source_capacity, name_count, name_capacity, segment_count, segment_capacity, stretch_count,
        stretch_capacity, covering_count, covering_capacity, site_count, site_capacity, range_count, range_capacity,
        list_count, list_capacity, offset_count, offset_capacity, frame_capacity;
};

framemap_str fm_proof_segments_name_text(const struct fm_proof_segments *segments, uint32_t name);

/* Functions that each add records of one kind, with the contracts of segment_builder.h. */
framemap_status fm_proof_segments_source(struct fm_proof_segments *segments, uint32_t address, uint32_t spelled,
                                         uint32_t content, uint32_t flags, uint32_t *out, framemap_error *error);
framemap_status fm_proof_segments_name(struct fm_proof_segments *segments, framemap_str name, uint32_t *out,
                                       framemap_error *error);
framemap_status fm_proof_segments_add(struct fm_proof_segments *segments, const struct fm_segment *added, size_t count,
                                      framemap_error *error);
framemap_status fm_proof_segments_stretch(struct fm_proof_segments *segments, const struct fm_proof_stretch *stretch,
                                          framemap_error *error);
framemap_status fm_proof_segments_covering(struct fm_proof_segments *segments,
                                           const struct fm_generated_stretch *stretch, framemap_error *error);
framemap_status fm_proof_segments_site(struct fm_proof_segments *segments, const struct fm_call_site *site,
                                       uint32_t *out, framemap_error *error);
framemap_status fm_proof_segments_range(struct fm_proof_segments *segments, uint32_t line0, uint32_t col0,
                                        framemap_error *error);
framemap_status fm_proof_segments_offsets(struct fm_proof_segments *segments, uint32_t kind, uint32_t group,
                                          const uint32_t *values, size_t count, framemap_error *error);

/* Makes the chain that the map has for a position of the generated text; empty: the map has nothing there. The chain is
 * in the proof's memory until the next call. stretch_order must have been sorted. Error: MEMORY. */
framemap_status fm_proof_mapped(struct fm_proof_segments *segments, uint32_t line0, uint32_t col0,
                                framemap_frame_list *out);
/* Returns the last stretch (an interval with one enclosing function) of a source that starts at or before a position;
 * NULL: not found. */
const struct fm_proof_stretch *fm_proof_stretch_at(const struct fm_proof_segments *segments, uint32_t source,
                                                   uint32_t line0, uint32_t col0);

static inline uint64_t fm_proof_spot_key(uint32_t line0, uint32_t col0) { return (uint64_t)line0 << 32 | col0; }

#endif
