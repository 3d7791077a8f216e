/* Prints samples as stacks. Used for profiles that are not text, if the target format has stacks. Called by
 * convert.c. */
#ifndef FM_SESSION_CONVERT_SAMPLE_STACKS_H
#define FM_SESSION_CONVERT_SAMPLE_STACKS_H

#include "core/heap.h"
#include <framemap/convert.h>

/* Prints each sample of a set as a stack, innermost frame first. count: set to the number of stacks. Errors: those
 * of the printer. */
framemap_status fm_sample_stacks_print(const framemap_sample_set *set, struct fm_heap *heap, framemap_printer *printer,
                                       uint64_t *count, framemap_error *error);

#endif
