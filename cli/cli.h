/* Shared declarations of the commands: exit codes, messages, memory, parsers of option values. A command is one file
 * with one row in command_table.h.
 *
 * The program uses the public library only: no file in cli/ includes a library header other than
 * <framemap/framemap.h>. */
#ifndef FM_CLI_CLI_H
#define FM_CLI_CLI_H

#include "cli/command_table.h"
#include <framemap/framemap.h>
#include <stdarg.h>

enum fm_exit { FM_EXIT_DONE = 0, FM_EXIT_FAILED = 1, FM_EXIT_USAGE = 2, FM_EXIT_UNMAPPED = 3 };

/* argv[0] is the name by which the command was called, argv[1 ..] are its arguments. Returns an exit code. */
typedef int fm_command_run(int argc, char **argv);

#define FM_COMMAND_DECLARED(name, run, summary, front) fm_command_run run;
FM_COMMAND_TABLE(FM_COMMAND_DECLARED)
#undef FM_COMMAND_DECLARED

/* Whether a word is the name of a command. */
bool fm_is_command(const char *word);

/* --- printing messages: one line on stderr, "framemap: …". All output to stderr goes through fm_stderr_print --- */

/* Makes each message one whole write if stderr is not a terminal, so that messages of several programs in one log do
 * not mix. To be called once, at the start of the program. */
void fm_stderr_begin(void);
/* Writes to stderr. Control characters are escaped (framemap_write_escaped), except line ends at the end of `format`.
 */
void fm_stderr_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
void fm_stderr_vprint(const char *format, va_list list) __attribute__((format(printf, 1, 0)));
void fm_message(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Reports an error with its location and returns FM_EXIT_FAILED. what: a path or NULL. */
int fm_message_error(const char *what, const framemap_error *error);
/* If standard input is a terminal, reports which input is expected and how to end it. */
void fm_message_waiting(const char *what);
/* Refers the user to `framemap COMMAND --help`; returns FM_EXIT_USAGE. */
int fm_message_usage(const char *command);

/* --- allocating memory of the program itself; the process exits with 1 if none is left --- */

void *fm_cli_resize(void *ptr, size_t size);
char *fm_cli_copy(const char *text, size_t size); /* returns a NUL-terminated copy of the text */

/* Hides the login in the URL of a store, for output that repeats what the user gave. If *text contains such a login,
 * sets *text to a copy without it, and returns the copy, which the caller frees. Otherwise returns NULL and does not
 * change *text. */
char *fm_cli_hide_login(framemap_str *text);

/* --- parsing the values of options --- */

/* Parses a whole number with an optional suffix K, M or G (powers of 1024). Returns false if the text is not one. */
bool fm_parse_size(const char *text, uint64_t *out);

/* Parses the value of --max-memory. Returns false if it is not a size, which is reported. */
bool fm_parse_memory(const char *text, uint64_t *out);
/* Returns the share of --max-memory that the command uses for itself and its answers; the session gets the rest. 0:
 * no limit. */
uint64_t fm_own_memory(uint64_t max_memory);
/* Puts the value of --max-memory into an error about a lack of memory. (The session's own limit is lower, since it has
 * only a part of that memory.) */
void fm_state_max_memory(framemap_error *error, uint64_t max_memory);
#define FM_MAX_MEMORY_HELP \
    "use no more memory; symbols that do not fit are skipped and reported; K, M and G are powers of 1024"

#define FM_MOST_CONTEXT 1000
/* Parses the number of source lines to show around a location, 1 to FM_MOST_CONTEXT. Returns false if it is invalid,
 * which is reported. */
bool fm_parse_context(const char *text, uint32_t *out);
/* The values of --demangle. fm_parse_demangle returns false for any other value. */
#define FM_DEMANGLE_STYLES "llvm|gnu|full|none"
bool fm_parse_demangle(const char *text, framemap_demangle *out);
/* Returns the last component of a path; the whole path if it contains no slash. */
framemap_str fm_base_name(framemap_str path);

#endif
