/* Texts of symbol files as they are shown: on one line, and without bytes that a terminal obeys.
 *
 * All text output passes through here (JSON has escapes of its own, fm_buf_json). Shown otherwise than they are:
 *
 *     U+0000 - U+001F, U+007F      \n, \r, \t; the others as \x1b
 *     U+0080 - U+009F              \u009b: they begin commands as the escape character does
 *     U+2028, U+2029               \u2028: ends of lines to some programs
 *     U+202A - U+202E, U+2066 - U+2069  \u202e: they turn the order of what stands around them
 *     bytes 0x80 - 0x9f that are not part of a character of UTF-8  \x9b: control characters of Latin-1
 *
 * A backslash is shown as it is, since it separates the folders of paths. */
#ifndef FM_CORE_TEXT_ESCAPE_H
#define FM_CORE_TEXT_ESCAPE_H

#include "core/text/text.h"

/* How many bytes from the begin on are shown as they are. */
size_t fm_plain_size(framemap_str text);
static inline bool fm_is_plain(framemap_str text) { return fm_plain_size(text) == text.size; }

/* The code point of a character of UTF-8 that is shown as an escape; 0: it is another one. size: its bytes, 2 or more.
 */
uint32_t fm_control_point(const unsigned char *character, size_t size);

/* A text piece by piece as it is shown: bytes of its own, or an escape, made in `escape`. false: it is over. */
#define FM_ESCAPE_ROOM 6
bool fm_escape_next(framemap_str *rest, char escape[FM_ESCAPE_ROOM], framemap_str *piece);

#endif
