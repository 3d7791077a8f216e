/* Symbol names with control characters, for harnesses that print symbols: the output must not contain these
 * characters. */
#ifndef FM_FUZZ_SUPPORT_HOSTILE_H
#define FM_FUZZ_SUPPORT_HOSTILE_H

#include "core/text/text.h"

#include <stdlib.h>

/* A suffix for names, with a line end, terminal escapes and other control characters. It must be printed as "\\n#0
 * forged\\x1b]0;\\x7f" and so on. */
#define HOSTILE "\n#0 forged\x1b]0;\x7f\xC2\x9B\xE2\x80\xAE"
/* A suffix like HOSTILE but without line ends and blanks, for formats in which these would end the name. */
#define HOSTILE_WORD "_forged\x1b]0;\x7f\xC2\x9B\xE2\x80\xAE"

static inline bool hostile_has(framemap_str text, const char *words)
{
    return fm_str_find(text, framemap_str_of(words)) != FM_NOT_FOUND;
}

/* Aborts if the output contains a control character of HOSTILE that the input does not contain, since it can only come
 * from a name. */
static inline void check_hostile(framemap_str input, framemap_str output)
{
    static const char *const marks[] = {"\n#0 forged", "forged\x1b]0;", "0;\x7f\xC2\x9B\xE2\x80\xAE"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (hostile_has(output, marks[i]) && !hostile_has(input, marks[i])) abort();
}

#endif
