/* The segment form of an index: what a source map says. A generated text's lines, each cut into segments that lead to a
 * place of a source.
 *
 *     source     an original text: its address as resolved, the address as the map spells it, whether a debugger is to
 * pass it over name       an identifier segment    generated line and column -> source, line, column, name; or "nothing
 * of any source is here" stretch    from a generated place on, or from a place of a source on: the function that stands
 * around it call site  a place of a source where a function was called whose body stands in the generated text instead
 * of the call range      a segment that maps what is behind it as well, place for place offsets    lists of numbers
 * that say where parts begin (modules of a bundle, functions of bytecode)
 *
 * Lines and columns count from 0, columns in UTF-16 units (bytes for bytecode and wasm). An index is of one form only;
 * attributes and `about` serve all. The same calls give the same bytes. Strings are numbers of fm_builder_string. */
#ifndef FM_INDEX_WRITE_SEGMENT_BUILDER_H
#define FM_INDEX_WRITE_SEGMENT_BUILDER_H

#include "index/write/builder.h"

/* The index is of this form though no segment may come: a map can be empty. */
void fm_builder_segments_form(struct fm_builder *builder);

/* flags: FM_SOURCE_…. Sources are numbered 0, 1, 2 … in the order of the calls, none twice made one. spelled FM_NONE:
 * as `address`. content FM_NONE: not kept. */
framemap_status fm_builder_source(struct fm_builder *builder, uint32_t address, uint32_t spelled, uint32_t content,
                                  uint32_t flags, uint32_t *out, framemap_error *error);
/* Names are numbered in the order of the calls as well. */
framemap_status fm_builder_segment_name(struct fm_builder *builder, framemap_str name, uint32_t *out,
                                        framemap_error *error);
/* A name that was given, until the builder is given another text. */
framemap_str fm_builder_segment_name_text(const struct fm_builder *builder, uint32_t name);

/* Whether any segment was given. */
bool fm_builder_has_segments(const struct fm_builder *builder);

struct fm_segment {
    uint32_t line0, col0;
    uint32_t source;                        /* FM_NONE: nothing is here */
    uint32_t original_line0, original_col0; /* not read without a source */
    uint32_t name;                          /* FM_NONE */
};
/* By rising line and column; several of one place stay in the order in which they come. Errors: ARGUMENT (falling
 * order, a number that was not given out), LIMIT, MEMORY. */
framemap_status fm_builder_segments(struct fm_builder *builder, const struct fm_segment *segments, size_t count,
                                    framemap_error *error);

/* From this place of a source on up to its next stretch, function is the innermost one; FM_NONE: none. By rising place
 * within a source. */
framemap_status fm_builder_source_stretch(struct fm_builder *builder, uint32_t source, uint32_t line0, uint32_t col0,
                                          uint32_t function, enum fm_function_origin origin, framemap_error *error);
/* The same for the generated text. By rising place. */
framemap_status fm_builder_generated_stretch(struct fm_builder *builder, uint32_t line0, uint32_t col0,
                                             uint32_t function, enum fm_function_origin origin, framemap_error *error);

/* A place where a function was called that was inlined, and the function that stands around it. */
struct fm_call_site {
    uint32_t source, line0, col0;
    uint32_t function; /* FM_NONE: not known */
    uint32_t caller;   /* the call site of that function, where it was inlined too; FM_NONE */
    bool hidden;       /* that function's frame is not to be shown */
};
/* Numbered in the order of the calls; caller is one that was given out. */
framemap_status fm_builder_call_site(struct fm_builder *builder, const struct fm_call_site *site, uint32_t *out,
                                     framemap_error *error);

/* As fm_builder_generated_stretch, of an inlined function's body, or of a function that is not to be shown. */
struct fm_generated_stretch {
    uint32_t line0, col0, function; /* FM_NONE: not known */
    enum fm_function_origin origin;
    uint32_t site; /* of the call; FM_NONE: not inlined */
    bool hidden;
};
framemap_status fm_builder_inlined_stretch(struct fm_builder *builder, const struct fm_generated_stretch *stretch,
                                           framemap_error *error);

/* The last segment of this place is a range. By rising place, none twice. */
framemap_status fm_builder_segment_range(struct fm_builder *builder, uint32_t line0, uint32_t col0,
                                         framemap_error *error);

/* One list; UINT32_MAX: a hole. Each kind and group once. */
framemap_status fm_builder_offsets(struct fm_builder *builder, enum fm_offsets_kind kind, uint32_t group,
                                   const uint32_t *values, size_t count, framemap_error *error);

#endif
