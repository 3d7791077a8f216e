/* The values in the prefix of a logger. Filled by log_prefix.c and log_shapes.c. */
#ifndef FM_FORMATS_SCAN_LOG_FIELDS_H
#define FM_FORMATS_SCAN_LOG_FIELDS_H

#include "core/text/text.h"

/* The fields of a prefix, as printed; absent strings are {NULL, 0}. */
struct fm_log_fields {
    framemap_str time, pid, tid, tag, level, process, host;
    framemap_str cpu; /* CPU in a log of the kernel: "[    C0]" */
    bool leads;       /* the logger prints its prefix before the first line of a message only */
    bool one_origin;  /* one program writes all messages of such a log */
};

#endif
