/* Extracts the JSON text of a source map from its container: gzip, a byte order mark, the anti-XSSI line, a data: URL
 * at the end of a script. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_DOCUMENT_SOURCEMAP_DOCUMENT_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_DOCUMENT_SOURCEMAP_DOCUMENT_H

#include "core/heap.h"
#include "core/text/text.h"

struct fm_sourcemap_document {
    framemap_str text;   /* the JSON text, borrowed from the file or from `made` */
    framemap_str script; /* the script that contains the map; no data: the map is a file of its own */
    struct {
        char *data;
        size_t size;
    } made[2]; /* memory for the inflated text, and for the text that a data: URL gave */
    struct fm_heap *heap;
};
/* Finds the JSON text in the bytes of a file. Errors: CORRUPT (damaged gzip, undecodable data: URL), LIMIT, MEMORY.
 * Close the document in any case. */
framemap_status fm_sourcemap_document_open(framemap_str bytes, struct fm_heap *heap, struct fm_sourcemap_document *out,
                                           framemap_error *error);
void fm_sourcemap_document_close(struct fm_sourcemap_document *document);

/* Returns the bytes after byte order marks and a line that starts with )]}' (the anti-XSSI prefix of ECMA-426). */
framemap_str fm_sourcemap_document_strip(framemap_str bytes);
/* Whether the text starts like a JSON object. */
bool fm_sourcemap_document_is_json(framemap_str stripped);
/* Returns how likely these bytes are a map, 0 to 100, judged by their start or last lines. */
int fm_sourcemap_document_probe(framemap_str bytes, framemap_str name);

#endif
