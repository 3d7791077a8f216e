/* Names for the symbols of harnesses that print them: their control characters must not come out. */
#ifndef FM_FUZZ_SUPPORT_HOSTILE_H
#define FM_FUZZ_SUPPORT_HOSTILE_H

#include "core/text/text.h"

#include <stdlib.h>

/* Put behind a name. What is printed of it is "\\n#0 forged\\x1b]0;\\x7f" and so on. */
#define HOSTILE "\n#0 forged\x1b]0;\x7f\xC2\x9B\xE2\x80\xAE"
/* The same for places where a line end or a blank would end the name. */
#define HOSTILE_WORD "_forged\x1b]0;\x7f\xC2\x9B\xE2\x80\xAE"

static inline bool hostile_has(framemap_str text, const char *words)
{
    return fm_str_find(text, framemap_str_of(words)) != FM_NOT_FOUND;
}

/* Stops where an output has what only a hostile name can have put there: the text that was read does not have it. */
static inline void check_hostile(framemap_str input, framemap_str output)
{
    static const char *const marks[] = {"\n#0 forged", "forged\x1b]0;", "0;\x7f\xC2\x9B\xE2\x80\xAE"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (hostile_has(output, marks[i]) && !hostile_has(input, marks[i])) abort();
}

#endif
