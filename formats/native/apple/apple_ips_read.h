/* Makes traces of a crash report that is JSON. Called by apple_ips.c. */
#ifndef FM_FORMATS_NATIVE_APPLE_IPS_READ_H
#define FM_FORMATS_NATIVE_APPLE_IPS_READ_H

#include "formats/json_document.h"

/* Adds the stacks of a complete document as one report. format: the format's name, as a pointer to the name in the
 * caller's row. header: text of the JSON object above the document, which names the system; empty: there is no such
 * object. repeats: the text form of the same report precedes the document; the traces made of that form are removed.
 * Returns false, with nothing added, if the document is not a crash report. */
bool fm_apple_ips_read(struct fm_document *doc, const char *format, const struct fm_json_document *document,
                       framemap_str header, bool repeats);

#endif
