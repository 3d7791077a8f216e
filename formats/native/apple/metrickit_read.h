/* Traces of MetricKit's call stack trees. Called by metrickit.c. */
#ifndef FM_FORMATS_NATIVE_METRICKIT_READ_H
#define FM_FORMATS_NATIVE_METRICKIT_READ_H

#include "formats/json_document.h"

/* Adds the stacks of all call stack trees of a complete document as one report. format: the name pointer of the
 * caller's row. Returns false, with nothing added, if it has none. */
bool fm_metrickit_read(struct fm_document *doc, const char *format, const struct fm_json_document *document);

#endif
