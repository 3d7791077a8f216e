/* Which traces are one event of an error backend: a report that lists its images, a stack with its parts, or the
 * threads of one process that a dump lists one after the other. Called by the outputs sentry, otlp and markdown, and by
 * text_stream.c, which passes on the traces of such an event together. */
#ifndef FM_FORMATS_OUTPUT_EVENT_GROUP_H
#define FM_FORMATS_OUTPUT_EVENT_GROUP_H

#include <framemap/frame.h>

/* Whether the text names the thread of a trace. */
bool fm_event_has_thread(const framemap_trace *trace);
/* Whether an event is about the stack of the trace; other threads of the same program only accompany that stack. */
bool fm_event_is_about(const framemap_trace *trace);
/* Whether a trace is the cause of the next one, which is printed after it ("Wrapped by: "), or of one after that. */
bool fm_event_precedes(const framemap_trace *trace, const framemap_trace *next);
/* Returns the number of traces, from the first on, that are one event; at least 1. */
size_t fm_event_size(const framemap_trace *traces, size_t count);
/* Returns the number of the trace that an event is about: an exception; in a dump of threads, the main thread, which
 * does not respond, else the first one. */
size_t fm_event_subject(const framemap_trace *traces, size_t count);
/* Finds the next stack of the event other than the stack that the event is about. *at: on entry, where to search: 0,
 * then *at + *parts of the call before; on return, the stack's first trace. *parts: the number of its traces. false:
 * there is none. */
bool fm_event_next_other(const framemap_trace *traces, size_t count, size_t subject, size_t *at, size_t *parts);
/* Whether a stack that follows could belong to the event of these traces: a further thread, a cause, or another part.
 * line1: number of the line that was read last. end: offset where the text ends that was read. */
bool fm_event_may_grow(const framemap_trace *traces, size_t count, uint64_t line1, uint64_t end);
/* Whether a stack that has not ended belongs to the event of these traces, as far as it was read. */
bool fm_event_continues(const framemap_trace *traces, size_t size, const framemap_trace *open);

#endif
