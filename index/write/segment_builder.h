/* The segment form of an index: a source map. Each line of a generated text is cut into segments that lead to a
 * location in a source.
 *
 * - source: an original file: its resolved address, its address as the map spells it, and whether debuggers should
 *   skip it
 * - name: an identifier
 * - segment: generated line and column -> source, line, column, name; or "no source here"
 * - stretch: from a generated or original location on, the innermost enclosing function
 * - call site: a location in a source where a function was called that was inlined into the generated text
 * - range: a segment that maps the text after it too, column by column
 * - offsets: lists of numbers where parts start (modules of a bundle, functions of bytecode)
 *
 * Lines and columns count from 0; columns in UTF-16 units (bytes for bytecode and wasm). An index has one form only;
 * attributes and `about` apply to all. The same calls give the same bytes. Strings are numbers of fm_builder_string. */
#ifndef FM_INDEX_WRITE_SEGMENT_BUILDER_H
#define FM_INDEX_WRITE_SEGMENT_BUILDER_H

#include "index/write/builder.h"

/* Selects the segment form even if no segment follows: a map can be empty. */
void fm_builder_segments_form(struct fm_builder *builder);

/* Adds a source. Sources are numbered 0, 1, 2 … in the order of calls and are not interned. flags: FM_SOURCE_…. spelled
 * FM_NONE: equal to `address`. content FM_NONE: not stored. */
framemap_status fm_builder_source(struct fm_builder *builder, uint32_t address, uint32_t spelled, uint32_t content,
                                  uint32_t flags, uint32_t *out, framemap_error *error);
/* Adds a name. Names are numbered 0, 1, 2 … in the order of calls and are not interned. */
framemap_status fm_builder_segment_name(struct fm_builder *builder, framemap_str name, uint32_t *out,
                                        framemap_error *error);
/* Returns the text of a name, valid until the next string is added. */
framemap_str fm_builder_segment_name_text(const struct fm_builder *builder, uint32_t name);

struct fm_segment {
    uint32_t line0, col0;
    uint32_t source;                        /* number of the source; FM_NONE: the segment has no source */
    uint32_t original_line0, original_col0; /* these two members are not read if `source` is FM_NONE */
    uint32_t name;                          /* number of the name; FM_NONE: the segment has no name */
};
/* Adds segments, ascending by line and column; several for one location stay in the given order. Errors: ARGUMENT
 * (descending order, an unknown number), LIMIT, MEMORY. */
framemap_status fm_builder_segments(struct fm_builder *builder, const struct fm_segment *segments, size_t count,
                                    framemap_error *error);

/* Adds a stretch of a source: from this location up to the source's next stretch, `function` is the innermost enclosing
 * function; FM_NONE: there is none. Stretches must ascend within a source. */
framemap_status fm_builder_source_stretch(struct fm_builder *builder, uint32_t source, uint32_t line0, uint32_t col0,
                                          uint32_t function, enum fm_function_origin origin, framemap_error *error);
/* Adds a stretch as fm_builder_source_stretch does, but of the generated text. Stretches must ascend. */
framemap_status fm_builder_generated_stretch(struct fm_builder *builder, uint32_t line0, uint32_t col0,
                                             uint32_t function, enum fm_function_origin origin, framemap_error *error);

/* A location where an inlined function was called, and the function that contains it. */
struct fm_call_site {
    uint32_t source, line0, col0;
    uint32_t function; /* function that contains the call; FM_NONE: unknown */
    uint32_t caller;   /* the call site of `function` if that was inlined too; else FM_NONE */
    bool hidden;       /* the frame of `function` is not shown */
};
/* Adds a call site. Call sites are numbered in the order of calls; `caller` must be an earlier one. */
framemap_status fm_builder_call_site(struct fm_builder *builder, const struct fm_call_site *site, uint32_t *out,
                                     framemap_error *error);

/* A stretch of the generated text for fm_builder_inlined_stretch: the body of an inlined function, or a function whose
 * frame is not shown.
 */
struct fm_generated_stretch {
    uint32_t line0, col0, function; /* line0, col0: start of the interval; function FM_NONE: no function is known */
    enum fm_function_origin origin;
    uint32_t site; /* call site of the inlined function; FM_NONE: the function is not inlined */
    bool hidden;
};
framemap_status fm_builder_inlined_stretch(struct fm_builder *builder, const struct fm_generated_stretch *stretch,
                                           framemap_error *error);

/* Marks the last segment at this location as a range. Locations must ascend without duplicates. */
framemap_status fm_builder_segment_range(struct fm_builder *builder, uint32_t line0, uint32_t col0,
                                         framemap_error *error);

/* Adds a list of offsets; UINT32_MAX is a hole. Each pair of kind and group may be added once. */
framemap_status fm_builder_offsets(struct fm_builder *builder, enum fm_offsets_kind kind, uint32_t group,
                                   const uint32_t *values, size_t count, framemap_error *error);

#endif
