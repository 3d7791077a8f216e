/* Measures the characters that people and programs put around the lines of a text: quoting of mails and diffs,
 * comments, tables, HTML tags, colours. Called by lines.c. */
#ifndef FM_FORMATS_SCAN_QUOTING_H
#define FM_FORMATS_SCAN_QUOTING_H

#include "core/text/text.h"

/* Returns the size of the quoting at the start of a line, including a byte order mark. Takes linear time. */
size_t fm_quoting_start(framemap_str line);
/* Returns the size of the line without the quoting and the blanks at its end. Takes linear time. */
size_t fm_quoting_end(framemap_str line);
/* Returns the size of the line without the end of a CSV record (RFC 4180): a column with several lines is in quotes,
 * and after its last line are a quote and the further columns. The first quote in such a line that is not doubled is at
 * the end of the line, or a comma follows it. Takes linear time. */
size_t fm_quoting_column_end(framemap_str line);

/* Whether a text begins with the escape character and the bracket of a colour as rsyslog writes them. Rows of stacks
 * begin with '#' and a digit, too. */
static inline bool fm_quoting_is_octal_escape(framemap_str text) { return fm_str_starts(text, FM_STR("#033[")); }

/* Whether fm_quoting_end may find something at the end of a line, judged by the line's first and last bytes. The line
 * must not be empty. */
static inline bool fm_quoting_may_end(framemap_str line)
{
    const char first = line.data[0], last = line.data[line.size - 1];
    if (last == ')' && line.size > 1 && (line.data[line.size - 2] == 'I' || line.data[line.size - 2] == 'i'))
        return true;
    return (unsigned char)last <= ' ' || last == 'm' || last == '>' || last == '|' || last == '`' || first == '*';
}

#endif
