/* Parses the event lines of `perf script`: "my comm  12/13 [002] 6544038.708352:    1001001 cycles:u:". The fields are
 * those that the user selected (-F). Called by perf_samples.c; independent of the rows below such a line. */
#ifndef FM_FORMATS_PROFILES_PERF_EVENT_LINE_H
#define FM_FORMATS_PROFILES_PERF_EVENT_LINE_H

#include "formats/profiles/sample_set.h"

struct fm_perf_event_line {
    framemap_str comm, event;    /* slices of the line; `event` may be empty */
    struct fm_sample_thread ids; /* process and thread by id; the name is in `comm` */
    int64_t time_ns, period;     /* `time_ns` may be FM_NO_TIME */
    bool has_period;
};

void fm_perf_event_line_read(framemap_str line, struct fm_perf_event_line *out);
/* Whether an indented line is an event line and not a row of a stack. Without call chains, perf pads the name of the
 * process with blanks, so "dd 12/13 1.5: cycles:" looks like a row with the address 0xdd. */
bool fm_perf_is_event_line(framemap_str line);
/* Parses a time such as "6544038.708352:". */
bool fm_perf_time(framemap_str word, int64_t *time_ns);

#endif
