/* Reads the head of the split form: which values exist. Called by session/ and by the tests. No byte is trusted. */
#ifndef FM_INDEX_READ_HEAD_VIEW_H
#define FM_INDEX_READ_HEAD_VIEW_H

#include "index/read/view.h"

/* Whether the view was opened from a head (of a split index), which answers no queries itself. */
bool fm_view_is_head(const struct fm_view *view);
/* Finds the page whose value has the answers for positions of `page`: the page itself, or an earlier page whose last
 * entry also covers `page`. false: the index has nothing there. */
bool fm_head_page(const struct fm_view *head, uint64_t page, uint64_t *out);
/* Whether the index has a value for the class. The head stores only a hash of each name, so the answer is also true for
 * about one of 10^5 unknown classes. */
bool fm_head_has_class(const struct fm_view *head, framemap_str name);

#endif
