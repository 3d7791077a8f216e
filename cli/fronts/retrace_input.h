/* Reads texts with stacks as R8's retrace does: files must be UTF-8; standard input is converted to UTF-8, and blank
 * lines at its end are dropped. */
#ifndef FM_CLI_FRONTS_RETRACE_INPUT_H
#define FM_CLI_FRONTS_RETRACE_INPUT_H

#include "cli/cli_io.h"

/* Returns the offset of the first malformed UTF-8 sequence; SIZE_MAX: none. */
size_t fm_find_malformed(framemap_str text);

/* Reads lines from bytes as java.util.Scanner does: malformed UTF-8 becomes U+FFFD; lines end at LF, CR LF, CR, U+0085,
 * U+2028 and U+2029; blank lines are held back until a line that is not blank follows. Initialize with zeros. */
struct fm_scanner {
    char *data;
    size_t size, room;
    size_t last_word; /* offset after the last character that is not white space */
    bool any;         /* the text has a character that is not white space */
};
/* Appends whole lines; only the last line of the input may lack its end. */
void fm_scanner_add(struct fm_scanner *scanner, framemap_str bytes);
/* Returns the lines up to the last one that is not blank; borrowed until fm_scanner_add. */
framemap_str fm_scanner_text(const struct fm_scanner *scanner);
/* Removes the first `size` bytes: those that fm_scanner_text returned, or all. */
void fm_scanner_forget(struct fm_scanner *scanner, size_t size);
void fm_scanner_free(struct fm_scanner *scanner);

#endif
