/* What the parts of fm_view_verify share: how a fault is reported, and the checks of single fields. Each call returns
 * false when it has reported a fault. */
#ifndef FM_INDEX_VERIFY_VERIFY_CHECK_H
#define FM_INDEX_VERIFY_VERIFY_CHECK_H

#include "index/read/table/tables.h"

struct fm_checker {
    const struct fm_view *view;
    framemap_error *error;
    framemap_status *status; /* written when something fails */
};
/* Reports a fault in a row of a table, or at a byte of a section of bytes. Returns false. */
bool fm_check_fails(const struct fm_checker *checker, unsigned section, uint64_t row, const char *what);
/* Whether the strings of a row could be read; reports a failed read by its status: out of memory, or `what` is damaged.
 */
bool fm_check_read(const struct fm_checker *checker, framemap_status status, unsigned section, uint64_t row,
                   const char *what);
/* Checks that the string of a row is inside the section of strings; an absent one is allowed with may_lack. */
bool fm_check_text(const struct fm_checker *checker, unsigned section, uint64_t row, unsigned field, bool may_lack);
/* Checks that a field of a row is at most `most`. */
bool fm_check_most(const struct fm_checker *checker, unsigned section, uint64_t row, unsigned field, uint64_t most);

#endif
