/* Makes traces of MetricKit's call stack trees. Called by metrickit.c. */
#ifndef FM_FORMATS_NATIVE_METRICKIT_READ_H
#define FM_FORMATS_NATIVE_METRICKIT_READ_H

#include "formats/json_document.h"

/* Adds the stacks of all call stack trees of a complete document as one report. format: the name in the caller's own
 * row. Returns false, with nothing added, if the document has no tree. */
bool fm_metrickit_read(struct fm_document *doc, const char *format, const struct fm_json_document *document);

#endif
