/* The parts of fm_view_verify (view.h), one file each. Each returns false when it has reported a fault. */
#ifndef FM_INDEX_VERIFY_VERIFY_PARTS_H
#define FM_INDEX_VERIFY_VERIFY_PARTS_H

#include "index/verify/verify_check.h"

/* verify_axis.c: scopes with their ranges, and blocks of entries. */
bool fm_check_scopes(const struct fm_checker *checker);
bool fm_check_blocks(const struct fm_checker *checker);
/* verify_records.c: records of nodes, functions, files, strings. */
bool fm_check_records(const struct fm_checker *checker);
/* verify_strings.c: sorted strings are in order, and their groups are back to back. */
bool fm_check_sorted_texts(const struct fm_checker *checker);
/* verify_classes.c: records of classes, members and lines. */
bool fm_check_classes(const struct fm_checker *checker);
/* verify_segments.c: records of source maps. */
bool fm_check_segments(const struct fm_checker *checker);
/* The offset lists, which heads have too. */
bool fm_check_offsets(const struct fm_checker *checker);
/* verify_head.c: the lists of values. */
bool fm_check_head(const struct fm_checker *checker);
/* verify_spans.c: the spans of a method. *at: the offset where they must start, advanced to their end. *spans:
 * increased by their number. */
bool fm_check_spans(const struct fm_checker *checker, uint64_t method, uint64_t *at, uint64_t *spans);

#endif
