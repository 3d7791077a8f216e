/* Makes stacks of those events in Chrome's traces that have a duration: events with separate records for begin and end
 * ("B", "E"), and complete events ("X"). At any time, the open events are the stack; the time until the next change is
 * its weight. Called by chrome_samples.c. */
#ifndef FM_FORMATS_PROFILES_CHROME_EVENTS_H
#define FM_FORMATS_PROFILES_CHROME_EVENTS_H

#include "formats/profiles/profile_format.h"

struct fm_chrome_event {
    int64_t at_ns, end_ns; /* end_ns: set for complete events only */
    uint32_t thread;       /* number of the thread in the trace, used for sorting */
    uint32_t set_thread;   /* number of the thread in the sample set; FM_NO_ID: the event has no thread */
    uint32_t name;         /* number of a string in the sample set */
    uint32_t frame;        /* number of a frame in the sample set */
    /* node of the sample set for the stack that the event itself has as `sf`; FM_NO_ID: the event has no stack */
    uint32_t stack;
    char phase; /* 'B', 'E' or 'X' */
};

struct fm_chrome_events {
    framemap_sample_set *set;
    struct fm_chrome_event *events;
    size_t count, capacity;
};

/* Adds the stacks of all events to the sample set. If memory is exhausted, the set records this. */
void fm_chrome_nest(const struct fm_chrome_events *events);

#endif
