/* Custom regular expressions of retrace: Java's syntax with placeholders for what is to be restored.
 *
 *     %c class    %C class with slashes    %m method    %f field    %s source    %l line number    %S source and line
 * %t type    %a arguments
 *
 * Compiled for PCRE2, which this file's source alone knows. */
#ifndef FM_FORMATS_JAVA_RETRACE_RETRACE_REGEX_H
#define FM_FORMATS_JAVA_RETRACE_RETRACE_REGEX_H

#include "core/heap.h"
#include "formats/java/retrace/retrace_line.h"

struct fm_retrace_expression;

/* What ProGuard's retrace takes lines apart with. */
#define FM_RETRACE_OF_PROGUARD \
    "(?:.*?\\bat\\s+%c\\.%m\\s*\\(%s(?::%l)?\\)\\s*(?:~\\[.*\\])?)|(?:(?:.*?[:\"]\\s+)?%c(?::.*)?)"

/* text: NUL-free, UTF-8. proguard: placeholders match what ProGuard's match, every one that took part is a piece (a
 * line number without its colon), and line_number is 0 where there is none. Errors: ARGUMENT (what is wrong in it, and
 * where), LIMIT, MEMORY. */
framemap_status fm_retrace_expression_create(framemap_str text, bool proguard, struct fm_heap *heap,
                                             struct fm_retrace_expression **out, framemap_error *error);
void fm_retrace_expression_free(struct fm_retrace_expression *expression); /* NULL allowed */

/* As fm_retrace_line. A line that the expression does not match whole is OK and has no pieces. One thread at a time.
 * Errors: LIMIT (it takes too many steps), ARGUMENT (groups that overlap), MEMORY. */
framemap_status fm_retrace_expression_match(struct fm_retrace_expression *expression, framemap_str line,
                                            struct fm_retrace_line *out, framemap_error *error);

#endif
