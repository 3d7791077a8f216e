/* Stack texts as R8's retrace takes them in: files must be UTF-8; standard input is made so, and ends with its last
 * word. */
#ifndef FM_CLI_FRONTS_RETRACE_INPUT_H
#define FM_CLI_FRONTS_RETRACE_INPUT_H

#include "cli/cli_io.h"

/* Offset of the first byte that is no UTF-8; SIZE_MAX: all are. */
size_t fm_find_malformed(framemap_str text);

/* What Java's Scanner reads line by line from bytes: malformed ones are U+FFFD, lines end at U+0085, U+2028 and U+2029
 * too, and lines after the last that is not blank are none: blank ones are kept until one that is not follows. Its
 * lines end at LF, CR LF and CR. A zeroed one is empty. */
struct fm_scanner {
    char *data;
    size_t size, room;
    size_t last_word; /* after the last character that is no white space, or at the line end that is none */
    bool any;         /* there is such a character */
};
/* Adds whole lines, the last of all without its end. */
void fm_scanner_add(struct fm_scanner *scanner, framemap_str bytes);
/* Lines up to the last that is not blank, borrowed until fm_scanner_add. */
framemap_str fm_scanner_text(const struct fm_scanner *scanner);
/* Forgets the first bytes: those of fm_scanner_text, or all. */
void fm_scanner_forget(struct fm_scanner *scanner, size_t size);
void fm_scanner_free(struct fm_scanner *scanner);

#endif
