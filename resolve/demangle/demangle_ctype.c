/* Defines the character table that GNU's demangler of Rust names reads.
 *
 * libiberty's own table, safe-ctype.o, is under the LGPL without the linking exception that the demanglers carry, so it
 * is not linked: the build renames the demangler's `_sch_istable` to this table. The bits are those of libiberty's
 * safe-ctype.h; ASCII characters have the classes of the C locale, and bytes from 128 on have none. No code but the
 * demangler may use this table. */
#include "resolve/demangle/demangle_ctype.h"

enum {
    BLANK = 0x0001,
    CONTROL = 0x0002,
    DIGIT = 0x0004,
    LOWER = 0x0008,
    PRINTABLE = 0x0010,
    PUNCTUATION = 0x0020,
    SPACE = 0x0040,
    UPPER = 0x0080,
    HEX_DIGIT = 0x0100,
    NAME_START = 0x0200,
    LINE_SPACE = 0x0400,    /* characters that end a line */
    NOT_LINE_SPACE = 0x0800 /* space, tab, form feed, vertical tab, NUL */
};

#define IN(c, first, last) ((c) >= (first) && (c) <= (last))
#define IS_LETTER(c) (IN(c, 'a', 'z') || IN(c, 'A', 'Z'))
#define IS_ALNUM(c) (IS_LETTER(c) || IN(c, '0', '9'))
/* All classes of the character `c`. */
#define CLASSES(c)                                                                                             \
    (((c) == ' ' || (c) == '\t' ? BLANK : 0) | (IN(c, 0, 31) || (c) == 127 ? CONTROL : 0) |                    \
     (IN(c, '0', '9') ? DIGIT : 0) | (IN(c, 'a', 'z') ? LOWER : 0) | (IN(c, 32, 126) ? PRINTABLE : 0) |        \
     (IN(c, 33, 126) && !IS_ALNUM(c) ? PUNCTUATION : 0) | ((c) == ' ' || IN(c, '\t', '\r') ? SPACE : 0) |      \
     (IN(c, 'A', 'Z') ? UPPER : 0) | (IN(c, '0', '9') || IN(c, 'a', 'f') || IN(c, 'A', 'F') ? HEX_DIGIT : 0) | \
     (IS_LETTER(c) || (c) == '_' ? NAME_START : 0) | ((c) == '\n' || (c) == '\r' ? LINE_SPACE : 0) |           \
     ((c) == ' ' || (c) == '\t' || (c) == '\f' || (c) == '\v' || (c) == 0 ? NOT_LINE_SPACE : 0))

#define FOUR(c) CLASSES(c), CLASSES((c) + 1), CLASSES((c) + 2), CLASSES((c) + 3)
#define SIXTEEN(c) FOUR(c), FOUR((c) + 4), FOUR((c) + 8), FOUR((c) + 12)

const unsigned short fm_vendor_ctype[256] = {SIXTEEN(0),  SIXTEEN(16), SIXTEEN(32), SIXTEEN(48),
                                             SIXTEEN(64), SIXTEEN(80), SIXTEEN(96), SIXTEEN(112)};
