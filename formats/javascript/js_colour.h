/* Removes terminal colours and HTML entities from rows, and maps positions back to the original text. */
#ifndef FM_FORMATS_JAVASCRIPT_JS_COLOUR_H
#define FM_FORMATS_JAVASCRIPT_JS_COLOUR_H

#include "formats/format.h"

/* Whether a text contains an escape character, the arrow and bracket that old consoles of Windows show for it, or an
 * HTML entity. */
bool fm_js_is_coloured(framemap_str text);
/* Whether fm_js_is_coloured is true for a line's body. Faster, because the bits in line->has rule out most lines. */
bool fm_js_line_is_coloured(const struct fm_line *line);
/* Writes the text to `out`, without its colours and with entities decoded; `out` has room for as many bytes as the
 * text. Returns the number of bytes written. Takes linear time. */
size_t fm_js_uncolour(framemap_str text, char *out);
/* Returns the body of a line without colours and entities. If the body has none of these, it is returned itself,
 * otherwise a copy in memory of `doc`. Empty if out of memory. */
framemap_str fm_js_plain(struct fm_document *doc, const struct fm_line *line);
/* Returns the offset in a coloured text that corresponds to offset `at` in the same text without colours. Takes
 * linear time. */
size_t fm_js_coloured_at(framemap_str text, size_t at);
/* Returns the offset in a coloured text directly after the byte that is at offset `at` - 1 in the text without
 * colours. A colour that follows that byte is not included. */
size_t fm_js_coloured_after(framemap_str text, size_t at);

#endif
