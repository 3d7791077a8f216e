/* Punycode (RFC 3492), as Rust's symbol names use it: with '_' where the RFC has '-'. */
#ifndef FM_RESOLVE_DEMANGLE_PUNYCODE_H
#define FM_RESOLVE_DEMANGLE_PUNYCODE_H

#include "core/text/text.h"

#define FM_PUNYCODE_POINTS 1024 /* code points of one identifier: decoding inserts, which is quadratic */
#define FM_PUNYCODE_ROOM (4 * FM_PUNYCODE_POINTS)

/* Writes the decoded text as UTF-8 and gives its size; 0: not Punycode, or longer than that. */
size_t fm_punycode(framemap_str text, char out[FM_PUNYCODE_ROOM]);

#endif
