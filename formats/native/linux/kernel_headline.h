/* Headlines of the Linux kernel's reports. Called by kernel.c. */
#ifndef FM_FORMATS_NATIVE_LINUX_KERNEL_HEADLINE_H
#define FM_FORMATS_NATIVE_LINUX_KERNEL_HEADLINE_H

#include "formats/format.h"

struct fm_kernel_headline {
    framemap_str text, type, message;
    bool follows; /* another headline of the same report may be above; the report then keeps that one */
    bool last;    /* the stack of the report may be above this headline, too */
};

/* Returns the text from the headline on. Linux before 4.20 printed KASAN's hint before the headline on the same
 * line. */
framemap_str fm_kernel_headline_start(framemap_str text);
/* Parses a headline, at which `text` begins. Returns false if the text is not a headline. */
bool fm_kernel_headline(framemap_str text, struct fm_kernel_headline *headline);

#endif
