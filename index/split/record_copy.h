/* Copies records of an opened index into a builder. Called by the other files of this folder. */
#ifndef FM_INDEX_SPLIT_RECORD_COPY_H
#define FM_INDEX_SPLIT_RECORD_COPY_H

#include "index/read/table/tables.h"
#include "index/write/builder.h"

/* Copies the header data, the attributes that answers depend on, and all entries of a page (index/format/value_page.h).
 * An entry that covers the start of the page starts there in the copy. *continues: whether some entry covers the
 * position after the page. Errors: CORRUPT, and those of the builder. */
framemap_status fm_copy_page(const struct fm_view *view, uint64_t page, struct fm_builder *builder,
                             struct fm_heap *heap, bool *continues, framemap_error *error);

/* Copies the header data, the attributes, and one class, given by its number, with all records that its results need.
 * Errors: CORRUPT, and those of the builder. */
framemap_status fm_copy_class(const struct fm_view *view, uint64_t number, struct fm_builder *builder,
                              struct fm_heap *heap, framemap_error *error);
/* Copies the header data, the attributes, and the source file of one original class, given by the number of its
 * name. */
framemap_status fm_copy_source(const struct fm_view *view, uint32_t name, struct fm_builder *builder,
                               framemap_error *error);
/* Copies the header data, the attributes, and a page of segments; if a line starts on an earlier page, the segment that
 * covers its first column on this page is included. Errors: CORRUPT, and those of the builder. */
framemap_status fm_copy_segment_page(const struct fm_view *view, uint64_t page, struct fm_builder *builder,
                                     struct fm_heap *heap, framemap_error *error);
/* Copies all attributes and the header data. */
framemap_status fm_copy_attributes(const struct fm_view *view, struct fm_builder *builder, framemap_error *error);
/* Copies the header data: kind, id, architecture, file name, base, address size, byte order and key type. */
framemap_status fm_copy_about(const struct fm_view *view, struct fm_builder *builder, framemap_error *error);

#endif
