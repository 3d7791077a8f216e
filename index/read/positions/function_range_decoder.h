/* Decodes the records of function ranges, which are stored in groups (index/format/function_range_groups.h). Called by
 * the decoders of nodes and records, view_open.c and verify_records.c. */
#ifndef FM_INDEX_READ_POSITIONS_FUNCTION_RANGE_DECODER_H
#define FM_INDEX_READ_POSITIONS_FUNCTION_RANGE_DECODER_H

#include "index/format/function_range_groups.h"
#include "index/read/table/tables.h"

/* Decodes the function range with number `root`, which must be less than root_count. false: damaged. */
bool fm_function_range_read(const struct fm_view *view, uint64_t root, struct fm_function_range *out);
/* Returns the function code of a function range, decoded alone; 0 also if the index is damaged. */
uint64_t fm_function_range_function(const struct fm_view *view, uint64_t root);
/* Gets the bytes [*begin, *end) of a group in ROOTS, and the number of its function ranges. false: damaged. */
bool fm_function_range_group_extent(const struct fm_view *view, uint64_t group, uint64_t *begin, uint64_t *end,
                                    uint32_t *count);

#endif
