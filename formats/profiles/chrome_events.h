/* Events of Chrome's traces that last: those that begin and end ("B", "E"), and complete ones ("X"), as stacks. What is
 * open at a time is the stack; the time until it changes is its weight. Called by chrome_samples.c. */
#ifndef FM_FORMATS_PROFILES_CHROME_EVENTS_H
#define FM_FORMATS_PROFILES_CHROME_EVENTS_H

#include "formats/profiles/profile_format.h"

struct fm_chrome_event {
    int64_t at_ns, end_ns; /* end_ns: set for complete events only */
    uint32_t thread;       /* number of a thread of the trace, for the order */
    uint32_t set_thread;   /* number of the thread in the set; FM_NO_ID: none */
    uint32_t name;         /* number of a string in the sample set */
    uint32_t frame;        /* frame of the set */
    uint32_t stack; /* node of the set for the whole stack that the event gives (`sf`); FM_NO_ID: it gives none */
    char phase;     /* 'B', 'E' or 'X' */
};

struct fm_chrome_events {
    framemap_sample_set *set;
    struct fm_chrome_event *events;
    size_t count, capacity;
};

/* Adds the stacks of all events. Out of memory: the set remembers. */
void fm_chrome_nest(const struct fm_chrome_events *events);

#endif
