/* Lists of strings on one line of JSON, each string a line of a stack: "stack":["Error: x","    at f (a.js:1:2)"].
 * Called by escaped_strings.c alone. */
#ifndef FM_FORMATS_SCAN_STRING_LIST_H
#define FM_FORMATS_SCAN_STRING_LIST_H

#include "core/text/text.h"

struct fm_string_list {
    const char *at;   /* the first string, after its quote; NULL: there is no list */
    unsigned slashes; /* backslashes before each quote of the list: 0, or 1 or 3 for JSON within JSON */
};

/* Returns the first list of strings in a text that is a stack: the value of a member such as "stack" or "stackTrace"
 * that has two or more strings. Among the first strings must be a row of JavaScript, Ruby or .NET, or a numbered row. A
 * row of Java does not suffice, because the parser of Java reads all rows on a line. Takes linear time. */
struct fm_string_list fm_string_list_find(framemap_str text);

/* Whether a quote of the list is at p; *after: the byte after it. */
bool fm_string_list_quote(const char *p, const char *end, unsigned slashes, const char **after);

/* Returns the next string of the list, after its quote, if one follows the closing quote that ends at `after`; else
 * NULL. */
const char *fm_string_list_next(const char *after, const char *end, unsigned slashes);

/* Whether a string of a list is recognized as a row of a stack even if it is alone: "#0 ", "12  libfoo", or a row of
 * Ruby or .NET. Rows of Java and JavaScript are not. */
bool fm_string_list_is_row(framemap_str text);
/* Whether a string of a list begins with a row of Python, "File \"a.py\", line 3, in f". */
bool fm_string_list_is_python(framemap_str text);

#endif
