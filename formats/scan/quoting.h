/* Measures the characters that people and programs put around the lines of a text: quoting of mails and diffs,
 * comments, tables, HTML tags, colours. Called by lines.c. */
#ifndef FM_FORMATS_SCAN_QUOTING_H
#define FM_FORMATS_SCAN_QUOTING_H

#include "core/text/text.h"

/* Returns the size of the quoting at the start of a line, including a byte order mark. Takes linear time. */
size_t fm_quoting_start(framemap_str line);
/* Returns the size of the line without the quoting and the blanks at its end. Takes linear time. */
size_t fm_quoting_end(framemap_str line);

#endif
