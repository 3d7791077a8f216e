/* The parts of fm_view_verify (view.h), one file each. Each returns false if it reported a fault. */
#ifndef FM_INDEX_VERIFY_VERIFY_PARTS_H
#define FM_INDEX_VERIFY_VERIFY_PARTS_H

#include "index/verify/verify_check.h"

/* verify_axis.c: check scopes with their ranges, and blocks of entries. */
bool fm_check_scopes(const struct fm_checker *checker);
bool fm_check_blocks(const struct fm_checker *checker);
/* verify_records.c: checks records of nodes, functions, files and strings. */
bool fm_check_records(const struct fm_checker *checker);
/* verify_strings.c: checks that sorted strings are in order and their groups adjacent. */
bool fm_check_sorted_texts(const struct fm_checker *checker);
/* verify_classes.c: checks records of classes, members and lines. */
bool fm_check_classes(const struct fm_checker *checker);
/* verify_segments.c: checks records of source maps. */
bool fm_check_segments(const struct fm_checker *checker);
/* Checks the offset lists, which heads of split indexes have too. */
bool fm_check_offsets(const struct fm_checker *checker);
/* verify_head.c: checks the lists of values in the head of a split index. */
bool fm_check_head(const struct fm_checker *checker);
/* verify_spans.c: checks the spans (line ranges) of a method. *at: the offset where they must start; moved to their
 * end. *spans: increased by their number. */
bool fm_check_spans(const struct fm_checker *checker, uint64_t method, uint64_t *at, uint64_t *spans);

#endif
