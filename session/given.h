/* Reading option structs of callers that may be older or newer than this library. */
#ifndef FM_SESSION_GIVEN_H
#define FM_SESSION_GIVEN_H

#include <framemap/base.h>

/* Copies a struct that begins with its own size into one of ours, whose missing tail becomes zero. given NULL: all zero.
 * Errors: ARGUMENT, when the size is none or a tail that is not known here holds anything but zeros. */
framemap_status fm_options_read(const void *given, void *out, size_t out_size, framemap_error *error);

#endif
