/* Every question that can be asked of a view, for harnesses of indexes of any bytes and of any records. */
#ifndef FM_FUZZ_SUPPORT_USE_VIEW_H
#define FM_FUZZ_SUPPORT_USE_VIEW_H

#include "index/read/view.h"

/* Asks, and holds answers against each other: aborts where two ways to one answer differ, and where a view that is
 * sound (it verifies) does not answer. What was taken of the heap is given back. */
void use_view(const struct fm_view *view, struct fm_heap *heap, bool sound);

#endif
