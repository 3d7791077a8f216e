/* Custom regular expressions of retrace: Java's syntax, with placeholders for the texts that retrace restores.
 *
 *     %c class    %C class with slashes    %m method    %f field    %s source    %l line number
 *     %S source and line    %t type    %a arguments
 *
 * The expressions are compiled by PCRE2, which only retrace_regex.c calls. */
#ifndef FM_FORMATS_JAVA_RETRACE_RETRACE_REGEX_H
#define FM_FORMATS_JAVA_RETRACE_RETRACE_REGEX_H

#include "core/heap.h"
#include "formats/java/retrace/retrace_line.h"

struct fm_retrace_expression;

/* The default expression of ProGuard's retrace. */
#define FM_RETRACE_OF_PROGUARD \
    "(?:.*?\\bat\\s+%c\\.%m\\s*\\(%s(?::%l)?\\)\\s*(?:~\\[.*\\])?)|(?:(?:.*?[:\"]\\s+)?%c(?::.*)?)"

/* Compiles an expression. text: UTF-8 without NUL. proguard: treat the expression as ProGuard's retrace does:
 * placeholders match as ProGuard's do, each group that matched becomes a piece (a line number without its colon), and
 * line_number is 0 if the expression found no line number. Errors: ARGUMENT (the message states the fault and its byte
 * offset), LIMIT, MEMORY. */
framemap_status fm_retrace_expression_create(framemap_str text, bool proguard, struct fm_heap *heap,
                                             struct fm_retrace_expression **out, framemap_error *error);
void fm_retrace_expression_free(struct fm_retrace_expression *expression); /* Frees an expression, which may be NULL. */

/* Matches a whole line with the expression, and returns its pieces in the form of fm_retrace_line_parse. A line that
 * does not match has no pieces and is not an error. An expression must not be used by two threads at once. Errors:
 * LIMIT (too many steps), ARGUMENT (overlapping groups), MEMORY. */
framemap_status fm_retrace_expression_match(struct fm_retrace_expression *expression, framemap_str line,
                                            struct fm_retrace_line *out, framemap_error *error);

#endif
