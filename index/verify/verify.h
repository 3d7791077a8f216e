/* Parts of fm_view_verify. */
#ifndef FM_INDEX_VERIFY_VERIFY_H
#define FM_INDEX_VERIFY_VERIFY_H

#include "index/read/table/tables.h"

struct fm_checker {
    const struct fm_view *view;
    framemap_error *error;
    framemap_status *status; /* written when something fails */
};
/* Tells of a fault in a row of a table (of a section of bytes: at that byte). Returns false. */
bool fm_check_fails(const struct fm_checker *checker, unsigned section, uint64_t row, const char *what);

/* Each returns false when it has told of a fault. verify_axis.c: */
bool fm_check_scopes(const struct fm_checker *checker);
bool fm_check_blocks(const struct fm_checker *checker);
/* verify_records.c: */
bool fm_check_records(const struct fm_checker *checker);
/* The texts of a row are read well, or what went wrong is told: out of memory, or damage. */
bool fm_check_read(const struct fm_checker *checker, framemap_status status, unsigned section, uint64_t row,
                   const char *what);
/* verify_strings.c: sorted texts are in order, and their groups stand one behind the other. */
bool fm_check_sorted_texts(const struct fm_checker *checker);
/* A text of a row is inside of the strings, or absent where that may be. */
bool fm_check_text(const struct fm_checker *checker, unsigned section, uint64_t row, unsigned field, bool may_lack);
/* A field of a row is at most `most`. */
bool fm_check_most(const struct fm_checker *checker, unsigned section, uint64_t row, unsigned field, uint64_t most);
/* verify_classes.c: */
bool fm_check_classes(const struct fm_checker *checker);
/* verify_segments.c: */
bool fm_check_segments(const struct fm_checker *checker);
/* verify_spans.c: the spans of a method, which have to begin at *at, and raise it to their end; *spans is raised by how
 * many they are. */
bool fm_check_spans(const struct fm_checker *checker, uint64_t method, uint64_t *at, uint64_t *spans);

#endif
