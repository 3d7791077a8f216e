/* Copies records of an opened index into a builder. Called by key_value.c. */
#ifndef FM_INDEX_SPLIT_RECORD_COPY_H
#define FM_INDEX_SPLIT_RECORD_COPY_H

#include "index/read/table/tables.h"
#include "index/write/builder.h"

/* Copies the header data and all entries at axis offsets [begin, end); an entry that covers `begin` starts there in the
 * copy. Errors: CORRUPT, and those of the builder. */
framemap_status fm_copy_axis_range(const struct fm_view *view, uint64_t begin, uint64_t end, struct fm_builder *builder,
                                   struct fm_heap *heap, framemap_error *error);

/* The same for one class, by its number, with all records that its results need. The header data has no file name.
 * Errors: CORRUPT, and those of the builder. */
framemap_status fm_copy_class(const struct fm_view *view, uint64_t number, struct fm_builder *builder,
                              struct fm_heap *heap, framemap_error *error);
/* The same for the source file of one original class, by the number of its name. */
framemap_status fm_copy_source(const struct fm_view *view, uint32_t name, struct fm_builder *builder,
                               framemap_error *error);
/* The same for all segments at axis offsets [begin, end), and the one that covers `begin`. Errors: CORRUPT, and those
 * of the builder. */
framemap_status fm_copy_segments(const struct fm_view *view, uint64_t begin, uint64_t end, struct fm_builder *builder,
                                 struct fm_heap *heap, framemap_error *error);
/* Copies all attributes and the header data. */
framemap_status fm_copy_attributes(const struct fm_view *view, struct fm_builder *builder, framemap_error *error);
/* Copies the header data except the file name: kind, id, architecture, base, address size, byte order and key type. */
framemap_status fm_copy_about(const struct fm_view *view, struct fm_builder *builder, framemap_error *error);

#endif
