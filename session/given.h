/* Reading option structs of callers that may be older or newer than this library. */
#ifndef FM_SESSION_GIVEN_H
#define FM_SESSION_GIVEN_H

#include "core/heap.h"

/* Copies a struct that begins with its own size into one of ours, whose missing tail becomes zero. given NULL: all zero.
 * Errors: ARGUMENT, when the size is none or a tail that is not known here holds anything but zeros. */
framemap_status fm_options_read(const void *given, void *out, size_t out_size, framemap_error *error);

/* Where a ceiling of the heap's refused memory, the error is put into words that say so. Returns the status that is given. */
framemap_status fm_memory_fault(framemap_status status, const struct fm_heap *heap, framemap_error *error);

#endif
