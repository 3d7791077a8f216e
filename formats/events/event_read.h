/* Makes traces of an event: finds the arrays of frames in a JSON document, whichever vendor's they are. Called by
 * events.c. */
#ifndef FM_FORMATS_EVENTS_EVENT_READ_H
#define FM_FORMATS_EVENTS_EVENT_READ_H

#include "formats/json_document.h"

/* Adds a trace for each stack of a complete document. only: the name of the one format to read (compared by pointer);
 * NULL: all. false: the document has no stack. */
bool fm_event_read(struct fm_document *doc, const struct fm_json_document *document, const char *only);

#endif
