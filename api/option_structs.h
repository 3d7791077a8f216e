/* Reads option structs and enum values from callers that may be older or newer than this library. Called by all public
 * calls that take options. */
#ifndef FM_API_OPTION_STRUCTS_H
#define FM_API_OPTION_STRUCTS_H

#include <framemap/index.h>

/* Copies a struct that begins with its own size into one of this version; missing fields at the end become zero. given
 * NULL: all zero. Errors: ARGUMENT, if the size is too small or far too large, or if fields that this version does not
 * know are not zero. */
framemap_status fm_options_read(const void *given, void *out, size_t out_size, framemap_error *error);

/* Checks a string of the caller's: data may be NULL only if size is 0. what: its name, for the message. Errors:
 * ARGUMENT.
 */
framemap_status fm_str_check(framemap_str text, const char *what, framemap_error *error);
/* Whether fm_str_check would fail, for calls that check several strings at once. */
static inline bool fm_str_is_bad(framemap_str text) { return text.data == NULL && text.size > 0; }

/* Checks a value of a public enum with values 0 to `last`. type: its name, for the message. Errors: ARGUMENT. */
framemap_status fm_enum_check(unsigned value, unsigned last, const char *type, framemap_error *error);
/* The next functions check values of enums that several calls take. Errors: ARGUMENT. */
framemap_status fm_demangle_check(framemap_demangle style, framemap_error *error);
framemap_status fm_ranges_check(framemap_range_mappings ranges, framemap_error *error);

#endif
