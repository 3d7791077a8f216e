/* Terminal colour escapes and HTML entities within a frame line. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_COLOUR_H
#define FM_FORMATS_JAVASCRIPT_JS_COLOUR_H

#include "formats/format.h"

/* Whether a text contains an escape character, the arrow and bracket that old consoles of Windows show for one, or an
 * entity. */
bool fm_js_is_coloured(framemap_str text);
/* Whether a line's body is coloured (fm_js_is_coloured). Faster, because the bits in line->has rule out most lines. */
bool fm_js_line_is_coloured(const struct fm_line *line);
/* Writes the text without its colours and with its entities decoded to `out`, which has room for as many bytes; returns
 * the size. Takes linear time. */
size_t fm_js_uncolour(framemap_str text, char *out);
/* Returns the body of a line without colours and entities: itself if it has none, else a copy in memory of `doc`; empty
 * if out of memory. */
framemap_str fm_js_plain(struct fm_document *doc, const struct fm_line *line);
/* Returns the offset in the coloured text of byte `at` of the text without colours. Takes linear time. */
size_t fm_js_coloured_at(framemap_str text, size_t at);
/* Returns the offset in the coloured text that is after byte `at` - 1 of the text without colours, before any
 * colour. */
size_t fm_js_coloured_after(framemap_str text, size_t at);

#endif
