/* Set operations on address spans and segments: intersection, difference, union, and addresses that several ids
 * share. Called by address_owners.c, unit_overlaps.c and unit_evidence.c. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_UNIT_COVERAGE_H
#define FM_MAPPERS_NATIVE_COMPILE_UNIT_COVERAGE_H

#include "mappers/native/dwarf/dw_address_spans.h"

/* Input spans must be sorted (fm_address_spans_sort). Spans with skip[index] set are ignored; skip may be NULL. All
 * functions that return bool return false when out of memory. */

/* Compares the spans whose id has exact[id] set. Where several have the same start and end, sets repeated[i] for all of
 * them but the first. */
bool fm_address_spans_repeated(const struct fm_address_spans *spans, const bool *exact, bool *repeated);

/* Replaces *out by the addresses that spans of more than one id cover: sorted, with id 0. */
bool fm_address_spans_shared(const struct fm_address_spans *spans, const bool *skip, struct fm_address_segments *out);

/* Replaces *out by the spans sorted by id, then address; spans of one id that overlap or touch are joined. Ids are
 * less than id_count. */
bool fm_address_spans_by_id(const struct fm_address_spans *spans, const bool *skip, uint32_t id_count,
                            struct fm_address_segments *out);

/* Replaces *out, which must not be `a` or `b`, by the union of both. The spans of `a` are disjoint, and so are those
 * of `b`; where both cover an address, the lower rank counts, then the lower id. Touching parts of one rank and id
 * are joined. O(a + b). */
bool fm_address_spans_merge_best(const struct fm_address_spans *a, const struct fm_address_spans *b,
                                 struct fm_address_spans *out);

/* Returns the segments of one id in a list that is sorted by id; *count may be 0. */
const struct fm_address_segment *fm_address_segments_of(const struct fm_address_segments *by_id, uint32_t id,
                                                        size_t *count);

/* Set operations on two sorted lists, each of disjoint segments; O(a + b). *out is replaced: intersect gives the parts
 * of `a`, with the ids of `a`, that are in `b`; subtract the parts of `a` that are not in `b`; unite all segments of
 * both lists, none of which may overlap. */
bool fm_address_segments_intersect(const struct fm_address_segments *a, const struct fm_address_segments *b,
                                   struct fm_address_segments *out);
bool fm_address_segments_subtract(const struct fm_address_segments *a, const struct fm_address_segments *b,
                                  struct fm_address_segments *out);
bool fm_address_segments_unite(const struct fm_address_segments *a, const struct fm_address_segments *b,
                               struct fm_address_segments *out);

#endif
