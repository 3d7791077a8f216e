/* Decodes the escapes of a string in JSON, also of JSON inside of JSON, without checking the grammar: what is no escape
 * stays as it is. Each level of escaping doubles the backslashes of the level inside: a line end is "\n" in a string of
 * the first level, "\\n" in one of the second, "\\\\n" in one of the third; `run` is that number of backslashes (1, 2
 * or 4). */
#ifndef FM_CORE_TEXT_UNESCAPE_H
#define FM_CORE_TEXT_UNESCAPE_H

#include "core/text/text.h"
#include "core/text/utf8.h"

/* Reads the escape that begins at a backslash. out: receives the character in UTF-8; *width: its size in bytes, which
 * is less than that of the escape. Returns the size of the escape; 0: none begins there. */
size_t fm_unescape_at(framemap_str text, size_t at, unsigned run, char out[FM_CHARACTER_MOST], size_t *width);

/* Decodes a text. out: has room for as many bytes as the text has. Returns how many were written. */
size_t fm_unescape(framemap_str text, unsigned run, char *out);

#endif
