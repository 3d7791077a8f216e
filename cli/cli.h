/* What the commands share. A command is one file cmd_x.c with one row in command_table.h.
 *
 * The command is the first user of the public calls: nothing here includes more than <framemap/framemap.h>. */
#ifndef FM_CLI_CLI_H
#define FM_CLI_CLI_H

#include "cli/command_table.h"
#include <framemap/framemap.h>
#include <stdarg.h>

enum fm_exit { FM_EXIT_DONE = 0, FM_EXIT_FAILED = 1, FM_EXIT_USAGE = 2, FM_EXIT_UNMAPPED = 3 };

/* argv[0] is the name that the user called, argv[1 ..] the command's own arguments. Returns an exit code. */
typedef int fm_command_run(int argc, char **argv);

#define FM_COMMAND_DECLARED(name, run, summary, front) fm_command_run run;
FM_COMMAND_TABLE(FM_COMMAND_DECLARED)
#undef FM_COMMAND_DECLARED

/* Whether a word is the name of a command. */
bool fm_is_command(const char *word);

/* --- talk: one line on stderr, "framemap: …". All that the command writes there goes through fm_tell --- */

/* Writes on stderr. Control characters are escaped (framemap_show), but for the line ends that `format` ends with. */
void fm_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
void fm_tell_list(const char *format, va_list list) __attribute__((format(printf, 1, 0)));
void fm_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Says where and what went wrong, and returns FM_EXIT_FAILED. what: a path or NULL. */
int fm_say_error(const char *what, const framemap_error *error);
/* Where standard input is a terminal: says what is waited for, and how it ends. */
void fm_say_waiting(const char *what);
/* Points to `framemap COMMAND --help`; returns FM_EXIT_USAGE. */
int fm_say_usage(const char *command);

/* --- memory of the command itself; out of memory ends the process with exit 1 --- */

void *fm_cli_resize(void *ptr, size_t size);
char *fm_cli_copy(const char *text, size_t size); /* NUL-terminated */

/* --- small readers --- */

/* A whole number with an optional K, M or G (powers of 1024); false: not one. */
bool fm_parse_size(const char *text, uint64_t *out);

/* The value of --max-memory. false: no size (said). */
bool fm_parse_memory(const char *text, uint64_t *out);
/* Of --max-memory what the command and the answers may take, beside the session, whose part is the rest. 0: there is no
 * ceiling. */
uint64_t fm_own_memory(uint64_t max_memory);
#define FM_MAX_MEMORY_HELP \
    "use no more memory; symbols that do not fit are skipped and reported; K, M and G are powers of 1024"

/* Lines of source to show around a place: 1 to FM_MOST_CONTEXT. false: no such number (said). */
#define FM_MOST_CONTEXT 1000
bool fm_parse_context(const char *text, uint32_t *out);
/* The words of --demangle, and the style of one; false: it is none of them. */
#define FM_DEMANGLE_STYLES "llvm|gnu|none"
bool fm_parse_demangle(const char *text, framemap_demangle *out);
/* The last part of a path; the whole path where it has no slash. */
framemap_str fm_base_name(framemap_str path);

#endif
