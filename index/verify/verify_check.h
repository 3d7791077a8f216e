/* Shared by the parts of fm_view_verify: reports of faults, and checks of single fields. Each call returns false if it
 * reported a fault. */
#ifndef FM_INDEX_VERIFY_VERIFY_CHECK_H
#define FM_INDEX_VERIFY_VERIFY_CHECK_H

#include "index/read/table/tables.h"

struct fm_checker {
    const struct fm_view *view;
    framemap_error *error;
    framemap_status *status; /* set to the fault's code when a check fails */
};
/* Reports a fault in a row of a table, or at a byte of a section of bytes. Returns false. */
bool fm_check_fails(const struct fm_checker *checker, unsigned section, uint64_t row, const char *what);
/* Whether the strings of a row could be read. If not, reports the fault that `status` means: out of memory, or that
 * `what` is damaged.
 */
bool fm_check_read(const struct fm_checker *checker, framemap_status status, unsigned section, uint64_t row,
                   const char *what);
/* Checks that the string of a row is inside the section of strings; with may_lack the string may be absent. */
bool fm_check_text(const struct fm_checker *checker, unsigned section, uint64_t row, unsigned field, bool may_lack);
/* Checks that a field of a row is at most `most`. */
bool fm_check_most(const struct fm_checker *checker, unsigned section, uint64_t row, unsigned field, uint64_t most);

#endif
