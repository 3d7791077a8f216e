/* Translates regular expressions from Java's syntax (java.util.regex of Java 17) to that of PCRE2, compiled with UTF
 * and no other option. Called by retrace_regex.c. */
#ifndef FM_FORMATS_JAVA_RETRACE_JAVA_REGEX_H
#define FM_FORMATS_JAVA_RETRACE_JAVA_REGEX_H

#include "core/text/buffer.h"

/* Appends the translation to `out`. Groups keep their numbers. Rejects expressions that Java rejects, or that PCRE2
 * cannot express (blocks, \N{name}). Errors: ARGUMENT (the message states the fault and its byte offset), LIMIT (nested
 * too deep), MEMORY. */
framemap_status fm_java_regex(framemap_str expression, struct fm_buf *out, framemap_error *error);

#endif
