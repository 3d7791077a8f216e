/* Prints restored frames of a crash report that is JSON. apple_ips.c refers to this function in its struct
 * fm_format. */
#ifndef FM_FORMATS_NATIVE_APPLE_IPS_PRINT_H
#define FM_FORMATS_NATIVE_APPLE_IPS_PRINT_H

#include "formats/format.h"

/* Prints a restored frame as JSON objects: one with "inline":true for each inlined function, then the frame's own
 * object with the members of a symbol added. The object's other members stay as they are. */
void fm_apple_ips_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);

#endif
