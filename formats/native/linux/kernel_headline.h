/* Headlines of the Linux kernel's reports. Called by kernel.c. */
#ifndef FM_FORMATS_NATIVE_LINUX_KERNEL_HEADLINE_H
#define FM_FORMATS_NATIVE_LINUX_KERNEL_HEADLINE_H

#include "formats/format.h"

struct fm_kernel_headline {
    framemap_str text, type, message;
    /* another headline of the same report may be above this one; the report then keeps the first headline */
    bool follows;
    bool last; /* the stack of the report may also be above this headline instead of below it */
};

/* Returns the part of the text that begins at the headline. Linux before 4.20 printed a hint of KASAN before the
 * headline on the same line. */
framemap_str fm_kernel_headline_start(framemap_str text);
/* Parses a headline, at which `text` begins. Returns false if the text is not a headline. */
bool fm_kernel_headline(framemap_str text, struct fm_kernel_headline *headline);

#endif
