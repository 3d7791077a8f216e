/* Filling a framemap_error. Every function returns the code it was given, so that `return fm_error_set(...)` reads
 * well. */
#ifndef FM_CORE_ERROR_H
#define FM_CORE_ERROR_H

#include <framemap/base.h>
#include <stdarg.h>

#if defined(__GNUC__)
#define FM_PRINTF(text, first) __attribute__((format(printf, text, first)))
/* Called where something is wrong: compilers put what leads there out of the way of what is right. */
#define FM_COLD __attribute__((cold))
#else
#define FM_PRINTF(text, first)
#define FM_COLD
#endif

/* error may be NULL. The message is plain words without a final stop: what is wrong and, where there is one, what to
 * do. Control characters in it are escaped (core/text/escape.h). */
framemap_status fm_error_set(framemap_error *error, framemap_status code, const char *format, ...)
    FM_PRINTF(3, 4) FM_COLD;
framemap_status fm_error_at(framemap_error *error, framemap_status code, uint64_t offset, const char *format, ...)
    FM_PRINTF(4, 5) FM_COLD;
framemap_status fm_error_line(framemap_error *error, framemap_status code, uint64_t line, const char *format, ...)
    FM_PRINTF(4, 5) FM_COLD;
/* Sets `where` (a file, a section) when it is empty; keeps all else. error may be NULL. */
void fm_error_where(framemap_error *error, framemap_str where) FM_COLD;
/* E_MEMORY with the standing message. */
framemap_status fm_error_memory(framemap_error *error) FM_COLD;
/* E_MEMORY that a ceiling of so many bytes caused: the message says so. `where` is kept, so *error must be filled. */
framemap_status fm_error_over_memory(framemap_error *error, uint64_t ceiling) FM_COLD;

#endif
