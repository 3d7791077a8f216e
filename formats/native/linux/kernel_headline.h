/* Headlines of the Linux kernel's reports. Called by kernel.c. */
#ifndef FM_FORMATS_NATIVE_LINUX_KERNEL_HEADLINE_H
#define FM_FORMATS_NATIVE_LINUX_KERNEL_HEADLINE_H

#include "formats/format.h"

struct fm_kernel_headline {
    framemap_str text, type, message;
    bool follows; /* another headline of the same report can be above, which then is the one that counts */
    bool last;    /* the stack of the same report may be above, too */
};

/* Cuts off KASAN's hint before a headline: Linux before 4.20 printed no end of line after it. */
framemap_str fm_kernel_headline_start(framemap_str text);
/* Returns false if the line is not a headline. text: begins at the headline. */
bool fm_kernel_headline(framemap_str text, struct fm_kernel_headline *headline);

#endif
