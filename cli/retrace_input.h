/* Stack texts as R8's retrace takes them in: files must be UTF-8; standard input is made so, and ends with its last word. */
#ifndef FM_CLI_RETRACE_INPUT_H
#define FM_CLI_RETRACE_INPUT_H

#include "cli/io.h"

/* Offset of the first byte that is no UTF-8; SIZE_MAX: all are. */
size_t fm_find_malformed(framemap_str text);

/* What Java's Scanner reads line by line from bytes: malformed ones are U+FFFD, lines end at U+0085, U+2028 and U+2029 too, and lines behind the last
 * that is not blank are none. The result is the caller's to free (data NULL: empty); its lines end at LF, CR LF and CR. */
framemap_str fm_scanner_text(framemap_str bytes);

#endif
