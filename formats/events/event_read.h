/* Makes traces of an event: finds the arrays of frames in a JSON document of any known vendor. Called by events.c. */
#ifndef FM_FORMATS_EVENTS_EVENT_READ_H
#define FM_FORMATS_EVENTS_EVENT_READ_H

#include "formats/json_document.h"

/* Adds a trace for each stack in a complete document. only: the name of the one format to read, as the pointer in its
 * row (names are compared by address); NULL: all formats. Returns false if the document has no stack. */
bool fm_event_read(struct fm_document *doc, const struct fm_json_document *document, const char *only);

#endif
