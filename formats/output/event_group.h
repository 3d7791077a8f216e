/* Determines which traces form one event of an error backend: a report that lists its images; a stack with its parts;
 * or the threads of one process that a dump lists one after the other. Called by the outputs sentry, otlp and markdown,
 * and by text_stream.c, which passes on the traces of such an event together. */
#ifndef FM_FORMATS_OUTPUT_EVENT_GROUP_H
#define FM_FORMATS_OUTPUT_EVENT_GROUP_H

#include <framemap/frame.h>

/* Whether the text names the thread of a trace. */
bool fm_event_has_thread(const framemap_trace *trace);
/* Whether the stack of this trace is one that an event is about. Otherwise, the trace is another thread of the program,
 * and only accompanies such a stack. */
bool fm_event_is_about(const framemap_trace *trace);
/* Whether a trace is the cause of `next`, which is printed after it ("Wrapped by: "), or the cause of a trace that
 * follows `next`. */
bool fm_event_precedes(const framemap_trace *trace, const framemap_trace *next);
/* Returns how many of the traces, counted from the first, form one event; at least 1. */
size_t fm_event_size(const framemap_trace *traces, size_t count);
/* Returns the index of the trace that an event is about: an exception if there is one; in a dump of threads the main
 * thread, which did not respond; otherwise the first trace. */
size_t fm_event_subject(const framemap_trace *traces, size_t count);
/* Finds the next stack of an event, except the stack that the event is about. *at: the caller sets it to 0 before the
 * first call, and adds *parts to it before each further call; the function sets it to the index of the stack's first
 * trace. *parts: set to the number of the stack's traces. Returns false if there is no further stack. */
bool fm_event_next_other(const framemap_trace *traces, size_t count, size_t subject, size_t *at, size_t *parts);
/* Whether a stack that follows these traces could belong to the same event, as a further thread, a cause, or another
 * part. line1: number of the last line read; end: offset up to which the text was read. */
bool fm_event_may_grow(const framemap_trace *traces, size_t count, uint64_t line1, uint64_t end);
/* Whether a stack that has not ended yet belongs to the event of these traces, as far as the stack was read. */
bool fm_event_continues(const framemap_trace *traces, size_t size, const framemap_trace *open);

#endif
