/* Runs every query that a view of an index supports, for harnesses that open arbitrary indexes or build them from
 * arbitrary records. */
#ifndef FM_FUZZ_SUPPORT_USE_VIEW_H
#define FM_FUZZ_SUPPORT_USE_VIEW_H

#include "index/read/view.h"

/* Aborts if two ways to the same answer give different results, or if a view that verifies (sound) does not answer.
 * Everything allocated from the heap is freed. */
void use_view(const struct fm_view *view, struct fm_heap *heap, bool sound);

#endif
