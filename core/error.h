/* Functions that fill a framemap_error. Each returns the code it was given, so that a caller can write `return
 * fm_error_set(...)`. */
#ifndef FM_CORE_ERROR_H
#define FM_CORE_ERROR_H

#include <framemap/base.h>
#include <stdarg.h>

#if defined(__GNUC__)
#define FM_PRINTF(text, first) __attribute__((format(printf, text, first)))
/* Marks functions that are called on errors only: compilers move the branches that call them out of the hot path. */
#define FM_COLD __attribute__((cold))
#else
#define FM_PRINTF(text, first)
#define FM_COLD
#endif

/* These functions set the code and the message of an error, and return the code. error may be NULL. The message is
 * plain words without a final full stop: what is wrong and, if possible, what to do. Control characters in it are
 * escaped (core/text/escape.h). */
framemap_status fm_error_set(framemap_error *error, framemap_status code, const char *format, ...)
    FM_PRINTF(3, 4) FM_COLD;
framemap_status fm_error_at(framemap_error *error, framemap_status code, uint64_t offset, const char *format, ...)
    FM_PRINTF(4, 5) FM_COLD;
framemap_status fm_error_line(framemap_error *error, framemap_status code, uint64_t line, const char *format, ...)
    FM_PRINTF(4, 5) FM_COLD;
/* Sets `where` (a file, a section) if it is empty; changes nothing else. error may be NULL. */
void fm_error_where(framemap_error *error, framemap_str where) FM_COLD;
/* Puts the path of a file before `where`. If `where` was a section of the file, both remain: "libapp.so: .debug_info".
 * error may be NULL. */
void fm_error_in_file(framemap_error *error, framemap_str path) FM_COLD;
/* Sets E_MEMORY with the message "out of memory". */
framemap_status fm_error_memory(framemap_error *error) FM_COLD;
/* Sets E_MEMORY with a message that names the ceiling (in bytes) that was exceeded. `where` is kept, so *error must be
 * initialised. */
framemap_status fm_error_over_memory(framemap_error *error, uint64_t ceiling) FM_COLD;

#endif
