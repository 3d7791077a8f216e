/* Reading option structs and enum values of callers that may be older or newer than this library. */
#ifndef FM_API_OPTION_STRUCTS_H
#define FM_API_OPTION_STRUCTS_H

#include <framemap/index.h>

/* Copies a struct that begins with its own size into one of ours, whose missing tail becomes zero. given NULL: all
 * zero. Errors: ARGUMENT, when the size is none or a tail that is not known here holds anything but zeros. */
framemap_status fm_options_read(const void *given, void *out, size_t out_size, framemap_error *error);

/* Checks a value of a public enum whose values are 0 to `last`. type: its name, for the message. Errors: ARGUMENT. */
framemap_status fm_enum_check(unsigned value, unsigned last, const char *type, framemap_error *error);
/* The enums that several calls take. */
framemap_status fm_demangle_check(framemap_demangle style, framemap_error *error);
framemap_status fm_ranges_check(framemap_range_mappings ranges, framemap_error *error);

#endif
