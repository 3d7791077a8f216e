/* Sets of addresses: what several ids cover, what two sets share, what one has and the other has not. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_UNIT_COVERAGE_H
#define FM_MAPPERS_NATIVE_COMPILE_UNIT_COVERAGE_H

#include "mappers/native/dwarf/dw_address_spans.h"

/* Spans are sorted here; those for which skip is set, by their place, do not count; NULL: all count. All that returns
 * bool returns false when out of memory. */

/* Sets repeated[i] for each span of an exact id that is equal to one of another exact id and is not the first of
 * these. exact: by id. */
bool fm_address_spans_repeated(const struct fm_address_spans *spans, const bool *exact, bool *repeated);

/* Replaces *out by what spans of more than one id cover, sorted; ids are 0. */
bool fm_address_spans_shared(const struct fm_address_spans *spans, const bool *skip, struct fm_address_segments *out);

/* Ids are below id_count. Replaces *out by the spans by id, then address; those of one id that overlap or touch are
 * one. */
bool fm_address_spans_by_id(const struct fm_address_spans *spans, const bool *skip, uint32_t id_count,
                            struct fm_address_segments *out);

/* a and b: the spans of each apart. Replaces *out, which is neither, by what shows: where both have one, the one of the
 * lower rank, then of the lower id. Touching parts of one rank and id are one. O(a + b). */
bool fm_address_spans_merge_best(const struct fm_address_spans *a, const struct fm_address_spans *b,
                                 struct fm_address_spans *out);

/* The segments of one id among segments by id; *count may be 0. */
const struct fm_address_segment *fm_address_segments_of(const struct fm_address_segments *by_id, uint32_t id,
                                                        size_t *count);

/* Both sorted, the segments of each apart. Replace *out by the parts of a (with its ids) that are in b; that are not
 * in b; by both, where b is apart from a. O(a + b). */
bool fm_address_segments_intersect(const struct fm_address_segments *a, const struct fm_address_segments *b,
                                   struct fm_address_segments *out);
bool fm_address_segments_subtract(const struct fm_address_segments *a, const struct fm_address_segments *b,
                                  struct fm_address_segments *out);
bool fm_address_segments_unite(const struct fm_address_segments *a, const struct fm_address_segments *b,
                               struct fm_address_segments *out);

#endif
