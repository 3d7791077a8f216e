/* Reads the segment form of an index, made from source maps; segment_builder.h describes its records. Called by
 * resolve/javascript, api/ and session/. As in view.h, nothing allocates and no byte is trusted: every number is
 * checked before it is followed, and a damaged index gives wrong results or none. Strings live as long as the view. */
#ifndef FM_INDEX_READ_SEGMENTS_SEGMENT_VIEW_H
#define FM_INDEX_READ_SEGMENTS_SEGMENT_VIEW_H

#include "index/read/view.h"

struct fm_segments_about {
    uint64_t segment_count, line_count, source_count, name_count, stretch_count;
    bool has_content; /* line_count: up to the last line with segments */
};
/* The sizes of the tables. false: the index has another form. */
bool fm_view_segments(const struct fm_view *view, struct fm_segments_about *out);

struct fm_view_segment {
    uint64_t number; /* 0 .. segment_count - 1, by generated position */
    uint32_t line0, col0;
    uint32_t source; /* FM_VIEW_NONE: nothing is mapped here */
    uint32_t original_line0, original_col0;
    uint32_t name; /* FM_VIEW_NONE: none */
};
/* The segment that covers a position: the last one of its line that starts at or before the column. If several start at
 * the same column: the first of them if the position is that column, otherwise the last. false: no segment of the line
 * starts at or before the column. */
bool fm_view_segment_at(const struct fm_view *view, uint32_t line0, uint32_t col0, struct fm_view_segment *out);
/* As fm_view_segment_at, for many positions, in any order; faster if they ascend. found[i]: whether position i has a
 * segment. */
void fm_view_segments_at(const struct fm_view *view, const uint32_t *lines0, const uint32_t *cols0, size_t count,
                         struct fm_view_segment *out, bool *found);
/* The segment with a number. false: no such segment, or damaged. */
bool fm_view_segment(const struct fm_view *view, uint64_t number, struct fm_view_segment *out);

struct fm_view_source {
    framemap_str address, spelled;
    framemap_str content; /* absent: the index has no source text */
    uint32_t flags;       /* FM_SOURCE_… */
};
/* A source: its address and flags alone, which every result needs, or all of it. false: no such source. */
bool fm_view_source_address(const struct fm_view *view, uint32_t source, framemap_str *address, uint32_t *flags);
bool fm_view_source(const struct fm_view *view, uint32_t source, struct fm_view_source *out);
/* The first source with this address; UINT32_MAX: none. Linear in the number of sources. */
uint32_t fm_view_source_at_address(const struct fm_view *view, framemap_str address);
bool fm_view_segment_name(const struct fm_view *view, uint32_t name, framemap_str *out);

/* The function that encloses a position. The calls return false if none is known; *out is then unspecified. */
struct fm_view_stretch {
    framemap_str function;
    uint32_t origin;              /* fm_function_origin */
    uint32_t source, line0, col0; /* start of the interval; source FM_VIEW_NONE: a position in the generated text */
    uint32_t site; /* only for the generated text, if the function is inlined: its call site; else FM_VIEW_NONE */
    bool hidden;   /* only for the generated text: the function's frame must not be shown */
};
bool fm_view_source_stretch(const struct fm_view *view, uint32_t source, uint32_t line0, uint32_t col0,
                            struct fm_view_stretch *out);
bool fm_view_generated_stretch(const struct fm_view *view, uint32_t line0, uint32_t col0, struct fm_view_stretch *out);

/* The call site of an inlined function, and the function that encloses it. */
struct fm_view_call_site {
    uint32_t source, line0, col0;
    framemap_str function; /* absent: unknown */
    uint32_t caller;       /* call site of `function` if that is inlined too, less than this site's own number; else
                              FM_VIEW_NONE */
    bool hidden;           /* the frame of `function` must not be shown */
};
/* Reads a call site. Returns false if there is none with this number. */
bool fm_view_call_site(const struct fm_view *view, uint32_t number, struct fm_view_call_site *out);

/* Generated positions whose last segment is a range mapping, 0, 1, 2 … in ascending order. false: past the last. */
bool fm_view_range(const struct fm_view *view, uint64_t number, uint32_t *line0, uint32_t *col0);
/* The range mapping that covers a position: a segment that starts at or before it, on its line or an earlier one, with
 * no other segment in between. */
bool fm_view_range_at(const struct fm_view *view, uint32_t line0, uint32_t col0, struct fm_view_segment *out);

/* All function intervals, 0, 1, 2 … by ascending start; function absent: none is known from there on. false: past the
 * last. */
bool fm_view_source_stretch_at(const struct fm_view *view, uint64_t number, struct fm_view_stretch *out);
bool fm_view_generated_stretch_at(const struct fm_view *view, uint64_t number, struct fm_view_stretch *out);

/* The offset lists, 0, 1, 2 … by kind and group. false: past the last. */
struct fm_view_offsets {
    uint32_t kind, group; /* fm_offsets_kind */
    uint64_t count;
};
bool fm_view_offsets_at(const struct fm_view *view, uint64_t list, struct fm_view_offsets *out);
/* One offset of a list. false: no such list, past its end, or a gap in the list. */
bool fm_view_offset(const struct fm_view *view, uint32_t kind, uint32_t group, uint64_t which, uint32_t *out);

#endif
