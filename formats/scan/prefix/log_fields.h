/* The values that are read from the prefix of a logger. Filled by log_prefix.c and log_shapes.c. */
#ifndef FM_FORMATS_SCAN_LOG_FIELDS_H
#define FM_FORMATS_SCAN_LOG_FIELDS_H

#include "core/text/text.h"

/* The fields of a prefix, as printed; absent strings are {NULL, 0}. */
struct fm_log_fields {
    framemap_str time, pid, tid, tag, level, process, host;
    framemap_str cpu; /* number of the CPU that a log of the kernel names: "[    C0]" */
    bool leads;       /* the logger prints its prefix before the first line of a message only */
    bool one_origin;  /* a log with this prefix has messages of one program only */
};

#endif
