/* Reads the segment form of an index, made from source maps; segment_builder.h describes its records. Called by
 * resolve/javascript, api/ and session/. As with view.h, no call allocates memory and no byte is trusted: every number
 * is checked before it is used, and a damaged index gives wrong results or none. Strings live as long as the view. */
#ifndef FM_INDEX_READ_SEGMENTS_SEGMENT_VIEW_H
#define FM_INDEX_READ_SEGMENTS_SEGMENT_VIEW_H

#include "index/read/view.h"

struct fm_segments_about {
    uint64_t segment_count, line_count, source_count, name_count, stretch_count;
    bool has_content;
};
/* Gets the sizes of the tables; line_count includes the lines up to the last one with segments. false: the index has
 * another form. */
bool fm_view_segments(const struct fm_view *view, struct fm_segments_about *out);

struct fm_view_segment {
    uint64_t number; /* number of the segment, less than segment_count, in the order of generated positions */
    uint32_t line0, col0;
    uint32_t source; /* number of the source; FM_VIEW_NONE: nothing is mapped here */
    uint32_t original_line0, original_col0;
    uint32_t name; /* number of the name; FM_VIEW_NONE: the segment has no name */
};
/* Finds the segment that covers a position: the last one of its line that starts at or before the column. If several
 * segments start at one column, the first of them is found for a position at that column, and the last of them for a
 * position after it. false: no segment of the line starts at or before the column. */
bool fm_view_segment_at(const struct fm_view *view, uint32_t line0, uint32_t col0, struct fm_view_segment *out);
/* Looks up many positions as fm_view_segment_at does, in any order; ascending ones are faster. found[i]: whether
 * position i has a segment. */
void fm_view_segments_at(const struct fm_view *view, const uint32_t *lines0, const uint32_t *cols0, size_t count,
                         struct fm_view_segment *out, bool *found);
/* Finds the segment with a number. false: no such segment, or damaged. */
bool fm_view_segment(const struct fm_view *view, uint64_t number, struct fm_view_segment *out);

struct fm_view_source {
    framemap_str address, spelled;
    framemap_str content; /* text of the source; absent: the index has none */
    uint32_t flags;       /* bits FM_SOURCE_… */
};
/* fm_view_source_address reads only the address and the flags of a source, which every result needs; fm_view_source
 * reads all of it. false: there is no such source. */
bool fm_view_source_address(const struct fm_view *view, uint32_t source, framemap_str *address, uint32_t *flags);
bool fm_view_source(const struct fm_view *view, uint32_t source, struct fm_view_source *out);
/* Returns the first source with this address; UINT32_MAX: none. Takes time linear in the number of sources. */
uint32_t fm_view_source_at_address(const struct fm_view *view, framemap_str address);
bool fm_view_segment_name(const struct fm_view *view, uint32_t name, framemap_str *out);

/* The function that encloses a position. The calls that look up a function return false if none is known; *out is then
 * unspecified. */
struct fm_view_stretch {
    framemap_str function;
    uint32_t origin;              /* a value of fm_function_origin */
    uint32_t source, line0, col0; /* start of the interval; source FM_VIEW_NONE: a position in the generated text */
    uint32_t site;                /* in the generated text: the call site of an inlined function; else FM_VIEW_NONE */
    bool hidden;                  /* in the generated text: the function's frame must not be shown */
};
bool fm_view_source_stretch(const struct fm_view *view, uint32_t source, uint32_t line0, uint32_t col0,
                            struct fm_view_stretch *out);
bool fm_view_generated_stretch(const struct fm_view *view, uint32_t line0, uint32_t col0, struct fm_view_stretch *out);

/* The call site of an inlined function, and the function that encloses it. */
struct fm_view_call_site {
    uint32_t source, line0, col0;
    framemap_str function; /* function that contains the call; absent: unknown */
    /* the call site of `function` if `function` is inlined, too; its number is less than that of this site; else
     * FM_VIEW_NONE */
    uint32_t caller;
    bool hidden; /* the frame of `function` must not be shown */
};
/* Reads a call site. Returns false if there is none with this number. */
bool fm_view_call_site(const struct fm_view *view, uint32_t number, struct fm_view_call_site *out);

/* Gets the generated position of range mapping number 0, 1, 2 …, which are in ascending order. The last segment at that
 * position is the range. false: the number is too great. */
bool fm_view_range(const struct fm_view *view, uint64_t number, uint32_t *line0, uint32_t *col0);
/* Finds the range mapping that covers a position: a segment that starts at or before the position, on the same line or
 * an earlier one, with no other segment between its start and the position. */
bool fm_view_range_at(const struct fm_view *view, uint32_t line0, uint32_t col0, struct fm_view_segment *out);

/* Gets function interval number 0, 1, 2 …, by ascending start. `function` is absent if no function is known for the
 * interval. false: the number is too great. */
bool fm_view_source_stretch_at(const struct fm_view *view, uint64_t number, struct fm_view_stretch *out);
bool fm_view_generated_stretch_at(const struct fm_view *view, uint64_t number, struct fm_view_stretch *out);

struct fm_view_offsets {
    uint32_t kind, group; /* kind: a value of fm_offsets_kind */
    uint64_t count;
};
/* Gets offset list number 0, 1, 2 …, sorted by kind and group. false: the number is too great. */
bool fm_view_offsets_at(const struct fm_view *view, uint64_t list, struct fm_view_offsets *out);
/* Gets one offset of a list. false: there is no such list, or the list has no offset of this number. */
bool fm_view_offset(const struct fm_view *view, uint32_t kind, uint32_t group, uint64_t which, uint32_t *out);

#endif
