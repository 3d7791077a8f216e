/* Records of an opened index, given to a builder again. */
#ifndef FM_INDEX_SPLIT_RECORD_COPY_H
#define FM_INDEX_SPLIT_RECORD_COPY_H

#include "index/read/table/tables.h"
#include "index/write/builder.h"

/* Gives the builder what the index is about and all entries of the spots [begin, end) of its line; what covers `begin`
 * begins there. CORRUPT, and the builder's own. */
framemap_status fm_copy_spots(const struct fm_view *view, uint64_t begin, uint64_t end, struct fm_builder *builder,
                              struct fm_heap *heap, framemap_error *error);

/* The same with one class, by its number, and all that its answers need. `about` without a name, as above. CORRUPT, and
 * the builder's own. */
framemap_status fm_copy_class(const struct fm_view *view, uint64_t number, struct fm_builder *builder,
                              struct fm_heap *heap, framemap_error *error);
/* The same with the source file of one original class, by the number of its name. */
framemap_status fm_copy_source(const struct fm_view *view, uint32_t name, struct fm_builder *builder,
                               framemap_error *error);
/* The same with all segments whose spots are [begin, end); what covers `begin` comes too. CORRUPT, and the builder's
 * own. */
framemap_status fm_copy_segments(const struct fm_view *view, uint64_t begin, uint64_t end, struct fm_builder *builder,
                                 struct fm_heap *heap, framemap_error *error);
/* All attributes, and what the index is about. */
framemap_status fm_copy_attributes(const struct fm_view *view, struct fm_builder *builder, framemap_error *error);
/* What the index is about, its file name excepted. */
framemap_status fm_copy_about(const struct fm_view *view, struct fm_builder *builder, framemap_error *error);

#endif
