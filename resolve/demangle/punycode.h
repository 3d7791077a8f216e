/* Decodes Punycode (RFC 3492) in Rust's symbol names, which use '_' as the delimiter instead of '-'. */
#ifndef FM_RESOLVE_DEMANGLE_PUNYCODE_H
#define FM_RESOLVE_DEMANGLE_PUNYCODE_H

#include "core/text/text.h"

/* Most code points of one identifier. Decoding inserts characters one by one, which takes quadratic time. */
#define FM_PUNYCODE_POINTS 1024
#define FM_PUNYCODE_ROOM (4 * FM_PUNYCODE_POINTS)

/* Writes the decoded text as UTF-8 and returns its size; 0: the text is not Punycode, or too long. */
size_t fm_punycode(framemap_str text, char out[FM_PUNYCODE_ROOM]);

#endif
