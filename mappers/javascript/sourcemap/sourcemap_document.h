/* The JSON text of a source map inside what it comes in: gzip, a byte order mark, the line against cross-site
 * inclusion, a data: URL at the end of a script. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_DOCUMENT_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_DOCUMENT_H

#include "core/heap.h"
#include "core/text/text.h"

struct fm_sourcemap_document {
    framemap_str text;   /* borrowed from the file or from `made` */
    framemap_str script; /* that the text stands in; absent where it is a file by itself */
    struct {
        char *data;
        size_t size;
    } made[2]; /* inflated; decoded from a data: URL */
    struct fm_heap *heap;
};
/* Errors: CORRUPT (damaged gzip, a data: URL that can't be decoded), LIMIT, MEMORY. Close it in any case. */
framemap_status fm_sourcemap_document_open(framemap_str bytes, struct fm_heap *heap, struct fm_sourcemap_document *out,
                                           framemap_error *error);
void fm_sourcemap_document_close(struct fm_sourcemap_document *document);

/* Behind byte order marks and the line that begins with )]}'. */
framemap_str fm_sourcemap_document_strip(framemap_str bytes);
/* Begins as a JSON object does. */
bool fm_sourcemap_document_is_json(framemap_str stripped);
/* How surely these bytes are a map: 0 to 100, by their head, or their last lines. */
int fm_sourcemap_document_probe(framemap_str bytes, framemap_str name);

#endif
