/* Escapes for strings from symbol files in text output, so that they stay on one line and contain no bytes that a
 * terminal interprets. All text output passes through here (JSON output has fm_buf_json). These characters are
 * replaced:
 *
 * - U+0000 - U+001F, U+007F: \n, \r, \t; the others as \x1b
 * - U+0080 - U+009F: \u009b; they start control sequences, as the escape character does
 * - U+2028, U+2029: \u2028; line ends for some programs
 * - U+202A - U+202E, U+2066 - U+2069: \u202e; they reorder the surrounding text
 * - bytes 0x80 - 0x9f outside a UTF-8 character: \x9b; control characters of Latin-1
 *
 * A backslash is not escaped, since it separates the folders of Windows paths. */
#ifndef FM_CORE_TEXT_ESCAPE_H
#define FM_CORE_TEXT_ESCAPE_H

#include "core/text/text.h"

/* Returns how many bytes at the start need no escape. */
size_t fm_plain_size(framemap_str text);
static inline bool fm_is_plain(framemap_str text) { return fm_plain_size(text) == text.size; }

/* Returns the code point of a UTF-8 character that needs an escape, else 0. size: bytes of the character, at least 2.
 */
uint32_t fm_control_point(const unsigned char *character, size_t size);

#define FM_ESCAPE_ROOM 6
/* Returns a string piece by piece with escapes: *piece is a run of bytes of *rest, or an escape that is stored in
 * `escape`. *rest moves on. false: the end was reached. */
bool fm_escape_next(framemap_str *rest, char escape[FM_ESCAPE_ROOM], framemap_str *piece);

#endif
