/* Reading the segment form of an index (segment_builder.h says what is in it). Like view.h: no allocation, nothing
 * trusted, every number checked where it is followed; a damaged index gives wrong answers or none. Texts live as long
 * as the view. */
#ifndef FM_INDEX_READ_SEGMENTS_SEGMENT_VIEW_H
#define FM_INDEX_READ_SEGMENTS_SEGMENT_VIEW_H

#include "index/read/view.h"

struct fm_segments_about {
    uint64_t segment_count, line_count, source_count, name_count, stretch_count;
    bool has_content; /* line_count: up to the last line with segments */
};
/* false: the index is of another form. */
bool fm_view_segments(const struct fm_view *view, struct fm_segments_about *out);

struct fm_view_segment {
    uint64_t number; /* 0 .. segment_count - 1, in their order */
    uint32_t line0, col0;
    uint32_t source; /* FM_VIEW_NONE: nothing is here */
    uint32_t original_line0, original_col0;
    uint32_t name; /* FM_VIEW_NONE */
};
/* The segment that covers a place: the last one of its line that begins at or before the column; of several with that
 * very column the first where the place is their begin, else the last. false: none of the line does. */
bool fm_view_segment_at(const struct fm_view *view, uint32_t line0, uint32_t col0, struct fm_view_segment *out);
/* Many at once, in any order, faster where they rise; found[i]: whether. */
void fm_view_segments_at(const struct fm_view *view, const uint32_t *lines0, const uint32_t *cols0, size_t count,
                         struct fm_view_segment *out, bool *found);
/* By number. */
bool fm_view_segment(const struct fm_view *view, uint64_t number, struct fm_view_segment *out);

struct fm_view_source {
    framemap_str address, spelled;
    framemap_str content; /* absent: not kept */
    uint32_t flags;       /* FM_SOURCE_… */
};
/* Of these the address and flags alone, which every answer tells. */
bool fm_view_source_address(const struct fm_view *view, uint32_t source, framemap_str *address, uint32_t *flags);
bool fm_view_source(const struct fm_view *view, uint32_t source, struct fm_view_source *out);
/* The first source with an address; UINT32_MAX: none. Linear in the sources. */
uint32_t fm_view_source_at_address(const struct fm_view *view, framemap_str address);
bool fm_view_segment_name(const struct fm_view *view, uint32_t name, framemap_str *out);

/* The function around a place, absent where none is known. */
struct fm_view_stretch {
    framemap_str function;
    uint32_t origin;              /* fm_function_origin */
    uint32_t source, line0, col0; /* where the stretch begins; source FM_VIEW_NONE: in the generated text */
    uint32_t site;                /* of the generated text, inlined: where it was called; FM_VIEW_NONE */
    bool hidden;                  /* of the generated text: the function's frame is not to be shown */
};
bool fm_view_source_stretch(const struct fm_view *view, uint32_t source, uint32_t line0, uint32_t col0,
                            struct fm_view_stretch *out);
bool fm_view_generated_stretch(const struct fm_view *view, uint32_t line0, uint32_t col0, struct fm_view_stretch *out);

/* A place where an inlined function was called, and the function around it. */
struct fm_view_call_site {
    uint32_t source, line0, col0;
    framemap_str function; /* absent: not known */
    uint32_t caller; /* less than the site's own number: where that function was called, inlined too; FM_VIEW_NONE */
    bool hidden;     /* that function's frame is not to be shown */
};
/* false: no such call site. */
bool fm_view_call_site(const struct fm_view *view, uint32_t number, struct fm_view_call_site *out);

/* Places whose last segment is a range, 0, 1, 2 … by rising place. false: behind the last. */
bool fm_view_range(const struct fm_view *view, uint64_t number, uint32_t *line0, uint32_t *col0);
/* The range that covers a place: a segment that begins there or before, on its line or on one above, and no other in
 * between. */
bool fm_view_range_at(const struct fm_view *view, uint32_t line0, uint32_t col0, struct fm_view_segment *out);

/* All of them, 0, 1, 2 … by rising place; function absent: from there on none is known. false: behind the last. */
bool fm_view_source_stretch_at(const struct fm_view *view, uint64_t number, struct fm_view_stretch *out);
bool fm_view_generated_stretch_at(const struct fm_view *view, uint64_t number, struct fm_view_stretch *out);

/* The lists of offsets, 0, 1, 2 … by kind and group. false: behind the last. */
struct fm_view_offsets {
    uint32_t kind, group; /* fm_offsets_kind */
    uint64_t count;
};
bool fm_view_offsets_at(const struct fm_view *view, uint64_t list, struct fm_view_offsets *out);
/* A number of a list; false: no such list, behind its end, or a hole. */
bool fm_view_offset(const struct fm_view *view, uint32_t kind, uint32_t group, uint64_t which, uint32_t *out);

#endif
