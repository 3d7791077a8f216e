/* The comment at the end of a script that names its source map, and data: URLs. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_DOCUMENT_SOURCEMAP_COMMENT_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_DOCUMENT_SOURCEMAP_COMMENT_H

#include "core/heap.h"
#include "core/text/text.h"

/* Returns the URL of the last `//# sourceMappingURL=…` comment, or, in a style sheet, of the last such block comment.
 * As ECMA-426 describes, no parser is needed to find it, because only blanks and comments may follow the comment. The
 * URL is borrowed from the script; empty: there is no such comment. */
framemap_str fm_sourcemap_comment_url(framemap_str script);
/* Decodes a data: URL, in base64 or with percent escapes. *out is allocated from the heap with *size bytes. Errors:
 * CORRUPT, MEMORY. */
framemap_status fm_sourcemap_data_url(framemap_str url, struct fm_heap *heap, char **out, size_t *size,
                                      framemap_error *error);
bool fm_sourcemap_is_data_url(framemap_str url);

#endif
