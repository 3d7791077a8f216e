/* Prints restored frames of a crash report that is JSON. The table row in apple_ips.c refers to the function. */
#ifndef FM_FORMATS_NATIVE_APPLE_IPS_PRINT_H
#define FM_FORMATS_NATIVE_APPLE_IPS_PRINT_H

#include "formats/format.h"

/* Prints a restored frame: its object with the members of a symbol, after an object with "inline":true for each inlined
 * function. Everything else in the object stays as it is. */
void fm_apple_ips_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);

#endif
