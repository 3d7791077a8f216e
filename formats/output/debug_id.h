/* Makes debug ids: an image's id in the form that event backends and symbol servers use on all platforms. Called by
 * the outputs that write images. The rule is that of the Rust crate `symbolic`. */
#ifndef FM_FORMATS_OUTPUT_DEBUG_ID_H
#define FM_FORMATS_OUTPUT_DEBUG_ID_H

#include "formats/format.h"

/* Returns the form of the ids of a trace's images. It is the form of the trace's format, except for formats that
 * several systems use: in these, the ids are UUIDs if the operating system or the paths of the images show that the
 * trace is from an Apple system. format: NULL if not known. */
enum fm_id_form fm_id_form_of(const struct fm_format *format, const framemap_trace *trace);

/* size of a debug id: 32 digits, 5 dashes, an age of up to 8 digits, NUL */
#define FM_DEBUG_ID_MOST 46

/* Writes the debug id for an image's id in lower-case hexadecimal, "8c17697f-2e84-39e5-b491-fcf5169106ff". Returns
 * its size without the NUL byte; 0 if the id cannot be converted. arch: the image's architecture, whose byte order
 * applies to build ids (little-endian if it is not known). */
size_t fm_debug_id(framemap_str id, enum fm_id_form form, framemap_str arch, char out[FM_DEBUG_ID_MOST]);

#endif
