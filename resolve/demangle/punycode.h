/* Decodes Punycode (RFC 3492) in symbol names of Rust and Swift, which use '_' as the delimiter instead of '-'. */
#ifndef FM_RESOLVE_DEMANGLE_PUNYCODE_H
#define FM_RESOLVE_DEMANGLE_PUNYCODE_H

#include "core/text/text.h"

/* Most code points of one identifier. Decoding inserts characters one by one, which takes quadratic time. */
#define FM_PUNYCODE_POINTS 1024
#define FM_PUNYCODE_ROOM (4 * FM_PUNYCODE_POINTS)

enum fm_punycode_language {
    FM_PUNYCODE_RUST,
    /* the digits after 'z' are 'A' to 'J' instead of '0' to '9', and ASCII characters that cannot be in a symbol are
     * encoded as surrogates */
    FM_PUNYCODE_SWIFT
};
/* Writes the decoded text as UTF-8 and returns its size; 0: the text is not Punycode, or too long. */
size_t fm_punycode(framemap_str text, enum fm_punycode_language language, char out[FM_PUNYCODE_ROOM]);

#endif
